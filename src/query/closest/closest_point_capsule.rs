use glam::DVec3;

use super::closest_point::on_round;
use super::{Closest, ClosestPoint};
use crate::Result;
use crate::query::near::{near_point_segment, perpendicular};
use crate::shape::Capsule;

fn on_segment(capsule: &Capsule, point: DVec3) -> DVec3 {
    near_point_segment(point, (capsule.a().as_dvec3(), capsule.b().as_dvec3())).1
}

impl ClosestPoint for Capsule {
    fn closest_point(&self, point: DVec3) -> Result<Closest> {
        let surface = self.closest_surface_point(point)?;
        let inside = point.distance(on_segment(self, point)) <= f64::from(self.radius());
        Ok(if inside { Closest::new(point, 0.0) } else { surface })
    }

    /// As for a ball around the nearest point of the inner segment.
    fn closest_surface_point(&self, point: DVec3) -> Result<Closest> {
        self.validate()?;
        let aside = perpendicular(self.b().as_dvec3() - self.a().as_dvec3());
        Ok(on_round(point, on_segment(self, point), f64::from(self.radius()), aside))
    }
}
