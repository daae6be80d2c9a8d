use super::ray_hit::of_sheet;
use super::span::UnitRay;
use super::{CastRay, RayHit};
use crate::query::near::HalfSpace;
use crate::query::{Crossing, crossing_plane};
use crate::shape::{Plane, Ray};

impl CastRay for Plane {
    /// The crossing decides; a ray in the plane is hit where it starts, with the plane's own normal.
    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        let plane = HalfSpace::new(self).ok()?;
        let unit = UnitRay::new(ray)?;
        match crossing_plane(ray, self) {
            Crossing::None => None,
            Crossing::Within => Some(of_sheet(&unit, 0.0, plane.normal)),
            Crossing::At { t, point } => Some(RayHit { t, t_exit: t, point, ..of_sheet(&unit, 0.0, plane.normal) }),
        }
    }
}
