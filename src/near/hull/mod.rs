//! Whether a hull and another body are nearer than a margin, in deterministic arithmetic.
//!
//! The algorithm of Gilbert, Johnson and Keerthi looks for the difference of corners that is nearest to 0, and may be wrong. What it returns is looked at
//! again in double words: how far all differences are along the best direction, which proves that the bodies are apart, or whether 0 is inside a
//! tetrahedron of four differences, which proves that they overlap. Where neither is so, exact arithmetic decides.
//!
//! The twins in WGSL are `shaders/lib/hulls.wgsl`, which the stage `hull_pairs` has in the arithmetic of the device, since only its proofs count, and
//! `shaders/lib/precise_hulls.wgsl`.

use glam::Vec3;

use super::precise::{dot_double, scaled, single, square_double};
use super::simplex::Simplex;
use super::{EXPONENTS, Verdict, exponent};
use crate::det::{
    Double, abs, add, add_double, add3, clean, cross3, dot3, less_double, max, mul, mul_double, neg, neg3, recip,
    rsqrt, scale3, sub, sub_double, sub3, two_sum,
};
use crate::manifold::{Precise, rsqrt_double, turned_axes};
use crate::shape::hull_record;
use crate::shape::kinds::Kind;

mod apart;
mod moment;
#[cfg(test)]
mod tests;

#[cfg(feature = "gpu")]
pub(crate) use apart::OF_HEIGHT_OVER;
pub(crate) use apart::{Body, clearance};
pub(super) use moment::Moment;

/// The most corners that are looked at.
pub(crate) const ROUNDS: usize = 24;
/// The square of the least length that has a direction.
pub(crate) const LEAST_SQUARE: f32 = 1.0 / (1_u64 << 44) as f32;
/// A step that brings less is the last one, as a length and as a share of the distance.
pub(crate) const LEAST_STEP: f32 = 1.0 / (1 << 22) as f32;
/// More than what is wrong with a height along a unit vector, as a share of the sums of all coordinates of the corners of both bodies that have the
/// largest, and of the way between the bodies. With u = 2⁻²⁴, an entry of a rotation has an error of 10 u, a component of a direction in a body's frame of
/// 21 u, and the height of a corner of 24 u: another corner than the one that was found to be the lowest may be lower by twice that. A coordinate of a
/// turned corner has an error of 13 u, a height of a difference of 30 u and, of the way, 12 u; the length of the direction adds 8 u of both.
/// Together 86 u and 20 u; 128 u and 32 u are taken. The error of a coordinate of a difference is less than an eighth of that, and a mean of differences
/// whose weights add up to 1 within 10 u, and its length, are off by less than all of it. The first stage of kernels computes with what the device has: fused
/// sums have smaller errors; quotients and roots may be off by 5 u and 4 u, which makes 97 u of the 86.
pub(crate) const OF_CORNERS: f32 = 128.0 / (1 << 24) as f32;
pub(crate) const OF_WAY: f32 = 32.0 / (1 << 24) as f32;
/// Corners that are less than this above the lowest one, along a direction of at most 2√3, may be the lowest.
pub(crate) const LOW: f32 = 1.0 / (1 << 13) as f32;
/// What is wrong with a height along a unit vector in double words: entries of rotations have errors of 2⁻⁴⁴, products and sums of less; and
/// numbers below 2⁻¹⁰⁰ count as 0, which is up to 2⁻⁴⁰ of the smallest bodies. Of up to 24 lengths together less than 2⁻³⁵.
pub(crate) const FINE: f32 = 1.0 / (1_u64 << 32) as f32;
/// What six times a volume of three differences may be off by, as a share of the square of the largest coordinate: 18 times the error
/// of a coordinate, which is less than an eighth of that of a height, and 30 roundings of that coordinate.
pub(crate) const OF_HEIGHT: f32 = 2.5;
pub(crate) const OF_VOLUME: f32 = 32.0 / (1 << 24) as f32;
/// The same in double words, with an error of a coordinate of 2⁻³⁶ and roundings of 2⁻⁴² of coordinates below 16: less than 2⁻³¹.
pub(crate) const FINE_VOLUME: f32 = 1.0 / (1_u64 << 30) as f32;

