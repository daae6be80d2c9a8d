//! Segments and capsules: how far a segment is from a point, another segment or a box, against a length.
//!
//! Most pairs are decided in `f64`: points of both shapes that are near each other say that they are no further apart, and the direction from
//! one to the other says that they are no nearer. What is left is decided in integers: the square of each distance is rational. A segment
//! that does not meet a box is as far from it as the nearest of these: an end of the segment and the box, or the segment and an edge.

use std::cmp::Ordering;

use glam::DVec3;
use num_bigint::BigInt;

use super::int::{Int, Scale};
use super::near;
use super::near::Margin;
use super::ray::meets_box;
use super::rotation::IntQuaternion;
use super::sphere::from_squares;
use crate::Relation;
use crate::filter::Cuboid;
use crate::shape::kinds::BodyShape;
use crate::shape::{Aabb, Capsule, Obb};

/// More than all rounding in `f64`, as a share of the sum of all numbers. With u = 2⁻⁵³, an entry of an axis has an error of 10 u. So the point that is found
/// on a box is off it by less than 50 u of all numbers, and its distance by 3 u more; along a direction, whose length is off by 3 u, the body begins within
/// 40 u of where it is said to. Less than 100 u together; 8192 u are taken.
const SLACK: f64 = 1.0 / (1_u64 << 40) as f64;

/// The relation of a capsule and another body of which one is grown by a margin. Both must be valid.
pub(super) fn relation(capsule: &Capsule, other: &BodyShape<'_>, margin: Margin) -> Relation {
    let Some(rough) = Rough::of(other) else {
        return near::within(&BodyShape::Capsule(*capsule), other, margin);
    };
    let lengths = [capsule.radius(), rough.radius, margin.0[0], margin.0[1], margin.0[2]];
    rough.relation(capsule, lengths).unwrap_or_else(|| settled(capsule, other, lengths))
}

/// A body without its radius, in `f64`: what it is relative to, half a segment, or half extents along axes.
struct Rough {
    center: DVec3,
    axes: [DVec3; 3],
    half: [f64; 3],
    radius: f32,
    /// The sum of all numbers.
    size: f64,
}

fn sum(v: DVec3) -> f64 {
    v.x.abs() + v.y.abs() + v.z.abs()
}

impl Rough {
    /// `None` for half-spaces and hulls.
    fn of(body: &BodyShape<'_>) -> Option<Self> {
        let unit = DVec3::AXES;
        let (center, axes, half, radius) = match body {
            BodyShape::Sphere(ball) => (ball.center().as_dvec3(), unit, [0.0; 3], ball.radius()),
            BodyShape::Aabb(aabb) => {
                let (low, high) = (aabb.min().as_dvec3(), aabb.max().as_dvec3());
                ((low + high) / 2.0, unit, ((high - low) / 2.0).to_array(), 0.0)
            }
            BodyShape::Obb(obb) => {
                let Cuboid { center, half, axes } = Cuboid::<f64>::new(obb);
                (center.into(), axes.map(DVec3::from), half, 0.0)
            }
            BodyShape::Capsule(capsule) => {
                let (a, b) = (capsule.a().as_dvec3(), capsule.b().as_dvec3());
                let half = (b - a).length() / 2.0;
                let axis = ((b - a) / 2.0).try_normalize().unwrap_or(DVec3::X);
                ((a + b) / 2.0, [axis, DVec3::ZERO, DVec3::ZERO], [half, 0.0, 0.0], capsule.radius())
            }
            BodyShape::Plane(_) | BodyShape::ConvexHull(_) => return None,
        };
        Some(Self { center, axes, half, radius, size: sum(center) + half.iter().sum::<f64>() })
    }

    /// The point of the body that is nearest to another.
    fn nearest(&self, point: DVec3) -> DVec3 {
        let t = point - self.center;
        (0..3).fold(self.center, |sum, k| sum + self.axes[k] * self.axes[k].dot(t).clamp(-self.half[k], self.half[k]))
    }

