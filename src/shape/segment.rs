use glam::{Quat, Vec3};

use super::serde_fields::deserialize_through_new;
use super::{Aabb, check};
use crate::Result;

const A: check::Names = ["a.x", "a.y", "a.z"];
const B: check::Names = ["b.x", "b.y", "b.z"];

/// A straight line between two points, both included. `a == b` is a point.
///
/// ```
/// use tangency::shape::Segment;
///
/// let rod = Segment::new([0.0, 0.0, 0.0], [0.0, 3.0, 4.0])?;
/// assert_eq!(rod.length(), 5.0);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[repr(C)]
pub struct Segment {
    a: Vec3,
    b: Vec3,
}

impl Segment {
    /// The segment from `a` to `b`.
    ///
    /// ```
    /// # use tangency::{Error, shape::Segment};
    /// assert_eq!(Segment::new([1.0; 3], [1.0, 4.0, 5.0])?.length(), 5.0);
    /// let endless = Segment::new([0.0; 3], [0.0, 0.0, f32::INFINITY]);
    /// assert_eq!(endless, Err(Error::NotFinite { field: "b.z", value: f32::INFINITY }));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](crate::Error::NotFinite), naming the coordinate.
    pub fn new(a: impl Into<Vec3>, b: impl Into<Vec3>) -> Result<Self> {
        let segment = Self { a: a.into(), b: b.into() };
        segment.validate()?;
        Ok(segment)
    }

    /// Checks what [`new`](Self::new) checks, for a value that came by another way.
    ///
    /// ```
    /// # use tangency::{Error, shape::Segment};
    /// let raw: Segment = bytemuck::cast([f32::INFINITY, 0.0, 0.0, 1.0, 0.0, 0.0]);
    /// assert_eq!(raw.validate(), Err(Error::NotFinite { field: "a.x", value: f32::INFINITY }));
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn validate(&self) -> Result<()> {
        check::finite_vec(&A, self.a)?;
        check::finite_vec(&B, self.b)
    }

    /// The first end.
    ///
    /// ```
    /// # use tangency::shape::Segment;
    /// assert_eq!(Segment::new([1.0, 2.0, 3.0], [0.0; 3])?.a(), tangency::glam::vec3(1.0, 2.0, 3.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn a(&self) -> Vec3 {
        self.a
    }

    /// The second end.
    ///
    /// ```
    /// # use tangency::shape::Segment;
    /// assert_eq!(Segment::new([0.0; 3], [1.0, 2.0, 3.0])?.b(), tangency::glam::vec3(1.0, 2.0, 3.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn b(&self) -> Vec3 {
        self.b
    }

    /// `a + t (b − a)`, computed in `f64` and rounded once: the ends for 0 and 1, the middle for 0.5.
    ///
    /// ```
    /// # use tangency::shape::Segment;
    /// let segment = Segment::new([1.0, 0.0, 0.0], [3.0, 0.0, 0.0])?;
    /// assert_eq!(segment.at(0.25), tangency::glam::vec3(1.5, 0.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn at(&self, t: f32) -> Vec3 {
        let (a, b) = (self.a.as_dvec3(), self.b.as_dvec3());
        check::saturate(a + (b - a) * f64::from(t))
    }

    /// The length, in `f64`, where no finite segment overflows.
    ///
    /// ```
    /// # use tangency::shape::Segment;
    /// assert_eq!(Segment::new([1.0; 3], [3.0, 4.0, 7.0])?.length(), 7.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn length(&self) -> f64 {
        self.a.as_dvec3().distance(self.b.as_dvec3())
    }

    /// The smallest axis-aligned box around it. Exact.
    ///
    /// ```
    /// # use tangency::shape::{Aabb, Segment};
    /// let segment = Segment::new([1.0, 5.0, 0.0], [3.0, 2.0, 0.0])?;
    /// assert_eq!(segment.aabb(), Aabb::new([1.0, 2.0, 0.0], [3.0, 5.0, 0.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn aabb(&self) -> Aabb {
        Aabb::from_points([self.a, self.b]).unwrap_or(Aabb::EMPTY)
    }

    /// Moved by `offset`, the ends rounded to nearest.
    ///
    /// ```
    /// # use tangency::shape::Segment;
    /// let rod = Segment::new([0.0; 3], [1.0, 0.0, 0.0])?;
    /// assert_eq!(rod.translate([0.0, 2.0, 0.0])?, Segment::new([0.0, 2.0, 0.0], [1.0, 2.0, 0.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](crate::Error::NotFinite) when an end leaves the finite numbers.
    pub fn translate(&self, offset: impl Into<Vec3>) -> Result<Self> {
        let offset = offset.into();
        Self::new(self.a + offset, self.b + offset)
    }

    /// Turned about the origin of coordinates by `rotation` (of any non-zero length), the ends rounded to nearest.
    ///
    /// ```
    /// # use tangency::shape::Segment;
    /// # use tangency::glam::Quat;
    /// let turned = Segment::new([1.0, 0.0, 0.0], [2.0, 0.0, 0.0])?.rotate(Quat::from_xyzw(0.0, 0.0, 1.0, 1.0))?;
    /// assert_eq!(turned, Segment::new([0.0, 1.0, 0.0], [0.0, 2.0, 0.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// When `rotation` is none, or an end leaves the range of `f32`.
    pub fn rotate(&self, rotation: impl Into<Quat>) -> Result<Self> {
        let matrix = super::obb::rotation_f64(rotation.into().to_array())?;
        Self::new((matrix * self.a.as_dvec3()).as_vec3(), (matrix * self.b.as_dvec3()).as_vec3())
    }
}

deserialize_through_new!(Segment { a: Vec3, b: Vec3 });
