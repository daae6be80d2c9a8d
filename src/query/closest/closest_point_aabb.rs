use glam::DVec3;

use super::{Closest, ClosestPoint};
use crate::Result;
use crate::shape::Aabb;

impl ClosestPoint for Aabb {
    /// Every coordinate clamped to the box; no number of the answer's point is rounded.
    fn closest_point(&self, point: DVec3) -> Result<Closest> {
        self.validate()?;
        let nearest = point.max(self.min().as_dvec3()).min(self.max().as_dvec3());
        Ok(Closest::new(nearest, point.distance(nearest)))
    }

    fn closest_surface_point(&self, point: DVec3) -> Result<Closest> {
        let (min, max) = (self.min().as_dvec3(), self.max().as_dvec3());
        if point.cmplt(min).any() || point.cmpgt(max).any() {
            return self.closest_point(point);
        }
        self.validate()?;
        let mut best = (f64::INFINITY, 0, 0.0);
        for axis in 0..3 {
            for (face, depth) in [(max[axis], max[axis] - point[axis]), (min[axis], point[axis] - min[axis])] {
                if depth < best.0 {
                    best = (depth, axis, face);
                }
            }
        }
        let mut surface = point;
        surface[best.1] = best.2;
        Ok(Closest::new(surface, -best.0))
    }
}
