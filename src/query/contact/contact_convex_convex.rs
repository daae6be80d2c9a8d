use super::{Contact, ContactKind};
use crate::query::support::Support;
use crate::query::{Meets, epa, gjk, meets};

/// The shortest way out by EPA; what meets only to within the tolerance touches, with the nearest points.
pub(super) fn contact_convex_convex<A: Support + Meets<B>, B: Support>(a: &A, b: &B) -> Option<Contact> {
    if !meets(a, b) {
        return None;
    }
    let (normal, depth, on_a, on_b) = if let Some(found) = epa(a, b) {
        (found.normal, found.depth, found.point_a, found.point_b)
    } else {
        let gap = gjk(a, b)?;
        (gap.normal?, 0.0, gap.point_a, gap.point_b)
    };
    let mut contact = Contact::new(normal.as_dvec3(), f64::from(depth), ContactKind::Deepest);
    contact.push(on_a.as_dvec3(), on_b.as_dvec3(), f64::from(depth), 0);
    Some(contact)
}
