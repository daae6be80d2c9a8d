use glam::DVec3;

use super::manifold_clip::{Face, clip, reduce};
use super::sat::{Axis, Least, least_axis};
use super::{Contact, ContactKind};
use crate::Relation;
use crate::query::near::{Core, Cuboid, Pair, near_segment_segment};

/// The most steps to and fro between two boxes that touch.
const STEPS: usize = 32;

/// The axis of least depth; then the clipped face, or the two edges, that meet along it.
pub(super) fn contact_cuboid_cuboid(a: Cuboid, b: Cuboid, relation: Relation) -> Option<Contact> {
    if relation == Relation::Separate {
        return None;
    }
    let mut least = least_axis(a, b);
    if relation == Relation::Touching {
        least.depth = 0.0;
    }
    Some(match least.axis {
        Axis::FaceA(axis) => of_face(a, axis, b, &least, ContactKind::FaceA),
        Axis::FaceB(axis) => {
            // Seen from B, and then told the other way round.
            let least = Least { normal: -least.normal, ..least };
            of_face(b, axis, a, &least, ContactKind::FaceA).swap()
        }
        Axis::Edges(i, j) => of_edges(a, i, b, j, &least),
    })
}

/// The manifold of a face of `reference`, whose outward normal is `least.normal`.
fn of_face(reference: Cuboid, axis: usize, incident: Cuboid, least: &Least, kind: ContactKind) -> Contact {
    let face = Face { axis, positive: least.normal.dot(reference.axes.col(axis)) >= 0.0 };
    let incident_face = Face::towards(incident, -least.normal);
    let mut contact = Contact::new(least.normal, least.depth, kind);
    let feature = face.id() << 16 | incident_face.id() << 8;
    for vertex in reduce(clip(reference, face, incident, incident_face), face) {
        let on_incident = reference.to_world(vertex.at);
        contact.push(on_incident + least.normal * vertex.depth, on_incident, vertex.depth, feature | vertex.lines());
    }
    if contact.points().is_empty() {
        // Touching, with every point on the wrong side of a rounding: from the deepest point to and fro between the two, which leads to
        // where they meet.
        let mut on_incident = Core::Cuboid(incident).lowest(least.normal);
        let mut foot = reference.nearest(on_incident);
        for _ in 0..STEPS {
            on_incident = incident.nearest(foot);
            foot = reference.nearest(on_incident);
        }
        contact.push(foot, on_incident, least.depth, feature);
    }
    contact
}

/// The nearest points of the two edges that are foremost along the normal.
fn of_edges(a: Cuboid, i: usize, b: Cuboid, j: usize, least: &Least) -> Contact {
    let (edge_a, id_a) = foremost_edge(a, i, least.normal);
    let (edge_b, id_b) = foremost_edge(b, j, -least.normal);
    let (p, q) = near_segment_segment(edge_a, edge_b);
    let mut contact = Contact::new(least.normal, least.depth, ContactKind::Edges);
    contact.push(p, q, least.depth, id_a << 8 | id_b);
    contact
}

/// The edge along `axis` that lies furthest along `direction`, and its id.
fn foremost_edge(cuboid: Cuboid, axis: usize, direction: DVec3) -> (Pair, u32) {
    let mut corner = cuboid.half;
    let mut id = axis as u32 * 4;
    for (bit, other) in [(axis + 1) % 3, (axis + 2) % 3].into_iter().enumerate() {
        if cuboid.axes.col(other).dot(direction) < 0.0 {
            corner[other] = -corner[other];
        } else {
            id |= 1 << bit;
        }
    }
    let mut start = corner;
    start[axis] = -start[axis];
    ((cuboid.to_world(start), cuboid.to_world(corner)), id)
}
