//! The points of faces against the clipped polygon in `f64`.

use glam::{DVec2, DVec3};
use proptest::prelude::*;

use super::super::Manifold;
use super::{cases, of, shape, tolerance};
use crate::query::near::Cuboid;
use crate::query::{ContactKind, ContactPoint};
use crate::shape::kinds::BodyShape;

fn cuboid(shape: &BodyShape<'_>) -> Cuboid {
    match shape {
        BodyShape::Aabb(aabb) => Cuboid::of_aabb(aabb).expect("a box"),
        BodyShape::Obb(obb) => Cuboid::of_obb(obb).expect("a box"),
        _ => unreachable!("it has no faces of this kind"),
    }
}

/// The face of a contact, in the frame of the box that it belongs to, and the face of the other box that meets it.
struct Faces {
    reference: Cuboid,
    axis: usize,
    side: f64,
    /// The corners of the incident face, in order.
    corners: [DVec3; 4],
    /// How much the incident face looks against the reference face, and how much the best one would.
    against: [f64; 2],
}

impl Faces {
    fn of(reference: Cuboid, incident: Cuboid, feature: u32) -> Self {
        let face = |id: u32| ((id >> 1) as usize, if id & 1 == 1 { 1.0 } else { -1.0 });
        let ((axis, side), (j, towards)) = (face(feature >> 16 & 255), face(feature >> 8 & 255));
        let (u, v) = ((j + 1) % 3, (j + 2) % 3);
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| {
            let mut local = incident.half;
            local[j] *= towards;
            local[u] *= x;
            local[v] *= y;
            reference.to_local(incident.to_world(local))
        });
        let cosine = |k: usize| incident.axes.col(k).dot(reference.axes.col(axis)) * side;
        let best = (0..3).map(|k| cosine(k).abs()).fold(0.0, f64::max);
        Self { reference, axis, side, corners, against: [-cosine(j) * towards, best] }
    }

    fn sides(&self) -> [usize; 2] {
        [(self.axis + 1) % 3, (self.axis + 2) % 3]
    }

    fn depth(&self, at: DVec3) -> f64 {
        self.reference.half[self.axis] - self.side * at[self.axis]
    }

    /// How far a point is from line 0–3, an edge of the incident face, or 4–7, a side of the reference face.
    fn distance_from_line(&self, at: DVec3, line: u32) -> f64 {
        if line < 4 {
            let (start, end) = (self.corners[line as usize], self.corners[(line as usize + 1) % 4]);
            let along = (end - start).try_normalize().unwrap_or(DVec3::ZERO);
            (at - start - along * along.dot(at - start)).length()
        } else {
            let k = self.sides()[(line as usize - 4) / 2];
            let side = if line % 2 == 1 { 1.0 } else { -1.0 };
            (side * at[k] - self.reference.half[k]).abs()
        }
    }

    /// The corners of the clipped polygon that lie under the reference face, flat.
    fn polygon(&self) -> Vec<DVec2> {
        let mut polygon: Vec<DVec3> = self.corners.to_vec();
        for k in self.sides() {
            for side in [-1.0, 1.0] {
                let beyond = |at: DVec3| side * at[k] - self.reference.half[k];
                let mut kept = Vec::new();
                for (i, from) in polygon.iter().enumerate() {
                    let to = polygon[(i + 1) % polygon.len()];
                    let (a, b) = (beyond(*from), beyond(to));
                    if a <= 0.0 {
                        kept.push(*from);
                    }
                    if a * b < 0.0 {
                        kept.push(*from + (to - *from) * (a / (a - b)));
                    }
                }
                polygon = kept;
            }
        }
        polygon.retain(|at| self.depth(*at) >= 0.0);
        polygon.into_iter().map(|at| self.flat(at)).collect()
    }

    fn flat(&self, at: DVec3) -> DVec2 {
        let [u, v] = self.sides();
        DVec2::new(at[u], at[v])
    }
}

/// The area of the convex hull.
fn hull_area(mut points: Vec<DVec2>) -> f64 {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let half = |points: &mut dyn Iterator<Item = DVec2>| {
        let mut hull: Vec<DVec2> = Vec::new();
        for point in points {
            while let [.., a, b] = hull[..]
                && (b - a).perp_dot(point - b) <= 0.0
            {
                hull.pop();
            }
            hull.push(point);
        }
        hull
    };
    let lower = half(&mut points.iter().copied());
    let upper = half(&mut points.iter().rev().copied());
    let hull: Vec<DVec2> = lower.into_iter().chain(upper).collect();
    (0..hull.len()).map(|k| hull[k].perp_dot(hull[(k + 1) % hull.len()])).sum::<f64>() / 2.0
}

fn check(shapes: [&BodyShape<'_>; 2], found: &Manifold) {
    let [a, b] = shapes.map(cuboid);
    let of_a = found.kind() == ContactKind::FaceA;
    let (reference, incident) = if of_a { (a, b) } else { (b, a) };
    let tolerance = tolerance(&super::solid(shapes[0]), &super::solid(shapes[1]));
    let points: Vec<ContactPoint> = found.points().collect();
    let faces = Faces::of(reference, incident, points[0].feature.0);
    assert!(faces.against[0] >= faces.against[1] - 1e-5, "{found:?}");
    let local = |point: &ContactPoint| reference.to_local(if of_a { point.on_b } else { point.on_a }.as_dvec3());
    for point in &points {
        let (line_in, line_out) = (point.feature.0 >> 3 & 7, point.feature.0 & 7);
        if line_in != line_out {
            for line in [line_in, line_out] {
                let off = faces.distance_from_line(local(point), line);
                assert!(off <= 2.0 * tolerance, "{point:?} is {off} from line {line}: {found:?} {shapes:?}");
            }
        }
    }
    let polygon = faces.polygon();
    let around: f64 = polygon.iter().map(|p| 2.0 * p.distance(polygon[0])).sum();
    let (kept, whole) = (hull_area(points.iter().map(|p| faces.flat(local(p))).collect()), hull_area(polygon));
    assert!(4.0 * kept >= whole - 8.0 * tolerance * (around + tolerance), "{kept} of {whole}: {found:?} {shapes:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    /// Each point is where the two lines of its feature cross, and four of many have a quarter of the area.
    #[test]
    fn points_of_faces_are_corners_of_the_clipped_polygon(a in shape(), b in shape()) {
        if let Some((found, _)) = of([&a, &b])
            && [ContactKind::FaceA, ContactKind::FaceB].contains(&found.kind())
        {
            check([&a, &b], &found);
        }
    }
}
