//! How far all differences of two bodies are along a direction, in double words.

use glam::Vec3;

use super::{Pair, exponent};
use crate::det::{
    Double, abs, add_double, dot3, max, mul, mul_double, neg_double, neg3, scale3, sub_double, sub3, two_prod, two_sum,
};
use crate::manifold::{Precise, rsqrt_double};

/// The error of a height in double words, as a share of [`Pair::error`]: 2⁻³⁶ of the sum of all lengths. In units of 2⁻⁴⁴ of that sum, axes
/// carry √3 and sums, products and the root less than 4; what is below 2⁻¹⁰⁰ counts as 0, which is up to 2⁻⁴⁰ of each of nine numbers of the
/// smallest bodies.
pub(super) const ERROR: f32 = 1.0 / (1 << 18) as f32;

/// The square of the cosine below which an axis is nearly at right angles to a direction: rather too large, as more directions are tried then.
pub(super) const NEARLY: f32 = 1.0 / (1 << 14) as f32;

pub(super) fn single(x: f32) -> Double {
    Double { high: x, low: 0.0 }
}

pub(super) fn abs_double(x: Double) -> Double {
    if x.high < 0.0 { neg_double(x) } else { x }
}

pub(super) fn dot_double(n: Vec3, v: &[Double; 3]) -> Double {
    let [x, y, z] = v;
    let sum = add_double(mul_double(single(n.x), *x), mul_double(single(n.y), *y));
    add_double(sum, mul_double(single(n.z), *z))
}

/// A direction scaled by a power of two so that its largest number is from 1 to 2.
pub(super) fn scaled(n: Vec3) -> Vec3 {
    let largest = exponent(n.x).max(exponent(n.y)).max(exponent(n.z));
    scale3(n, f32::from_bits((254 - largest) << 23))
}

/// So far along a direction that is not 0: right to the last bit but for rare cases.
pub(super) fn step(direction: Vec3, length: f32) -> Vec3 {
    if length == 0.0 {
        return Vec3::ZERO;
    }
    let n = scaled(direction);
    let factor = mul_double(single(length), rsqrt_double(square_double(n)));
    let along = |x: f32| mul_double(single(x), factor).high;
    Vec3::new(along(n.x), along(n.y), along(n.z))
}

pub(super) fn square_double(n: Vec3) -> Double {
    add_double(add_double(two_prod(n.x, n.x), two_prod(n.y, n.y)), two_prod(n.z, n.z))
}

/// Two bodies in double words.
pub(super) struct PrecisePair<'a> {
    bodies: [Precise; 2],
    t: [Double; 3],
    pair: &'a Pair,
}

impl<'a> PrecisePair<'a> {
    pub(super) fn new(bodies: [Precise; 2], pair: &'a Pair) -> Self {
        let [a, b] = &bodies;
        let t = [0, 1, 2].map(|k| sub_double(b.center[k], a.center[k]));
        Self { bodies, t, pair }
    }

    /// A length that the distance of the bodies is at least, as good as `f32` can say it, and 0 or more: how far all differences are along a
    /// direction that is not 0.
    pub(super) fn at_least(&self, direction: Vec3) -> f32 {
        let n = scaled(direction);
        let mut along = dot_double(n, &self.t);
        for body in &self.bodies {
            for (axis, half) in body.axes.iter().zip(body.half).take(body.extents) {
                along = sub_double(along, mul_double(abs_double(dot_double(n, axis)), half));
            }
        }
        let height = mul_double(along, rsqrt_double(square_double(n)));
        let [of_a, of_b] = self.pair.radii;
        let gap = sub_double(sub_double(height, two_sum(of_a, of_b)), single(mul(ERROR, self.pair.error)));
        if !(gap.high > 0.0) {
            return 0.0;
        }
        // Rounded down.
        f32::from_bits(gap.high.to_bits() - u32::from(gap.low < 0.0))
    }

    /// The axis of a body that is nearest to a direction; 0 if it is a ball.
    pub(super) fn nearest_axis(&self, body: usize, direction: Vec3) -> Vec3 {
        let (mut nearest, mut largest) = (Vec3::ZERO, 0.0);
        for axis in self.bodies[body].axes.iter().take(self.bodies[body].extents) {
            let axis = Vec3::from(axis.map(|x| x.high));
            let along = dot3(axis, direction);
            if abs(along) > largest {
                (nearest, largest) = (if along < 0.0 { neg3(axis) } else { axis }, abs(along));
            }
        }
        nearest
    }

    /// The axis of generator `k`.
    fn axis(&self, k: usize) -> &[Double; 3] {
        &self.bodies[k / 3].axes[k % 3]
    }

    /// The generators that are nearly at right angles to a difference, given its error, a bit for each.
    pub(super) fn nearly_across(&self, direction: Vec3) -> u32 {
        let least = max(mul(NEARLY, dot3(direction, direction)), mul(self.pair.error, self.pair.error));
        let is_one = |k: &usize| {
            let along = dot3(direction, Vec3::from(self.axis(*k).map(|x| x.high)));
            k % 3 < self.bodies[k / 3].extents && mul(along, along) < least
        };
        (0..6).filter(is_one).fold(0, |found, k| found | 1 << k)
    }

    /// A direction without what it has of a generator.
    pub(super) fn without(&self, generator: usize, direction: Vec3) -> Vec3 {
        let axis = Vec3::from(self.axis(generator).map(|x| x.high));
        sub3(direction, scale3(axis, dot3(direction, axis)))
    }

    /// A direction at right angles to those two of these generators that are furthest from parallel, and on the side of another; 0 if there are
    /// no two.
    pub(super) fn across(&self, generators: u32, side: Vec3) -> Vec3 {
        let (mut found, mut largest) = (Vec3::ZERO, 0.0);
        for i in 0..5 {
            for j in i + 1..6 {
                if generators >> i & generators >> j & 1 == 0 {
                    continue;
                }
                let (a, b) = (self.axis(i), self.axis(j));
                let entry = |x: usize, y: usize| sub_double(mul_double(a[x], b[y]), mul_double(a[y], b[x])).high;
                let normal = Vec3::new(entry(1, 2), entry(2, 0), entry(0, 1));
                let square = dot3(normal, normal);
                if square > largest {
                    (found, largest) = (normal, square);
                }
            }
        }
        if dot3(found, side) < 0.0 { neg3(found) } else { found }
    }
}
