//! Bodies of any kind, by searches at some moments.

use glam::Vec3;

use super::super::precise::scaled;
use super::super::search::search;
use super::super::{APART, Pair, exponent};
use super::hit::{MAY_MEET, MEETS, SweepHit};
use super::{Both, Course, LESS, remaining, single};
use crate::det::{
    Double, abs, add, add_double, add3, cross3, div, dot3, max, mul, neg, neg3, rsqrt, scale3, sub, sub3,
};
use crate::manifold::Frame;

/// The most moments that are looked at, and how many in one turn. (With all of them in one turn llvmpipe left pairs out: a
/// turn is to have less than 65,536 rounds of all loops of a thread.)
pub(super) const ROUNDS: u32 = 128;
pub(super) const MOMENTS: u32 = 4;
/// How many turns that takes.
#[cfg(feature = "gpu")]
pub(crate) const SWEEP_TURNS: u32 = ROUNDS / MOMENTS;

/// The square of the cosine below which an axis is nearly at right angles to a direction.
const NEARLY: f32 = 1.0 / (1 << 14) as f32;

/// Two bodies at a time.
struct Moment {
    pair: Pair,
    axes: [Vec3; 6],
    /// How many axes each body has.
    extents: [usize; 2],
}

impl Moment {
    fn has_axis(&self, generator: usize) -> bool {
        generator % 3 < self.extents[generator / 3]
    }

    /// The axis of a body that is nearest to a direction; 0 if it is a ball.
    fn nearest_axis(&self, body: usize, direction: Vec3) -> Vec3 {
        let (mut nearest, mut largest) = (Vec3::ZERO, 0.0);
        for axis in &self.axes[3 * body..][..self.extents[body]] {
            let along = dot3(*axis, direction);
            if abs(along) > largest {
                (nearest, largest) = (if along < 0.0 { neg3(*axis) } else { *axis }, abs(along));
            }
        }
        nearest
    }

    /// The generators that are nearly at right angles to a difference, a bit for each.
    fn nearly_across(&self, direction: Vec3) -> u32 {
        let least = max(mul(NEARLY, dot3(direction, direction)), mul(self.pair.error, self.pair.error));
        let is_one = |k: &usize| {
            let along = dot3(direction, self.axes[*k]);
            self.has_axis(*k) && mul(along, along) < least
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
        if towards == Vec3::ZERO || found.is_inside {
            return (0.0, Vec3::ZERO, at_most);
        }
        let free = found.free | self.nearly_across(towards);
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

/// What a look at a moment says: that this is the end, or until when the bodies are apart.
pub(super) enum Step {
    Ends(SweepHit),
    Goes(Double),
}

/// From how far all differences are along a normal, at most how far the cores are apart, and what is wrong with both.
pub(super) fn step(both: &Both, time: Double, normal: Vec3, [height, at_most, error]: [f32; 3]) -> Step {
    let Both { first, second, velocity, radii, slack, .. } = both;
    let gap = sub(sub(height, *radii), error);
    if !(gap > error) {
        let four = mul(4.0, error);
        let state = if sub(at_most, *radii) > four { MAY_MEET } else { MEETS };
        return Step::Ends(SweepHit::new(normal, time, state));
    }
    let turning = add(first.speed_of_turn(normal), second.speed_of_turn(normal));
    let closing = add(add(neg(dot3(*velocity, normal)), turning), *slack);
    if mul(closing, remaining(time)) < gap {
        return Step::Ends(SweepHit::MISS);
    }
    Step::Goes(add_double(time, single(mul(div(gap, closing), LESS))))
}

/// When two moving bodies first touch, by searches at some more moments; pending if these do not tell, and `None` outside the domain.
pub(crate) fn sweep_any(a: (&Frame, &Course), b: (&Frame, &Course), before: SweepHit) -> Option<SweepHit> {
    let both = Both::of(a, b)?;
    let Both { first, second, radii, .. } = &both;
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
        let moment = Moment { pair, axes, extents: [first.extents, second.extents] };
        let (height, direction, at_most) = moment.best();
        if direction != Vec3::ZERO {
            normal = scale3(direction, rsqrt(dot3(direction, direction)));
        }
        match step(&both, time, normal, [height, at_most, error]) {
            Step::Ends(hit) => return Some(hit),
            Step::Goes(on) => time = on,
        }
    }
    let rounds = before.rounds + MOMENTS;
    let ended = SweepHit::new(normal, time, MAY_MEET);
    Some(if rounds < ROUNDS { ended.continued_after(rounds) } else { ended })
}
