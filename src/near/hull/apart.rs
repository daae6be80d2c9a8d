//! How far apart a hull and another body are, and where they are nearest.
//!
//! The search is that of [verdicts](super), on bodies as [frames](Frame) have them: what is no hull is a box with three, one or no extents, and a
//! radius. How far all differences are along the direction that it ends with, and along the one that the differences around the nearest point give in double
//! words, is a distance that is never above the true one.
//!
//! The twin in WGSL is `shaders/lib/hull_away.wgsl`.

use glam::Vec3;

use super::over::Heights;
use super::{EXPONENTS, FINE, Found, LOW, Pair, Part, cross_double, dot_doubles, exponent, high, search};
use crate::det::{
    Double, add, add_double, add3, length3, less_double, max, mul, mul_double, neg_double, scale3, sub, sub_double,
    sub3,
};
use crate::manifold::{Frame, Precise, rsqrt_double};
use crate::near::precise::{abs_double, dot_double, single, step};
use crate::near::simplex::Simplex;
use crate::near::{Clearance, REACH};
use crate::shape::hull_record;
use crate::shape::kinds::{BodyShape, Kind};

/// A body and, of a hull, its corners and the largest sum of a corner's coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body<'a> {
    pub frame: &'a Frame,
    pub corners: &'a [Vec3],
    pub largest_sum: f32,
}

impl<'a> Body<'a> {
    pub(crate) fn of(frame: &'a Frame, shape: &BodyShape<'a>) -> Self {
        let corners = if let BodyShape::ConvexHull(hull) = shape { hull.local_vertices() } else { &[] };
        Self { frame, corners, largest_sum: super::largest_sum_of(corners) }
    }

    /// As the search sees it, and the exponent of its largest length; `None` outside the domain.
    pub(in crate::near) fn part(&self) -> Option<(Part<'a>, u32)> {
        let (kind, second, radius, size) = if self.frame.is_hull() {
            let word = self.frame.form_word()?;
            (Kind::ConvexHull, [word, 0.0, 0.0], 0.0, exponent(hull_record::reach_of(word)))
        } else if self.frame.has_size_in_domain() {
            let Precise { half, radius, .. } = self.frame.precise(1.0);
            (Kind::Obb, half.map(|x| x.high), radius, self.frame.exponent())
        } else {
            return None;
        };
        let (place, turn) = (self.frame.center().to_array(), [0.0; 4]);
        let Self { corners, largest_sum, .. } = *self;
        Some((Part { kind, place, second, radius, turn, corners, largest_sum }, size))
    }
}

/// A hull and another body in double words, scaled as the pair is.
pub(crate) struct PrecisePair<'a> {
    pub pair: &'a Pair<'a>,
    pub bodies: &'a [Precise; 2],
}

/// What a function makes of a hull, which is the second body, and another one that is no half-space, scaled so that a length of the exponent that it is
/// given is from 1 to 2. `None` outside the domain.
pub(crate) fn scaled_pair<R>(
    first: &Body<'_>,
    hull: &Body<'_>,
    function: impl FnOnce(&PrecisePair<'_>, u32) -> Option<R>,
) -> Option<R> {
    let ((first_part, of_first), (hull_part, of_hull)) = (first.part()?, hull.part()?);
    let [to, from] = [first, hull].map(|body| body.frame.precise(1.0).center);
    let between = [0, 1, 2].map(|k| sub_double(to[k], from[k]).high);
    let size = between.into_iter().map(exponent).fold(0, u32::max).max(of_first).max(of_hull);
    if !EXPONENTS.contains(&size) || first.frame.reach().max(hull.frame.reach()) > size + REACH {
        return None;
    }
    let scale = f32::from_bits((254 - size) << 23);
    let bodies = [first, hull].map(|body| body.frame.precise(scale));
    let pair = Pair::of_frames([&first_part, &hull_part], &bodies, scale);
    function(&PrecisePair { pair: &pair, bodies: &bodies }, size)
}

impl PrecisePair<'_> {
    pub(crate) fn is_hull(&self, body: usize) -> bool {
        body == 1 || self.pair.first.kind == Kind::ConvexHull
    }

    /// How many corners a body has, of which those of a capsule are the ends of its segment.
    pub(crate) fn corner_count(&self, body: usize) -> usize {
        match (self.is_hull(body), self.bodies[body].extents) {
            (true, _) => self.pair.count(body),
            (false, extents) => 1 << extents,
        }
    }

    /// A corner, from the position of its body.
    pub(crate) fn corner(&self, body: usize, i: usize) -> [Double; 3] {
        let Precise { axes, half, .. } = &self.bodies[body];
        let local: [Double; 3] = if self.is_hull(body) {
            scale3(self.pair.local(body, i), self.pair.scale).to_array().map(single)
        } else {
            [0, 1, 2].map(|k| if i >> k & 1 == 1 { half[k] } else { neg_double(half[k]) })
        };
        [0, 1, 2].map(|x| {
            let sum = add_double(mul_double(axes[0][x], local[0]), mul_double(axes[1][x], local[1]));
            add_double(sum, mul_double(axes[2][x], local[2]))
        })
    }

    /// The difference of two corners.
    fn difference(&self, corners: u32) -> [Double; 3] {
        let [first, hull] = [self.corner(0, (corners >> 8) as usize), self.corner(1, (corners & 255) as usize)];
        [0, 1, 2].map(|k| sub_double(add_double(self.pair.t[k], first[k]), hull[k]))
    }

    /// From 0 to the point, the segment or the plane of the corners of a simplex, if it is no tetrahedron.
    pub(super) fn across(&self, simplex: &Simplex) -> [Double; 3] {
        let p = self.difference(simplex.signs[0]);
        let from_p = |k: usize| {
            let other = self.difference(simplex.signs[k]);
            [0, 1, 2].map(|x| sub_double(other[x], p[x]))
        };
        match simplex.count {
            1 => p,
            2 => {
                let way = from_p(1);
                let (along, square) = (dot_doubles(&p, &way), dot_doubles(&way, &way));
                [0, 1, 2].map(|x| sub_double(mul_double(p[x], square), mul_double(way[x], along)))
            }
            _ => {
                let normal = cross_double(&from_p(1), &from_p(2));
                if dot_doubles(&normal, &p).high < 0.0 { normal.map(neg_double) } else { normal }
            }
        }
    }

    /// How high the lowest corner of a hull is along a direction, from its position.
    fn lowest(&self, body: usize, direction: &[Double; 3]) -> Double {
        let rough = high(direction);
        let (seen, least) = (self.pair.seen(body, rough), self.pair.lowest(body, rough).1);
        let along = self.bodies[body].axes.each_ref().map(|axis| {
            let Double { high, low } = dot_doubles(direction, axis);
            Double { high: mul(high, self.pair.scale), low: mul(low, self.pair.scale) }
        });
        let mut best = single(f32::MAX);
        for i in 0..self.pair.count(body) {
            if self.pair.height(body, i, seen) > add(least, LOW) {
                continue;
            }
            let height = dot_double(self.pair.local(body, i), &along);
            if less_double(height, best) {
                best = height;
            }
        }
        best
    }

    /// How far apart the bodies are along a direction, which is how far all differences are; `None` along 0.
    pub(super) fn height(&self, direction: &[Double; 3]) -> Option<Double> {
        let n = scaled(direction)?;
        let mut along = add_double(dot_doubles(&n, &self.pair.t), self.lowest(1, &n.map(neg_double)));
        if self.is_hull(0) {
            along = add_double(along, self.lowest(0, &n));
        } else {
            for (axis, half) in self.bodies[0].axes.iter().zip(self.bodies[0].half) {
                along = sub_double(along, mul_double(abs_double(dot_doubles(&n, axis)), half));
            }
        }
        let height = mul_double(along, rsqrt_double(dot_doubles(&n, &n)));
        Some(sub_double(height, single(self.bodies[0].radius)))
    }
}

