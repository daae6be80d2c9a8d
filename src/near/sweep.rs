//! When two moving bodies first touch, in deterministic arithmetic.
//!
//! Time goes on only as long as a plane between the bodies proves that they stay apart (conservative advancement): at each moment some
//! direction is found along which all differences are so far from 0, and that gap closes no faster than the bodies move along it, by going
//! on and by turning. Where the gap is below the error of all this, the bodies touch, as far as `f32` can tell.
//!
//! The twin in WGSL is `shaders/lib/sweep.wgsl`.

use glam::{DVec3, Vec3};

use super::precise::scaled;
use super::search::search;
use super::{APART, ERROR, EXPONENTS, Pair, REACH, exponent};
use crate::det::{
    Double, abs, add, add_double, add3, clean, cross3, div, dot3, length3, max, mul, mul_double, neg, neg3, rsqrt,
    scale3, sub, sub_double, sub3, turn, two_sum,
};
use crate::manifold::Frame;
use crate::query::{Impact, Motion, sweep as scalar_sweep};
use crate::shape::Shape;
use crate::shape::kinds::BodyShape;

/// How a body moves during the unit of time, as the host tells it.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Course {
    /// The way of the point that it turns about.
    way: [f32; 3],
    /// The angle of the turn, in radians.
    angle: f32,
    /// The axis of the turn: a unit vector, or 0.
    axis: [f32; 3],
    /// The exponent of the largest length of way, arm and reach; 255 if they are outside the domain.
    exponent: u32,
    /// From the point that it turns about to the centre of the body.
    arm: [f32; 3],
    /// More than how far points of the body, but for the ball around it, are from the point that it turns about.
    reach: f32,
}

/// The largest angle.
const MOST_ANGLE: f32 = 1024.0;
/// The exponent of what is outside the domain.
const OUTSIDE: u32 = 255;
/// Ways may be this many powers of two longer than the larger of two bodies.
const FURTHEST: u32 = 30;
/// The most moments that are looked at, and how many in one turn. (Some drivers end loops that go on for too long: that of eight pairs of a turn has
/// less than 65,536 rounds in all.)
const ROUNDS: u32 = 128;
const MOMENTS: u32 = 4;
/// How many turns that takes.
#[cfg(feature = "gpu")]
pub(crate) const SWEEP_TURNS: u32 = ROUNDS / MOMENTS;

/// What is wrong with a height, besides [`ERROR`] of all lengths: as much again for turned axes; and of the lengths from the point that a body
/// turns about 16 u, and 4 u for each radian, since an angle is rounded.
const TURNED: f32 = 16.0 / (1 << 24) as f32;
const ANGLE: f32 = 4.0 / (1 << 24) as f32;
/// The share of a way that the place at some time may be wrong by.
const WAY: f32 = 1.0 / (1_u64 << 40) as f32;
/// By how much steps are too short, and times and speeds too long, so that rounding does not matter.
const LESS: f32 = 1.0 - 1.0 / (1 << 20) as f32;
const MORE: f32 = 1.0 / (1 << 18) as f32;

impl Course {
    pub(crate) fn new(shape: &BodyShape, motion: &Motion) -> Self {
        let way = motion.translation_vector();
        let mut course = Self { way: way.to_array(), ..Self::default() };
        if motion.turns() {
            let (center, size) = match shape {
                BodyShape::Sphere(ball) => (ball.center().as_dvec3(), 0.0),
                BodyShape::Aabb(aabb) => {
                    let (low, high) = (aabb.min().as_dvec3(), aabb.max().as_dvec3());
                    ((low + high) / 2.0, ((high - low) / 2.0).length())
                }
                BodyShape::Obb(obb) => (obb.center().as_dvec3(), obb.half_extents().as_dvec3().length()),
            };
            let rotation = motion.rotation_vector().as_dvec3();
            let arm = motion.pivot().map_or(DVec3::ZERO, |pivot| center - pivot.as_dvec3());
            // (A ball that turns about its centre does not move.)
            if size > 0.0 || arm != DVec3::ZERO {
                course.angle = rotation.length() as f32;
                course.axis = (rotation / rotation.length()).as_vec3().to_array();
                course.arm = arm.as_vec3().to_array();
                course.reach = ((arm.length() + size) * (1.0 + 1e-6)) as f32;
            }
        }
        let lengths = course.way.into_iter().chain(course.arm).chain([course.reach]);
        let largest = lengths.map(exponent).fold(0, u32::max);
        let outside = largest > *EXPONENTS.end() || !(course.angle <= MOST_ANGLE);
        course.exponent = if outside { OUTSIDE } else { largest };
        course
    }
}

