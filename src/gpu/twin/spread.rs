//! The ends of the sort of long rows.

use crate::gpu::params::{Params, Step};

pub(crate) fn number_hits(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [_, order, _] = buffers else { return };
    for k in 0..params.keys {
        order[k as usize] = k;
    }
}

pub(crate) fn collect_hits(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [hits, order, partners] = buffers else { return };
    for k in 0..params.keys as usize {
        partners[k] = hits[2 * order[k] as usize + 1];
    }
}
