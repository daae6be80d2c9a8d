use glam::Vec3;

use super::serde_fields::deserialize_through_new;
use super::{Segment, check};
use crate::{Error, Result};

/// The whole line `point + t · direction`, by point and direction, so that no direction is special.
///
/// ```
/// use tangency::shape::Line;
///
/// let vertical = Line::through([1.0, 0.0, 0.0], [1.0, 5.0, 0.0])?;
/// assert_eq!(vertical.at(-1.0), tangency::glam::vec3(1.0, -5.0, 0.0));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[repr(C)]
pub struct Line {
    point: Vec3,
    direction: Vec3,
}

impl Line {
    /// The line through `point` along `direction`, which has any non-zero length.
    ///
    /// ```
    /// # use tangency::{Error, shape::Line};
    /// assert_eq!(Line::new([1.0, 0.0, 0.0], [0.0, 2.0, 0.0])?.at(3.0), tangency::glam::vec3(1.0, 6.0, 0.0));
    /// assert_eq!(Line::new([1.0; 3], [0.0; 3]), Err(Error::ZeroDirection));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite) or [`ZeroDirection`](Error::ZeroDirection).
    pub fn new(point: impl Into<Vec3>, direction: impl Into<Vec3>) -> Result<Self> {
        let line = Self { point: point.into(), direction: direction.into() };
        line.validate()?;
        Ok(line)
    }

    /// The line through two points: parameter 0 at `a`, 1 at `b`, up to the rounding of `b − a`.
    ///
    /// ```
    /// # use tangency::shape::Line;
    /// let line = Line::through([1.0, 0.0, 0.0], [1.0, 4.0, 0.0])?;
    /// assert_eq!((line.at(0.0), line.at(1.0)), (tangency::glam::vec3(1.0, 0.0, 0.0), tangency::glam::vec3(1.0, 4.0, 0.0)));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite), or [`ZeroDirection`](Error::ZeroDirection) for equal points.
    pub fn through(a: impl Into<Vec3>, b: impl Into<Vec3>) -> Result<Self> {
        let (a, b) = (a.into(), b.into());
        Self::new(a, b - a)
    }

    /// Of vectors that a constructor has checked.
    pub(super) fn unchecked(point: Vec3, direction: Vec3) -> Self {
        Self { point, direction }
    }

    /// Checks what [`new`](Self::new) checks, for a value that came by another way.
    ///
    /// ```
    /// # use tangency::{Error, shape::Line};
    /// let raw: Line = bytemuck::cast([0.0_f32; 6]);
    /// assert_eq!(raw.validate(), Err(Error::ZeroDirection));
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn validate(&self) -> Result<()> {
        check::finite_vec(&check::POINT, self.point)?;
        check::direction(self.direction)
    }

    /// The point of parameter 0.
    ///
    /// ```
    /// # use tangency::shape::Line;
    /// assert_eq!(Line::through([1.0, 2.0, 3.0], [9.0; 3])?.point(), tangency::glam::vec3(1.0, 2.0, 3.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn point(&self) -> Vec3 {
        self.point
    }

    /// The direction as given, of any non-zero length.
    ///
    /// ```
    /// # use tangency::shape::Line;
    /// assert_eq!(Line::through([1.0; 3], [1.0, 4.0, 1.0])?.direction(), tangency::glam::vec3(0.0, 3.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn direction(&self) -> Vec3 {
        self.direction
    }

    /// `point + t · direction`, computed in `f64` and rounded once.
    ///
    /// ```
    /// # use tangency::shape::Line;
    /// assert_eq!(Line::new([1.0; 3], [2.0, 0.0, 0.0])?.at(-0.5), tangency::glam::vec3(0.0, 1.0, 1.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn at(&self, t: f32) -> Vec3 {
        check::saturate(self.point.as_dvec3() + self.direction.as_dvec3() * f64::from(t))
    }
}

deserialize_through_new!(Line { point: Vec3, direction: Vec3 });

