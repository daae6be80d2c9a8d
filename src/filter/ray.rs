//! Rays against boxes, balls and capsules: whether they certainly meet, and between which times a ray certainly enters.
//!
//! A shape is tested twice: grown by a pad and shrunk by it. A ray that misses the grown shape misses the shape, one that hits the shrunk
//! shape hits it, and the ray enters the shape between the two times. The pad is [`PAD`](Spans::PAD) of the distance M from the ray's
//! origin to the furthest point of the shape, and covers, in u M and for `f32`:
//! - 21 of the offsets of a box's faces, and 17 of the rates along its axes: both as in `sphere.rs`, and a ray is inside the shape for
//!   times up to M at most, as its direction is at least 1 long;
//! - 8 of rates that are too small to divide by, which are replaced by [`LEAST_RATE`](Spans::LEAST_RATE);
//! - 6 of the roundings of a time, each of which is as good as another place of the face.
//!
//! For balls: 12 of the nearest point of the line, and 16 of the roundings of a time, since the entry into a grown ball comes earlier
//! by the pad at least. Deterministic times ([`cast`](crate::cast)) are right to 2⁻³³ M and, relatively, to 2⁻²³: the pad and
//! [`SLACK`] cover that too, so that they lie between the two times.
//!
//! A capsule is two balls and what is between them, a cylinder that ends at two planes. Its pad is twice as large: the parts of the ray along the axis and
//! across it carry 21 and 17 as those of a box, besides what balls have. (Of times when the ray is inside a part of the shrunk capsule all that lie between are inside the
//! capsule, as it is convex.)

use super::{Arithmetic, Cuboid, Lanes, Real, dot};
use crate::lanes::{Number, Truth};
use crate::shape::{Aabb, Capsule, Plane, Sphere};

/// What an arithmetic, of one number or of several side by side, needs to test rays against boxes.
pub(crate) trait Slabs: Arithmetic {
    /// What a shape is grown and shrunk by, in parts of the distance to its furthest point.
    const PAD: f64;
    /// The least rate along an axis that is divided by: a sixteenth of the pad.
    const LEAST_RATE: f64 = Self::PAD / 16.0;

    /// Of two faces, the one that a ray with this rate passes first and the other, as if the ray went up.
    fn near_and_far(rate: Self, low: Self, high: Self) -> (Self, Self);
}

/// What an arithmetic of single numbers needs to test rays.
pub(crate) trait Spans: Slabs + Real {}

impl<F: Slabs + Real> Spans for F {}

/// [`Slabs::near_and_far`] of single numbers.
#[inline(always)]
pub(super) fn near_and_far<F: Real>(rate: F, low: F, high: F) -> (F, F) {
    if rate < F::zero() { (-high, -low) } else { (low, high) }
}

impl Slabs for f32 {
    /// 64 u.
    const PAD: f64 = 64.0 * Self::U;

    #[inline(always)]
    fn near_and_far(rate: Self, low: Self, high: Self) -> (Self, Self) {
        near_and_far(rate, low, high)
    }
}

impl Slabs for f64 {
    /// 2⁻³⁰. (Only the errors of deterministic times are as large as that.)
    const PAD: f64 = 1.0 / (1u64 << 30) as f64;

    #[inline(always)]
    fn near_and_far(rate: Self, low: Self, high: Self) -> (Self, Self) {
        near_and_far(rate, low, high)
    }
}

impl<T: Number> Slabs for Lanes<T> {
    const PAD: f64 = <f32 as Slabs>::PAD;

    #[inline(always)]
    fn near_and_far(rate: Self, low: Self, high: Self) -> (Self, Self) {
        let down = rate.0.below(T::splat(0.0));
        (Self(T::choose(down, (-high).0, low.0)), Self(T::choose(down, (-low).0, high.0)))
    }
}

/// The relative error of times that the interval of an entry reckons with: 2⁻²¹.
pub(crate) const SLACK: f64 = 1.0 / (1u64 << 21) as f64;

