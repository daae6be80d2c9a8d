//! How far a hull and another body are in each other: the expanding polytope algorithm of van den Bergen, with room for so many faces.
//!
//! A polytope inside the differences of both bodies grows until the face that is nearest to 0 cannot move out any further. As elsewhere here, a direction is one along
//! which all differences are as high as possible, so that of an outer face it points inwards: bodies that are in each other are apart by less than 0 along every
//! direction, and by most along that of the shortest way out. The twin in WGSL is `shaders/lib/polytope.wgsl`.
//!
//! The search may be wrong. How far bodies are apart along the direction that it returns is looked at again in double words, and compared with the face.

use glam::Vec3;

use super::{Found, Pair};
use crate::det::{abs, cross3, dot3, length3, neg, neg3, normalize3, sub, sub3};

/// The most differences that are corners of the polytope, and the faces of as many.
pub(crate) const POINTS: usize = 64;
pub(crate) const FACES: usize = 2 * POINTS - 4;
/// The most edges around the faces that a new corner is above, while they are counted.
pub(crate) const EDGES: usize = 64;
/// Four differences span a volume if each is so far from the point, the line and the plane of those before.
pub(crate) const THIN: f32 = 1.0 / (1 << 14) as f32;
/// The polytope has grown when the nearest face could move out by no more than this.
pub(crate) const PRECISION: f32 = 1.0 / (1 << 21) as f32;
/// A corner is above a face if it is so by more than this.
pub(crate) const ABOVE: f32 = 1.0 / (1 << 23) as f32;

/// Beyond the heights of all differences.
pub(crate) const BEYOND: f32 = 1024.0;

/// What a polytope says of two bodies.
pub(crate) struct Deepest {
    /// The direction along which they are furthest apart, of unit length.
    pub direction: Vec3,
    /// The corners of the face that has it.
    pub corners: [u32; 3],
    /// They are not further apart than this along any direction.
    pub most: f32,
}

#[derive(Clone, Copy, Default)]
struct Face {
    corners: [usize; 3],
    /// The unit normal, inwards.
    inwards: Vec3,
    /// How high the face is along it.
    level: f32,
}

struct Polytope {
    points: [Vec3; POINTS],
    signs: [u32; POINTS],
    count: usize,
    faces: [Face; FACES],
    face_count: usize,
    edges: [(usize, usize); EDGES],
    edge_count: usize,
}

/// At right angles to a unit vector: its product with the axis that it has least of, of those that come first.
pub(crate) fn aside(n: Vec3) -> Vec3 {
    let [x, y, z] = [abs(n.x), abs(n.y), abs(n.z)];
    let axis = if !(y < x) && !(z < x) {
        Vec3::X
    } else if !(z < y) {
        Vec3::Y
    } else {
        Vec3::Z
    };
    normalize3(cross3(n, axis))
}

impl Polytope {
    /// Four differences that span a volume, from one of them on; `None` if all differences are nearly in a plane.
    fn start(pair: &Pair<'_>, found: &Found) -> Option<Self> {
        let mut this = Self {
            points: [Vec3::ZERO; POINTS],
            signs: [0; POINTS],
            count: 0,
            faces: [Face::default(); FACES],
            face_count: 0,
            edges: [(0, 0); EDGES],
            edge_count: 0,
        };
        // Those of the search are used as far as they are apart from each other.
        let simplex = found.four.as_ref().unwrap_or(&found.simplex);
        let mut next = 0;
        while this.count < 4 {
            let basis = this.basis();
            let (mut furthest, mut at) = (THIN, (Vec3::ZERO, 0));
            if next < simplex.count {
                let corner = simplex.corner_at(next);
                let off = this.off(&basis, corner);
                next += 1;
                if off > furthest {
                    (furthest, at) = (off, (corner, simplex.signs[next - 1]));
                }
            } else {
                for k in 0..2 * (4 - this.count) {
                    let direction = basis[k / 2];
                    let corner = pair.support(if k % 2 == 1 { neg3(direction) } else { direction });
                    let off = this.off(&basis, corner.0);
                    if off > furthest {
                        (furthest, at) = (off, corner);
                    }
                }
                if !(furthest > THIN) {
                    return None;
                }
            }
            if furthest > THIN {
                this.push(at);
            }
        }
        let [a, b, c, d, ..] = this.points;
        let is_turned = dot3(cross3(sub3(b, a), sub3(c, a)), sub3(d, a)) > 0.0;
        let (b, c) = if is_turned { (2, 1) } else { (1, 2) };
        for corners in [[0, b, c], [b, 0, 3], [c, b, 3], [0, c, 3]] {
            this.add(corners);
        }
        Some(this)
    }

