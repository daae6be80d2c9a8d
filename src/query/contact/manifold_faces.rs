use glam::{DVec2, DVec3, Vec3};

use super::manifold_clip::{Vertex, clip_side, spread};
use super::{Contact, ContactKind};
use crate::hash::{FNV_START, fnv1a_step};
use crate::query::Polyhedron;
use crate::query::support::{Support, magnitude, unit};
use crate::shape::angle::turned_by;
use crate::shape::{Aabb, Capsule, ConvexHull, Obb, Segment, Sphere, Triangle};

/// Corners count as those of one face when they are this near to its plane, in parts of the largest number: the normal
/// is rounded to `f32`, and so may corners be that were turned elsewhere.
const TOLERANCE: f64 = 1.0 / (1 << 21) as f64;

/// A core as a manifold sees it: its corners, and the normals of the faces that meet in one of them.
pub(super) trait Faces: Support {
    fn corners(&self) -> Vec<DVec3>;

    /// The outward unit normals of the faces at a corner; both of a sheet, none of a segment or a point.
    fn normals_at(&self, corner: usize) -> Vec<DVec3>;
}

/// One line a shape: its corners, and the normals at corner `i`.
macro_rules! faces {
    ($($shape:ident |$s:ident, $i:ident| $corners:expr, $normals:expr;)*) => {$(
        impl Faces for $shape {
            fn corners(&self) -> Vec<DVec3> {
                let $s = self;
                $corners
            }

            fn normals_at(&self, $i: usize) -> Vec<DVec3> {
                let $s = self;
                let _ = ($s, $i);
                $normals
            }
        }
    )*};
}

faces! {
    Sphere |s, i| vec![Support::center(s)], vec![];
    Capsule |s, i| vec![s.a().as_dvec3(), s.b().as_dvec3()], vec![];
    Segment |s, i| vec![s.a().as_dvec3(), s.b().as_dvec3()], vec![];
    Triangle |s, i| s.corners().map(Vec3::as_dvec3).to_vec(), both_sides(s.corners());
    Aabb |s, i| s.corners_f64(), sides(DVec3::AXES, i);
    Obb |s, i| s.corners_f64(), sides(s.axes(), i);
    ConvexHull |s, i| s.corners_f64(), around(s, i);
}

fn both_sides(corners: [Vec3; 3]) -> Vec<DVec3> {
    normal_of(corners).map_or(vec![], |normal| vec![normal, -normal])
}

/// The faces of a box at the corner whose bits tell the sides.
fn sides(axes: [DVec3; 3], corner: usize) -> Vec<DVec3> {
    (0..3).map(|k| if corner >> k & 1 == 1 { axes[k] } else { -axes[k] }).collect()
}

fn around(hull: &ConvexHull, corner: usize) -> Vec<DVec3> {
    let there = hull.faces().iter().filter(|face| face.contains(&(corner as u32)));
    let placement = hull.placement();
    let local = there.filter_map(|face| normal_of(face.map(|i| hull.local_vertices()[i as usize])));
    local.map(|normal| placement.direction(normal)).collect()
}

fn normal_of(corners: [Vec3; 3]) -> Option<DVec3> {
    let [a, b, c] = corners.map(Vec3::as_dvec3);
    unit((b - a).cross(c - a))
}

/// Two to four points, the deepest first, where the normal of a contact is that of a face of one shape; `None` where it is
/// not, or where only one point of the other shape lies in that face.
pub(super) fn manifold_faces(a: &dyn Faces, b: &dyn Faces, normal: DVec3, depth: f64) -> Option<Contact> {
    of_face(a, b, normal, depth).or_else(|| Some(of_face(b, a, -normal, depth)?.swap()))
}

/// What faces the face of `reference` along `normal`, clipped to it.
fn of_face(reference: &dyn Faces, incident: &dyn Faces, normal: DVec3, depth: f64) -> Option<Contact> {
    let tolerance = TOLERANCE * magnitude(reference).max(magnitude(incident));
    let face = foremost(&reference.corners(), normal, tolerance);
    if !is_face(&face, normal, tolerance) {
        return None;
    }
    let corners = incident.corners();
    let mut vertices = facing(incident, &corners, normal, tolerance);
    for (k, (i, corner)) in face.iter().enumerate() {
        let (j, next) = face[(k + 1) % face.len()];
        let outward = unit((next - *corner).cross(normal)).unwrap_or_default();
        vertices = clip_side(&vertices, |v| outward.dot(v.at - *corner), line(*i, j) | REFERENCE);
    }
    let top = face.iter().fold(f64::NEG_INFINITY, |top, (_, corner)| top.max(corner.dot(normal)));
    let mut points: Vec<Point> = vec![];
    for vertex in vertices {
        // The way from the core to the surface.
        let Some(down) = way_down(&corners, incident.rounding(), vertex.at, normal, tolerance) else { continue };
        let depth = top - vertex.at.dot(normal) + down;
        if depth >= -tolerance && points.iter().all(|known| known.core.distance(vertex.at) > tolerance) {
            let surface = vertex.at - normal * down;
            points.push(Point { core: vertex.at, surface, depth, feature: feature(vertex.crossing()) });
        }
    }
    let (u, v) = normal.any_orthonormal_pair();
    let mut points = spread(points, |p| p.depth, |p| DVec2::new(p.surface.dot(u), p.surface.dot(v)));
    points.sort_by(|p, q| q.depth.total_cmp(&p.depth));
    // The deepest point is not among them where a corner was not seen to belong to the face.
    if points.len() < 2 || points[0].depth < depth - tolerance {
        return None;
    }
    let mut contact = Contact::new(normal, depth, ContactKind::FaceA);
    for point in points {
        contact.push(point.surface + normal * point.depth, point.surface, point.depth, point.feature);
    }
    Some(contact)
}

