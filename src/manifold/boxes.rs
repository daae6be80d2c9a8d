//! Contacts of two boxes.

use glam::Vec3;

use super::axes::{Least, Relative, TOLERANCE, edge_normal, least_axis, others};
use super::depth_of;
use super::frame::{Frame, Solid, clamped, signed};
use super::points::{CORNERS, Corner, Points, Polygon, to_world};
use crate::det::{abs, add, add3, div, mul, neg, neg3, scale3, sub, sub3};
use crate::query::ContactKind;

/// By how much a face is made larger before the other is clipped to it, as a share of the pair's size: 16 u, more than the rounding of a
/// corner.
const SIDE_SLACK: f32 = 16.0 / (1 << 24) as f32;

/// The axis of least depth; then the clipped face, or the two edges, that meet along it.
pub(super) fn meet(
    (a, frame_a): (&Solid, &Frame),
    (b, frame_b): (&Solid, &Frame),
    between: Vec3,
    touching: bool,
    most: u32,
) -> Points {
    let seen = Relative::of(a, b, between);
    let least = least_axis((a, frame_a), (b, frame_b), &seen);
    let depth = depth_of(least.depth, touching);
    if least.axis >= 6 {
        return of_edges(a, b, &seen, &least, depth);
    }
    let axis = least.axis % 3;
    let of_a = least.axis < 3;
    // From A to B, along the axis or against it.
    let positive = if of_a { !(seen.along_a[axis] < 0.0) } else { !(seen.along_b[axis] < 0.0) };
    let along = if of_a { a.axes[axis] } else { b.axes[axis] };
    let normal = if positive { along } else { neg3(along) };
    if of_a {
        let face = Faces { reference: a, incident: b, cosines: seen.cosines, offset: seen.along_a, axis, positive };
        let points = Points::new(normal, depth, ContactKind::FaceA);
        return of_face(points, &face, seen.size, most);
    }
    let column = |j: usize| Vec3::new(seen.cosines[0][j], seen.cosines[1][j], seen.cosines[2][j]);
    let cosines = [column(0), column(1), column(2)];
    let face = Faces { reference: b, incident: a, cosines, offset: neg3(seen.along_b), axis, positive: !positive };
    of_face(Points::new(normal, depth, ContactKind::FaceB), &face, seen.size, most)
}

/// A face of one box, and the box that meets it, in the frame of the first.
struct Faces<'a> {
    reference: &'a Solid,
    incident: &'a Solid,
    /// Entry `[i][j]` is the cosine between axis i of the reference and axis j of the incident box.
    cosines: [Vec3; 3],
    /// The centre of the incident box.
    offset: Vec3,
    axis: usize,
    positive: bool,
}

impl Faces<'_> {
    /// The axis and the side of the incident box's face that looks most against the reference face.
    fn incident_face(&self) -> (usize, bool) {
        let row = self.cosines[self.axis];
        let [x, y, z] = [abs(row.x), abs(row.y), abs(row.z)];
        let axis = if !(x < y) && !(x < z) {
            0
        } else if !(y < z) {
            1
        } else {
            2
        };
        let cosine = row[axis];
        (axis, if self.positive { !(0.0 < cosine) } else { !(cosine < 0.0) })
    }

    /// Column j of the rotation, times a length.
    fn edge(&self, j: usize, length: f32) -> Vec3 {
        let column = Vec3::new(self.cosines[0][j], self.cosines[1][j], self.cosines[2][j]);
        scale3(column, length)
    }

    /// A point in the frame of the reference box, as a corner of the polygon.
    fn corner(&self, at: Vec3, line_in: u32, line_out: u32) -> Corner {
        let [u, v] = others(self.axis);
        let depth = sub(self.reference.half[self.axis], signed(at[self.axis], self.positive));
        Corner { x: at[u], y: at[v], depth, line_in, line_out }
    }
}

