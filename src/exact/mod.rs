//! The exact verdicts: an `f64` filter, then integers on what it leaves open.
//!
//! Every finite `f32` is taken as the real number it is, and quaternions of any length as the rotation they exactly
//! describe. A shape that its `validate` refuses has no points: it is separate from everything and outside every
//! half-space.

mod aligned;
mod boxes;
mod int;
mod plane;
mod rotation;
mod sphere;

use crate::filter::{self, Cuboid, Verdict};
use crate::shape::{Aabb, Obb, Plane, Sphere};
use crate::{Relation, Side};

/// The relation that a filter's verdict means, or what `settle` finds for the open axes.
#[inline(always)]
fn settled(verdict: Verdict, settle: impl FnOnce(filter::AxisSet) -> Relation) -> Relation {
    match verdict {
        Verdict::Miss => Relation::Separate,
        Verdict::Hit => Relation::Overlapping,
        Verdict::Undecided(open) => settle(open),
    }
}

pub(crate) fn obb_obb(a: &Obb, b: &Obb) -> Relation {
    if let Some(relation) = aligned::obb_obb(a, b) {
        return relation;
    }
    settled(filter::obb_obb::<f64>(&Cuboid::new(a), &Cuboid::new(b)), |open| {
        if a.validate().is_err() || b.validate().is_err() {
            return Relation::Separate;
        }
        boxes::relation(&a.into(), &b.into(), open)
    })
}

pub(crate) fn aabb_obb(aabb: &Aabb, obb: &Obb) -> Relation {
    if let Some(relation) = aligned::aabb_obb(aabb, obb) {
        return relation;
    }
    settled(filter::aabb_obb::<f64>(aabb, &Cuboid::new(obb)), |open| {
        if aabb.validate().is_err() || obb.validate().is_err() {
            return Relation::Separate;
        }
        boxes::relation(&aabb.into(), &obb.into(), open)
    })
}

pub(crate) fn aabb_aabb(a: &Aabb, b: &Aabb) -> Relation {
    // Comparisons of the inputs are exact as they are.
    if !(a.min().cmple(b.max()).all() && b.min().cmple(a.max()).all()) || a.validate().is_err() || b.validate().is_err() {
        Relation::Separate
    } else if a.min().cmplt(b.max()).all() && b.min().cmplt(a.max()).all() {
        Relation::Overlapping
    } else {
        Relation::Touching
    }
}

pub(crate) fn sphere_sphere(a: &Sphere, b: &Sphere) -> Relation {
    settled(filter::sphere_sphere::<f64>(a, b), |_| {
        if a.validate().is_err() || b.validate().is_err() { Relation::Separate } else { sphere::sphere_sphere(a, b) }
    })
}

pub(crate) fn sphere_aabb(sphere: &Sphere, aabb: &Aabb) -> Relation {
    settled(filter::sphere_aabb::<f64>(sphere, aabb), |_| {
        if sphere.validate().is_err() || aabb.validate().is_err() {
            Relation::Separate
        } else {
            sphere::sphere_aabb(sphere, aabb)
        }
    })
}

pub(crate) fn sphere_obb(sphere: &Sphere, obb: &Obb) -> Relation {
    settled(filter::sphere_obb::<f64>(sphere, &Cuboid::new(obb)), |_| {
        if sphere.validate().is_err() || obb.validate().is_err() {
            Relation::Separate
        } else {
            sphere::sphere_obb(sphere, obb)
        }
    })
}

pub(crate) fn sphere_plane(sphere: &Sphere, plane: &Plane) -> Side {
    filter::sphere_plane::<f64>(sphere, plane).unwrap_or_else(|| {
        if sphere.validate().is_err() || plane.validate().is_err() {
            Side::Outside
        } else {
            plane::sphere_plane(sphere, plane)
        }
    })
}

pub(crate) fn aabb_plane(aabb: &Aabb, plane: &Plane) -> Side {
    filter::aabb_plane::<f64>(aabb, plane).unwrap_or_else(|| {
        if aabb.validate().is_err() || plane.validate().is_err() { Side::Outside } else { plane::aabb_plane(aabb, plane) }
    })
}

pub(crate) fn obb_plane(obb: &Obb, plane: &Plane) -> Side {
    filter::obb_plane::<f64>(&Cuboid::new(obb), plane).unwrap_or_else(|| {
        if obb.validate().is_err() || plane.validate().is_err() { Side::Outside } else { plane::obb_plane(obb, plane) }
    })
}
