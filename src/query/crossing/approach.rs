use glam::{DVec3, Vec3};

use crate::shape::{Line, check};

/// How two lines lie to each other in space.
///
/// ```
/// use tangency::{query::{self, LineKind}, shape::Line};
///
/// let x = Line::new([0.0; 3], [1.0, 0.0, 0.0])?;
/// let kind = |point: [f32; 3], direction: [f32; 3]| -> tangency::Result<LineKind> {
///     Ok(query::crossing_line_line(&x, &Line::new(point, direction)?, 0.0)?.kind)
/// };
/// assert_eq!(kind([5.0, 5.0, 0.0], [0.0, 2.0, 0.0])?, LineKind::Crossing);
/// assert_eq!(kind([5.0, 0.0, 0.0], [-2.0, 0.0, 0.0])?, LineKind::Collinear);
/// assert_eq!(kind([5.0, 1.0, 0.0], [-2.0, 0.0, 0.0])?, LineKind::Parallel);
/// assert_eq!(kind([5.0, 1.0, 0.0], [0.0, 0.0, 1.0])?, LineKind::Skew);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// They cross in one point, within the tolerance.
    Crossing,
    /// They are one and the same line, within the tolerance.
    Collinear,
    /// Same or opposite directions, and apart.
    Parallel,
    /// Neither parallel nor crossing.
    Skew,
}

/// Where two lines or rays come nearest to each other.
///
/// ```
/// use tangency::{query, shape::Ray};
///
/// let a = Ray::new([0.0; 3], [1.0, 0.0, 0.0])?;
/// let b = Ray::new([3.0, 0.5, -2.0], [0.0, 0.0, 1.0])?;
/// let found = query::crossing_ray_ray(&a, &b, 0.6)?;
/// assert_eq!((found.on_a, found.on_b), (tangency::glam::vec3(3.0, 0.0, 0.0), tangency::glam::vec3(3.0, 0.5, 0.0)));
/// assert!(found.distance == 0.5 && found.meets); // within the tolerance
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approach {
    /// How the (whole) lines lie to each other.
    pub kind: LineKind,
    /// The parameter of the nearest point on the first, in units of its direction.
    pub s: f32,
    /// The parameter of the nearest point on the second.
    pub t: f32,
    /// The nearest point of the first.
    pub on_a: Vec3,
    /// The nearest point of the second.
    pub on_b: Vec3,
    /// The distance between the two points.
    pub distance: f32,
    /// Whether they meet: the distance is at most the tolerance.
    pub meets: bool,
}

/// A line in `f64` with the smallest parameter that belongs to it.
pub(super) struct Reach {
    pub(super) start: DVec3,
    pub(super) direction: DVec3,
    pub(super) min: f64,
}

impl Reach {
    pub(super) fn new(line: &Line, min: f64) -> Self {
        Self { start: line.point().as_dvec3(), direction: line.direction().as_dvec3(), min }
    }

    fn at(&self, t: f64) -> DVec3 {
        self.start + self.direction * t
    }

    fn nearest(&self, p: DVec3) -> f64 {
        ((p - self.start).dot(self.direction) / self.direction.length_squared()).max(self.min)
    }
}

/// The common perpendicular of the lines when both its ends belong to them; otherwise one of the starts is nearest.
///
/// With n = d₁ × d₂ and r from start to start, s = det(r, d₂, n) / n² and t = det(r, d₁, n) / n²; the lines are
/// |r · n| / |n| apart.
pub(super) fn approach(a: &Reach, b: &Reach, tolerance: f32) -> Approach {
    let (r, n) = (b.start - a.start, a.direction.cross(b.direction));
    let n_squared = n.length_squared();
    // The products in n are exact, so nothing but their difference is rounded.
    let parallel = n_squared.sqrt() <= 4.0 * f64::EPSILON * a.direction.length() * b.direction.length();
    let from_a = (0.0_f64.max(a.min), b.nearest(a.start));
    let from_b = (a.nearest(b.start), 0.0_f64.max(b.min));
    let distance = |(s, t): (f64, f64)| a.at(s).distance(b.at(t));
    let tolerance = f64::from(tolerance);
    let (kind, best) = if parallel {
        let apart = r.cross(a.direction).length() / a.direction.length();
        let kind = if apart <= tolerance { LineKind::Collinear } else { LineKind::Parallel };
        (kind, if distance(from_b) < distance(from_a) { from_b } else { from_a })
    } else {
        let apart = r.dot(n).abs() / n_squared.sqrt();
        let kind = if apart <= tolerance { LineKind::Crossing } else { LineKind::Skew };
        let foot = (r.cross(b.direction).dot(n) / n_squared, r.cross(a.direction).dot(n) / n_squared);
        let both = foot.0 >= a.min && foot.1 >= b.min;
        (
            kind,
            if both {
                foot
            } else if distance(from_b) < distance(from_a) {
                from_b
            } else {
                from_a
            },
        )
    };
    Approach {
        kind,
        s: check::saturate_f32(best.0),
        t: check::saturate_f32(best.1),
        on_a: check::saturate(a.at(best.0)),
        on_b: check::saturate(b.at(best.1)),
        distance: check::saturate_f32(distance(best)),
        meets: distance(best) <= tolerance,
    }
}
