use glam::{Quat, Vec3};

use super::{Aabb, check};
use crate::Result;

/// Above 1 by more than the roundings of a distance in `f64`.
const F64_SLACK: f64 = 1.0 + 8.0 * f64::EPSILON;

/// A ball: all points at most `radius` from `center`. Radius 0 is a point.
///
/// ```
/// use tangency::shape::Sphere;
///
/// let ball = Sphere::new([1.0, 2.0, 3.0], 0.5)?;
/// assert_eq!(ball.radius(), 0.5);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[repr(C)]
pub struct Sphere {
    center: Vec3,
    radius: f32,
}

impl Sphere {
    /// A ball around `center`.
    ///
    /// ```
    /// # use tangency::{Error, shape::Sphere};
    /// assert_eq!(Sphere::new([1.0, 0.0, 0.0], 2.0)?.diagonal(), 4.0);
    /// assert_eq!(Sphere::new([0.0; 3], -1.0), Err(Error::Negative { field: "radius", value: -1.0 }));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](crate::Error::NotFinite) or [`Negative`](crate::Error::Negative), naming the field.
    pub fn new(center: impl Into<Vec3>, radius: f32) -> Result<Self> {
        let sphere = Self { center: center.into(), radius };
        sphere.validate()?;
        Ok(sphere)
    }

    /// Checks what [`new`](Self::new) checks, for a value that came by another way.
    ///
    /// ```
    /// # use tangency::{Error, shape::Sphere};
    /// let raw: Sphere = bytemuck::cast([0.0_f32, 0.0, 0.0, -1.0]);
    /// assert_eq!(raw.validate(), Err(Error::Negative { field: "radius", value: -1.0 }));
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn validate(&self) -> Result<()> {
        check::finite_vec(&check::CENTER, self.center)?;
        check::finite_length("radius", self.radius)
    }

