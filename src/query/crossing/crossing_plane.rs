use std::cmp::Ordering;

use glam::{DVec3, Vec3};

use crate::query::side_of_point;
use crate::shape::{BoundedLine, Line, Plane, Ray, Segment, check};

/// What a line and a plane have in common.
///
/// ```
/// use tangency::{query::{self, Crossing}, shape::{Line, Plane}};
///
/// let ground = Plane::new([0.0, 1.0, 0.0], 0.0)?;
/// let level = |y: f32| Line::new([0.0, y, 0.0], [1.0, 0.0, 0.0]);
/// assert_eq!(query::crossing_plane(&level(1.0)?, &ground), Crossing::None);
/// assert_eq!(query::crossing_plane(&level(0.0)?, &ground), Crossing::Within);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Crossing {
    /// Nothing: they are parallel, or the crossing lies outside the line's range.
    None,
    /// One point.
    At {
        /// The parameter on the line, rounded to nearest; from 0 to 1 on a segment.
        t: f32,
        /// The point, rounded to nearest.
        point: Vec3,
    },
    /// All of it: the line lies in the plane.
    Within,
}

/// A line of some kind of which [`crossing_plane`] can tell where it crosses a plane.
///
/// ```
/// use tangency::{query::{Crossing, PlaneCrossing}, shape::{Line, Plane}};
///
/// let line = Line::new([0.0, 2.0, 0.0], [1.0, -1.0, 0.0])?;
/// let found = line.crossing_plane(&Plane::new([0.0, 1.0, 0.0], 0.0)?);
/// assert_eq!(found, Crossing::At { t: 2.0, point: tangency::glam::vec3(2.0, 0.0, 0.0) });
/// # Ok::<(), tangency::Error>(())
/// ```
pub trait PlaneCrossing {
    /// Where it crosses the plane; see [`crossing_plane`].
    fn crossing_plane(&self, plane: &Plane) -> Crossing;
}

/// Where a [`Line`], [`BoundedLine`], [`Segment`] or [`Ray`] crosses the plane: t = (offset − n · P) / (n · d).
///
/// Ends belong to the line: a segment that ends on the plane crosses it, and a ray that starts there does so at t = 0.
/// Whether a point lies on the plane is decided exactly; a direction is parallel when n · d is zero up to the rounding of
/// `f64`. What `validate` refuses crosses nothing.
///
/// ```
/// use tangency::{query::{self, Crossing}, shape::{Plane, Ray, Segment}};
///
/// let ground = Plane::new([0.0, 1.0, 0.0], 0.0)?;
/// let segment = Segment::new([0.0, 3.0, 0.0], [4.0, -1.0, 0.0])?;
/// assert_eq!(query::crossing_plane(&segment, &ground), Crossing::At { t: 0.75, point: tangency::glam::vec3(3.0, 0.0, 0.0) });
///
/// let up = Ray::new([0.0, 1.0, 0.0], [0.0, 1.0, 0.0])?;
/// assert_eq!(query::crossing_plane(&up, &ground), Crossing::None);
/// let along = Ray::new([0.0, 0.0, 0.0], [1.0, 0.0, 0.0])?;
/// assert_eq!(query::crossing_plane(&along, &ground), Crossing::Within);
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn crossing_plane(line: &impl PlaneCrossing, plane: &Plane) -> Crossing {
    line.crossing_plane(plane)
}

fn at(t: f64, point: DVec3) -> Crossing {
    Crossing::At { t: check::saturate_f32(t), point: check::saturate(point) }
}

/// Of the line from `start`, between two parameters.
fn of_line(line: &Line, min: f64, max: f64, plane: &Plane) -> Crossing {
    let Ok(side) = side_of_point(line.point(), plane) else { return Crossing::None };
    let (n, p, d) = (plane.normal().as_dvec3(), line.point().as_dvec3(), line.direction().as_dvec3());
    let rate = n.dot(d);
    // The products are exact in f64; adding three of them loses no more than this.
    let parallel = rate.abs() <= 2.0 * f64::EPSILON * n.abs().dot(d.abs());
    if parallel {
        return if side == Ordering::Equal { Crossing::Within } else { Crossing::None };
    }
    let t = if side == Ordering::Equal { 0.0 } else { (f64::from(plane.offset()) - n.dot(p)) / rate };
    if t >= min && t <= max { at(t, p + d * t) } else { Crossing::None }
}

impl PlaneCrossing for Line {
    fn crossing_plane(&self, plane: &Plane) -> Crossing {
        if self.validate().is_err() { Crossing::None } else { of_line(self, f64::NEG_INFINITY, f64::INFINITY, plane) }
    }
}

impl PlaneCrossing for Ray {
    fn crossing_plane(&self, plane: &Plane) -> Crossing {
        if self.validate().is_err() { Crossing::None } else { of_line(&self.line(), 0.0, f64::INFINITY, plane) }
    }
}

impl PlaneCrossing for BoundedLine {
    fn crossing_plane(&self, plane: &Plane) -> Crossing {
        if self.validate().is_err() {
            return Crossing::None;
        }
        of_line(&self.line(), f64::from(self.min()), f64::from(self.max()), plane)
    }
}

impl PlaneCrossing for Segment {
    /// The sides of both ends are exact, so whether there is a crossing is, too.
    fn crossing_plane(&self, plane: &Plane) -> Crossing {
        let (Ok(side_a), Ok(side_b)) = (side_of_point(self.a(), plane), side_of_point(self.b(), plane)) else {
            return Crossing::None;
        };
        let (a, b) = (self.a().as_dvec3(), self.b().as_dvec3());
        match (side_a, side_b) {
            (Ordering::Equal, Ordering::Equal) if a == b => at(0.0, a),
            (Ordering::Equal, Ordering::Equal) => Crossing::Within,
            (Ordering::Equal, _) => at(0.0, a),
            (_, Ordering::Equal) => at(1.0, b),
            (from, to) if from == to => Crossing::None,
            _ => {
                let n = plane.normal().as_dvec3();
                let (above_a, rate) = (n.dot(a) - f64::from(plane.offset()), n.dot(b - a));
                let t = if rate == 0.0 { 0.5 } else { (-above_a / rate).clamp(0.0, 1.0) };
                at(t, a + (b - a) * t)
            }
        }
    }
}
