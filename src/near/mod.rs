//! How far apart two bodies are, in deterministic arithmetic: the same bits on every adapter and on the CPU.
//!
//! A sphere is a point and a radius, a capsule a segment and a radius, a box a sum of three segments. So all differences of a point of one body and a point of another are
//! `t`, from centre to centre, plus or minus up to one of each of six *generators* (half extents times axes), plus a ball of all radii; and
//! the bodies are as far apart as the nearest of these differences is from 0. A [search](search) finds it, and need not be right: what it
//! returns, a difference and a direction, are looked at again. The length of any difference is at least the distance, and how far all
//! differences are along any direction at most, each but for a stated error. Where a margin is between the two, exact arithmetic decides.
//!
//! The twin in WGSL is `shaders/lib/near.wgsl`.

mod approach;
mod clearance;
mod half_space;
pub(crate) mod hull;
mod of_points;
mod precise;
mod search;
mod simplex;
mod sweep;
#[cfg(test)]
mod tests;

use glam::Vec3;

use crate::det::{abs, add, add3, dot3, length3, max, min, mul, rsqrt, scale3, sub};
use crate::exact::Margin;
use crate::manifold::{Core, Frame};
use search::{Found, search};

pub(crate) use approach::{approach, approach_of_shapes};
pub use clearance::Clearance;
#[cfg(feature = "gpu")]
pub(crate) use clearance::clearance;
pub(crate) use clearance::{clearance_of, clearance_or_scalar};
pub(crate) use of_points::boxes_from_points;
pub use sweep::SweepHit;
#[cfg(feature = "gpu")]
pub(crate) use sweep::hit as sweep_states;
pub(crate) use sweep::{Course, sweep_or_scalar};
#[cfg(feature = "gpu")]
pub(crate) use sweep::{SWEEP_TURNS, pass_by, sweep, sweep_any, sweep_hull, sweep_straight};

/// What is certain of two bodies and a margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// They are further apart.
    Miss,
    /// They are nearer.
    Hit,
    /// For exact arithmetic to decide.
    Open,
}

/// The greatest exponent of a number that is computed with, and the least of the largest one of a pair, as the bits of an `f32` hold them:
/// 2⁶⁰ and 2⁻⁶⁰.
const EXPONENTS: std::ops::RangeInclusive<u32> = 127 - 60..=127 + 60;
/// Centres may be this many powers of two further from the origin than the largest length of the pair, and from each other.
pub(crate) const REACH: u32 = 39;
const APART: u32 = 127 + 15;

/// The error of a distance, as a share of the sum of all lengths: 19 u and 25 u by the derivations at [`Pair::at_least`] and
/// [`Pair::at_most`], and what rounds the sum of radii and the comparison. Twice that, so that it also holds for devices that round to either
/// neighbour.
const ERROR: f32 = 64.0 / (1 << 24) as f32;

/// Two bodies, scaled by a power of two so that the largest length is from 1 to 2.
pub(crate) struct Pair {
    /// From the centre of the first to that of the second, rounded.
    t: Vec3,
    /// Half extents times axes of both; 0 for those of a sphere, and for all but the first of a capsule.
    generators: [Vec3; 6],
    /// The radii of both; 0 of a box.
    radii: [f32; 2],
    /// The sum of all radii and margins.
    reach: f32,
    /// More than what is wrong with a distance.
    error: f32,
}

/// What is certain of two bodies that may be so far apart, and as far as their margins. `None` outside the domain.
pub(crate) fn verdict(a: &Frame, b: &Frame, distance: f32) -> Option<Verdict> {
    let margin = Margin([distance, a.margin(), b.margin()]);
    match (a.is_half_space(), b.is_half_space()) {
        (false, false) => Pair::of(a, b, distance).map(|pair| pair.verdict()),
        (true, false) => half_space::verdict(a, b, margin),
        (false, true) => half_space::verdict(b, a, margin),
        (true, true) => None,
    }
}

fn exponent(x: f32) -> u32 {
    x.to_bits() >> 23 & 255
}

impl Pair {
    /// Bodies that may be so far apart, and as far as their margins. `None` outside the domain.
    pub(crate) fn of(a: &Frame, b: &Frame, distance: f32) -> Option<Self> {
        let margin = Margin([distance, a.margin(), b.margin()]);
        let largest = margin.0.iter().fold(0, |largest, x| largest.max(exponent(*x)));
        Self::scaled(a, b, margin, largest.max(a.exponent()).max(b.exponent()))
    }

    /// Scaled so that a length of this exponent is from 1 to 2.
    fn scaled(a: &Frame, b: &Frame, margin: Margin, size: u32) -> Option<Self> {
        let within = a.has_size_in_domain() && b.has_size_in_domain() && EXPONENTS.contains(&size);
        if !within || a.reach().max(b.reach()) > size + REACH {
            return None;
        }
        let scale = f32::from_bits((254 - size) << 23);
        let (t, [of_a, of_b]) = Core::pair(a, b, scale);
        if exponent(t.x).max(exponent(t.y)).max(exponent(t.z)) > APART {
            return None;
        }
        let [m, n, o] = margin.0.map(|x| mul(crate::det::clean(x), scale));
        let reach = add(add(add(m, n), o), add(of_a.radius, of_b.radius));
        let sizes = add(add(abs(t.x), abs(t.y)), abs(t.z));
        let sizes = add(add(sizes, reach), add(of_a.size, of_b.size));
        let [x, y, z] = of_a.generators;
        let [p, q, r] = of_b.generators;
        let radii = [of_a.radius, of_b.radius];
        Some(Self { t, generators: [x, y, z, p, q, r], radii, reach, error: mul(ERROR, sizes) })
    }

    /// A length that the distance of the cores exceeds, but for the error: how far all differences are along a direction.
    ///
    /// In u: t carries 1 for each of its numbers and a generator 4.4 of its half extent; the products with the direction 3 of each; the sum of
    /// seven terms 6 of all; the division by the direction's length 5. In all 15 |t| and 19 of the half extents.
    fn at_least(&self, direction: Vec3) -> f32 {
        let mut along = dot3(direction, self.t);
        for generator in self.generators {
            along = sub(along, abs(dot3(direction, generator)));
        }
        mul(along, rsqrt(dot3(direction, direction)))
    }

    /// A length that is at least the distance of the cores, but for the error: that of one difference.
    ///
    /// In u: a generator carries 4.4 of its half extent, its product √3; the sum of seven terms 6 √3 of all; the length 4.2. In all 12 |t| and 25
    /// of the half extents.
    fn at_most(&self, shares: &[f32; 6]) -> f32 {
        let mut sum = self.t;
        for (generator, share) in self.generators.iter().zip(shares) {
            sum = add3(sum, scale3(*generator, min(max(*share, -1.0), 1.0)));
        }
        length3(sum)
    }

    /// Whether the bodies are nearer than the margin.
    pub(crate) fn verdict(&self) -> Verdict {
        let twice = add(self.error, self.error);
        // (Of a margin below the error the square of a distance says nothing.)
        let Found { direction, shares, .. } = search(self, [sub(self.reach, twice), add(self.reach, twice)]);
        if sub(self.at_least(direction), self.error) > self.reach {
            Verdict::Miss
        } else if add(self.at_most(&shares), self.error) < self.reach {
            Verdict::Hit
        } else {
            Verdict::Open
        }
    }
}
