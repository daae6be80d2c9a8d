//! Rays and convex hulls: in `f64` whether they meet, and in double words when, as far as that can tell.
//!
//! A ray is in a hull while it is behind the planes of all faces. The planes that it passes on its way out, and those that it is behind from the beginning, need
//! only be known roughly, in single words; the others are looked at in double words. A ray enters when it passes the last of these. Each plane is moved outward by
//! [`GROWN`], more than its errors; where the ray passes that plane so slowly that the time would be much too early, the time is for `f64`.
//!
//! The twin in WGSL is `shaders/queries/hull_hits.wgsl`.

use glam::{DVec3, Vec3};

use super::{EXPONENTS, LAST, LENGTHS, Meeting, Shot, Verdict};
use super::{difference, exponent, is_length, power, recip_double, scaled, single, sum3, unscaled};
use crate::det::{
    Double, abs, add, add_double, clean, dot3, max, min, mul, mul_double, neg, neg_double, recip, sub, sub_double,
};
use crate::exact::local_planes;
use crate::filter::{Path, Span, behind_planes, ray_aabb};
use crate::manifold::turned_axes;
use crate::shape::kinds::Record;
use crate::shape::{PlacedHull, hull_record};

/// What is wrong with the height of the origin over a plane and, in all times that matter, with how far the ray rises: less than 2⁻³⁷.
pub(crate) const GROWN: f32 = 1.0 / (1_u64 << 35) as f32;
/// The same in single words: heights, and rates. Sums of coordinates are less than 7, so that a height has an error of 45 u, and a rate of 35 u.
pub(crate) const ROUGH: f32 = 1.0 / (1 << 18) as f32;
/// And of both in all times that matter.
pub(crate) const ROUGH_END: f32 = 1.0 / (1 << 14) as f32;
/// A ray that falls or rises by less goes along a plane, and comes nearer by less than [`BESIDE`].
pub(crate) const LEAST_RATE: f32 = 1.0 / (1 << 20) as f32;
pub(crate) const BESIDE: f32 = 1.0 / (1 << 16) as f32;
/// A ray that falls by less enters the plane that has been moved too early: by more than 2⁻²⁵.
pub(crate) const FAST: f32 = 1.0 / (1 << 9) as f32;
/// More than what is wrong with times for being rounded.
pub(crate) const ROUNDED: f32 = 1.0 / (1 << 18) as f32;

/// What is certain of a ray and a hull: it is behind all planes of its local form, and in its bounds. (Where planes meet at a small angle, what
/// is behind all of them when they are moved outward reaches far beyond the hull; the bounds do not.)
pub(super) fn span(path: &Path<f64>, hull: &PlacedHull<'_>) -> Span<f64> {
    let in_bounds = ray_aabb(path, &hull.aabb());
    let enters = match in_bounds {
        Span::Miss => return Span::Miss,
        Span::Hit(first, _) | Span::Open(first) => first,
    };
    let placement = hull.placement();
    let to_origin = DVec3::from(path.origin) - placement.position();
    let (from, way) = (placement.to_local(to_origin), placement.to_local(path.direction.into()));
    let reach = to_origin.abs().element_sum() + 3.0 * hull.local_reach();
    // (Deterministic times may be earlier than that of the bounds by so much.)
    let enters = (enters - reach * (1.0 / f64::from(1 << 22))).max(0.0);
    let planes = hull.local_planes(|| local_planes(hull));
    let ahead = planes.iter().map(|(normal, offset)| (offset - normal.dot(from), normal.dot(way)));
    match behind_planes(ahead, reach, path.limit) {
        Span::Miss => Span::Miss,
        Span::Hit(first, last) => Span::Hit(first.max(enters).min(last), last),
        Span::Open(first) => Span::Open(first.max(enters)),
    }
}

/// The plane of a face of a local form: a unit normal, outward, and how far along it the plane is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HullPlane {
    pub normal: [Double; 3],
    pub offset: Double,
}

impl HullPlane {
    fn of(&(normal, offset): &(DVec3, f64)) -> Self {
        let double = |x: f64| {
            let high = clean(x as f32);
            Double { high, low: clean((x - f64::from(high)) as f32) }
        };
        Self { normal: normal.to_array().map(double), offset: double(offset) }
    }

    /// Those of a hull.
    pub(crate) fn all<'a>(hull: &PlacedHull<'a>) -> impl ExactSizeIterator<Item = Self> + use<'a> {
        hull.local_planes(|| local_planes(hull)).iter().map(Self::of)
    }
}