/// What the bounds of a node of a tree are grown by, in parts of the distance M to their furthest corner (the largest of all coordinates):
/// 32 u, of which the roundings of the test take 6 (16 on a device, where ends of boxes are sums of a corner and of steps), and rates that are
/// too small to divide by 8. A deterministic time is that of a point at most 4 u M from its body. So a ray enters the bounds, grown so, no later
/// than that time.
pub(crate) const NODE_PAD: f32 = 32.0 / (1_u64 << 23) as f32;
/// The least rate that is divided by when nodes are tested: 4 u.
pub(crate) const NODE_RATE: f32 = 4.0 / (1_u64 << 23) as f32;
/// More than what is lost where numbers are subnormal: 2⁻¹²⁰.
pub(crate) const NODE_TINY: f32 = 1.0 / (1_u128 << 120) as f32;
/// Bounds that reach further than this are visited by all rays, since products would overflow: 2¹⁰⁰.
pub(crate) const VAST: f32 = (1_u128 << 100) as f32;

/// A ray with a direction whose largest component is from 1 to 2, and its last time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path<F> {
    pub origin: [F; 3],
    pub direction: [F; 3],
    pub limit: F,
}

/// What is certain of a ray and a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Span<F> {
    /// They have no point in common.
    Miss,
    /// They meet; the ray enters between these times, of which 0 is the least.
    Hit(F, F),
    /// If they meet, the ray enters at this time or later.
    Open(F),
}

/// From the part of the ray in the grown shape, and that in the shrunk shape, if there is one.
#[inline(always)]
fn span<F: Spans>(grown: (F, F), shrunk: Option<(F, F)>, limit: F) -> Span<F> {
    let zero = F::zero();
    if grown.0 > grown.1 || grown.1 < zero || grown.0 > limit {
        return Span::Miss;
    }
    let first = grown.0.max(zero) * F::constant(1.0 - SLACK);
    match shrunk {
        Some((enter, exit)) if enter < exit && exit > zero && enter < limit => {
            Span::Hit(first, enter.max(zero) * F::constant(1.0 + SLACK))
        }
        _ => Span::Open(first),
    }
}

/// The times at which the ray enters and leaves a grown box, and the same of a shrunk one.
struct Parts<F> {
    grown: (F, F),
    shrunk: (F, F),
}

/// A ray that passes the offset `rate[k] · time` along each axis k, and the box of the offsets from `low` to `high`, the furthest of which
/// is at most `reach` from 0.
#[inline(always)]
fn slabs<F: Slabs>(low: [F; 3], high: [F; 3], rate: [F; 3], reach: F) -> Parts<F> {
    let pad = F::sum([(reach, F::constant(F::PAD)), (F::constant(F::TINY), F::one())]);
    let x = passed(low[0], high[0], rate[0], pad);
    let y = passed(low[1], high[1], rate[1], pad);
    let z = passed(low[2], high[2], rate[2], pad);
    Parts {
        grown: (x[0].max(y[0]).max(z[0]), x[1].min(y[1]).min(z[1])),
        shrunk: (x[2].max(y[2]).max(z[2]), x[3].min(y[3]).min(z[3])),
    }
}

/// When a ray passes two faces at these offsets: both moved apart by the pad, and both moved towards each other.
#[inline(always)]
fn passed<F: Slabs>(low: F, high: F, rate: F, pad: F) -> [F; 4] {
    let inverse = rate.abs().max(F::constant(F::LEAST_RATE)).recip();
    // The side that the ray comes from, as if it went up.
    let (near, far) = F::near_and_far(rate, low, high);
    [(near - pad) * inverse, (far + pad) * inverse, (near + pad) * inverse, (far - pad) * inverse]
}

/// What is certain of a ray and a box, from the parts of the ray.
#[inline(always)]
fn span_of<F: Spans>(Parts { grown, shrunk }: Parts<F>, limit: F) -> Span<F> {
    span(grown, Some(shrunk), limit)
}

/// A ray and an axis-aligned box.
#[inline(always)]
pub(crate) fn ray_aabb<F: Spans>(path: &Path<F>, aabb: &Aabb) -> Span<F> {
    let (min, max) = (aabb.min().to_array(), aabb.max().to_array());
    let low = [0, 1, 2].map(|k| F::from_f32(min[k]) - path.origin[k]);
    let high = [0, 1, 2].map(|k| F::from_f32(max[k]) - path.origin[k]);
    let far = |k: usize| (low[k].abs().max(high[k].abs()), F::one());
    span_of(slabs(low, high, path.direction, F::sum([far(0), far(1), far(2)])), path.limit)
}