    /// What is certain of the distance from a segment, against a sum of lengths.
    fn relation(&self, capsule: &Capsule, lengths: [f32; 5]) -> Option<Relation> {
        let (from, to) = (capsule.a().as_dvec3(), capsule.b().as_dvec3());
        let (on_segment, on_other) = self.nearest_to_segment(from, to - from);
        let reach: f64 = lengths.iter().map(|x| f64::from(*x)).sum();
        let slack = SLACK * (sum(from) + sum(to) + self.size + reach);
        let apart = on_other - on_segment;
        let distance = apart.length();
        if distance < reach - slack {
            return Some(Relation::Overlapping);
        }
        let n = apart / distance;
        let least = n.dot(self.center) - (0..3).map(|k| self.half[k] * n.dot(self.axes[k]).abs()).sum::<f64>();
        (least - n.dot(from).max(n.dot(to)) > reach + slack).then_some(Relation::Separate)
    }

    /// Points of a segment and of the body that are near each other: where the distance, which falls and then rises along the segment, has
    /// its least value.
    fn nearest_to_segment(&self, from: DVec3, way: DVec3) -> (DVec3, DVec3) {
        let at = |time: f64| from + way * time;
        let slope = |time: f64| way.dot(at(time) - self.nearest(at(time)));
        // Between these times the slope is linear. (Those before the start or after the end do not matter.)
        let mut times = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        for (k, (axis, half)) in self.axes.iter().zip(self.half).enumerate() {
            let (start, rate) = (axis.dot(from - self.center), axis.dot(way));
            for (side, face) in [-half, half].into_iter().enumerate() {
                let passed = (face - start) / rate;
                times[2 + 2 * k + side] = if passed > 0.0 && passed < 1.0 { passed } else { 0.0 };
            }
        }
        times.sort_by(f64::total_cmp);
        let mut time = 0.0;
        for pair in times.windows(2) {
            let slopes = [slope(pair[0]), slope(pair[1])];
            if slopes[0] >= 0.0 {
                break;
            }
            let part = if slopes[1] > 0.0 { slopes[0] / (slopes[0] - slopes[1]) } else { 1.0 };
            time = pair[0] + part * (pair[1] - pair[0]);
        }
        (at(time), self.nearest(at(time)))
    }
}

pub(super) type Vector = [BigInt; 3];

pub(super) fn minus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|k| Int::sub(&a[k], &b[k]))
}

pub(super) fn plus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|k| Int::add(&a[k], &b[k]))
}

pub(super) fn cross(a: &Vector, b: &Vector) -> Vector {
    let term = |i: usize, j: usize| Int::sub(&Int::mul(&a[i], &b[j]), &Int::mul(&a[j], &b[i]));
    [term(1, 2), term(2, 0), term(0, 1)]
}

fn square(v: &Vector) -> BigInt {
    BigInt::dot(v, v)
}

/// A segment, or a half-line.
pub(super) struct Line {
    pub from: Vector,
    /// To the end of a segment; of a half-line any part of the way.
    pub way: Vector,
    pub ends: bool,
}

impl Line {
    fn end(&self) -> Option<Vector> {
        self.ends.then(|| plus(&self.from, &self.way))
    }

    /// The square of a point's distance, over the square of the way's length if the nearest point is within the line.
    pub(super) fn square_from(&self, point: &Vector) -> (BigInt, BigInt) {
        let t = minus(point, &self.from);
        let (along, way) = (BigInt::dot(&t, &self.way), square(&self.way));
        if along <= BigInt::zero() {
            (square(&t), BigInt::from(1))
        } else if self.ends && along >= way {
            (square(&minus(&t, &self.way)), BigInt::from(1))
        } else {
            (Int::sub(&Int::mul(&square(&t), &way), &Int::mul(&along, &along)), way)
        }
    }

