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
/// assert_eq!(way.center(), glam::vec3(5.0, 0.0, 0.0));
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

/// The box around the whole way of a box that is shifted by `translation`, rounded outward.
///
/// ```
/// use tangency::{query, shape::Aabb};
///
/// let lift = Aabb::new([0.0; 3], [1.0; 3])?;
/// assert_eq!(query::swept_aabb(&lift, [0.0, 9.0, -2.0])?, Aabb::new([0.0, 0.0, -2.0], [1.0, 10.0, 1.0])?);
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// [`NotFinite`](crate::Error::NotFinite) when a corner leaves the range of `f32`. The empty box stays empty.
pub fn swept_aabb(aabb: &Aabb, translation: impl Into<Vec3>) -> Result<Aabb> {
    let way = translation.into();
    check::finite_vec(&["translation.x", "translation.y", "translation.z"], way)?;
    if aabb.is_empty() {
        return Ok(*aabb);
    }
    let (low, high) = (aabb.min(), aabb.max());
    let min: [f32; 3] = std::array::from_fn(|i| low[i].min(sum_down(low[i], way[i])));
    let max: [f32; 3] = std::array::from_fn(|i| high[i].max(-sum_down(-high[i], -way[i])));
    Aabb::new(Vec3::from_array(min), Vec3::from_array(max))
}

/// The largest `f32` that is not above `a + b`.
fn sum_down(a: f32, b: f32) -> f32 {
    let (a, b) = (f64::from(a), f64::from(b));
    let sum = a + b;
    // What the sum lost by rounding (Knuth's two-sum), exactly.
    let part = sum - a;
    let lost = (a - (sum - part)) + (b - part);
    check::round_down(if lost < 0.0 { sum.next_down() } else { sum })
}
