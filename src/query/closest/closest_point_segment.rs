use glam::DVec3;

use super::{Closest, ClosestPoint};
use crate::Result;
use crate::query::near::near_point_segment;
use crate::shape::Segment;

impl ClosestPoint for Segment {
    /// The projection on the line, its parameter clamped to [0, 1].
    fn closest_point(&self, point: DVec3) -> Result<Closest> {
        self.validate()?;
        let nearest = near_point_segment(point, (self.a().as_dvec3(), self.b().as_dvec3())).1;
        Ok(Closest::new(nearest, point.distance(nearest)))
    }
}
