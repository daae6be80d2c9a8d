use glam::Vec3;

use super::cast_ray_triangle::solve;
use super::ray_hit::of_sheet;
use super::span::UnitRay;
use super::{CastRay, RayHit};
use crate::shape::{Parallelogram, Ray};

impl CastRay for Parallelogram {
    /// As for a triangle, with 0 ≤ s ≤ 1 and 0 ≤ t ≤ 1 each for itself.
    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        self.validate().ok()?;
        let ray = UnitRay::new(ray)?;
        let [corner, u, v] = [self.corner(), self.u(), self.v()].map(Vec3::as_dvec3);
        let (along, s, t, normal) = solve(&ray, corner, u, v)?;
        let within = (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t);
        (along >= 0.0 && within).then(|| of_sheet(&ray, along, normal))
    }
}
