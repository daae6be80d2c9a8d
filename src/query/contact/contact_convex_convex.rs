use super::manifold_faces::{Faces, manifold_faces};
use super::{Contact, ContactKind};
use crate::query::{epa, gjk};

/// Of shapes that meet: the shortest way out by EPA, and where a face lies across it, the points that meet there; what is apart by the
/// rounding of `f64` touches with the nearest points.
pub(super) fn contact_convex_convex(a: &dyn Faces, b: &dyn Faces) -> Option<Contact> {
    let (normal, depth, on_a, on_b) = if let Some(found) = epa(a, b) {
        (found.normal, found.depth, found.point_a, found.point_b)
    } else {
        let gap = gjk(a, b)?;
        (gap.normal?, 0.0, gap.point_a, gap.point_b)
    };
    let (normal, depth) = (normal.as_dvec3(), f64::from(depth));
    Some(manifold_faces(a, b, normal.normalize(), depth).unwrap_or_else(|| {
        let mut contact = Contact::new(normal, depth, ContactKind::Deepest);
        contact.push(on_a.as_dvec3(), on_b.as_dvec3(), depth, 0);
        contact
    }))
}
