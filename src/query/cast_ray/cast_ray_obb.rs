use super::ray_hit::of_span;
use super::span::{UnitRay, slabs};
use super::{CastRay, RayHit};
use crate::query::near::Cuboid;
use crate::shape::{Obb, Ray};

impl CastRay for Obb {
    /// Slabs in the box's own frame.
    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        let cuboid = Cuboid::of_obb(self).ok()?;
        let ray = UnitRay::new(ray)?;
        let direction = cuboid.axes.transpose() * ray.direction;
        let (span, axis) = slabs(cuboid.to_local(ray.origin), direction, -cuboid.half, cuboid.half)?;
        of_span(&ray, span, |_| cuboid.axes.col(axis) * -direction[axis].signum())
    }
}
