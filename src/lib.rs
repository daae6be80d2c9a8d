//! # Tangency
//!
//! Exact collision detection: **given any number of bodies, exactly the pairs that touch.**
//!
//! Inputs are finite `f32`, taken as exact real numbers; shapes are closed sets. The answer is three-way, [separate, touching
//! or overlapping](Relation), and it is the mathematically right one: not subject to an epsilon, the same on every machine.
//!
//! ```
//! use glam::Quat;
//! use tangency::{Relation, query, shape::{Obb, Sphere}};
//!
//! let table = Obb::new([0.0, 0.4, 0.0], [1.0, 0.4, 0.5], Quat::IDENTITY)?;
//! let ball = Sphere::new([0.5, 1.0, 0.0], 0.25)?;
//! assert_eq!(query::intersect(&table, &ball), Relation::Overlapping);
//! # Ok::<(), tangency::Error>(())
//! ```
//!
//! - [`shape`]: boxes, balls and planes, with constructors that refuse what makes no shape.
//! - [`query`]: [`intersect`](query::intersect) for pairs of shapes, [`side`](query::side) for half-spaces.
//! - [`scenes`]: reproducible sets of bodies for tests and measurements.

pub mod d2;
mod error;
mod exact;
mod filter;
pub mod query;
mod relation;
pub mod response;
pub mod scenes;
pub mod shape;

pub use error::{Error, Result};
pub use glam;
pub use relation::{Relation, Side};
