use glam::Vec3;

use crate::Result;
use crate::shape::{Aabb, Sphere, check};

/// A ball around the whole way of a ball from `start` to `end`, along which its radius may change.
///
/// Centred between both, with half the way plus the **larger** radius. ([`Sphere::merge`] of both is smaller when the radii
/// differ, and contains the way as well.)
///
/// ```
/// use tangency::{query, shape::Sphere};
///
/// let start = Sphere::new([0.0, 0.0, 0.0], 1.0)?;
/// let way = query::swept_sphere(&start, &start.translate([10.0, 0.0, 0.0])?)?;
/// assert_eq!(way.center(), tangency::glam::vec3(5.0, 0.0, 0.0));
/// assert!((6.0..6.00001).contains(&way.radius()));
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// [`NotFinite`](crate::Error::NotFinite) when the radius leaves the range of `f32`.
pub fn swept_sphere(start: &Sphere, end: &Sphere) -> Result<Sphere> {
    let (from, to) = (start.center().as_dvec3(), end.center().as_dvec3());
    let center = ((from + to) / 2.0).as_vec3();
    // From the rounded centre, the farther end decides.
    let half = center.as_dvec3().distance(from).max(center.as_dvec3().distance(to));
    let radius = half + f64::from(start.radius().max(end.radius()));
    Sphere::new(center, check::round_up(radius * (1.0 + 8.0 * f64::EPSILON)))
}

/// The smallest box with `f32` faces that contains `bounds` all along its way by `translation`.
///
/// The bounds of any moving shape: `swept_aabb(&shape.aabb(), translation)`. Faces beyond the finite numbers are kept at
/// `f32::MAX`; the empty box stays empty.
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
/// [`NotFinite`](crate::Error::NotFinite) for the translation; what [`Aabb::validate`] says of anything but the empty box.
pub fn swept_aabb(bounds: &Aabb, translation: impl Into<Vec3>) -> Result<Aabb> {
    let way = translation.into();
    check::finite_vec(&["translation.x", "translation.y", "translation.z"], way)?;
    if bounds.is_empty() {
        return Ok(*bounds);
    }
    bounds.validate()?;
    let down = |from: Vec3, by: Vec3| {
        Vec3::from_array([0, 1, 2].map(|k| check::sum_down(f64::from(from[k]), f64::from(by[k].min(0.0)))))
    };
    Ok(Aabb::from_bounds(down(bounds.min(), way), -down(-bounds.max(), -way)))
}
