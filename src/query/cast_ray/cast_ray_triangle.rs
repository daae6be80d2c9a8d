use glam::{DVec3, Vec3};

use super::ray_hit::of_sheet;
use super::span::UnitRay;
use super::{CastRay, RayHit};
use crate::shape::{Ray, Triangle};

/// Möller and Trumbore: Cramer's rule for `origin + along · d = a + u · ab + v · ac`; (along, u, v, unit normal).
pub(super) fn solve(ray: &UnitRay, a: DVec3, ab: DVec3, ac: DVec3) -> Option<(f64, f64, f64, DVec3)> {
    let n = ab.cross(ac);
    let det = -ray.direction.dot(n);
    // Below this the direction lies in the plane, as far as f64 can tell.
    if det.abs() <= 4.0 * f64::EPSILON * n.length() {
        return None;
    }
    let from_a = ray.origin - a;
    let moment = from_a.cross(ray.direction);
    let (u, v) = (ac.dot(moment) / det, -ab.dot(moment) / det);
    Some((from_a.dot(n) / det, u, v, n.normalize()))
}

impl CastRay for Triangle {
    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        self.validate().ok()?;
        let ray = UnitRay::new(ray)?;
        let [a, b, c] = self.corners().map(Vec3::as_dvec3);
        let (along, u, v, normal) = solve(&ray, a, b - a, c - a)?;
        (along >= 0.0 && u >= 0.0 && v >= 0.0 && u + v <= 1.0).then(|| of_sheet(&ray, along, normal))
    }
}
