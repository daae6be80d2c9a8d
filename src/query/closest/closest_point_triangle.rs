use glam::{DVec3, Vec3};

use super::{Closest, ClosestPoint};
use crate::Result;
use crate::query::near::near_point_triangle;
use crate::shape::Triangle;

impl ClosestPoint for Triangle {
    /// The foot on the plane when it lies inside all edges, else the best point of the edges.
    fn closest_point(&self, point: DVec3) -> Result<Closest> {
        self.validate()?;
        let nearest = near_point_triangle(point, self.corners().map(Vec3::as_dvec3));
        Ok(Closest::new(nearest, point.distance(nearest)))
    }
}
