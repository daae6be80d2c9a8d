use std::cmp::Ordering;

use glam::Vec3;

use crate::query::side;
use crate::shape::{Plane, Sphere};
use crate::{Result, Side};

/// The order of `normal · point` and `offset`, exactly: less in the half-space, equal on the plane, greater outside.
///
/// ```
/// use std::cmp::Ordering;
/// use tangency::{query, shape::Plane};
///
/// let plane = Plane::new([1.0, 1.0, 1.0], 0.3)?;
/// assert_eq!(query::side_of_point([0.0, 0.0, 0.3], &plane)?, Ordering::Equal);
/// assert_eq!(query::side_of_point([1e-30, 0.0, 0.3], &plane)?, Ordering::Greater);
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// [`NotFinite`](crate::Error::NotFinite) for the point (as `center`), or what [`Plane::validate`] says.
pub fn side_of_point(point: impl Into<Vec3>, plane: &Plane) -> Result<Ordering> {
    plane.validate()?;
    let point = Sphere::new(point, 0.0)?;
    Ok(match (side(&point, plane), side(&point, &plane.flip())) {
        (Side::Outside, _) => Ordering::Greater,
        (_, Side::Outside) => Ordering::Less,
        _ => Ordering::Equal,
    })
}
