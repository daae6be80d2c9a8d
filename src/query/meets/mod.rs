//! Whether two shapes meet, for the pairs without an exact verdict.

mod meets_pair;

pub use meets_pair::{Meets, meets};
