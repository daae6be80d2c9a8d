//! The nearest points of two cores (point, segment, triangle, box), in `f64`: what closest points, meeting and contacts of
//! round shapes are made of.
//!
//! Every function takes the best of several candidate pairs of points, each of which lies in its shapes whatever the rounding:
//! a wrong branch costs accuracy in the last places, never a wrong picture. Parameters come from cross products rather
//! than from differences of squares, so that nearly parallel lines keep their accuracy.

mod core;
mod cuboid;
mod near_point_segment;
mod near_point_triangle;
mod near_segment_cuboid;
mod near_segment_segment;
mod near_segment_triangle;
mod near_triangle_cuboid;

pub(crate) use self::core::{Core, HalfSpace, Round, near};
pub(crate) use cuboid::Cuboid;
pub(crate) use near_point_segment::near_point_segment;
pub(crate) use near_point_triangle::near_point_triangle;
pub(crate) use near_segment_cuboid::near_segment_cuboid;
pub(crate) use near_segment_segment::near_segment_segment;
pub(crate) use near_segment_triangle::near_segment_triangle;
pub(crate) use near_triangle_cuboid::{near_cuboid_cuboid, near_triangle_cuboid, near_triangle_triangle};

use glam::DVec3;

/// A point of the first core and one of the second.
pub(crate) type Pair = (DVec3, DVec3);

/// The pair with the smaller distance; the first of equals.
pub(crate) fn nearer(a: Pair, b: Pair) -> Pair {
    if b.0.distance_squared(b.1) < a.0.distance_squared(a.1) { b } else { a }
}

/// Rounding of `f64` in these queries, in units of the largest coordinate: 2⁻⁴⁰, far above what a hundred operations lose
/// (2⁻⁴⁶) and far below what `f32` resolves (2⁻²⁴).
pub(crate) const TOLERANCE: f64 = 1.0 / (1_u64 << 40) as f64;

/// A unit vector perpendicular to `v`, or the x axis for zero.
pub(crate) fn perpendicular(v: DVec3) -> DVec3 {
    // Crossing with the axis furthest from `v` keeps the product long.
    let a = v.abs();
    let axis = if a.x <= a.y && a.x <= a.z { DVec3::X } else if a.y <= a.z { DVec3::Y } else { DVec3::Z };
    v.cross(axis).try_normalize().unwrap_or(DVec3::X)
}
