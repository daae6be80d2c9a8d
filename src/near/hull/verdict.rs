//! What is certain of a hull and another body as slots have them, for the stages that decide pairs.

use glam::Vec3;

use super::{FINE, LOW, OF_HEIGHT_OVER, Pair, Part, cross_double, dot_doubles, search};
use crate::det::{
    Double, abs, add, add_double, clean, cross3, dot3, less_double, max, mul, mul_double, neg, neg3, recip, scale3,
    sub, sub_double, two_sum,
};
use crate::manifold::{rsqrt_double, turned_axes};
use crate::near::precise::{dot_double, scaled, single, square_double};
use crate::near::simplex::Simplex;
use crate::near::{EXPONENTS, Verdict, exponent};
use crate::shape::hull_record;
use crate::shape::kinds::Kind;

/// What six times a volume of three differences may be off by, as a share of the square of the largest coordinate: 18 times the error
/// of a coordinate, which is less than an eighth of that of a height, and 30 roundings of that coordinate, by up to 2 u each.
pub(crate) const OF_HEIGHT: f32 = 2.5;
pub(crate) const OF_VOLUME: f32 = 64.0 / (1 << 24) as f32;
/// The same in double words, with an error of a coordinate of 2⁻³⁶ and roundings of 2⁻⁴² of coordinates below 16: less than 2⁻³¹, or four times that.
pub(crate) const FINE_VOLUME: f32 = 1.0 / (1_u64 << 28) as f32;
/// More than what rounding takes off the sum of a radius and margins, as a share of it: 5 roundings, by up to 2 u each.
pub(crate) const OF_REACH: f32 = 1.0 / (1 << 20) as f32;

/// The largest exponent of three numbers.
fn largest_of(v: [f32; 3]) -> u32 {
    v.into_iter().map(exponent).fold(0, u32::max)
}

impl Part<'_> {
    /// The exponent of its largest length.
    fn exponent(&self) -> u32 {
        match self.kind {
            Kind::Sphere => exponent(self.radius),
            Kind::Obb => largest_of(self.second),
            Kind::ConvexHull => exponent(hull_record::reach_of(self.second[0])),
            _ => largest_of([0, 1, 2].map(|k| sub(self.second[k], self.place[k]))).max(exponent(self.radius)),
        }
    }
}

impl<'a> Pair<'a> {
    /// `None` outside the domain.
    pub(super) fn of(first: &'a Part<'a>, hull: &'a Part<'a>, margin: [f32; 3]) -> Option<Self> {
        let between = [0, 1, 2].map(|k| two_sum(clean(first.place[k]), neg(clean(hull.place[k]))).high);
        let size = between.into_iter().map(exponent).fold(0, u32::max);
        let size = size.max(first.exponent()).max(hull.exponent()).max(largest_of(margin));
        if !EXPONENTS.contains(&size) {
            return None;
        }
        let axes = [rough_axes(if first.turns() { first.turn } else { hull.turn })?, rough_axes(hull.turn)?];
        let scale = f32::from_bits((254 - size) << 23);
        let mut pair = Pair { first, hull, axes, t: [single(0.0); 3], scale, error: 0.0 };
        pair.t = [0, 1, 2].map(|k| pair.way(first.place[k], hull.place[k]));
        // Pairs are decided before it is known whether a device rounds to nearest, as the CPU does, or to either neighbour.
        pair.error = mul(2.0, pair.error_of_heights());
        Some(pair)
    }

    /// The same in double words.
    fn precise(&self, i: usize, j: usize) -> [Double; 3] {
        let axes = [0, 1].map(|body| self.precise_axes(body));
        let turned = |body: usize, i: usize, k: usize| {
            let (local, axes) = (scale3(self.local(body, i), self.scale), &axes[body]);
            let sum = add_double(mul_double(axes[0][k], single(local.x)), mul_double(axes[1][k], single(local.y)));
            add_double(sum, mul_double(axes[2][k], single(local.z)))
        };
        let fixed = if self.first.turns() { self.t } else { self.fixed(i) };
        [0, 1, 2].map(|k| {
            let first = if self.first.turns() { add_double(fixed[k], turned(0, i, k)) } else { fixed[k] };
            sub_double(first, turned(1, j, k))
        })
    }

    /// The axes of a body that turns in double words; of another one any.
    fn precise_axes(&self, body: usize) -> [[Double; 3]; 3] {
        let turn = if body == 0 && self.first.turns() { self.first.turn } else { self.hull.turn };
        // (In the domain.)
        turned_axes(turn).unwrap_or([[single(0.0); 3]; 3])
    }

