use super::{Contact, ContactKind};
use crate::Relation;
use crate::query::near::Cuboid;
use crate::shape::Sphere;

/// From the point of the box nearest to the centre; with the centre inside, out through the nearest face: then the depth is
/// r plus the distance to the face.
pub(super) fn contact_sphere_cuboid(sphere: &Sphere, cuboid: Cuboid, relation: Relation) -> Option<Contact> {
    if relation == Relation::Separate {
        return None;
    }
    let (center, radius) = (sphere.center().as_dvec3(), f64::from(sphere.radius()));
    let local = cuboid.to_local(center);
    let nearest = local.max(-cuboid.half).min(cuboid.half);
    let distance = local.distance(nearest);
    let (inward, out) = if distance > 0.0 {
        (cuboid.axes * ((nearest - local) / distance), distance)
    } else {
        let (axis, depth) = cuboid.nearest_face(local);
        (cuboid.axes.col(axis) * if local[axis] < 0.0 { 1.0 } else { -1.0 }, -depth)
    };
    let depth = if relation == Relation::Touching { 0.0 } else { radius - out };
    let mut contact = Contact::new(inward, depth, ContactKind::Round);
    contact.push(center + inward * radius, center + inward * out, depth, 0);
    Some(contact)
}