/// When two moving bodies first touch, or come so near that rounding does not tell. What [`Engine::sweep`](crate::Engine::sweep) returns of each
/// pair.
///
/// ```
/// use tangency::{Bodies, Engine, query::Motion, shape::Sphere};
///
/// let mut bodies = Bodies::new();
/// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([6.0, 0.0, 0.0], 1.0)?])?;
/// let motions = [Motion::translation([8.0, 0.0, 0.0])?, Motion::REST];
/// let hits = Engine::new()?.sweep(&bodies, &motions).run()?;
/// let hit = hits.get(0, 1).expect("they meet half way");
/// assert!(hit.from() <= 0.5 && hit.from() > 0.499_99 && hit.to() == hit.from());
/// assert!((hit.normal() - tangency::glam::Vec3::X).length() < 1e-6);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[repr(C)]
pub struct SweepHit {
    normal: [f32; 3],
    /// The time as a sum of two numbers.
    time: f32,
    rest: f32,
    state: u32,
    b: u32,
    /// Moments that were looked at, as long as more are to be.
    rounds: u32,
}

/// They touch at the time; they do so then or later, if at all; they do not; the host must say; more moments must be looked at.
const MEETS: u32 = 0;
const MAY_MEET: u32 = 1;
pub(crate) const MISSES: u32 = 2;
#[cfg(feature = "gpu")]
const OPEN: u32 = 3;
const PENDING: u32 = 4;

impl SweepHit {
    /// The earliest time, from 0 to 1: before it the bodies do not touch, for certain.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, query::Motion, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?; 2])?; // in each other
    /// let hits = Engine::new()?.sweep(&bodies, &[Motion::REST; 2]).run()?;
    /// assert_eq!(hits.hits()[0].from(), 0.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn from(&self) -> f64 {
        f64::from(self.time) + f64::from(self.rest)
    }

    /// The latest time: at it the bodies touch, or are apart by no more than the [tolerance](crate::Engine::sweep). 1 if the search was cut short,
    /// which a turn that grazes another body can do: then they may also pass each other.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, query::Motion, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([6.0, 0.0, 0.0], 1.0)?])?;
    /// let motions = [Motion::translation([8.0, 0.0, 0.0])?, Motion::REST];
    /// let hits = Engine::new()?.sweep(&bodies, &motions).run()?;
    /// assert_eq!(hits.hits()[0].to(), hits.hits()[0].from());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn to(&self) -> f64 {
        if self.state == MAY_MEET { 1.0 } else { self.from() }
    }

    /// From the first body to the second at that time, a unit vector; 0 if they are in each other from the start.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, query::Motion, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([0.0, 6.0, 0.0], 1.0)?])?;
    /// let motions = [Motion::translation([0.0, 8.0, 0.0])?, Motion::REST];
    /// let hits = Engine::new()?.sweep(&bodies, &motions).run()?;
    /// assert!(hits.hits()[0].normal().y > 0.999);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn normal(&self) -> Vec3 {
        self.normal.into()
    }

    pub(crate) fn b(&self) -> u32 {
        self.b
    }

    /// Of body `b`.
    pub(crate) fn with_b(self, b: u32) -> Self {
        Self { b, ..self }
    }

    pub(crate) fn is_miss(&self) -> bool {
        self.state == MISSES
    }

    /// For searches at some moments to compute.
    pub(crate) fn pending() -> Self {
        Self { state: PENDING, ..Self::default() }
    }

    pub(crate) fn is_pending(&self) -> bool {
        self.state == PENDING
    }

    fn new(normal: Vec3, time: Double, state: u32) -> Self {
        Self { normal: normal.into(), time: time.high, rest: time.low, state, b: 0, rounds: 0 }
    }

    const MISS: Self = Self { normal: [0.0; 3], time: 0.0, rest: 0.0, state: MISSES, b: 0, rounds: 0 };
}

