//! Whether two shapes meet, of any kinds.

mod meets_pair;
mod meets_shape_shape;

pub use meets_pair::{Meets, meets};