/// A ray and an oriented box.
#[inline(always)]
pub(crate) fn ray_obb<F: Spans>(path: &Path<F>, obb: &Cuboid<F>) -> Span<F> {
    span_of(parts_in_obb(path, obb), path.limit)
}

/// What is certain of several rays, each with its own box.
pub(crate) struct SpansOfMany<T> {
    /// A bit for each ray that certainly misses its box.
    pub misses: u32,
    /// A bit for each that certainly meets its box.
    pub hits: u32,
    /// The times between which those enter.
    pub first: T,
    pub last: T,
}

/// Rays and oriented boxes side by side: what [`ray_obb`] says of each pair.
#[inline(always)]
pub(crate) fn rays_and_obbs<T: Number>(path: &Path<Lanes<T>>, obb: &Cuboid<Lanes<T>>) -> SpansOfMany<T> {
    let Parts { grown: (enter, exit), shrunk: (enters, exits) } = parts_in_obb(path, obb);
    let (zero, limit) = (T::splat(0.0), path.limit.0);
    let misses = exit.0.below(enter.0).or(exit.0.below(zero)).or(limit.below(enter.0));
    let meets = enters.0.below(exits.0).and(zero.below(exits.0)).and(enters.0.below(limit));
    SpansOfMany {
        misses: misses.bits(),
        hits: meets.and(misses.not()).bits(),
        first: enter.0.greater(zero).times(T::splat((1.0 - SLACK) as f32)),
        last: enters.0.greater(zero).times(T::splat((1.0 + SLACK) as f32)),
    }
}

#[inline(always)]
fn parts_in_obb<F: Slabs>(path: &Path<F>, obb: &Cuboid<F>) -> Parts<F> {
    let one = F::one();
    let (c, o) = (&obb.center, &path.origin);
    let t = [c[0] - o[0], c[1] - o[1], c[2] - o[2]];
    let place = [dot(&obb.axes[0], &t), dot(&obb.axes[1], &t), dot(&obb.axes[2], &t)];
    let low = [place[0] - obb.half[0], place[1] - obb.half[1], place[2] - obb.half[2]];
    let high = [place[0] + obb.half[0], place[1] + obb.half[1], place[2] + obb.half[2]];
    let way = &path.direction;
    let rate = [dot(&obb.axes[0], way), dot(&obb.axes[1], way), dot(&obb.axes[2], way)];
    let reach = F::sum([
        (t[0].abs(), one),
        (t[1].abs(), one),
        (t[2].abs(), one),
        (obb.half[0], one),
        (obb.half[1], one),
        (obb.half[2], one),
    ]);
    slabs(low, high, rate, reach)
}

/// A ray and a ball.
#[inline(always)]
pub(crate) fn ray_sphere<F: Spans>(path: &Path<F>, sphere: &Sphere) -> Span<F> {
    let (one, tiny) = (F::one(), F::constant(F::TINY_SQUARED));
    let (c, radius) = (sphere.center().to_array().map(F::from_f32), F::from_f32(sphere.radius()));
    let t = [0, 1, 2].map(|k| c[k] - path.origin[k]);
    let reach = F::sum([(t[0].abs(), one), (t[1].abs(), one), (t[2].abs(), one), (radius, one)]);
    let pad = F::sum([(reach, F::constant(F::PAD)), (F::constant(F::TINY), one)]);
    let inverse = dot(&path.direction, &path.direction).recip();
    let nearest = dot(&t, &path.direction) * inverse;
    let offset = [0, 1, 2].map(|k| F::sum([(t[k], one), (-nearest, path.direction[k])]));
    let square = dot(&offset, &offset);
    // (Squares that are flushed make a half of up to the root of `tiny`.)
    let chord = |limit: F| {
        let half = ((limit - square).max(F::zero()) * inverse).sqrt();
        (nearest - half, nearest + half)
    };
    let (outer, inner) = (radius + pad, radius - pad);
    if square > outer * outer + tiny {
        return Span::Miss;
    }
    let shrunk = (inner > F::zero() && inner * inner > square + tiny).then(|| chord(inner * inner - tiny));
    span(chord(outer * outer + tiny), shrunk, path.limit)
}

