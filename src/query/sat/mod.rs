//! The separating axis test of convex polyhedra.

mod polyhedron;
#[expect(clippy::module_inception, reason = "one file per query, named after it")]
mod sat;

pub use polyhedron::Polyhedron;
pub use sat::{Axis, SatAxis, sat};
