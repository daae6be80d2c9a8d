use glam::{DVec2, DVec3};

use crate::query::near::Cuboid;

/// A corner of the clipped polygon, in the frame of the reference box, and the two lines that cross in it: 0–3 are edges of
/// the incident face, 4–7 sides of the reference face.
#[derive(Clone, Copy)]
pub(super) struct Vertex {
    pub(super) at: DVec3,
    pub(super) depth: f64,
    line_in: u32,
    line_out: u32,
}

impl Vertex {
    /// In any frame, and on any two lines.
    pub(super) fn new(at: DVec3, line_in: u32, line_out: u32) -> Self {
        Self { at, depth: 0.0, line_in, line_out }
    }

    /// The two lines that cross in it.
    pub(super) fn crossing(&self) -> (u32, u32) {
        (self.line_in, self.line_out)
    }

    pub(super) fn lines(&self) -> u32 {
        self.line_in << 3 | self.line_out
    }
}

/// A face of a box: axis and side.
#[derive(Clone, Copy)]
pub(super) struct Face {
    pub(super) axis: usize,
    pub(super) positive: bool,
}

impl Face {
    /// The face of `cuboid` that looks most along `direction`.
    pub(super) fn towards(cuboid: Cuboid, direction: DVec3) -> Self {
        let local = cuboid.axes.transpose() * direction;
        let a = local.abs();
        let axis = if a.x >= a.y && a.x >= a.z {
            0
        } else if a.y >= a.z {
            1
        } else {
            2
        };
        Self { axis, positive: local[axis] >= 0.0 }
    }

    pub(super) fn sign(self) -> f64 {
        if self.positive { 1.0 } else { -1.0 }
    }

    pub(super) fn id(self) -> u32 {
        2 * self.axis as u32 + u32::from(self.positive)
    }

    /// The two axes in the face.
    fn sides(self) -> [usize; 2] {
        [(self.axis + 1) % 3, (self.axis + 2) % 3]
    }

    fn corners(self, cuboid: Cuboid) -> [DVec3; 4] {
        let [u, v] = self.sides();
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| {
            let mut local = cuboid.half;
            local[self.axis] *= self.sign();
            local[u] *= x;
            local[v] *= y;
            cuboid.to_world(local)
        })
    }
}

/// The incident face clipped to the sides of the reference face (Sutherland and Hodgman), of which what lies under the
/// reference face is kept.
pub(super) fn clip(reference: Cuboid, face: Face, incident: Cuboid, incident_face: Face) -> Vec<Vertex> {
    let mut line = 3;
    let mut polygon: Vec<Vertex> = Vec::with_capacity(8);
    for (next, corner) in incident_face.corners(incident).into_iter().enumerate() {
        polygon.push(Vertex::new(reference.to_local(corner), line, next as u32));
        line = next as u32;
    }
    for (k, &axis) in face.sides().iter().enumerate() {
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let beyond = |v: &Vertex| sign * v.at[axis] - reference.half[axis];
            polygon = clip_side(&polygon, beyond, (4 + 2 * k + side) as u32);
        }
    }
    for vertex in &mut polygon {
        vertex.depth = reference.half[face.axis] - face.sign() * vertex.at[face.axis];
    }
    polygon.retain(|v| v.depth >= 0.0);
    polygon
}

/// What of a convex polygon is not beyond a side; that side becomes a line of its new corners.
pub(super) fn clip_side(polygon: &[Vertex], beyond: impl Fn(&Vertex) -> f64, side: u32) -> Vec<Vertex> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (i, from) in polygon.iter().enumerate() {
        let to = &polygon[(i + 1) % polygon.len()];
        let (a, b) = (beyond(from), beyond(to));
        if a <= 0.0 {
            kept.push(*from);
        }
        if (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
            let at = from.at + (to.at - from.at) * (a / (a - b));
            // Leaving, the way goes on along the side; entering, it comes from there.
            let edge = from.line_out;
            let (line_in, line_out) = if b > 0.0 { (edge, side) } else { (side, edge) };
            kept.push(Vertex::new(at, line_in, line_out));
        }
    }
    kept
}

/// At most four of the points: the deepest, the one furthest from it, and the two that span the most area to either side.
pub(super) fn reduce(polygon: Vec<Vertex>, face: Face) -> Vec<Vertex> {
    let [u, v] = face.sides();
    spread(polygon, |vertex| vertex.depth, |vertex| DVec2::new(vertex.at[u], vertex.at[v]))
}

/// As [`reduce`], of anything that has a depth and a place in a plane.
pub(super) fn spread<T>(mut points: Vec<T>, depth: impl Fn(&T) -> f64, flat: impl Fn(&T) -> DVec2) -> Vec<T> {
    if points.len() <= 4 {
        return points;
    }
    let mut take = |score: &dyn Fn(&T) -> f64| {
        let best = (0..points.len()).max_by(|&i, &j| score(&points[i]).total_cmp(&score(&points[j])).then(j.cmp(&i)));
        points.swap_remove(best.unwrap_or(0))
    };
    let deepest = take(&|x| depth(x));
    let furthest = take(&|x| flat(x).distance_squared(flat(&deepest)));
    let across = flat(&furthest) - flat(&deepest);
    let left = take(&|x| across.perp_dot(flat(x) - flat(&deepest)));
    let right = take(&|x| -across.perp_dot(flat(x) - flat(&deepest)));
    vec![deepest, furthest, left, right]
}
