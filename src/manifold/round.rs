//! Contacts of spheres.

use glam::Vec3;

use super::axes::TOLERANCE;
use super::frame::{Solid, clamped, signed};
use super::points::{Points, point_to_world, to_world};
use crate::det::{abs, add, dot3, length_squared3, mul, neg, neg3, rsqrt, scale3, sub, sub3, two_prod};
use crate::query::ContactKind;

/// The square of the least distance that has a direction: 2⁻³⁵ of the pair's size, where squares are far above what is rounded to 0.
pub(super) const LEAST_SQUARE: f32 = 1.0 / (1_u128 << 70) as f32;

/// The unit vector along a vector, and its length, from the square of that: root and quotients with a further step of Newton's method, so
/// that what is an `f32` comes out as it is.
pub(super) fn direction(v: Vec3, square: f32) -> (Vec3, f32) {
    let inverse = rsqrt(square);
    let guess = mul(square, inverse);
    let length = add(guess, mul(mul(0.5, inverse), rest(square, guess, guess)));
    let over = |x: f32| {
        let guess = mul(x, inverse);
        add(guess, mul(inverse, rest(x, guess, length)))
    };
    (Vec3::new(over(v.x), over(v.y), over(v.z)), length)
}

/// x − a b.
fn rest(x: f32, a: f32, b: f32) -> f32 {
    let product = two_prod(a, b);
    sub(sub(x, product.high), product.low)
}

/// Along the line of the centres, depth rA + rB − |t|; +x for one centre on the other.
pub(super) fn spheres(a: &Solid, b: &Solid, between: Vec3, depth_of: impl Fn(f32) -> f32) -> Points {
    let square = length_squared3(between);
    let (mut normal, mut distance) = direction(between, square);
    if square < LEAST_SQUARE {
        normal = Vec3::X;
        distance = 0.0;
    }
    let depth = depth_of(sub(add(a.half[0], b.half[0]), distance));
    let on_b = sub3(Vec3::from(b.center), scale3(normal, b.half[0]));
    Points::one(normal.into(), depth, ContactKind::Round, on_b.into(), 0.0)
}

/// From the point of the box nearest to the centre; with the centre inside, out through the nearest face: then the depth is r plus the
/// distance to the face.
pub(super) fn sphere_and_box(sphere: &Solid, cuboid: &Solid, between: Vec3, depth_of: impl Fn(f32) -> f32) -> Points {
    let local = neg3(Vec3::from(cuboid.axes.map(|axis| dot3(axis.into(), between))));
    let half = Vec3::from(cuboid.half);
    let mut nearest = Vec3::new(clamped(local.x, half.x), clamped(local.y, half.y), clamped(local.z, half.z));
    let outward = sub3(local, nearest);
    let square = length_squared3(outward);
    let normal;
    let out;
    if square < LEAST_SQUARE {
        let tolerance = mul(TOLERANCE, add(sphere.size(), cuboid.size()));
        let (mut axis, mut least) = (0, sub(half.x, abs(local.x)));
        for k in 1..3 {
            let depth = sub(half[k], abs(local[k]));
            if add(depth, tolerance) < least {
                (axis, least) = (k, depth);
            }
        }
        let positive = !(local[axis] < 0.0);
        nearest[axis] = signed(half[axis], positive);
        let along = Vec3::from(cuboid.axes[axis]);
        normal = if positive { neg3(along) } else { along }.into();
        out = neg(least);
    } else {
        let (unit, distance) = direction(outward, square);
        normal = to_world(cuboid, unit.into()).map(neg);
        out = distance;
    }
    let depth = depth_of(sub(sphere.half[0], out));
    let on_b = point_to_world(cuboid, nearest.into());
    Points::one(normal, depth, ContactKind::Round, on_b, 0.0)
}
