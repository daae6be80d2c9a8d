use glam::DVec3;

use super::ray_hit::of_span;
use super::span::{UnitRay, slabs};
use super::{CastRay, RayHit};
use crate::shape::{Aabb, Ray};

impl CastRay for Aabb {
    /// Kay and Kajiya's slabs: the common part of three intervals.
    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        self.validate().ok()?;
        let ray = UnitRay::new(ray)?;
        let (span, axis) = slabs(ray.origin, ray.direction, self.min().as_dvec3(), self.max().as_dvec3())?;
        of_span(&ray, span, |_| DVec3::AXES[axis] * -ray.direction[axis].signum())
    }
}
