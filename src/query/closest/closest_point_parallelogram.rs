use glam::DVec3;

use super::{Closest, ClosestPoint};
use crate::Result;
use crate::query::near::near_point_triangle;
use crate::shape::Parallelogram;

impl ClosestPoint for Parallelogram {
    /// The better of its two triangles.
    fn closest_point(&self, point: DVec3) -> Result<Closest> {
        self.validate()?;
        let (c, u, v) = (self.corner().as_dvec3(), self.u().as_dvec3(), self.v().as_dvec3());
        let [p, q] = [[c, c + u, c + u + v], [c, c + u + v, c + v]].map(|t| near_point_triangle(point, t));
        let nearest = if q.distance_squared(point) < p.distance_squared(point) { q } else { p };
        Ok(Closest::new(nearest, point.distance(nearest)))
    }
}
