//! Boxes whose axes are parallel, decided exactly without leaving floating point: the case of everything that is stacked.
//!
//! Three axes decide. When those are the coordinate axes, a gap is a sum of a few `f32`, whose sign is found exactly; when
//! both boxes have the same other rotation, the three gaps get the `f64` filter of a face axis first.

use std::cmp::Ordering;

use super::boxes::{self, combine};
use super::int::sign_of_sum;
use super::rotation::axis_permutation;
use super::settled;
use crate::Relation;
use crate::filter::{self, Cuboid};
use crate::shape::{Aabb, Obb};

/// For each coordinate axis, which of the box's axes is parallel to it, if all are.
#[inline]
fn coordinate_axes(obb: &Obb) -> Option<[usize; 3]> {
    axis_permutation(obb.rotation_array())
}

/// The relation, if the boxes plainly have their axes in common.
#[inline]
pub(super) fn obb_obb(a: &Obb, b: &Obb) -> Option<Relation> {
    if let (Some(along_a), Some(along_b)) = (coordinate_axes(a), coordinate_axes(b)) {
        if a.validate().is_err() || b.validate().is_err() {
            return Some(Relation::Separate);
        }
        let (ca, ea, cb, eb) =
            (a.center().to_array(), a.half_extents().to_array(), b.center().to_array(), b.half_extents().to_array());
        return Some(combine((0..3).map(|k| {
            let (low, high) = if ca[k] <= cb[k] { (ca[k], cb[k]) } else { (cb[k], ca[k]) };
            sign_of_sum(high, -low, -ea[along_a[k]], -eb[along_b[k]])
        })));
    }
    if a.rotation_array() != b.rotation_array() {
        return None;
    }
    let verdict = filter::common_axes::<f64>(&Cuboid::new(a), b);
    Some(settled(
        verdict,
        || a.validate().is_ok() && b.validate().is_ok(),
        |open| boxes::relation(&a.into(), &b.into(), open),
    ))
}

/// The relation, if the oriented box is aligned too.
#[inline]
pub(super) fn aabb_obb(aabb: &Aabb, obb: &Obb) -> Option<Relation> {
    let along = coordinate_axes(obb)?;
    if aabb.validate().is_err() || obb.validate().is_err() {
        return Some(Relation::Separate);
    }
    let (min, max) = (aabb.min().to_array(), aabb.max().to_array());
    let (c, e) = (obb.center().to_array(), obb.half_extents().to_array());
    Some(combine((0..3).map(|k| -> Ordering {
        let half = e[along[k]];
        sign_of_sum(min[k], -c[k], -half, 0.0).max(sign_of_sum(c[k], -max[k], -half, 0.0))
    })))
}
