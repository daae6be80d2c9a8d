use glam::DVec3;

use super::closest_point::on_round;
use super::{Closest, ClosestPoint};
use crate::Result;
use crate::shape::Sphere;

impl ClosestPoint for Sphere {
    fn closest_point(&self, point: DVec3) -> Result<Closest> {
        let surface = self.closest_surface_point(point)?;
        let inside = point.distance(self.center().as_dvec3()) <= f64::from(self.radius());
        Ok(if inside { Closest::new(point, 0.0) } else { surface })
    }

    /// C + r (P − C) / |P − C|, and +x at the centre.
    fn closest_surface_point(&self, point: DVec3) -> Result<Closest> {
        self.validate()?;
        Ok(on_round(point, self.center().as_dvec3(), f64::from(self.radius()), DVec3::X))
    }
}
