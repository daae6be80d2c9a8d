//! Counts of rows to offsets.

use crate::gpu::params::{BLOCK, Params, Step};

pub(crate) fn sum(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [rows, blocks] = buffers else { return };
    for (sum, block) in blocks.iter_mut().zip(rows[..params.rows as usize].chunks(BLOCK as usize)) {
        *sum = block.iter().sum();
    }
}

pub(crate) fn add(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [rows, blocks] = buffers else { return };
    let mut before = 0;
    for sum in &mut blocks[..params.rows.div_ceil(BLOCK) as usize] {
        before += std::mem::replace(sum, before);
    }
    rows[params.rows as usize] = before;
}

pub(crate) fn offset(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [rows, blocks] = buffers else { return };
    for (block, before) in rows[..params.rows as usize].chunks_mut(BLOCK as usize).zip(blocks.iter()) {
        let mut next = *before;
        for row in block {
            next += std::mem::replace(row, next);
        }
    }
}
