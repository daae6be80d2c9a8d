use glam::{DVec3, Vec3};

use super::pose::{Apart, Approach, Moving};
use super::sweep::Tolerance;
use super::sweep_rotating::first_contact_rotating;
use super::{Impact, Motion};
use crate::Side;
use crate::query::near::{HalfSpace, TOLERANCE};
use crate::query::support::Support;
use crate::query::{ClassifySide, side};
use crate::shape::{Plane, check};

/// When a moving shape first has a point in the closed half-space of `plane`; `None` when it never does.
///
/// The lowest point of the shape meets first: without turning at h / −(n · way), h being its height over the plane (Gomez
/// 1999), rounded to the safe side; with turning by subdivision of time, as in [`sweep`](crate::query::sweep). A shape that
/// is there from the start, which is decided exactly, meets at time 0. What ends within 2⁻⁴⁰ of the largest number over the
/// plane counts as touching it at the end. The normal of the impact points into the half-space. For the other side of the
/// plane, [flip](Plane::flip) it.
///
/// ```
/// use tangency::{query::{self, Motion}, shape::{Aabb, Plane}};
///
/// let ground = Plane::new([0.0, 1.0, 0.0], 0.0)?;
/// let falling = Aabb::new([0.0, 3.0, 0.0], [1.0, 4.0, 1.0])?;
/// let way = Motion::translation([8.0, -12.0, 0.0])?;
/// let impact = query::sweep_plane(&falling, &way, &ground).expect("it falls through");
/// assert!((0.25 - 1e-14..=0.25).contains(&impact.time));
/// assert!((0.0..1e-12).contains(&impact.point.y) && impact.normal == -tangency::glam::Vec3::Y);
/// assert_eq!(query::sweep_plane(&falling, &Motion::translation([0.0, -2.9, 0.0])?, &ground), None);
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn sweep_plane<S: Support + ClassifySide>(shape: &S, motion: &Motion, plane: &Plane) -> Option<Impact> {
    sweep_moving_plane(shape, motion, plane, &Motion::REST).map(|(impact, _)| impact)
}

/// As [`sweep_plane`], of a plane that moves without turning; with the point of the plane that is met.
pub(crate) fn sweep_moving_plane<S: Support + ClassifySide>(
    shape: &S,
    motion: &Motion,
    plane: &Plane,
    plane_motion: &Motion,
) -> Option<(Impact, Vec3)> {
    let half_space = HalfSpace::new(plane).ok()?;
    if shape.has_no_points() {
        return None;
    }
    let fall = Fall {
        shape: Moving::new(shape, motion),
        plane: half_space,
        plane_velocity: plane_motion.translation_vector().as_dvec3(),
    };
    let (time, converged) = if side(shape, plane) != Side::Outside {
        (0.0, true)
    } else if motion.turns() {
        let scale = fall.shape.scale() + fall.plane_velocity.length() + half_space.offset.abs();
        let found = first_contact_rotating(&fall, &Tolerance::new(scale, fall.shape.size()))?;
        (found.time, found.converged)
    } else {
        (fall.straight()?, true)
    };
    let Apart { gap, point, .. } = fall.apart(time);
    let on_plane = check::saturate(point - half_space.normal * gap);
    let impact = Impact { time, normal: (-half_space.normal).as_vec3(), point: check::saturate(point), converged };
    Some((impact, on_plane))
}

/// A shape that moves over a plane.
struct Fall<'a, S> {
    shape: Moving<'a, S>,
    plane: HalfSpace,
    plane_velocity: DVec3,
}

impl<S: Support> Fall<'_, S> {
    /// Neither turns: the height of the lowest point changes evenly.
    fn straight(&self) -> Option<f64> {
        let Apart { gap, point, .. } = self.apart(0.0);
        let (way, rate) = (self.velocity(), self.velocity().dot(self.plane.normal));
        let numbers = point.length() + self.shape.size() + self.plane.offset.abs();
        if rate >= 0.0 || gap + rate > TOLERANCE * numbers.max(way.length()) {
            return None;
        }
        // The smallest quotient that the roundings of both allow.
        let lowest = gap - 16.0 * f64::EPSILON * numbers;
        Some((lowest / (16.0 * f64::EPSILON * way.length() - rate)).clamp(0.0, 1.0))
    }
}

impl<S: Support> Approach for Fall<'_, S> {
    fn apart(&self, time: f64) -> Apart {
        let (shape, normal) = (self.shape.at(time), self.plane.normal);
        let point = shape.core_support(-normal) - normal * shape.rounding();
        Apart { gap: self.plane.above(point - self.plane_velocity * time), normal: Some(-normal), point }
    }

    fn velocity(&self) -> DVec3 {
        self.shape.velocity() - self.plane_velocity
    }

    fn turning_speed(&self, normal: DVec3) -> f64 {
        self.shape.turning_speed(normal)
    }

    fn top_speed(&self) -> f64 {
        self.shape.top_speed()
    }
}
