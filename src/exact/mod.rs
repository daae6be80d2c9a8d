//! The exact verdicts: an `f64` filter, then integers on what it leaves open.
//!
//! Every finite `f32` is taken as the real number it is, and quaternions of any length as the rotation they exactly
//! describe. A shape that its `validate` refuses has no points: it is separate from everything and outside every
//! half-space. (A filter's miss needs no such check: it already says separate.)

mod aligned;
mod boxes;
mod closest;
mod convex;
mod faces;
mod half_space;
mod hull;
mod int;
mod near;
mod plane;
mod ray;
mod rotation;
mod segment;
mod sphere;

pub(crate) use closest::Away;
pub(crate) use convex::{Core, convex};
pub(crate) use faces::local_planes;
pub(crate) use near::Margin;

use glam::Vec3;

use crate::filter::{self, AxisSet, Cuboid, Verdict};
use crate::shape::kinds::BodyShape;
use crate::shape::{Aabb, Capsule, Obb, PlacedHull, Plane, Pose, Ray, Sphere};
use crate::{Relation, Side};

/// The relation that a filter's verdict means, or what `settle` finds for the open axes.
#[inline(always)]
fn settled(verdict: Verdict, valid: impl FnOnce() -> bool, settle: impl FnOnce(AxisSet) -> Relation) -> Relation {
    match verdict {
        Verdict::Miss => Relation::Separate,
        _ if !valid() => Relation::Separate,
        Verdict::Hit => Relation::Overlapping,
        Verdict::Undecided(open) => settle(open),
    }
}

pub(crate) fn obb_obb(a: &Obb, b: &Obb) -> Relation {
    aligned::obb_obb(a, b).unwrap_or_else(|| {
        let verdict = filter::obb_obb::<f64>(&Cuboid::new(a), &Cuboid::new(b));
        settled(
            verdict,
            || a.validate().is_ok() && b.validate().is_ok(),
            |open| boxes::relation(&a.into(), &b.into(), open),
        )
    })
}

pub(crate) fn aabb_obb(aabb: &Aabb, obb: &Obb) -> Relation {
    aligned::aabb_obb(aabb, obb).unwrap_or_else(|| {
        let verdict = filter::aabb_obb::<f64>(aabb, &Cuboid::new(obb));
        settled(
            verdict,
            || aabb.validate().is_ok() && obb.validate().is_ok(),
            |open| boxes::relation(&aabb.into(), &obb.into(), open),
        )
    })
}

pub(crate) fn aabb_aabb(a: &Aabb, b: &Aabb) -> Relation {
    // Comparisons of the inputs are exact as they are.
    if !(a.min().cmple(b.max()).all() && b.min().cmple(a.max()).all()) || a.validate().is_err() || b.validate().is_err()
    {
        Relation::Separate
    } else if a.min().cmplt(b.max()).all() && b.min().cmplt(a.max()).all() {
        Relation::Overlapping
    } else {
        Relation::Touching
    }
}

pub(crate) fn sphere_sphere(a: &Sphere, b: &Sphere) -> Relation {
    settled(
        filter::sphere_sphere::<f64>(a, b),
        || a.validate().is_ok() && b.validate().is_ok(),
        |_| sphere::sphere_sphere(a, b, Margin::default()),
    )
}

pub(crate) fn sphere_aabb(sphere: &Sphere, aabb: &Aabb) -> Relation {
    let verdict = filter::sphere_aabb::<f64>(sphere, aabb);
    settled(
        verdict,
        || sphere.validate().is_ok() && aabb.validate().is_ok(),
        |_| sphere::sphere_aabb(sphere, aabb, Margin::default()),
    )
}

pub(crate) fn sphere_obb(sphere: &Sphere, obb: &Obb) -> Relation {
    let verdict = filter::sphere_obb::<f64>(sphere, &Cuboid::new(obb));
    settled(
        verdict,
        || sphere.validate().is_ok() && obb.validate().is_ok(),
        |_| sphere::sphere_obb(sphere, obb, Margin::default()),
    )
}

/// A capsule and another body.
pub(crate) fn capsule(capsule: &Capsule, other: &BodyShape<'_>) -> Relation {
    let valid = capsule.validate().is_ok() && other.validate().is_ok();
    if valid { segment::relation(capsule, other, Margin::default()) } else { Relation::Separate }
}

/// A half-space and another body.
pub(crate) fn half_space(plane: &Plane, other: &BodyShape<'_>) -> Relation {
    let valid = plane.validate().is_ok() && other.validate().is_ok();
    if valid { half_space::relation(plane, other, Margin::default()) } else { Relation::Separate }
}

/// The hull of some points, which are finite, and a half-space.
pub(crate) fn corners_half_space(corners: &[Vec3], plane: &Plane) -> Relation {
    if plane.validate().is_err() {
        return Relation::Separate;
    }
    let sign = |corner: &Vec3| plane::placed_point(corner.to_array(), &Pose::IDENTITY, plane);
    corners.iter().map(sign).min().map_or(Relation::Separate, sphere::from_squares)
}

/// The side that a filter found, or that `settle` finds.
#[inline(always)]
fn settled_side(found: Option<Side>, valid: bool, settle: impl FnOnce() -> Side) -> Side {
    if valid { found.unwrap_or_else(settle) } else { Side::Outside }
}

pub(crate) fn sphere_plane(sphere: &Sphere, plane: &Plane) -> Side {
    let found = filter::sphere_plane::<f64>(sphere, plane);
    let valid = sphere.validate().is_ok() && plane.validate().is_ok();
    settled_side(found, valid, || plane::sphere_plane(sphere, plane))
}

pub(crate) fn aabb_plane(aabb: &Aabb, plane: &Plane) -> Side {
    let found = filter::aabb_plane::<f64>(aabb, plane);
    let valid = aabb.validate().is_ok() && plane.validate().is_ok();
    settled_side(found, valid, || plane::aabb_plane(aabb, plane))
}

pub(crate) fn obb_plane(obb: &Obb, plane: &Plane) -> Side {
    let found = filter::obb_plane::<f64>(&Cuboid::new(obb), plane);
    let valid = obb.validate().is_ok() && plane.validate().is_ok();
    settled_side(found, valid, || plane::obb_plane(obb, plane))
}

pub(crate) fn hull_plane(hull: &PlacedHull<'_>, plane: &Plane) -> Side {
    if plane.validate().is_ok() { hull::hull_plane(hull, plane) } else { Side::Outside }
}

/// Whether a ray meets a shape at a time from 0 to `limit`, which may be infinite; by integers alone. Both must be valid.
pub(crate) fn ray_shape(ray: &Ray, limit: f32, shape: &BodyShape<'_>) -> bool {
    ray::ray_shape(ray, limit, shape)
}

/// The relation of two bodies of which one is grown by a margin that is not 0, by integers alone where floats do not suffice: separate if
/// their distance exceeds the margin, touching if it is the margin, and overlapping if they are nearer.
pub(crate) fn within(a: &BodyShape<'_>, b: &BodyShape<'_>, margin: Margin) -> Relation {
    if a.validate().is_ok() && b.validate().is_ok() { near::within(a, b, margin) } else { Relation::Separate }
}

/// Which of two valid bodies is nearer to a point, by integers alone; those that contain it are equally near.
pub(crate) fn nearer(point: [f32; 3], a: &BodyShape<'_>, b: &BodyShape<'_>) -> std::cmp::Ordering {
    closest::nearer(point, a, b)
}
