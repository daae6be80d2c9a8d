//! Going round a polygon.

use glam::Vec2;

/// The edges of a polygon as pairs of corners, counter-clockwise: [`Polygon::edges`](super::Polygon::edges),
/// [`ConvexPolygon::edges`](super::ConvexPolygon::edges).
///
/// ```
/// # use tangency::d2::{Edges, Polygon};
/// let triangle = Polygon::new([[0.0, 0.0], [3.0, 0.0], [0.0, 4.0]])?;
/// let edges: Edges<'_> = triangle.edges();
/// assert_eq!(edges.len(), 3);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Edges<'a> {
    vertices: &'a [Vec2],
    /// The first corners of the edges that are left.
    at: std::ops::Range<usize>,
}

impl<'a> Edges<'a> {
    /// A segment has one edge, a point none.
    pub(super) fn new(vertices: &'a [Vec2]) -> Self {
        let count = if vertices.len() < 3 { vertices.len().saturating_sub(1) } else { vertices.len() };
        Self { vertices, at: 0..count }
    }
}

impl Iterator for Edges<'_> {
    type Item = (Vec2, Vec2);

    fn next(&mut self) -> Option<(Vec2, Vec2)> {
        let k = self.at.next()?;
        Some((self.vertices[k], self.vertices[(k + 1) % self.vertices.len()]))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.at.size_hint()
    }
}

impl ExactSizeIterator for Edges<'_> {}
impl std::iter::FusedIterator for Edges<'_> {}
