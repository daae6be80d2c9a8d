//! From hits to sorted rows of partners.

use crate::gpu::abi::{BLOCK, REPORT_HITS, SCATTERED, THREADS, row_offsets, scatter_hits, sort_rows};
use crate::gpu::narrow::Narrow;
use crate::gpu::runner::{Reading, Recording};
use crate::gpu::stages;
use crate::gpu::workspace::{Memory, Search};

/// The mean number of partners in a row up to which rows are sorted in place, without workgroup memory.
const FEW_PARTNERS: u64 = 4;

impl Memory {
    /// Records a whole search for the clusters `own`: broad phase, narrow phase, and rows.
    pub(crate) fn search<'a>(&'a self, recording: &mut Recording<'a>, query: &Search, own: (u32, u32)) {
        self.find_candidates(recording, query, own);
        if query.frames {
            self.make_frames(recording, query);
        }
        if let Narrow::Closest { count: 1, .. } = query.narrow {
            self.list_nearest(recording, own);
        }
        self.decide(recording, query.narrow, Self::search_flags(query), REPORT_HITS);
        let (rows, hits, partners, status) = (&self.rows, &self.hits, &self.partners, &self.status);
        let params = row_offsets::Params { rows: query.rows };
        let (blocks, long_blocks, lengths) = (&self.blocks, &self.long_blocks, &self.lengths);
        let buffers = row_offsets::Buffers { rows, blocks, long_blocks, lengths, status };
        let blocks = query.rows.div_ceil(BLOCK);
        recording.run(&stages::ROW_OFFSETS_SUM, blocks, &params, &buffers);
        recording.run(&stages::ROW_OFFSETS, blocks, &params, &buffers);
        let bins = &self.capacity.bins;
        let params = scatter_hits::Params { bin_first: bins.first(), bin_size: bins.room };
        let buffers = scatter_hits::Buffers { rows, hits, partners, status };
        recording.run(&stages::SCATTER_HITS, bins.end() / u64::from(SCATTERED), &params, &buffers);
        recording.ledger.expect_rows();
        let many = bins.total() / FEW_PARTNERS > u64::from(query.rows);
        let sort = if many { &stages::SORT_FULL_ROWS } else { &stages::SORT_ROWS };
        let (params, buffers) = (sort_rows::Params { rows: query.rows }, sort_rows::Buffers { rows, partners, status });
        recording.run(sort, query.rows.div_ceil(THREADS), &params, &buffers);
        if self.capacity.long_rows[0] > 0 {
            self.sort_long_rows(recording, query, self.capacity.long_rows);
        }
    }

    /// The read-back of the CSR offsets and of this many partners.
    pub(crate) fn rows_readings(&self, query: &Search, partners: u64) -> Vec<Reading<'_>> {
        vec![(self.rows.buffer(), 4 * (u64::from(query.rows) + 1)), (self.partners.buffer(), 4 * partners)]
    }

    /// The read-back of the lengths of rows, of the hits of their blocks, and of this many partners.
    pub(crate) fn lengths_readings(&self, query: &Search, partners: u64) -> Vec<Reading<'_>> {
        vec![
            (self.lengths.buffer(), u64::from(query.rows)),
            (self.blocks.buffer(), 4 * u64::from(query.rows.div_ceil(BLOCK))),
            (self.partners.buffer(), 4 * partners),
        ]
    }
}
