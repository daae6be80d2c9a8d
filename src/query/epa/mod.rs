//! The penetration of convex shapes.

#[expect(clippy::module_inception, reason = "one file per query, named after it")]
mod epa;
mod polytope;

pub use epa::{Penetration, epa};
