use glam::{Quat, Vec3};

use super::serde_fields::deserialize_through_new;
use super::{Aabb, check};
use crate::Result;

const A: check::Names = ["a.x", "a.y", "a.z"];
const B: check::Names = ["b.x", "b.y", "b.z"];
const C: check::Names = ["c.x", "c.y", "c.z"];

/// The triangle between three points, edges and corners included. Points on one line make a segment, equal ones a point.
///
/// ```
/// use tangency::shape::Triangle;
///
/// let triangle = Triangle::new([0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 3.0, 0.0])?;
/// assert_eq!(triangle.area(), 6.0);
/// assert_eq!(triangle.normal()?, tangency::glam::vec3(0.0, 0.0, 1.0));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[repr(C)]
pub struct Triangle {
    a: Vec3,
    b: Vec3,
    c: Vec3,
}

impl Triangle {
    /// The triangle with these corners.
    ///
    /// ```
    /// # use tangency::{Error, shape::Triangle};
    /// assert_eq!(Triangle::new([0.0; 3], [2.0, 0.0, 0.0], [0.0, 0.0, 5.0])?.area(), 5.0);
    /// let bad = Triangle::new([0.0; 3], [1.0; 3], [0.0, f32::INFINITY, 0.0]);
    /// assert_eq!(bad, Err(Error::NotFinite { field: "c.y", value: f32::INFINITY }));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](crate::Error::NotFinite), naming the coordinate.
    pub fn new(a: impl Into<Vec3>, b: impl Into<Vec3>, c: impl Into<Vec3>) -> Result<Self> {
        let triangle = Self { a: a.into(), b: b.into(), c: c.into() };
        triangle.validate()?;
        Ok(triangle)
    }

    /// Checks what [`new`](Self::new) checks, for a value that came by another way.
    ///
    /// ```
    /// # use tangency::{Error, shape::Triangle};
    /// let raw: Triangle = bytemuck::cast([f32::INFINITY; 9]);
    /// assert_eq!(raw.validate(), Err(Error::NotFinite { field: "a.x", value: f32::INFINITY }));
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn validate(&self) -> Result<()> {
        check::finite_vec(&A, self.a)?;
        check::finite_vec(&B, self.b)?;
        check::finite_vec(&C, self.c)
    }

