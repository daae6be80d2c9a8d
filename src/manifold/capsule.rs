//! Contacts of capsules: with balls, with boxes, and with each other. The second body of a pair is always a capsule.
//!
//! Bodies whose cores (a point, a segment, a box) are apart meet along the line between the nearest points of these; where cores have a
//! point in common, through the nearest face of all their differences. Two capsules side by side, and a capsule on a face, have two points.
//! The twin in WGSL is `shaders/lib/capsules.wgsl`.

use glam::Vec3;

use super::axes::TOLERANCE;
use super::frame::{Solid, clamped};
use super::points::{Points, point_to_world, to_world};
use super::round::{LEAST_SQUARE, direction};
use crate::det::{abs, add, add3, cross3, div, dot3, length_squared3, max, min, mul, neg, neg3, scale3, sub, sub3};
use crate::query::ContactKind;

/// The square of the sine below which two directions count as one: of capsules that lie side by side, or on a face; and of those that have no
/// direction across both.
const SIDE_BY_SIDE: f32 = 1.0 / (1 << 14) as f32;
const PARALLEL: f32 = 1.0 / (1_u64 << 42) as f32;
/// How far a point may be beside another across the normal, squared, as a share of size and radius: it is off the surface by half of that.
const ASIDE: f32 = 1.0 / (1 << 18) as f32;

/// The square of the distance of two cores, as a share of their size's, below which rounding hides in what direction it is.
const TOUCHING: f32 = 1.0 / (1_u64 << 40) as f32;

/// See [`is_sharp`].
const SHARP: f32 = 1.0 / (1 << 24) as f32;

/// What a contact is to have.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub touching: bool,
    pub floor: f32,
    /// The most points.
    pub most: u32,
}

impl Wanted {
    fn depth(&self, depth: f32) -> f32 {
        super::depth_of(depth, self.touching, self.floor)
    }
}

/// The contact with two points of B, each with its depth, of which the first has the feature `first`; or with the deeper of them.
fn two(normal: Vec3, depth: f32, wanted: &Wanted, points: [(Vec3, f32); 2], first: u32) -> Points {
    if wanted.most > 1 {
        contact(normal, depth, wanted, &points, first)
    } else {
        let deeper = usize::from(points[1].1 > points[0].1);
        contact(normal, depth, wanted, &[points[deeper]], first + deeper as u32)
    }
}

/// A contact with these points of B, each with its depth, of which the first has the feature `first`.
fn contact(normal: Vec3, depth: f32, wanted: &Wanted, points: &[(Vec3, f32)], first: u32) -> Points {
    let depth = wanted.depth(depth);
    let kind = f32::from(ContactKind::Round as u8);
    let mut found = Points::new(normal.into(), depth, kind, points.len() as f32);
    for (k, (at, raw)) in points.iter().enumerate() {
        found.at[k] = (*at).into();
        found.depths[k] = min(max(*raw, wanted.floor), depth);
        found.features[k] = (first + k as u32) as f32;
    }
    found
}

/// A point that is so far from the centre of a body.
fn from_center(solid: &Solid, by: Vec3) -> Vec3 {
    add3(Vec3::from(solid.center), add3(Vec3::from(solid.center_low), by))
}

/// A unit vector at right angles to another; +x for 0.
fn beside(u: Vec3) -> Vec3 {
    let [x, y, z] = u.to_array().map(abs);
    let across = if x <= y && x <= z {
        Vec3::new(0.0, u.z, neg(u.y))
    } else if y <= z {
        Vec3::new(neg(u.z), 0.0, u.x)
    } else {
        Vec3::new(u.y, neg(u.x), 0.0)
    };
    let square = length_squared3(across);
    if square < LEAST_SQUARE { Vec3::X } else { direction(across, square).0 }
}

/// Whether the way to a point of a segment must be at right angles to it: it is not an end, or the way would lead out of it there, by what was
/// rounded.
fn is_held(way: Vec3, axis: Vec3, place: f32, half: f32) -> bool {
    abs(place) < half || mul(dot3(way, axis), place) > 0.0
}

/// A vector without what it has of an axis.
fn without(v: Vec3, axis: Vec3) -> Vec3 {
    sub3(v, scale3(axis, dot3(v, axis)))
}

/// Whether the direction across two others tells better how the nearest points of two lines part than these points do: if the lines are not nearly
/// parallel, or nearly meet. The first is wrong by about u / sine, which counts squared; the second by u size / distance, which counts as much as the lines turn
/// away from it.
fn is_sharp(sine: f32, square: f32, half: f32, size: f32) -> bool {
    let near = mul(SHARP, div(square, mul(half, size)));
    mul(mul(sine, sine), sine) > mul(near, near)
}

