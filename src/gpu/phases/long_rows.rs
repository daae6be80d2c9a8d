//! Sorting of rows that are too long for one thread.

use super::prepare::SortJob;
use crate::gpu::abi::{BLOCK, DIGIT_BITS, PARTNER_ID, THREADS, long_rows};
use crate::gpu::runner::Recording;
use crate::gpu::stages;
use crate::gpu::workspace::{Memory, Search};

/// The shifts of the radix sort digits that distinguish this many ids. The last digit may overlap the one before, so that it does
/// not contain the marks.
pub(crate) fn id_digits(ids: u32) -> Vec<u32> {
    let bits = u32::BITS - ids.saturating_sub(1).leading_zeros();
    (0..bits).step_by(DIGIT_BITS as usize).map(|shift| shift.min(PARTNER_ID.count_ones() - DIGIT_BITS)).collect()
}

impl Memory {
    /// Records the sort of at most `rows` long rows with at most `hits` hits, as one list: first by the ids of the partners, then
    /// stably by row.
    pub(crate) fn sort_long_rows<'a>(&'a self, recording: &mut Recording<'a>, query: &Search, [rows, hits]: [u32; 2]) {
        let params = long_rows::Params { rows: query.rows, rows_room: rows, hits_room: hits };
        let groups = hits.div_ceil(THREADS);
        let (keys, order) = (&self.keys, &self.order);
        let buffers = |at: usize| long_rows::Buffers {
            rows: &self.rows,
            long_blocks: &self.long_blocks,
            starts: &self.long_rows,
            partners: &self.partners,
            keys: &keys[at],
            ranks: &order[at],
            status: &self.status,
        };
        recording.run(&stages::LONG_ROWS_LIST, query.rows.div_ceil(BLOCK), &params, &buffers(0));
        recording.run(&stages::LONG_ROWS_COLLECT, groups, &params, &buffers(0));
        let job = SortJob {
            keys,
            order,
            count: hits,
            values_are_indices: false,
            first_digit_counted: false,
            keep_keys: true,
            unstable_below: 0,
        };
        let mut at = self.sort(recording, job, &id_digits(self.sets[0].len as u32), 0);
        if rows > 1 {
            // The second sort uses the ranks of the rows as keys.
            let (keys, order) = (order, keys);
            let job = SortJob {
                keys,
                order,
                count: hits,
                values_are_indices: false,
                first_digit_counted: false,
                keep_keys: false,
                unstable_below: 0,
            };
            at = self.sort(recording, job, &id_digits(rows), at);
        }
        recording.run(&stages::LONG_ROWS_SPREAD, groups, &params, &buffers(at));
    }
}
