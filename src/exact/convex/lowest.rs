//! The corner of a core that is lowest along a direction, as `f64` tells heights.
//!
//! Corners are looked through in lanes of `f32`; those that may be the lowest are compared in `f64`. There is mostly one.

use glam::DVec3;

use super::Core;
use crate::lanes::{Number, Task, Truth, Width};

/// Up to how many corners are compared in `f64` at once: fewer are not worth lanes.
const WITHOUT_LANES: usize = 4;

/// What a height in `f32` may be above the lowest one, and still be that of the lowest corner, as a share of the largest coordinate.
///
/// Components of the direction are below 1/4, so a height is below 3/4 of the largest coordinate m, and never overflows. With u = 2⁻²⁴, a
/// component is off by u of itself, a product by u more, and the two sums by u each: 4 u · 3/4 m = 3 u m, and twice that for two heights.
/// The sum of the lowest and this tolerance is rounded too, by u m: 7 u m in all; 8 u is taken.
const TOLERANCE: f64 = 8.0 / (1 << 24) as f64;

/// What underflow adds at most: each of six products is off by less than the least number.
const UNDERFLOW: f64 = f32::MIN_POSITIVE as f64;

/// The corners of a core, for many directions.
#[derive(Clone, Copy)]
pub(super) struct Heights<'a> {
    columns: [&'a [f32]; 3],
    count: usize,
    tolerance: f32,
}

impl<'a> Heights<'a> {
    pub(super) fn new(core: &'a Core<'_>) -> Self {
        let tolerance = (TOLERANCE * core.largest + UNDERFLOW) as f32;
        Self { columns: core.columns(), count: core.count(), tolerance }
    }

    #[inline(always)]
    fn height(&self, i: usize, direction: DVec3) -> f64 {
        let [x, y, z] = self.columns;
        f64::from(x[i]) * direction.x + f64::from(y[i]) * direction.y + f64::from(z[i]) * direction.z
    }

    /// The lowest of the corners from `start` on whose bits are set, and of one before.
    #[inline(always)]
    fn lowest_of(&self, direction: DVec3, start: usize, mut bits: u64, mut best: (usize, f64)) -> (usize, f64) {
        while bits != 0 {
            let i = start + bits.trailing_zeros() as usize;
            let height = self.height(i, direction);
            if height < best.1 {
                best = (i, height);
            }
            bits &= bits - 1;
        }
        best
    }

    /// The heights of some corners along a direction in `f32`.
    #[inline(always)]
    fn rounded<T: Number>(&self, start: usize, direction: [T; 3]) -> T {
        let [x, y, z] = self.columns;
        let height = T::load(&x[start..]).times(direction[0]);
        let height = T::load(&y[start..]).times_plus(direction[1], height);
        T::load(&z[start..]).times_plus(direction[2], height)
    }

    #[inline(always)]
    pub(super) fn lowest<T: Number>(&self, direction: DVec3) -> (usize, f64) {
        let none = (0, f64::INFINITY);
        let scaled = scaled(direction).filter(|_| self.count > WITHOUT_LANES);
        let Some([x, y, z]) = scaled else {
            let mut best = none;
            for start in (0..self.count).step_by(BLOCK) {
                best = self.lowest_of(direction, start, ones(self.count - start), best);
            }
            return best;
        };
        let in_lanes = [T::splat(x), T::splat(y), T::splat(z)];
        if self.columns[0].len() <= 4 * T::LANES {
            self.lowest_of(direction, 0, self.low_of_few(in_lanes) & ones(self.count), none)
        } else {
            self.lowest_of_many(direction, in_lanes)
        }
    }

    /// A bit for each corner that may be the lowest, of so few that their heights stay in four vectors. Some may be looked at twice.
    #[inline(always)]
    fn low_of_few<T: Number>(&self, direction: [T; 3]) -> u64 {
        let last = self.columns[0].len() - T::LANES;
        let [p, q, r] = [T::LANES.min(last), (2 * T::LANES).min(last), last];
        let a = self.rounded(0, direction);
        let b = self.rounded(p, direction);
        let c = self.rounded(q, direction);
        let d = self.rounded(r, direction);
        let limit = T::splat(least_lane(a.lesser(b).lesser(c.lesser(d))) + self.tolerance);
        u64::from(a.at_most(limit).bits())
            | u64::from(b.at_most(limit).bits()) << p
            | u64::from(c.at_most(limit).bits()) << q
            | u64::from(d.at_most(limit).bits()) << r
    }

    /// Heights are computed twice, which is faster than to keep them.
    #[inline(always)]
    fn lowest_of_many<T: Number>(&self, direction: DVec3, in_lanes: [T; 3]) -> (usize, f64) {
        let length = self.columns[0].len();
        let mut lowest = self.rounded(0, in_lanes);
        let mut start = T::LANES;
        while start < length {
            lowest = lowest.lesser(self.rounded(start, in_lanes));
            start += T::LANES;
        }
        let limit = T::splat(least_lane(lowest) + self.tolerance);
        let (mut best, mut block) = ((0, f64::INFINITY), 0);
        while block < self.count {
            let end = length.min(block + BLOCK);
            let (mut bits, mut start) = (0, block);
            while start < end {
                bits |= u64::from(self.rounded(start, in_lanes).at_most(limit).bits()) << (start - block);
                start += T::LANES;
            }
            best = self.lowest_of(direction, block, bits & ones(self.count - block), best);
            block = end;
        }
        best
    }
}

/// How many corners are looked through at a time: one bit for each.
const BLOCK: usize = 64;

/// The lowest `count` bits, at most 64.
#[inline(always)]
fn ones(count: usize) -> u64 {
    if count >= BLOCK { u64::MAX } else { (1 << count) - 1 }
}

/// A direction in `f32`, times a power of two that leaves all components below 1/4; `None` if it cannot be scaled.
#[inline(always)]
fn scaled(direction: DVec3) -> Option<[f32; 3]> {
    let exponent = direction.abs().max_element().to_bits() >> 52;
    let scale = f64::from_bits(2043_u64.saturating_sub(exponent) << 52);
    (exponent > 0 && exponent < 2043).then(|| (direction * scale).as_vec3().to_array())
}

/// The least of the numbers side by side.
#[inline(always)]
fn least_lane<T: Number>(numbers: T) -> f32 {
    let mut all = [f32::INFINITY; Width::MOST_LANES];
    numbers.store(&mut all);
    let mut half = T::LANES / 2;
    while half > 0 {
        for i in 0..half {
            all[i] = if all[i + half] < all[i] { all[i + half] } else { all[i] };
        }
        half /= 2;
    }
    all[0]
}

/// The lowest corners of two cores, each along a direction of its own that is not zero: their indices and heights.
pub(super) struct Lowest<'a>(pub [&'a Heights<'a>; 2], pub [DVec3; 2]);

impl Task for Lowest<'_> {
    type Output = [(usize, f64); 2];

    #[inline(always)]
    fn run<T: Number>(self) -> [(usize, f64); 2] {
        let Self([a, b], [p, q]) = self;
        [a.lowest::<T>(p), b.lowest::<T>(q)]
    }
}
