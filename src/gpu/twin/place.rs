//! Hits in their rows, in the order of the second ids.

use std::ops::Range;

use crate::gpu::params::{ID, LONG_ROW, Params, SHORT_ROW, STATUS_HITS, Step};

/// None if there was no room for all of them: the call is repeated then.
fn hit_count(params: &Params, status: &[u32]) -> usize {
    if status[STATUS_HITS] > params.hits { 0 } else { status[STATUS_HITS] as usize }
}

fn row(rows: &[u32], row: usize) -> Range<usize> {
    rows[row] as usize..rows[row + 1] as usize
}

pub(crate) fn place(params: &Params, [first, end, _, _]: Step, buffers: &mut [Vec<u32>]) {
    let [rows, hits, partners, status] = buffers else { return };
    for hit in hits.chunks_exact(3).take(hit_count(params, status)).filter(|hit| (first..end).contains(&hit[0])) {
        partners[(rows[hit[0] as usize] + hit[2]) as usize] = hit[1];
    }
}

pub(crate) fn order_rows(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [rows, _, partners, status] = buffers else { return };
    if hit_count(params, status) > 0 {
        for range in (0..params.rows as usize).map(|k| row(rows, k)).filter(|row| row.len() <= SHORT_ROW as usize) {
            partners[range].sort_by_key(|partner| partner & ID);
        }
    }
}

pub(crate) fn rank(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [rows, hits, partners, status] = buffers else { return };
    for hit in hits.chunks_exact_mut(3).take(hit_count(params, status)) {
        let range = row(rows, hit[0] as usize);
        if range.len() <= LONG_ROW as usize {
            hit[2] = partners[range].iter().filter(|other| (*other & ID) < (hit[1] & ID)).count() as u32;
        }
    }
}
