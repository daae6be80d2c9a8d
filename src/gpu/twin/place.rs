//! Hits in their rows, in the order of the second ids.

use crate::gpu::params::{LONG_ROW, MARK, Params, STATUS_HITS, STATUS_UNDECIDED, Step};

pub(crate) fn place(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [rows, hits, placed, _, status] = buffers else { return };
    for hit in hits.chunks_exact(3).take(status[STATUS_HITS].min(params.hits) as usize) {
        let at = rows[hit[0] as usize] + hit[2];
        if at < params.hits {
            placed[2 * at as usize..2 * at as usize + 2].copy_from_slice(&hit[..2]);
        }
    }
}

pub(crate) fn rank(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [rows, _, placed, partners, status] = buffers else { return };
    let count = status[STATUS_HITS].min(params.hits) as usize;
    status[STATUS_UNDECIDED] += (0..count).filter(|k| placed[2 * k + 1] & MARK != 0).count() as u32;
    for row in 0..params.rows as usize {
        let (first, end) = (rows[row] as usize, (rows[row + 1] as usize).min(count));
        if first < end && end - first <= LONG_ROW as usize {
            let mut sorted: Vec<u32> = (first..end).map(|k| placed[2 * k + 1]).collect();
            sorted.sort_by_key(|partner| partner & !MARK);
            partners[first..end].copy_from_slice(&sorted);
        }
    }
}
