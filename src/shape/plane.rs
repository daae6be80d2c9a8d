use glam::{DVec3, Vec3};

use super::{Aabb, check};
use crate::{Error, Result};

/// A plane `normal · x = offset`, and the closed half-space `normal · x ≤ offset` behind it.
///
/// The normal points **out** of the half-space, has any non-zero length and is kept as given; nothing is normalised, so
/// `offset` is in units of the normal's length.
///
/// ```
/// use tangency::{Side, query, shape::{Plane, Sphere}};
///
/// let below_ground = Plane::new([0.0, 1.0, 0.0], 0.0)?;
/// let ball = Sphere::new([0.0, 1.0, 0.0], 1.0)?;
/// assert_eq!(query::side(&ball, &below_ground), Side::Crossing); // it touches the ground
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[repr(C)]
pub struct Plane {
    normal: Vec3,
    offset: f32,
}

impl Plane {
    /// The plane `normal · x = offset`.
    ///
    /// ```
    /// # use tangency::{Error, shape::Plane};
    /// let plane = Plane::new([0.0, 2.0, 0.0], 6.0)?; // y = 3
    /// assert_eq!(plane, Plane::from_point_normal([7.0, 3.0, 7.0], [0.0, 2.0, 0.0])?);
    /// assert_eq!(Plane::new([0.0; 3], 1.0), Err(Error::ZeroNormal));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite) or [`ZeroNormal`](Error::ZeroNormal).
    pub fn new(normal: impl Into<Vec3>, offset: f32) -> Result<Self> {
        let plane = Self { normal: normal.into(), offset };
        plane.validate()?;
        Ok(plane)
    }

    /// The plane through `point`. The offset `normal · point` is rounded to nearest.
    ///
    /// ```
    /// # use tangency::shape::Plane;
    /// assert_eq!(Plane::from_point_normal([0.0, 3.0, 9.0], [0.0, 2.0, 0.0])?, Plane::new([0.0, 2.0, 0.0], 6.0)?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite), also for an offset beyond the range of `f32`, or [`ZeroNormal`](Error::ZeroNormal).
    pub fn from_point_normal(point: impl Into<Vec3>, normal: impl Into<Vec3>) -> Result<Self> {
        let (point, normal) = (point.into(), normal.into());
        check::finite_vec(&check::POINT, point)?;
        check::finite_vec(&check::NORMAL, normal)?;
        Self::new(normal, normal.as_dvec3().dot(point.as_dvec3()) as f32)
    }

    /// The plane through three points, with a unit normal towards the side from which they run counter-clockwise.
    ///
    /// ```
    /// # use tangency::shape::Plane;
    /// let plane = Plane::from_points([0.0, 0.0, 2.0], [1.0, 0.0, 2.0], [0.0, 1.0, 2.0])?;
    /// assert_eq!(plane, Plane::new([0.0, 0.0, 1.0], 2.0)?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite) or [`CollinearPoints`](Error::CollinearPoints).
    pub fn from_points(a: impl Into<Vec3>, b: impl Into<Vec3>, c: impl Into<Vec3>) -> Result<Self> {
        let points: [Vec3; 3] = [a.into(), b.into(), c.into()];
        for point in points {
            check::finite_vec(&check::POINT, point)?;
        }
        let [a, b, c] = points.map(DVec3::from);
        let (ab, ac) = (b - a, c - a);
        let cross = ab.cross(ac);
        // Below this the cross product is rounding error, and its direction means nothing.
        if cross.length() <= 8.0 * f64::EPSILON * ab.length() * ac.length() {
            return Err(Error::CollinearPoints);
        }
        let normal: DVec3 = cross.normalize();
        Self::new(normal.as_vec3(), normal.dot(a) as f32)
    }

    /// Checks what [`new`](Self::new) checks, for a value that came by another way.
    ///
    /// ```
    /// # use tangency::{Error, shape::Plane};
    /// let raw: Plane = bytemuck::cast([0.0_f32, 0.0, 0.0, 1.0]);
    /// assert_eq!(raw.validate(), Err(Error::ZeroNormal));
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn validate(&self) -> Result<()> {
        check::finite_vec(&check::NORMAL, self.normal)?;
        check::finite("offset", self.offset)?;
        if self.normal == Vec3::ZERO { Err(Error::ZeroNormal) } else { Ok(()) }
    }

    /// The normal as given, of any non-zero length, pointing out of the half-space.
    ///
    /// ```
    /// # use tangency::shape::Plane;
    /// assert_eq!(Plane::new([0.0, 2.0, 0.0], 6.0)?.normal(), tangency::glam::vec3(0.0, 2.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn normal(&self) -> Vec3 {
        self.normal
    }

    /// `normal · x` of the plane's points.
    ///
    /// ```
    /// # use tangency::shape::Plane;
    /// assert_eq!(Plane::new([0.0, 2.0, 0.0], 6.0)?.offset(), 6.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn offset(&self) -> f32 {
        self.offset
    }

    /// A box that contains the half-space as far as coordinates are finite: everything, but for a border at right angles to an axis.
    pub(crate) fn bounds(&self) -> Aabb {
        let (mut min, mut max) = (Vec3::splat(f32::MIN), Vec3::splat(f32::MAX));
        let mut along = (0..3).filter(|k| self.normal[*k] != 0.0);
        if let (Some(k), None) = (along.next(), along.next()) {
            let (n, d) = (f64::from(self.normal[k]), f64::from(self.offset));
            let border = d / n;
            // (A product of two `f32` is exact in `f64`.)
            let is_exact = f64::from(border as f32) == border && border * n == d;
            if n > 0.0 {
                let above = if is_exact { border } else { border.next_up() };
                max[k] = check::round_up(above).clamp(f32::MIN, f32::MAX);
            } else {
                let below = if is_exact { border } else { border.next_down() };
                min[k] = check::round_down(below).clamp(f32::MIN, f32::MAX);
            }
        }
        Aabb::from_bounds(min, max)
    }

    /// The same plane with the other side as its half-space.
    ///
    /// ```
    /// # use tangency::shape::Plane;
    /// let plane = Plane::new([0.0, 1.0, 0.0], 2.0)?;
    /// assert_eq!(plane.flip(), Plane::new([0.0, -1.0, 0.0], -2.0)?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[must_use]
    pub fn flip(&self) -> Self {
        Self { normal: -self.normal, offset: -self.offset }
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Plane {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(rename = "Plane", deny_unknown_fields)]
        struct Fields {
            normal: Vec3,
            offset: f32,
        }
        let Fields { normal, offset } = Fields::deserialize(deserializer)?;
        Self::new(normal, offset).map_err(serde::de::Error::custom)
    }
}
