//! Rays against boxes and balls: whether they certainly meet, and between which times a ray certainly enters.
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

use super::{Arithmetic, Cuboid, Real, dot};
use crate::shape::{Aabb, Sphere};

/// What an arithmetic needs to test rays.
pub(crate) trait Spans: Real {
    /// What a shape is grown and shrunk by, in parts of the distance to its furthest point.
    const PAD: f64;
    /// The least rate along an axis that is divided by: a sixteenth of the pad.
    const LEAST_RATE: f64 = Self::PAD / 16.0;
}

impl Spans for f32 {
    /// 64 u.
    const PAD: f64 = 64.0 * Self::U;
}

impl Spans for f64 {
    /// 2⁻³⁰. (Only the errors of deterministic times are as large as that.)
    const PAD: f64 = 1.0 / (1u64 << 30) as f64;
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

/// A ray that passes the offset `rate[k] · time` along each axis k, and the box of the offsets from `low` to `high`, the furthest of which
/// is at most `reach` from 0.
#[inline(always)]
fn slabs<F: Spans>(low: [F; 3], high: [F; 3], rate: [F; 3], reach: F, limit: F) -> Span<F> {
    let pad = F::sum([(reach, F::constant(F::PAD)), (F::constant(F::TINY), F::one())]);
    let part = |k: usize| {
        let inverse = rate[k].abs().max(F::constant(F::LEAST_RATE)).recip();
        // The side that the ray comes from, as if it went up.
        let (near, far) = if rate[k] < F::zero() { (-high[k], -low[k]) } else { (low[k], high[k]) };
        [(near - pad) * inverse, (far + pad) * inverse, (near + pad) * inverse, (far - pad) * inverse]
    };
    let (x, y, z) = (part(0), part(1), part(2));
    let last = |k: usize| x[k].max(y[k]).max(z[k]);
    let first = |k: usize| x[k].min(y[k]).min(z[k]);
    span((last(0), first(1)), Some((last(2), first(3))), limit)
}

/// A ray and an axis-aligned box.
#[inline(always)]
pub(crate) fn ray_aabb<F: Spans>(path: &Path<F>, aabb: &Aabb) -> Span<F> {
    let (min, max) = (aabb.min().to_array(), aabb.max().to_array());
    let low = [0, 1, 2].map(|k| F::from_f32(min[k]) - path.origin[k]);
    let high = [0, 1, 2].map(|k| F::from_f32(max[k]) - path.origin[k]);
    let far = |k: usize| (low[k].abs().max(high[k].abs()), F::one());
    slabs(low, high, path.direction, F::sum([far(0), far(1), far(2)]), path.limit)
}

/// A ray and an oriented box.
#[inline(always)]
pub(crate) fn ray_obb<F: Spans>(path: &Path<F>, obb: &Cuboid<F>) -> Span<F> {
    let one = F::one();
    let t = [0, 1, 2].map(|k| obb.center[k] - path.origin[k]);
    let place = [0, 1, 2].map(|i| dot(&obb.axes[i], &t));
    let low = [0, 1, 2].map(|i| place[i] - obb.half[i]);
    let high = [0, 1, 2].map(|i| place[i] + obb.half[i]);
    let rate = [0, 1, 2].map(|i| dot(&obb.axes[i], &path.direction));
    let reach = F::sum([
        (t[0].abs(), one),
        (t[1].abs(), one),
        (t[2].abs(), one),
        (obb.half[0], one),
        (obb.half[1], one),
        (obb.half[2], one),
    ]);
    slabs(low, high, rate, reach, path.limit)
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
