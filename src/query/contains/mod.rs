//! Whether a shape contains a point.

mod contains_point;

pub use contains_point::{ContainsPoint, contains_point};
