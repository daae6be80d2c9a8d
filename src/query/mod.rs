//! The scalar queries: one pair at a time.

mod epa;
mod gjk;
mod intersect;
mod sat;
mod side;
pub(crate) mod support;
mod sweep;

pub use epa::{Penetration, epa};
pub use gjk::{Gap, gjk, gjk_hit};
pub use intersect::{Intersect, intersect};
pub use sat::{Axis, Polyhedron, SatAxis, sat};
pub use side::{ClassifySide, side};
pub use support::Support;
pub use sweep::{Impact, Motion, sweep, sweep_aabb_plane, sweep_sphere_sphere, swept_aabb, swept_sphere};
