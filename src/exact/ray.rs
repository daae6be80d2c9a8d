//! Rays in integers: half-lines, or segments up to a last time.

use num_bigint::BigInt;

use super::int::{Int, Scale};
use super::rotation::IntQuaternion;
use super::segment::Line;
use super::{faces, half_space};
use crate::shape::kinds::BodyShape;
use crate::shape::{Aabb, Capsule, Obb, Plane, Ray, Sphere};

/// A ray in integers. Of a segment the direction is the way to its end, in the unit of positions; that of a half-line has a unit of its
/// own, since only its proportions matter.
pub(super) struct IntRay<I> {
    pub origin: [I; 3],
    pub direction: [I; 3],
    pub is_segment: bool,
}

/// A segment in big integers, and the power of two that is the unit of positions.
pub(super) struct Units {
    positions: Scale,
    /// How far positions are shifted to the left to be in the unit of the segment's end, if that is the smaller one.
    shift: u32,
}

impl Units {
    pub(super) fn apply<I: Int, const N: usize>(&self, v: [f32; N]) -> [I; N] {
        self.positions.apply_all::<I, N>(v).map(|x| x.shl(self.shift))
    }
}

/// The ray in integers, and the units of positions with these numbers.
pub(super) fn ray_in<I: Int>(ray: &Ray, limit: f32, positions: Scale) -> (IntRay<I>, Units) {
    let direction = Scale::of(ray.direction().to_array());
    let way: [I; 3] = direction.apply_all(ray.direction().to_array());
    let mut units = Units { positions, shift: 0 };
    let is_segment = limit.is_finite();
    let mut end = way;
    if is_segment {
        let time = Scale::of([limit]);
        let unit = direction.exponent() + time.exponent();
        units.shift = (positions.exponent() - unit).max(0) as u32;
        let (time, back) = (time.apply::<I>(limit), (unit - positions.exponent()).max(0) as u32);
        end = end.map(|x| x.mul(&time).shl(back));
    }
    (IntRay { origin: units.apply(ray.origin().to_array()), direction: end, is_segment }, units)
}

/// Whether a path that passes `rate[k] · time` along each axis k, for times from 0 on (up to 1 for a segment), meets the box from `low` to
/// `high`.
///
/// The times inside each pair of faces are an interval, and intervals have a time in common if each two of them have: A/g ≤ B′/g′ is
/// A g′ ≤ B′ g.
pub(super) fn meets_box<I: Int>(low: &[I; 3], high: &[I; 3], rate: &[I; 3], is_segment: bool) -> bool {
    let zero = I::zero();
    let minus = |x: &I| zero.sub(x);
    // As if the ray went up along each axis.
    let axes = [0, 1, 2].map(|k| {
        if rate[k] < zero {
            (minus(&high[k]), minus(&low[k]), minus(&rate[k]))
        } else {
            (low[k].clone(), high[k].clone(), rate[k].clone())
        }
    });
    axes.iter().enumerate().all(|(k, (near, far, rate))| {
        let reached = if is_segment { near <= rate } else { *near <= zero || *rate > zero };
        let others = axes.iter().enumerate().filter(|(other, _)| *other != k);
        reached && *far >= zero && others.into_iter().all(|(_, (_, exit, other))| near.mul(other) <= exit.mul(rate))
    })
}

fn numbers(ray: &Ray) -> impl Iterator<Item = f32> + Clone {
    ray.origin().to_array().into_iter()
}

fn ray_aabb(ray: &Ray, limit: f32, aabb: &Aabb) -> bool {
    fn decide<I: Int>(ray: &Ray, limit: f32, aabb: &Aabb, scale: Scale) -> bool {
        let (path, units) = ray_in::<I>(ray, limit, scale);
        let [min, max]: [[I; 3]; 2] = [aabb.min(), aabb.max()].map(|x| units.apply(x.to_array()));
        let from = |corner: &[I; 3]| [0, 1, 2].map(|k| corner[k].sub(&path.origin[k]));
        meets_box(&from(&min), &from(&max), &path.direction, path.is_segment)
    }
    let corners = aabb.min().to_array().into_iter().chain(aabb.max().to_array());
    let scale = Scale::of(numbers(ray).chain(corners));
    // A difference has one bit more, its product with the direction as many as both together.
    let narrow = scale.bits + 1 + Scale::of(ray.direction().to_array()).bits < 127;
    if narrow && limit == f32::INFINITY {
        decide::<i128>(ray, limit, aabb, scale)
    } else {
        decide::<BigInt>(ray, limit, aabb, scale)
    }
}