#[cfg(feature = "gpu")]
impl SweepHit {
    /// For the host to compute.
    pub(crate) fn open() -> Self {
        Self { state: OPEN, ..Self::default() }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.state == OPEN
    }
}

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
    is_box: bool,
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
            half: if precise.is_box { half } else { [0.0; 3] },
            radius: if precise.is_box { 0.0 } else { half[0] },
            is_box: precise.is_box,
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

/// Two bodies at a time.
struct Moment {
    pair: Pair,
    axes: [Vec3; 6],
    are_boxes: [bool; 2],
}

impl Moment {
    fn is_of_box(&self, generator: usize) -> bool {
        self.are_boxes[generator / 3]
    }

    /// The axis of a body that is nearest to a direction, or the direction itself if it is a ball.
    fn nearest_axis(&self, body: usize, direction: Vec3) -> Vec3 {
        let (mut nearest, mut largest) = (direction, 0.0);
        if self.are_boxes[body] {
            for axis in &self.axes[3 * body..3 * body + 3] {
                let along = dot3(*axis, direction);
                if abs(along) > largest {
                    (nearest, largest) = (if along < 0.0 { neg3(*axis) } else { *axis }, abs(along));
                }
            }
        }
        nearest
    }

    /// The generators that are nearly at right angles to a difference, a bit for each.
    fn nearly_across(&self, direction: Vec3) -> u32 {
        let least = max(mul(NEARLY, dot3(direction, direction)), mul(self.pair.error, self.pair.error));
        let is_one = |k: &usize| {
            let along = dot3(direction, self.axes[*k]);
            self.is_of_box(*k) && mul(along, along) < least
        };
        (0..6).filter(is_one).fold(0, |found, k| found | 1 << k)
    }

    /// A direction at right angles to those two of these generators that are furthest from parallel, and on the side of another; 0 if there are
    /// no two.
    fn across(&self, generators: u32, side: Vec3) -> Vec3 {
        let (mut found, mut largest) = (Vec3::ZERO, 0.0);
        for i in 0..5 {
            for j in i + 1..6 {
                if generators >> i & generators >> j & 1 == 0 {
                    continue;
                }
                let normal = cross3(self.axes[i], self.axes[j]);
                let square = dot3(normal, normal);
                if square > largest {
                    (found, largest) = (normal, square);
                }
            }
        }
        if dot3(found, side) < 0.0 { neg3(found) } else { found }
    }