/// A ball and a capsule: from the centre of the ball to the nearest point of the segment.
pub(super) fn with_ball(ball: &Solid, capsule: &Solid, between: Vec3, wanted: &Wanted) -> Points {
    let (axis, [half, radius, _]) = (Vec3::from(capsule.axes[0]), capsule.half);
    let place = clamped(neg(dot3(axis, between)), half);
    let along = scale3(axis, place);
    let mut way = add3(between, along);
    if is_held(way, axis, place, half) {
        way = without(way, axis);
    }
    let square = length_squared3(way);
    let size = add(ball.size(), capsule.size());
    let is_on_it = square < mul(mul(TOUCHING, size), size);
    let (normal, distance) = if is_on_it { (beside(axis), 0.0) } else { direction(way, square) };
    let depth = sub(add(ball.half[0], radius), distance);
    let at = from_center(capsule, sub3(along, scale3(normal, radius)));
    contact(normal, depth, wanted, &[(at, depth)], 0)
}

/// Two capsules.
pub(super) fn with_capsule(a: &Solid, b: &Solid, between: Vec3, wanted: &Wanted) -> Points {
    let (u, v) = (Vec3::from(a.axes[0]), Vec3::from(b.axes[0]));
    let ([half_a, radius_a, _], [half_b, radius_b, _]) = (a.half, b.half);
    let across = cross3(u, v);
    let (sine, cosine) = (length_squared3(across), dot3(u, v));
    let (from_a, from_b) = (dot3(u, between), dot3(v, between));
    let is_skew = sine > PARALLEL;
    let guess = if is_skew { div(dot3(cross3(between, v), across), sine) } else { from_a };
    let on_a = clamped(guess, half_a);
    let on_b = clamped(sub(mul(cosine, on_a), from_b), half_b);
    let on_a = clamped(add(mul(cosine, on_b), from_a), half_a);
    let along = scale3(v, on_b);
    let way = sub3(add3(between, along), scale3(u, on_a));
    let longer = if half_a < half_b { v } else { u };
    let aside = if is_skew { direction(across, sine).0 } else { beside(longer) };
    // (Of nearly parallel axes the direction across both leans a little.)
    let aside = without(aside, longer);
    let size = add(a.size(), b.size());
    let held = [is_held(neg3(way), u, on_a, half_a), is_held(way, v, on_b, half_b)];
    let outward = match held {
        [true, true] if is_sharp(sine, length_squared3(way), max(half_a, half_b), size) => {
            scale3(aside, dot3(aside, way))
        }
        [true, true] => without(way, longer),
        [true, false] => without(way, u),
        [false, true] => without(way, v),
        [false, false] => way,
    };
    let square = length_squared3(outward);
    let (normal, distance) = if square < mul(mul(TOUCHING, size), size) {
        let normal = direction(aside, length_squared3(aside)).0;
        (if dot3(normal, between) < 0.0 { neg3(normal) } else { normal }, 0.0)
    } else {
        direction(outward, square)
    };
    let reach = add(radius_a, radius_b);
    let depth = sub(reach, distance);
    if !(sine > SIDE_BY_SIDE) {
        // At both ends of the part that they run along each other.
        let ends = [neg(half_b), half_b].map(|end| clamped(dot3(u, add3(between, scale3(v, end))), half_a));
        let points = ends.map(|end| {
            let on_a = scale3(u, end);
            let along = scale3(v, clamped(dot3(v, sub3(on_a, between)), half_b));
            let way = sub3(add3(between, along), on_a);
            let height = dot3(way, normal);
            let aside = sub(length_squared3(way), mul(height, height));
            let is_above = !(aside > mul(mul(ASIDE, size), radius_a));
            let at = from_center(b, sub3(along, scale3(normal, radius_b)));
            (at, sub(reach, height), is_above)
        });
        let are_points = points.iter().all(|(_, depth, is_above)| *is_above && !(*depth < wanted.floor));
        if are_points && ends[0] != ends[1] {
            return two(normal, depth, wanted, points.map(|(at, depth, _)| (at, depth)), 0);
        }
    }
    let at = from_center(b, sub3(along, scale3(normal, radius_b)));
    contact(normal, depth, wanted, &[(at, depth)], 0)
}

/// A capsule's segment in the frame of a box.
struct Seen {
    center: Vec3,
    axis: Vec3,
    half: f32,
    /// The half extents of the box.
    extents: Vec3,
}

/// Where a capsule meets a box, in the frame of the box.
struct Met {
    normal: Vec3,
    /// How far the segment is from the box along the normal; negative if it reaches into it.
    out: f32,
    /// The place along the segment.
    place: f32,
    /// The axis of the face, or 3 if the normal is not that of a face.
    face: usize,
}

/// The axes after this one, in turn.
fn others(axis: usize) -> [usize; 2] {
    [(axis + 1) % 3, (axis + 2) % 3]
}