/// A length that the distance of the bodies is at least, as good as `f32` can say it, and 0 or more: from how far apart they are along a direction.
pub(crate) fn at_least(height: Double) -> f32 {
    rounded_down(sub_double(height, single(FINE)))
}

/// A direction scaled by a power of two so that its largest number is from 1 to 2; `None` if it is 0.
pub(super) fn scaled(direction: &[Double; 3]) -> Option<[Double; 3]> {
    let largest = direction.iter().map(|x| exponent(x.high)).fold(0, u32::max);
    let scale = f32::from_bits((254_u32.saturating_sub(largest)) << 23);
    (largest != 0).then(|| direction.map(|x| Double { high: mul(x.high, scale), low: mul(x.low, scale) }))
}

/// A length as a single word that is not above it, and 0 or more.
pub(crate) fn rounded_down(length: Double) -> f32 {
    if length.high > 0.0 { f32::from_bits(length.high.to_bits() - u32::from(length.low < 0.0)) } else { 0.0 }
}

/// A hull, which is the second body, and another one: the point of that, how far apart they are, and the point of the hull.
fn away(first: &Body<'_>, hull: &Body<'_>) -> Option<(Vec3, f32, Vec3)> {
    scaled_pair(first, hull, |precise, size| {
        let (pair, radius) = (precise.pair, precise.bodies[0].radius);
        let Found { best, simplex, four, .. } = search(pair, [-1.0, f32::MAX]);
        let nearest = simplex.point();
        let length = length3(nearest);
        let mut distance = 0.0;
        if four.is_none() {
            let directions = [best.to_array().map(single), precise.across(&simplex)];
            for height in directions.iter().filter_map(|direction| precise.height(direction)) {
                distance = max(distance, at_least(height));
            }
            // The search may not have come to its end.
            if sub(sub(length, radius), distance) > pair.error {
                return None;
            }
        }
        let simplex = four.unwrap_or(simplex);
        let sum = |body: usize, shift: u32| {
            let mut sum = Vec3::ZERO;
            for k in 0..simplex.count {
                let corner = (simplex.signs[k] >> shift & 255) as usize;
                sum = add3(sum, scale3(pair.turned(body, corner), simplex.weights[k]));
            }
            sum
        };
        let back = f32::from_bits(size << 23);
        let point = |body: &Body<'_>, from_place: Vec3| add3(body.frame.center(), scale3(from_place, back));
        let on_hull = point(hull, sum(1, 0));
        let is_apart = four.is_none() && length > radius;
        let on_first = if is_apart { point(first, sub3(sum(0, 8), step(nearest, radius))) } else { on_hull };
        Some((on_first, mul(distance, back), on_hull))
    })
}

/// Two bodies of which at least one is a hull. `None` outside the domain, or if the search has not come near enough.
pub(crate) fn clearance(a: &Body<'_>, b: &Body<'_>) -> Option<Clearance> {
    let (is_swapped, (on_first, distance, on_second)) = if a.frame.is_half_space() {
        (true, Heights::of(a.frame, b)?.clearance())
    } else if b.frame.is_half_space() {
        (false, Heights::of(b.frame, a)?.clearance())
    } else if b.frame.is_hull() {
        (false, away(a, b)?)
    } else {
        (true, away(b, a)?)
    };
    let (on_a, on_b) = if is_swapped { (on_second, on_first) } else { (on_first, on_second) };
    Some(Clearance::of(on_a, distance, on_b))
}
