//! Closest points: of a shape to a point, and of two shapes.

mod closest_point;
mod closest_point_aabb;
mod closest_point_capsule;
mod closest_point_convex_hull;
mod closest_point_line;
mod closest_point_obb;
mod closest_point_parallelogram;
mod closest_point_plane;
mod closest_point_segment;
mod closest_point_shape;
mod closest_point_sphere;
mod closest_point_triangle;
mod closest_points;
mod closest_points_shape_shape;

pub use closest_point::{Closest, ClosestPoint, closest_point, closest_surface_point};
pub use closest_points::{ClosestPoints, ClosestTo, closest_points};
