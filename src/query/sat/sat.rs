use glam::{DVec3, Vec3};

use super::Polyhedron;
use crate::query::support::unit;

/// Which features a separating axis comes from.
///
/// ```
/// use tangency::{query::{self, Axis}, shape::Aabb};
///
/// let cube = Aabb::new([0.0; 3], [2.0; 3])?;
/// let beside = cube.translate([0.0, 1.5, 0.0])?;
/// assert_eq!(query::sat(&cube, &beside).map(|found| found.axis), Some(Axis::FaceA(1)));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The normal of a face of the first shape: its place in [`face_normals`](Polyhedron::face_normals).
    FaceA(usize),
    /// The normal of a face of the second shape.
    FaceB(usize),
    /// The cross product of an edge of the first and one of the second shape, by their places in
    /// [`edge_directions`](Polyhedron::edge_directions).
    Edges(usize, usize),
}

/// The axis along which two polyhedra overlap least, or lie farthest apart. What [`sat`] returns.
///
/// ```
/// use tangency::{query, shape::Aabb};
///
/// let cube = Aabb::new([0.0; 3], [2.0; 3])?;
/// let apart = query::sat(&cube, &cube.translate([0.0, 0.0, -5.0])?).expect("both have points");
/// assert_eq!((apart.overlap, apart.normal, apart.is_hit()), (-3.0, tangency::glam::vec3(0.0, 0.0, -1.0), false));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SatAxis {
    /// How far they overlap along the axis: the minimum translation distance. Negative: how far they are apart along it.
    pub overlap: f32,
    /// The unit axis, from the first shape to the second: shifting the second by `normal · overlap` parts them.
    pub normal: Vec3,
    /// Where the axis comes from. Of equal ones faces go before edges, and the first shape before the second.
    pub axis: Axis,
}

impl SatAxis {
    /// Whether the shapes meet: touching counts.
    ///
    /// ```
    /// # use tangency::{query, shape::Aabb};
    /// let cube = Aabb::new([0.0; 3], [1.0; 3])?;
    /// let beside = |x: f32| cube.translate([x, 0.0, 0.0]);
    /// assert_eq!(query::sat(&cube, &beside(1.0)?).map(|found| found.is_hit()), Some(true)); // touching counts
    /// assert_eq!(query::sat(&cube, &beside(1.5)?).map(|found| found.is_hit()), Some(false));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn is_hit(&self) -> bool {
        self.overlap >= 0.0
    }
}

/// Below this sine two edges are taken for parallel: their cross product is rounding, and the faces next to them serve.
const PARALLEL: f64 = 1e-10;

/// The separating axis test of two convex polyhedra, with the minimum translation that parts them.
///
/// Tests every face normal of both and the cross product of every edge of one with every edge of the other (Gottschalk,
/// Lin, Manocha 1996), each at unit length, so that depths compare; the overlap along an axis is the smaller of the two ways
/// out, `max A − min B` and `max B − min A`. Computed in `f64`, off by at most 10⁻¹⁴ of the largest coordinate before
/// rounding. `None` when a shape has no points.
///
/// ```
/// use tangency::glam::{Quat, vec3};
/// use tangency::{query::{self, Axis}, shape::{ConvexHull, Obb}};
///
/// let roof = ConvexHull::from_points([[-1.0, 0.0, -1.0], [1.0, 0.0, -1.0], [0.0, 1.0, -1.0],
///                                     [-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])?;
/// let post = Obb::new([0.0, 1.5, 0.0], [0.1, 1.0, 0.1], Quat::IDENTITY)?;
/// let found = query::sat(&roof, &post).unwrap();
/// assert!((found.overlap - 0.5f32.sqrt() * 0.6).abs() < 1e-6 && matches!(found.axis, Axis::FaceA(_)));
/// assert!(found.normal.y > 0.7);
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn sat<A: Polyhedron + ?Sized, B: Polyhedron + ?Sized>(a: &A, b: &B) -> Option<SatAxis> {
    let (corners_a, corners_b) = (a.corners_f64(), b.corners_f64());
    let origin = *corners_a.first()?;
    corners_b.first()?;
    let scale = corners_a.iter().chain(&corners_b).fold(0.0, |m: f64, c| m.max(c.abs().max_element()));
    let mut best: Option<(f64, DVec3, Axis)> = None;
    let mut offer = |direction: DVec3, axis: Axis| {
        let (low_a, high_a) = extent(&corners_a, origin, direction);
        let (low_b, high_b) = extent(&corners_b, origin, direction);
        let (forth, back) = (high_a - low_b, high_b - low_a);
        let (overlap, normal) = if forth <= back { (forth, direction) } else { (back, -direction) };
        // A later axis must be better by more than rounding, so that faces win over edges that say the same.
        if best.is_none_or(|(least, ..)| overlap < least - 32.0 * f64::EPSILON * scale) {
            best = Some((overlap, normal, axis));
        }
    };
    for (i, normal) in a.face_normals().into_iter().enumerate() {
        offer(normal, Axis::FaceA(i));
    }
    for (i, normal) in b.face_normals().into_iter().enumerate() {
        offer(normal, Axis::FaceB(i));
    }
    let edges_b = b.edge_directions();
    for (i, edge_a) in a.edge_directions().into_iter().enumerate() {
        for (j, &edge_b) in edges_b.iter().enumerate() {
            let cross = edge_a.cross(edge_b);
            if let Some(normal) = unit(cross).filter(|_| cross.length_squared() > PARALLEL * PARALLEL) {
                offer(normal, Axis::Edges(i, j));
            }
        }
    }
    let (overlap, normal, axis) = best?;
    // What is within the rounding of touching is touching: closed sets.
    let overlap = if overlap.abs() <= 16.0 * f64::EPSILON * scale { 0.0 } else { overlap };
    let limit = f64::from(f32::MAX);
    Some(SatAxis { overlap: overlap.clamp(-limit, limit) as f32, normal: normal.as_vec3(), axis })
}

/// The least and greatest height of points above `origin` along a direction.
fn extent(points: &[DVec3], origin: DVec3, direction: DVec3) -> (f64, f64) {
    points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &point| {
        let height = (point - origin).dot(direction);
        (low.min(height), high.max(height))
    })
}
