//! Counts of rows to offsets.

use crate::gpu::params::{BLOCK, Params, Step};

pub(crate) fn sum(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [rows, blocks] = buffers else { return };
    for (sum, block) in blocks.iter_mut().zip(rows[..params.rows as usize].chunks(BLOCK as usize)) {
        *sum = block.iter().sum();
    }
}

pub(crate) fn offset(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [rows, _] = buffers else { return };
    let mut next = 0;
    for row in &mut rows[..params.rows as usize] {
        next += std::mem::replace(row, next);
    }
    rows[params.rows as usize] = next;
}
