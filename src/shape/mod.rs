//! The shapes: plain data with validating constructors.
//!
//! Every shape is a **closed** set of points: its surface belongs to it. Its numbers are finite `f32`, taken as exact real
//! numbers. Constructors take anything that converts into glam's types (arrays, tuples, and `mint`'s types with the feature
//! `mint`), refuse what makes no shape with an [`Error`](enum@crate::Error) that names field and value, and keep every other
//! number as it was given, to the bit.
//!
//! The types are [`bytemuck::Pod`], so slices of them can be cast to and from bytes. A cast skips the constructors: call
//! `validate` on what came from outside. A shape that `validate` refuses has no points as far as queries are concerned.

mod aabb;
pub(crate) mod angle;
mod capsule;
pub(crate) mod check;
mod convex_hull;
pub mod fit;
pub(crate) mod hull_record;
pub(crate) mod kinds;
mod line;
mod local_point;
pub(crate) mod obb;
pub(crate) mod orient;
mod parallelogram;
mod placed_hull;
mod placement;
mod plane;
mod pose;
pub(crate) mod quickhull;
mod ray;
mod segment;
mod serde_fields;
#[expect(clippy::module_inception, reason = "one file per shape, named after it")]
mod shape;
mod sphere;
mod triangle;

pub use aabb::Aabb;
pub use capsule::Capsule;
pub use convex_hull::ConvexHull;
pub use line::{BoundedLine, Line};
pub use obb::Obb;
pub(crate) use obb::bounds_of;
pub use parallelogram::Parallelogram;
pub(crate) use placed_hull::PlacedHull;
pub(crate) use placement::Placement;
pub use plane::Plane;
pub use pose::{Pose, Position};
pub use ray::Ray;
pub use segment::Segment;
pub use shape::Shape;
pub use sphere::Sphere;
pub use triangle::Triangle;
