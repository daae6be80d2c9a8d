use glam::{DVec3, Vec3};

use super::pose::{Apart, Approach, Moving, turned};
use super::sweep::Tolerance;
use super::sweep_rotating::first_contact_rotating;
use super::{Impact, Motion};
use crate::Side;
use crate::query::near::{HalfSpace, TOLERANCE};
use crate::query::support::{Support, unit};
use crate::query::{ClassifySide, side};
use crate::shape::{Plane, check};

/// A shape of which [`sweep_plane`] can tell when it meets a plane.
///
/// ```
/// use tangency::{query::{Motion, SweepPlane}, shape::{Plane, Sphere}};
///
/// let (ball, ground) = (Sphere::new([0.0, 2.0, 0.0], 1.0)?, Plane::new([0.0, 1.0, 0.0], 0.0)?);
/// assert!(ball.sweep_plane(&Motion::translation([0.0, -1.5, 0.0])?, &ground).is_some());
/// # Ok::<(), tangency::Error>(())
/// ```
pub trait SweepPlane {
    /// `Option<Impact>`; of a [`Shape`](crate::shape::Shape) a [`Result`](crate::Result) with that, since it may be a plane.
    type Answer;

    /// When this shape first meets the half-space; see [`sweep_plane`].
    fn sweep_plane(&self, motion: &Motion, plane: &Plane) -> Self::Answer;
}

/// When a moving shape first has a point in the closed half-space of `plane`; `None` when it never does.
///
/// The lowest point of the shape meets first: without turning at h / −(n · way), h being its height over the plane (Gomez
/// 1999), rounded to the safe side; with turning by subdivision of time, as in [`sweep`](crate::query::sweep). A shape that
/// is there from the start, which is decided exactly, meets at time 0. What ends within 2⁻⁴⁰ of the largest number over the
/// plane counts as touching it at the end. The normal of the impact points into the half-space. For the other side of the
/// plane, [flip](Plane::flip) it. For a plane that moves too: [`sweep`](crate::query::sweep).
///
/// Of a [`Shape`](crate::shape::Shape) it is a [`Result`](crate::Result): [`Unsupported`](crate::Error::Unsupported) for a plane.
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
pub fn sweep_plane<S: SweepPlane>(shape: &S, motion: &Motion, plane: &Plane) -> S::Answer {
    shape.sweep_plane(motion, plane)
}

impl<S: Support + ClassifySide> SweepPlane for S {
    type Answer = Option<Impact>;

    fn sweep_plane(&self, motion: &Motion, plane: &Plane) -> Option<Impact> {
        sweep_moving_plane(self, motion, plane, &Motion::REST).map(|(impact, _)| impact)
    }
}

/// As [`sweep_plane`], of a plane that moves too, and turns if its motion names the pivot; with the point of the plane that is met.
pub(super) fn sweep_moving_plane<S: Support + ClassifySide>(
    shape: &S,
    motion: &Motion,
    plane: &Plane,
    plane_motion: &Motion,
) -> Option<(Impact, Vec3)> {
    let half_space = HalfSpace::new(plane).ok()?;
    if shape.has_no_points() {
        return None;
    }
    let fall = Fall::new(Moving::new(shape, motion), half_space, plane_motion);
    let (time, converged) = if side(shape, plane) != Side::Outside {
        (0.0, true)
    } else if motion.turns() || fall.plane_turn.is_some() {
        let found = first_contact_rotating(&fall, &Tolerance::new(fall.scale(), fall.shape.size()))?;
        (found.time, found.converged)
    } else {
        (fall.straight()?, true)
    };
    let Apart { gap, normal, point } = fall.apart(time);
    let normal = normal.unwrap_or(-half_space.normal);
    let on_plane = check::saturate(point + normal * gap);
    let impact = Impact { time, normal: normal.as_vec3(), point: check::saturate(point), converged };
    Some((impact, on_plane))
}

