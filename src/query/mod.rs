//! The scalar queries: one pair at a time.
//!
//! All of them take shapes whose kinds are known when the program is compiled, such as a [`Sphere`](crate::shape::Sphere) and an
//! [`Obb`](crate::shape::Obb), and as well the [`Shape`](crate::shape::Shape) that [`Bodies::shape`](crate::Bodies::shape) returns, whose
//! kind is known only when it runs: then they find the query for the kinds, in the order given, and return what it returns. Queries of two
//! shapes take two of the first sort or two `Shape`s; `Shape::from(sphere)` makes one of the other.
//!
//! Where some kinds have no answer, that of `Shape`s is a [`Result`](crate::Result), and [`Unsupported`](crate::Error::Unsupported) for:
//!
//! | query | returns, of `Shape`s | without an answer |
//! |---|---|---|
//! | [`intersect`] | `Result<Relation>` | |
//! | [`meets`] | `bool` | |
//! | [`contact`] | `Result<Option<Contact>>` | two planes |
//! | [`closest_points`] | `Result<ClosestPoints>` | two planes |
//! | [`sweep`] | `Result<Option<Impact>>` | two planes; a plane that turns about no [pivot](Motion::about) |
//! | [`sweep_plane`] | `Result<Option<Impact>>` | a plane |
//! | [`swept_bounds`] | `Option<Aabb>` | `None` for a plane |
//! | [`cast_ray`] | `Option<RayHit>` | |
//! | [`side`], [`touches_plane`] | `Side`, `bool` | |
//! | [`contains_point`] | `bool` | |
//! | [`closest_point`], [`closest_surface_point`] | `Result<Closest>` | |
//!
//! Half-spaces meet almost always, without end, so two of them have no depth, no nearest points and no impact. A
//! [`Plane`](crate::shape::Plane) stands for its half-space, except in [`cast_ray`], in [`closest_point`] and as the plane of
//! [`touches_plane`], where it is a sheet.
//!
//! [`gjk`], [`gjk_hit`], [`epa`] and [`sat`] are algorithms for what has a [`Support`] or is a [`Polyhedron`], yours too; a `Shape` is
//! neither, since it may be a plane: `closest_points`, `meets` and `contact` choose among them. What has a kind in its name, or takes
//! lines, is for these alone: [`sweep_sphere_sphere`], [`swept_sphere`], [`swept_aabb`], [`contact_two_sided`] and the crossings.
//!
//! ```
//! use tangency::{Bodies, Error, query, shape::{Aabb, Plane, Shape, Sphere, Triangle}};
//!
//! let mut bodies = Bodies::new();
//! bodies.push(Sphere::new([0.0, 0.5, 0.0], 1.0)?)?;
//! bodies.push(Aabb::new([0.5, 0.0, -1.0], [2.5, 2.0, 1.0])?)?;
//! let contact = query::contact(&bodies.shape(0)?, &bodies.shape(1)?)?.expect("they overlap");
//! assert_eq!((contact.depth(), contact.normal()), (0.5, tangency::glam::Vec3::X));
//!
//! // With shapes that are no bodies, of any kind.
//! let sail = Shape::from(Triangle::new([1.0, 0.0, -1.0], [1.0, 0.0, 1.0], [1.0, 3.0, 0.0])?);
//! let ground = Shape::from(Plane::new([0.0, 1.0, 0.0], 0.0)?);
//! assert!(query::meets(&bodies.shape(0)?, &sail) && query::meets(&sail, &ground) && query::meets(&ground, &ground));
//! let refused = query::contact(&ground, &ground).unwrap_err();
//! assert_eq!(refused, Error::Unsupported { query: "contact", a: "plane", b: "plane" });
//! # Ok::<(), tangency::Error>(())
//! ```

mod by_kind;
mod cast_ray;
mod closest;
mod contact;
mod contains;
mod crossing;
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
pub(crate) use intersect::relation_within;
pub use intersect::{Intersect, intersect};
pub use meets::{Meets, meets};
pub use plane::{side_of_point, signed_distance, touches_plane};
pub use sat::{Axis, Polyhedron, SatAxis, sat};
pub use side::{ClassifySide, side};
pub use support::Support;
pub use sweep::{
    Impact, Motion, SweepPlane, SweepWith, SweptBounds, sweep, sweep_plane, sweep_sphere_sphere, swept_aabb,
    swept_bounds, swept_sphere,
};
