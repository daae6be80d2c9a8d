//! Turns hit counts into CSR offsets.

use crate::gpu::abi::row_offsets::{Params, View};
use crate::gpu::abi::{BLOCK, SHORT_ROW, STATUS_LONG_HITS, STATUS_LONG_ROWS, STATUS_WIDE_ROWS, WIDE_ROW};

pub(crate) fn row_offsets_sum(params: &Params, view: View<'_>) {
    let View { rows, blocks, long_blocks, status, .. } = view;
    let counts = &rows[1..=params.rows as usize];
    for (k, block) in counts.chunks(BLOCK as usize).enumerate() {
        blocks[k] = block.iter().sum();
        let long = block.iter().filter(|count| **count > SHORT_ROW);
        let (rows, hits) = (long.clone().count() as u32, long.sum::<u32>());
        long_blocks[k] = [rows, hits];
        status[STATUS_LONG_ROWS] += rows;
        status[STATUS_LONG_HITS] += hits;
    }
}

pub(crate) fn row_offsets(params: &Params, view: View<'_>) {
    let View { rows, lengths, status, .. } = view;
    let counts = &mut rows[1..=params.rows as usize];
    for (word, four) in lengths.iter_mut().zip(counts.chunks(4)) {
        *word = (0..).zip(four).fold(0, |word, (k, count)| word | (*count).min(WIDE_ROW) << (8 * k));
    }
    status[STATUS_WIDE_ROWS] += counts.iter().filter(|count| **count >= WIDE_ROW).count() as u32;
    let mut next = 0;
    for row in counts {
        next += std::mem::replace(row, next);
    }
}
