use glam::{DVec3, Vec3};

use super::Motion;
use super::pose::Moving;
use crate::Result;
use crate::query::support::Support;
use crate::shape::{Aabb, Sphere, check};

/// A ball around the whole way of a ball straight from `start` to `end`, along which its radius may change.
///
/// Centred between both, with half the way plus the **larger** radius. ([`Sphere::merge`] of both is smaller when the radii
/// differ, and contains the way as well.) A ball that turns about a pivot goes other ways: [`swept_bounds`].
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
/// The bounds of any shape that moves without turning: `swept_aabb(&shape.aabb(), translation)`. With turning: [`swept_bounds`]. Faces beyond the finite numbers are kept at
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

/// The angle between two moments that [`swept_bounds`] looks at, and how many there are at most.
const STEP: f64 = 0.05;
const MAX_STEPS: f64 = 128.0;

/// A shape of which [`swept_bounds`] can tell where it comes: everything with a [`Support`], and a [`Shape`](crate::shape::Shape).
///
/// ```
/// use tangency::{query::{Motion, SweptBounds}, shape::{Aabb, Segment}};
///
/// let rod = Segment::new([0.0; 3], [0.0, 1.0, 0.0])?;
/// let bounds = rod.swept_bounds(&Motion::translation([2.0, 0.0, 0.0])?).expect("it has points");
/// assert!(bounds.contains(&Aabb::new([0.0; 3], [2.0, 1.0, 0.0])?));
/// # Ok::<(), tangency::Error>(())
/// ```
pub trait SweptBounds {
    /// A box that contains the shape all along the motion; see [`swept_bounds`].
    fn swept_bounds(&self, motion: &Motion) -> Option<Aabb>;
}

/// A box that contains `shape` all along `motion`, turning included, about its centre or about a [pivot](Motion::about); `None` for a
/// shape without points, and for a plane, which no box contains.
///
/// Rounded outward. For up to one turn it is larger than the smallest by at most a part in 3000 of the distance between the axis and
/// the farthest point; for more, by at most what the shape needs to turn all the way round everywhere. Faces beyond the finite
/// numbers are kept at `f32::MAX`.
///
/// ```
/// use tangency::{query::{self, Motion}, shape::{Aabb, Sphere}};
///
/// // A ball at the end of an arm of length 2 swings from x to y.
/// let ball = Sphere::new([2.0, 0.0, 0.0], 0.5)?;
/// let swing = Motion::new([0.0; 3], [0.0, 0.0, std::f32::consts::FRAC_PI_2])?.about([0.0; 3])?;
/// let bounds = query::swept_bounds(&ball, &swing).expect("it has points");
/// assert!(bounds.contains(&Aabb::new([-0.5; 3], [2.5, 2.5, 0.5])?));
/// assert!(Aabb::new([-0.501; 3], [2.501, 2.501, 0.501])?.contains(&bounds));
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn swept_bounds<S: SweptBounds + ?Sized>(shape: &S, motion: &Motion) -> Option<Aabb> {
    shape.swept_bounds(motion)
}

impl<S: Support + ?Sized> SweptBounds for S {
    fn swept_bounds(&self, motion: &Motion) -> Option<Aabb> {
        of_support(&self, motion)
    }
}

/// [`swept_bounds`], compiled once for all shapes.
fn of_support(shape: &dyn Support, motion: &Motion) -> Option<Aabb> {
    if shape.has_no_points() {
        return None;
    }
    let moving = Moving::new(shape, motion);
    let (axis, angle, arm) = moving.turn();
    let steps = (angle / STEP).ceil().clamp(1.0, MAX_STEPS);
    // A coordinate of a point is a function of time with a second derivative of at most angle² times the radius of its circle, seen
    // from the side. Between two moments it exceeds the line between its values by at most an eighth of that times the step squared.
    let aside = DVec3::AXES.map(|k| axis.cross(k).length());
    let bulge = DVec3::from_array(aside) * (arm * (angle / steps) * (angle / steps) / 8.0);
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for step in 0..=steps as u32 {
        let posed = moving.at(f64::from(step) / steps);
        let along = |d: DVec3| DVec3::from_array(DVec3::AXES.map(|k| posed.core_support(k * d).dot(k)));
        (low, high) = (low.min(along(DVec3::NEG_ONE) - bulge), high.max(along(DVec3::ONE) + bulge));
    }
    // However often it turns, it stays in the ring around the axis, which moves.
    let heights = [axis, -axis].map(|d| axis * (shape.core_support(d) - moving.pivot()).dot(axis));
    let ring = DVec3::from_array(aside) * arm;
    let ends = [moving.pivot(), moving.pivot() + moving.velocity()];
    low = low.max(heights[0].min(heights[1]) + ends[0].min(ends[1]) - ring);
    high = high.min(heights[0].max(heights[1]) + ends[0].max(ends[1]) + ring);
    let slack = 64.0 * f64::EPSILON * moving.scale();
    let down = |low: f64| check::sum_down(low, -shape.rounding() - slack);
    let min = [0, 1, 2].map(|k| down(low[k]));
    let max = [0, 1, 2].map(|k| -down(-high[k]));
    Some(Aabb::from_bounds(min.into(), max.into()))
}
