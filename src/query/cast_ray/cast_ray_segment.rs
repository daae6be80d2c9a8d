use super::cast_ray_capsule::cast_rod;
use super::span::UnitRay;
use super::{CastRay, RayHit};
use crate::query::near::TOLERANCE;
use crate::shape::{Ray, Segment};

impl CastRay for Segment {
    /// A line almost never meets another exactly: the segment counts as 2⁻⁴⁰ of the largest coordinate thick.
    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        self.validate().ok()?;
        let largest = self.a().abs().max(self.b().abs()).max(ray.origin().abs()).max_element();
        let (a, b) = (self.a().as_dvec3(), self.b().as_dvec3());
        cast_rod(&UnitRay::new(ray)?, a, b, TOLERANCE * f64::from(largest))
    }
}
