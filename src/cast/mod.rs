//! When a ray enters a body, in deterministic arithmetic: the same bits on every adapter and on the CPU.
//!
//! Whether a ray meets a body is decided exactly elsewhere ([`exact`](crate::exact)); here it is decided in double words, as far as
//! their errors allow, which is nearly always, and so on every adapter. A ray and a body are scaled by a power of two, so that the
//! furthest part of the body is about 1 away; errors below are of numbers that are scaled so. The twin in WGSL is
//! `shaders/queries/time_hits.wgsl`, and of hulls in `shaders/queries/hull_hits.wgsl`.
//!
//! The time is that of the first point of the body grown by 2⁻³⁸, a capsule by 2⁻³⁵ (an axis-aligned box is not grown, since its numbers are exact). So it
//! is within the parts of the ray that all pairs of faces contain, though each has an error of its own. Axes along which the ray moves
//! by less than 2⁻³⁶ are left out: it is in that pair of faces, or nearer than 2⁻³³ to it.

mod ball;
mod boxes;
mod capsule;
mod half_space;
pub(crate) mod hull;
mod shot;
#[cfg(test)]
mod tests;

pub(crate) use boxes::{RaysAndBoxes, entries_into_boxes};
#[cfg(feature = "gpu")]
pub(crate) use hull::{HullPlane, meeting as hull_meeting};
#[cfg(feature = "gpu")]
pub(crate) use shot::LATEST;
pub(crate) use shot::Shot;

use crate::det::{Double, add, clean, mul, mul_double, neg, quick_two_sum, recip, rsqrt, sqrt, sub_double, two_prod};
use crate::exact::ray_shape;
use crate::filter::{Cuboid, SLACK, Span, ray_aabb, ray_capsule, ray_half_space, ray_obb, ray_sphere};
use crate::lanes::Number;
use crate::shape::PlacedHull;
use crate::shape::kinds::{BodyShape, Kind, Record, encode};

/// What double words can tell of a ray and a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Miss,
    Hit,
    /// For exact arithmetic to decide.
    Open,
}

/// A ray and a body in deterministic arithmetic: whether they meet, and when the ray enters if they do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meeting {
    pub verdict: Verdict,
    /// In units of the shot's direction.
    pub time: f32,
}

/// What all shapes are grown by.
const GROWTH: f32 = 1.0 / (1_u64 << 38) as f32;
/// The last time that matters: a body and all of its points are nearer than that.
const LAST: f32 = 8.0;
/// The exponents of the distance to the furthest part of a body, as the bits of an `f32` hold them: 2⁻⁶⁰ to 2⁴³.
const EXPONENTS: std::ops::RangeInclusive<u32> = 67..=169;
/// The least and the greatest exponent of a coordinate that is not 0: 2⁻¹⁰⁰ to 2⁴¹.
const LENGTHS: std::ops::RangeInclusive<u32> = 27..=167;

fn exponent(x: f32) -> u32 {
    x.to_bits() >> 23 & 255
}

/// Whether a coordinate or a length is in the domain: 0, or from 2⁻¹⁰⁰ to 2⁴¹, so that it is on the grid as it is.
fn is_length(x: f32) -> bool {
    x == 0.0 || LENGTHS.contains(&exponent(x))
}

/// The power of two with these bits in its exponent.
fn power(exponent: u32) -> f32 {
    f32::from_bits(exponent << 23)
}

#[inline(always)]
fn single<T: Number>(x: T) -> Double<T> {
    Double { high: x, low: T::splat(0.0) }
}

#[inline(always)]
fn scaled<T: Number>(x: Double<T>, scale: T) -> Double<T> {
    Double { high: mul(x.high, scale), low: mul(x.low, scale) }
}

/// 1/x by a further step of Newton's method. Relative error at most 2⁻⁴⁴.
#[inline(always)]
fn recip_double<T: Number>(x: Double<T>) -> Double<T> {
    let guess = recip(x.high);
    let rest = sub_double(single(T::splat(1.0)), mul_double(x, single(guess)));
    quick_two_sum(guess, mul(guess, rest.high))
}

/// √x by a further step of Newton's method, and 0 for x below 2⁻⁹⁰. Relative error at most 2⁻⁴³.
fn sqrt_double(x: Double) -> Double {
    let guess = sqrt(x.high);
    let rest = sub_double(x, two_prod(guess, guess));
    quick_two_sum(guess, mul(rest.high, mul(0.5, rsqrt(x.high))))
}

/// A ray and a body that is no hull; `None` outside the domain.
pub(crate) fn meeting(shot: &Shot, kind: Kind, record: &Record) -> Option<Meeting> {
    if !in_domain(shot, kind, record) {
        return None;
    }
    match kind {
        Kind::Sphere => ball::meeting(shot, record),
        Kind::Aabb | Kind::Obb => boxes::meeting(shot, kind, record),
        Kind::Capsule => capsule::meeting(shot, record),
        Kind::Plane => half_space::meeting(shot, record),
        Kind::ConvexHull => None,
    }
}

