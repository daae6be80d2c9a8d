use glam::Vec3;

use crate::shape::{Aabb, Plane};

/// When a moving box first touches a plane (its surface, from either side), between time 0 and 1. `None` when it does not,
/// or when `translation` is not finite.
///
/// The box's extent along the normal is `|n| · half`; its centre's height changes evenly (Gomez 1999; touching counts).
///
/// ```
/// use tangency::{query, shape::{Aabb, Plane}};
///
/// let ground = Plane::new([0.0, 1.0, 0.0], 0.0)?;
/// let falling = Aabb::new([0.0, 4.0, 0.0], [1.0, 5.0, 1.0])?;
/// assert_eq!(query::sweep_aabb_plane(&falling, [3.0, -8.0, 0.0], &ground), Some(0.5));
/// assert_eq!(query::sweep_aabb_plane(&falling, [3.0, -3.0, 0.0], &ground), None);
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn sweep_aabb_plane(aabb: &Aabb, translation: impl Into<Vec3>, plane: &Plane) -> Option<f64> {
    let translation = translation.into();
    if aabb.validate().is_err() || plane.validate().is_err() || !translation.is_finite() {
        return None;
    }
    let normal = plane.normal().as_dvec3();
    let (low, high) = (aabb.min().as_dvec3(), aabb.max().as_dvec3());
    let height = normal.dot((low + high) / 2.0) - f64::from(plane.offset());
    let extent = normal.abs().dot((high - low) / 2.0);
    let gap = height.abs() - extent;
    if gap <= 0.0 {
        return Some(0.0);
    }
    // Positive when the box comes nearer.
    let closing = -height.signum() * normal.dot(translation.as_dvec3());
    (closing > 0.0 && gap <= closing).then(|| gap / closing)
}