    /// The distance of a point, against a length whose square is given.
    fn point(&self, point: &Vector, limit: &BigInt) -> Ordering {
        let (square, over) = self.square_from(point);
        square.cmp(&Int::mul(limit, &over))
    }

    /// The distance of another line, against a length whose square is given.
    pub(super) fn line(&self, other: &Self, limit: &BigInt) -> Ordering {
        let own = [Some(self.from.clone()), self.end()].into_iter().flatten().map(|point| other.point(&point, limit));
        let theirs =
            [Some(other.from.clone()), other.end()].into_iter().flatten().map(|point| self.point(&point, limit));
        own.chain(theirs).min().unwrap_or(Ordering::Greater).min(self.inside(other, limit))
    }

    /// The distance of points inside both lines; greater if the nearest points are ends.
    fn inside(&self, other: &Self, limit: &BigInt) -> Ordering {
        let across = cross(&self.way, &other.way);
        let (whole, zero) = (square(&across), BigInt::zero());
        if whole == zero {
            return Ordering::Greater;
        }
        let t = minus(&other.from, &self.from);
        let is_inside = |line: &Self, way: &Vector| {
            let time = BigInt::dot(&cross(&t, way), &across);
            time >= zero && (!line.ends || time <= whole)
        };
        if !(is_inside(self, &other.way) && is_inside(other, &self.way)) {
            return Ordering::Greater;
        }
        let apart = BigInt::dot(&t, &across);
        Int::mul(&apart, &apart).cmp(&Int::mul(limit, &whole))
    }

    /// The relation of a segment with a box around the origin, one of which is grown by a length.
    fn with_box(&self, half: &Vector, reach: &BigInt) -> Relation {
        let zero = BigInt::zero();
        let low = [0, 1, 2].map(|k| Int::sub(&Int::sub(&zero, &half[k]), &self.from[k]));
        let high = minus(half, &self.from);
        if meets_box(&low, &high, &self.way, true) {
            let overlaps = *reach > zero || self.is_in_interior(half);
            return if overlaps { Relation::Overlapping } else { Relation::Touching };
        }
        let limit = Int::mul(reach, reach);
        let from_point = |point: &Vector| {
            let beyond = [0, 1, 2].map(|k| Int::sub(&Int::abs(&point[k]), &half[k]).max(BigInt::zero()));
            square(&beyond).cmp(&limit)
        };
        let mut order = from_point(&self.from).min(from_point(&plus(&self.from, &self.way)));
        for edge in 0..12 {
            let (axis, signs) = (edge / 4, [edge & 1, edge >> 1 & 1]);
            let others = [(axis + 1) % 3, (axis + 2) % 3];
            let mut from = half.clone().map(|x| Int::sub(&zero, &x));
            for (other, sign) in others.into_iter().zip(signs) {
                if sign == 1 {
                    from[other].clone_from(&half[other]);
                }
            }
            let mut way = [zero.clone(), zero.clone(), zero.clone()];
            way[axis] = half[axis].twice();
            order = order.min(self.line(&Self { from, way, ends: true }, &limit));
        }
        from_squares(order)
    }

    /// Whether 0 is inside the differences of a segment and a box that meet, and not on their surface: along each normal of a face of
    /// these differences, which are the axes of the box and those across both the segment and an edge.
    fn is_in_interior(&self, half: &Vector) -> bool {
        let middle = [0, 1, 2].map(|k| Int::add(&self.from[k].twice(), &self.way[k]));
        let zero = BigInt::zero();
        let unit = |k: usize| [0, 1, 2].map(|i| BigInt::from(i32::from(i == k)));
        let normals = (0..3).map(unit).chain((0..3).map(|k| cross(&self.way, &unit(k))));
        let mut normals = normals.filter(|n| n.iter().any(|x| *x != zero));
        normals.all(|n| {
            let reach = [0, 1, 2].map(|k| Int::mul(&half[k].twice(), &Int::abs(&n[k])));
            let reach = reach.iter().fold(Int::abs(&BigInt::dot(&n, &self.way)), |sum, x| Int::add(&sum, x));
            Int::abs(&BigInt::dot(&n, &middle)) < reach
        })
    }
}

