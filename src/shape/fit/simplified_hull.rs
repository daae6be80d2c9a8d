use glam::DVec3;

use super::calipers_obb::calipers_obb;
use super::few_corners::fewest;
use super::hull_view::HullView;
use crate::shape::{ConvexHull, Obb, check};
use crate::{Error, Result};

/// The fewest corners of a solid.
const FEWEST: usize = 4;

/// A hull of at most `corners` corners, four or more, that contains another exactly, in the same pose.
///
/// A hull that has no more corners is returned as it is. Else, half-spaces that contain the hull are laid against it and intersected: those
/// of the box of [`calipers_obb`], and then, one by one, the one that cuts off most, out of those on the hull's faces and across
/// the corners that stick out, for as long as there are not too many corners. Up to 32 corners, sides are exchanged for better ones too.
///
/// From eight corners on it has at most the volume of that box, but for the rounding of corners to `f32`, for which it is up to a few units
/// in the last place thicker all around. Fewer corners begin with a tetrahedron or a prism, which may be larger than the box. It is
/// not the smallest hull there is with so many corners. A flat hull becomes a thin solid, as no corners but its own need lie in its plane.
///
/// The hull of points, without any room to spare, is [`ConvexHull::from_points`].
///
/// ```
/// use tangency::shape::{ConvexHull, fit};
///
/// let circle = (0..50).map(|k| (k as f32 * 0.1257).sin_cos());
/// let cylinder = ConvexHull::from_points(circle.flat_map(|(x, y)| [[x, y, -1.0], [x, y, 1.0]]))?;
/// let simple = fit::simplified_hull(&cylinder, 16)?;
/// assert!(simple.vertices().len() <= 16);
/// assert!(cylinder.vertices().into_iter().all(|corner| simple.contains_point(corner)));
/// assert!(simple.volume() < 1.1 * cylinder.volume());
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// [`TooFewPoints`](Error::TooFewPoints) for less than four corners; [`NotFinite`](Error::NotFinite) where the corners leave the range of
/// `f32`.
pub fn simplified_hull(hull: &ConvexHull, corners: usize) -> Result<ConvexHull> {
    if corners < FEWEST {
        return Err(Error::TooFewPoints { needed: FEWEST, found: corners });
    }
    if hull.local_vertices().len() <= corners {
        return Ok(hull.clone());
    }
    let fitted = calipers_obb(hull.local_vertices())?;
    let bounds = fitted.aabb();
    let reach = bounds.min().abs().max(bounds.max().abs());
    // A corner is rounded by half a unit in the last place, and may lie where units are twice as large.
    let margin = reach.to_array().map(|x| 1.5 * (f64::from(x.next_up()) - f64::from(x)));
    around(hull, &fitted, DVec3::from_array(margin), corners)
}

/// The simplified hull, with this margin or a larger one.
///
/// The solid is made to contain the hull and a box of the size of the margin around each point of it. When no coordinate of its corners is
/// moved by more than that, what they span still contains the hull (the cancellation law of Minkowski sums). That they were not is
/// found by looking.
fn around(hull: &ConvexHull, fitted: &Obb, mut margin: DVec3, corners: usize) -> Result<ConvexHull> {
    // It ends: a margin beyond `f32` is an error, and so is a corner.
    loop {
        check::finite_vec(&check::POINT, margin.as_vec3())?;
        let view = HullView::new(hull, fitted, margin);
        if let Some(found) = fewest(&view, &view.half_spaces(hull), corners) {
            let rounded = ConvexHull::from_points(found.into_iter().map(|u| view.placed(u)))?;
            if hull.local_vertices().iter().all(|&v| rounded.contains_point(v)) {
                return Ok(rounded.with_pose(hull.pose()));
            }
        }
        margin *= 4.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A margin that is too small by far grows until the hull is contained.
    #[test]
    fn a_margin_that_does_not_do_grows() {
        let at = |i: u32| DVec3::new(f64::from(i).sin(), f64::from(i).cos(), (f64::from(i) * 0.7).sin()).as_vec3();
        let hull = ConvexHull::from_points((0..40).map(at)).unwrap();
        let fitted = calipers_obb(hull.local_vertices()).unwrap();
        for corners in [4, 6, 8, 12, 16] {
            let found = around(&hull, &fitted, DVec3::splat(1e-18), corners).unwrap();
            assert!(found.local_vertices().len() <= corners);
            assert!(hull.local_vertices().iter().all(|v| found.contains_point(*v)), "{corners}");
        }
    }
}