/// The incident face clipped to the sides of the reference face, of which what lies under the reference face is kept.
fn of_face(mut points: Points, face: &Faces<'_>, size: f32, most: u32) -> Points {
    let Faces { reference, incident, axis, positive, .. } = *face;
    let [u, v] = others(axis);
    // A little larger, so that rounding does not decide what is in a face without width.
    let sides = [u, v].map(|k| add(reference.half[k], mul(SIDE_SLACK, size)));
    let height = reference.half[axis];
    let (j, incident_positive) = face.incident_face();
    let [ju, jv] = others(j);
    let middle = add3(face.offset, face.edge(j, signed(incident.half[j], incident_positive)));
    let (right, up) = (face.edge(ju, incident.half[ju]), face.edge(jv, incident.half[jv]));
    let (low, high) = (sub3(middle, up), add3(middle, up));
    let mut polygon = Polygon::default();
    polygon.push(face.corner(sub3(low, right), 3, 0));
    polygon.push(face.corner(add3(low, right), 0, 1));
    polygon.push(face.corner(add3(high, right), 1, 2));
    polygon.push(face.corner(sub3(high, right), 2, 3));
    let mut deepest = polygon.corners[0];
    for k in 1..4 {
        if deepest.depth < polygon.corners[k].depth {
            deepest = polygon.corners[k];
        }
    }
    for side in 0..4 {
        polygon = clipped(&polygon, side, sides[side as usize / 2]);
    }
    let mut kept = Polygon::default();
    for k in 0..polygon.count {
        if !(polygon.corners[k].depth < neg(mul(TOLERANCE, size))) {
            kept.push(polygon.corners[k]);
        }
    }
    if kept.count == 0 {
        // Every point is on the wrong side of a rounding: the deepest corner's foot in the face.
        deepest.x = clamped(deepest.x, sides[0]);
        deepest.y = clamped(deepest.y, sides[1]);
        deepest.line_in = 0;
        deepest.line_out = 0;
        kept.push(deepest);
    }
    let kept = kept.reduced(most);
    let id = |axis: usize, positive: bool| 2 * axis as u32 + u32::from(positive);
    let faces = id(axis, positive) << 16 | id(j, incident_positive) << 8;
    let of_a = points.kind == ContactKind::FaceA as u32;
    for k in 0..kept.count {
        let corner = kept.corners[k];
        // On B: the incident box under a face of A, or a face of B itself.
        let below = if of_a { sub(height, corner.depth) } else { height };
        let mut local = Vec3::ZERO;
        local[u] = corner.x;
        local[v] = corner.y;
        local[axis] = signed(below, positive);
        let at = add3(reference.center, add3(reference.center_low, to_world(reference, local)));
        points.push(at, corner.depth, faces | corner.lines());
    }
    points
}

/// How far a corner is beyond side 0–3 of the reference face: −x, +x, −y, +y.
fn beyond(corner: &Corner, side: u32, half: f32) -> f32 {
    let at = if side < 2 { corner.x } else { corner.y };
    sub(signed(at, side % 2 == 1), half)
}

/// What of a convex polygon is not beyond a side; that side becomes a line of its new corners.
fn clipped(polygon: &Polygon, side: u32, half: f32) -> Polygon {
    let mut kept = Polygon::default();
    for k in 0..polygon.count.min(CORNERS) {
        let from = polygon.corners[k];
        let to = polygon.corners[if k + 1 < polygon.count { k + 1 } else { 0 }];
        let (a, b) = (beyond(&from, side, half), beyond(&to, side, half));
        if !(0.0 < a) {
            kept.push(from);
        }
        if (a < 0.0 && 0.0 < b) || (0.0 < a && b < 0.0) {
            let share = div(a, sub(a, b));
            let between = |from: f32, to: f32| add(from, mul(sub(to, from), share));
            // Leaving, the way goes on along the side; entering, it comes from there.
            let leaves = 0.0 < b;
            kept.push(Corner {
                x: between(from.x, to.x),
                y: between(from.y, to.y),
                depth: between(from.depth, to.depth),
                line_in: if leaves { from.line_out } else { 4 + side },
                line_out: if leaves { 4 + side } else { from.line_out },
            });
        }
    }
    kept
}

/// Where the edge of B passes that of A, both being foremost along the normal.
fn of_edges(a: &Solid, b: &Solid, seen: &Relative, least: &Least, depth: f32) -> Points {
    let (i, j) = ((least.axis - 6) / 3, least.axis % 3);
    let ([i1, i2], [j1, j2]) = (others(i), others(j));
    let edges = &least.edges;
    let (normal, positive) = edge_normal(a, seen.along_a, i, edges);
    // The product of the edges has these cosines with the other axes, times the sine: towards B for A's edge, and back for B's.
    let a1 = !(signed(neg(edges.of_b[1]), positive) < 0.0);
    let a2 = !(signed(edges.of_b[0], positive) < 0.0);
    let b1 = !(signed(neg(edges.of_a[1]), positive) < 0.0);
    let b2 = !(signed(edges.of_a[0], positive) < 0.0);
    // Across A's edge: from it to the middle of B's.
    let (to_1, to_2) = (signed(b.half[j1], b1), signed(b.half[j2], b2));
    let across = |k: usize, own: f32| {
        let middle = add(add(seen.along_a[k], mul(to_1, seen.cosines[k][j1])), mul(to_2, seen.cosines[k][j2]));
        sub(middle, own)
    };
    let (d1, d2) = (across(i1, signed(a.half[i1], a1)), across(i2, signed(a.half[i2], a2)));
    let along = neg(mul(add(mul(d1, edges.of_b[0]), mul(d2, edges.of_b[1])), mul(edges.inverse, edges.inverse)));
    let mut local = Vec3::ZERO;
    local[j] = clamped(along, b.half[j]);
    local[j1] = to_1;
    local[j2] = to_2;
    let at = add3(b.center, add3(b.center_low, to_world(b, local)));
    let id = |axis: usize, first: bool, second: bool| 4 * axis as u32 + u32::from(first) + 2 * u32::from(second);
    Points::one(normal, depth, ContactKind::Edges, at, id(i, a1, a2) << 8 | id(j, b1, b2))
}