    /// How high the lowest corner of a body is along a direction, in double words; that of the other body with `t`.
    fn lowest_precise(&self, body: usize, direction: Vec3) -> Double {
        let (turns, seen) = (self.turns(body), self.seen(body, direction));
        let least = self.lowest(body, direction).1;
        let scaled = |x: Double| Double { high: mul(x.high, self.scale), low: mul(x.low, self.scale) };
        let precise = self.precise_axes(body).each_ref().map(|axis| scaled(dot_double(direction, axis)));
        let mut best = single(f32::MAX);
        for i in 0..self.count(body) {
            if self.height(body, i, seen) > add(least, LOW) {
                continue;
            }
            let height =
                if turns { dot_double(self.local(body, i), &precise) } else { dot_double(direction, &self.fixed(i)) };
            if less_double(height, best) {
                best = height;
            }
        }
        if body == 0 && turns { add_double(best, dot_double(direction, &self.t)) } else { best }
    }

    /// How far all differences are along a direction, in double words, less the error.
    pub(super) fn at_least(&self, direction: Vec3) -> Double {
        let n = scaled(direction);
        let along = add_double(self.lowest_precise(0, n), self.lowest_precise(1, neg3(n)));
        sub_double(mul_double(along, rsqrt_double(square_double(n))), single(FINE))
    }

    /// Whether 0 is certainly inside the tetrahedron of four differences: it makes tetrahedra with each three of them that are turned the
    /// same way.
    fn surround(&self, simplex: &Simplex, precisely: bool) -> bool {
        let [p, q, r, s] = simplex.corners();
        let largest = [p, q, r, s].into_iter().flat_map(|v| v.to_array()).fold(0.0, |largest, x| max(largest, abs(x)));
        let bound = mul(mul(largest, largest), add(mul(OF_HEIGHT, self.error), mul(OF_VOLUME, largest)));
        let pq = cross3(p, q);
        let volumes = [dot3(cross3(q, r), s), dot3(cross3(r, p), s), dot3(pq, s), neg(dot3(pq, r))];
        if volumes.iter().all(|volume| *volume > bound) || volumes.iter().all(|volume| *volume < neg(bound)) {
            return true;
        }
        precisely && self.precisely_surround(&simplex.signs)
    }

    /// The same in double words.
    fn precisely_surround(&self, corners: &[u32; 4]) -> bool {
        let [p, q, r, s] = corners.map(|at| self.precise((at >> 8) as usize, (at & 255) as usize));
        let largest = [&p, &q, &r, &s].into_iter().flatten().fold(0.0, |largest, x| max(largest, abs(x.high)));
        let bound = mul(FINE_VOLUME, mul(largest, largest));
        let (pq, qr, rp) = (cross_double(&p, &q), cross_double(&q, &r), cross_double(&r, &p));
        let volumes = [
            dot_doubles(&qr, &s).high,
            dot_doubles(&rp, &s).high,
            dot_doubles(&pq, &s).high,
            neg(dot_doubles(&pq, &r).high),
        ];
        volumes.iter().all(|volume| *volume > bound) || volumes.iter().all(|volume| *volume < neg(bound))
    }
}

/// The axes of a quaternion's rotation in single words; `None` outside the domain.
fn rough_axes(q: [f32; 4]) -> Option<[Vec3; 3]> {
    let largest = q.iter().fold(0, |largest, x| largest.max(exponent(*x)));
    if !EXPONENTS.contains(&largest) {
        return None;
    }
    let [x, y, z, w] = q.map(|x| mul(clean(x), f32::from_bits((254 - largest) << 23)));
    let (xx, yy, zz, ww) = (mul(x, x), mul(y, y), mul(z, z), mul(w, w));
    let twice = mul(2.0, recip(add(add(xx, yy), add(zz, ww))));
    let (xy, xz, yz) = (mul(x, y), mul(x, z), mul(y, z));
    let (wx, wy, wz) = (mul(w, x), mul(w, y), mul(w, z));
    let diagonal = |a: f32, b: f32| sub(1.0, mul(add(a, b), twice));
    Some([
        Vec3::new(diagonal(yy, zz), mul(add(xy, wz), twice), mul(sub(xz, wy), twice)),
        Vec3::new(mul(sub(xy, wz), twice), diagonal(xx, zz), mul(add(yz, wx), twice)),
        Vec3::new(mul(add(xz, wy), twice), mul(sub(yz, wx), twice), diagonal(xx, yy)),
    ])
}

