use glam::Vec2;

use crate::shape::quickhull::monotone_chain;
use crate::{Error, Result};

/// The corners of the convex hull of points in the plane, counter-clockwise from the leftmost (the lower of two).
///
/// Andrew's monotone chain (1979) on exact orientation signs: points on an edge and duplicates are left out, points on one
/// line leave two, points at one place leave one.
///
/// ```
/// use tangency::shape::fit;
/// # use tangency::glam::vec2;
/// let points = [vec2(0.0, 0.0), vec2(2.0, 0.0), vec2(1.0, 0.0), vec2(1.0, 0.5), vec2(1.0, 2.0)];
/// assert_eq!(fit::convex_hull_2d(&points)?, [vec2(0.0, 0.0), vec2(2.0, 0.0), vec2(1.0, 2.0)]);
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// [`NoPoints`](Error::NoPoints), or [`NotFinite`](Error::NotFinite) for the first bad one.
pub fn convex_hull_2d(points: &[Vec2]) -> Result<Vec<Vec2>> {
    for point in points {
        for (field, value) in [("point.x", point.x), ("point.y", point.y)] {
            crate::shape::check::finite(field, value)?;
        }
    }
    if points.is_empty() {
        return Err(Error::NoPoints);
    }
    Ok(monotone_chain(points).into_iter().map(|i| points[i]).collect())
}
