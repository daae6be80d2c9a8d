//! The convex hull of points in space: Quickhull (Barber, Dobkin, Huhdanpaa 1996) on exact orientation signs.
//!
//! With exact signs no tolerance is needed: a point strictly above a face is outside, every other is not, and no
//! triangle without area can arise, because an apex on the line of a horizon edge sees neither of its faces.

use std::cmp::Ordering;
use std::collections::HashMap;

use glam::{DVec3, Vec2, Vec3};

use super::orient::{collinear, orient2d, orient3d};

/// What [`hull`] finds: indices refer to `vertices`.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) vertices: Vec<Vec3>,
    /// Counter-clockwise from outside. A flat hull has its triangles twice, once for each side.
    pub(super) faces: Vec<[u32; 3]>,
    /// Each edge once, without those between two triangles of one plane.
    pub(super) edges: Vec<[u32; 2]>,
    /// 0 for a point, 1 for a segment, 2 for a flat polygon, 3 for a solid.
    pub(super) dimension: usize,
}

/// The hull of at least one finite point.
pub(super) fn hull(mut points: Vec<Vec3>) -> Built {
    // -0 and 0 are one number; adding 0 makes them one bit pattern too.
    for point in &mut points {
        *point += Vec3::ZERO;
    }
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z)));
    points.dedup();
    let last = points.len() - 1;
    if last == 0 {
        return Built { vertices: points, faces: vec![], edges: vec![], dimension: 0 };
    }
    // The first and the last in lexicographic order are corners of the hull.
    let (a, b) = (points[0], points[last]);
    let line = b.as_dvec3() - a.as_dvec3();
    let off_line = (1..last).filter(|&i| !collinear(a, b, points[i]));
    let measure = |i: &usize| line.cross(points[*i].as_dvec3() - a.as_dvec3()).length_squared();
    let Some(third) = off_line.max_by(|i, j| measure(i).total_cmp(&measure(j))) else {
        return Built { vertices: vec![a, b], faces: vec![], edges: vec![[0, 1]], dimension: 1 };
    };
    let c = points[third];
    let normal = line.cross(c.as_dvec3() - a.as_dvec3());
    let off_plane = (1..last).filter(|&i| orient3d(a, b, c, points[i]) != Ordering::Equal);
    let measure = |i: &usize| normal.dot(points[*i].as_dvec3() - a.as_dvec3()).abs();
    let Some(fourth) = off_plane.max_by(|i, j| measure(i).total_cmp(&measure(j))) else {
        return flat(&points, [a, b, c]);
    };
    let solid = Quickhull::new(&points, [0, last as u32, third as u32, fourth as u32]).run();
    compact(&points, &solid)
}

/// The hull of points in one plane: their polygon, found in the projection that keeps most of it.
fn flat(points: &[Vec3], [a, b, c]: [Vec3; 3]) -> Built {
    let keep = |(i, j): (usize, usize)| move |p: Vec3| Vec2::new(p[i], p[j]);
    // Dropping a coordinate is one-to-one on the plane when the three points stay off a line.
    let pairs = [(0, 1), (1, 2), (2, 0)].map(keep);
    let project = pairs.into_iter().find(|f| orient2d(f(a), f(b), f(c)) != Ordering::Equal).expect("not on one line");
    let ring = ring(points, project);
    let n = ring.len() as u32;
    let vertices = ring.iter().map(|&i| points[i]).collect();
    let mut faces: Vec<[u32; 3]> = (1..n - 1).map(|i| [0, i, i + 1]).collect();
    faces.extend((1..n - 1).map(|i| [0, i + 1, i]));
    let edges = (0..n).map(|i| [i, (i + 1) % n]).collect();
    Built { vertices, faces, edges, dimension: 2 }
}

/// The corners of a planar hull, counter-clockwise in the projection: Andrew's monotone chain.
fn ring(points: &[Vec3], project: impl Fn(Vec3) -> Vec2) -> Vec<usize> {
    let flat: Vec<Vec2> = points.iter().map(|&p| project(p)).collect();
    monotone_chain(&flat)
}

/// The indices of the strict corners of a planar hull, counter-clockwise from the lexicographically smallest.
///
/// Duplicates are left out; all points on one line leave the two ends, all points equal leave one.
pub(crate) fn monotone_chain(points: &[Vec2]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    // +0 makes -0 and 0 sort as the one number they are.
    let key = |i: usize| points[i] + Vec2::ZERO;
    order.sort_by(|&i, &j| key(i).x.total_cmp(&key(j).x).then(key(i).y.total_cmp(&key(j).y)));
    order.dedup_by(|i, j| points[*i] == points[*j]);
    if order.len() < 3 {
        return order;
    }
    let mut chain: Vec<usize> = Vec::with_capacity(order.len() + 1);
    let mut extend = |order: &mut dyn Iterator<Item = usize>| {
        let start = chain.len();
        for i in order {
            while chain.len() >= start + 2 {
                let (p, q) = (chain[chain.len() - 2], chain[chain.len() - 1]);
                if orient2d(points[p], points[q], points[i]) == Ordering::Greater {
                    break;
                }
                chain.pop();
            }
            chain.push(i);
        }
        chain.pop();
    };
    extend(&mut order.iter().copied());
    extend(&mut order.iter().rev().copied());
    chain
}

