use std::cmp::Ordering;

use glam::Vec2;

use super::check;
use crate::shape::orient::{cross_sign, on_line};
use crate::{Error, Result};

/// A line through `point` along `direction`, without end on both sides. Vertical lines are lines like any other.
///
/// ```
/// use tangency::d2::Line2;
///
/// let vertical = Line2::new([3.0, 0.0], [0.0, 1.0])?;
/// assert_eq!(vertical.at(2.0), tangency::glam::vec2(3.0, 2.0));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Line2 {
    point: Vec2,
    direction: Vec2,
}

impl Line2 {
    /// The line through `point` along `direction`, of any non-zero length.
    ///
    /// ```
    /// # use tangency::{Error, d2::Line2};
    /// assert_eq!(Line2::new([1.0, 0.0], [0.0, 2.0])?.at(3.0), tangency::glam::vec2(1.0, 6.0));
    /// assert_eq!(Line2::new([1.0, 0.0], [0.0, 0.0]), Err(Error::ZeroDirection));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite), or [`ZeroDirection`](Error::ZeroDirection).
    pub fn new(point: impl Into<Vec2>, direction: impl Into<Vec2>) -> Result<Self> {
        let line = Self { point: point.into(), direction: direction.into() };
        check::finite_vec(["point.x", "point.y"], line.point)?;
        check::finite_vec(["direction.x", "direction.y"], line.direction)?;
        if line.direction == Vec2::ZERO { Err(Error::ZeroDirection) } else { Ok(line) }
    }

    /// The point it was given through.
    ///
    /// ```
    /// # use tangency::d2::Line2;
    /// assert_eq!(Line2::new([1.0, 0.0], [0.0, 2.0])?.point(), tangency::glam::vec2(1.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn point(&self) -> Vec2 {
        self.point
    }

    /// The direction, of the length that it was given.
    ///
    /// ```
    /// # use tangency::d2::Line2;
    /// assert_eq!(Line2::new([1.0, 0.0], [0.0, 2.0])?.direction(), tangency::glam::vec2(0.0, 2.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn direction(&self) -> Vec2 {
        self.direction
    }

    /// `point + parameter · direction`, rounded to nearest and kept within the finite numbers.
    ///
    /// ```
    /// # use tangency::d2::Line2;
    /// assert_eq!(Line2::new([1.0, 0.0], [0.0, 2.0])?.at(-0.5), tangency::glam::vec2(1.0, -1.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn at(&self, parameter: f64) -> Vec2 {
        check::saturate(self.point.as_dvec2() + self.direction.as_dvec2() * parameter)
    }
}

/// How two lines lie to each other. What [`line_line`] returns.
///
/// ```
/// use tangency::d2::{Line2, LineLine, line_line};
///
/// let floor = Line2::new([0.0, 0.0], [1.0, 0.0])?;
/// assert_eq!(line_line(&floor, &Line2::new([5.0, 0.0], [-2.0, 0.0])?), LineLine::Coincident);
/// assert_eq!(line_line(&floor, &Line2::new([5.0, 1.0], [-2.0, 0.0])?), LineLine::Parallel);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LineLine {
    /// They cross in one point.
    Point {
        /// Where, rounded to nearest.
        point: Vec2,
        /// The parameter of the point on the first line.
        s: f64,
        /// The parameter of the point on the second line.
        t: f64,
    },
    /// They run beside each other and never meet.
    Parallel,
    /// They are the same line.
    Coincident,
}

/// How two lines lie to each other: which case it is, is exact.
///
/// `s = (q − p) × e / d × e` for the lines p + s d and q + t e (Goldman 1990); no slope, so vertical lines are no special
/// case. Lines within rounding of parallel may cross beyond the range of `f32`, where the point is cut off.
///
/// ```
/// use tangency::d2::{Line2, LineLine, line_line};
/// # use tangency::glam::vec2;
/// let diagonal = Line2::new([0.0, 0.0], [1.0, 1.0])?;
/// let vertical = Line2::new([3.0, 0.0], [0.0, 2.0])?;
/// assert_eq!(line_line(&diagonal, &vertical), LineLine::Point { point: vec2(3.0, 3.0), s: 3.0, t: 1.5 });
/// assert_eq!(line_line(&diagonal, &Line2::new([0.0, 1.0], [-2.0, -2.0])?), LineLine::Parallel);
/// assert_eq!(line_line(&diagonal, &Line2::new([7.0, 7.0], [-2.0, -2.0])?), LineLine::Coincident);
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn line_line(a: &Line2, b: &Line2) -> LineLine {
    if cross_sign(a.direction, b.direction) == Ordering::Equal {
        let same = on_line(a.point, a.direction, b.point);
        return if same { LineLine::Coincident } else { LineLine::Parallel };
    }
    let (d, e) = (a.direction.as_dvec2(), b.direction.as_dvec2());
    let offset = b.point.as_dvec2() - a.point.as_dvec2();
    // Not zero: both products are exact, and their difference is rounded once.
    let cross = d.perp_dot(e);
    let s = offset.perp_dot(e) / cross;
    LineLine::Point { point: a.at(s), s, t: offset.perp_dot(d) / cross }
}