/// A body as slots have it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'a> {
    pub kind: Kind,
    /// Centre, lower corner, end of a segment, or position.
    pub place: [f32; 3],
    /// Upper corner, half extents, or the other end.
    pub second: [f32; 3],
    pub radius: f32,
    pub turn: [f32; 4],
    /// The corners of a hull, and the largest [sum](sum_of) of a corner's coordinates.
    pub corners: &'a [Vec3],
    pub largest_sum: f32,
}

/// The largest sum of the coordinates of a corner of a hull. (Of the largest hulls, which nothing here computes with, it may be beyond all numbers.)
pub(crate) fn largest_sum_of(corners: &[Vec3]) -> f32 {
    corners.iter().map(|corner| corner.abs().element_sum().min(f32::MAX)).fold(0.0, f32::max)
}

/// The sum of the coordinates of a corner.
pub(crate) fn sum_of(corner: [f32; 3]) -> f32 {
    let [x, y, z] = corner.map(abs);
    add(add(x, y), z)
}

impl Part<'_> {
    /// Whether its corners are turned.
    fn turns(&self) -> bool {
        self.kind.has_rotation()
    }

    fn count(&self) -> usize {
        match self.kind {
            Kind::Sphere => 1,
            Kind::Capsule => 2,
            Kind::ConvexHull => self.corners.len(),
            _ => 8,
        }
    }

    /// A corner in its own frame.
    fn local(&self, i: usize) -> Vec3 {
        if self.kind == Kind::ConvexHull {
            return self.corners[i].to_array().map(clean).into();
        }
        let side = |k: usize| if i >> k & 1 == 1 { clean(self.second[k]) } else { neg(clean(self.second[k])) };
        Vec3::new(side(0), side(1), side(2))
    }

    /// A corner that is given where it is.
    fn fixed(&self, i: usize) -> [f32; 3] {
        [0, 1, 2].map(|k| {
            let second = if self.kind == Kind::Capsule { i == 1 } else { i >> k & 1 == 1 };
            if second { self.second[k] } else { self.place[k] }
        })
    }

    /// The largest sum of a corner's coordinates, but for those of the place.
    fn largest_sum(&self) -> f32 {
        match self.kind {
            Kind::Sphere => 0.0,
            Kind::ConvexHull => self.largest_sum,
            Kind::Obb => sum_of(self.second.map(clean)),
            _ => sum_of([0, 1, 2].map(|k| sub(clean(self.second[k]), clean(self.place[k])))),
        }
    }

    /// The exponent of its largest length.
    fn exponent(&self) -> u32 {
        let three = |v: [f32; 3]| v.into_iter().map(exponent).fold(0, u32::max);
        match self.kind {
            Kind::Sphere => exponent(self.radius),
            Kind::Obb => three(self.second),
            Kind::ConvexHull => exponent(hull_record::reach_of(self.second[0])),
            _ => three([0, 1, 2].map(|k| sub(self.second[k], self.place[k]))).max(exponent(self.radius)),
        }
    }
}

fn high(axis: &[Double; 3]) -> Vec3 {
    Vec3::from(axis.map(|x| x.high))
}

/// A hull and another body, scaled so that the largest length is from 1 to 2; everything is relative to the hull's position.
struct Pair<'a> {
    first: &'a Part<'a>,
    hull: &'a Part<'a>,
    /// The axes of the other body, if it turns, and those of the hull.
    axes: [[Vec3; 3]; 2],
    /// The other body's position.
    t: [Double; 3],
    scale: f32,
    /// More than what is wrong with a height in single words.
    error: f32,
}

impl<'a> Pair<'a> {
    /// `None` outside the domain.
    fn of(first: &'a Part<'a>, hull: &'a Part<'a>, margin: f32) -> Option<Self> {
        let between = [0, 1, 2].map(|k| two_sum(clean(first.place[k]), neg(clean(hull.place[k]))).high);
        let size = between.into_iter().map(exponent).fold(0, u32::max);
        let size = size.max(first.exponent()).max(hull.exponent()).max(exponent(margin));
        if !EXPONENTS.contains(&size) {
            return None;
        }
        let axes = [rough_axes(if first.turns() { first.turn } else { hull.turn })?, rough_axes(hull.turn)?];
        let scale = f32::from_bits((254 - size) << 23);
        let mut pair = Pair { first, hull, axes, t: [single(0.0); 3], scale, error: 0.0 };
        pair.t = [0, 1, 2].map(|k| pair.way(first.place[k], hull.place[k]));
        pair.error = pair.error_of_heights();
        Some(pair)
    }

