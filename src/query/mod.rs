//! The scalar queries: one pair at a time.

mod intersect;
mod side;

pub use intersect::{Intersect, intersect};
pub use side::{ClassifySide, side};
