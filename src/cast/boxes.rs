//! Boxes in double words.

use super::{
    EXPONENTS, GROWTH, LAST, LENGTHS, Meeting, Shot, Verdict, abs_double, choose, difference, exponent, plus, power,
    recip_double, scaled, single, sum3, unscaled, unscaled_by,
};
use crate::det::{Double, abs, add_double, max, min, mul, mul_double, neg_double, sub_double};
use crate::lanes::{Number, Truth};
use crate::manifold::{turned_axes, turned_axes_of_many};
use crate::shape::kinds::{Kind, Record};

/// The errors of the tests of boxes: of how far a face is beyond the end of the ray, and of the axes between two pairs of faces.
/// Offsets of faces and rates have errors of at most 2⁻³⁹ and 2⁻⁴¹, and are at most 6 and 4.
const FACE_ERROR: f32 = 1.0 / (1_u64 << 35) as f32;
const EDGE_ERROR: f32 = 1.0 / (1_u64 << 33) as f32;
/// The relative error of the end of a ray along an axis, where all else is exact, and what products below 2⁻⁵⁰ lose.
const END_ERROR: f32 = 1.0 / (1_u64 << 40) as f32;
const LEAST_END_ERROR: f32 = 1.0 / (1_u128 << 90) as f32;
/// The bits of a number that hold its exponent.
const EXPONENT: u32 = 0x7f80_0000;
/// The least rate along an axis that a time is computed from.
const LEAST_RATE: f32 = 1.0 / (1_u64 << 36) as f32;

/// A pair of faces: the offsets of both from the origin along their axis, and what the ray moves along that in a unit of time.
#[derive(Clone, Copy)]
struct Slab<T = f32> {
    low: Double<T>,
    high: Double<T>,
    rate: Double<T>,
    /// Whether the origin is certainly not below the lower face, or above the upper one: known exactly, of axis-aligned boxes.
    above_low: bool,
    below_high: bool,
}

fn larger(a: u32, x: f32) -> u32 {
    a.max(exponent(x))
}

/// A box as a ray sees it: its pairs of faces, whether offsets and rates have no errors, and the exponent of what it was scaled by.
struct Seen {
    slabs: [Slab; 3],
    exact: bool,
    size: u32,
}

impl Seen {
    fn of(shot: &Shot, kind: Kind, record: &Record) -> Option<Self> {
        if kind == Kind::Aabb { of_aabb(shot, record) } else { of_obb(shot, record) }
    }

    fn time(&self, shot: &Shot) -> f32 {
        let mut time = 0.0;
        for slab in &self.slabs {
            time = max(time, entry(slab, self.exact));
        }
        unscaled(shot, time, self.size)
    }
}

pub(super) fn meeting(shot: &Shot, kind: Kind, record: &Record) -> Option<Meeting> {
    let seen = Seen::of(shot, kind, record)?;
    Some(Meeting { verdict: verdict(shot, &seen), time: seen.time(shot) })
}

/// When the ray enters a box that it meets.
pub(super) fn time(shot: &Shot, kind: Kind, record: &Record) -> Option<f32> {
    Some(Seen::of(shot, kind, record)?.time(shot))
}

fn of_aabb(shot: &Shot, record: &Record) -> Option<Seen> {
    let origin = shot.ray.origin().to_array();
    let low = [0, 1, 2].map(|k| difference(record[k], origin[k]));
    let high = [0, 1, 2].map(|k| difference(record[3 + k], origin[k]));
    let size = (0..3).fold(0, |size, k| larger(larger(size, low[k].high), high[k].high));
    if !EXPONENTS.contains(&size) {
        return None;
    }
    let scale = power(254 - size);
    let slabs = [0, 1, 2].map(|k| Slab {
        low: scaled(low[k], scale),
        high: scaled(high[k], scale),
        rate: single(shot.direction[k]),
        above_low: low[k].high <= 0.0,
        below_high: high[k].high >= 0.0,
    });
    Some(Seen { slabs, exact: true, size })
}

