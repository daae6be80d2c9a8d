use super::Approach;
use super::approach::{Reach, approach};
use crate::Result;
use crate::shape::Ray;

/// Where two rays in space meet or come nearest, both parameters being ≥ 0; `tolerance` is the distance up to which they
/// are held to meet.
///
/// `kind` speaks of the whole lines: rays on crossing lines may still point away from each other, and collinear rays meet
/// unless they do. Where collinear rays share more than a point, the start of one of them is returned.
///
/// ```
/// use tangency::{query::{self, LineKind}, shape::Ray};
///
/// let a = Ray::new([0.0, 0.0, 0.0], [1.0, 0.0, 0.0])?;
/// let towards = Ray::new([4.0, -2.0, 0.0], [0.0, 1.0, 0.0])?;
/// let found = query::crossing_ray_ray(&a, &towards, 0.0)?;
/// assert_eq!((found.kind, found.s, found.t, found.meets), (LineKind::Crossing, 4.0, 2.0, true));
///
/// let away = Ray::new([4.0, -2.0, 0.0], [0.0, -1.0, 0.0])?;
/// let found = query::crossing_ray_ray(&a, &away, 0.0)?;
/// assert_eq!((found.kind, found.distance, found.meets), (LineKind::Crossing, 2.0, false));
///
/// let facing = Ray::new([9.0, 0.0, 0.0], [-2.0, 0.0, 0.0])?;
/// let found = query::crossing_ray_ray(&a, &facing, 0.0)?;
/// assert_eq!((found.kind, found.meets), (LineKind::Collinear, true));
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// What [`Ray::validate`] says.
pub fn crossing_ray_ray(a: &Ray, b: &Ray, tolerance: f32) -> Result<Approach> {
    a.validate()?;
    b.validate()?;
    Ok(approach(&Reach::new(&a.line(), 0.0), &Reach::new(&b.line(), 0.0), tolerance))
}
