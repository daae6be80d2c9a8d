//! Where a ray first meets a shape.

mod cast_ray_aabb;
mod cast_ray_capsule;
mod cast_ray_convex_hull;
mod cast_ray_obb;
mod cast_ray_parallelogram;
mod cast_ray_plane;
mod cast_ray_segment;
mod cast_ray_shape;
mod cast_ray_sphere;
mod cast_ray_triangle;
mod ray_hit;
mod span;

pub use ray_hit::{CastRay, RayHit, cast_ray};
