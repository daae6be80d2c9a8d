use glam::DVec3;

use super::{Closest, ClosestPoint};
use crate::Result;
use crate::query::near::Cuboid;
use crate::shape::Obb;

impl ClosestPoint for Obb {
    /// Clamped in the box's own frame.
    fn closest_point(&self, point: DVec3) -> Result<Closest> {
        let cuboid = Cuboid::of_obb(self)?;
        let local = cuboid.to_local(point);
        if local.abs().cmple(cuboid.half).all() {
            return Ok(Closest::new(point, 0.0));
        }
        let nearest = local.max(-cuboid.half).min(cuboid.half);
        Ok(Closest::new(cuboid.to_world(nearest), local.distance(nearest)))
    }

    fn closest_surface_point(&self, point: DVec3) -> Result<Closest> {
        let cuboid = Cuboid::of_obb(self)?;
        let local = cuboid.to_local(point);
        if local.abs().cmpgt(cuboid.half).any() {
            return self.closest_point(point);
        }
        let (axis, depth) = cuboid.nearest_face(local);
        let mut surface = local;
        surface[axis] = cuboid.half[axis].copysign(local[axis] + 0.0);
        Ok(Closest::new(cuboid.to_world(surface), -depth))
    }
}