struct Face {
    corners: [u32; 3],
    /// Points strictly above this face that no other face has in its list.
    outside: Vec<u32>,
    alive: bool,
}

struct Quickhull<'a> {
    points: &'a [Vec3],
    faces: Vec<Face>,
    /// The face to the left of each directed edge.
    left_of: HashMap<(u32, u32), usize>,
    open: Vec<usize>,
}

impl<'a> Quickhull<'a> {
    fn new(points: &'a [Vec3], [a, b, c, d]: [u32; 4]) -> Self {
        let mut this = Self { points, faces: vec![], left_of: HashMap::new(), open: vec![] };
        let (b, c) = if this.above([a, b, c], d) { (c, b) } else { (b, c) };
        let new: Vec<usize> = [[a, b, c], [b, a, d], [c, b, d], [a, c, d]].map(|f| this.add(f)).to_vec();
        let rest = (0..points.len() as u32).filter(|i| ![a, b, c, d].contains(i)).collect();
        this.assign(rest, &new);
        this
    }

    fn above(&self, [a, b, c]: [u32; 3], p: u32) -> bool {
        let [a, b, c, p] = [a, b, c, p].map(|i| self.points[i as usize]);
        orient3d(a, b, c, p) == Ordering::Greater
    }

    fn add(&mut self, corners: [u32; 3]) -> usize {
        let index = self.faces.len();
        for i in 0..3 {
            self.left_of.insert((corners[i], corners[(i + 1) % 3]), index);
        }
        self.faces.push(Face { corners, outside: vec![], alive: true });
        index
    }

    /// Gives each point to a face that it lies above; a point above none is inside for good.
    fn assign(&mut self, points: Vec<u32>, faces: &[usize]) {
        for p in points {
            if let Some(&face) = faces.iter().find(|&&f| self.above(self.faces[f].corners, p)) {
                self.faces[face].outside.push(p);
            }
        }
        self.open.extend(faces.iter().filter(|&&f| !self.faces[f].outside.is_empty()));
    }

    /// The outside point farthest from the face. Any would do; this one keeps the hull small on the way.
    fn apex(&self, face: &Face) -> u32 {
        let [a, b, c] = face.corners.map(|i| self.points[i as usize].as_dvec3());
        let normal: DVec3 = (b - a).cross(c - a);
        let height = |i: &u32| normal.dot(self.points[*i as usize].as_dvec3() - a);
        *face.outside.iter().max_by(|i, j| height(i).total_cmp(&height(j))).expect("an open face has points outside")
    }

    fn run(mut self) -> Vec<[u32; 3]> {
        while let Some(start) = self.open.pop() {
            if !self.faces[start].alive {
                continue;
            }
            let apex = self.apex(&self.faces[start]);
            let mut seen = vec![start];
            self.faces[start].alive = false;
            let (mut horizon, mut orphans) = (vec![], vec![]);
            while let Some(face) = seen.pop() {
                orphans.append(&mut self.faces[face].outside);
                let corners = self.faces[face].corners;
                for i in 0..3 {
                    let (u, v) = (corners[i], corners[(i + 1) % 3]);
                    let beyond = self.left_of[&(v, u)];
                    if !self.faces[beyond].alive {
                        continue;
                    }
                    if self.above(self.faces[beyond].corners, apex) {
                        self.faces[beyond].alive = false;
                        seen.push(beyond);
                    } else {
                        horizon.push((u, v));
                    }
                }
            }
            let new: Vec<usize> = horizon.into_iter().map(|(u, v)| self.add([u, v, apex])).collect();
            orphans.retain(|&p| p != apex);
            self.assign(orphans, &new);
        }
        self.faces.into_iter().filter(|f| f.alive).map(|f| f.corners).collect()
    }
}

/// Numbers the corners that are used, and lists the edges between different planes.
fn compact(points: &[Vec3], triangles: &[[u32; 3]]) -> Built {
    let mut number = vec![u32::MAX; points.len()];
    for &corner in triangles.iter().flatten() {
        number[corner as usize] = 0;
    }
    let mut vertices = vec![];
    for (slot, &point) in number.iter_mut().zip(points).filter(|(slot, _)| **slot == 0) {
        *slot = vertices.len() as u32;
        vertices.push(point);
    }
    let faces: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(|i| number[i as usize])).collect();
    let mut opposite = HashMap::new();
    for &[a, b, c] in &faces {
        opposite.extend([((a, b), c), ((b, c), a), ((c, a), b)]);
    }
    let at = |i: u32| vertices[i as usize];
    let mut edges = vec![];
    for &[a, b, c] in &faces {
        for (u, v, own) in [(a, b, c), (b, c, a), (c, a, b)] {
            if u < v && orient3d(at(u), at(v), at(own), at(opposite[&(v, u)])) != Ordering::Equal {
                edges.push([u, v]);
            }
        }
    }
    edges.sort_unstable();
    Built { vertices, faces, edges, dimension: 3 }
}