impl Seen {
    fn at(&self, place: f32) -> Vec3 {
        add3(self.center, scale3(self.axis, place))
    }

    fn inside(&self, point: Vec3) -> Vec3 {
        let [x, y, z] = [0, 1, 2].map(|k| clamped(point[k], self.extents[k]));
        Vec3::new(x, y, z)
    }

    /// How fast the square of the distance from the box grows along the segment, but for a factor: the further along, the faster. Where it passes a
    /// face, it is not outside that, whatever is rounded.
    fn slope(&self, place: f32, passed: Option<usize>) -> f32 {
        let point = self.at(place);
        let mut outward = sub3(point, self.inside(point));
        if let Some(axis) = passed {
            outward[axis] = 0.0;
        }
        dot3(self.axis, outward)
    }

    /// The place along the segment that is nearest to the box: between two places where it enters or leaves a pair of faces, the slope is
    /// linear.
    fn nearest(&self) -> f32 {
        let (mut low, mut high) = (neg(self.half), self.half);
        let (mut slope_low, mut slope_high) = (self.slope(low, None), self.slope(high, None));
        if !(slope_low < 0.0) {
            return low;
        }
        if !(slope_high > 0.0) {
            return high;
        }
        for k in 0..6 {
            let (axis, face) = (k / 2, self.extents[k / 2]);
            let rate = self.axis[axis];
            if !(mul(rate, rate) > LEAST_SQUARE) {
                continue;
            }
            let place = div(sub(if k % 2 == 0 { neg(face) } else { face }, self.center[axis]), rate);
            if place > low && place < high {
                let slope = self.slope(place, Some(axis));
                if slope > 0.0 {
                    (high, slope_high) = (place, slope);
                } else {
                    (low, slope_low) = (place, slope);
                }
            }
        }
        let part = div(neg(slope_low), sub(slope_high, slope_low));
        min(add(low, mul(sub(high, low), part)), high)
    }

    /// The direction across an edge of the box and the segment, on the side of a difference of points of both; `None` if that difference tells it
    /// better.
    fn across_sharply(&self, edge: usize, outward: Vec3, size: f32) -> Option<Vec3> {
        let [i, j] = others(edge);
        let sine = add(mul(self.axis[i], self.axis[i]), mul(self.axis[j], self.axis[j]));
        let across = self.across(edge).filter(|_| is_sharp(sine, length_squared3(outward), self.half, size))?;
        Some(if dot3(across, outward) < 0.0 { neg3(across) } else { across })
    }

    /// The direction across an edge of the box and the segment; `None` if they are parallel.
    fn across(&self, edge: usize) -> Option<Vec3> {
        let [i, j] = others(edge);
        let mut across = Vec3::ZERO;
        (across[i], across[j]) = (neg(self.axis[j]), self.axis[i]);
        let square = length_squared3(across);
        (square > PARALLEL).then(|| direction(across, square).0)
    }

    /// The place along the segment that is nearest to the edge of the box that looks along a direction across both; and how far it, or its end, is beyond
    /// the ends of both.
    fn place_at_edge(&self, edge: usize, normal: Vec3) -> (f32, f32) {
        let [i, j] = others(edge);
        let (mut along, mut square) = (0.0, 0.0);
        for k in [i, j] {
            let side = if normal[k] < 0.0 { neg(self.extents[k]) } else { self.extents[k] };
            along = add(along, mul(sub(side, self.center[k]), self.axis[k]));
            square = add(square, mul(self.axis[k], self.axis[k]));
        }
        let place = div(along, square);
        let beyond_edge = sub(abs(self.at(place)[edge]), self.extents[edge]);
        (clamped(place, self.half), max(beyond_edge, sub(abs(place), self.half)))
    }

    /// With the segment outside the box, at this place and so far from it.
    fn apart(&self, place: f32, outward: Vec3, square: f32, size: f32) -> Met {
        let zeros = outward.to_array().map(|x| x == 0.0);
        let count = zeros.iter().filter(|zero| !**zero).count();
        let mut normal = direction(outward, square).0;
        let mut face = 3;
        if count == 1 {
            face = zeros.iter().position(|zero| !zero).unwrap_or(0);
            if abs(place) < self.half && mul(self.half, abs(self.axis[face])) > mul(TOLERANCE, size) {
                // Where it leaves the face it is nearest: past that edge, but for what was rounded.
                let beyond = others(face).map(|k| abs(sub(abs(self.at(place)[k]), self.extents[k])));
                let edge = others(face)[usize::from(beyond[0] < beyond[1])];
                normal = self.across_sharply(edge, outward, size).unwrap_or(normal);
            }
        } else if abs(place) < self.half && count == 2 {
            // Past an edge.
            let edge = zeros.iter().position(|zero| *zero).unwrap_or(0);
            normal = self.across_sharply(edge, outward, size).unwrap_or(normal);
        } else if abs(place) < self.half {
            // Past a corner.
            let across = sub3(outward, scale3(self.axis, dot3(self.axis, outward)));
            let square = length_squared3(across);
            if square > LEAST_SQUARE {
                normal = direction(across, square).0;
            }
        }
        Met { normal, out: dot3(normal, outward), place, face }
    }

