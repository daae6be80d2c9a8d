//! Boxes that do not turn.

use glam::Vec3;

use super::hit::{MEETS, SweepHit};
use super::{Both, Course, LESS, remaining, single};
use crate::det::{abs, add, add_double, cross3, div, dot3, mul, neg, neg3, rsqrt, scale3, sub};
use crate::manifold::Frame;

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

/// A look along some axes at a moment.
struct Look {
    error: f32,
    slack: f32,
    /// More than the time that is left.
    left: f32,
    /// The axis that parts the boxes longest so far.
    last: Option<Last>,
    /// Whether one parts them until the end.
    never: bool,
    /// Whether the boxes may be apart along edges that are nearly parallel.
    unsure: bool,
}

impl Look {
    /// The offset of the centres along an axis, the speed at which it changes, and how far both boxes reach.
    fn along(&mut self, axis: usize, offset: f32, speed: f32, reach: f32, is_rough: bool) {
        let backwards = offset < 0.0;
        let whole = sub(abs(offset), reach);
        let gap = sub(whole, self.error);
        self.unsure |= is_rough && whole > neg(add(self.error, self.error));
        if gap > self.error {
            let closing = add(if backwards { speed } else { neg(speed) }, self.slack);
            self.never |= mul(closing, self.left) < gap;
            if self.last.is_none_or(|last| mul(gap, last.closing) > mul(last.gap, closing)) {
                self.last = Some(Last { gap, closing, axis, backwards });
            }
        }
    }
}

impl<'a> Straight<'a> {
    fn new(both: &'a Both) -> Self {
        let cosines = both.first.axes.map(|a| both.second.axes.map(|b| dot3(a, b)));
        Self { both, cosines }
    }

    /// Along all axes, from one centre to the other.
    fn seen(&self, t: Vec3, left: f32) -> Seen {
        let Both { first, second, velocity, slack, .. } = self.both;
        let along = |axes: [Vec3; 3], v: Vec3| axes.map(|axis| dot3(axis, v));
        let (t_a, v_a) = (along(first.axes, t), along(first.axes, *velocity));
        let (t_b, v_b) = (along(second.axes, t), along(second.axes, *velocity));
        let (half_a, half_b, r) = (first.half, second.half, &self.cosines);
        let error = self.both.error_at(t);
        let mut look = Look { error, slack: *slack, left, last: None, never: false, unsure: false };
        for k in 0..3 {
            let [x, y, z] = [0, 1, 2].map(|j| mul(half_b[j], abs(r[k][j])));
            look.along(k, t_a[k], v_a[k], add(half_a[k], add(add(x, y), z)), false);
        }
        for k in 0..3 {
            let [x, y, z] = [0, 1, 2].map(|i| mul(half_a[i], abs(r[i][k])));
            look.along(3 + k, t_b[k], v_b[k], add(half_b[k], add(add(x, y), z)), false);
        }
        if look.never {
            return Seen::Never;
        }
        for i in 0..3 {
            for j in 0..3 {
                let ([i1, i2], [j1, j2]) = ([(i + 1) % 3, (i + 2) % 3], [(j + 1) % 3, (j + 2) % 3]);
                let offset = sub(mul(t_a[i2], r[i1][j]), mul(t_a[i1], r[i2][j]));
                let speed = sub(mul(v_a[i2], r[i1][j]), mul(v_a[i1], r[i2][j]));
                let reach_a = add(mul(half_a[i1], abs(r[i2][j])), mul(half_a[i2], abs(r[i1][j])));
                let reach_b = add(mul(half_b[j1], abs(r[i][j2])), mul(half_b[j2], abs(r[i][j1])));
                let sine_squared = add(mul(r[i1][j], r[i1][j]), mul(r[i2][j], r[i2][j]));
                look.along(6 + 3 * i + j, offset, speed, add(reach_a, reach_b), sine_squared < PARALLEL);
            }
        }
        match look.last {
            _ if look.never => Seen::Never,
            Some(last) => Seen::Until(last),
            None if look.unsure => Seen::Unsure,
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

    fn sweep(&self) -> SweepHit {
        let (mut time, mut normal) = (single(0.0), Vec3::ZERO);
        for _ in 0..STRAIGHT_ROUNDS {
            match self.seen(self.both.between(time, Vec3::ZERO), remaining(time)) {
                Seen::Never => return SweepHit::MISS,
                Seen::Now => return SweepHit::new(normal, time, MEETS),
                Seen::Unsure => return SweepHit::pending(),
                Seen::Until(last) => {
                    normal = self.normal(last);
                    time = add_double(time, single(mul(div(last.gap, last.closing), LESS)));
                }
            }
        }
        SweepHit::pending()
    }
}

/// Whether an axis parts two boxes that do not turn from the start to the end: then [`sweep_straight`] finds that they miss each other.
#[cfg(feature = "gpu")]
pub(crate) fn pass_by(a: (&Frame, &Course), b: (&Frame, &Course)) -> bool {
    let Some(both) = Both::of(a, b).filter(Both::is_straight) else { return false };
    let start = single(0.0);
    matches!(Straight::new(&both).seen(both.between(start, Vec3::ZERO), remaining(start)), Seen::Never)
}

/// The most moments at which the axes of boxes that do not turn are looked at.
const STRAIGHT_ROUNDS: usize = 16;

/// When two boxes that do not turn first touch; `None` outside the domain. Pending for other bodies, and where axes in single words do not tell: then
/// [`sweep_any`] does.
pub(crate) fn sweep_straight(a: (&Frame, &Course), b: (&Frame, &Course)) -> Option<SweepHit> {
    let both = Both::of(a, b)?;
    Some(if both.is_straight() { Straight::new(&both).sweep() } else { SweepHit::pending() })
}
