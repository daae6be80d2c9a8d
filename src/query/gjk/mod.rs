//! The distance of convex shapes.

#[expect(clippy::module_inception, reason = "one file per query, named after it")]
mod gjk;
pub(crate) mod simplex;

pub(crate) use gjk::{Cores, cores};
pub use gjk::{Gap, gjk, gjk_hit};
