use glam::DVec3;

use super::ray_hit::of_span;
use super::span::{UnitRay, ball};
use super::{CastRay, RayHit};
use crate::shape::{Ray, Sphere};

impl CastRay for Sphere {
    /// By the chord: with a² the squared projection of the centre on the line, the offset is b² = e·e − a².
    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        self.validate().ok()?;
        let ray = UnitRay::new(ray)?;
        let center = self.center().as_dvec3();
        let span = ball(ray.origin, ray.direction, center, f64::from(self.radius()))?;
        of_span(&ray, span, |point| (point - center).try_normalize().unwrap_or(DVec3::X))
    }
}
