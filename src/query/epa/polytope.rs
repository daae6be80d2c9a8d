//! The polytope that EPA grows inside A ⊖ B: triangles with planes, and the edges between them.

use std::collections::HashMap;

use glam::DVec3;

use crate::query::gjk::simplex::triangle_normal;
use crate::query::support::Difference;

#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    pub(super) corners: [usize; 3],
    /// Outward unit normal.
    pub(super) normal: DVec3,
    /// Signed distance of the plane from the origin, along the normal.
    pub(super) offset: f64,
    alive: bool,
}

#[derive(Debug)]
pub(super) struct Polytope {
    pub(super) points: Vec<Difference>,
    faces: Vec<Face>,
    /// The face to the left of each directed edge.
    left_of: HashMap<(usize, usize), usize>,
}

impl Polytope {
    /// From four points that span a volume.
    pub(super) fn new(points: &[Difference; 4]) -> Self {
        let [a, b, c, d] = points.map(|p| p.point);
        let turned = triangle_normal(a, b, c).is_some_and(|normal| normal.dot(d - a) > 0.0);
        let (b, c) = if turned { (2, 1) } else { (1, 2) };
        let mut this = Self { points: points.to_vec(), faces: vec![], left_of: HashMap::new() };
        for corners in [[0, b, c], [b, 0, 3], [c, b, 3], [0, c, 3]] {
            this.add(corners, None);
        }
        this
    }

    /// Adds a triangle. One without a normal of its own lies on the plane of `neighbour`, across its first edge.
    fn add(&mut self, corners: [usize; 3], neighbour: Option<usize>) {
        let [a, b, c] = corners.map(|i| self.points[i].point);
        let own = triangle_normal(a, b, c);
        let inherited = neighbour.map(|n| (self.faces[n].normal, self.faces[n].offset));
        let (normal, offset) = match (own, inherited) {
            (Some(normal), _) => (normal, normal.dot(a).min(normal.dot(b)).min(normal.dot(c))),
            (None, Some(plane)) => plane,
            (None, None) => (DVec3::ZERO, f64::INFINITY),
        };
        let index = self.faces.len();
        for i in 0..3 {
            self.left_of.insert((corners[i], corners[(i + 1) % 3]), index);
        }
        self.faces.push(Face { corners, normal, offset, alive: true });
    }

    /// The faces of the present surface.
    pub(super) fn faces(&self) -> impl Iterator<Item = (usize, &Face)> {
        self.faces.iter().enumerate().filter(|(_, face)| face.alive)
    }

    /// The face whose plane has the smallest signed distance from the origin.
    pub(super) fn nearest_face(&self) -> Option<usize> {
        self.faces().min_by(|(_, f), (_, g)| f.offset.total_cmp(&g.offset)).map(|(index, _)| index)
    }

    pub(super) fn face(&self, index: usize) -> Face {
        self.faces[index]
    }

    /// Replaces all faces that the new point lies above, beginning with `start`, by triangles from it to their outline.
    pub(super) fn expand(&mut self, start: usize, point: Difference, slack: f64) {
        let apex = self.points.len();
        self.points.push(point);
        self.faces[start].alive = false;
        let (mut seen, mut outline) = (vec![start], vec![]);
        while let Some(face) = seen.pop() {
            let corners = self.faces[face].corners;
            for i in 0..3 {
                let (u, v) = (corners[i], corners[(i + 1) % 3]);
                let Some(&beyond) = self.left_of.get(&(v, u)) else { continue };
                let Face { normal, offset, alive, .. } = self.faces[beyond];
                if !alive {
                    continue;
                }
                if normal.dot(point.point) - offset > slack {
                    self.faces[beyond].alive = false;
                    seen.push(beyond);
                } else {
                    outline.push((u, v, beyond));
                }
            }
        }
        // A face may have been entered after an edge of it was put on the outline; that edge is then inside.
        outline.retain(|&(_, _, beyond)| self.faces[beyond].alive);
        for (u, v, beyond) in outline {
            self.add([u, v, apex], Some(beyond));
        }
    }
}
