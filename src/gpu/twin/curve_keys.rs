//! Computes sort keys: size class and position along the curve.

use super::{kind_of_tag, middle_and_size, record, tag};
use crate::gpu::abi::curve_keys::{Params, View};
use crate::gpu::abi::{
    ABSENT, CLASS_DISABLED, CLASS_OUTLIER, CLASSES, DIGITS, MEASURED, STATUS_SKIPPED, TAG_ENABLED, TILE, WORLDS,
};
use crate::gpu::ledger::signatures;
use crate::shape::kinds::Record;

pub(crate) fn curve_keys(params: &Params, view: View<'_>) {
    let View { shapes, tags, grid, keys_out, counts, status } = view;
    let params = with_grid(*params, grid);
    let shapes = shapes.as_flattened();
    let tiles = params.tiles as usize;
    counts[..DIGITS as usize * tiles].fill(0);
    for i in 0..params.bodies as usize {
        let tag = if params.tag == ABSENT { tag(tags, i) } else { params.tag };
        let (key, class) = key(&params, tag, &record(shapes, i));
        keys_out[i] = key;
        counts[(key % DIGITS) as usize * tiles + i / TILE as usize] += 1;
        if params.flags & CLASSES != 0 {
            status[(params.classes + class) as usize] += 1;
            if class == CLASS_DISABLED && params.flags & WORLDS == 0 {
                let signed = signatures(i as u64..i as u64 + 1);
                status[STATUS_SKIPPED] = status[STATUS_SKIPPED].wrapping_add(signed);
            }
        }
    }
}

/// The params with the grid that the device has measured, if it has.
pub(super) fn with_grid(mut params: Params, grid: &[u32]) -> Params {
    if params.flags & MEASURED != 0 {
        params.origin = [0, 1, 2].map(|k| f32::from_bits(grid[k]));
        (params.scale, params.giant) = (f32::from_bits(grid[3]), f32::from_bits(grid[4]));
        params.thin_axis = grid[5];
    }
    params
}

pub(super) fn key(params: &Params, tag: u32, record: &Record) -> (u32, u32) {
    let (center, size) = middle_and_size(kind_of_tag(tag), record);
    let axes: Vec<usize> = (0..3).filter(|axis| params.thin_axis != *axis as u32 + 1).collect();
    let bits = params.curve_bits.div_ceil(axes.len() as u32);
    let cells = (1 << bits) as f32;
    let place: [f32; 3] = std::array::from_fn(|k| (center[k] - params.origin[k]).clamp(-1e30, 1e30) * params.scale);
    let cell = place.map(|x| x.clamp(0.0, cells - 1.0) as u32);
    let mut cell: Vec<u32> = axes.iter().map(|axis| cell[*axis]).collect();
    let along = hilbert(&mut cell, bits) >> (axes.len() as u32 * bits - params.curve_bits);
    let class = if params.flags & CLASSES == 0 {
        0
    } else if tag & TAG_ENABLED == 0 {
        CLASS_DISABLED
    } else if size > params.giant {
        ((size.to_bits() - params.giant.to_bits()) / (3 << 23) + 1).min(CLASS_OUTLIER - 1)
    } else if place.iter().any(|x| *x < 0.0 || *x > cells) {
        CLASS_OUTLIER
    } else {
        0
    };
    (class << params.curve_bits | along, class)
}

/// Skilling, "Programming the Hilbert curve" (2004), in any number of dimensions.
fn hilbert(x: &mut [u32], bits: u32) -> u32 {
    for level in (1..bits).rev() {
        let (q, p) = (1 << level, (1 << level) - 1);
        for k in 0..x.len() {
            if x[k] & q != 0 {
                x[0] ^= p;
            } else {
                let t = (x[0] ^ x[k]) & p;
                x[0] ^= t;
                x[k] ^= t;
            }
        }
    }
    for k in 1..x.len() {
        x[k] ^= x[k - 1];
    }
    let last = x[x.len() - 1];
    let t = (1..bits).filter(|level| last >> level & 1 == 1).fold(0, |t, level| t ^ ((1 << level) - 1));
    let mut key = 0;
    for level in (0..bits).rev() {
        for x in x.iter() {
            key = key << 1 | (x ^ t) >> level & 1;
        }
    }
    key
}

#[cfg(test)]
mod tests {
    #[test]
    fn neighbours_on_the_curve_are_neighbours_in_space() {
        for dimensions in [2, 3] {
            let mut cells: Vec<(u32, Vec<u32>)> = (0..1 << (4 * dimensions))
                .map(|k: u32| (0..dimensions).map(|axis| k >> (4 * axis) & 15).collect::<Vec<u32>>())
                .map(|cell| (super::hilbert(&mut cell.clone(), 4), cell))
                .collect();
            cells.sort_unstable();
            for (rank, pair) in cells.windows(2).enumerate() {
                let distance: u32 = pair[0].1.iter().zip(&pair[1].1).map(|(a, b)| a.abs_diff(*b)).sum();
                assert_eq!((pair[0].0, distance), (rank as u32, 1));
            }
        }
    }
}
