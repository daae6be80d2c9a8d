use glam::Vec2;

use super::check;
use crate::{Error, Result};

/// An axis-aligned rectangle: all points between `min` and `max` in both coordinates. `min == max` is a point.
///
/// ```
/// use tangency::d2::Aabb2;
///
/// let a = Aabb2::new([0.0, 0.0], [2.0, 2.0])?;
/// let b = Aabb2::new([1.0, 1.0], [3.0, 4.0])?;
/// assert_eq!(a.intersection(&b), Some(Aabb2::new([1.0, 1.0], [2.0, 2.0])?));
/// assert_eq!(a.merge(&b).area(), 12.0);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Aabb2 {
    min: Vec2,
    max: Vec2,
}

impl Aabb2 {
    /// The rectangle between two corners.
    ///
    /// ```
    /// # use tangency::{Error, d2::Aabb2};
    /// assert_eq!(Aabb2::new([1.0, 2.0], [4.0, 4.0])?.area(), 6.0);
    /// assert_eq!(Aabb2::new([1.0, 2.0], [0.0, 4.0]), Err(Error::Reversed { axis: 'x', min: 1.0, max: 0.0 }));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite), or [`Reversed`](Error::Reversed) when a minimum lies above its maximum.
    pub fn new(min: impl Into<Vec2>, max: impl Into<Vec2>) -> Result<Self> {
        let aabb = Self { min: min.into(), max: max.into() };
        aabb.validate()?;
        Ok(aabb)
    }

    /// The smallest rectangle that contains all `points`.
    ///
    /// ```
    /// # use tangency::{Error, d2::Aabb2};
    /// let bounds = Aabb2::from_points([[0.0, 5.0], [2.0, 3.0], [1.0, 4.0]])?;
    /// assert_eq!(bounds, Aabb2::new([0.0, 3.0], [2.0, 5.0])?);
    /// assert_eq!(Aabb2::from_points([[0.0_f32; 2]; 0]), Err(Error::NoPoints));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoPoints`](Error::NoPoints), or [`NotFinite`](Error::NotFinite) for the first bad one.
    pub fn from_points<P: Into<Vec2>>(points: impl IntoIterator<Item = P>) -> Result<Self> {
        let mut bounds: Option<Self> = None;
        for point in points {
            let point = point.into();
            check::finite_vec(["point.x", "point.y"], point)?;
            let own = Self { min: point, max: point };
            bounds = Some(bounds.map_or(own, |b| b.merge(&own)));
        }
        bounds.ok_or(Error::NoPoints)
    }

    /// Checks what [`new`](Self::new) checks, for a value that came by another way.
    ///
    /// ```
    /// # use tangency::{Error, d2::Aabb2};
    /// let raw: Aabb2 = bytemuck::cast([0.0_f32, 2.0, 0.0, 1.0]);
    /// assert_eq!(raw.validate(), Err(Error::Reversed { axis: 'y', min: 2.0, max: 1.0 }));
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn validate(&self) -> Result<()> {
        check::finite_vec(["min.x", "min.y"], self.min)?;
        check::finite_vec(["max.x", "max.y"], self.max)?;
        for (axis, min, max) in [('x', self.min.x, self.max.x), ('y', self.min.y, self.max.y)] {
            if min > max {
                return Err(Error::Reversed { axis, min, max });
            }
        }
        Ok(())
    }