fn of_obb(shot: &Shot, record: &Record) -> Option<Seen> {
    let origin = shot.ray.origin().to_array();
    let t = [0, 1, 2].map(|k| difference(record[k], origin[k]));
    let size = (0..3).fold(0, |size, k| larger(larger(size, t[k].high), record[3 + k]));
    let axes = turned_axes([record[6], record[7], record[8], record[9]])?;
    if !EXPONENTS.contains(&size) {
        return None;
    }
    let scale = power(254 - size);
    let t = t.map(|x| scaled(x, scale));
    let half = |i: usize| mul(record[3 + i], scale);
    let slabs = [0, 1, 2].map(|i| turned_slab(&axes[i], &t, half(i), &shot.direction));
    Some(Seen { slabs, exact: false, size })
}

/// The pair of faces across an axis, from the way to the centre of the box and its half extent, both scaled.
#[inline(always)]
fn turned_slab<T: Number>(axis: &[Double<T>; 3], t: &[Double<T>; 3], half: T, direction: &[T; 3]) -> Slab<T> {
    let [x, y, z] = *axis;
    let [along_x, along_y, along_z] = [single(direction[0]), single(direction[1]), single(direction[2])];
    let place = sum3(mul_double(x, t[0]), mul_double(y, t[1]), mul_double(z, t[2]));
    let rate = sum3(mul_double(x, along_x), mul_double(y, along_y), mul_double(z, along_z));
    let (low, high) = (sub_double(place, single(half)), add_double(place, single(half)));
    Slab { low, high, rate, above_low: false, below_high: false }
}

/// Rays and oriented boxes that they meet, side by side.
pub(crate) struct RaysAndBoxes<T> {
    pub origin: [T; 3],
    /// Scaled, and the last time in units of that, as [`Shot`] has them; of shots in the domain.
    pub direction: [T; 3],
    pub last: T,
    /// The records of the boxes.
    pub records: [T; 10],
}

/// The largest of three magnitudes.
#[inline(always)]
fn largest_of<T: Number>([x, y, z]: [T; 3]) -> T {
    x.magnitude().greater(y.magnitude()).greater(z.magnitude())
}

/// Whether three numbers are coordinates or lengths in the domain.
#[inline(always)]
fn are_lengths<T: Number>([x, y, z]: [T; 3]) -> T::Truth {
    is_length(x).and(is_length(y)).and(is_length(z))
}

#[inline(always)]
fn is_length<T: Number>(x: T) -> T::Truth {
    let (x, least, beyond) = (x.magnitude(), power(*LENGTHS.start()), power(LENGTHS.end() + 1));
    x.equals(T::splat(0.0)).or(T::splat(least).at_most(x).and(x.below(T::splat(beyond))))
}

/// When rays enter oriented boxes, as [`entry`](super::entry) has it, several side by side; and a bit for each pair in the domain of this arithmetic.
#[inline(always)]
pub(crate) fn entries_into_boxes<T: Number>(pairs: &RaysAndBoxes<T>) -> (T, u32) {
    let RaysAndBoxes { origin, direction, last, records: [a, b, c, d, e, f, turn @ ..] } = *pairs;
    let (zero, one) = (T::splat(0.0), T::splat(1.0));
    let inside = are_lengths([a, b, c]).and(are_lengths([d, e, f]));
    // (What is outside the domain is computed with other numbers.)
    let t = [
        difference(T::choose(inside, a, zero), origin[0]),
        difference(T::choose(inside, b, zero), origin[1]),
        difference(T::choose(inside, c, zero), origin[2]),
    ];
    let half = [T::choose(inside, d, one), T::choose(inside, e, one), T::choose(inside, f, one)];
    let largest = largest_of([t[0].high, t[1].high, t[2].high]).greater(largest_of(half));
    let size = largest.masked(EXPONENT);
    let inside = inside.and(T::splat(power(*EXPONENTS.start())).at_most(size));
    let inside = inside.and(size.at_most(T::splat(power(*EXPONENTS.end()))));
    let size = T::choose(inside, size, one);
    let (axes, are_axes) = turned_axes_of_many(turn);
    let scale = T::from_guess(254 << 23, size, 0);
    let t = [scaled(t[0], scale), scaled(t[1], scale), scaled(t[2], scale)];
    let mut time = zero;
    for i in 0..3 {
        time = max(time, entry(&turned_slab(&axes[i], &t, mul(half[i], scale), &direction), false));
    }
    (unscaled_by(time, size, last), inside.and(are_axes).bits())
}

