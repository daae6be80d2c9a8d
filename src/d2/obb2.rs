use glam::{DVec2, Vec2};

use super::{Aabb2, check};
use crate::shape::Obb;
use crate::{Error, Result};

/// An oriented rectangle: `{ center + R x : |xᵢ| ≤ half_extentsᵢ }`.
///
/// Its rotation is kept as cosine and sine of **half** the angle, of any non-zero length and taken exactly: the quaternion
/// of the box in space that stands on this rectangle.
///
/// ```
/// use tangency::d2::Obb2;
///
/// let tilted = Obb2::new([0.0, 0.0], [2.0, 1.0], std::f32::consts::FRAC_PI_6)?;
/// assert_eq!(tilted.area(), 8.0);
/// let quarter_turn = Obb2::from_half_angle([0.0, 0.0], [2.0, 1.0], [1.0, 1.0])?;
/// assert_eq!(quarter_turn.axes(), [tangency::glam::DVec2::Y, -tangency::glam::DVec2::X]);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Obb2 {
    center: Vec2,
    half_extents: Vec2,
    half_angle: Vec2,
}

impl Obb2 {
    /// A rectangle around `center`, turned counter-clockwise by `angle` in radians. The rotation is rounded to `f32`.
    ///
    /// ```
    /// # use tangency::{Error, d2::Obb2};
    /// assert_eq!(Obb2::new([0.0, 0.0], [2.0, 3.0], 0.7)?.area(), 24.0);
    /// let bad = Obb2::new([0.0, 0.0], [2.0, -3.0], 0.7);
    /// assert_eq!(bad, Err(Error::Negative { field: "half_extents.y", value: -3.0 }));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite), or [`Negative`](Error::Negative) for an extent.
    pub fn new(center: impl Into<Vec2>, half_extents: impl Into<Vec2>, angle: f32) -> Result<Self> {
        crate::shape::check::finite("angle", angle)?;
        let (sin, cos) = (f64::from(angle) / 2.0).sin_cos();
        Self::from_half_angle(center, half_extents, [cos as f32, sin as f32])
    }

    /// A rectangle turned by twice the angle of the vector `half_angle`, of any non-zero length.
    ///
    /// ```
    /// # use tangency::{Error, d2::Obb2};
    /// let half_turn = Obb2::from_half_angle([0.0, 0.0], [2.0, 1.0], [0.0, 5.0])?; // twice a right angle
    /// assert_eq!(half_turn.axes(), [-tangency::glam::DVec2::X, -tangency::glam::DVec2::Y]);
    /// assert_eq!(Obb2::from_half_angle([0.0, 0.0], [2.0, 1.0], [0.0, 0.0]), Err(Error::ZeroRotation));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new), or [`ZeroRotation`](Error::ZeroRotation).
    pub fn from_half_angle(
        center: impl Into<Vec2>,
        half_extents: impl Into<Vec2>,
        half_angle: impl Into<Vec2>,
    ) -> Result<Self> {
        let obb = Self { center: center.into(), half_extents: half_extents.into(), half_angle: half_angle.into() };
        obb.validate()?;
        Ok(obb)
    }

    /// Cosine and sine of half the angle of a direction, for a box whose first axis is to lie along it.
    pub(crate) fn half_angle_of(direction: DVec2) -> Vec2 {
        let (sin, cos) = (direction.y.atan2(direction.x) / 2.0).sin_cos();
        Vec2::new(cos as f32, sin as f32)
    }

    /// Checks what [`from_half_angle`](Self::from_half_angle) checks, for a value that came by another way.
    ///
    /// ```
    /// # use tangency::{Error, d2::Obb2};
    /// let raw: Obb2 = bytemuck::cast([0.0_f32; 6]);
    /// assert_eq!(raw.validate(), Err(Error::ZeroRotation));
    /// ```
    ///
    /// # Errors
    /// As [`from_half_angle`](Self::from_half_angle).
    pub fn validate(&self) -> Result<()> {
        check::finite_vec(["center.x", "center.y"], self.center)?;
        check::finite_lengths(["half_extents.x", "half_extents.y"], self.half_extents)?;
        check::finite_vec(["half_angle.x", "half_angle.y"], self.half_angle)?;
        if self.half_angle == Vec2::ZERO { Err(Error::ZeroRotation) } else { Ok(()) }
    }

