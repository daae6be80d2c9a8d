//! Hulls and other bodies in deterministic arithmetic: whether they are nearer than a margin ([`verdict`]), how far apart ([`clearance`]), and that at
//! some moments ([`Moment`]).
//!
//! The algorithm of Gilbert, Johnson and Keerthi looks for the difference of corners that is nearest to 0, and may be wrong. What it returns is looked at
//! again in double words: how far all differences are along the best direction, which proves that the bodies are apart, or whether 0 is inside a
//! tetrahedron of four differences, which proves that they overlap. Where neither is so, exact arithmetic decides.
//!
//! The twins in WGSL are `shaders/lib/hulls.wgsl`, which the stage `hull_pairs` has in the arithmetic of the device, since only its proofs count, and
//! `shaders/lib/precise_hulls.wgsl`.

use glam::Vec3;

use super::simplex::Simplex;
use super::{EXPONENTS, Verdict, exponent};
use crate::det::{
    Double, abs, add, add_double, add3, clean, dot3, max, mul, mul_double, neg, neg3, rsqrt, scale3, sub, sub_double,
    sub3, two_sum,
};
use crate::manifold::Precise;
use crate::shape::kinds::Kind;

mod apart;
mod axis;
mod contact;
mod faces;
mod moment;
mod over;
mod polytope;
#[cfg(all(test, feature = "gpu"))]
mod tests;
#[cfg(feature = "gpu")]
mod verdict;

pub(crate) use apart::{Body, PrecisePair, clearance, scaled_pair};
pub(crate) use axis::{Axis, CLOSE, axis};
#[cfg(feature = "gpu")]
pub(crate) use axis::{Ended, Ways};
pub(crate) use contact::manifold;
#[cfg(feature = "gpu")]
pub(crate) use contact::{MeetingAxis, PARALLEL, SLACK, manifold_along, meeting_axis_of, meeting_ways};
#[cfg(feature = "gpu")]
pub(crate) use faces::{FLAT, LEAST_COSINE, MOST_CORNERS};
pub(super) use moment::Moment;
pub(crate) use over::Heights;
#[cfg(feature = "gpu")]
pub(crate) use over::OF_HEIGHT_OVER;
pub(crate) use polytope::aside;
#[cfg(feature = "gpu")]
pub(crate) use polytope::{ABOVE, BEYOND, Deepest, EDGES, FACES, POINTS, PRECISION, THIN};
#[cfg(feature = "gpu")]
pub(crate) use verdict::{FINE_VOLUME, OF_HEIGHT, OF_REACH, OF_VOLUME, verdict};

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
/// sums have smaller errors; quotients and roots may be off by 5 u and 4 u, which makes 97 u of the 86. Verdicts reckon with twice of all this, for devices
/// that round to either neighbour.
pub(crate) const OF_CORNERS: f32 = 128.0 / (1 << 24) as f32;
pub(crate) const OF_WAY: f32 = 32.0 / (1 << 24) as f32;
/// Corners that are less than this above the lowest one, along a direction of at most 2√3, may be the lowest.
pub(crate) const LOW: f32 = 1.0 / (1 << 13) as f32;
/// What is wrong with a height along a unit vector in double words: entries of rotations have errors of 2⁻⁴⁴, products and sums of less; and
/// numbers below 2⁻¹⁰⁰ count as 0, which is up to 2⁻⁴⁰ of the smallest bodies. Of up to 24 lengths together less than 2⁻³⁵.
pub(crate) const FINE: f32 = 1.0 / (1_u64 << 32) as f32;

/// A body as slots have it, or frames.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'a> {
    pub kind: Kind,
    /// Centre, lower corner, end of a segment, or position.
    pub place: [f32; 3],
    /// Upper corner, half extents, or the other end.
    pub second: [f32; 3],
    #[cfg_attr(not(feature = "gpu"), allow(dead_code, reason = "only verdicts need it"))]
    pub radius: f32,
    #[cfg_attr(not(feature = "gpu"), allow(dead_code, reason = "only verdicts need it"))]
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
}

fn high(axis: &[Double; 3]) -> Vec3 {
    Vec3::from(axis.map(|x| x.high))
}

/// A hull and another body, scaled so that the largest length is from 1 to 2; everything is relative to the hull's position.
pub(crate) struct Pair<'a> {
    first: &'a Part<'a>,
    hull: &'a Part<'a>,
    /// The axes of the other body, if it turns, and those of the hull.
    axes: [[Vec3; 3]; 2],
    /// The other body's position.
    pub(crate) t: [Double; 3],
    scale: f32,
    /// More than what is wrong with a height in single words.
    error: f32,
}

impl<'a> Pair<'a> {
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
    pub(crate) fn local(&self, body: usize, i: usize) -> Vec3 {
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

    fn turns(&self, body: usize) -> bool {
        body == 1 || self.first.turns()
    }

    /// A direction as a body that turns sees it, scaled, since its corners are not.
    pub(crate) fn seen(&self, body: usize, direction: Vec3) -> Vec3 {
        if !self.turns(body) {
            return direction;
        }
        let [x, y, z] = self.axes[body].map(|axis| dot3(axis, direction));
        scale3(Vec3::new(x, y, z), self.scale)
    }

    /// How high a corner of a body is along a direction that it sees; that of the other body without `t`.
    pub(crate) fn height(&self, body: usize, i: usize, seen: Vec3) -> f32 {
        dot3(seen, if self.turns(body) { self.local(body, i) } else { high(&self.fixed(i)) })
    }

    /// The largest sum of a corner's coordinates, scaled.
    pub(crate) fn size(&self, body: usize) -> f32 {
        mul(if body == 0 { self.first.largest_sum() } else { self.hull.largest_sum() }, self.scale)
    }

    fn count(&self, body: usize) -> usize {
        if body == 0 { self.first.count() } else { self.hull.count() }
    }

    /// The corner of a body that is lowest along a direction, and how high it is.
    pub(crate) fn lowest(&self, body: usize, direction: Vec3) -> (usize, f32) {
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
}

fn dot_doubles(a: &[Double; 3], b: &[Double; 3]) -> Double {
    add_double(add_double(mul_double(a[0], b[0]), mul_double(a[1], b[1])), mul_double(a[2], b[2]))
}

fn cross_double(a: &[Double; 3], b: &[Double; 3]) -> [Double; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| sub_double(mul_double(a[i], b[j]), mul_double(a[j], b[i])))
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