    /// With a point of the segment in the box: out through the nearest face, or past the nearest edge.
    fn deep(&self, tolerance: f32) -> Met {
        let depth_of_face =
            |k: usize| sub(add(self.extents[k], mul(self.half, abs(self.axis[k]))), abs(self.center[k]));
        let (mut face, mut least) = (0, depth_of_face(0));
        for k in 1..3 {
            let depth = depth_of_face(k);
            if add(depth, tolerance) < least {
                (face, least) = (k, depth);
            }
        }
        let mut normal = Vec3::ZERO;
        normal[face] = if self.center[face] < 0.0 { -1.0 } else { 1.0 };
        // The end that is furthest inside.
        let place = if mul(normal[face], self.axis[face]) < 0.0 { self.half } else { neg(self.half) };
        let mut met = Met { normal, out: neg(least), place, face };
        let mut least_beyond = f32::MAX;
        for edge in 0..3 {
            let Some(across) = self.across(edge) else { continue };
            let along = dot3(across, self.center);
            let reach = dot3(self.extents, Vec3::new(abs(across.x), abs(across.y), abs(across.z)));
            let depth = sub(reach, abs(along));
            let normal = if along < 0.0 { neg3(across) } else { across };
            let (place, beyond) = self.place_at_edge(edge, normal);
            // Of edges that are as good, the one that it passes.
            let is_as_good = met.face == 3 && sub(depth, tolerance) < least && beyond < least_beyond;
            if add(depth, tolerance) < least || is_as_good {
                (least, least_beyond) = (depth, beyond);
                met = Met { normal, out: neg(depth), place, face: 3 };
            }
        }
        met
    }

    /// The part of the segment that is above a face, but for a tolerance.
    fn above(&self, face: usize, tolerance: f32) -> [f32; 2] {
        let (mut first, mut last) = (neg(self.half), self.half);
        for k in others(face) {
            let rate = self.axis[k];
            if mul(self.half, abs(rate)) > tolerance {
                let ends = [neg(self.extents[k]), self.extents[k]].map(|end| div(sub(end, self.center[k]), rate));
                first = max(first, min(ends[0], ends[1]));
                last = min(last, max(ends[0], ends[1]));
            }
        }
        [first, last]
    }
}

/// A box and a capsule.
pub(super) fn with_box(cuboid: &Solid, capsule: &Solid, between: Vec3, wanted: &Wanted) -> Points {
    let local = |v: Vec3| Vec3::from(cuboid.axes.map(|axis| dot3(axis.into(), v)));
    let [half, radius, _] = capsule.half;
    let seen = Seen { center: local(between), axis: local(capsule.axes[0].into()), half, extents: cuboid.half.into() };
    let place = seen.nearest();
    let outward = sub3(seen.at(place), seen.inside(seen.at(place)));
    let square = length_squared3(outward);
    let size = add(cuboid.size(), capsule.size());
    let met = if square < mul(mul(TOUCHING, size), size) {
        seen.deep(mul(TOLERANCE, size))
    } else {
        seen.apart(place, outward, square, size)
    };
    let depth = sub(radius, met.out);
    let point = |place: f32| {
        let by = sub3(seen.at(place), scale3(met.normal, radius));
        Vec3::from(point_to_world(cuboid, by.into()))
    };
    let normal = Vec3::from(to_world(cuboid, met.normal.into()));
    let mut place = met.place;
    if met.face < 3 {
        let places = seen.above(met.face, mul(TOLERANCE, size));
        let is_flat = !(mul(seen.axis[met.face], seen.axis[met.face]) > SIDE_BY_SIDE);
        if is_flat && !(places[1] < places[0]) {
            place = min(max(place, places[0]), places[1]);
        }
        let (up, height) = (met.normal[met.face], seen.extents[met.face]);
        let depths = places.map(|place| sub(add(mul(height, abs(up)), radius), mul(up, seen.at(place)[met.face])));
        if is_flat && places[0] < places[1] && !(depths[0] < wanted.floor) && !(depths[1] < wanted.floor) {
            let points = [(point(places[0]), depths[0]), (point(places[1]), depths[1])];
            let side = u32::from(met.normal[met.face] < 0.0);
            return two(normal, depth, wanted, points, 2 + 2 * (2 * met.face as u32 + side));
        }
    }
    contact(normal, depth, wanted, &[(point(place), depth)], 0)
}
