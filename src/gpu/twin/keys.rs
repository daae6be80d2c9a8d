//! Size class and place on the curve.

use super::{record, tag};
use crate::gpu::params::{CLASSES, Params, Step};

const OUTLIER: u32 = 6;
const DISABLED: u32 = 7;

pub(crate) fn keys(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [shapes, tags, keys, order, status] = buffers else { return };
    for i in 0..params.bodies as usize {
        let (key, class) = key(params, tag(tags, i), &record(shapes, i));
        keys[i] = key;
        order[i] = i as u32;
        status[(params.classes + class) as usize] += 1;
    }
}

fn key(params: &Params, tag: u32, record: &[f32; 10]) -> (u32, u32) {
    let first = |k: usize| record[k];
    let (center, size): ([f32; 3], f32) = match tag & 3 {
        0 => (std::array::from_fn(first), record[3]),
        1 => {
            let half = |k: usize| 0.5 * record[k + 3] - 0.5 * record[k];
            let center = std::array::from_fn(|k| 0.5 * record[k + 3] + 0.5 * record[k]);
            (center, half(0).max(half(1)).max(half(2)))
        }
        _ => (std::array::from_fn(first), record[3].max(record[4]).max(record[5])),
    };
    let cells = (1 << params.curve_bits) as f32;
    let place: [f32; 3] = std::array::from_fn(|k| (center[k] - params.origin[k]).clamp(-1e30, 1e30) * params.scale);
    let cell = place.map(|x| x.clamp(0.0, cells - 1.0) as u32);
    let class = if params.flags & CLASSES == 0 {
        0
    } else if tag & 4 == 0 {
        DISABLED
    } else if size > params.giant {
        ((size.to_bits() - params.giant.to_bits()) / (3 << 23) + 1).min(OUTLIER - 1)
    } else if place.iter().any(|x| *x < 0.0 || *x > cells) {
        OUTLIER
    } else {
        0
    };
    (class << (3 * params.curve_bits) | hilbert(cell, params.curve_bits), class)
}

/// Skilling, "Programming the Hilbert curve" (2004).
fn hilbert(mut x: [u32; 3], bits: u32) -> u32 {
    for level in (1..bits).rev() {
        let (q, p) = (1 << level, (1 << level) - 1);
        for k in 0..3 {
            if x[k] & q != 0 {
                x[0] ^= p;
            } else {
                let t = (x[0] ^ x[k]) & p;
                x[0] ^= t;
                x[k] ^= t;
            }
        }
    }
    x[1] ^= x[0];
    x[2] ^= x[1];
    let t = (1..bits).filter(|level| x[2] >> level & 1 == 1).fold(0, |t, level| t ^ ((1 << level) - 1));
    let mut key = 0;
    for level in (0..bits).rev() {
        for x in x {
            key = key << 1 | (x ^ t) >> level & 1;
        }
    }
    key
}

#[cfg(test)]
mod tests {
    #[test]
    fn neighbours_on_the_curve_are_neighbours_in_space() {
        let mut cells: Vec<(u32, [i32; 3])> = (0..4096_u32)
            .map(|k| [k & 15, k >> 4 & 15, k >> 8])
            .map(|cell| (super::hilbert(cell, 4), cell.map(|x| x as i32)))
            .collect();
        cells.sort_unstable();
        for (rank, pair) in cells.windows(2).enumerate() {
            let distance: i32 = (0..3).map(|k| (pair[0].1[k] - pair[1].1[k]).abs()).sum();
            assert_eq!((pair[0].0, distance), (rank as u32, 1));
        }
    }
}
