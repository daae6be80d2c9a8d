use glam::{DVec3, Quat, Vec3};

use super::serde_fields::deserialize_through_new;
use super::{Aabb, Triangle, check};
use crate::{Error, Result};

/// A bounded plane: `corner + s · u + t · v` with 0 ≤ s ≤ 1 and 0 ≤ t ≤ 1, edges included.
///
/// ```
/// use tangency::shape::Parallelogram;
///
/// let floor = Parallelogram::new([0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, 3.0])?;
/// assert_eq!(floor.area(), 12.0);
/// assert_eq!(floor.coordinates([1.0, 7.0, 1.5])?, [0.25, 0.5]);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[repr(C)]
pub struct Parallelogram {
    corner: Vec3,
    u: Vec3,
    v: Vec3,
}

impl Parallelogram {
    /// The parallelogram that `u` and `v` span from `corner`.
    ///
    /// ```
    /// # use tangency::{Error, shape::Parallelogram};
    /// assert_eq!(Parallelogram::new([0.0; 3], [2.0, 0.0, 0.0], [9.0, 3.0, 0.0])?.area(), 6.0);
    /// let flat = Parallelogram::new([0.0; 3], [1.0, 2.0, 3.0], [2.0, 4.0, 6.0]);
    /// assert_eq!(flat, Err(Error::CollinearPoints));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite), or [`CollinearPoints`](Error::CollinearPoints) when `u` and `v` span no plane.
    pub fn new(corner: impl Into<Vec3>, u: impl Into<Vec3>, v: impl Into<Vec3>) -> Result<Self> {
        let parallelogram = Self { corner: corner.into(), u: u.into(), v: v.into() };
        parallelogram.validate()?;
        Ok(parallelogram)
    }

    /// Checks what [`new`](Self::new) checks, for a value that came by another way.
    ///
    /// ```
    /// # use tangency::{Error, shape::Parallelogram};
    /// let raw: Parallelogram = bytemuck::cast([0.0_f32; 9]);
    /// assert_eq!(raw.validate(), Err(Error::CollinearPoints));
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn validate(&self) -> Result<()> {
        check::finite_vec(&["corner.x", "corner.y", "corner.z"], self.corner)?;
        check::finite_vec(&["u.x", "u.y", "u.z"], self.u)?;
        check::finite_vec(&["v.x", "v.y", "v.z"], self.v)?;
        let (u, v) = (self.u.as_dvec3(), self.v.as_dvec3());
        // Below this the cross product is rounding error, and its direction means nothing.
        if u.cross(v).length() <= 8.0 * f64::EPSILON * u.length() * v.length() {
            return Err(Error::CollinearPoints);
        }
        Ok(())
    }