struct Point {
    core: DVec3,
    surface: DVec3,
    depth: f64,
    feature: u32,
}

type Corner = (usize, DVec3);

/// The corners that no other exceeds along `direction` by more than the tolerance, in order around it.
fn foremost(corners: &[DVec3], direction: DVec3, tolerance: f64) -> Vec<Corner> {
    let top = corners.iter().fold(f64::NEG_INFINITY, |top, corner| top.max(corner.dot(direction)));
    let there = |&(_, corner): &Corner| corner.dot(direction) >= top - tolerance;
    let mut found: Vec<Corner> = corners.iter().copied().enumerate().filter(there).collect();
    let middle = found.iter().map(|(_, corner)| *corner).sum::<DVec3>() / found.len() as f64;
    let (u, v) = direction.any_orthonormal_pair();
    let angle = |corner: DVec3| turned_by((corner - middle).dot(u), (corner - middle).dot(v));
    found.sort_by(|(_, p), (_, q)| angle(*p).total_cmp(&angle(*q)));
    found
}

/// Whether corners in order around the normal have an area.
fn is_face(corners: &[Corner], normal: DVec3, tolerance: f64) -> bool {
    let Some((_, first)) = corners.first() else { return false };
    let across = corners.windows(2).map(|w| (w[0].1 - first).cross(w[1].1 - first)).sum::<DVec3>().dot(normal);
    let length = corners.iter().fold(0.0, |length: f64, (_, corner)| length.max(corner.distance(*first)));
    across > tolerance * length
}

/// The polygon of a shape that looks most against `normal`, of those that all its lowest corners belong to; all corners of a
/// shape without faces.
fn facing(incident: &dyn Faces, corners: &[DVec3], normal: DVec3, tolerance: f64) -> Vec<Vertex> {
    let lowest = foremost(corners, -normal, tolerance);
    let normals = lowest.first().map_or(vec![], |(corner, _)| incident.normals_at(*corner));
    let holds = |m: &DVec3| lowest.iter().all(|(_, corner)| m.dot(*corner) >= m.dot(lowest[0].1) - tolerance);
    let best = normals.into_iter().filter(holds).min_by(|m, k| m.dot(normal).total_cmp(&k.dot(normal)));
    let polygon = match best {
        Some(m) => foremost(corners, m, tolerance),
        None if corners.len() <= 2 => corners.iter().copied().enumerate().collect(),
        None => lowest,
    };
    let n = polygon.len();
    let edge = |k: usize| line(polygon[k % n].0, polygon[(k + 1) % n].0);
    // The ends of a segment are on one line only, and are told apart by their own numbers.
    let before = |k: usize| if n > 2 { edge(k + n - 1) } else { line(polygon[k].0, polygon[k].0) };
    (0..n).map(|k| Vertex::new(polygon[k].1, before(k), edge(k))).collect()
}

/// How far the surface lies below a point of the core: the radius under the lower end of a segment, and more where the side of a
/// capsule is cut aslant. `None` where the way leads out of the other end.
fn way_down(corners: &[DVec3], radius: f64, at: DVec3, normal: DVec3, tolerance: f64) -> Option<f64> {
    let &[p, q] = corners else { return Some(radius) };
    let (low, high) = if p.dot(normal) <= q.dot(normal) { (p, q) } else { (q, p) };
    let sine = unit(high - low).map_or(0.0, |along| along.dot(normal));
    let cosine = (1.0 - sine * sine).max(0.0).sqrt();
    if radius == 0.0 || at.distance(low) <= tolerance {
        return Some(radius);
    }
    // The foot on the axis is by the tangent nearer to the lower end.
    (radius * sine <= at.distance(low) * cosine).then(|| radius / cosine)
}

/// Marks the lines of the reference face.
const REFERENCE: u32 = 1 << 31;

/// The line between two corners, by their numbers.
fn line(i: usize, j: usize) -> u32 {
    (i.min(j) as u32 & 0x7fff) << 15 | i.max(j) as u32 & 0x7fff
}

/// Two lines that cross, as 24 bits.
fn feature((line_in, line_out): (u32, u32)) -> u32 {
    let lines = [line_in.min(line_out), line_in.max(line_out)];
    let hash = lines.iter().flat_map(|line| line.to_le_bytes()).fold(FNV_START, fnv1a_step);
    (hash ^ hash >> 24 ^ hash >> 48) as u32 & 0x00ff_ffff
}
