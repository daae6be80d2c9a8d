use glam::{DVec3, Vec3};

use crate::Result;
use crate::shape::check;

/// A point of a shape, and how far it is.
///
/// ```
/// use tangency::{query, shape::Segment};
///
/// let segment = Segment::new([0.0, 0.0, 0.0], [4.0, 0.0, 0.0])?;
/// let found = query::closest_point(&segment, [5.0, 1.0, 0.0])?;
/// assert_eq!(found.point, tangency::glam::vec3(4.0, 0.0, 0.0));
/// assert_eq!(found.distance, 2.0_f32.sqrt());
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// The point of the shape (or of its surface) that was asked for, rounded to nearest.
    pub point: Vec3,
    /// Its distance, rounded to nearest. Negative where the query says so: inside, or behind a plane.
    pub distance: f32,
}

impl Closest {
    /// Both numbers rounded and kept within the finite ones.
    pub(super) fn new(point: DVec3, distance: f64) -> Self {
        Self { point: check::saturate(point), distance: check::saturate_f32(distance) }
    }
}

/// A shape that [`closest_point`] and [`closest_surface_point`] can answer for.
///
/// ```
/// use tangency::{query::{self, ClosestPoint}, shape::{Segment, Sphere}};
///
/// fn distance(shape: &impl ClosestPoint) -> tangency::Result<f32> {
///     Ok(query::closest_point(shape, [0.0, 3.0, 0.0])?.distance)
/// }
/// assert_eq!(distance(&Sphere::new([0.0; 3], 1.0)?)?, 2.0);
/// assert_eq!(distance(&Segment::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0])?)?, 3.0);
/// # Ok::<(), tangency::Error>(())
/// ```
pub trait ClosestPoint {
    /// The nearest point of the closed set; see [`closest_point`].
    ///
    /// # Errors
    /// What `validate` says of a shape that has no points.
    fn closest_point(&self, point: DVec3) -> Result<Closest>;

    /// The nearest point of the surface; see [`closest_surface_point`].
    ///
    /// # Errors
    /// As [`closest_point`](Self::closest_point).
    fn closest_surface_point(&self, point: DVec3) -> Result<Closest> {
        self.closest_point(point)
    }
}

/// The point of `shape` nearest to `point`, in `f64`, rounded once.
///
/// A ball, box, capsule or hull is solid: a point inside is its own answer, at distance 0. A [`Plane`](crate::shape::Plane)
/// is a sheet here, and its distance is **signed**: negative behind it, in its half-space.
///
/// ```
/// use tangency::{query, shape::{Aabb, Plane}};
///
/// let room = Aabb::new([0.0; 3], [2.0; 3])?;
/// let found = query::closest_point(&room, [3.0, 1.0, 1.0])?;
/// assert_eq!((found.point, found.distance), (tangency::glam::vec3(2.0, 1.0, 1.0), 1.0));
///
/// let ground = Plane::new([0.0, 1.0, 0.0], 0.0)?;
/// assert_eq!(query::closest_point(&ground, [5.0, -2.0, 0.0])?.distance, -2.0);
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// [`NotFinite`](crate::Error::NotFinite) for the point; what `validate` says of a shape that has no points, such as
/// [`Aabb::EMPTY`](crate::shape::Aabb::EMPTY).
pub fn closest_point(shape: &impl ClosestPoint, point: impl Into<Vec3>) -> Result<Closest> {
    let point = point.into();
    check::finite_vec(&check::POINT, point)?;
    shape.closest_point(point.as_dvec3())
}

/// The point of the **surface** of `shape` nearest to `point`; the distance is negative when the point lies inside.
///
/// Where several are equally near, one is defined: of faces the one of the lowest axis, positive side first; for the
/// centre of a ball the point in +x; for a point on a capsule's segment one perpendicular to it. Shapes
/// without an inside answer as [`closest_point`].
///
/// ```
/// use tangency::{query, shape::Sphere};
///
/// let ball = Sphere::new([1.0, 0.0, 0.0], 2.0)?;
/// let found = query::closest_surface_point(&ball, [1.0, 0.5, 0.0])?;
/// assert_eq!((found.point, found.distance), (tangency::glam::vec3(1.0, 2.0, 0.0), -1.5));
/// let at_centre = query::closest_surface_point(&ball, [1.0, 0.0, 0.0])?;
/// assert_eq!((at_centre.point, at_centre.distance), (tangency::glam::vec3(3.0, 0.0, 0.0), -2.0));
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// As [`closest_point`].
pub fn closest_surface_point(shape: &impl ClosestPoint, point: impl Into<Vec3>) -> Result<Closest> {
    let point = point.into();
    check::finite_vec(&check::POINT, point)?;
    shape.closest_surface_point(point.as_dvec3())
}

/// The point of a core's surrounding at `radius`, seen from `point`; `aside` is the direction when it lies in the core.
pub(super) fn on_round(point: DVec3, core: DVec3, radius: f64, aside: DVec3) -> Closest {
    let offset = point - core;
    let distance = offset.length();
    let direction = if distance > 0.0 { offset / distance } else { aside };
    Closest::new(core + direction * radius, distance - radius)
}