    /// Of bodies as frames have them, scaled by this. All of them turn.
    fn of_frames([first, hull]: [&'a Part<'a>; 2], bodies: &[Precise; 2], scale: f32) -> Self {
        let axes = bodies.each_ref().map(|body| body.axes.each_ref().map(high));
        let t = [0, 1, 2].map(|k| sub_double(bodies[0].center[k], bodies[1].center[k]));
        let mut pair = Pair { first, hull, axes, t, scale, error: 0.0 };
        pair.error = pair.error_of_heights();
        pair
    }

    fn error_of_heights(&self) -> f32 {
        let corners = add(mul(self.first.largest_sum(), self.scale), mul(self.hull.largest_sum(), self.scale));
        add(mul(OF_CORNERS, corners), mul(OF_WAY, sum_of(high(&self.t).to_array())))
    }

    /// A corner of the other body that is given where it is.
    fn fixed(&self, i: usize) -> [Double; 3] {
        let at = self.first.fixed(i);
        [0, 1, 2].map(|k| self.way(at[k], self.hull.place[k]))
    }

    fn way(&self, to: f32, from: f32) -> Double {
        let Double { high, low } = two_sum(clean(to), neg(clean(from)));
        Double { high: mul(high, self.scale), low: mul(low, self.scale) }
    }

    /// A corner of a body that turns, in its own frame and not scaled.
    fn local(&self, body: usize, i: usize) -> Vec3 {
        if body == 0 { self.first.local(i) } else { self.hull.local(i) }
    }

    fn turned(&self, body: usize, i: usize) -> Vec3 {
        let (local, axes) = (scale3(self.local(body, i), self.scale), &self.axes[body]);
        add3(add3(scale3(axes[0], local.x), scale3(axes[1], local.y)), scale3(axes[2], local.z))
    }

    /// The difference of two corners.
    fn difference(&self, i: usize, j: usize) -> Vec3 {
        let first = if self.first.turns() { add3(high(&self.t), self.turned(0, i)) } else { high(&self.fixed(i)) };
        sub3(first, self.turned(1, j))
    }

    /// The same in double words.
    fn precise(&self, i: usize, j: usize) -> [Double; 3] {
        let axes = [0, 1].map(|body| self.precise_axes(body));
        let turned = |body: usize, i: usize, k: usize| {
            let (local, axes) = (scale3(self.local(body, i), self.scale), &axes[body]);
            let sum = add_double(mul_double(axes[0][k], single(local.x)), mul_double(axes[1][k], single(local.y)));
            add_double(sum, mul_double(axes[2][k], single(local.z)))
        };
        let fixed = if self.first.turns() { self.t } else { self.fixed(i) };
        [0, 1, 2].map(|k| {
            let first = if self.first.turns() { add_double(fixed[k], turned(0, i, k)) } else { fixed[k] };
            sub_double(first, turned(1, j, k))
        })
    }

    /// The axes of a body that turns in double words; of another one any.
    fn precise_axes(&self, body: usize) -> [[Double; 3]; 3] {
        let turn = if body == 0 && self.first.turns() { self.first.turn } else { self.hull.turn };
        // (In the domain.)
        turned_axes(turn).unwrap_or([[single(0.0); 3]; 3])
    }

    fn turns(&self, body: usize) -> bool {
        body == 1 || self.first.turns()
    }

    /// A direction as a body that turns sees it, scaled, since its corners are not.
    fn seen(&self, body: usize, direction: Vec3) -> Vec3 {
        if !self.turns(body) {
            return direction;
        }
        let [x, y, z] = self.axes[body].map(|axis| dot3(axis, direction));
        scale3(Vec3::new(x, y, z), self.scale)
    }

    /// How high a corner of a body is along a direction that it sees; that of the other body without `t`.
    fn height(&self, body: usize, i: usize, seen: Vec3) -> f32 {
        dot3(seen, if self.turns(body) { self.local(body, i) } else { high(&self.fixed(i)) })
    }

    fn count(&self, body: usize) -> usize {
        if body == 0 { self.first.count() } else { self.hull.count() }
    }

    /// The corner of a body that is lowest along a direction, and how high it is.
    fn lowest(&self, body: usize, direction: Vec3) -> (usize, f32) {
        let seen = self.seen(body, direction);
        let mut best = (0, self.height(body, 0, seen));
        for i in 1..self.count(body) {
            let height = self.height(body, i, seen);
            if height < best.1 {
                best = (i, height);
            }
        }
        best
    }

