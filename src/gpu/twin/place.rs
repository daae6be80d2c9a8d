//! Hits to their rows, bin by bin.

use crate::gpu::ledger::word_of;
use crate::gpu::params::{BINS, Params, STATUS_CROWDED, STATUS_HITS, Step};
use crate::gpu::stages;

/// Row and partner of all hits, if all found room.
pub(crate) fn all_hits<'a>(params: &Params, hits: &'a [u32], status: &[u32]) -> impl Iterator<Item = &'a [u32]> {
    let bins = if status[STATUS_CROWDED] == 0 { 0..BINS } else { 0..0 };
    let bins: Vec<_> = bins.map(|bin| (params.bin_first[bin] as usize, status[STATUS_HITS + bin] as usize)).collect();
    bins.into_iter().flat_map(|(first, count)| hits.chunks_exact(2).skip(first).take(count))
}

pub(crate) fn place(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [rows, hits, partners, status] = buffers else { return };
    let mut placed = 0;
    for hit in all_hits(params, hits, status) {
        let next = &mut rows[hit[0] as usize + 1];
        partners[*next as usize] = hit[1];
        *next += 1;
        placed += 1;
    }
    let signed = &mut status[word_of(&stages::PLACE_HITS)];
    *signed = signed.wrapping_add(placed);
}