/// A ray and a half-space: n·x − d is f at its origin, and falls by so much a unit of time. Both are tested with a pad of the sum of all
/// products. A ray that lasts as long as `latest` may last longer.
#[inline(always)]
pub(crate) fn ray_half_space<F: Spans>(path: &Path<F>, plane: &Plane, latest: F) -> Span<F> {
    let (one, zero) = (F::one(), F::zero());
    let (n, d) = (plane.normal().to_array().map(F::from_f32), F::from_f32(plane.offset()));
    let (o, way) = (&path.origin, &path.direction);
    let height = F::sum([(n[0], o[0]), (n[1], o[1]), (n[2], o[2]), (-d, one)]);
    let falls = -dot(&n, way);
    let size = |v: &[F; 3]| F::sum([(n[0].abs(), v[0].abs()), (n[1].abs(), v[1].abs()), (n[2].abs(), v[2].abs())]);
    let pad = |size: F| F::sum([(size, F::constant(F::PAD)), (F::constant(F::TINY), one)]);
    let (of_height, of_fall) = (pad(size(o) + d.abs()), pad(size(way)));
    let (low, high) = (height - of_height, height + of_height);
    let (slow, fast) = (falls - of_fall, falls + of_fall);
    let first = if !(low > zero) {
        zero
    } else if fast > zero {
        low * fast.recip()
    } else {
        return Span::Miss;
    };
    let lasts = path.limit >= latest;
    if first * F::constant(1.0 - SLACK) > path.limit && !lasts {
        return Span::Miss;
    }
    let early = first * F::constant(1.0 - SLACK);
    if !(high > zero) {
        return Span::Hit(zero, zero);
    }
    let last = high * slow.recip() * F::constant(1.0 + SLACK);
    if slow > zero && last < path.limit { Span::Hit(early, last) } else { Span::Open(early) }
}

/// A ray that passes `rate · time` along unit normals, and what is behind all of their planes, each of which is `ahead` of the ray's start: pairs
/// of both. The furthest part is at most `reach` away.
pub(crate) fn behind_planes<F: Spans>(planes: impl Iterator<Item = (F, F)>, reach: F, limit: F) -> Span<F> {
    let pad = F::sum([(reach, F::constant(F::PAD)), (F::constant(F::TINY), F::one())]);
    let zero = F::zero();
    // (No ray is inside for longer than that.)
    let (mut grown, mut shrunk) = ((zero, limit), (zero, limit));
    for (ahead, rate) in planes {
        let inverse = rate.abs().max(F::constant(F::LEAST_RATE)).recip();
        let (outer, inner) = ((ahead + pad) * inverse, (ahead - pad) * inverse);
        if rate < zero {
            (grown.0, shrunk.0) = (grown.0.max(-outer), shrunk.0.max(-inner));
        } else {
            (grown.1, shrunk.1) = (grown.1.min(outer), shrunk.1.min(inner));
        }
    }
    span(grown, Some(shrunk), limit)
}

/// The times from one to another; none if the first is the later one.
type Times<F> = (F, F);

/// The times inside one of two parts, or between them. (Times of an empty part are from the last to the first.)
#[inline(always)]
fn joined<F: Spans>(a: Times<F>, b: Times<F>) -> Times<F> {
    if a.0 > a.1 {
        b
    } else if b.0 > b.1 {
        a
    } else {
        (a.0.min(b.0), a.1.max(b.1))
    }
}

/// A ray and the line that a capsule is around, as the ray sees them from its origin.
struct Limb<F> {
    /// To both ends, and the direction of the ray.
    ends: [[F; 3]; 2],
    direction: [F; 3],
    /// 1 over the square of the direction's length.
    inverse: F,
    /// Along the axis: the first end, the length, and the rate.
    start: F,
    length: F,
    rate: F,
    /// Across the axis: the first end, and the direction.
    across: [F; 3],
    sideways: [F; 3],
}

