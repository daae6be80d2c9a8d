use glam::{DVec2, Vec2};

use super::{Aabb2, ConvexPolygon, Obb2};

/// The shortest shift that parts two shapes in the plane, or how far they are apart. What [`sat`] returns.
///
/// ```
/// use tangency::d2::{Aabb2, sat};
///
/// let square = Aabb2::new([0.0; 2], [2.0; 2])?;
/// let mtd = sat(&square, &Aabb2::new([1.5, 0.0], [4.0, 2.0])?).expect("both have corners");
/// assert_eq!((mtd.overlap, mtd.normal, mtd.is_hit()), (0.5, tangency::glam::vec2(1.0, 0.0), true));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mtd {
    /// The minimum translation distance. Negative: how far they are apart along the normal.
    pub overlap: f32,
    /// The unit axis, from the first shape to the second: shifting the second by `normal · overlap` parts them.
    pub normal: Vec2,
}

impl Mtd {
    /// Whether the shapes meet: touching counts.
    ///
    /// ```
    /// # use tangency::d2::Mtd;
    /// let touching = Mtd { overlap: 0.0, normal: tangency::glam::Vec2::X };
    /// assert!(touching.is_hit() && !Mtd { overlap: -0.5, ..touching }.is_hit());
    /// ```
    pub fn is_hit(&self) -> bool {
        self.overlap >= 0.0
    }

    /// From an overlap in `f64`; what is within rounding of touching is touching, as the shapes are closed sets.
    pub(super) fn rounded(overlap: f64, normal: DVec2, scale: f64) -> Self {
        let limit = f64::from(f32::MAX);
        let overlap = if overlap.abs() <= 16.0 * f64::EPSILON * scale { 0.0 } else { overlap };
        Self { overlap: overlap.clamp(-limit, limit) as f32, normal: normal.as_vec2() }
    }
}

/// A convex shape with corners, as [`sat`] sees it.
///
/// ```
/// use tangency::d2::{Aabb2, Convex2};
///
/// let square = Aabb2::new([0.0, 0.0], [1.0, 1.0])?;
/// assert_eq!((square.corners_f64().len(), square.edge_normals().len()), (4, 2));
/// # Ok::<(), tangency::Error>(())
/// ```
pub trait Convex2 {
    /// All corners; none for a shape without points.
    fn corners_f64(&self) -> Vec<DVec2>;

    /// The unit normals of the edges, one for parallel ones. What is flat has the normals of its thin limit.
    fn edge_normals(&self) -> Vec<DVec2>;
}

impl Convex2 for Aabb2 {
    fn corners_f64(&self) -> Vec<DVec2> {
        if self.validate().is_err() { vec![] } else { self.corners().map(Vec2::as_dvec2).to_vec() }
    }

    fn edge_normals(&self) -> Vec<DVec2> {
        vec![DVec2::X, DVec2::Y]
    }
}

impl Convex2 for Obb2 {
    fn corners_f64(&self) -> Vec<DVec2> {
        if self.validate().is_err() { vec![] } else { Obb2::corners_f64(self).to_vec() }
    }

    fn edge_normals(&self) -> Vec<DVec2> {
        self.axes().to_vec()
    }
}

impl Convex2 for ConvexPolygon {
    fn corners_f64(&self) -> Vec<DVec2> {
        self.vertices().iter().map(|v| v.as_dvec2()).collect()
    }

    fn edge_normals(&self) -> Vec<DVec2> {
        let along: Vec<DVec2> = self.edges().map(|(a, b)| (b.as_dvec2() - a.as_dvec2()).normalize()).collect();
        match *along {
            [] => vec![DVec2::X, DVec2::Y],
            [only] => vec![only, only.perp()],
            _ => along.into_iter().map(DVec2::perp).collect(),
        }
    }
}

/// The separating axis test in the plane, with the minimum translation: every edge's normal of both shapes.
///
/// The overlap along an axis is the smaller of the two ways out, `max A − min B` and `max B − min A`: right also when one
/// projection contains the other. Computed in `f64`, off by at most 10⁻¹⁴ of the largest coordinate before rounding.
/// `None` when a shape has no points. For concave polygons see [`polygon_contact`](super::polygon_contact).
///
/// ```
/// use tangency::d2::{self, Aabb2, ConvexPolygon};
///
/// let triangle = ConvexPolygon::from_points([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]])?;
/// let square = Aabb2::new([0.75, 0.75], [3.0, 3.0])?;
/// let found = d2::sat(&triangle, &square).unwrap();
/// assert!((found.overlap - 0.5f32.sqrt() * 0.5).abs() < 1e-6);
/// assert!(found.normal.abs_diff_eq(tangency::glam::Vec2::splat(0.5f32.sqrt()), 1e-6));
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn sat<A: Convex2 + ?Sized, B: Convex2 + ?Sized>(a: &A, b: &B) -> Option<Mtd> {
    let (corners_a, corners_b) = (a.corners_f64(), b.corners_f64());
    let origin = *corners_a.first()?;
    corners_b.first()?;
    let scale = corners_a.iter().chain(&corners_b).fold(0.0, |m: f64, c| m.max(c.abs().max_element()));
    let mut best: Option<(f64, DVec2)> = None;
    for direction in a.edge_normals().into_iter().chain(b.edge_normals()) {
        let (low_a, high_a) = extent(&corners_a, origin, direction);
        let (low_b, high_b) = extent(&corners_b, origin, direction);
        let (forth, back) = (high_a - low_b, high_b - low_a);
        let (overlap, normal) = if forth <= back { (forth, direction) } else { (back, -direction) };
        if best.is_none_or(|(least, _)| overlap < least) {
            best = Some((overlap, normal));
        }
    }
    best.map(|(overlap, normal)| Mtd::rounded(overlap, normal, scale))
}

fn extent(points: &[DVec2], origin: DVec2, direction: DVec2) -> (f64, f64) {
    points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &point| {
        let height = (point - origin).dot(direction);
        (low.min(height), high.max(height))
    })
}