    /// The centre.
    ///
    /// ```
    /// # use tangency::shape::Sphere;
    /// assert_eq!(Sphere::new([1.0, 2.0, 3.0], 0.5)?.center(), tangency::glam::vec3(1.0, 2.0, 3.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// The radius, zero or more.
    ///
    /// ```
    /// # use tangency::shape::Sphere;
    /// assert_eq!(Sphere::new([1.0, 2.0, 3.0], 0.5)?.radius(), 0.5);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// 4/3 π r³, in `f64`, where no finite radius overflows.
    ///
    /// ```
    /// # use tangency::shape::Sphere;
    /// let volume = Sphere::new([0.0; 3], 3.0)?.volume();
    /// assert!((volume - 36.0 * std::f64::consts::PI).abs() < 1e-12);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn volume(&self) -> f64 {
        4.0 / 3.0 * std::f64::consts::PI * f64::from(self.radius).powi(3)
    }

    /// 4 π r², in `f64`.
    ///
    /// ```
    /// # use tangency::shape::Sphere;
    /// assert_eq!(Sphere::new([0.0; 3], 0.5)?.area(), std::f64::consts::PI);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn area(&self) -> f64 {
        4.0 * std::f64::consts::PI * f64::from(self.radius).powi(2)
    }

    /// The longest extent: 2 r, in `f64`.
    ///
    /// ```
    /// # use tangency::shape::Sphere;
    /// assert_eq!(Sphere::new([0.0; 3], f32::MAX)?.diagonal(), 2.0 * f64::from(f32::MAX));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn diagonal(&self) -> f64 {
        2.0 * f64::from(self.radius)
    }

    /// The smallest box with `f32` faces that contains the ball.
    ///
    /// ```
    /// # use tangency::shape::{Aabb, Sphere};
    /// let ball = Sphere::new([1.0, 0.0, 0.0], 2.0)?;
    /// assert_eq!(ball.aabb(), Aabb::new([-1.0, -2.0, -2.0], [3.0, 2.0, 2.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn aabb(&self) -> Aabb {
        Aabb::around_f64(self.center.as_dvec3(), glam::DVec3::splat(f64::from(self.radius)))
    }

    /// A ball that contains both: the smallest, up to rounding outward (a few parts in 10⁷).
    ///
    /// ```
    /// # use tangency::shape::Sphere;
    /// let a = Sphere::new([0.0; 3], 1.0)?;
    /// let both = a.merge(&Sphere::new([4.0, 0.0, 0.0], 1.0)?)?;
    /// assert_eq!(both.center(), tangency::glam::vec3(2.0, 0.0, 0.0));
    /// assert!((3.0..3.000001).contains(&both.radius()));
    /// assert_eq!(a.merge(&Sphere::new([0.5, 0.0, 0.0], 0.25)?)?, a);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](crate::Error::NotFinite) when the merged radius leaves the range of `f32`.
    pub fn merge(&self, other: &Self) -> Result<Self> {
        let (a, b) = if self.radius >= other.radius { (self, other) } else { (other, self) };
        let (ca, cb) = (a.center.as_dvec3(), b.center.as_dvec3());
        let (ra, rb) = (f64::from(a.radius), f64::from(b.radius));
        let distance = ca.distance(cb);
        if (distance + rb) * F64_SLACK <= ra || distance == 0.0 {
            return Ok(*a);
        }
        let radius = (distance + ra + rb) / 2.0;
        let center = check::saturate(ca + (cb - ca) * ((radius - ra) / distance));
        // The rounded centre is what the ball has; its radius must reach the far side of both from there.
        let reach = (center.as_dvec3().distance(ca) + ra).max(center.as_dvec3().distance(cb) + rb);
        Self::new(center, check::round_up(reach * F64_SLACK))
    }

    /// The same ball at another place: a ball has no use for the rotation of a pose.
    ///
    /// ```
    /// # use tangency::shape::{Pose, Sphere};
    /// let ball = Sphere::new([9.0; 3], 0.5)?.with_pose(Pose::at([1.0, 2.0, 3.0])?);
    /// assert_eq!(ball, Sphere::new([1.0, 2.0, 3.0], 0.5)?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[must_use]
    pub fn with_pose(&self, pose: super::Pose) -> Self {
        Self { center: pose.position().to_vec3(), radius: self.radius }
    }

    /// Moved by `offset`, the centre rounded to nearest.
    ///
    /// ```
    /// # use tangency::shape::Sphere;
    /// let ball = Sphere::new([0.0; 3], 0.5)?;
    /// assert_eq!(ball.translate([1.0, 2.0, 3.0])?, Sphere::new([1.0, 2.0, 3.0], 0.5)?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](crate::Error::NotFinite) when the result is not a finite centre.
    pub fn translate(&self, offset: impl Into<Vec3>) -> Result<Self> {
        Self::new(self.center + offset.into(), self.radius)
    }

    /// Turned about the origin of coordinates by `rotation` (of any non-zero length), the centre rounded to nearest.
    ///
    /// ```
    /// # use tangency::shape::Sphere;
    /// # use tangency::glam::Quat;
    /// let ball = Sphere::new([1.0, 0.0, 0.0], 0.5)?.rotate(Quat::from_xyzw(0.0, 0.0, 1.0, 1.0))?;
    /// assert_eq!(ball.center(), tangency::glam::vec3(0.0, 1.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Obb::new`](super::Obb::new), when `rotation` is none, or the centre leaves the range of `f32`.
    pub fn rotate(&self, rotation: impl Into<Quat>) -> Result<Self> {
        let matrix = super::obb::rotation_f64(rotation.into().to_array())?;
        Self::new((matrix * self.center.as_dvec3()).as_vec3(), self.radius)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Sphere {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(rename = "Sphere", deny_unknown_fields)]
        struct Fields {
            center: Vec3,
            radius: f32,
        }
        let Fields { center, radius } = Fields::deserialize(deserializer)?;
        Self::new(center, radius).map_err(serde::de::Error::custom)
    }
}
