//! Shapes around points: what to give a cloud or a mesh for bounds.
//!
//! Every fit contains every point it was given, exactly: centres and axes are rounded first, and the extents are then taken
//! from what they were rounded to, and rounded outward.
//!
//! | bounds | of points |
//! |---|---|
//! | ball | [`ritter`](ritter()), [`ritter_multi_start`] |
//! | box along the coordinate axes | [`Aabb::from_points`](super::Aabb::from_points) |
//! | oriented box | [`pca_obb`](pca_obb()), in two passes; [`calipers_obb`](calipers_obb()), smaller; [`carried_obb`](carried_obb()), of a moved mesh |
//! | capsule | [`capsule`](capsule()) |
//! | convex hull | [`ConvexHull::from_points`](super::ConvexHull::from_points); [`simplified_hull`](simplified_hull()), with few corners; in the plane, [`convex_hull_2d`](convex_hull_2d()) |
//!
//! What contains the corners of a hull contains the hull. So bounds of a [`ConvexHull`](super::ConvexHull) are those of its
//! [`local_vertices`](super::ConvexHull::local_vertices), which are exact where its pose is the identity.

mod calipers;
mod calipers_obb;
mod capsule;
mod carried_obb;
mod convex_hull_2d;
mod cut;
mod few_corners;
mod hull_view;
mod least_circle;
mod normals;
mod pca_obb;
mod ritter;
mod simplified_hull;

pub(crate) use calipers::least_rectangle;
pub use calipers_obb::calipers_obb;
pub use capsule::capsule;
pub use carried_obb::carried_obb;
pub use convex_hull_2d::convex_hull_2d;
pub use pca_obb::pca_obb;
pub use ritter::{ritter, ritter_multi_start};
pub use simplified_hull::simplified_hull;

use glam::{DVec3, Vec3};

use super::check;
use crate::{Error, Result};

/// At least one point, all finite.
fn checked(points: &[Vec3]) -> Result<()> {
    for &point in points {
        check::finite_vec(&check::POINT, point)?;
    }
    if points.is_empty() { Err(Error::NoPoints) } else { Ok(()) }
}

/// How large a box with these extents is, for points of this dimension: what has no volume is compared by its surface or its length.
fn size(dimension: usize, extents: DVec3) -> f64 {
    match dimension {
        3 => extents.element_product(),
        2 => extents.x * extents.y + extents.y * extents.z + extents.z * extents.x,
        _ => extents.element_sum(),
    }
}
