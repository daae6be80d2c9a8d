//! Hits in their rows, in the order of the second ids.

use crate::gpu::params::{ID, Params, SHORT_ROW, STATUS_HITS, Step};

/// None if there was no room for all of them: the call is repeated then.
fn hit_count(params: &Params, status: &[u32]) -> usize {
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

pub(crate) fn order_rows(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [rows, _, partners, status] = buffers else { return };
    if hit_count(params, status) > 0 {
        for row in rows[..=params.rows as usize].windows(2).filter(|row| row[1] - row[0] <= SHORT_ROW) {
            partners[row[0] as usize..row[1] as usize].sort_by_key(|partner| partner & ID);
        }
    }
}