/// The part of a line with parameters from `min` to `max`, both included.
///
/// ```
/// use tangency::shape::{BoundedLine, Line, Segment};
///
/// let line = Line::new([0.0; 3], [0.0, 2.0, 0.0])?;
/// let part = BoundedLine::new(line, 1.0, 3.0)?;
/// assert_eq!(part.segment()?, Segment::new([0.0, 2.0, 0.0], [0.0, 6.0, 0.0])?);
/// assert!(BoundedLine::new(line, 3.0, 1.0).is_err());
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[repr(C)]
pub struct BoundedLine {
    line: Line,
    min: f32,
    max: f32,
}

impl BoundedLine {
    /// The part of `line` between the parameters `min` and `max`.
    ///
    /// ```
    /// # use tangency::{Error, shape::{BoundedLine, Line}};
    /// let line = Line::new([0.0; 3], [1.0, 0.0, 0.0])?;
    /// assert_eq!(BoundedLine::new(line, 1.0, 3.0)?.segment()?.length(), 2.0);
    /// assert_eq!(BoundedLine::new(line, 3.0, 1.0), Err(Error::Reversed { axis: 't', min: 3.0, max: 1.0 }));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite), or [`Reversed`](Error::Reversed) (with the axis `t`) when `min > max`.
    pub fn new(line: Line, min: f32, max: f32) -> Result<Self> {
        let bounded = Self { line, min, max };
        bounded.validate()?;
        Ok(bounded)
    }

    /// Checks what [`new`](Self::new) checks, for a value that came by another way.
    ///
    /// ```
    /// # use tangency::{Error, shape::BoundedLine};
    /// let raw: BoundedLine = bytemuck::cast([0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 1.0]);
    /// assert_eq!(raw.validate(), Err(Error::Reversed { axis: 't', min: 2.0, max: 1.0 }));
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new), and as [`Line::new`].
    pub fn validate(&self) -> Result<()> {
        self.line.validate()?;
        check::finite("min", self.min)?;
        check::finite("max", self.max)?;
        if self.min > self.max { Err(Error::Reversed { axis: 't', min: self.min, max: self.max }) } else { Ok(()) }
    }

    /// The line of which this is a part.
    ///
    /// ```
    /// # use tangency::shape::{BoundedLine, Line};
    /// let line = Line::new([0.0; 3], [1.0, 0.0, 0.0])?;
    /// assert_eq!(BoundedLine::new(line, 1.0, 3.0)?.line(), line);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn line(&self) -> Line {
        self.line
    }

    /// The smallest parameter.
    ///
    /// ```
    /// # use tangency::shape::{BoundedLine, Line};
    /// assert_eq!(BoundedLine::new(Line::new([0.0; 3], [1.0, 0.0, 0.0])?, 1.0, 3.0)?.min(), 1.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn min(&self) -> f32 {
        self.min
    }

    /// The largest parameter.
    ///
    /// ```
    /// # use tangency::shape::{BoundedLine, Line};
    /// assert_eq!(BoundedLine::new(Line::new([0.0; 3], [1.0, 0.0, 0.0])?, 1.0, 3.0)?.max(), 3.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn max(&self) -> f32 {
        self.max
    }

    /// The same points as a segment, its ends rounded to nearest.
    ///
    /// ```
    /// # use tangency::shape::{BoundedLine, Line, Segment};
    /// let part = BoundedLine::new(Line::new([1.0; 3], [2.0, 0.0, 0.0])?, -1.0, 1.0)?;
    /// assert_eq!(part.segment()?, Segment::new([-1.0, 1.0, 1.0], [3.0, 1.0, 1.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite) when an end cannot be formed.
    pub fn segment(&self) -> Result<Segment> {
        Segment::new(self.line.at(self.min), self.line.at(self.max))
    }
}

deserialize_through_new!(BoundedLine { line: Line, min: f32, max: f32 });
