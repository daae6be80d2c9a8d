//! Hits to their rows.

use crate::gpu::params::{Params, STATUS_HITS, Step};

/// None if there was no room for all of them: the call is repeated then.
pub(super) fn hit_count(params: &Params, status: &[u32]) -> usize {
    if status[STATUS_HITS] > params.hits { 0 } else { status[STATUS_HITS] as usize }
}

pub(crate) fn place(params: &Params, [first, end, _, _]: Step, buffers: &mut [Vec<u32>]) {
    let [rows, hits, partners, status] = buffers else { return };
    for hit in hits.chunks_exact(2).take(hit_count(params, status)).filter(|hit| (first..end).contains(&hit[0])) {
        let next = &mut rows[hit[0] as usize + 1];
        partners[*next as usize] = hit[1];
        *next += 1;
    }
}
