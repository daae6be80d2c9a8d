//! One pass of the radix sort.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::gpu::params::{Params, SORT_FIRST, SORT_LAST, Step, TILE};

fn digit(key: u32, step: Step) -> usize {
    (key >> step[0] & 0xff) as usize
}

pub(crate) fn count(params: &Params, step: Step, buffers: &mut [Vec<u32>]) {
    let [keys, _, counts, _, _, _] = buffers else { return };
    let tiles = params.tiles as usize;
    counts[..256 * tiles].fill(0);
    for (i, key) in keys[..params.keys as usize].iter().enumerate() {
        counts[digit(*key, step) * tiles + i / TILE as usize] += 1;
    }
}

pub(crate) fn add(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [_, _, counts, _, _, _] = buffers else { return };
    let tiles = params.tiles as usize;
    for digit in 0..256 {
        let mut before = 0;
        for count in &mut counts[digit * tiles..(digit + 1) * tiles] {
            before += std::mem::replace(count, before);
        }
        counts[256 * tiles + digit] = before;
    }
}

pub(crate) fn scatter(params: &Params, step: Step, buffers: &mut [Vec<u32>]) {
    let mut sorted: Vec<usize> = (0..params.keys as usize).collect();
    sorted.sort_by_key(|i| digit(buffers[0][*i], step));
    write(sorted, step, buffers);
}

/// Where the kernel may take any order, this takes another at every call, so that nothing can rely on it.
pub(crate) fn roughly(params: &Params, step: Step, buffers: &mut [Vec<u32>]) {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let turn = CALLS.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9E37) % TILE as usize;
    let mut sorted: Vec<usize> = (0..params.keys as usize).collect();
    sorted.sort_by_key(|i| (digit(buffers[0][*i], step), i / TILE as usize, (i % TILE as usize) ^ turn));
    write(sorted, step, buffers);
}

fn write(sorted: Vec<usize>, step: Step, buffers: &mut [Vec<u32>]) {
    let [keys, order, _, keys_out, order_out, _] = buffers else { return };
    for (place, i) in sorted.into_iter().enumerate() {
        if step[1] & SORT_LAST == 0 {
            keys_out[place] = keys[i];
        }
        order_out[place] = if step[1] & SORT_FIRST == 0 { order[i] } else { i as u32 };
    }
}
