//! From verdicts to rows of partners.

use crate::gpu::buffer::GrowBuffer;
use crate::gpu::params::{BLOCK, PLACED};
use crate::gpu::runner::{Reading, Recording};
use crate::gpu::stages;
use crate::gpu::workspace::{Memory, Search};

/// Up to so many partners a row, rows are best sorted where they are.
const FEW_PARTNERS: u64 = 4;

impl Memory {
    /// From slots and tree to rows of partners.
    pub(crate) fn search<'a>(&'a self, recording: &mut Recording<'a>, query: &Search, own: (u32, u32)) {
        self.find_candidates(recording, query, own);
        self.decide(recording, query.narrow, 0);
        let buffers = [&self.rows, &self.blocks, &self.long_blocks, &self.status].map(GrowBuffer::buffer);
        let blocks = query.rows.div_ceil(BLOCK);
        recording.run(&stages::ROWS_SUM, [0; 4], blocks, &buffers);
        recording.run(&stages::ROWS_OFFSET, [0; 4], blocks, &buffers);
        let buffers = [&self.rows, &self.hits, &self.partners, &self.status].map(GrowBuffer::buffer);
        recording.run(&stages::PLACE_HITS, [0; 4], self.learned.bins.end() / u64::from(PLACED), &buffers);
        recording.ledger.expect_rows();
        let buffers = [&self.rows, &self.partners, &self.status].map(GrowBuffer::buffer);
        let many = self.learned.bins.total() / FEW_PARTNERS > u64::from(query.rows);
        let order = if many { &stages::ORDER_FULL_ROWS } else { &stages::ORDER_ROWS };
        recording.run(order, [0; 4], query.rows.div_ceil(256), &buffers);
        if self.learned.long[0] > 0 {
            self.sort_long_rows(recording, query, self.learned.long);
        }
    }

    /// The rows, and so many of the partners in them.
    pub(crate) fn rows_readings(&self, query: &Search, partners: u64) -> Vec<Reading<'_>> {
        vec![(self.rows.buffer(), 4 * (u64::from(query.rows) + 1)), (self.partners.buffer(), 4 * partners)]
    }
}
