//! When a moving body first touches a half-space.
//!
//! There is one direction in which they can part, the normal. So time goes on by as much as the body is above the border, at the speed at which it
//! can come down.

use glam::{DVec3, Vec3};

use super::hit::{MAY_MEET, MEETS};
use super::{Course, FURTHEST, LESS, MORE, Moving, SweepHit, WAY, remaining, single, sum_of};
use crate::det::{
    Double, abs, add, add_double, clean, div, dot3, max, mul, mul_double, neg, neg3, sub, sub_double, two_sum,
};
use crate::manifold::{Frame, Over};
use crate::near::{ERROR, EXPONENTS};
use crate::query::Motion;
use crate::shape::Plane;

/// What is wrong with a height, as a share of all that it is computed from.
const HEIGHT_ERROR: f32 = 1.0 / (1_u64 << 40) as f32;
/// The most moments that are looked at.
const ROUNDS: usize = 64;

/// A body that moves over a half-space, scaled.
struct Fall {
    over: Over,
    body: Moving,
    /// How fast the centre rises.
    rate: Double,
    /// How fast the body can come down, and more.
    speed: f32,
    /// What is wrong with a height.
    error: f32,
}

impl Fall {
    /// `None` outside the domain, and for a half-space that turns.
    fn of(half_space: (&Frame, &Course), body: (&Frame, &Course)) -> Option<Self> {
        let size = body.0.exponent();
        let is_far = half_space.1.exponent.max(body.1.exponent) > size + FURTHEST;
        if half_space.1.angle != 0.0 || !body.0.has_size_in_domain() || !EXPONENTS.contains(&size) || is_far {
            return None;
        }
        let over = Over::of(half_space.0, body.0, size)?;
        let scale = f32::from_bits((254 - size) << 23);
        let moving = Moving::of(body.0, body.1, scale);
        let of_plane = half_space.1.way.map(|x| mul(clean(x), scale));
        let ways = [0, 1, 2].map(|k| two_sum(moving.way[k], neg(of_plane[k])));
        let (normal, _) = half_space.0.half_space()?;
        let [x, y, z] = [0, 1, 2].map(|k| mul_double(normal[k], ways[k]));
        let rate = add_double(add_double(x, y), z);
        let way = sum_of(Vec3::from(ways.map(|x| x.high)));
        let of_turn = moving.speed_of_turn(over.normal);
        let slack = mul(MORE, add(way, mul(moving.angle, moving.reach)));
        let lengths = add(over.sizes(), moving.radius);
        let rounded = add(mul(add(ERROR, ERROR), lengths), mul(HEIGHT_ERROR, add(over.far, way)));
        let error = add(add(rounded, moving.error()), mul(WAY, sum_of(Vec3::from(of_plane))));
        Some(Self { over, body: moving, rate, speed: add(add(max(neg(rate.high), 0.0), of_turn), slack), error })
    }

    /// How high the body is at a time.
    fn height(&self, time: Double) -> f32 {
        let risen = mul_double(self.rate, time);
        let radius = single(self.body.radius);
        if !self.body.turns() {
            return sub_double(add_double(self.over.lowest(), risen), radius).high;
        }
        let (axes, shift) = self.body.at(time.high);
        let n = self.over.normal;
        let center = add_double(add_double(self.over.height, risen), single(dot3(n, shift)));
        let reach = (0..self.body.extents)
            .fold(self.body.radius, |reach, k| add(reach, mul(abs(dot3(n, axes[k])), self.body.half[k])));
        sub_double(center, single(reach)).high
    }

    fn search(&self) -> Option<(Double, u32)> {
        let mut time = single(0.0);
        for _ in 0..ROUNDS {
            let gap = sub(self.height(time), self.error);
            if !(gap > self.error) {
                return Some((time, MEETS));
            }
            if gap > mul(self.speed, remaining(time)) {
                return None;
            }
            time = add_double(time, single(mul(div(gap, self.speed), LESS)));
            if !(time.high < 1.0) {
                time = single(1.0);
            }
        }
        Some((time, MAY_MEET))
    }
}

/// Of two bodies of which one is a half-space; `None` outside the domain.
pub(super) fn sweep(a: (&Frame, &Course), b: (&Frame, &Course)) -> Option<SweepHit> {
    let (fall, towards) = match (a.0.is_half_space(), b.0.is_half_space()) {
        (false, true) => (Fall::of(b, a)?, -1.0),
        (true, false) => (Fall::of(a, b)?, 1.0),
        _ => return None,
    };
    let normal = if towards < 0.0 { neg3(fall.over.normal) } else { fall.over.normal };
    Some(fall.search().map_or(SweepHit::MISS, |(time, state)| SweepHit::new(normal, time, state)))
}

/// Two half-spaces, which meet as soon as one of them turns: the time, and the normal of the first.
pub(super) fn sweep_two(a: (&Plane, &Motion), b: (&Plane, &Motion)) -> Option<(f64, Vec3)> {
    let [first, second] = [a.0, b.0].map(|plane| (plane.normal().as_dvec3(), f64::from(plane.offset())));
    let normal = first.0 / first.0.length();
    if a.1.turns() || b.1.turns() || crate::query::intersect(a.0, b.0).is_hit() {
        return Some((0.0, normal.as_vec3()));
    }
    // They are opposite.
    let gap = -(first.1 / first.0.length() + second.1 / second.0.length());
    let way: DVec3 = a.1.translation_vector().as_dvec3() - b.1.translation_vector().as_dvec3();
    let (closing, error) = (normal.dot(way), f64::from(HEIGHT_ERROR) * (first.1 / first.0.length()).abs());
    // (Before rounding could have let them meet.)
    let time = (gap - error).max(0.0) / closing * (1.0 - f64::from(HEIGHT_ERROR));
    (closing > 0.0 && time <= 1.0).then(|| (time, normal.as_vec3()))
}

/// The motion of a half-space that turns about nothing: about the point of its border that is nearest to the origin.
pub(super) fn about_its_foot(plane: &Plane, motion: &Motion) -> Motion {
    let normal = plane.normal().as_dvec3();
    let foot = crate::shape::check::saturate(normal * (f64::from(plane.offset()) / normal.length_squared()));
    if motion.turns() && motion.pivot().is_none() { motion.about(foot).unwrap_or(*motion) } else { *motion }
}
