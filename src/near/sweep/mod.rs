//! When two moving bodies first touch, in deterministic arithmetic.
//!
//! Time goes on only as long as a plane between the bodies proves that they stay apart (conservative advancement): at each moment some
//! direction is found along which all differences are so far from 0, and that gap closes no faster than the bodies move along it, by going
//! on and by turning. Where the gap is below the error of all this, the bodies touch, as far as `f32` can tell.
//!
//! The twins in WGSL are `shaders/lib/sweep.wgsl` and `shaders/lib/sweep_straight.wgsl`.

mod course;
mod half_space;
pub(crate) mod hit;
mod hull;
mod moments;
mod straight;

use glam::Vec3;

use super::hull::Body;
use super::{ERROR, EXPONENTS, REACH};
use crate::det::{
    Double, abs, add, add_double, add3, clean, cross3, length3, mul, mul_double, neg, scale3, sub_double, turn, two_sum,
};
use crate::manifold::Frame;
use crate::query::{Impact, Motion, sweep as scalar_sweep};
use crate::shape::Shape;
use crate::shape::kinds::BodyShape;
use hit::{MAY_MEET, MEETS};

pub(crate) use course::Course;
pub use hit::SweepHit;
pub(crate) use hull::sweep_hull;
#[cfg(feature = "gpu")]
pub(crate) use moments::SWEEP_TURNS;
pub(crate) use moments::sweep_any;
#[cfg(feature = "gpu")]
pub(crate) use straight::pass_by;
pub(crate) use straight::sweep_straight;

/// Ways may be this many powers of two longer than the larger of two bodies.
const FURTHEST: u32 = 30;

/// What is wrong with a height, besides [`ERROR`] of all lengths: as much again for turned axes; and of the lengths from the point that a body
/// turns about 16 u, and 4 u for each radian, since an angle is rounded.
const TURNED: f32 = 16.0 / (1 << 24) as f32;
const ANGLE: f32 = 4.0 / (1 << 24) as f32;
/// The share of a way that the place at some time may be wrong by.
const WAY: f32 = 1.0 / (1_u64 << 40) as f32;
/// By how much steps are too short, and times and speeds too long, so that rounding does not matter.
const LESS: f32 = 1.0 - 1.0 / (1 << 20) as f32;
const MORE: f32 = 1.0 / (1 << 18) as f32;

fn single(x: f32) -> Double {
    Double { high: x, low: 0.0 }
}

fn sum_of(v: Vec3) -> f32 {
    add(add(abs(v.x), abs(v.y)), abs(v.z))
}

/// A vector turned about an axis, less the vector: sine (u × v) + versine (u × (u × v)).
fn turned_by(v: Vec3, axis: Vec3, [sine, versine]: [f32; 2]) -> Vec3 {
    let across = cross3(axis, v);
    add3(scale3(across, sine), scale3(cross3(axis, across), versine))
}

/// A body of a pair, scaled.
struct Moving {
    center: [Double; 3],
    axes: [Vec3; 3],
    half: [f32; 3],
    radius: f32,
    extents: usize,
    way: Vec3,
    arm: Vec3,
    axis: Vec3,
    angle: f32,
    reach: f32,
}

impl Moving {
    fn of(frame: &Frame, course: &Course, scale: f32) -> Self {
        let precise = frame.precise(scale);
        let half = precise.half.map(|half| half.high);
        let length = |x: f32| mul(clean(x), scale);
        Self {
            center: precise.center,
            axes: precise.axes.map(|axis| Vec3::from(axis.map(|x| x.high))),
            half,
            radius: precise.radius,
            extents: precise.extents,
            way: Vec3::from(course.way.map(length)),
            arm: Vec3::from(course.arm.map(length)),
            axis: Vec3::from(course.axis.map(clean)),
            angle: clean(course.angle),
            reach: length(course.reach),
        }
    }

    fn turns(&self) -> bool {
        self.angle > 0.0
    }

    /// The axes at a time, and how far the turn has taken the centre.
    fn at(&self, time: f32) -> ([Vec3; 3], Vec3) {
        if !self.turns() {
            return (self.axes, Vec3::ZERO);
        }
        let turned = turn(mul(self.angle, time));
        let by = [turned.y, turned.z];
        (self.axes.map(|axis| add3(axis, turned_by(axis, self.axis, by))), turned_by(self.arm, self.axis, by))
    }

    /// What is wrong with its place, and with how far it reaches.
    fn error(&self) -> f32 {
        let of_turn = if self.turns() { mul(add(TURNED, mul(ANGLE, self.angle)), self.reach) } else { 0.0 };
        add(of_turn, mul(WAY, sum_of(self.way)))
    }

    /// The speed at which its turn can take a point of it along a direction.
    fn speed_of_turn(&self, direction: Vec3) -> f32 {
        if self.turns() { mul(mul(self.angle, self.reach), length3(cross3(direction, self.axis))) } else { 0.0 }
    }
}

/// Two moving bodies, scaled.
struct Both {
    first: Moving,
    second: Moving,
    /// From the first centre to the second at the start, and how that goes on.
    start: [Double; 3],
    way: [Double; 3],
    velocity: Vec3,
    radii: f32,
    /// What is wrong with a height, but for the share of the way between the centres.
    error: f32,
    /// What is wrong with a speed, and more.
    slack: f32,
}

