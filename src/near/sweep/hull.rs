//! Moving bodies of which one is a hull, by searches at some moments.

use glam::Vec3;

use super::super::hull::{Body, Moment};
use super::super::precise::scaled;
use super::super::{APART, EXPONENTS, exponent};
use super::hit::{MAY_MEET, SweepHit};
use super::moments::{MOMENTS, ROUNDS, Step, step};
use super::{Both, Course};
use crate::det::{Double, dot3, mul, neg3, rsqrt, scale3, sub3};

/// When a hull and another body that is no half-space first touch, by searches at some more moments; pending if these do not tell, and `None` outside the
/// domain.
pub(crate) fn sweep_hull(a: (&Body<'_>, &Course), b: (&Body<'_>, &Course), before: SweepHit) -> Option<SweepHit> {
    let b_is_hull = b.0.frame.is_hull();
    let (other, hull) = if b_is_hull { (a, b) } else { (b, a) };
    let ((other_part, of_other), (hull_part, of_hull)) = (other.0.part()?, hull.0.part()?);
    let size = of_other.max(of_hull);
    if !EXPONENTS.contains(&size) {
        return None;
    }
    let corners = [hull.0.largest_sum, other.0.largest_sum];
    let both = Both::scaled((hull.0.frame, hull.1), (other.0.frame, other.1), size, corners)?;
    let mut time = Double { high: before.time, low: before.rest };
    // From the hull to the other body, here; from the first to the second outside.
    let outward = |normal: Vec3| if b_is_hull { neg3(normal) } else { normal };
    let mut normal = outward(before.normal());
    for _ in 0..MOMENTS {
        let ((hull_axes, hull_shift), (other_axes, other_shift)) =
            (both.first.at(time.high), both.second.at(time.high));
        let t = both.between(time, sub3(other_shift, hull_shift));
        let error = both.error_at(t);
        let moment = Moment::of([&other_part, &hull_part], [other_axes, hull_axes], t, (size, error));
        let (height, direction, at_most) = if exponent(t.x).max(exponent(t.y)).max(exponent(t.z)) > APART {
            let direction = scaled(t);
            (mul(moment.lowest(direction), rsqrt(dot3(direction, direction))), direction, f32::MAX)
        } else {
            moment.best()
        };
        if direction != Vec3::ZERO {
            normal = scale3(direction, rsqrt(dot3(direction, direction)));
        }
        match step(&both, time, normal, [height, at_most, error]) {
            Step::Ends(hit) => return Some(hit.with_normal(outward(hit.normal()))),
            Step::Goes(on) => time = on,
        }
    }
    let rounds = before.rounds + MOMENTS;
    let ended = SweepHit::new(outward(normal), time, MAY_MEET);
    Some(if rounds < ROUNDS { ended.continued_after(rounds) } else { ended })
}
