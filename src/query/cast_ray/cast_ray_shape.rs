use super::{CastRay, RayHit};
use crate::query::by_kind::by_kind;
use crate::shape::{Ray, Shape};

impl CastRay for Shape {
    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        by_kind!(self, |shape| shape.cast_ray(ray))
    }
}
