use glam::Vec3;

use crate::Result;
use crate::query::closest_point;
use crate::shape::Plane;

/// The distance of `point` above the plane: (n · P − offset) / |n|, positive where the normal points, negative in the
/// half-space; in `f64`, rounded once.
///
/// ```
/// use tangency::{query, shape::Plane};
///
/// let plane = Plane::new([0.0, 2.0, 0.0], 6.0)?; // y = 3, with a normal of length 2
/// assert_eq!(query::signed_distance(&plane, [9.0, 4.0, 0.0])?, 1.0);
/// assert_eq!(query::signed_distance(&plane, [9.0, 0.0, 0.0])?, -3.0);
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// [`NotFinite`](crate::Error::NotFinite) for the point, or what [`Plane::validate`] says.
pub fn signed_distance(plane: &Plane, point: impl Into<Vec3>) -> Result<f32> {
    Ok(closest_point(plane, point)?.distance)
}
