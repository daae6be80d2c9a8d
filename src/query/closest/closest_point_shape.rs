use glam::DVec3;

use super::{Closest, ClosestPoint};
use crate::Result;
use crate::query::by_kind::by_kind;
use crate::shape::Shape;

impl ClosestPoint for Shape {
    fn closest_point(&self, point: DVec3) -> Result<Closest> {
        by_kind!(self, |shape| ClosestPoint::closest_point(shape, point))
    }

    fn closest_surface_point(&self, point: DVec3) -> Result<Closest> {
        by_kind!(self, |shape| ClosestPoint::closest_surface_point(shape, point))
    }
}