impl<F: Spans> Limb<F> {
    /// The times inside a ball around an end. (Radii are given by their squares.)
    #[inline(always)]
    fn ball(&self, end: usize, limit: F) -> Times<F> {
        let (t, one) = (&self.ends[end], F::one());
        let nearest = dot(t, &self.direction) * self.inverse;
        let offset = [0, 1, 2].map(|k| F::sum([(t[k], one), (-nearest, self.direction[k])]));
        chord(nearest, &offset, limit, self.inverse)
    }

    /// The times inside the cylinder, which is this much longer than the segment at both ends.
    #[inline(always)]
    fn cylinder(&self, limit: F, longer: F) -> Times<F> {
        let (one, least) = (F::one(), F::constant(F::LEAST_RATE));
        let rate = self.rate.abs().max(least).recip();
        // As if the ray went up.
        let (low, high) = (self.start - longer, self.start + self.length + longer);
        let (near, far) = if self.rate < F::zero() { (-high, -low) } else { (low, high) };
        let between = (near * rate, far * rate);
        let square = dot(&self.sideways, &self.sideways);
        let around = if square < least * least {
            // It stays as far from the axis as it is.
            chord(F::zero(), &self.across, limit, (least * least).recip())
        } else {
            let inverse = square.recip();
            let nearest = dot(&self.across, &self.sideways) * inverse;
            let offset = [0, 1, 2].map(|k| F::sum([(self.across[k], one), (-nearest, self.sideways[k])]));
            chord(nearest, &offset, limit, inverse)
        };
        (between.0.max(around.0), between.1.min(around.1))
    }

    #[inline(always)]
    fn times(&self, limit: F, longer: F) -> Times<F> {
        joined(joined(self.ball(0, limit), self.ball(1, limit)), self.cylinder(limit, longer))
    }
}

/// The times at which a point that is nearest to 0 at this time, and then so far from it, is nearer to 0 than the root of `limit`; `inverse` is
/// 1 over the square of its speed.
#[inline(always)]
fn chord<F: Spans>(nearest: F, offset: &[F; 3], limit: F, inverse: F) -> Times<F> {
    let square = dot(offset, offset);
    if square > limit {
        return (F::one(), F::zero());
    }
    let half = ((limit - square) * inverse).sqrt();
    (nearest - half, nearest + half)
}

/// A ray and a capsule.
#[inline(always)]
pub(crate) fn ray_capsule<F: Spans>(path: &Path<F>, capsule: &Capsule) -> Span<F> {
    let (one, two) = (F::one(), F::constant(2.0));
    let [a, b] = [capsule.a(), capsule.b()].map(|end| end.to_array().map(F::from_f32));
    let radius = F::from_f32(capsule.radius());
    let ends = [a, b].map(|end| [0, 1, 2].map(|k| end[k] - path.origin[k]));
    let way = [0, 1, 2].map(|k| b[k] - a[k]);
    let sizes = |v: &[F; 3]| F::sum([(v[0].abs(), one), (v[1].abs(), one), (v[2].abs(), one)]);
    let reach = F::sum([(sizes(&ends[0]).max(sizes(&ends[1])), one), (radius, one)]);
    let pad = F::sum([(reach, F::constant(2.0 * F::PAD)), (F::constant(F::TINY), two)]);
    // (Squares that are flushed are less than `tiny`.)
    let (outer, inner, tiny) = (radius + pad, radius - pad, F::constant(F::TINY_SQUARED));
    let least = inner * inner - tiny - tiny;
    let is_thick = inner > F::zero() && least > F::zero();
    let inverse = dot(&path.direction, &path.direction).recip();
    let length = dot(&way, &way).sqrt();
    let axis = way.map(|x| x * length.recip());
    let along = |v: &[F; 3]| {
        let part = dot(v, &axis);
        (part, [0, 1, 2].map(|k| F::sum([(v[k], one), (-part, axis[k])])))
    };
    let ((start, across), (rate, sideways)) = (along(&ends[0]), along(&path.direction));
    let limb = Limb { ends, direction: path.direction, inverse, start, length, rate, across, sideways };
    let short = sizes(&way);
    if short < pad {
        // All but a ball.
        let all = outer + short;
        return span(limb.ball(0, all * all + tiny), is_thick.then(|| limb.ball(0, least)), path.limit);
    }
    span(limb.times(outer * outer + tiny, pad), is_thick.then(|| limb.times(least, -pad)), path.limit)
}