/// By integers alone.
fn settled(capsule: &Capsule, other: &BodyShape<'_>, lengths: [f32; 5]) -> Relation {
    let ends = capsule.a().to_array().into_iter().chain(capsule.b().to_array()).chain(lengths);
    match other {
        BodyShape::Sphere(ball) => {
            let exact = Exact::new(capsule, lengths, Scale::of(ends.chain(ball.center().to_array())));
            from_squares(exact.line.point(&exact.scale.apply_all(ball.center().to_array()), &exact.limit()))
        }
        BodyShape::Capsule(other) => {
            let numbers = ends.chain(other.a().to_array()).chain(other.b().to_array());
            let exact = Exact::new(capsule, lengths, Scale::of(numbers));
            from_squares(exact.line.line(&line_of(other, exact.scale), &exact.limit()))
        }
        BodyShape::Aabb(aabb) => {
            let numbers = ends.chain(aabb.min().to_array()).chain(aabb.max().to_array());
            Exact::new(capsule, lengths, Scale::of(numbers)).with_aabb(aabb)
        }
        BodyShape::Obb(obb) => {
            let numbers = ends.chain(obb.center().to_array()).chain(obb.half_extents().to_array());
            Exact::new(capsule, lengths, Scale::of(numbers)).with_obb(obb)
        }
        BodyShape::Plane(_) | BodyShape::ConvexHull(_) => {
            let margin = Margin([lengths[2], lengths[3], lengths[4]]);
            near::within(&BodyShape::Capsule(*capsule), other, margin)
        }
    }
}

/// The segment of a capsule, in units of a scale.
pub(super) fn line_of(capsule: &Capsule, scale: Scale) -> Line {
    let [from, to]: [Vector; 2] = [capsule.a(), capsule.b()].map(|end| scale.apply_all(end.to_array()));
    Line { way: minus(&to, &from), from, ends: true }
}

/// A capsule in integers, and the sum of all radii and margins.
struct Exact {
    line: Line,
    reach: BigInt,
    scale: Scale,
}

impl Exact {
    fn new(capsule: &Capsule, lengths: [f32; 5], scale: Scale) -> Self {
        let reach = lengths.into_iter().fold(BigInt::zero(), |sum, x| Int::add(&sum, &scale.apply(x)));
        Self { line: line_of(capsule, scale), reach, scale }
    }

    fn limit(&self) -> BigInt {
        Int::mul(&self.reach, &self.reach)
    }

    /// All lengths doubled, so that the middle of the box is an integer.
    fn with_aabb(&self, aabb: &Aabb) -> Relation {
        let [min, max]: [Vector; 2] = [aabb.min(), aabb.max()].map(|corner| self.scale.apply_all(corner.to_array()));
        let from = minus(&minus(&self.line.from.clone().map(|x| x.twice()), &min), &max);
        let line = Line { from, way: self.line.way.clone().map(|x| x.twice()), ends: true };
        line.with_box(&minus(&max, &min), &self.reach.twice())
    }

    /// n times the coordinates in the box's frame.
    fn with_obb(&self, obb: &Obb) -> Relation {
        let center: Vector = self.scale.apply_all(obb.center().to_array());
        let half: Vector = self.scale.apply_all(obb.half_extents().to_array());
        let m = IntQuaternion::new(obb.rotation_array()).matrix::<BigInt>();
        let seen = |v: &Vector| [0, 1, 2].map(|k| BigInt::dot(&m.columns[k], v));
        let line = Line { from: seen(&minus(&self.line.from, &center)), way: seen(&self.line.way), ends: true };
        line.with_box(&half.map(|x| Int::mul(&x, &m.n)), &Int::mul(&self.reach, &m.n))
    }
}
