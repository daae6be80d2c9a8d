//! Rows that are too long for one thread to sort.

use super::prepare::Sorting;
use crate::gpu::buffer::GrowBuffer;
use crate::gpu::params::{BLOCK, ID, Params, STATUS_LEDGER, STATUS_WORDS, TILE};
use crate::gpu::runner::Recording;
use crate::gpu::stages;
use crate::gpu::workspace::{Memory, Search};

/// Where the digits of the words with marks begin that tell so many ids apart. The last may look at bits again, so that it does not
/// see the marks.
pub(crate) fn id_digits(ids: u32) -> Vec<u32> {
    let bits = u32::BITS - ids.saturating_sub(1).leading_zeros();
    (0..bits).step_by(8).map(|shift| shift.min(ID.count_ones() - 8)).collect()
}

impl Memory {
    /// Sorts the long rows in a submission of their own, after all is in its row. What stages have signed so far is cleared.
    pub(crate) fn sort_long_rows_later(&self, query: &Search, long: [u32; 2]) -> Recording<'_> {
        let mut recording = Recording::default();
        recording.clear(self.status.buffer(), 4 * (STATUS_LEDGER as u64 + 1)..4 * STATUS_WORDS as u64);
        self.sort_long_rows(&mut recording, query, long);
        recording
    }

    /// Sorts the long rows, of which there are up to `rows` with `hits`: as one list, by the ids of the partners, then by row.
    pub(crate) fn sort_long_rows<'a>(&'a self, recording: &mut Recording<'a>, query: &Search, [rows, hits]: [u32; 2]) {
        let tiles = hits.div_ceil(TILE);
        recording.params(&Params { keys: hits, tiles, rows: query.rows, ..Params::default() });
        let (step, groups) = ([rows, 0, 0, 0], hits.div_ceil(256));
        let (keys, order) = (&self.keys, &self.order);
        let buffers = |at: usize| {
            let (keys, ranks) = (&keys[at], &order[at]);
            [&self.rows, &self.long_blocks, &self.long_rows, &self.partners, keys, ranks, &self.status]
                .map(GrowBuffer::buffer)
        };
        recording.run(&stages::LONG_LIST, step, query.rows.div_ceil(BLOCK), &buffers(0));
        recording.run(&stages::LONG_COLLECT, step, groups, &buffers(0));
        let sorting = Sorting { keys, order, tiles, new: false, counted: false, keep_keys: true, rough: 0 };
        let mut at = self.sort(recording, sorting, &id_digits(self.sets[0].len as u32), 0);
        if rows > 1 {
            // Now the ranks of the rows are the keys.
            let (keys, order) = (order, keys);
            let sorting = Sorting { keys, order, tiles, new: false, counted: false, keep_keys: false, rough: 0 };
            at = self.sort(recording, sorting, &id_digits(rows), at);
        }
        recording.run(&stages::LONG_SPREAD, step, groups, &buffers(at));
    }
}