fn verdict(shot: &Shot, &Seen { ref slabs, exact, size }: &Seen) -> Verdict {
    let last = min(mul(shot.last, power(254 - size)), LAST);
    let (mut missed, mut met) = (false, true);
    for slab in slabs {
        let (miss, meet) = face(slab, exact, last);
        (missed, met) = (missed || miss, met && meet);
    }
    for k in 0..3 {
        let (a, b) = (&slabs[k], &slabs[(k + 1) % 3]);
        // The faces say all about a ray that does not move along an axis.
        if !(exact && (a.rate.high == 0.0 || b.rate.high == 0.0)) {
            let gap = edge(a, b);
            (missed, met) = (missed || gap > EDGE_ERROR, met && gap < -EDGE_ERROR);
        }
    }
    if missed {
        Verdict::Miss
    } else if met {
        Verdict::Hit
    } else {
        Verdict::Open
    }
}

/// Whether the ray certainly stays on one side of a pair of faces, and whether it certainly does not.
fn face(slab: &Slab, exact: bool, last: f32) -> (bool, bool) {
    let zero = single(0.0);
    let end = mul_double(single(last), slab.rate);
    let error = if exact { plus(mul(abs(end.high), END_ERROR), LEAST_END_ERROR) } else { FACE_ERROR };
    let up = if end.high > 0.0 { end } else { zero };
    let down = if end.high > 0.0 { zero } else { end };
    let below = sub_double(slab.low, up).high;
    let above = sub_double(down, slab.high).high;
    let reaches_low = slab.above_low || below < -error;
    let reaches_high = slab.below_high || above < -error;
    (below > error || above > error, reaches_low && reaches_high)
}

/// How far apart the box and the line are along the axis that is across the line and across the edges between two pairs of faces.
fn edge(a: &Slab, b: &Slab) -> f32 {
    let (center_a, center_b) = (add_double(a.low, a.high), add_double(b.low, b.high));
    let (size_a, size_b) = (sub_double(a.high, a.low), sub_double(b.high, b.low));
    let cross = sub_double(mul_double(a.rate, center_b), mul_double(b.rate, center_a));
    let reach = add_double(mul_double(abs_double(a.rate), size_b), mul_double(abs_double(b.rate), size_a));
    sub_double(abs_double(cross), reach).high
}

/// When the ray passes the first of two faces, or 0 if it does not move along their axis.
#[inline(always)]
fn entry<T: Number>(slab: &Slab<T>, exact: bool) -> T {
    let (time, is_slow) = precise_entry(slab, exact);
    time.high.unless(is_slow)
}

/// When the ray passes the first of two faces, in double words, unless it does not move along their axis.
#[inline(always)]
fn precise_entry<T: Number>(slab: &Slab<T>, exact: bool) -> (Double<T>, T::Truth) {
    let (zero, rate) = (T::splat(0.0), abs_double(slab.rate));
    let is_slow = rate.high.below(T::splat(LEAST_RATE));
    let rate = choose(is_slow, single(T::splat(1.0)), rate);
    let near = choose(zero.below(slab.rate.high), slab.low, neg_double(slab.high));
    let near = if exact { near } else { sub_double(near, single(T::splat(GROWTH))) };
    (mul_double(near, recip_double(rate)), is_slow)
}

/// When the ray passes the first of the two faces across each axis of an oriented box, in double words; in units of what the box was scaled by, of which the
/// exponent is returned too.
#[cfg(test)]
pub(super) fn entries(shot: &Shot, record: &Record) -> Option<([Option<f64>; 3], u32)> {
    let seen = of_obb(shot, record)?;
    let entry = |slab: &Slab| {
        let (time, is_slow) = precise_entry(slab, false);
        (!is_slow).then(|| f64::from(time.high) + f64::from(time.low))
    };
    Some((seen.slabs.each_ref().map(entry), seen.size))
}
