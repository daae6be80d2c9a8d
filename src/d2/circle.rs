use glam::Vec2;

use super::{Aabb2, check, intersect};
use crate::Result;
use crate::shape::check::{finite_length, sum_down};

/// A disc: all points at most `radius` from `center`. Radius 0 is a point.
///
/// ```
/// use tangency::d2::Circle;
///
/// let coin = Circle::new([1.0, 2.0], 0.5)?;
/// assert!(coin.contains_point([1.5, 2.0]) && !coin.contains_point([1.5, 2.0000002]));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Circle {
    center: Vec2,
    radius: f32,
}

impl Circle {
    /// A disc around `center`.
    ///
    /// ```
    /// # use tangency::{Error, d2::Circle};
    /// assert_eq!(Circle::new([1.0, 2.0], 3.0)?.center(), tangency::glam::vec2(1.0, 2.0));
    /// assert_eq!(Circle::new([1.0, 2.0], -3.0), Err(Error::Negative { field: "radius", value: -3.0 }));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](crate::Error::NotFinite) or [`Negative`](crate::Error::Negative), naming the field.
    pub fn new(center: impl Into<Vec2>, radius: f32) -> Result<Self> {
        let circle = Self { center: center.into(), radius };
        circle.validate()?;
        Ok(circle)
    }

    /// Checks what [`new`](Self::new) checks, for a value that came by another way.
    ///
    /// ```
    /// # use tangency::{Error, d2::Circle};
    /// let raw: Circle = bytemuck::cast([0.0_f32, 0.0, -1.0]);
    /// assert_eq!(raw.validate(), Err(Error::Negative { field: "radius", value: -1.0 }));
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn validate(&self) -> Result<()> {
        check::finite_vec(["center.x", "center.y"], self.center)?;
        finite_length("radius", self.radius)
    }

    /// The centre.
    ///
    /// ```
    /// # use tangency::d2::Circle;
    /// assert_eq!(Circle::new([1.0, 2.0], 3.0)?.center(), tangency::glam::vec2(1.0, 2.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn center(&self) -> Vec2 {
        self.center
    }

    /// The radius, zero or more.
    ///
    /// ```
    /// # use tangency::d2::Circle;
    /// assert_eq!(Circle::new([1.0, 2.0], 3.0)?.radius(), 3.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// π r², in `f64`.
    ///
    /// ```
    /// # use tangency::d2::Circle;
    /// assert_eq!(Circle::new([0.0, 0.0], 1.0)?.area(), std::f64::consts::PI);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn area(&self) -> f64 {
        std::f64::consts::PI * f64::from(self.radius).powi(2)
    }

    /// The smallest rectangle with `f32` sides that contains the disc, kept within the finite numbers.
    ///
    /// ```
    /// # use tangency::d2::{Aabb2, Circle};
    /// assert_eq!(Circle::new([1.0, 2.0], 3.0)?.aabb(), Aabb2::new([-2.0, -1.0], [4.0, 5.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn aabb(&self) -> Aabb2 {
        let r = f64::from(self.radius);
        // The exact sums: in `f64` a small radius is lost beside a large coordinate.
        let low = self.center.to_array().map(|c| sum_down(f64::from(c), -r));
        let high = self.center.to_array().map(|c| -sum_down(-f64::from(c), -r));
        Aabb2::new(low, high).unwrap_or_default()
    }

    /// Whether the point lies in the disc, border included. Exact.
    ///
    /// ```
    /// # use tangency::d2::Circle;
    /// let disc = Circle::new([0.0, 0.0], 5.0)?;
    /// assert!(disc.contains_point([3.0, 4.0]) && !disc.contains_point([3.0, 4.0000005]));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn contains_point(&self, point: impl Into<Vec2>) -> bool {
        Self::new(point, 0.0).is_ok_and(|point| intersect(self, &point).is_hit())
    }
}