    /// The centre.
    ///
    /// ```
    /// # use tangency::d2::Obb2;
    /// assert_eq!(Obb2::new([1.0, 2.0], [3.0, 4.0], 0.5)?.center(), tangency::glam::vec2(1.0, 2.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn center(&self) -> Vec2 {
        self.center
    }

    /// Half the length of the sides, along the rectangle's own axes; zero or more.
    ///
    /// ```
    /// # use tangency::d2::Obb2;
    /// assert_eq!(Obb2::new([1.0, 2.0], [3.0, 4.0], 0.5)?.half_extents(), tangency::glam::vec2(3.0, 4.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn half_extents(&self) -> Vec2 {
        self.half_extents
    }

    /// Cosine and sine of half the angle, of any non-zero length, as given.
    ///
    /// ```
    /// # use tangency::d2::Obb2;
    /// assert_eq!(Obb2::new([1.0, 2.0], [3.0, 4.0], 0.0)?.half_angle(), tangency::glam::vec2(1.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn half_angle(&self) -> Vec2 {
        self.half_angle
    }

    /// The two unit axes, correct to a few units in the last place of `f64`.
    ///
    /// ```
    /// # use tangency::d2::Obb2;
    /// # use tangency::glam::DVec2;
    /// let quarter_turn = Obb2::from_half_angle([0.0, 0.0], [2.0, 1.0], [3.0, 3.0])?;
    /// assert_eq!(quarter_turn.axes(), [DVec2::Y, -DVec2::X]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn axes(&self) -> [DVec2; 2] {
        let h = self.half_angle.as_dvec2();
        // The square of the complex number: twice the angle.
        let x = DVec2::new(h.x * h.x - h.y * h.y, 2.0 * h.x * h.y) / h.length_squared();
        [x, x.perp()]
    }

    /// The four corners in `f64`, counter-clockwise.
    pub(crate) fn corners_f64(&self) -> [DVec2; 4] {
        let [x, y] = self.axes();
        let (c, e) = (self.center.as_dvec2(), self.half_extents.as_dvec2());
        let (x, y) = (x * e.x, y * e.y);
        [c - x - y, c + x - y, c + x + y, c - x + y]
    }

    /// The four corners, counter-clockwise, rounded to nearest and kept within the finite numbers.
    ///
    /// ```
    /// # use tangency::d2::Obb2;
    /// let quarter_turn = Obb2::from_half_angle([0.0, 0.0], [2.0, 1.0], [1.0, 1.0])?;
    /// assert_eq!(quarter_turn.corners()[0], tangency::glam::vec2(1.0, -2.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn corners(&self) -> [Vec2; 4] {
        self.corners_f64().map(check::saturate)
    }

    /// The area, in `f64`.
    ///
    /// ```
    /// # use tangency::d2::Obb2;
    /// assert_eq!(Obb2::new([1.0, 2.0], [3.0, 4.0], 0.5)?.area(), 48.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn area(&self) -> f64 {
        4.0 * self.half_extents.as_dvec2().element_product()
    }

    /// An axis-aligned rectangle that contains this one, rounded outward.
    ///
    /// ```
    /// # use tangency::d2::{Aabb2, Obb2};
    /// let quarter_turn = Obb2::from_half_angle([0.0, 0.0], [2.0, 1.0], [1.0, 1.0])?;
    /// let exact = Aabb2::new([-1.0, -2.0], [1.0, 2.0])?;
    /// assert_eq!(quarter_turn.aabb().intersection(&exact), Some(exact));
    /// assert!((quarter_turn.aabb().area() - 8.0).abs() < 1e-5);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn aabb(&self) -> Aabb2 {
        let aabb = self.solid_box().map(|b| b.aabb()).unwrap_or_default();
        Aabb2::new(aabb.min().truncate(), aabb.max().truncate()).unwrap_or_default()
    }

    /// The box in space that stands on this rectangle, from z = −1 to 1, turned by exactly the same angle.
    pub(super) fn solid_box(&self) -> Result<Obb> {
        let rotation = glam::Quat::from_xyzw(0.0, 0.0, self.half_angle.y, self.half_angle.x);
        Obb::new(self.center.extend(0.0), self.half_extents.extend(1.0), rotation)
    }

    /// Whether the point lies in the rectangle, border included. Exact.
    ///
    /// ```
    /// # use tangency::d2::Obb2;
    /// let quarter_turn = Obb2::from_half_angle([0.0, 0.0], [2.0, 1.0], [1.0, 1.0])?;
    /// assert!(quarter_turn.contains_point([1.0, 2.0]) && !quarter_turn.contains_point([2.0, 1.0]));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn contains_point(&self, point: impl Into<Vec2>) -> bool {
        super::Circle::new(point, 0.0).is_ok_and(|point| super::intersect(self, &point).is_hit())
    }
}
