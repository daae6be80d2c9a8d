use glam::DVec3;

use super::{Closest, ClosestPoint};
use crate::Result;
use crate::query::near::HalfSpace;
use crate::shape::Plane;

impl ClosestPoint for Plane {
    /// P − d n with the signed distance d = n · P − offset and a unit normal.
    fn closest_point(&self, point: DVec3) -> Result<Closest> {
        let plane = HalfSpace::new(self)?;
        let above = plane.above(point);
        Ok(Closest::new(point - plane.normal * above, above))
    }
}
