//! Capsules in double words: two balls, and the cylinder between them.
//!
//! The capsule is looked at twice, as in [`filter`](crate::filter): grown by a little and shrunk by it, which is far more than what is wrong with
//! any place of it. So a ray that misses the grown one misses, one that meets the shrunk one meets, and when it enters the grown one is the time.

use super::{
    EXPONENTS, LAST, Meeting, Shot, Verdict, abs_double, difference, exponent, power, recip_double, scaled, single,
    sqrt_double, sum3, unscaled,
};
use crate::det::{Double, add_double, less_double, min, mul, mul_double, neg_double, sub_double, two_sum};
use crate::manifold::rsqrt_double;
use crate::shape::kinds::Record;

/// What the capsule is grown and shrunk by: 2⁻³⁵. Axes are right to 2⁻⁴², and so are rates; in the time that matters, 8, that is 2⁻³⁸ of the way, and
/// places have errors of 2⁻⁴⁰.
const GROWTH: f32 = 1.0 / (1_u64 << 35) as f32;
/// The least rate along the axis, or across it, that is divided by.
const LEAST_RATE: f32 = 1.0 / (1_u64 << 40) as f32;
/// The segment of a capsule is at least this long, as a share of the distance to its furthest part, or the host computes.
const LEAST_LENGTH: u32 = 127 - 20;

type Vector = [Double; 3];

fn dot(a: &Vector, b: &Vector) -> Double {
    sum3(mul_double(a[0], b[0]), mul_double(a[1], b[1]), mul_double(a[2], b[2]))
}

/// a − factor · b.
fn minus(a: &Vector, factor: Double, b: &Vector) -> Vector {
    [0, 1, 2].map(|k| sub_double(a[k], mul_double(factor, b[k])))
}

/// The times from one to another; none if the first is the later one.
#[derive(Clone, Copy)]
struct Times {
    enter: Double,
    exit: Double,
}

impl Times {
    fn is_empty(&self) -> bool {
        less_double(self.exit, self.enter)
    }

    /// With those of another part of the shape, and between both.
    fn joined(self, other: Self) -> Self {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        Self {
            enter: if less_double(other.enter, self.enter) { other.enter } else { self.enter },
            exit: if less_double(self.exit, other.exit) { other.exit } else { self.exit },
        }
    }
}

/// The times at which a point that is nearest to 0 at this time, and then so far from it, is nearer than the root of `limit`.
fn chord(nearest: Double, offset: &Vector, limit: Double, inverse: Double) -> Times {
    let inside = sub_double(limit, dot(offset, offset));
    if inside.high < 0.0 {
        return Times { enter: single(1.0), exit: single(0.0) };
    }
    let half = sqrt_double(mul_double(inside, inverse));
    Times { enter: sub_double(nearest, half), exit: add_double(nearest, half) }
}

/// A ray and a capsule's segment, scaled, from the origin of the ray.
struct Limb {
    ends: [Vector; 2],
    direction: Vector,
    inverse: Double,
    start: Double,
    length: Double,
    rate: Double,
    across: Vector,
    sideways: Vector,
}

impl Limb {
    fn ball(&self, end: usize, limit: Double) -> Times {
        let nearest = mul_double(dot(&self.ends[end], &self.direction), self.inverse);
        chord(nearest, &minus(&self.ends[end], nearest, &self.direction), limit, self.inverse)
    }

    /// The cylinder is so much longer than the segment at both ends.
    fn cylinder(&self, limit: Double, longer: f32) -> Times {
        let rate = abs_double(self.rate);
        let inverse = recip_double(if rate.high < LEAST_RATE { single(LEAST_RATE) } else { rate });
        let low = sub_double(self.start, single(longer));
        let high = add_double(add_double(self.start, self.length), single(longer));
        let is_down = self.rate.high < 0.0;
        let (near, far) = if is_down { (neg_double(high), neg_double(low)) } else { (low, high) };
        let between = Times { enter: mul_double(near, inverse), exit: mul_double(far, inverse) };
        let square = dot(&self.sideways, &self.sideways);
        let least = mul(LEAST_RATE, LEAST_RATE);
        let around = if square.high < least {
            chord(single(0.0), &self.across, limit, recip_double(single(least)))
        } else {
            let inverse = recip_double(square);
            let nearest = mul_double(dot(&self.across, &self.sideways), inverse);
            chord(nearest, &minus(&self.across, nearest, &self.sideways), limit, inverse)
        };
        if around.is_empty() {
            return around;
        }
        Times {
            enter: if less_double(between.enter, around.enter) { around.enter } else { between.enter },
            exit: if less_double(around.exit, between.exit) { around.exit } else { between.exit },
        }
    }

    /// With a radius, and so much longer at both ends.
    fn times(&self, radius: Double, longer: f32) -> Times {
        let limit = mul_double(radius, radius);
        self.ball(0, limit).joined(self.ball(1, limit)).joined(self.cylinder(limit, longer))
    }
}

fn largest(v: &Vector) -> u32 {
    v.iter().fold(0, |largest, x| largest.max(exponent(x.high)))
}

pub(super) fn meeting(shot: &Shot, record: &Record) -> Option<Meeting> {
    let origin = shot.ray.origin().to_array();
    let to = |first: usize| [0, 1, 2].map(|k| difference(record[first + k], origin[k]));
    let (ends, way) = ([to(0), to(3)], [0, 1, 2].map(|k| difference(record[3 + k], record[k])));
    let size = largest(&ends[0]).max(largest(&ends[1])).max(exponent(record[6]));
    let length = largest(&way);
    if !EXPONENTS.contains(&size) || length + 127 < size + LEAST_LENGTH {
        return None;
    }
    let scale = power(254 - size);
    let ends = ends.map(|end| end.map(|x| scaled(x, scale)));
    let direction = shot.direction.map(single);
    let last = min(mul(shot.last, scale), LAST);
    let unit = way.map(|x| scaled(x, power(254 - length)));
    let square = dot(&unit, &unit);
    let root = rsqrt_double(square);
    let axis = unit.map(|x| mul_double(x, root));
    // (Both exponents are near each other.)
    let length = scaled(mul_double(square, root), power(length + 127 - size));
    let (start, rate) = (dot(&ends[0], &axis), dot(&direction, &axis));
    let limb = Limb {
        ends,
        direction,
        inverse: recip_double(dot(&direction, &direction)),
        start,
        length,
        rate,
        across: minus(&ends[0], start, &axis),
        sideways: minus(&direction, rate, &axis),
    };
    let radius = mul(record[6], scale);
    let grown = limb.times(two_sum(radius, GROWTH), GROWTH);
    let verdict = if grown.is_empty() || grown.exit.high < 0.0 || grown.enter.high > last {
        Verdict::Miss
    } else {
        let inner = two_sum(radius, -GROWTH);
        let shrunk = limb.times(inner, -GROWTH);
        let meets = less_double(shrunk.enter, shrunk.exit) && shrunk.exit.high > 0.0 && shrunk.enter.high < last;
        if inner.high > 0.0 && meets { Verdict::Hit } else { Verdict::Open }
    };
    Some(Meeting { verdict, time: unscaled(shot, grown.enter.high, size) })
}
