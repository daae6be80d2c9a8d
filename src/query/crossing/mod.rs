//! Where lines cross planes, and lines each other.

mod approach;
mod crossing_line_line;
mod crossing_plane;
mod crossing_ray_ray;

pub use approach::{Approach, LineKind};
pub use crossing_line_line::crossing_line_line;
pub use crossing_plane::{Crossing, PlaneCrossing, crossing_plane};
pub use crossing_ray_ray::crossing_ray_ray;