    /// The corners whose difference is lowest along a direction.
    fn support(&self, direction: Vec3) -> (Vec3, u32) {
        let (i, j) = (self.lowest(0, direction).0, self.lowest(1, neg3(direction)).0);
        (self.difference(i, j), (i << 8 | j) as u32)
    }

    /// How high the lowest corner of a body is along a direction, in double words; that of the other body with `t`.
    fn lowest_precise(&self, body: usize, direction: Vec3) -> Double {
        let (turns, seen) = (self.turns(body), self.seen(body, direction));
        let least = self.lowest(body, direction).1;
        let scaled = |x: Double| Double { high: mul(x.high, self.scale), low: mul(x.low, self.scale) };
        let precise = self.precise_axes(body).each_ref().map(|axis| scaled(dot_double(direction, axis)));
        let mut best = single(f32::MAX);
        for i in 0..self.count(body) {
            if self.height(body, i, seen) > add(least, LOW) {
                continue;
            }
            let height =
                if turns { dot_double(self.local(body, i), &precise) } else { dot_double(direction, &self.fixed(i)) };
            if less_double(height, best) {
                best = height;
            }
        }
        if body == 0 && turns { add_double(best, dot_double(direction, &self.t)) } else { best }
    }

    /// How far all differences are along a direction, in double words, less the error.
    fn at_least(&self, direction: Vec3) -> Double {
        let n = scaled(direction);
        let along = add_double(self.lowest_precise(0, n), self.lowest_precise(1, neg3(n)));
        sub_double(mul_double(along, rsqrt_double(square_double(n))), single(FINE))
    }

    /// Whether 0 is certainly inside the tetrahedron of four differences: it makes tetrahedra with each three of them that are turned the
    /// same way.
    fn surround(&self, simplex: &Simplex, precisely: bool) -> bool {
        let [p, q, r, s] = simplex.corners();
        let largest = [p, q, r, s].into_iter().flat_map(|v| v.to_array()).fold(0.0, |largest, x| max(largest, abs(x)));
        let bound = mul(mul(largest, largest), add(mul(OF_HEIGHT, self.error), mul(OF_VOLUME, largest)));
        let pq = cross3(p, q);
        let volumes = [dot3(cross3(q, r), s), dot3(cross3(r, p), s), dot3(pq, s), neg(dot3(pq, r))];
        if volumes.iter().all(|volume| *volume > bound) || volumes.iter().all(|volume| *volume < neg(bound)) {
            return true;
        }
        precisely && self.precisely_surround(&simplex.signs)
    }

    /// The same in double words.
    fn precisely_surround(&self, corners: &[u32; 4]) -> bool {
        let [p, q, r, s] = corners.map(|at| self.precise((at >> 8) as usize, (at & 255) as usize));
        let largest = [&p, &q, &r, &s].into_iter().flatten().fold(0.0, |largest, x| max(largest, abs(x.high)));
        let bound = mul(FINE_VOLUME, mul(largest, largest));
        let (pq, qr, rp) = (cross_double(&p, &q), cross_double(&q, &r), cross_double(&r, &p));
        let volumes = [
            dot_doubles(&qr, &s).high,
            dot_doubles(&rp, &s).high,
            dot_doubles(&pq, &s).high,
            neg(dot_doubles(&pq, &r).high),
        ];
        volumes.iter().all(|volume| *volume > bound) || volumes.iter().all(|volume| *volume < neg(bound))
    }
}

fn dot_doubles(a: &[Double; 3], b: &[Double; 3]) -> Double {
    add_double(add_double(mul_double(a[0], b[0]), mul_double(a[1], b[1])), mul_double(a[2], b[2]))
}

fn cross_double(a: &[Double; 3], b: &[Double; 3]) -> [Double; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| sub_double(mul_double(a[i], b[j]), mul_double(a[j], b[i])))
}

