//! Contacts of two boxes: what can be computed for eight pairs side by side, and what is left for each.

use super::axes::{Least, Relative, least_edges, others};
use super::depth_of;
use super::faces::{CANDIDATES, Clipped, clip};
use super::frame::{Frame, Solid, between, clamped, signed};
use super::points::{Corner, Points, Polygon, point_to_world, scaled, vector};
use crate::det::{Number, Truth, add, mul, neg, sub};
use crate::query::ContactKind;

/// The axis of least depth among the normals of faces, which edges may be parted sooner, and the points of the face.
pub(super) struct Met<T: Number> {
    seen: Relative<T>,
    face: T,
    depth: T,
    contenders: [T::Truth; 9],
    /// Whether there are any.
    contended: T::Truth,
    clipped: Clipped<T>,
}

impl<T: Number> Met<T> {
    #[inline(always)]
    pub(super) fn of(a: &Solid<T>, b: &Solid<T>) -> Self {
        let seen = Relative::of(a, b, between(a, b));
        let (face, depth) = seen.face();
        let contenders = seen.contenders(depth);
        let contended = contenders.iter().skip(1).fold(contenders[0], |any, this| any.or(*this));
        Self { seen, face, depth, contenders, contended, clipped: clip(&seen, face) }
    }

    /// How the boxes of one of the pairs meet. The lower kind is the first.
    pub(super) fn points(&self, lane: usize, frames: [&Frame; 2], scale: f32, touching: bool, most: u32) -> Points {
        if self.contended.holds(lane) {
            let contenders = (0..9).filter(|k| self.contenders[*k].holds(lane)).fold(0, |bits, k| bits | 1 << k);
            let seen = self.seen.lane(lane);
            if let Some(least) = least_edges(&seen, frames, contenders, self.depth.lane(lane)) {
                return of_edges(frames.map(|frame| Solid::of(frame, scale)), &seen, &least, touching);
            }
        }
        self.of_face(lane, frames, scale, touching, most)
    }

    /// The points of the incident face within the reference face, of which what lies under it is kept.
    fn of_face(&self, lane: usize, frames: [&Frame; 2], scale: f32, touching: bool, most: u32) -> Points {
        let clipped = &self.clipped;
        let of_a = self.face.lane(lane) < 2.5;
        let reference = Solid::of(frames[usize::from(!of_a)], scale);
        let axis = clipped.axis.lane(lane) as usize;
        let positive = clipped.positive.holds(lane);
        let mut polygon = Polygon::default();
        for k in (0..CANDIDATES).filter(|k| clipped.valid[*k].holds(lane)) {
            let [x, y, depth] = [0, 1, 2].map(|c| clipped.points[k][c].lane(lane));
            polygon.push(Corner { x, y, depth, lines: clipped.lines(lane, k) });
        }
        if polygon.is_empty() {
            // Every point is on the wrong side of a rounding.
            let [x, y, depth] = clipped.deepest.map(|x| x.lane(lane));
            polygon.push(Corner { x, y, depth, lines: 0 });
        }
        let polygon = polygon.reduced(most);
        let along = vector(reference.axes[axis]);
        // From A to B.
        let normal = if positive == of_a { along } else { neg(along) };
        let kind = if of_a { ContactKind::FaceA } else { ContactKind::FaceB };
        let mut points = Points::new(normal, depth_of(self.depth.lane(lane), touching), kind);
        let id = |axis: u32, positive: bool| 2 * axis + u32::from(positive);
        let incident = id(clipped.incident_axis.lane(lane) as u32, clipped.incident_positive.holds(lane));
        let faces = id(axis as u32, positive) << 16 | incident << 8;
        let (height, [u, v]) = (clipped.height.lane(lane), others(axis));
        for corner in polygon.corners() {
            // On B: the incident box under a face of A, or a face of B itself.
            let below = if of_a { sub(height, corner.depth) } else { height };
            let mut local = [0.0; 3];
            local[u] = corner.x;
            local[v] = corner.y;
            local[axis] = signed(below, positive);
            points.push(point_to_world(&reference, local), corner.depth, faces | corner.lines);
        }
        points
    }
}

impl<T: Number> Relative<T> {
    /// One of the pairs.
    fn lane(&self, lane: usize) -> Relative<f32> {
        let three = |v: [T; 3]| v.map(|x| x.lane(lane));
        Relative {
            cosines: self.cosines.map(three),
            along_a: three(self.along_a),
            along_b: three(self.along_b),
            half_a: three(self.half_a),
            half_b: three(self.half_b),
            size: self.size.lane(lane),
        }
    }
}

/// Where the edge of B passes that of A, both being foremost along the normal.
fn of_edges([a, b]: [Solid; 2], seen: &Relative<f32>, least: &Least, touching: bool) -> Points {
    let (i, j) = (least.pair / 3, least.pair % 3);
    let ([i1, i2], [j1, j2]) = (others(i), others(j));
    let edges = &least.edges;
    // The unit normal along the product of the edges, or along its opposite.
    let positive = !(seen.edge_distance(i, edges) < 0.0);
    let turn = |x: f32| signed(mul(x, edges.inverse), positive);
    let (first, second) = (turn(neg(edges.of_b[1])), turn(edges.of_b[0]));
    let normal = add(scaled(vector(a.axes[i1]), first), scaled(vector(a.axes[i2]), second));
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
    let mut local = [0.0; 3];
    local[j] = clamped(along, b.half[j]);
    local[j1] = to_1;
    local[j2] = to_2;
    let id = |axis: usize, first: bool, second: bool| 4 * axis as u32 + u32::from(first) + 2 * u32::from(second);
    let depth = depth_of(least.depth, touching);
    let feature = id(i, a1, a2) << 8 | id(j, b1, b2);
    Points::one(normal, depth, ContactKind::Edges, point_to_world(&b, local), feature)
}
