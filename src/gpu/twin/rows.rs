//! Counts of rows to where they begin.

use crate::gpu::params::{BLOCK, Params, SHORT_ROW, STATUS_LONG_HITS, STATUS_LONG_ROWS, Step};

pub(crate) fn sum(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [rows, blocks, long_blocks, status] = buffers else { return };
    let counts = &rows[1..=params.rows as usize];
    for (k, block) in counts.chunks(BLOCK as usize).enumerate() {
        blocks[k] = block.iter().sum();
        let long = block.iter().filter(|count| **count > SHORT_ROW);
        let (rows, hits) = (long.clone().count() as u32, long.sum::<u32>());
        long_blocks[2 * k..2 * k + 2].copy_from_slice(&[rows, hits]);
        status[STATUS_LONG_ROWS] += rows;
        status[STATUS_LONG_HITS] += hits;
    }
}

pub(crate) fn offset(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [rows, ..] = buffers else { return };
    let mut next = 0;
    for row in &mut rows[1..=params.rows as usize] {
        next += std::mem::replace(row, next);
    }
}