/// The axes of a quaternion's rotation in single words; `None` outside the domain.
fn rough_axes(q: [f32; 4]) -> Option<[Vec3; 3]> {
    let largest = q.iter().fold(0, |largest, x| largest.max(exponent(*x)));
    if !EXPONENTS.contains(&largest) {
        return None;
    }
    let [x, y, z, w] = q.map(|x| mul(clean(x), f32::from_bits((254 - largest) << 23)));
    let (xx, yy, zz, ww) = (mul(x, x), mul(y, y), mul(z, z), mul(w, w));
    let twice = mul(2.0, recip(add(add(xx, yy), add(zz, ww))));
    let (xy, xz, yz) = (mul(x, y), mul(x, z), mul(y, z));
    let (wx, wy, wz) = (mul(w, x), mul(w, y), mul(w, z));
    let diagonal = |a: f32, b: f32| sub(1.0, mul(add(a, b), twice));
    Some([
        Vec3::new(diagonal(yy, zz), mul(add(xy, wz), twice), mul(sub(xz, wy), twice)),
        Vec3::new(mul(sub(xy, wz), twice), diagonal(xx, zz), mul(add(yz, wx), twice)),
        Vec3::new(mul(add(xz, wy), twice), mul(sub(yz, wx), twice), diagonal(xx, yy)),
    ])
}

/// What is certain of a hull, which is the second body, and another one that may be so far apart: any but a half-space. In double words where
/// single words do not suffice, if that is wanted.
pub(crate) fn verdict(first: &Part<'_>, hull: &Part<'_>, margin: f32, precisely: bool) -> Verdict {
    let Some(pair) = Pair::of(first, hull, margin) else { return Verdict::Open };
    let radius = if matches!(first.kind, Kind::Sphere | Kind::Capsule) { first.radius } else { 0.0 };
    decide(&pair, precisely, two_sum(mul(clean(radius), pair.scale), mul(clean(margin), pair.scale)))
}

/// Whether the cores of two bodies are further apart than a length, or nearer.
fn decide(pair: &Pair<'_>, precisely: bool, reach: Double) -> Verdict {
    let found = search(pair, [reach.high; 2]);
    if found.verdict != Verdict::Open {
        return found.verdict;
    }
    if found.four.is_some_and(|four| pair.surround(&four, precisely)) {
        return Verdict::Hit;
    }
    let is_beyond = |direction: Vec3| sub_double(pair.at_least(direction), reach).high > 0.0;
    if precisely && found.best != Vec3::ZERO && is_beyond(found.best) { Verdict::Miss } else { Verdict::Open }
}

/// What a search has found.
struct Found {
    /// Whether the cores are certainly further apart than the length that was asked about, or nearer.
    verdict: Verdict,
    /// The direction along which all differences were furthest, and how far; 0 if there is none.
    best: Vec3,
    height: f32,
    /// The differences around the one that was nearest to 0.
    simplex: Simplex,
    /// Four differences that may be around 0.
    four: Option<Simplex>,
}

/// Ends as soon as the cores are certainly nearer than `near`, if that is above 0, or further apart than `far`.
fn search(pair: &Pair<'_>, [near, far]: [f32; 2]) -> Found {
    let mut nearest = pair.difference(0, 0);
    let simplex = Simplex::of(nearest, 0);
    let mut found = Found { verdict: Verdict::Open, best: Vec3::ZERO, height: 0.0, simplex, four: None };
    let mut furthest = neg(f32::MAX);
    for _ in 0..ROUNDS {
        let near_square = dot3(nearest, nearest);
        if near > 0.0 && add(mul(near_square, rsqrt(near_square)), pair.error) < near {
            found.verdict = Verdict::Hit;
            break;
        }
        let normal = found.simplex.normal();
        let of_normal = dot3(normal, normal);
        let (towards, square) = if of_normal > LEAST_SQUARE { (normal, of_normal) } else { (nearest, near_square) };
        if !(square > LEAST_SQUARE) {
            break;
        }
        let (at, corners) = pair.support(towards);
        let inverse = rsqrt(square);
        let (height, before) = (mul(dot3(towards, at), inverse), mul(dot3(towards, found.simplex.corner()), inverse));
        if sub(height, pair.error) > far {
            found.verdict = Verdict::Miss;
            break;
        }
        if height > furthest {
            (found.best, found.height, furthest) = (towards, height, height);
        }
        if sub(before, height) < max(LEAST_STEP, mul(LEAST_STEP, before)) || found.simplex.has(corners) {
            break;
        }
        let grown = found.simplex.with(at, corners);
        if grown.count == 4 {
            found.four = Some(grown);
            break;
        }
        let point = grown.point();
        if !(dot3(point, point) < near_square) {
            break;
        }
        (found.simplex, nearest) = (grown, point);
    }
    found
}
