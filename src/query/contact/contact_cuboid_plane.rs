use super::{Contact, ContactKind};
use crate::query::near::{Cuboid, HalfSpace};
use crate::shape::Plane;

/// Of a box that meets the half-space: depth Σ eᵢ |n · uᵢ| − d, d being the centre's height; the points are the deepest corners that are in.
pub(super) fn contact_cuboid_plane(cuboid: Cuboid, plane: &Plane) -> Option<Contact> {
    let half_space = HalfSpace::new(plane).ok()?;
    let depth = cuboid.reach(half_space.normal) - half_space.above(cuboid.center);
    let mut contact = Contact::new(-half_space.normal, depth, ContactKind::Corners);
    // Along an axis without extent, one of two equal corners is enough.
    let distinct = (0..8_usize).filter(|i| (0..3).all(|k| i >> k & 1 == 0 || cuboid.half[k] > 0.0));
    let mut corners: Vec<(f64, usize)> = distinct.map(|i| (-half_space.above(cuboid.corner(i)), i)).collect();
    corners.sort_by(|x, y| y.0.total_cmp(&x.0));
    for (rank, (depth, i)) in corners.into_iter().take(4).enumerate() {
        if rank == 0 || depth >= 0.0 {
            let corner = cuboid.corner(i);
            contact.push(corner, corner + half_space.normal * depth, depth, i as u32);
        }
    }
    Some(contact)
}