    /// The best direction: how far all differences are along it, and it. Besides, a length that the distance of the cores is at most.
    fn best(&self) -> (f32, Vec3, f32) {
        let pair = &self.pair;
        let far = exponent(pair.t.x).max(exponent(pair.t.y)).max(exponent(pair.t.z)) > APART;
        if far {
            let direction = scaled(pair.t);
            return (pair.at_least(direction), direction, f32::MAX);
        }
        let found = search(pair, [-1.0, f32::MAX]);
        let at_most = pair.at_most(&found.shares);
        let mut way = pair.t;
        for (generator, share) in pair.generators.iter().zip(found.shares) {
            way = add3(way, scale3(*generator, share));
        }
        let towards = if found.direction == Vec3::ZERO { way } else { found.direction };
        if towards == Vec3::ZERO || found.simplex.count == 4 {
            return (0.0, Vec3::ZERO, at_most);
        }
        let free = found.simplex.free() | self.nearly_across(towards);
        let axes = [0, 1].map(|body| self.nearest_axis(body, towards));
        let without = |k: usize| sub3(way, scale3(self.axes[k], dot3(way, self.axes[k])));
        let edges = (0..6).filter(|k| free >> k & 1 == 1).map(without);
        let mut best = (0.0, Vec3::ZERO);
        for direction in [towards, axes[0], axes[1], self.across(free, towards)].into_iter().chain(edges) {
            if direction != Vec3::ZERO {
                let direction = scaled(direction);
                let height = pair.at_least(direction);
                if height > best.0 {
                    best = (height, direction);
                }
            }
        }
        (best.0, best.1, at_most)
    }
}

/// The square of the cosine below which an axis is nearly at right angles to a direction.
const NEARLY: f32 = 1.0 / (1 << 14) as f32;

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
        let furthest = a.1.exponent.max(b.1.exponent);
        if !within || a.0.reach().max(b.0.reach()) > size + REACH || furthest > size + FURTHEST {
            return None;
        }
        let scale = f32::from_bits((254 - size) << 23);
        let (first, second) = (Moving::of(a.0, a.1, scale), Moving::of(b.0, b.1, scale));
        let start = [0, 1, 2].map(|k| sub_double(second.center[k], first.center[k]));
        let way = [0, 1, 2].map(|k| two_sum(second.way[k], neg(first.way[k])));
        let velocity = Vec3::from(way.map(|x| x.high));
        let lengths = |moving: &Moving| add(sum_of(Vec3::from(moving.half)), moving.radius);
        let sizes = add(lengths(&first), lengths(&second));
        let error = add(mul(add(ERROR, ERROR), sizes), add(first.error(), second.error()));
        let radii = add(first.radius, second.radius);
        let turns = add(mul(first.angle, first.reach), mul(second.angle, second.reach));
        let slack = mul(MORE, add(sum_of(velocity), turns));
        Some(Self { first, second, start, way, velocity, radii, error, slack })
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

/// Two boxes that do not turn. The axes along which they can be apart are always the same, so that the time at which the last of them stops parting
/// them is that of the contact.
struct Straight<'a> {
    both: &'a Both,
    /// The cosines of the axes of A with those of B.
    cosines: [[f32; 3]; 3],
}

/// The axis that parts two boxes longest: the gap along it, the speed at which it closes, and it.
#[derive(Clone, Copy)]
struct Last {
    gap: f32,
    closing: f32,
    /// 0–2 are axes of A, 3–5 those of B, 6 + 3 i + j products of edges.
    axis: usize,
    backwards: bool,
}

/// What the axes say at a moment.
enum Seen {
    /// The boxes stay apart.
    Never,
    /// They are apart until the gap has closed.
    Until(Last),
    /// They touch.
    Now,
    /// Single words do not tell.
    Unsure,
}

/// Edges of which the square of the sine is less are nearly parallel.
const PARALLEL: f32 = 0.25;

impl<'a> Straight<'a> {
    fn new(both: &'a Both) -> Self {
        let cosines = both.first.axes.map(|a| both.second.axes.map(|b| dot3(a, b)));
        Self { both, cosines }
    }

