//! Balls in integers, and balls that may be some way apart: a margin adds to the radius.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::int::{Int, Scale};
use super::near::Margin;
use super::rotation::IntQuaternion;
use crate::Relation;
use crate::shape::{Aabb, Obb, Sphere};

/// The relation from the order of the squared distance and the squared radius, both of whose roots are known to be ≥ 0.
pub(super) fn from_squares(order: Ordering) -> Relation {
    match order {
        Ordering::Greater => Relation::Separate,
        Ordering::Equal => Relation::Touching,
        Ordering::Less => Relation::Overlapping,
    }
}

/// The sum of a margin and of radii.
fn reach<I: Int, const N: usize>(radii: [f32; N], margin: Margin, scale: Scale) -> I {
    radii.into_iter().chain(margin.0).fold(I::zero(), |sum, x| sum.add(&scale.apply(x)))
}

fn square<I: Int>(v: &[I; 3]) -> I {
    I::dot(v, v)
}

/// |t|² against (rA + rB)².
pub(super) fn sphere_sphere(a: &Sphere, b: &Sphere, margin: Margin) -> Relation {
    fn decide<I: Int>(a: &Sphere, b: &Sphere, margin: Margin, scale: Scale) -> Relation {
        let [ca, cb]: [[I; 3]; 2] = [a, b].map(|s| scale.apply_all(s.center().to_array()));
        let t = [0, 1, 2].map(|k| cb[k].sub(&ca[k]));
        let radius: I = reach([a.radius(), b.radius()], margin, scale);
        from_squares(square(&t).cmp(&radius.mul(&radius)))
    }
    let numbers = |s: &Sphere| s.center().to_array().into_iter().chain([s.radius()]);
    let scale = Scale::of(numbers(a).chain(numbers(b)).chain(margin.0));
    // A difference has one bit more, the sum of five lengths three; its square twice as many, three of them two more.
    if 2 * (scale.bits + 3) + 2 < 127 {
        decide::<i128>(a, b, margin, scale)
    } else {
        decide::<BigInt>(a, b, margin, scale)
    }
}

/// The squared distance of the centre from the box against r². With r = 0 the ball is a point, which overlaps when it lies
/// strictly inside.
pub(super) fn sphere_aabb(sphere: &Sphere, aabb: &Aabb, margin: Margin) -> Relation {
    fn decide<I: Int>(sphere: &Sphere, aabb: &Aabb, margin: Margin, scale: Scale) -> Relation {
        let c: [I; 3] = scale.apply_all(sphere.center().to_array());
        let [min, max]: [[I; 3]; 2] = [aabb.min(), aabb.max()].map(|x| scale.apply_all(x.to_array()));
        let outside = [0, 1, 2].map(|k| min[k].sub(&c[k]).max(c[k].sub(&max[k])));
        of_point_and_box(&outside, &reach([sphere.radius()], margin, scale))
    }
    let corners = aabb.min().to_array().into_iter().chain(aabb.max().to_array());
    let ball = sphere.center().to_array().into_iter().chain([sphere.radius()]);
    let scale = Scale::of(ball.chain(corners).chain(margin.0));
    if 2 * (scale.bits + 2) + 2 < 127 {
        decide::<i128>(sphere, aabb, margin, scale)
    } else {
        decide::<BigInt>(sphere, aabb, margin, scale)
    }
}

/// |M·t| − n e in each of the box's axes, against n r.
pub(super) fn sphere_obb(sphere: &Sphere, obb: &Obb, margin: Margin) -> Relation {
    fn decide<I: Int>(sphere: &Sphere, obb: &Obb, margin: Margin, scale: Scale, q: &IntQuaternion) -> Relation {
        let [ball, c]: [[I; 3]; 2] = [sphere.center(), obb.center()].map(|x| scale.apply_all(x.to_array()));
        let t = [0, 1, 2].map(|k| ball[k].sub(&c[k]));
        let half: [I; 3] = scale.apply_all(obb.half_extents().to_array());
        let m = q.matrix::<I>();
        let outside = [0, 1, 2].map(|i| I::dot(&m.columns[i], &t).abs().sub(&m.n.mul(&half[i])));
        of_point_and_box(&outside, &m.n.mul(&reach([sphere.radius()], margin, scale)))
    }
    let ball = sphere.center().to_array().into_iter().chain([sphere.radius()]);
    let scale = Scale::of(ball.chain(obb.center().to_array()).chain(obb.half_extents().to_array()).chain(margin.0));
    let q = IntQuaternion::new(obb.rotation_array());
    // M has 2q + 2 bits, M·t then 2q + p + 5; squared and three of them added.
    if 2 * (2 * q.bits() + scale.bits + 6) + 2 < 127 {
        decide::<i128>(sphere, obb, margin, scale, &q)
    } else {
        decide::<BigInt>(sphere, obb, margin, scale, &q)
    }
}

/// A point that lies `outside[k]` beyond the box's faces in each direction (negative: inside), against a radius.
fn of_point_and_box<I: Int>(outside: &[I; 3], radius: &I) -> Relation {
    let zero = I::zero();
    if outside.iter().all(|d| *d < zero) {
        return Relation::Overlapping;
    }
    let clamped = outside.clone().map(|d| d.max(zero.clone()));
    from_squares(square(&clamped).cmp(&radius.mul(radius)))
}
