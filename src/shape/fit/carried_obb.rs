use glam::{Quat, Vec3};

use crate::Result;
use crate::shape::{Aabb, Obb, check, obb::rotation_f64};

/// A mesh's local box carried along with the mesh: turned by `rotation` (of any non-zero length), then moved by
/// `translation`. It contains the moved mesh, rounded outward.
///
/// The centre goes through the transform `c' = R c + t`; the half extents stay, but for the rounding of the centre.
///
/// ```
/// use tangency::glam::Quat;
/// use tangency::shape::{Aabb, fit};
///
/// let local = Aabb::new([0.0; 3], [4.0, 2.0, 2.0])?;
/// let world = fit::carried_obb(&local, Quat::from_rotation_z(std::f32::consts::FRAC_PI_2), [10.0, 0.0, 0.0])?;
/// assert!(world.center().abs_diff_eq(tangency::glam::vec3(9.0, 2.0, 1.0), 1e-6));
/// assert!(world.half_extents().abs_diff_eq(tangency::glam::vec3(2.0, 1.0, 1.0), 1e-6));
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// [`EmptyBox`](crate::Error::EmptyBox); [`NotFinite`](crate::Error::NotFinite) or
/// [`ZeroRotation`](crate::Error::ZeroRotation) for a bad transform, or a box beyond `f32`.
pub fn carried_obb(local: &Aabb, rotation: impl Into<Quat>, translation: impl Into<Vec3>) -> Result<Obb> {
    local.validate()?;
    let (rotation, translation) = (rotation.into(), translation.into());
    let matrix = rotation_f64(rotation.to_array())?;
    check::finite_vec(&["translation.x", "translation.y", "translation.z"], translation)?;
    let (low, high) = (local.min().as_dvec3(), local.max().as_dvec3());
    let turned = matrix * ((low + high) / 2.0);
    let exact = turned + translation.as_dvec3();
    let center = exact.as_vec3();
    let lost = (matrix.transpose() * (center.as_dvec3() - exact)).abs();
    // In any direction: R c is off by at most 18.3 √3 u |c|, the middle of the box and the sum by 3 u (|c| + |t|) more, and the sums below
    // by 2 u of themselves; all of it less than 64 u of these three lengths, none of which is the result of a cancellation.
    let slack = 32.0 * f64::EPSILON * (turned.length() + translation.as_dvec3().length() + (high - low).length());
    let half = (high - low) / 2.0 + lost + slack;
    Obb::new(center, Vec3::from_array(half.to_array().map(check::round_up)), rotation)
}