    /// Along all axes, from one centre to the other.
    fn seen(&self, t: Vec3, left: f32) -> Seen {
        let Both { first, second, velocity, slack, .. } = self.both;
        let error = self.both.error_at(t);
        let along = |axes: [Vec3; 3], v: Vec3| axes.map(|axis| dot3(axis, v));
        let (t_a, v_a) = (along(first.axes, t), along(first.axes, *velocity));
        let (t_b, v_b) = (along(second.axes, t), along(second.axes, *velocity));
        let (half_a, half_b, r) = (first.half, second.half, &self.cosines);
        let (mut last, mut never, mut unsure): (Option<Last>, bool, bool) = (None, false, false);
        let mut look = |axis: usize, offset: f32, speed: f32, reach: f32, is_rough: bool| {
            let backwards = offset < 0.0;
            let whole = sub(abs(offset), reach);
            let gap = sub(whole, error);
            unsure |= is_rough && whole > neg(add(error, error));
            if gap > error {
                let closing = add(if backwards { speed } else { neg(speed) }, *slack);
                never |= mul(closing, left) < gap;
                if last.is_none_or(|last| mul(gap, last.closing) > mul(last.gap, closing)) {
                    last = Some(Last { gap, closing, axis, backwards });
                }
            }
        };
        for k in 0..3 {
            let [x, y, z] = [0, 1, 2].map(|j| mul(half_b[j], abs(r[k][j])));
            look(k, t_a[k], v_a[k], add(half_a[k], add(add(x, y), z)), false);
        }
        for k in 0..3 {
            let [x, y, z] = [0, 1, 2].map(|i| mul(half_a[i], abs(r[i][k])));
            look(3 + k, t_b[k], v_b[k], add(half_b[k], add(add(x, y), z)), false);
        }
        for i in 0..3 {
            for j in 0..3 {
                let ([i1, i2], [j1, j2]) = ([(i + 1) % 3, (i + 2) % 3], [(j + 1) % 3, (j + 2) % 3]);
                let offset = sub(mul(t_a[i2], r[i1][j]), mul(t_a[i1], r[i2][j]));
                let speed = sub(mul(v_a[i2], r[i1][j]), mul(v_a[i1], r[i2][j]));
                let reach_a = add(mul(half_a[i1], abs(r[i2][j])), mul(half_a[i2], abs(r[i1][j])));
                let reach_b = add(mul(half_b[j1], abs(r[i][j2])), mul(half_b[j2], abs(r[i][j1])));
                let sine_squared = add(mul(r[i1][j], r[i1][j]), mul(r[i2][j], r[i2][j]));
                look(6 + 3 * i + j, offset, speed, add(reach_a, reach_b), sine_squared < PARALLEL);
            }
        }
        match last {
            _ if never => Seen::Never,
            Some(last) => Seen::Until(last),
            None if unsure => Seen::Unsure,
            None => Seen::Now,
        }
    }

    /// The unit vector along an axis, from A to B.
    fn normal(&self, last: Last) -> Vec3 {
        let (a, b) = (&self.both.first.axes, &self.both.second.axes);
        let normal = match last.axis {
            k @ 0..3 => a[k],
            k @ 3..6 => b[k - 3],
            k => {
                let product = cross3(a[(k - 6) / 3], b[(k - 6) % 3]);
                scale3(product, rsqrt(dot3(product, product)))
            }
        };
        if last.backwards { neg3(normal) } else { normal }
    }

    fn sweep(&self) -> Option<SweepHit> {
        let (mut time, mut normal) = (single(0.0), Vec3::ZERO);
        for _ in 0..STRAIGHT_ROUNDS {
            match self.seen(self.both.between(time, Vec3::ZERO), remaining(time)) {
                Seen::Never => return Some(SweepHit::MISS),
                Seen::Now => return Some(SweepHit::new(normal, time, MEETS)),
                Seen::Unsure => return None,
                Seen::Until(last) => {
                    normal = self.normal(last);
                    time = add_double(time, single(mul(div(last.gap, last.closing), LESS)));
                }
            }
        }
        None
    }
}

/// The most moments at which the axes of boxes that do not turn are looked at.
const STRAIGHT_ROUNDS: usize = 16;