    /// The corner where s = t = 0.
    ///
    /// ```
    /// # use tangency::shape::Parallelogram;
    /// let sheet = Parallelogram::new([1.0, 2.0, 3.0], [2.0, 0.0, 0.0], [0.0, 3.0, 0.0])?;
    /// assert_eq!(sheet.corner(), tangency::glam::vec3(1.0, 2.0, 3.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn corner(&self) -> Vec3 {
        self.corner
    }

    /// The edge along which s grows.
    ///
    /// ```
    /// # use tangency::shape::Parallelogram;
    /// let sheet = Parallelogram::new([1.0, 2.0, 3.0], [2.0, 0.0, 0.0], [0.0, 3.0, 0.0])?;
    /// assert_eq!(sheet.u(), tangency::glam::vec3(2.0, 0.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn u(&self) -> Vec3 {
        self.u
    }

    /// The edge along which t grows.
    ///
    /// ```
    /// # use tangency::shape::Parallelogram;
    /// let sheet = Parallelogram::new([1.0, 2.0, 3.0], [2.0, 0.0, 0.0], [0.0, 3.0, 0.0])?;
    /// assert_eq!(sheet.v(), tangency::glam::vec3(0.0, 3.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn v(&self) -> Vec3 {
        self.v
    }

    /// The area |u × v|, in `f64`.
    ///
    /// ```
    /// # use tangency::shape::Parallelogram;
    /// let sheet = Parallelogram::new([1.0, 2.0, 3.0], [2.0, 0.0, 0.0], [7.0, 3.0, 4.0])?;
    /// assert_eq!(sheet.area(), 10.0); // as long as 2, as high as 5
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn area(&self) -> f64 {
        self.u.as_dvec3().cross(self.v.as_dvec3()).length()
    }

    /// The unit normal along u × v.
    ///
    /// ```
    /// # use tangency::shape::Parallelogram;
    /// let sheet = Parallelogram::new([1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [5.0, 3.0, 0.0])?;
    /// assert_eq!(sheet.normal(), tangency::glam::vec3(0.0, 0.0, 1.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn normal(&self) -> Vec3 {
        self.u.as_dvec3().cross(self.v.as_dvec3()).normalize_or_zero().as_vec3()
    }

    /// The parameters (s, t) of the point's projection on the plane: in the parallelogram when both are in [0, 1].
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite), naming the point's coordinate.
    ///
    /// ```
    /// # use tangency::shape::Parallelogram;
    /// let sheet = Parallelogram::new([1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
    /// assert_eq!(sheet.coordinates([2.0, 3.0, 9.0])?, [0.5, 0.75]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn coordinates(&self, point: impl Into<Vec3>) -> Result<[f32; 2]> {
        let point = point.into();
        check::finite_vec(&check::POINT, point)?;
        Ok(self.coordinates_f64(point.as_dvec3()).map(check::saturate_f32))
    }

    /// Cramer's rule in the plane: s = det(p, v, n) / n², t = det(u, p, n) / n², n = u × v.
    pub(crate) fn coordinates_f64(&self, point: DVec3) -> [f64; 2] {
        let (u, v, p) = (self.u.as_dvec3(), self.v.as_dvec3(), point - self.corner.as_dvec3());
        let n = u.cross(v);
        [p.cross(v).dot(n) / n.length_squared(), u.cross(p).dot(n) / n.length_squared()]
    }

    /// The four corners in order around it, rounded to nearest and kept within the finite numbers.
    ///
    /// ```
    /// # use tangency::shape::Parallelogram;
    /// let sheet = Parallelogram::new([1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 3.0, 0.0])?;
    /// assert_eq!(sheet.corners()[2], tangency::glam::vec3(3.0, 3.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn corners(&self) -> [Vec3; 4] {
        let (c, u, v) = (self.corner.as_dvec3(), self.u.as_dvec3(), self.v.as_dvec3());
        [c, c + u, c + u + v, c + v].map(check::saturate)
    }

    /// The two triangles that it consists of, of the rounded corners.
    ///
    /// ```
    /// # use tangency::shape::Parallelogram;
    /// let [first, second] = Parallelogram::new([0.0; 3], [2.0, 0.0, 0.0], [0.0, 3.0, 0.0])?.triangles()?;
    /// assert_eq!((first.area(), second.area()), (3.0, 3.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite) for a shape that [`validate`](Self::validate) refuses.
    pub fn triangles(&self) -> Result<[Triangle; 2]> {
        let [a, b, c, d] = self.corners();
        Ok([Triangle::new(a, b, c)?, Triangle::new(a, c, d)?])
    }

    /// An axis-aligned box that contains it, rounded outward.
    ///
    /// ```
    /// # use tangency::shape::{Aabb, Parallelogram};
    /// let sheet = Parallelogram::new([1.0, 0.0, 0.0], [2.0, 1.0, 0.0], [-2.0, 3.0, 0.0])?;
    /// assert_eq!(sheet.aabb(), Aabb::new([-1.0, 0.0, 0.0], [3.0, 4.0, 0.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn aabb(&self) -> Aabb {
        let (c, u, v) = (self.corner.as_dvec3(), self.u.as_dvec3(), self.v.as_dvec3());
        let ((cu, e), (cv, f)) = (check::sum_and_slack(c, u), check::sum_and_slack(c, v));
        let (cuv, g) = check::sum_and_slack(cu, v);
        // Each corner as its rounded sum, and around it what the rounding may have lost (nothing, for most numbers).
        [(c, DVec3::ZERO), (cu, e), (cv, f), (cuv, e + g)]
            .into_iter()
            .fold(Aabb::EMPTY, |bounds, (corner, slack)| bounds.merge(&Aabb::around_f64(corner, slack)))
    }

    /// Moved by `offset`, the corner rounded to nearest.
    ///
    /// ```
    /// # use tangency::shape::Parallelogram;
    /// let sheet = Parallelogram::new([0.0; 3], [2.0, 0.0, 0.0], [0.0, 3.0, 0.0])?;
    /// assert_eq!(sheet.translate([0.0, 0.0, 5.0])?.corner(), tangency::glam::vec3(0.0, 0.0, 5.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite) when the corner leaves the finite numbers.
    pub fn translate(&self, offset: impl Into<Vec3>) -> Result<Self> {
        Self::new(self.corner + offset.into(), self.u, self.v)
    }

    /// Turned about the origin of coordinates by `rotation` (of any non-zero length), all vectors rounded to nearest.
    ///
    /// ```
    /// # use tangency::shape::Parallelogram;
    /// # use tangency::glam::Quat;
    /// let sheet = Parallelogram::new([1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 3.0])?;
    /// let turned = sheet.rotate(Quat::from_xyzw(0.0, 0.0, 1.0, 1.0))?;
    /// assert_eq!(turned, Parallelogram::new([0.0, 1.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// When `rotation` is none, or a vector leaves the range of `f32`.
    pub fn rotate(&self, rotation: impl Into<Quat>) -> Result<Self> {
        let matrix = super::obb::rotation_f64(rotation.into().to_array())?;
        let [corner, u, v] = [self.corner, self.u, self.v].map(|x| (matrix * x.as_dvec3()).as_vec3());
        Self::new(corner, u, v)
    }
}

deserialize_through_new!(Parallelogram { corner: Vec3, u: Vec3, v: Vec3 });
