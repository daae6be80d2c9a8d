use super::Approach;
use super::approach::{Reach, approach};
use crate::Result;
use crate::shape::Line;

/// Where two lines in space cross or come nearest; `tolerance` is the distance up to which they are held to meet.
///
/// Of parallel lines, the point with s = 0 is compared. Two lines in space hardly ever meet to the last bit:
/// give a tolerance that suits the accuracy of the input, and 0 for numbers that are exact.
///
/// ```
/// use tangency::{query::{self, LineKind}, shape::Line};
///
/// let x = Line::new([0.0, 0.0, 0.0], [1.0, 0.0, 0.0])?;
/// let z = Line::new([3.0, 2.0, 5.0], [0.0, 0.0, 1.0])?;
/// let found = query::crossing_line_line(&x, &z, 0.0)?;
/// assert_eq!((found.kind, found.s, found.t, found.distance), (LineKind::Skew, 3.0, -5.0, 2.0));
/// assert!(!found.meets);
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// What [`Line::validate`] says.
pub fn crossing_line_line(a: &Line, b: &Line, tolerance: f32) -> Result<Approach> {
    a.validate()?;
    b.validate()?;
    Ok(approach(&Reach::new(a, f64::NEG_INFINITY), &Reach::new(b, f64::NEG_INFINITY), tolerance))
}
