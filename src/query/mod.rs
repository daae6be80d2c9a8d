//! The scalar queries: one pair at a time.

mod cast_ray;
mod closest;
mod contact;
mod contains;
mod crossing;
pub mod dispatch;
mod epa;
mod gjk;
mod intersect;
mod meets;
pub(crate) mod near;
mod plane;
mod sat;
mod side;
pub(crate) mod support;
mod sweep;

pub use cast_ray::{CastRay, RayHit, cast_ray};
pub use closest::{
    Closest, ClosestPoint, ClosestPoints, ClosestTo, closest_point, closest_points, closest_surface_point,
};
pub use contact::{Contact, ContactKind, ContactPoint, ContactWith, FeatureId, contact, contact_two_sided};
pub use contains::{ContainsPoint, contains_point};
pub use crossing::{Approach, Crossing, LineKind, PlaneCrossing, crossing_line_line, crossing_plane, crossing_ray_ray};
pub use epa::{Penetration, epa};
pub use gjk::{Gap, gjk, gjk_hit};
pub use intersect::{Intersect, intersect};
pub use meets::{Meets, meets};
pub use plane::{side_of_point, signed_distance, touches_plane};
pub use sat::{Axis, Polyhedron, SatAxis, sat};
pub use side::{ClassifySide, side};
pub use support::Support;
pub use sweep::{Impact, Motion, sweep, sweep_plane, sweep_sphere_sphere, swept_aabb, swept_bounds, swept_sphere};
