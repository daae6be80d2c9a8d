use super::{ClosestPoints, ClosestTo};
use crate::Result;
use crate::query::by_kind::by_kind;
use crate::shape::Shape;

impl ClosestTo<Self> for Shape {
    fn closest_points(&self, other: &Self) -> Result<ClosestPoints> {
        by_kind!(self, |a| by_kind!(other, |b| a.closest_points(b)))
    }
}
