use glam::DVec3;

use super::cast_ray_capsule::cast_rod;
use super::ray_hit::{of_sheet, of_span};
use super::span::{Span, UnitRay};
use super::{CastRay, RayHit};
use crate::query::Support;
use crate::query::near::{TOLERANCE, flat_hull_normal, hull_planes};
use crate::shape::{ConvexHull, Ray};

impl CastRay for ConvexHull {
    /// Cyrus and Beck: the part of the line behind all planes. A flat hull is a sheet, a segment or point as a
    /// [`Segment`](crate::shape::Segment).
    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        let unit = UnitRay::new(ray)?;
        match self.dimension() {
            3 => through_planes(self, &unit),
            2 => through_sheet(self, &unit),
            _ => through_rod(self, &unit),
        }
    }
}

fn through_planes(hull: &ConvexHull, ray: &UnitRay) -> Option<RayHit> {
    let mut span = Span { enter: f64::NEG_INFINITY, exit: f64::INFINITY };
    let mut entered = -ray.direction;
    for (normal, offset) in hull_planes(hull) {
        let (height, rate) = (normal.dot(ray.origin) - offset, normal.dot(ray.direction));
        let along = -height / rate;
        if rate < 0.0 && along > span.enter {
            (span.enter, entered) = (along, normal);
        } else if rate > 0.0 {
            span.exit = span.exit.min(along);
        } else if rate == 0.0 && height > 0.0 {
            return None;
        }
    }
    if span.enter <= span.exit { of_span(ray, span, |_| entered) } else { None }
}

/// Where the ray meets the plane, when that is on the inner side of every edge.
fn through_sheet(hull: &ConvexHull, ray: &UnitRay) -> Option<RayHit> {
    let normal = flat_hull_normal(hull).try_normalize()?;
    let corners: Vec<DVec3> = hull.placed().collect();
    let at = |i: usize| corners[i % corners.len()];
    let rate = normal.dot(ray.direction);
    // Below this the direction lies in the plane, as far as f64 can tell.
    if rate.abs() <= 4.0 * f64::EPSILON {
        return None;
    }
    let along = normal.dot(at(0) - ray.origin) / rate;
    let point: DVec3 = ray.at(along);
    let inner = |i: usize| normal.dot((at(i + 1) - at(i)).cross(point - at(i))) >= 0.0;
    (along >= 0.0 && (0..corners.len()).all(inner)).then(|| of_sheet(ray, along, normal))
}

/// As thick as a segment.
fn through_rod(hull: &ConvexHull, ray: &UnitRay) -> Option<RayHit> {
    let (a, b) = (hull.placed().next()?, hull.placed().last()?);
    let largest = a.abs().max(b.abs()).max(ray.origin.abs()).max_element().max(hull.largest_input());
    cast_rod(ray, a, b, TOLERANCE * largest)
}
