use glam::DVec3;

use super::manifold_clip::spread;
use super::{Contact, ContactKind};
use crate::query::near::HalfSpace;
use crate::shape::Plane;

/// Of corners that meet the half-space: the deepest gives the depth; of the corners that are in, up to four that are spread out are points of it.
pub(super) fn contact_corners_plane(corners: &[DVec3], plane: &Plane) -> Option<Contact> {
    let half_space = HalfSpace::new(plane).ok()?;
    let depth = |i: usize| -half_space.above(corners[i]);
    let deepest = (0..corners.len()).max_by(|&i, &j| depth(i).total_cmp(&depth(j)).then(j.cmp(&i)))?;
    let mut contact = Contact::new(-half_space.normal, depth(deepest), ContactKind::Corners);
    // The deepest is in contact, whatever the rounding; the others when they are in, and are others.
    let others = |i: &usize| *i != deepest && depth(*i) >= 0.0 && !corners[..*i].contains(&corners[*i]);
    let within: Vec<usize> = std::iter::once(deepest).chain((0..corners.len()).filter(others)).collect();
    let (u, v) = half_space.normal.any_orthonormal_pair();
    let flat = |p: DVec3| glam::DVec2::new(p.dot(u), p.dot(v));
    for i in spread(within, |&i| depth(i), |&i| flat(corners[i])) {
        let corner = corners[i];
        contact.push(corner, corner + half_space.normal * depth(i), depth(i), i as u32);
    }
    Some(contact)
}
