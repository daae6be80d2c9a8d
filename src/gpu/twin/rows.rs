//! Counts of rows to where they begin.

use crate::gpu::params::{BLOCK, Params, STATUS_LONGEST, Step};

pub(crate) fn sum(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [rows, blocks, status] = buffers else { return };
    let counts = &rows[1..=params.rows as usize];
    for (sum, block) in blocks.iter_mut().zip(counts.chunks(BLOCK as usize)) {
        *sum = block.iter().sum();
    }
    status[STATUS_LONGEST] = counts.iter().fold(status[STATUS_LONGEST], |most, count| most.max(*count));
}

pub(crate) fn offset(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [rows, ..] = buffers else { return };
    let mut next = 0;
    for row in &mut rows[1..=params.rows as usize] {
        next += std::mem::replace(row, next);
    }
}
