use std::cmp::Ordering;

use glam::Vec2;

use super::edges::Edges;
use super::{Aabb2, ConvexPolygon, Segment2, SegmentSegment, check, convex_parts, segment_segment};
use crate::shape::orient::orient2d;
use crate::{Error, Result};

/// A simple polygon, convex or concave: its border neither crosses nor touches itself.
///
/// ```
/// use tangency::d2::Polygon;
///
/// let corner = Polygon::new([[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]])?;
/// assert_eq!(corner.area(), 3.0);
/// assert!(!corner.is_convex() && corner.convex_parts().len() == 2);
/// assert!(corner.contains_point([1.0, 1.5]) && !corner.contains_point([1.5, 1.5]));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    vertices: Vec<Vec2>,
}

impl Polygon {
    /// The polygon with the given corners, in either direction around.
    ///
    /// ```
    /// # use tangency::{Error, d2::Polygon};
    /// let clockwise = Polygon::new([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]])?;
    /// assert_eq!(clockwise.area(), 0.5); // it is turned round
    /// let bow_tie = Polygon::new([[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]);
    /// assert_eq!(bow_tie, Err(Error::NotSimple { first: 0, second: 2 }));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite); [`TooFewPoints`](Error::TooFewPoints) for less than three corners;
    /// [`NotSimple`](Error::NotSimple) naming two edges that meet where they should not.
    pub fn new<P: Into<Vec2>>(corners: impl IntoIterator<Item = P>) -> Result<Self> {
        let mut vertices: Vec<Vec2> = corners.into_iter().map(Into::into).collect();
        for &vertex in &vertices {
            check::finite_vec(["point.x", "point.y"], vertex)?;
        }
        if vertices.len() < 3 {
            return Err(Error::TooFewPoints { needed: 3, found: vertices.len() });
        }
        if let Some((first, second)) = meeting_edges(&vertices) {
            return Err(Error::NotSimple { first, second });
        }
        if turn(&vertices) == Ordering::Less {
            vertices.reverse();
        }
        Ok(Self { vertices })
    }

