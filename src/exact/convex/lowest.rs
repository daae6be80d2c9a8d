//! The corner of a core that is lowest along a direction, as `f64` tells heights.
//!
//! Corners are looked through in lanes of `f32`; those that may be the lowest are compared in `f64`. There is mostly one.

use glam::DVec3;

use super::Core;
use crate::lanes::{Number, Task, Truth, Width};

/// Up to how many corners are compared in `f64` at once: fewer are not worth lanes.
const WITHOUT_LANES: usize = 4;

/// What no height in `f32` is off by more than, twice, as a share of the largest coordinate.
///
/// Components of the direction are at most 1/4, so a height is at most 3/4 of the largest coordinate m, and never overflows. With
/// u = 2⁻²⁴, a component is off by u of itself, a product by u more, and the two sums by u each: 4 u · 3/4 m = 3 u m, and twice that for two heights. The
/// sum of the lowest and this tolerance is rounded too, by u m: 7 u m in all, which is less than 2⁻²¹ m; and 2⁻²⁰ is taken.
const TOLERANCE: f64 = 1.0 / (1 << 20) as f64;

/// What underflow adds: six products that are each off by the least number or less, and components that are, times m (in `TOLERANCE`).
const UNDERFLOW: f64 = f32::MIN_POSITIVE as f64;

/// The index and the height of the corner that is lowest along a direction in local coordinates, which is not zero.
#[inline]
pub(super) fn lowest(core: &Core<'_>, direction: DVec3) -> (usize, f64) {
    let (columns, count) = (core.columns(), core.count());
    let height = |i: usize| {
        let [x, y, z] = columns.map(|column| f64::from(column[i]));
        direction.x * x + direction.y * y + direction.z * z
    };
    let mut best = (0, height(0));
    let mut offer = |i: usize| {
        let height = height(i);
        if height < best.1 {
            best = (i, height);
        }
    };
    if count <= WITHOUT_LANES {
        (1..count).for_each(offer);
        return best;
    }
    let scale = 0.25 / direction.abs().max_element();
    let scaled = (direction * scale).as_vec3().to_array();
    // Subnormal directions, which cannot be scaled, leave all corners to `f64`.
    if !scale.is_finite() {
        (1..count).for_each(offer);
        return best;
    }
    let tolerance = (TOLERANCE * core.largest + UNDERFLOW) as f32;
    for start in (0..count).step_by(BLOCK) {
        let part = columns.map(|column| &column[start..column.len().min(start + BLOCK)]);
        let mut low = Width::widest().run(Low { columns: part, direction: scaled, tolerance });
        low &= ones(count - start);
        while low != 0 {
            offer(start + low.trailing_zeros() as usize);
            low &= low - 1;
        }
    }
    best
}

/// How many corners are looked through at a time: one bit for each.
const BLOCK: usize = 64;

/// The lowest `count` bits, at most 64.
fn ones(count: usize) -> u64 {
    if count >= BLOCK { u64::MAX } else { (1 << count) - 1 }
}

/// A bit for each of at most 64 corners that may be the lowest of them.
struct Low<'a> {
    columns: [&'a [f32]; 3],
    direction: [f32; 3],
    tolerance: f32,
}

impl Low<'_> {
    #[inline(always)]
    fn heights<T: Number>(&self, start: usize) -> T {
        let [x, y, z] = self.columns;
        let [dx, dy, dz] = self.direction;
        let height = T::load(&x[start..]).times(T::splat(dx));
        let height = T::load(&y[start..]).times_plus(T::splat(dy), height);
        T::load(&z[start..]).times_plus(T::splat(dz), height)
    }
}

impl Task for Low<'_> {
    type Output = u64;

    /// Heights are computed twice, which is faster than to keep them.
    #[inline(always)]
    fn run<T: Number>(self) -> u64 {
        let length = self.columns[0].len();
        let mut lowest = self.heights::<T>(0);
        let mut start = T::LANES;
        while start < length {
            lowest = lowest.lesser(self.heights(start));
            start += T::LANES;
        }
        let mut least = lowest.lane(0);
        for lane in 1..T::LANES {
            least = least.min(lowest.lane(lane));
        }
        let limit = T::splat(least + self.tolerance);
        let (mut bits, mut start) = (0, 0);
        while start < length {
            bits |= u64::from(self.heights::<T>(start).at_most(limit).bits()) << start;
            start += T::LANES;
        }
        bits
    }
}