    /// The directions, of unit length, along which the next difference is looked for that is not in the point, the line or the plane of those that are there; the
    /// first so many are meant.
    fn basis(&self) -> [Vec3; 3] {
        let [a, b, c, ..] = self.points;
        match self.count {
            0 | 1 => Vec3::AXES,
            2 => {
                let way = normalize3(sub3(b, a));
                let side = aside(way);
                [side, cross3(way, side), way]
            }
            _ => [normalize3(cross3(sub3(b, a), sub3(c, a))); 3],
        }
    }

    /// How far a difference is from the point, the line or the plane of those that are there.
    fn off(&self, basis: &[Vec3; 3], at: Vec3) -> f32 {
        let way = sub3(at, self.points[0]);
        match self.count {
            0 => 1.0,
            1 => length3(way),
            2 => length3(cross3(basis[2], way)),
            _ => abs(dot3(basis[0], way)),
        }
    }

    fn push(&mut self, (at, signs): (Vec3, u32)) {
        (self.points[self.count], self.signs[self.count]) = (at, signs);
        self.count += 1;
    }

    /// Adds a face whose corners are in order around the outer side. (One without a normal is never the nearest.)
    fn add(&mut self, corners: [usize; 3]) {
        let [a, b, c] = corners.map(|k| self.points[k]);
        let inwards = normalize3(cross3(sub3(c, a), sub3(b, a)));
        let level = if inwards == Vec3::ZERO { neg(BEYOND) } else { dot3(inwards, a) };
        self.faces[self.face_count] = Face { corners, inwards, level };
        self.face_count += 1;
    }

    /// Replaces the faces that a new corner is above by faces from it to the edges around them. Whether there was room.
    fn grow(&mut self, corner: (Vec3, u32)) -> bool {
        let apex = self.count;
        self.push(corner);
        self.edge_count = 0;
        let mut k = 0;
        while k < self.face_count {
            let Face { corners: [a, b, c], inwards, level } = self.faces[k];
            if !(sub(level, dot3(inwards, corner.0)) > ABOVE) {
                k += 1;
                continue;
            }
            self.face_count -= 1;
            self.faces[k] = self.faces[self.face_count];
            if !(self.toggle(a, b) && self.toggle(b, c) && self.toggle(c, a)) {
                return false;
            }
        }
        if self.edge_count < 3 || self.face_count + self.edge_count > FACES {
            return false;
        }
        for k in 0..self.edge_count {
            let (a, b) = self.edges[k];
            self.add([a, b, apex]);
        }
        true
    }

    /// Counts an edge, unless it is one between two faces that are replaced.
    fn toggle(&mut self, a: usize, b: usize) -> bool {
        for k in 0..self.edge_count {
            if self.edges[k] == (b, a) {
                self.edge_count -= 1;
                self.edges[k] = self.edges[self.edge_count];
                return true;
            }
        }
        if self.edge_count == EDGES {
            return false;
        }
        self.edges[self.edge_count] = (a, b);
        self.edge_count += 1;
        true
    }

    /// The face that is nearest to 0.
    fn nearest(&self) -> usize {
        let mut nearest = 0;
        for k in 1..self.face_count {
            if self.faces[k].level > self.faces[nearest].level {
                nearest = k;
            }
        }
        nearest
    }
}

/// The direction along which two bodies are furthest apart that are in each other, or nearly. `None` if the polytope has not grown in its room, or if
/// there is none.
pub(crate) fn deepest(pair: &Pair<'_>, found: &Found) -> Option<Deepest> {
    let mut polytope = Polytope::start(pair, found)?;
    let (mut best, mut furthest) = (polytope.faces[0], neg(BEYOND));
    for _ in 4..POINTS {
        let nearest = polytope.nearest();
        let face = polytope.faces[nearest];
        let (at, signs) = pair.support(face.inwards);
        let height = dot3(face.inwards, at);
        if height > furthest {
            (best, furthest) = (face, height);
        }
        if !(sub(face.level, height) > PRECISION) {
            let corners = best.corners.map(|k| polytope.signs[k]);
            return Some(Deepest { direction: best.inwards, corners, most: face.level });
        }
        // (The new corner is above this face: by more than the precision.)
        if !polytope.grow((at, signs)) {
            return None;
        }
    }
    None
}
