use std::cmp::Ordering;

use glam::Vec2;

use super::Aabb2;
use super::edges::Edges;
use crate::Result;
use crate::shape::fit::convex_hull_2d;
use crate::shape::orient::orient2d;

/// A convex polygon: the hull of points in the plane. Points on one line make a segment, a single one a point.
///
/// ```
/// use tangency::d2::ConvexPolygon;
///
/// let triangle = ConvexPolygon::from_points([[0.0, 0.0], [4.0, 0.0], [0.0, 3.0], [1.0, 1.0]])?;
/// assert_eq!((triangle.vertices().len(), triangle.area()), (3, 6.0));
/// assert!(triangle.contains_point([2.0, 1.5]) && !triangle.contains_point([2.0, 1.6]));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexPolygon {
    vertices: Vec<Vec2>,
}

impl ConvexPolygon {
    /// The hull of `points`, exactly.
    ///
    /// ```
    /// # use tangency::{Error, d2::ConvexPolygon};
    /// let square = ConvexPolygon::from_points([[0.0, 0.0], [1.0, 0.0], [0.5, 0.5], [1.0, 1.0], [0.0, 1.0]])?;
    /// assert_eq!(square.vertices().len(), 4); // the point inside is dropped
    /// assert_eq!(ConvexPolygon::from_points([[0.0_f32; 2]; 0]), Err(Error::NoPoints));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoPoints`](crate::Error::NoPoints), or [`NotFinite`](crate::Error::NotFinite) for the first bad one.
    pub fn from_points<P: Into<Vec2>>(points: impl IntoIterator<Item = P>) -> Result<Self> {
        let points: Vec<Vec2> = points.into_iter().map(Into::into).collect();
        Ok(Self { vertices: convex_hull_2d(&points)? })
    }

    /// From corners that are known to be strictly convex and counter-clockwise.
    pub(super) fn from_ring(vertices: Vec<Vec2>) -> Self {
        Self { vertices }
    }

    /// The corners, counter-clockwise, none on the line of its neighbours; at least one.
    ///
    /// ```
    /// # use tangency::d2::ConvexPolygon;
    /// let rod = ConvexPolygon::from_points([[0.0, 0.0], [2.0, 2.0], [1.0, 1.0]])?;
    /// assert_eq!(rod.vertices(), [tangency::glam::vec2(0.0, 0.0), tangency::glam::vec2(2.0, 2.0)]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn vertices(&self) -> &[Vec2] {
        &self.vertices
    }

    /// The edges as pairs of corners, counter-clockwise; a segment has one, a point none.
    ///
    /// ```
    /// # use tangency::d2::ConvexPolygon;
    /// let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    /// for (n, edges) in [(1, 0), (2, 1), (3, 3)] {
    ///     assert_eq!(ConvexPolygon::from_points(corners.into_iter().take(n))?.edges().count(), edges);
    /// }
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn edges(&self) -> Edges<'_> {
        Edges::new(&self.vertices)
    }

    /// The area, in `f64`: the shoelace formula about the first corner.
    ///
    /// ```
    /// # use tangency::d2::ConvexPolygon;
    /// assert_eq!(ConvexPolygon::from_points([[1.0, 1.0], [5.0, 1.0], [1.0, 4.0]])?.area(), 6.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn area(&self) -> f64 {
        super::polygon::shoelace(&self.vertices)
    }

    /// The smallest rectangle around it. Exact.
    ///
    /// ```
    /// # use tangency::d2::{Aabb2, ConvexPolygon};
    /// let triangle = ConvexPolygon::from_points([[1.0, 1.0], [5.0, 1.0], [1.0, 4.0]])?;
    /// assert_eq!(triangle.aabb(), Aabb2::new([1.0, 1.0], [5.0, 4.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn aabb(&self) -> Aabb2 {
        Aabb2::from_points(self.vertices.iter().copied()).unwrap_or_default()
    }

    /// Whether the point lies in the polygon, border included. Exact.
    ///
    /// ```
    /// # use tangency::d2::ConvexPolygon;
    /// let triangle = ConvexPolygon::from_points([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]])?;
    /// assert!(triangle.contains_point([2.0, 2.0]) && !triangle.contains_point([2.0, 2.0000002]));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn contains_point(&self, point: impl Into<Vec2>) -> bool {
        let p = point.into();
        if !p.is_finite() || !self.aabb().contains_point(p) {
            return false;
        }
        match *self.vertices {
            // In the box around one or two corners and on their line is between them.
            [a, b] => orient2d(a, b, p) == Ordering::Equal,
            _ => self.edges().all(|(a, b)| orient2d(a, b, p) != Ordering::Less),
        }
    }
}
