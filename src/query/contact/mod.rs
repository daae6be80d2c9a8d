//! Contacts: normal, depth and points of shapes that meet.

mod contact_capsule_capsule;
mod contact_capsule_plane;
mod contact_capsule_sphere;
mod contact_convex_convex;
mod contact_corners_plane;
mod contact_cuboid_cuboid;
mod contact_cuboid_plane;
mod contact_pair;
mod contact_shape_shape;
mod contact_sphere_cuboid;
mod contact_sphere_plane;
mod contact_sphere_sphere;
mod manifold;
mod manifold_clip;
mod manifold_faces;
mod sat;

pub use contact_pair::{ContactWith, contact};
pub use contact_sphere_plane::contact_two_sided;
pub use manifold::{Contact, ContactKind, ContactPoint, FeatureId};