/// A shape that moves over a plane.
struct Fall<'a> {
    shape: Moving<'a>,
    plane: HalfSpace,
    plane_velocity: DVec3,
    plane_turn: Option<PlaneTurn>,
}

/// How a plane turns: about a point at the start, by an angle about an axis.
struct PlaneTurn {
    pivot: DVec3,
    axis: DVec3,
    angle: f64,
    /// How far from the pivot, which moves, the shape ever is at most.
    reach: f64,
}

impl<'a> Fall<'a> {
    fn new(shape: Moving<'a>, plane: HalfSpace, motion: &Motion) -> Self {
        let plane_velocity = motion.translation_vector().as_dvec3();
        let turn = motion.rotation_vector().as_dvec3();
        let plane_turn = motion.pivot().zip(unit(turn)).map(|(pivot, axis)| {
            let pivot = pivot.as_dvec3();
            let way = (shape.velocity() - plane_velocity).length();
            PlaneTurn { pivot, axis, angle: turn.length(), reach: pivot.distance(shape.pivot()) + way + shape.reach() }
        });
        Self { shape, plane, plane_velocity, plane_turn }
    }

    /// What rounding errors are relative to.
    fn scale(&self) -> f64 {
        let of_turn = self.plane_turn.as_ref().map_or(0.0, |turn| turn.pivot.length() + turn.angle * turn.reach);
        self.shape.scale() + self.plane_velocity.length() + self.plane.offset.abs() + of_turn
    }

    /// The half-space at a time, for points from which the plane's way since the start is taken away.
    fn plane_at(&self, time: f64) -> HalfSpace {
        self.plane_turn.as_ref().map_or(self.plane, |turn| {
            let normal = turned(turn.axis, turn.angle * time) * self.plane.normal;
            // The pivot keeps its height.
            HalfSpace { normal, offset: normal.dot(turn.pivot) - self.plane.above(turn.pivot) }
        })
    }

    /// Neither turns: the height of the lowest point changes evenly.
    fn straight(&self) -> Option<f64> {
        let Apart { gap, point, .. } = self.apart(0.0);
        let (way, rate) = (self.velocity(), self.velocity().dot(self.plane.normal));
        let hidden = self.shape.shape().largest_input();
        let numbers = point.length() + self.shape.size() + self.plane.offset.abs() + hidden;
        if rate >= 0.0 || gap + rate > TOLERANCE * numbers.max(way.length()) {
            return None;
        }
        // The smallest quotient that the roundings of both allow.
        let lowest = gap - 16.0 * f64::EPSILON * numbers;
        Some((lowest / (16.0 * f64::EPSILON * way.length() - rate)).clamp(0.0, 1.0))
    }
}

impl Approach for Fall<'_> {
    fn apart(&self, time: f64) -> Apart {
        let (shape, plane) = (self.shape.at(time), self.plane_at(time));
        let point = shape.core_support(-plane.normal) - plane.normal * shape.rounding();
        Apart { gap: plane.above(point - self.plane_velocity * time), normal: Some(-plane.normal), point }
    }

    /// Where the plane turns, along no normal for long: it is then part of the speed by turning.
    fn velocity(&self) -> DVec3 {
        if self.plane_turn.is_some() { DVec3::ZERO } else { self.shape.velocity() - self.plane_velocity }
    }

    /// The height n(t) · y of a point, y being its place from the plane's pivot, changes by (ω × n) · y and by n · y': at most by ω times
    /// the reach, and by the speed of the point.
    fn turning_speed(&self, normal: DVec3) -> f64 {
        if self.plane_turn.is_some() { self.top_speed() } else { self.shape.turning_speed(normal) }
    }

    fn top_speed(&self) -> f64 {
        let relative =
            |turn: &PlaneTurn| turn.angle * turn.reach + (self.shape.velocity() - self.plane_velocity).length();
        self.shape.top_speed() + self.plane_turn.as_ref().map_or(0.0, relative)
    }
}
