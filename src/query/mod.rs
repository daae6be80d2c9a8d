//! The scalar queries: one pair at a time.

mod cast_ray;
mod closest;
mod contact;
mod contains;
mod crossing;
mod intersect;
mod meets;
mod moving;
pub(crate) mod near;
mod plane;
mod side;

pub use cast_ray::{CastRay, RayHit, cast_ray};
pub use closest::{
    Closest, ClosestPoint, ClosestPoints, ClosestTo, closest_point, closest_points, closest_surface_point,
};
pub use contact::{Contact, ContactKind, ContactPoint, ContactWith, FeatureId, contact, contact_two_sided};
pub use contains::{ContainsPoint, contains_point};
pub use crossing::{Approach, Crossing, LineKind, PlaneCrossing, crossing_line_line, crossing_plane, crossing_ray_ray};
pub use intersect::{Intersect, intersect};
pub use meets::{Meets, meets};
pub use moving::{PlaneImpact, PlaneMover, moving_plane, swept_aabb};
pub use plane::{side_of_point, signed_distance, touches_plane};
pub use side::{ClassifySide, side};
