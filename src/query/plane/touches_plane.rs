use crate::Side;
use crate::query::{ClassifySide, side};
use crate::shape::Plane;

/// Whether `shape` has a point on the plane itself, exactly: the **two-sided** test, to which both sides are alike.
///
/// The one-sided test, whether it has a point in the half-space, is `side(shape, plane) != Side::Outside`.
///
/// ```
/// use tangency::{Side, query, shape::{Plane, Sphere}};
///
/// let ground = Plane::new([0.0, 1.0, 0.0], 0.0)?;
/// let buried = Sphere::new([0.0, -5.0, 0.0], 1.0)?;
/// assert!(!query::touches_plane(&buried, &ground)); // two-sided: nowhere near the sheet
/// assert_ne!(query::side(&buried, &ground), Side::Outside); // one-sided: in the half-space
/// assert!(query::touches_plane(&Sphere::new([0.0, 1.0, 0.0], 1.0)?, &ground));
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn touches_plane(shape: &impl ClassifySide, plane: &Plane) -> bool {
    side(shape, plane) != Side::Outside && side(shape, &plane.flip()) != Side::Outside
}