/// n times the coordinates in the box's frame, whose axes are the columns of M = n R over n.
fn ray_obb(ray: &Ray, limit: f32, obb: &Obb) -> bool {
    let halves = obb.center().to_array().into_iter().chain(obb.half_extents().to_array());
    let (path, units) = ray_in::<BigInt>(ray, limit, Scale::of(numbers(ray).chain(halves)));
    let center: [BigInt; 3] = units.apply(obb.center().to_array());
    let half: [BigInt; 3] = units.apply(obb.half_extents().to_array());
    let m = IntQuaternion::new(obb.rotation_array()).matrix::<BigInt>();
    let t = [0, 1, 2].map(|k| Int::sub(&center[k], &path.origin[k]));
    let place = [0, 1, 2].map(|i| BigInt::dot(&m.columns[i], &t));
    let reach = [0, 1, 2].map(|i| Int::mul(&m.n, &half[i]));
    let low = [0, 1, 2].map(|i| Int::sub(&place[i], &reach[i]));
    let high = [0, 1, 2].map(|i| Int::add(&place[i], &reach[i]));
    let rate = [0, 1, 2].map(|i| BigInt::dot(&m.columns[i], &path.direction));
    meets_box(&low, &high, &rate, path.is_segment)
}

/// The squared distance of the centre from the nearest point of the ray, against r².
fn ray_sphere(ray: &Ray, limit: f32, sphere: &Sphere) -> bool {
    fn decide<I: Int>(ray: &Ray, limit: f32, sphere: &Sphere, scale: Scale) -> bool {
        let (path, units) = ray_in::<I>(ray, limit, scale);
        let center: [I; 3] = units.apply(sphere.center().to_array());
        let [radius] = units.apply::<I, 1>([sphere.radius()]);
        let t = [0, 1, 2].map(|k| center[k].sub(&path.origin[k]));
        let limit = radius.mul(&radius);
        let square = |v: &[I; 3]| I::dot(v, v);
        let (along, way) = (I::dot(&t, &path.direction), square(&path.direction));
        if along <= I::zero() {
            square(&t) <= limit
        } else if path.is_segment && along >= way {
            square(&[0, 1, 2].map(|k| t[k].sub(&path.direction[k]))) <= limit
        } else {
            square(&t).mul(&way) <= along.mul(&along).add(&limit.mul(&way))
        }
    }
    let scale = Scale::of(numbers(ray).chain(sphere.center().to_array()).chain([sphere.radius()]));
    // Products of four, of which three are added.
    let narrow = 2 * (scale.bits + 1 + Scale::of(ray.direction().to_array()).bits) + 6 < 127;
    if narrow && limit == f32::INFINITY {
        decide::<i128>(ray, limit, sphere, scale)
    } else {
        decide::<BigInt>(ray, limit, sphere, scale)
    }
}

/// The squared distance of the ray from the segment, against r².
fn ray_capsule(ray: &Ray, limit: f32, capsule: &Capsule) -> bool {
    let ends = capsule.a().to_array().into_iter().chain(capsule.b().to_array()).chain([capsule.radius()]);
    let (path, units) = ray_in::<BigInt>(ray, limit, Scale::of(numbers(ray).chain(ends)));
    let [a, b]: [[BigInt; 3]; 2] = [capsule.a(), capsule.b()].map(|end| units.apply(end.to_array()));
    let [radius] = units.apply::<BigInt, 1>([capsule.radius()]);
    let segment = Line { way: [0, 1, 2].map(|k| Int::sub(&b[k], &a[k])), from: a, ends: true };
    let path = Line { from: path.origin, way: path.direction, ends: path.is_segment };
    path.line(&segment, &Int::mul(&radius, &radius)).is_le()
}

/// Whether it starts in the half-space, ends in it, or goes towards it without end.
fn ray_half_space(ray: &Ray, limit: f32, plane: &Plane) -> bool {
    let [origin, direction] = [ray.origin(), ray.direction()].map(|v| v.to_array());
    let side_at = |time: f32| half_space::side_of_end(plane, origin, direction, time);
    let ends_inside = || {
        if limit.is_finite() {
            return side_at(limit).is_le();
        }
        let level = Plane::new(plane.normal(), 0.0);
        level.is_ok_and(|level| half_space::side_of_end(&level, [0.0; 3], direction, 1.0).is_lt())
    };
    side_at(0.0).is_le() || ends_inside()
}

/// Whether a valid ray meets a valid shape at a time from 0 to `limit`, which may be infinite.
pub(super) fn ray_shape(ray: &Ray, limit: f32, shape: &BodyShape<'_>) -> bool {
    match shape {
        BodyShape::Sphere(sphere) => ray_sphere(ray, limit, sphere),
        BodyShape::Aabb(aabb) => ray_aabb(ray, limit, aabb),
        BodyShape::Obb(obb) => ray_obb(ray, limit, obb),
        BodyShape::Capsule(capsule) => ray_capsule(ray, limit, capsule),
        BodyShape::Plane(plane) => ray_half_space(ray, limit, plane),
        BodyShape::ConvexHull(hull) => faces::ray_hull(ray, limit, hull),
    }
}