impl Both {
    /// `None` outside the domain.
    fn of(a: (&Frame, &Course), b: (&Frame, &Course)) -> Option<Self> {
        let size = a.0.exponent().max(b.0.exponent());
        let within = a.0.has_size_in_domain() && b.0.has_size_in_domain() && EXPONENTS.contains(&size);
        if within { Self::scaled(a, b, size, [0.0; 2]) } else { None }
    }

    /// Scaled so that a length of this exponent is from 1 to 2; and the largest sums of coordinates of corners, of hulls.
    fn scaled(a: (&Frame, &Course), b: (&Frame, &Course), size: u32, corners: [f32; 2]) -> Option<Self> {
        let furthest = a.1.exponent.max(b.1.exponent);
        if a.0.reach().max(b.0.reach()) > size + REACH || furthest > size + FURTHEST {
            return None;
        }
        let scale = f32::from_bits((254 - size) << 23);
        let (first, second) = (Moving::of(a.0, a.1, scale), Moving::of(b.0, b.1, scale));
        let start = [0, 1, 2].map(|k| sub_double(second.center[k], first.center[k]));
        let way = [0, 1, 2].map(|k| two_sum(second.way[k], neg(first.way[k])));
        let velocity = Vec3::from(way.map(|x| x.high));
        let lengths = |moving: &Moving| add(sum_of(Vec3::from(moving.half)), moving.radius);
        // (Heights of corners carry twice the share that those of boxes do.)
        let of_corners = add(mul(corners[0], scale), mul(corners[1], scale));
        let sizes = add(add(lengths(&first), lengths(&second)), add(of_corners, of_corners));
        let error = add(mul(add(ERROR, ERROR), sizes), add(first.error(), second.error()));
        let radii = add(first.radius, second.radius);
        let turns = add(mul(first.angle, first.reach), mul(second.angle, second.reach));
        let slack = mul(MORE, add(sum_of(velocity), turns));
        Some(Self { first, second, start, way, velocity, radii, error, slack })
    }

    /// Whether both are boxes that do not turn.
    fn is_straight(&self) -> bool {
        let boxes = self.first.extents == 3 && self.second.extents == 3;
        boxes && !self.first.turns() && !self.second.turns()
    }

    /// From the first centre to the second at a time, given how far turns have taken the second, less the first.
    fn between(&self, time: Double, shift: Vec3) -> Vec3 {
        let along =
            |k: usize| add_double(add_double(self.start[k], mul_double(self.way[k], time)), single(shift[k])).high;
        Vec3::new(along(0), along(1), along(2))
    }

    /// What is wrong with a height when the centres are so far apart.
    fn error_at(&self, t: Vec3) -> f32 {
        add(self.error, mul(add(ERROR, ERROR), sum_of(t)))
    }
}

/// More than what is left of the time.
fn remaining(time: Double) -> f32 {
    mul(sub_double(single(1.0), time).high, add(1.0, MORE))
}

/// When two moving bodies first touch; `None` outside the domain. A pair that does not is a [miss](SweepHit::is_miss).
pub(crate) fn sweep(a: (&Frame, &Course), b: (&Frame, &Course)) -> Option<SweepHit> {
    if a.0.is_half_space() || b.0.is_half_space() {
        return half_space::sweep(a, b);
    }
    let mut hit = sweep_straight(a, b)?;
    while hit.is_pending() {
        hit = sweep_any(a, b, hit)?;
    }
    Some(hit)
}

/// The same of two bodies of which one is a hull; `None` also if the other is a half-space.
fn sweep_with_hull(a: (&Body<'_>, &Course), b: (&Body<'_>, &Course)) -> Option<SweepHit> {
    let mut hit = sweep_hull(a, b, SweepHit::pending())?;
    while hit.is_pending() {
        hit = sweep_hull(a, b, hit)?;
    }
    Some(hit)
}

/// In deterministic arithmetic or, outside its domain, in `f64`.
pub(crate) fn sweep_or_scalar(
    a: (&Frame, &Course, &BodyShape<'_>, &Motion),
    b: (&Frame, &Course, &BodyShape<'_>, &Motion),
) -> SweepHit {
    let found = if a.0.is_hull() || b.0.is_hull() {
        sweep_with_hull((&Body::of(a.0, a.2), a.1), (&Body::of(b.0, b.2), b.1))
    } else {
        sweep((a.0, a.1), (b.0, b.1))
    };
    found.unwrap_or_else(|| {
        if let (BodyShape::Plane(first), BodyShape::Plane(second)) = (a.2, b.2) {
            let found = half_space::sweep_two((first, a.3), (second, b.3));
            return found.map_or(SweepHit::MISS, |(time, normal)| of_impact(time, normal, true));
        }
        let motion = |shape: &BodyShape<'_>, motion: &Motion| match shape {
            BodyShape::Plane(plane) => half_space::about_its_foot(plane, motion),
            _ => *motion,
        };
        let motions = [motion(a.2, a.3), motion(b.2, b.3)];
        let found = scalar_sweep(&Shape::from(*a.2), &motions[0], &Shape::from(*b.2), &motions[1]);
        let Ok(Some(Impact { time, normal, converged, .. })) = found else { return SweepHit::MISS };
        of_impact(time, normal, converged)
    })
}

/// The hit at a time of more bits, rounded down.
fn of_impact(time: f64, normal: Vec3, converged: bool) -> SweepHit {
    let high = time as f32;
    let mut low = (time - f64::from(high)) as f32;
    if f64::from(high) + f64::from(low) > time {
        low = low.next_down();
    }
    SweepHit::new(normal, Double { high, low }, if converged { MEETS } else { MAY_MEET })
}