fn in_domain(shot: &Shot, kind: Kind, record: &Record) -> bool {
    // (Quaternions have a domain of their own.)
    let words = if kind.has_rotation() { kind.words() - 4 } else { kind.words() };
    shot.in_domain && record[..words].iter().all(|x| is_length(*x))
}

/// The time as it is returned, from the scaled one and what it was scaled by.
fn unscaled(shot: &Shot, time: f32, exponent: u32) -> f32 {
    unscaled_by(time, power(exponent), shot.last)
}

/// The same, from the power of two, and the last time.
#[inline(always)]
fn unscaled_by<T: Number>(time: T, scale: T, last: T) -> T {
    crate::det::min(mul(crate::det::max(time, T::splat(0.0)), scale), last)
}

/// More than the rounding of a time to a subnormal `f32`.
const SUBNORMAL: f64 = f32::MIN_POSITIVE as f64;

/// What is certain of a ray and a shape in `f64`.
fn span_in_f64(shot: &Shot, shape: &BodyShape<'_>) -> Span<f64> {
    match shape {
        BodyShape::Sphere(sphere) => ray_sphere(&shot.path, sphere),
        BodyShape::Aabb(aabb) => ray_aabb(&shot.path, aabb),
        BodyShape::Obb(obb) => ray_obb(&shot.path, &Cuboid::new(obb)),
        BodyShape::Capsule(capsule) => ray_capsule(&shot.path, capsule),
        BodyShape::Plane(plane) => ray_half_space(&shot.path, plane, f64::INFINITY),
        BodyShape::ConvexHull(hull) => hull::span(&shot.path, hull),
    }
}

/// What is certain of a ray and a shape. The interval of a hit contains its time as [`entry`] rounds it.
pub(crate) fn span(shot: &Shot, shape: &BodyShape<'_>) -> Span<f64> {
    match span_in_f64(shot, shape) {
        Span::Miss => Span::Miss,
        Span::Hit(first, last) => {
            let (first, last) = certain_interval(first, last);
            Span::Hit(first, last)
        }
        Span::Open(first) => Span::Open(certain_interval(first, first).0),
    }
}

/// The interval that contains the time of a hit as [`entry`] rounds it, from that of a filter.
pub(crate) fn certain_interval(first: f64, last: f64) -> (f64, f64) {
    let most = f64::from(f32::MAX);
    ((first - SUBNORMAL).clamp(0.0, most), (last + SUBNORMAL).min(most))
}

/// Whether a ray meets a shape, exactly: by the filter in `f64`, and what that leaves open by integers.
pub(crate) fn meets(shot: &Shot, shape: &BodyShape<'_>) -> bool {
    match span(shot, shape) {
        Span::Miss => false,
        Span::Hit(..) => true,
        Span::Open(_) => ray_shape(&shot.ray, shot.limit, shape),
    }
}

/// When a ray enters a shape that it meets, in units of the shot's direction: by deterministic arithmetic, or outside its domain in `f64`.
pub(crate) fn entry(shot: &Shot, shape: &BodyShape<'_>) -> f32 {
    let (kind, record) = encode(shape);
    let time = match kind {
        Kind::Sphere | Kind::Capsule | Kind::Plane => meeting(shot, kind, &record).map(|found| found.time),
        Kind::ConvexHull => hull_of(shape).and_then(|hull| hull::time(shot, hull, &record)),
        _ if !in_domain(shot, kind, &record) => None,
        _ => boxes::time(shot, kind, &record),
    };
    time.unwrap_or_else(|| entry_in_f64(shot, shape))
}

fn hull_of<'a, 'b>(shape: &'b BodyShape<'a>) -> Option<&'b PlacedHull<'a>> {
    if let BodyShape::ConvexHull(hull) = shape { Some(hull) } else { None }
}

fn entry_in_f64(shot: &Shot, shape: &BodyShape<'_>) -> f32 {
    // When it enters the shape grown by the error: never too late, and at once if it starts inside or on the surface.
    let time = match span_in_f64(shot, shape) {
        Span::Miss => 0.0,
        Span::Hit(first, _) | Span::Open(first) => first / (1.0 - SLACK),
    };
    crate::shape::check::saturate_f32(time.min(shot.path.limit))
}

/// The sum of three double words.
#[inline(always)]
fn sum3<T: Number>(a: Double<T>, b: Double<T>, c: Double<T>) -> Double<T> {
    crate::det::add_double(crate::det::add_double(a, b), c)
}

/// a − b of two coordinates, exactly.
#[inline(always)]
fn difference<T: Number>(a: T, b: T) -> Double<T> {
    crate::det::two_sum(clean(a), neg(clean(b)))
}

/// |x|.
#[inline(always)]
fn abs_double<T: Number>(x: Double<T>) -> Double<T> {
    choose(x.high.below(T::splat(0.0)), crate::det::neg_double(x), x)
}

#[inline(always)]
fn choose<T: Number>(which: T::Truth, yes: Double<T>, no: Double<T>) -> Double<T> {
    Double { high: T::choose(which, yes.high, no.high), low: T::choose(which, yes.low, no.low) }
}

/// x + y, both single.
fn plus(x: f32, y: f32) -> f32 {
    add(x, y)
}
