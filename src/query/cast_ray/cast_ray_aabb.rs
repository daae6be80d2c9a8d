use glam::DVec3;

use super::ray_hit::of_span;
use super::span::{Span, UnitRay, slab};
use super::{CastRay, RayHit};
use crate::shape::{Aabb, Ray};

impl CastRay for Aabb {
    /// Kay and Kajiya's slabs: the common part of three intervals.
    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        self.validate().ok()?;
        let ray = UnitRay::new(ray)?;
        let (min, max) = (self.min().as_dvec3(), self.max().as_dvec3());
        let mut span = Span { enter: f64::NEG_INFINITY, exit: f64::INFINITY };
        let mut axis = 0;
        for k in 0..3 {
            let next = slab(ray.origin[k], ray.direction[k], min[k], max[k])?;
            if next.enter > span.enter {
                axis = k;
            }
            span = span.intersect(next)?;
        }
        of_span(&ray, span, |_| DVec3::AXES[axis] * -ray.direction[axis].signum())
    }
}
