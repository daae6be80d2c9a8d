//! The nearest points of two cores (point, segment, triangle, box), in `f64`: what closest points, meeting and contacts of
//! round shapes are made of.
//!
//! Every function takes the best of several candidate pairs of points, each of which lies in its shapes whatever the rounding:
//! a wrong branch costs accuracy in the last places, never a wrong picture. Parameters come from cross products rather
//! than from differences of squares, so that nearly parallel lines keep their accuracy.

mod core;
mod cuboid;
mod hull;
mod near_cuboid_cuboid;
mod near_point_segment;
mod near_point_triangle;
mod near_segment_cuboid;
mod near_segment_segment;
mod near_segment_triangle;
mod near_triangle_cuboid;
mod near_triangle_triangle;
mod pair;

pub(crate) use self::core::{Core, HalfSpace, Round, near};
pub(crate) use cuboid::Cuboid;
pub(crate) use hull::{flat_hull_normal, hull_planes};
pub(crate) use near_cuboid_cuboid::near_cuboid_cuboid;
pub(crate) use near_point_segment::near_point_segment;
pub(crate) use near_point_triangle::near_point_triangle;
pub(crate) use near_segment_cuboid::near_segment_cuboid;
pub(crate) use near_segment_segment::near_segment_segment;
pub(crate) use near_segment_triangle::near_segment_triangle;
pub(crate) use near_triangle_cuboid::near_triangle_cuboid;
pub(crate) use near_triangle_triangle::near_triangle_triangle;
pub(crate) use pair::{Pair, TOLERANCE, perpendicular};
use pair::{nearer, triangle_edges};
