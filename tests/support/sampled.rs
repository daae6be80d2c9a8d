//! Shapes under way, sampled: the reference of sweeps that turn.

use glam::{DQuat, DVec3, Vec3};
use proptest::prelude::*;
use tangency::query::{self, Motion, Support};
use tangency::shape::{Capsule, ConvexHull, Obb, Sphere};

/// A hull or capsule under way, written out in `f64`, apart from what the library computes with.
pub struct Sampled {
    pub corners: Vec<DVec3>,
    faces: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
    pub radius: f64,
}

impl Sampled {
    /// Turned about the pivot, or without one about the middle of its bounds, and shifted, each by its part of the motion.
    pub fn new(corners: &[Vec3], motion: &Motion, time: f64) -> Self {
        let corners: Vec<DVec3> = corners.iter().map(|c| c.as_dvec3()).collect();
        let low = corners.iter().copied().reduce(DVec3::min).unwrap();
        let high = corners.iter().copied().reduce(DVec3::max).unwrap();
        let middle = motion.pivot().map_or((low + high) / 2.0, Vec3::as_dvec3);
        let turn = DQuat::from_scaled_axis(motion.rotation_vector().as_dvec3() * time);
        let place = middle + motion.translation_vector().as_dvec3() * time;
        let corners = corners.into_iter().map(|c| place + turn * (c - middle)).collect();
        Self { corners, faces: Vec::new(), edges: Vec::new(), radius: 0.0 }
    }

    pub fn of_capsule(capsule: &Capsule, motion: &Motion, time: f64) -> Self {
        let radius = f64::from(capsule.radius());
        Self { edges: vec![[0, 1]], radius, ..Self::new(&[capsule.a(), capsule.b()], motion, time) }
    }

    pub fn of_hull(hull: &ConvexHull, motion: &Motion, time: f64) -> Self {
        let (faces, edges) = (hull.faces().to_vec(), hull.edges().to_vec());
        Self { faces, edges, ..Self::new(&hull.vertices(), motion, time) }
    }

    /// Seen as the hull of its corners.
    pub fn of_obb(obb: &Obb, motion: &Motion, time: f64) -> Self {
        Self::of_hull(&ConvexHull::from_points(obb.corners()).unwrap(), motion, time)
    }

    /// A point with a radius; its edge has no length.
    pub fn of_sphere(ball: &Sphere, motion: &Motion, time: f64) -> Self {
        let radius = f64::from(ball.radius());
        Self { edges: vec![[0, 0]], radius, ..Self::new(&[ball.center()], motion, time) }
    }

    fn edges(&self) -> impl Iterator<Item = [DVec3; 2]> {
        self.edges.iter().map(|edge| edge.map(|i| self.corners[i as usize]))
    }

    fn faces(&self) -> impl Iterator<Item = [DVec3; 3]> {
        self.faces.iter().map(|face| face.map(|i| self.corners[i as usize]))
    }

    /// The distance of the two surfaces' nearest points: between two edges, or a corner and a face. Negative when
    /// they are nearer than the radii, zero or less when an edge goes through a face; a shape all inside the other is not seen.
    pub fn distance(&self, other: &Self) -> f64 {
        let edges = self.edges().flat_map(|e| other.edges().map(move |f| segment_segment(e, f)));
        let mine = self.corners.iter().flat_map(|&c| other.faces().map(move |f| point_face(c, f)));
        let theirs = other.corners.iter().flat_map(|&c| self.faces().map(move |f| point_face(c, f)));
        let pierced = self.edges().any(|e| other.faces().any(|f| pierces(e, f)))
            || other.edges().any(|e| self.faces().any(|f| pierces(e, f)));
        let apart = edges.chain(mine).chain(theirs).fold(f64::INFINITY, f64::min);
        if pierced { -self.radius - other.radius } else { apart - self.radius - other.radius }
    }
}

/// The distance of two segments: that of the lines where it lies in both, or else of an end from the other.
fn segment_segment([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> f64 {
    let to_segment = |p: DVec3, q: DVec3, r: DVec3| {
        let along = r - q;
        p.distance(q + along * ((p - q).dot(along) / along.length_squared().max(1e-300)).clamp(0.0, 1.0))
    };
    let ends = [to_segment(a, c, d), to_segment(b, c, d), to_segment(c, a, b), to_segment(d, a, b)];
    let (u, v) = (b - a, d - c);
    let n = u.cross(v);
    let (s, t) = ((c - a).cross(v).dot(n) / n.length_squared(), (c - a).cross(u).dot(n) / n.length_squared());
    let within = (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t);
    let lines = if within { (a + u * s).distance(c + v * t) } else { f64::INFINITY };
    ends.into_iter().fold(lines, f64::min)
}

/// The distance of a point from a triangle's plane where its foot is in the triangle, and else infinite.
fn point_face(p: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let Some(n) = (b - a).cross(c - a).try_normalize() else { return f64::INFINITY };
    let inside = [(a, b), (b, c), (c, a)].into_iter().all(|(q, r)| n.dot((r - q).cross(p - q)) >= 0.0);
    if inside { n.dot(p - a).abs() } else { f64::INFINITY }
}

/// Whether a segment goes through a triangle.
fn pierces([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> bool {
    let n = (b - a).cross(c - a);
    let (from, to) = (n.dot(p - a), n.dot(q - a));
    let at = p + (q - p) * (from / (from - to));
    from * to < 0.0 && [(a, b), (b, c), (c, a)].into_iter().all(|(r, s)| n.dot((s - r).cross(at - r)) > 0.0)
}

/// No sample shows a contact before the impact, and at the impact there is one. A
/// contact shorter than the step between samples goes unseen by them, not by the sweep.
pub fn check_turning<A: Support, B: Support>(
    (a, b): (&A, &B),
    (ma, mb): (&Motion, &Motion),
    distance: impl Fn(f64) -> f64,
) -> Result<(), TestCaseError> {
    let hit = query::sweep(a, ma, b, mb);
    if query::gjk_hit(a, b) {
        prop_assert!(hit.is_some_and(|hit| hit.time == 0.0), "they start in contact: {hit:?}");
        return Ok(());
    }
    let first = (0..=400).map(|i| f64::from(i) / 400.0).find(|&time| distance(time) <= 0.0);
    if let Some(time) = first {
        prop_assert!(hit.is_some_and(|hit| hit.time <= time), "contact at {time}, {hit:?}");
    }
    if let Some(hit) = hit {
        prop_assert!(hit.converged && distance(hit.time).abs() < 1e-5, "{} of {hit:?}", distance(hit.time));
    }
    Ok(())
}