fn dot(a: &[Double; 3], b: &[Double; 3]) -> Double {
    sum3(mul_double(a[0], b[0]), mul_double(a[1], b[1]), mul_double(a[2], b[2]))
}

fn high(v: &[Double; 3]) -> Vec3 {
    Vec3::from(v.map(|x| x.high))
}

/// The times at which a ray is behind all planes that have been looked at, at least and at most.
struct Inside {
    /// It comes in not before the first time, and not after the second.
    begin: [f32; 2],
    /// It goes out not before the first time, and not after the second.
    end: [f32; 2],
    /// When it may come in through a plane that it passes slowly.
    slow: f32,
}

/// A ray and a hull with these planes, given its record; `None` outside the domain, or if the ray goes along a face.
pub(crate) fn meeting(shot: &Shot, record: &Record, planes: impl Iterator<Item = HullPlane>) -> Option<Meeting> {
    let (place, turn) = ([record[0], record[1], record[2]], [record[6], record[7], record[8], record[9]]);
    let of_reach = exponent(hull_record::reach_of(record[3]));
    if !shot.in_domain || !place.into_iter().all(is_length) || !LENGTHS.contains(&of_reach) {
        return None;
    }
    let origin = shot.ray.origin().to_array();
    let t = [0, 1, 2].map(|k| difference(origin[k], place[k]));
    let size = t.iter().fold(of_reach, |size, x| size.max(exponent(x.high)));
    let axes = turned_axes(turn)?;
    if !EXPONENTS.contains(&size) {
        return None;
    }
    let scale = power(254 - size);
    let t = t.map(|x| scaled(x, scale));
    let from = axes.each_ref().map(|axis| dot(axis, &t));
    let way = axes.each_ref().map(|axis| dot(axis, &shot.direction.map(single)));
    let last = min(mul(shot.last, scale), LAST);
    let mut inside = Inside { begin: [0.0; 2], end: [LAST; 2], slow: 0.0 };
    for HullPlane { normal, offset } in planes {
        let offset = scaled(offset, scale);
        let above = sub(dot3(high(&normal), high(&from)), offset.high);
        let rate = dot3(high(&normal), high(&way));
        if rate > ROUGH {
            let inverse = recip(rate);
            let ends = [sub(neg(above), ROUGH_END), add(neg(above), ROUGH_END)];
            inside.end = [0, 1].map(|k| min(inside.end[k], mul(ends[k], inverse)));
        } else if !(rate < neg(ROUGH) && above < neg(ROUGH)) {
            let (above, rate) = (sub_double(dot(&normal, &from), offset), dot(&normal, &way));
            if !inside.pass(above, rate)? {
                return Some(Meeting { verdict: Verdict::Miss, time: 0.0 });
            }
        }
    }
    let Inside { begin, end, slow } = inside;
    let first = sub(begin[0], ROUNDED);
    let verdict = if first > end[1] || first > last || end[1] < neg(ROUNDED) {
        Verdict::Miss
    } else if slow > 0.0 && !(slow < begin[0]) {
        return None;
    } else if add(begin[1], ROUNDED) < min(end[0], last) && end[0] > ROUNDED {
        Verdict::Hit
    } else {
        Verdict::Open
    };
    Some(Meeting { verdict, time: unscaled(shot, begin[0], size) })
}

impl Inside {
    /// Passes a plane over which the origin is so high. Returns whether the ray ever comes behind it; `None` if it goes along the plane.
    fn pass(&mut self, above: Double, rate: Double) -> Option<bool> {
        let heights = [sub_double(above, single(GROWN)), add_double(above, single(GROWN))];
        if abs(rate.high) < LEAST_RATE {
            // Always behind it, or never.
            return if above.high < neg(BESIDE) {
                Some(true)
            } else if above.high > BESIDE {
                Some(false)
            } else {
                None
            };
        }
        let inverse = recip_double(neg_double(rate));
        let times = heights.map(|height| mul_double(height, inverse).high);
        if rate.high > 0.0 {
            self.end = [min(self.end[0], times[1]), min(self.end[1], times[0])];
        } else {
            if neg(rate.high) < FAST {
                self.slow = max(self.slow, times[1]);
            }
            self.begin = [0, 1].map(|k| max(self.begin[k], times[k]));
        }
        Some(true)
    }
}

/// When a ray enters a hull that it meets, unless that is for `f64`.
pub(super) fn time(shot: &Shot, hull: &PlacedHull<'_>, record: &Record) -> Option<f32> {
    meeting(shot, record, HullPlane::all(hull)).filter(|found| found.verdict == Verdict::Hit).map(|found| found.time)
}