/// When two boxes that do not turn first touch. The first `None` is outside the domain; the second for other bodies, and where axes in single words
/// do not tell: then [`sweep_any`] does.
pub(crate) fn sweep_straight(a: (&Frame, &Course), b: (&Frame, &Course)) -> Option<Option<SweepHit>> {
    let both = Both::of(a, b)?;
    let straight = both.first.is_box && both.second.is_box && !both.first.turns() && !both.second.turns();
    Some(if straight { Straight::new(&both).sweep() } else { None })
}

/// When two moving bodies first touch, by searches at some more moments; pending if these do not tell, and `None` outside the domain.
pub(crate) fn sweep_any(a: (&Frame, &Course), b: (&Frame, &Course), before: SweepHit) -> Option<SweepHit> {
    let both = Both::of(a, b)?;
    let Both { first, second, velocity, radii, slack, .. } = &both;
    let mut time = Double { high: before.time, low: before.rest };
    let mut normal = before.normal();
    for _ in 0..MOMENTS {
        let ((axes_a, shift_a), (axes_b, shift_b)) = (first.at(time.high), second.at(time.high));
        let t = both.between(time, sub3(shift_b, shift_a));
        let [x, y, z] = axes_a;
        let [p, q, r] = axes_b;
        let axes = [x, y, z, p, q, r];
        let half = [first.half[0], first.half[1], first.half[2], second.half[0], second.half[1], second.half[2]];
        let mut generators = axes;
        for (generator, half) in generators.iter_mut().zip(half) {
            *generator = scale3(*generator, half);
        }
        let error = both.error_at(t);
        let pair = Pair { t, generators, radii: [first.radius, second.radius], reach: *radii, error };
        let moment = Moment { pair, axes, are_boxes: [first.is_box, second.is_box] };
        let (height, direction, at_most) = moment.best();
        if direction != Vec3::ZERO {
            normal = scale3(direction, rsqrt(dot3(direction, direction)));
        }
        let gap = sub(sub(height, *radii), error);
        if !(gap > error) {
            let four = mul(4.0, error);
            return Some(SweepHit::new(normal, time, if sub(at_most, *radii) > four { MAY_MEET } else { MEETS }));
        }
        let turning = add(first.speed_of_turn(normal), second.speed_of_turn(normal));
        let closing = add(add(neg(dot3(*velocity, normal)), turning), *slack);
        if mul(closing, remaining(time)) < gap {
            return Some(SweepHit::MISS);
        }
        time = add_double(time, single(mul(div(gap, closing), LESS)));
    }
    let rounds = before.rounds + MOMENTS;
    let pending = SweepHit { rounds, ..SweepHit::new(normal, time, PENDING) };
    Some(if rounds < ROUNDS { pending } else { SweepHit::new(normal, time, MAY_MEET) })
}

/// When two moving bodies first touch; `None` outside the domain. A pair that does not is a [miss](SweepHit::is_miss).
pub(crate) fn sweep(a: (&Frame, &Course), b: (&Frame, &Course)) -> Option<SweepHit> {
    let mut hit = sweep_straight(a, b)?.unwrap_or_else(SweepHit::pending);
    while hit.is_pending() {
        hit = sweep_any(a, b, hit)?;
    }
    Some(hit)
}

/// In deterministic arithmetic or, outside its domain, in `f64`.
pub(crate) fn sweep_or_scalar(
    a: (&Frame, &Course, &BodyShape, &Motion),
    b: (&Frame, &Course, &BodyShape, &Motion),
) -> SweepHit {
    sweep((a.0, a.1), (b.0, b.1)).unwrap_or_else(|| {
        let found = scalar_sweep(&Shape::from(*a.2), a.3, &Shape::from(*b.2), b.3);
        let Ok(Some(Impact { time, normal, converged, .. })) = found else { return SweepHit::MISS };
        let high = time as f32;
        let mut low = (time - f64::from(high)) as f32;
        if f64::from(high) + f64::from(low) > time {
            low = low.next_down();
        }
        SweepHit::new(normal, Double { high, low }, if converged { MEETS } else { MAY_MEET })
    })
}