    /// The corners, counter-clockwise.
    ///
    /// ```
    /// # use tangency::d2::Polygon;
    /// let given_clockwise = Polygon::new([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]])?;
    /// assert_eq!(given_clockwise.vertices()[0], tangency::glam::vec2(1.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn vertices(&self) -> &[Vec2] {
        &self.vertices
    }

    /// The edges as pairs of corners, counter-clockwise.
    ///
    /// ```
    /// # use tangency::d2::Polygon;
    /// let triangle = Polygon::new([[0.0, 0.0], [3.0, 0.0], [0.0, 4.0]])?;
    /// assert_eq!(triangle.edges().map(|(a, b)| a.distance(b)).collect::<Vec<_>>(), [3.0, 5.0, 4.0]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn edges(&self) -> Edges<'_> {
        Edges::new(&self.vertices)
    }

    /// The area, in `f64`: the shoelace formula.
    ///
    /// ```
    /// # use tangency::d2::Polygon;
    /// assert_eq!(Polygon::new([[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]])?.area(), 4.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn area(&self) -> f64 {
        shoelace(&self.vertices)
    }

    /// The smallest rectangle around it. Exact.
    ///
    /// ```
    /// # use tangency::d2::{Aabb2, Polygon};
    /// let triangle = Polygon::new([[1.0, 0.0], [3.0, 1.0], [0.0, 4.0]])?;
    /// assert_eq!(triangle.aabb(), Aabb2::new([0.0, 0.0], [3.0, 4.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn aabb(&self) -> Aabb2 {
        Aabb2::from_points(self.vertices.iter().copied()).unwrap_or_default()
    }

    /// Whether no corner points inward. Exact.
    ///
    /// ```
    /// # use tangency::d2::Polygon;
    /// assert!(Polygon::new([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])?.is_convex());
    /// assert!(!Polygon::new([[0.0, 0.0], [2.0, 0.0], [0.5, 0.5], [0.0, 2.0]])?.is_convex());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn is_convex(&self) -> bool {
        let (v, n) = (&self.vertices, self.vertices.len());
        (0..n).all(|i| orient2d(v[i], v[(i + 1) % n], v[(i + 2) % n]) != Ordering::Less)
    }

    /// Whether the point lies in the polygon, border included. Exact.
    ///
    /// Counts the crossings of a ray to the right (Shimrat 1962): an edge counts when it starts above the point's height
    /// and ends not above it, or the reverse, so that a corner on the ray counts once.
    ///
    /// ```
    /// # use tangency::d2::Polygon;
    /// let dart = Polygon::new([[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]])?;
    /// assert!(dart.contains_point([1.0, 1.0]) && !dart.contains_point([1.5, 1.5]));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn contains_point(&self, point: impl Into<Vec2>) -> bool {
        let p = point.into();
        if !p.is_finite() || !self.aabb().contains_point(p) {
            return false;
        }
        let mut inside = false;
        for (a, b) in self.edges() {
            let side = orient2d(a, b, p);
            if side == Ordering::Equal && Aabb2::from_points([a, b]).is_ok_and(|edge| edge.contains_point(p)) {
                return true;
            }
            let upward = a.y <= p.y && b.y > p.y;
            let downward = b.y <= p.y && a.y > p.y;
            if upward && side == Ordering::Greater || downward && side == Ordering::Less {
                inside = !inside;
            }
        }
        inside
    }

    /// Convex polygons that make up this one and share no area: ear clipping (Meisters 1975), then dropping the diagonals
    /// that no inward corner needs (Hertel, Mehlhorn 1983). A convex polygon is its own only part.
    ///
    /// ```
    /// # use tangency::d2::Polygon;
    /// let corner = Polygon::new([[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]])?;
    /// let parts = corner.convex_parts();
    /// assert_eq!((parts.len(), parts.iter().map(|part| part.area()).sum::<f64>()), (2, 3.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn convex_parts(&self) -> Vec<ConvexPolygon> {
        convex_parts::convex_parts(&self.vertices)
    }
}

/// Twice the signed area would overflow nothing in `f64`; half of it is returned.
pub(super) fn shoelace(vertices: &[Vec2]) -> f64 {
    let origin = vertices[0].as_dvec2();
    let twice: f64 = vertices.windows(2).map(|w| (w[0].as_dvec2() - origin).perp_dot(w[1].as_dvec2() - origin)).sum();
    twice / 2.0
}

/// Greater for a border that runs counter-clockwise: the turn at its lowest corner, which is never inward.
fn turn(vertices: &[Vec2]) -> Ordering {
    let n = vertices.len();
    let below = |i: &usize, j: &usize| {
        let (p, q) = (vertices[*i], vertices[*j]);
        // Comparing numbers, so that -0 and 0 are equal.
        p.y.partial_cmp(&q.y).and_then(|o| p.x.partial_cmp(&q.x).map(|x| o.then(x))).unwrap_or(Ordering::Equal)
    };
    let lowest = (0..n).min_by(below).unwrap_or(0);
    orient2d(vertices[(lowest + n - 1) % n], vertices[lowest], vertices[(lowest + 1) % n])
}

/// Two edges that have a point in common which is not the corner between them.
fn meeting_edges(vertices: &[Vec2]) -> Option<(usize, usize)> {
    let n = vertices.len();
    let edge = |i: usize| Segment2::between(vertices[i], vertices[(i + 1) % n]);
    for i in 0..n {
        for j in i + 1..n {
            let neighbours = j == i + 1 || (i == 0 && j == n - 1);
            let fine = match segment_segment(&edge(i), &edge(j)) {
                SegmentSegment::Separate => !neighbours,
                SegmentSegment::Point(_) => {
                    neighbours && vertices[j] != vertices[(j + 1) % n] && vertices[i] != vertices[(i + 1) % n]
                }
                SegmentSegment::Overlap(_) => false,
            };
            if !fine {
                return Some((i, j));
            }
        }
    }
    None
}
