use super::{Contact, ContactKind};
use crate::query::near::HalfSpace;
use crate::shape::{Capsule, Plane};

/// Of a capsule that meets the half-space: the lower end decides; both ends are points of the contact when both are in.
pub(super) fn contact_capsule_plane(capsule: &Capsule, plane: &Plane) -> Option<Contact> {
    let half_space = HalfSpace::new(plane).ok()?;
    let (ends, radius) = ([capsule.a().as_dvec3(), capsule.b().as_dvec3()], f64::from(capsule.radius()));
    let depths = ends.map(|end| radius - half_space.above(end));
    let deepest = usize::from(depths[1] > depths[0]);
    let mut contact = Contact::new(-half_space.normal, depths[deepest], ContactKind::Round);
    for end in [deepest, 1 - deepest] {
        // The deeper end is in contact, whatever the rounding; the other one when it is in, and is another.
        if end == deepest || depths[end] >= 0.0 && ends[0] != ends[1] {
            let low = ends[end] - half_space.normal * radius;
            contact.push(low, low + half_space.normal * depths[end], depths[end], end as u32);
        }
    }
    Some(contact)
}
