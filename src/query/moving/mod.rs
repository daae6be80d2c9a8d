//! Shapes in straight motion: swept bounds, and the time of impact on a plane.

mod moving_plane;
mod swept_aabb;

pub use moving_plane::{PlaneImpact, PlaneMover, moving_plane};
pub use swept_aabb::swept_aabb;
