use glam::{Quat, Vec3};

use super::serde_fields::deserialize_through_new;
use super::{Line, check};
use crate::Result;

/// The half-line `origin + t · direction` for t ≥ 0: the origin belongs to it.
///
/// The direction has any non-zero length and is kept as given, so parameters are in units of its length.
///
/// ```
/// use tangency::{query, shape::{Ray, Sphere}};
///
/// let ray = Ray::new([-5.0, 0.0, 0.0], [2.0, 0.0, 0.0])?;
/// let hit = query::cast_ray(&ray, &Sphere::new([0.0; 3], 1.0)?).expect("straight ahead");
/// assert_eq!((hit.t, hit.point), (2.0, tangency::glam::vec3(-1.0, 0.0, 0.0)));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[repr(C)]
pub struct Ray {
    origin: Vec3,
    direction: Vec3,
}

impl Ray {
    /// The ray from `origin` along `direction`.
    ///
    /// ```
    /// # use tangency::{Error, shape::Ray};
    /// assert_eq!(Ray::new([0.0; 3], [0.0, 0.0, 3.0])?.at(2.0), tangency::glam::vec3(0.0, 0.0, 6.0));
    /// assert_eq!(Ray::new([0.0; 3], [0.0; 3]), Err(Error::ZeroDirection));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](crate::Error::NotFinite) or [`ZeroDirection`](crate::Error::ZeroDirection).
    pub fn new(origin: impl Into<Vec3>, direction: impl Into<Vec3>) -> Result<Self> {
        let ray = Self { origin: origin.into(), direction: direction.into() };
        ray.validate()?;
        Ok(ray)
    }

    /// Checks what [`new`](Self::new) checks, for a value that came by another way.
    ///
    /// ```
    /// # use tangency::{Error, shape::Ray};
    /// let raw: Ray = bytemuck::cast([0.0_f32; 6]);
    /// assert_eq!(raw.validate(), Err(Error::ZeroDirection));
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn validate(&self) -> Result<()> {
        check::finite_vec(&["origin.x", "origin.y", "origin.z"], self.origin)?;
        check::direction(self.direction)
    }

    /// Where it starts.
    ///
    /// ```
    /// # use tangency::shape::Ray;
    /// assert_eq!(Ray::new([1.0, 2.0, 3.0], [4.0, 0.0, 0.0])?.origin(), tangency::glam::vec3(1.0, 2.0, 3.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn origin(&self) -> Vec3 {
        self.origin
    }

    /// The direction as given, of any non-zero length.
    ///
    /// ```
    /// # use tangency::shape::Ray;
    /// assert_eq!(Ray::new([1.0, 2.0, 3.0], [4.0, 0.0, 0.0])?.direction(), tangency::glam::vec3(4.0, 0.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn direction(&self) -> Vec3 {
        self.direction
    }

    /// `origin + t · direction`, computed in `f64` and rounded once.
    ///
    /// ```
    /// # use tangency::shape::Ray;
    /// assert_eq!(Ray::new([1.0; 3], [2.0, 0.0, 0.0])?.at(3.0), tangency::glam::vec3(7.0, 1.0, 1.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn at(&self, t: f32) -> Vec3 {
        check::saturate(self.origin.as_dvec3() + self.direction.as_dvec3() * f64::from(t))
    }

    /// The whole line on which it lies.
    ///
    /// ```
    /// # use tangency::shape::{Line, Ray};
    /// assert_eq!(Ray::new([1.0; 3], [4.0, 0.0, 0.0])?.line(), Line::new([1.0; 3], [4.0, 0.0, 0.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn line(&self) -> Line {
        Line::unchecked(self.origin, self.direction)
    }

    /// Moved by `offset`, the origin rounded to nearest.
    ///
    /// ```
    /// # use tangency::shape::Ray;
    /// let ray = Ray::new([1.0; 3], [4.0, 0.0, 0.0])?;
    /// assert_eq!(ray.translate([1.0, 0.0, 0.0])?, Ray::new([2.0, 1.0, 1.0], [4.0, 0.0, 0.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](crate::Error::NotFinite) when the origin leaves the finite numbers.
    pub fn translate(&self, offset: impl Into<Vec3>) -> Result<Self> {
        Self::new(self.origin + offset.into(), self.direction)
    }

    /// Turned about the origin of coordinates by `rotation` (of any non-zero length), both vectors rounded to nearest.
    ///
    /// ```
    /// # use tangency::shape::Ray;
    /// # use tangency::glam::Quat;
    /// let turned = Ray::new([1.0, 0.0, 0.0], [2.0, 0.0, 0.0])?.rotate(Quat::from_xyzw(0.0, 0.0, 1.0, 1.0))?;
    /// assert_eq!(turned, Ray::new([0.0, 1.0, 0.0], [0.0, 2.0, 0.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// When `rotation` is none, or a vector leaves the range of `f32`.
    pub fn rotate(&self, rotation: impl Into<Quat>) -> Result<Self> {
        let matrix = super::obb::rotation_f64(rotation.into().to_array())?;
        Self::new((matrix * self.origin.as_dvec3()).as_vec3(), (matrix * self.direction.as_dvec3()).as_vec3())
    }
}

deserialize_through_new!(Ray { origin: Vec3, direction: Vec3 });
