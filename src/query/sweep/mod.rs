//! Moving shapes: bounds of a motion, and the time of impact.

mod motion;
mod pose;
#[expect(clippy::module_inception, reason = "one file per query, named after it")]
mod sweep;
mod sweep_plane;
mod sweep_rotating;
mod sweep_shape_plane;
mod sweep_shape_shape;
mod sweep_sphere_sphere;
mod sweep_translating;
mod swept_bounds;

pub use motion::Motion;
pub use sweep::{Impact, SweepWith, sweep};
pub use sweep_plane::{SweepPlane, sweep_plane};
pub use sweep_sphere_sphere::sweep_sphere_sphere;
pub use swept_bounds::{SweptBounds, swept_aabb, swept_bounds, swept_sphere};
