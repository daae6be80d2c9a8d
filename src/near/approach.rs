//! Contacts of bodies that are apart: what a solver needs to know of them before they meet.

use glam::{DVec3, Vec3};

use super::clearance::{Apart, apart, clearance_of};
use super::half_space::clearance_of_frames;
use super::precise::step;
use crate::det::{add, max, neg};
use crate::manifold::{Frame, Manifold};
use crate::query::{ContactKind, closest_points};
use crate::shape::Shape;
use crate::shape::kinds::BodyShape;

/// The contact of two bodies that may be apart, given that along the axis, of those that contacts know, that parts them most. If they are
/// apart, its depth is against their distance. Mostly they are as far apart along that axis, at one of its points, and then these stay; if not, two corners
/// or a corner and an edge are nearest to each other, and their points are the contact. `None` outside the domain.
pub(crate) fn approach(contact: &Manifold, a: &Frame, b: &Frame) -> Option<Manifold> {
    if contact.depth() > 0.0 {
        return Some(*contact);
    }
    if a.is_half_space() || b.is_half_space() {
        // (There is one normal.)
        let distance = clearance_of_frames(a, b)?.distance();
        let depth = if distance > 0.0 { neg(distance) } else { max(contact.depth(), 0.0) };
        return Some(contact.no_deeper_than(depth));
    }
    let Apart { clearance, direction, is_along, error } = apart(a, b, contact.normal())?;
    let distance = clearance.distance();
    let deepest = contact.points().fold(f32::MIN, |deepest, point| max(deepest, point.depth));
    let is_along = is_along && !contact.is_beside_its_face() && !(deepest < neg(add(distance, error)));
    Some(if !(distance > 0.0) {
        // They may meet.
        contact.no_deeper_than(max(contact.depth(), 0.0))
    } else if is_along && contact.kind() != ContactKind::Edges {
        contact.no_deeper_than(neg(distance))
    } else if is_along {
        // (The axis of two edges may be off by little, and their points then by more.)
        contact.nearest_at(step(direction, 1.0), distance, clearance.on_b())
    } else {
        Manifold::apart((contact.a(), contact.b()), step(direction, 1.0), distance, clearance.on_b())
    })
}

/// The same with a normal and points in `f64`: where two bodies that are apart are nearest to each other.
pub(crate) fn approach_of_shapes((a, first): (u32, &BodyShape<'_>), (b, second): (u32, &BodyShape<'_>)) -> Manifold {
    let points = closest_points(&Shape::from(*first), &Shape::from(*second));
    let (on_a, on_b) = points.map_or_else(|_| Default::default(), |found| (found.on_a, found.on_b));
    let [from, to] = [on_a, on_b].map(|point: Vec3| DVec3::from(point.to_array().map(f64::from)));
    let normal = (to - from).try_normalize().map_or(Vec3::X, DVec3::as_vec3);
    Manifold::apart((a, b), normal, clearance_of(first, second).distance(), on_b)
}