    /// The corner with the smallest coordinates.
    ///
    /// ```
    /// # use tangency::d2::Aabb2;
    /// assert_eq!(Aabb2::new([1.0, 2.0], [4.0, 4.0])?.min(), tangency::glam::vec2(1.0, 2.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn min(&self) -> Vec2 {
        self.min
    }

    /// The corner with the largest coordinates.
    ///
    /// ```
    /// # use tangency::d2::Aabb2;
    /// assert_eq!(Aabb2::new([1.0, 2.0], [4.0, 5.0])?.max(), tangency::glam::vec2(4.0, 5.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn max(&self) -> Vec2 {
        self.max
    }

    /// The centre, rounded to nearest.
    ///
    /// ```
    /// # use tangency::d2::Aabb2;
    /// assert_eq!(Aabb2::new([1.0, 2.0], [4.0, 4.0])?.center(), tangency::glam::vec2(2.5, 3.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn center(&self) -> Vec2 {
        ((self.min.as_dvec2() + self.max.as_dvec2()) / 2.0).as_vec2()
    }

    /// Half the size, rounded to nearest.
    ///
    /// ```
    /// # use tangency::d2::Aabb2;
    /// assert_eq!(Aabb2::new([1.0, 2.0], [4.0, 4.0])?.half_extents(), tangency::glam::vec2(1.5, 1.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn half_extents(&self) -> Vec2 {
        ((self.max.as_dvec2() - self.min.as_dvec2()) / 2.0).as_vec2()
    }

    /// The four corners, counter-clockwise from `min`.
    ///
    /// ```
    /// # use tangency::d2::Aabb2;
    /// let corners = Aabb2::new([0.0, 0.0], [2.0, 1.0])?.corners();
    /// assert_eq!(corners.map(|c| c.to_array()), [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn corners(&self) -> [Vec2; 4] {
        let (min, max) = (self.min, self.max);
        [min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)]
    }

    /// The area, in `f64`.
    ///
    /// ```
    /// # use tangency::d2::Aabb2;
    /// assert_eq!(Aabb2::new([1.0, 1.0], [4.0, 3.0])?.area(), 6.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn area(&self) -> f64 {
        (self.max.as_dvec2() - self.min.as_dvec2()).element_product()
    }

    /// Whether the point lies in the rectangle, border included.
    ///
    /// ```
    /// # use tangency::d2::Aabb2;
    /// let square = Aabb2::new([0.0, 0.0], [1.0, 1.0])?;
    /// assert!(square.contains_point([1.0, 0.0]) && !square.contains_point([1.0000001, 0.0]));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn contains_point(&self, point: impl Into<Vec2>) -> bool {
        let p = point.into();
        self.min.cmple(p).all() && p.cmple(self.max).all()
    }

    /// The point of the rectangle nearest to `point`: each coordinate clamped. Exact.
    ///
    /// ```
    /// # use tangency::d2::Aabb2;
    /// let square = Aabb2::new([0.0, 0.0], [1.0, 1.0])?;
    /// assert_eq!(square.closest_point([3.0, 0.5]), tangency::glam::vec2(1.0, 0.5));
    /// assert_eq!(square.closest_point([0.2, 0.5]), tangency::glam::vec2(0.2, 0.5));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn closest_point(&self, point: impl Into<Vec2>) -> Vec2 {
        point.into().max(self.min).min(self.max)
    }

    /// The smallest rectangle that contains both. Exact.
    ///
    /// ```
    /// # use tangency::d2::Aabb2;
    /// let a = Aabb2::new([0.0, 0.0], [1.0, 1.0])?;
    /// assert_eq!(a.merge(&Aabb2::new([3.0, -1.0], [4.0, 0.0])?), Aabb2::new([0.0, -1.0], [4.0, 1.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[must_use]
    pub fn merge(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The common points of both: a rectangle, flat where they touch, or `None`. Exact.
    ///
    /// ```
    /// # use tangency::d2::Aabb2;
    /// let a = Aabb2::new([0.0, 0.0], [2.0, 2.0])?;
    /// let touching = Aabb2::new([2.0, 1.0], [3.0, 5.0])?;
    /// assert_eq!(a.intersection(&touching), Some(Aabb2::new([2.0, 1.0], [2.0, 2.0])?));
    /// assert_eq!(a.intersection(&Aabb2::new([2.5, 1.0], [3.0, 5.0])?), None);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        let common = Self { min: self.min.max(other.min), max: self.max.min(other.max) };
        common.min.cmple(common.max).all().then_some(common)
    }
}
