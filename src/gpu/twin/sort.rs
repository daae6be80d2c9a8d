//! One pass of the radix sort.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::gpu::abi::sort::{Params, View};
use crate::gpu::abi::{DIGITS, SORT_FIRST, SORT_LAST, TILE};

fn digit(key: u32, params: &Params) -> usize {
    (key >> params.shift & (DIGITS - 1)) as usize
}

pub(crate) fn sort_count(params: &Params, view: View<'_>) {
    let View { keys_in, counts, .. } = view;
    let tiles = params.tiles as usize;
    counts[..DIGITS as usize * tiles].fill(0);
    for (i, key) in keys_in[..params.keys as usize].iter().enumerate() {
        counts[digit(*key, params) * tiles + i / TILE as usize] += 1;
    }
}

pub(crate) fn sort_add(params: &Params, view: View<'_>) {
    let tiles = params.tiles as usize;
    for digit in 0..DIGITS as usize {
        let mut before = 0;
        for count in &mut view.counts[digit * tiles..(digit + 1) * tiles] {
            before += std::mem::replace(count, before);
        }
        view.counts[DIGITS as usize * tiles + digit] = before;
    }
}

pub(crate) fn sort_scatter(params: &Params, view: View<'_>) {
    let mut sorted: Vec<usize> = (0..params.keys as usize).collect();
    sorted.sort_by_key(|i| digit(view.keys_in[*i], params));
    write(sorted, params, view);
}

/// The kernel may take any order of keys with equal digits in a tile. This twin takes another one at every call, so that tests
/// fail if anything relies on it.
pub(crate) fn sort_scatter_unstable(params: &Params, view: View<'_>) {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let turn = CALLS.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9E37) % TILE as usize;
    let mut sorted: Vec<usize> = (0..params.keys as usize).collect();
    let place = |i: usize| (digit(view.keys_in[i], params), i / TILE as usize, (i % TILE as usize) ^ turn);
    sorted.sort_by_key(|i| place(*i));
    write(sorted, params, view);
}

fn write(sorted: Vec<usize>, params: &Params, view: View<'_>) {
    let View { keys_in, order_in, keys_out, order_out, .. } = view;
    for (place, i) in sorted.into_iter().enumerate() {
        if params.mode & SORT_LAST == 0 {
            keys_out[place] = keys_in[i];
        }
        order_out[place] = if params.mode & SORT_FIRST == 0 { order_in[i] } else { i as u32 };
    }
}