/// What is certain of a hull, which is the second body, and another one that may be so far apart, and as far as their margins. In double words where single
/// words do not suffice, if that is wanted.
pub(crate) fn verdict(first: &Part<'_>, hull: &Part<'_>, margin: [f32; 3], precisely: bool) -> Verdict {
    if first.kind == Kind::Plane {
        let over = if precisely { verdict_over(first, hull, margin) } else { None };
        return over.unwrap_or(Verdict::Open);
    }
    let Some(pair) = Pair::of(first, hull, margin) else { return Verdict::Open };
    let radius = if matches!(first.kind, Kind::Sphere | Kind::Capsule) { first.radius } else { 0.0 };
    decide(&pair, precisely, &Reach::of(radius, margin, pair.scale))
}

/// How far apart the cores of two bodies may be: a radius and all margins, scaled.
struct Reach([f32; 4]);

impl Reach {
    fn of(radius: f32, margin: [f32; 3], scale: f32) -> Self {
        let [a, b, c] = margin;
        Self([radius, a, b, c].map(|x| mul(clean(x), scale)))
    }

    /// What is certainly at most as long, and what is at least.
    fn rough(&self) -> [f32; 2] {
        let [a, b, c, d] = self.0;
        let sum = add(add(a, b), add(c, d));
        let slack = mul(sum, OF_REACH);
        [sub(sum, slack), add(sum, slack)]
    }

    /// In double words. (What this rounds is a small part of [`FINE`].)
    fn precise(&self) -> Double {
        let [a, b, c, d] = self.0;
        add_double(two_sum(a, b), two_sum(c, d))
    }
}

/// What is certain of a half-space and a hull. `None` outside the domain.
///
/// The normal is scaled so that its largest number is from 1 to 2. What the height of the lowest corner is computed from has errors of less than 2⁻⁴⁰ of
/// it, but for numbers that count as 0 since they are small.
fn verdict_over(half_space: &Part<'_>, hull: &Part<'_>, margin: [f32; 3]) -> Option<Verdict> {
    let offset = half_space.second[0];
    let of_normal = largest_of(half_space.place);
    let of_offset = (exponent(offset) + 127).saturating_sub(of_normal);
    let size = hull.exponent().max(largest_of(hull.place)).max(of_offset).max(largest_of(margin));
    if !EXPONENTS.contains(&of_normal) || !EXPONENTS.contains(&size) {
        return None;
    }
    let axes = turned_axes(hull.turn)?;
    let (of_normal, scale) = (f32::from_bits((254 - of_normal) << 23), f32::from_bits((254 - size) << 23));
    let n = scale3(Vec3::from(half_space.place.map(clean)), of_normal);
    let along = axes.each_ref().map(|axis| dot_double(n, axis));
    let mut height = single(f32::MAX);
    for corner in hull.corners {
        let of_corner = dot_double(scale3(Vec3::from(corner.to_array().map(clean)), scale), &along);
        if less_double(of_corner, height) {
            height = of_corner;
        }
    }
    let place = hull.place.map(|x| mul(clean(x), scale));
    let offset = mul(mul(clean(offset), of_normal), scale);
    let height = sub_double(add_double(height, dot_double(n, &place.map(single))), single(offset));
    let sizes = add(add(mul(hull.largest_sum, scale), super::sum_of(place)), abs(offset));
    let error = add(mul(OF_HEIGHT_OVER, sizes), FINE);
    let gap = mul_double(height, rsqrt_double(square_double(n)));
    let beyond = sub_double(gap, Reach::of(0.0, margin, scale).precise()).high;
    Some(if beyond > error {
        Verdict::Miss
    } else if beyond < neg(error) {
        Verdict::Hit
    } else {
        Verdict::Open
    })
}

/// Whether the cores of two bodies are further apart than a length, or nearer.
fn decide(pair: &Pair<'_>, precisely: bool, reach: &Reach) -> Verdict {
    let found = search(pair, reach.rough());
    if found.verdict != Verdict::Open {
        return found.verdict;
    }
    if found.four.is_some_and(|four| pair.surround(&four, precisely)) {
        return Verdict::Hit;
    }
    let is_beyond = |direction: Vec3| sub_double(pair.at_least(direction), reach.precise()).high > 0.0;
    if precisely && found.best != Vec3::ZERO && is_beyond(found.best) { Verdict::Miss } else { Verdict::Open }
}