    /// The three corners.
    ///
    /// ```
    /// # use tangency::shape::Triangle;
    /// let triangle = Triangle::new([0.0; 3], [2.0, 0.0, 0.0], [0.0, 0.0, 5.0])?;
    /// assert_eq!(triangle.corners()[2], tangency::glam::vec3(0.0, 0.0, 5.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn corners(&self) -> [Vec3; 3] {
        [self.a, self.b, self.c]
    }

    /// The unit normal, towards the side from which the corners run counter-clockwise.
    ///
    /// ```
    /// # use tangency::{Error, shape::Triangle};
    /// let triangle = Triangle::new([0.0; 3], [2.0, 0.0, 0.0], [0.0, 0.0, 5.0])?;
    /// assert_eq!(triangle.normal()?, tangency::glam::vec3(0.0, -1.0, 0.0));
    /// assert_eq!(Triangle::default().normal(), Err(Error::CollinearPoints));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`CollinearPoints`](crate::Error::CollinearPoints) when the corners lie on one line.
    pub fn normal(&self) -> Result<Vec3> {
        Ok(super::Plane::from_points(self.a, self.b, self.c)?.normal())
    }

    /// Half the length of the cross product of two edges, in `f64`.
    ///
    /// ```
    /// # use tangency::shape::Triangle;
    /// assert_eq!(Triangle::new([1.0; 3], [3.0, 1.0, 1.0], [7.0, 4.0, 5.0])?.area(), 5.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn area(&self) -> f64 {
        let [a, b, c] = self.corners().map(Vec3::as_dvec3);
        (b - a).cross(c - a).length() / 2.0
    }

    /// The arithmetic mean of the corners, rounded to nearest.
    ///
    /// ```
    /// # use tangency::shape::Triangle;
    /// let triangle = Triangle::new([0.0; 3], [3.0, 0.0, 0.0], [0.0, 6.0, 0.0])?;
    /// assert_eq!(triangle.centroid(), tangency::glam::vec3(1.0, 2.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn centroid(&self) -> Vec3 {
        let [a, b, c] = self.corners().map(Vec3::as_dvec3);
        ((a + b + c) / 3.0).as_vec3()
    }

    /// The weights (u, v, w) with u + v + w = 1 for which `u a + v b + w c` is the point's projection on the plane.
    ///
    /// All three are ≥ 0 exactly when the projection lies in the triangle, up to rounding.
    ///
    /// ```
    /// # use tangency::shape::Triangle;
    /// let triangle = Triangle::new([0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
    /// assert_eq!(triangle.barycentric([1.0, 2.0, 9.0])?, [0.25, 0.25, 0.5]);
    /// assert!(triangle.barycentric([3.0, 3.0, 0.0])?[0] < 0.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`CollinearPoints`](crate::Error::CollinearPoints) when the corners lie on one line, [`NotFinite`](crate::Error::NotFinite) for
    /// the point.
    pub fn barycentric(&self, point: impl Into<Vec3>) -> Result<[f32; 3]> {
        let point = point.into();
        check::finite_vec(&check::POINT, point)?;
        self.normal()?;
        let [a, b, c] = self.corners().map(Vec3::as_dvec3);
        let (p, n) = (point.as_dvec3(), (b - a).cross(c - a));
        // Areas of the parts over the area of the whole, each with its sign along the normal.
        let v = (p - a).cross(c - a).dot(n) / n.length_squared();
        let w = (b - a).cross(p - a).dot(n) / n.length_squared();
        Ok([1.0 - v - w, v, w].map(check::saturate_f32))
    }

    /// The smallest axis-aligned box around it. Exact.
    ///
    /// ```
    /// # use tangency::shape::{Aabb, Triangle};
    /// let triangle = Triangle::new([1.0, 0.0, 0.0], [2.0, 5.0, 0.0], [0.0, 0.0, 3.0])?;
    /// assert_eq!(triangle.aabb(), Aabb::new([0.0; 3], [2.0, 5.0, 3.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn aabb(&self) -> Aabb {
        Aabb::from_points(self.corners()).unwrap_or(Aabb::EMPTY)
    }

    /// Moved by `offset`, the corners rounded to nearest.
    ///
    /// ```
    /// # use tangency::shape::Triangle;
    /// let triangle = Triangle::new([0.0; 3], [2.0, 0.0, 0.0], [0.0, 0.0, 5.0])?;
    /// assert_eq!(triangle.translate([0.0, 1.0, 0.0])?.corners()[1], tangency::glam::vec3(2.0, 1.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](crate::Error::NotFinite) when a corner leaves the finite numbers.
    pub fn translate(&self, offset: impl Into<Vec3>) -> Result<Self> {
        let offset = offset.into();
        Self::new(self.a + offset, self.b + offset, self.c + offset)
    }

    /// Turned about the origin of coordinates by `rotation` (of any non-zero length), the corners rounded to nearest.
    ///
    /// ```
    /// # use tangency::shape::Triangle;
    /// # use tangency::glam::Quat;
    /// let turned = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0])?.rotate(Quat::from_xyzw(0.0, 0.0, 1.0, 1.0))?;
    /// assert_eq!(turned.corners()[1], tangency::glam::vec3(0.0, 1.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// When `rotation` is none, or a corner leaves the range of `f32`.
    pub fn rotate(&self, rotation: impl Into<Quat>) -> Result<Self> {
        let matrix = super::obb::rotation_f64(rotation.into().to_array())?;
        let [a, b, c] = self.corners().map(|p| (matrix * p.as_dvec3()).as_vec3());
        Self::new(a, b, c)
    }
}

deserialize_through_new!(Triangle { a: Vec3, b: Vec3, c: Vec3 });
