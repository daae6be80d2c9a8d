use glam::{DVec3, Vec3};

use crate::Result;
use crate::shape::{Aabb, check};

/// The smallest box with `f32` faces that contains `bounds` all along its way by `displacement`, rounded outward.
///
/// The bounds of any moving shape: `swept_aabb(&shape.aabb(), displacement)`. Faces beyond the finite numbers are kept
/// at `f32::MAX`.
///
/// ```
/// use tangency::{query, shape::{Aabb, Sphere}};
///
/// let ball = Sphere::new([0.0; 3], 1.0)?;
/// let swept = query::swept_aabb(&ball.aabb(), [10.0, 0.0, -2.0])?;
/// assert_eq!(swept, Aabb::new([-1.0, -1.0, -3.0], [11.0, 1.0, 1.0])?);
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// [`EmptyBox`](crate::Error::EmptyBox) or what else [`Aabb::validate`] says; [`NotFinite`](crate::Error::NotFinite) for
/// the displacement.
pub fn swept_aabb(bounds: &Aabb, displacement: impl Into<Vec3>) -> Result<Aabb> {
    bounds.validate()?;
    let displacement = displacement.into();
    check::finite_vec(&["displacement.x", "displacement.y", "displacement.z"], displacement)?;
    let d = displacement.as_dvec3();
    let (low, low_slack) = check::sum_and_slack(bounds.min().as_dvec3(), d.min(DVec3::ZERO));
    let (high, high_slack) = check::sum_and_slack(bounds.max().as_dvec3(), d.max(DVec3::ZERO));
    Ok(Aabb::around_f64(low, low_slack).merge(&Aabb::around_f64(high, high_slack)))
}
