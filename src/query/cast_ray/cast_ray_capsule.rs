use glam::DVec3;

use super::ray_hit::of_span;
use super::span::{Span, UnitRay, ball, slab};
use super::{CastRay, RayHit};
use crate::query::near::{near_point_segment, perpendicular};
use crate::shape::{Capsule, Ray};

/// The part of the line inside the cylinder without its caps: in the plane across the axis, a line and a circle.
fn cylinder(ray: &UnitRay, a: DVec3, axis: DVec3, length: f64, radius: f64) -> Option<Span> {
    let from_a = ray.origin - a;
    let along_axis = slab(from_a.dot(axis), ray.direction.dot(axis), 0.0, length)?;
    let across = |v: DVec3| v - axis * v.dot(axis);
    let (origin, direction) = (across(from_a), across(ray.direction));
    let rate = direction.length();
    // A line along the axis is inside everywhere or nowhere.
    if rate <= 4.0 * f64::EPSILON {
        return if origin.length() <= radius { Some(along_axis) } else { None };
    }
    let circle = ball(origin, direction / rate, DVec3::ZERO, radius)?;
    Span { enter: circle.enter / rate, exit: circle.exit / rate }.intersect(along_axis)
}

impl CastRay for Capsule {
    /// A capsule is convex, so the line is inside between the outermost ends of its parts in the two balls and the cylinder.
    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        self.validate().ok()?;
        cast_rod(&UnitRay::new(ray)?, self.a().as_dvec3(), self.b().as_dvec3(), f64::from(self.radius()))
    }
}

pub(super) fn cast_rod(ray: &UnitRay, a: DVec3, b: DVec3, radius: f64) -> Option<RayHit> {
    let length = a.distance(b);
    let mantle = if length > 0.0 { cylinder(ray, a, (b - a) / length, length, radius) } else { None };
    let caps = [a, b].map(|center| ball(ray.origin, ray.direction, center, radius));
    let span = caps.into_iter().chain([mantle]).flatten().reduce(Span::join)?;
    of_span(ray, span, |point| {
        let out = point - near_point_segment(point, (a, b)).1;
        out.try_normalize().unwrap_or_else(|| perpendicular(b - a))
    })
}
