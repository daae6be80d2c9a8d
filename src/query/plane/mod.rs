//! Planes and half-spaces: distances and sides of points, and the sheet between the two sides.

mod side_of_parts;
mod side_of_point;
mod signed_distance;
mod touches_plane;

pub use side_of_point::side_of_point;
pub use signed_distance::signed_distance;
pub use touches_plane::touches_plane;
