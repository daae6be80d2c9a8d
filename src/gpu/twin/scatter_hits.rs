//! Scatters hits to their rows, bin by bin.

use crate::gpu::abi::scatter_hits::{Params, View};
use crate::gpu::abi::{BINS, STATUS_BINS_OVERFLOWED, STATUS_HITS};
use crate::gpu::ledger::word_of;
use crate::gpu::stages;

/// Row and partner of all hits, bin by bin; empty if a bin overflowed.
pub(crate) fn all_hits<'a>(
    bin_first: &[u32; BINS],
    hits: &'a [[u32; 2]],
    status: &[u32],
) -> impl Iterator<Item = &'a [u32; 2]> {
    let bins = if status[STATUS_BINS_OVERFLOWED] == 0 { 0..BINS } else { 0..0 };
    let bins: Vec<_> = bins.map(|bin| (bin_first[bin] as usize, status[STATUS_HITS + bin] as usize)).collect();
    bins.into_iter().flat_map(|(first, count)| hits.iter().skip(first).take(count))
}

pub(crate) fn scatter_hits(params: &Params, view: View<'_>) {
    let View { rows, hits, partners, status } = view;
    let mut scattered = 0;
    for [row, partner] in all_hits(&params.bin_first, hits, status) {
        let next = &mut rows[*row as usize + 1];
        partners[*next as usize] = *partner;
        *next += 1;
        scattered += 1;
    }
    let signed = &mut status[word_of(&stages::SCATTER_HITS)];
    *signed = signed.wrapping_add(scattered);
}
