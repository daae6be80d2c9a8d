//! Hits in their rows, in the order of the second ids.

use crate::gpu::params::{LONG_ROW, MARK, Params, STATUS_HITS, STATUS_UNDECIDED, Step};

/// None if there was no room for all of them: the call is repeated then.
fn hit_count(params: &Params, status: &[u32]) -> usize {
    if status[STATUS_HITS] > params.hits { 0 } else { status[STATUS_HITS] as usize }
}

pub(crate) fn place(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [rows, hits, placed, _, status] = buffers else { return };
    for hit in hits.chunks_exact(3).take(hit_count(params, status)) {
        let at = (rows[hit[0] as usize] + hit[2]) as usize;
        placed[2 * at..2 * at + 2].copy_from_slice(&hit[..2]);
    }
}

pub(crate) fn rank(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [rows, _, placed, partners, status] = buffers else { return };
    let count = hit_count(params, status);
    if count == 0 {
        return;
    }
    status[STATUS_UNDECIDED] += (0..count).filter(|k| placed[2 * k + 1] & MARK != 0).count() as u32;
    for row in 0..params.rows as usize {
        let (first, end) = (rows[row] as usize, rows[row + 1] as usize);
        if first < end && end - first <= LONG_ROW as usize {
            let mut sorted: Vec<u32> = (first..end).map(|k| placed[2 * k + 1]).collect();
            sorted.sort_by_key(|partner| partner & !MARK);
            partners[first..end].copy_from_slice(&sorted);
        }
    }
}
