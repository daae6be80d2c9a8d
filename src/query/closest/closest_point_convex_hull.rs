use glam::DVec3;

use super::{Closest, ClosestPoint};
use crate::Result;
use crate::query::gjk;
use crate::query::near::hull_planes;
use crate::query::support::Support;
use crate::shape::ConvexHull;

/// A point as GJK sees it.
struct At(DVec3);

impl Support for At {
    fn core_support(&self, _: DVec3) -> DVec3 {
        self.0
    }

    fn center(&self) -> DVec3 {
        self.0
    }
}

impl ClosestPoint for ConvexHull {
    /// By GJK.
    fn closest_point(&self, point: DVec3) -> Result<Closest> {
        let found = gjk::cores(self, &At(point));
        let distance = found.nearest.length();
        Ok(if distance <= found.slack { Closest::new(point, 0.0) } else { Closest::new(found.a, distance) })
    }

    /// From inside: the foot on the nearest plane, which lies on the surface.
    fn closest_surface_point(&self, point: DVec3) -> Result<Closest> {
        let closest = self.closest_point(point)?;
        if self.dimension() < 3 || closest.distance > 0.0 {
            return Ok(closest);
        }
        let depth = |&(normal, offset): &(DVec3, f64)| offset - normal.dot(point);
        let nearest = hull_planes(self).min_by(|p, q| depth(p).total_cmp(&depth(q)));
        Ok(nearest.map_or(closest, |plane| {
            let depth = depth(&plane).max(0.0);
            Closest::new(point + plane.0 * depth, -depth)
        }))
    }
}
