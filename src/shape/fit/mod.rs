//! Shapes around points: what to give a cloud or a mesh for bounds.
//!
//! Every fit contains every point it was given, exactly: centres and axes are rounded first, and the extents are then taken
//! from what they were rounded to, and rounded outward.

mod carried_obb;
mod convex_hull_2d;
mod pca_obb;
mod ritter;

pub use carried_obb::carried_obb;
pub use convex_hull_2d::convex_hull_2d;
pub use pca_obb::pca_obb;
pub use ritter::{ritter, ritter_multi_start};

use glam::Vec3;

use super::check;
use crate::{Error, Result};

/// At least one point, all finite.
fn checked(points: &[Vec3]) -> Result<()> {
    for &point in points {
        check::finite_vec(&check::POINT, point)?;
    }
    if points.is_empty() { Err(Error::NoPoints) } else { Ok(()) }
}
