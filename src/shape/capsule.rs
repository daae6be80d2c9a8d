use glam::{Quat, Vec3};

use super::serde_fields::deserialize_through_new;
use super::{Aabb, Segment, check};
use crate::Result;

const A: check::Names = ["a.x", "a.y", "a.z"];
const B: check::Names = ["b.x", "b.y", "b.z"];

/// All points at most `radius` from the segment between `a` and `b`. `a == b` is a ball, radius 0 a segment.
///
/// ```
/// use tangency::{query, shape::{Capsule, Sphere}};
///
/// let limb = Capsule::new([0.0, 0.0, 0.0], [0.0, 2.0, 0.0], 0.5)?;
/// let ball = Sphere::new([1.0, 1.0, 0.0], 0.5)?;
/// assert!(query::meets(&limb, &ball)); // they touch
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[repr(C)]
pub struct Capsule {
    a: Vec3,
    b: Vec3,
    radius: f32,
}

impl Capsule {
    /// The capsule around the segment from `a` to `b`.
    ///
    /// ```
    /// # use tangency::{Error, shape::Capsule};
    /// assert_eq!(Capsule::new([0.0; 3], [0.0, 3.0, 4.0], 1.0)?.diagonal(), 7.0);
    /// let thin = Capsule::new([0.0; 3], [0.0; 3], -1.0);
    /// assert_eq!(thin, Err(Error::Negative { field: "radius", value: -1.0 }));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](crate::Error::NotFinite) or [`Negative`](crate::Error::Negative), naming the field.
    pub fn new(a: impl Into<Vec3>, b: impl Into<Vec3>, radius: f32) -> Result<Self> {
        let capsule = Self { a: a.into(), b: b.into(), radius };
        capsule.validate()?;
        Ok(capsule)
    }

    /// Checks what [`new`](Self::new) checks, for a value that came by another way.
    ///
    /// ```
    /// # use tangency::{Error, shape::Capsule};
    /// let raw: Capsule = bytemuck::cast([0.0_f32, 0.0, 0.0, 0.0, 1.0, 0.0, -0.5]);
    /// assert_eq!(raw.validate(), Err(Error::Negative { field: "radius", value: -0.5 }));
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn validate(&self) -> Result<()> {
        check::finite_vec(&A, self.a)?;
        check::finite_vec(&B, self.b)?;
        check::finite_length("radius", self.radius)
    }

    /// The first end of the inner segment.
    ///
    /// ```
    /// # use tangency::shape::Capsule;
    /// assert_eq!(Capsule::new([1.0, 2.0, 3.0], [0.0; 3], 0.5)?.a(), tangency::glam::vec3(1.0, 2.0, 3.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn a(&self) -> Vec3 {
        self.a
    }

    /// The second end of the inner segment.
    ///
    /// ```
    /// # use tangency::shape::Capsule;
    /// assert_eq!(Capsule::new([0.0; 3], [1.0, 2.0, 3.0], 0.5)?.b(), tangency::glam::vec3(1.0, 2.0, 3.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn b(&self) -> Vec3 {
        self.b
    }

    /// The radius, zero or more.
    ///
    /// ```
    /// # use tangency::shape::Capsule;
    /// assert_eq!(Capsule::new([0.0; 3], [1.0, 2.0, 3.0], 0.5)?.radius(), 0.5);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// The inner segment.
    ///
    /// ```
    /// # use tangency::shape::{Capsule, Segment};
    /// let limb = Capsule::new([0.0; 3], [0.0, 2.0, 0.0], 0.5)?;
    /// assert_eq!(limb.segment(), Segment::new([0.0; 3], [0.0, 2.0, 0.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn segment(&self) -> Segment {
        // Both are checked alike.
        Segment::new(self.a, self.b).unwrap_or_default()
    }

    /// A cylinder and two half balls: π r² (length + 4/3 r), in `f64`.
    ///
    /// ```
    /// # use tangency::shape::Capsule;
    /// let capsule = Capsule::new([0.0; 3], [2.0, 0.0, 0.0], 3.0)?;
    /// assert!((capsule.volume() - 54.0 * std::f64::consts::PI).abs() < 1e-12);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn volume(&self) -> f64 {
        let r = f64::from(self.radius);
        std::f64::consts::PI * r * r * (self.segment().length() + 4.0 / 3.0 * r)
    }

    /// 2 π r (length + 2 r), in `f64`.
    ///
    /// ```
    /// # use tangency::shape::Capsule;
    /// let capsule = Capsule::new([0.0; 3], [2.0, 0.0, 0.0], 3.0)?;
    /// assert!((capsule.area() - 48.0 * std::f64::consts::PI).abs() < 1e-12);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn area(&self) -> f64 {
        let r = f64::from(self.radius);
        std::f64::consts::TAU * r * (self.segment().length() + 2.0 * r)
    }

    /// The longest extent: length + 2 r, in `f64`.
    ///
    /// ```
    /// # use tangency::shape::Capsule;
    /// assert_eq!(Capsule::new([0.0; 3], [3.0, 4.0, 0.0], 1.0)?.diagonal(), 7.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn diagonal(&self) -> f64 {
        self.segment().length() + 2.0 * f64::from(self.radius)
    }

    /// An axis-aligned box that contains it, rounded outward.
    ///
    /// ```
    /// # use tangency::shape::{Aabb, Capsule};
    /// let capsule = Capsule::new([0.0; 3], [2.0, 0.0, 0.0], 1.0)?;
    /// assert_eq!(capsule.aabb(), Aabb::new([-1.0, -1.0, -1.0], [3.0, 1.0, 1.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn aabb(&self) -> Aabb {
        let half = glam::DVec3::splat(f64::from(self.radius));
        Aabb::around_f64(self.a.as_dvec3(), half).merge(&Aabb::around_f64(self.b.as_dvec3(), half))
    }

    /// Moved by `offset`, the ends rounded to nearest.
    ///
    /// ```
    /// # use tangency::shape::Capsule;
    /// let limb = Capsule::new([0.0; 3], [0.0, 2.0, 0.0], 0.5)?;
    /// assert_eq!(limb.translate([1.0, 1.0, 0.0])?, Capsule::new([1.0, 1.0, 0.0], [1.0, 3.0, 0.0], 0.5)?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](crate::Error::NotFinite) when an end leaves the finite numbers.
    pub fn translate(&self, offset: impl Into<Vec3>) -> Result<Self> {
        let offset = offset.into();
        Self::new(self.a + offset, self.b + offset, self.radius)
    }

    /// Turned about the origin of coordinates by `rotation` (of any non-zero length), the ends rounded to nearest.
    ///
    /// ```
    /// # use tangency::shape::Capsule;
    /// # use tangency::glam::Quat;
    /// let turned = Capsule::new([1.0, 0.0, 0.0], [2.0, 0.0, 0.0], 0.5)?.rotate(Quat::from_xyzw(0.0, 0.0, 1.0, 1.0))?;
    /// assert_eq!(turned, Capsule::new([0.0, 1.0, 0.0], [0.0, 2.0, 0.0], 0.5)?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// When `rotation` is none, or an end leaves the range of `f32`.
    pub fn rotate(&self, rotation: impl Into<Quat>) -> Result<Self> {
        let turned = self.segment().rotate(rotation)?;
        Self::new(turned.a(), turned.b(), self.radius)
    }
}

deserialize_through_new!(Capsule { a: Vec3, b: Vec3, radius: f32 });
