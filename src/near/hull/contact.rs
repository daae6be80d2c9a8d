//! How a hull and another body meet: the direction of the shortest way out, and where a face lies across it, the points that meet there.
//!
//! Nothing but corners is known of a hull: the corners that are foremost along the normal are a face, an edge or a corner of it. If the foremost corners of one of the
//! bodies are a face, what looks towards it of the other one is clipped to it; if not, edges or corners meet in one point.
//!
//! The twin in WGSL is `shaders/queries/hull_contacts.wgsl`, for bodies none of which is a half-space.

use glam::Vec3;

#[cfg(feature = "gpu")]
use super::axis::{Ways, axis_of};
use super::faces::{FLAT, Polygon, View};
use super::{Axis, Body, CLOSE, Heights, PrecisePair, aside, axis, scaled_pair};
use crate::Relation;
use crate::det::{Double, add, add_double, add3, cross3, div, max, min, mul, neg, neg3, rsqrt, scale3, sub, sub3};
use crate::manifold::{Known, Manifold, Points, depth_of, floor, half_space_of, power};
use crate::query::ContactKind;

/// By how much a face is made larger before the other one is clipped to it, as a share of the sizes of both, so that rounding does not decide what of equal faces is
/// inside.
pub(crate) const SLACK: f32 = 1.0 / (1 << 21) as f32;
/// Sines of edges below this are those of parallel ones.
pub(crate) const PARALLEL: f32 = 1.0 / (1 << 16) as f32;

/// What can be a point of a contact: where it is, how deep, and what meets there. Not if it is invalid.
#[derive(Clone, Copy)]
struct Candidate {
    valid: bool,
    at: Vec3,
    depth: f32,
    feature: u32,
}

const NONE: Candidate = Candidate { valid: false, at: Vec3::ZERO, depth: 0.0, feature: 0 };

/// At most four points: the deepest, the one furthest from it, and the two that span the most area to either side, seen along the normal. At most one: the deepest.
/// Of equals the first. Returns the deepest.
fn choose(
    count: usize,
    most: u32,
    candidate: impl Fn(usize) -> Candidate,
    mut push: impl FnMut(&Candidate),
) -> Option<Candidate> {
    let (mut taken, mut chosen) = ([count; 4], [NONE; 2]);
    for turn in 0..4 {
        let (mut best, mut at, mut highest) = (NONE, count, neg(f32::MAX));
        for k in 0..count {
            let found = candidate(k);
            if !found.valid || taken.contains(&k) {
                continue;
            }
            let [from, to] = [chosen[0], chosen[1]].map(|known| known.at);
            let way = sub3(found.at, from);
            let area = sub(mul(sub(to.x, from.x), way.y), mul(sub(to.y, from.y), way.x));
            let score = match turn {
                0 => found.depth,
                1 => add(mul(way.x, way.x), mul(way.y, way.y)),
                2 => area,
                _ => neg(area),
            };
            if score > highest {
                (best, at, highest) = (found, k, score);
            }
        }
        if at == count {
            break;
        }
        taken[turn] = at;
        if turn < 2 {
            chosen[turn] = best;
        }
        push(&best);
        if most == 1 {
            break;
        }
    }
    chosen[0].valid.then_some(chosen[0])
}

/// A face of one body and what of the other one looks towards it.
struct Faces<'a> {
    reference: &'a Polygon,
    incident: &'a Polygon,
    /// The reference face is of the first body.
    of_first: bool,
    /// The height of the reference face.
    height: f32,
    radius: f32,
    slack: f32,
    /// The least depth of a point.
    least: f32,
}

impl Faces<'_> {
    fn count(&self) -> usize {
        match self.incident.count {
            1 => 1,
            2 => 2,
            many => 2 * many + self.reference.count,
        }
    }

    /// How far a place is outside an edge of a polygon.
    fn outside(polygon: &Polygon, edge: usize, at: Vec3) -> f32 {
        let from = polygon.at[edge];
        let way = sub3(polygon.at[if edge + 1 == polygon.count { 0 } else { edge + 1 }], from);
        let square = add(mul(way.x, way.x), mul(way.y, way.y));
        let off = sub3(at, from);
        mul(sub(mul(off.x, way.y), mul(off.y, way.x)), rsqrt(square))
    }

    /// Of each edge of the incident face where it begins in the reference face, and where it ends if it is cut there; then corners of the reference face that are in
    /// the incident one.
    fn candidate(&self, k: usize) -> Candidate {
        let Self { reference, incident, .. } = self;
        let corners = if incident.count < 3 { incident.count } else { 2 * incident.count };
        if k < corners {
            self.of_edge(if incident.count < 3 { 0 } else { k / 2 }, k % 2 == 1)
        } else {
            let corner = k - corners;
            let mut at = reference.at[corner];
            let inside = (0..incident.count).all(|edge| Self::outside(incident, edge, at) < neg(mul(0.5, self.slack)));
            let from = incident.at[0];
            let rise = add(mul(incident.slope[0], sub(at.x, from.x)), mul(incident.slope[1], sub(at.y, from.y)));
            at.z = add(from.z, rise);
            self.at(inside, at, reference.corners[corner] << 16 | 3)
        }
    }

    fn of_edge(&self, edge: usize, is_end: bool) -> Candidate {
        let Self { reference, incident, .. } = self;
        let next = if edge + 1 == incident.count { 0 } else { edge + 1 };
        let (from, to) = (incident.at[edge], incident.at[next]);
        let (mut first, mut last, mut cuts) = (0.0, 1.0, [reference.count; 2]);
        for side in 0..reference.count {
            let [begins, ends] = [from, to].map(|at| sub(Self::outside(reference, side, at), self.slack));
            if begins > 0.0 && ends > 0.0 {
                return NONE;
            }
            if begins > 0.0 || ends > 0.0 {
                let share = div(begins, sub(begins, ends));
                if begins > 0.0 && share > first {
                    (first, cuts[0]) = (share, side);
                } else if ends > 0.0 && share < last {
                    (last, cuts[1]) = (share, side);
                }
            }
        }
        let (share, cut) = if is_end { (last, cuts[1]) } else { (first, cuts[0]) };
        // (Ends that are not cut are where the next edge begins; a segment has no next one.)
        let valid = !(last < first) && (!is_end || cut < reference.count || incident.count == 2);
        let at = if is_end && cut == reference.count { to } else { add3(from, scale3(sub3(to, from), share)) };
        let feature = if cut < reference.count {
            reference.corners[cut] << 16 | incident.corners[edge] << 8 | if is_end { 2 } else { 1 }
        } else {
            incident.corners[if is_end { next } else { edge }] << 8
        };
        self.at(valid, at, feature)
    }

    /// A point of the incident face.
    fn at(&self, valid: bool, at: Vec3, feature: u32) -> Candidate {
        let above = if self.of_first { sub(self.height, at.z) } else { sub(at.z, self.height) };
        let depth = add(above, self.radius);
        // (On the hull: of a face of the other body, or the face itself.)
        let at = if self.of_first { at } else { Vec3::new(at.x, at.y, self.height) };
        Candidate { valid: valid && !(depth < self.least), at, depth, feature }
    }
}

/// Where two edges, an edge and a corner, or two corners meet, seen along the normal: on the hull. `None` if they are beside each other.
fn crossing(first: &Polygon, hull: &Polygon, slack: f32) -> Option<(Vec3, u32)> {
    let way = |polygon: &Polygon| if polygon.count == 1 { Vec3::ZERO } else { sub3(polygon.at[1], polygon.at[0]) };
    let dot = |a: Vec3, b: Vec3| add(mul(a.x, b.x), mul(a.y, b.y));
    let cross = |a: Vec3, b: Vec3| sub(mul(a.x, b.y), mul(a.y, b.x));
    let (p, q, between) = (way(first), way(hull), sub3(hull.at[0], first.at[0]));
    let (pp, qq, sine) = (dot(p, p), dot(q, q), cross(p, q));
    let clamped = |x: f32| min(max(x, 0.0), 1.0);
    let share = |along: f32, square: f32| clamped(div(along, square));
    let (of_first, of_hull) = if mul(sine, sine) > mul(mul(PARALLEL, PARALLEL), mul(pp, qq)) {
        let inverse = div(1.0, sine);
        (clamped(mul(cross(between, q), inverse)), clamped(mul(cross(between, p), inverse)))
    } else {
        // (The middle of what they have in common.)
        let ends = [share(dot(p, between), pp), share(dot(p, add3(between, q)), pp)];
        let middle = mul(0.5, add(ends[0], ends[1]));
        (middle, share(neg(dot(q, sub3(between, scale3(p, middle)))), qq))
    };
    let at = add3(hull.at[0], scale3(q, of_hull));
    let off = sub3(at, add3(first.at[0], scale3(p, of_first)));
    (!(dot(off, off) > mul(slack, slack))).then(|| {
        let [a, b] = [first, hull].map(|polygon| polygon.corners[..polygon.count].iter().fold(255, |a, b| a.min(*b)));
        (at, b << 16 | a << 8)
    })
}

/// The points of a contact in this direction.
fn points_along(
    precise: &PrecisePair<'_>,
    axis: &MeetingAxis,
    (depth, floor): (f32, f32),
    most: u32,
) -> Option<Points> {
    let MeetingAxis { normal, height, .. } = *axis;
    let view = View::of(precise, normal);
    let (radius, is_round) = (precise.bodies[0].radius, precise.corner_count(0) < 3 && !precise.is_hull(0));
    let [first, hull] = [view.foremost(0)?, view.foremost(1)?];
    let of_first = first.count > 2;
    let kind = match (is_round, of_first, hull.count > 2) {
        (true, ..) => ContactKind::Round,
        (_, true, _) => ContactKind::FaceA,
        (_, _, true) => ContactKind::FaceB,
        _ => ContactKind::Deepest,
    };
    let mut points = Points::new(normal.to_array(), depth, f32::from(kind as u8), 0.0);
    let center = &precise.bodies[1].center;
    let mut push = |found: &Candidate| {
        let k = points.count as usize;
        let place = view.back(found.at).to_array();
        points.at[k] = [0, 1, 2].map(|x| {
            let here = Double { high: place[x], low: 0.0 };
            add_double(add_double(center[x], view.origin[x]), here).high
        });
        points.depths[k] = min(max(found.depth, floor), depth);
        points.features[k] = found.feature as f32;
        points.count = add(points.count, 1.0);
    };
    let size = add(precise.pair.size(0), precise.pair.size(1));
    if !of_first && hull.count < 3 {
        let (at, feature) = crossing(&first, &hull, mul(CLOSE, size))?;
        push(&Candidate { valid: true, at, depth, feature });
        return Some(points);
    }
    let (reference, other) = if of_first { (&first, &hull) } else { (&hull, &first) };
    let incident = view.facing(usize::from(of_first), other)?;
    let level = |z: f32, next: &Vec3| if of_first { max(z, next.z) } else { min(z, next.z) };
    let height_of_face = reference.at[1..reference.count].iter().fold(reference.at[0].z, level);
    let faces = Faces {
        reference,
        incident: &incident,
        of_first,
        height: height_of_face,
        radius,
        slack: mul(SLACK, size),
        least: sub(floor, mul(CLOSE, size)),
    };
    let deepest = choose(faces.count(), most, |k| faces.candidate(k), push)?;
    // (Where the deepest point is not in the face, the face is not what meets.)
    (!(add(deepest.depth, height) < neg(mul(CLOSE, size)))).then_some(points)
}

/// The contact of a hull and a half-space, which is the second one: the deepest corner, and up to three more that are in.
fn over_border(heights: &Heights<'_>, (depth, floor): (f32, f32), most: u32) -> Points {
    let (raw, normal) = (neg(heights.height.high), heights.normal());
    let side = aside(normal);
    let directions = [side, cross3(normal, side), normal];
    let least = sub(floor, mul(FLAT, heights.reach()));
    let mut points = Points::new(neg3(normal).to_array(), depth, f32::from(ContactKind::Corners as u8), 0.0);
    let candidate = |i: usize| {
        let at = heights.seen(directions, i);
        let own = if i == heights.lowest { raw } else { sub(raw, at.z) };
        Candidate { valid: i == heights.lowest || !(own < least), at, depth: own, feature: i as u32 }
    };
    choose(heights.count(), most, candidate, |found| {
        let (height, foot) = heights.foot(found.feature as usize);
        let k = points.count as usize;
        points.at[k] = foot.to_array();
        points.depths[k] = min(max(neg(height.high), floor), depth);
        points.features[k] = found.feature as f32;
        points.count = add(points.count, 1.0);
    });
    points
}

/// Depth of a contact, and the least depth of its points, from how far apart bodies certainly are, how deep they seem to be, and what is known of them.
fn depths(distance: f32, raw: f32, known: Known, size: u32) -> (f32, f32) {
    match known {
        Known::Meet(relation) => (depth_of(raw, relation == Relation::Touching, 0.0), 0.0),
        Known::Within(margin) => (if distance > 0.0 { neg(distance) } else { max(raw, 0.0) }, floor(margin, size)),
    }
}

/// How two bodies meet of which at least one is a hull, or what is between them. `None` outside the domain, where a face has too many corners, and where the search has not come
/// near enough to its end.
pub(crate) fn manifold(
    (a, of_a): (u32, &Body<'_>),
    (b, of_b): (u32, &Body<'_>),
    known: Known,
    most: u32,
) -> Option<Manifold> {
    let Some(is_second) = half_space_of(of_a.frame, of_b.frame) else {
        return manifold_along((a, of_a), (b, of_b), &meeting_axis(of_a, of_b)?, known, most);
    };
    let (hull, half_space) = if is_second { (of_a, of_b) } else { (of_b, of_a) };
    let heights = Heights::of(half_space.frame, hull)?;
    let depths = depths(heights.distance(), neg(heights.height.high), known, heights.size);
    Some(finished((a, b), &over_border(&heights, depths, most), !is_second, heights.size))
}

/// Along which direction a hull and another body that is no half-space meet, all of it scaled: what one stage of kernels leaves for the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MeetingAxis {
    /// From the other body to the hull.
    pub normal: Vec3,
    /// How far apart they are along it, rounded.
    pub height: f32,
    /// A length that their distance is at least.
    pub distance: f32,
}

impl MeetingAxis {
    fn of(axis: Axis) -> Self {
        Self { normal: axis.normal, height: axis.height.high, distance: axis.distance }
    }
}

/// `None` outside the domain, and where the search has not come near enough to its end.
fn meeting_axis(a: &Body<'_>, b: &Body<'_>) -> Option<MeetingAxis> {
    let (first, hull, _) = in_order(a, b);
    scaled_pair(first, hull, |precise, _| axis(precise).map(MeetingAxis::of))
}

/// The ways from which the direction follows. `None` outside the domain.
#[cfg(feature = "gpu")]
pub(crate) fn meeting_ways(a: &Body<'_>, b: &Body<'_>) -> Option<Ways> {
    let (first, hull, _) = in_order(a, b);
    scaled_pair(first, hull, |precise, _| Some(Ways::of(precise.pair)))
}

/// The direction that follows from them.
#[cfg(feature = "gpu")]
pub(crate) fn meeting_axis_of(a: &Body<'_>, b: &Body<'_>, ways: Ways) -> Option<MeetingAxis> {
    let (first, hull, _) = in_order(a, b);
    scaled_pair(first, hull, |precise, _| axis_of(precise, ways.ended.as_ref(), || ways.out).map(MeetingAxis::of))
}

/// The hull last, and whether that is `a`.
fn in_order<'a, 'b>(a: &'a Body<'b>, b: &'a Body<'b>) -> (&'a Body<'b>, &'a Body<'b>, bool) {
    if b.frame.is_hull() { (a, b, false) } else { (b, a, true) }
}

/// How they meet along it. `None` where a face has too many corners, and where what is foremost does not meet.
pub(crate) fn manifold_along(
    (a, of_a): (u32, &Body<'_>),
    (b, of_b): (u32, &Body<'_>),
    axis: &MeetingAxis,
    known: Known,
    most: u32,
) -> Option<Manifold> {
    let (first, hull, swapped) = in_order(of_a, of_b);
    scaled_pair(first, hull, |precise, size| {
        let depths = depths(axis.distance, neg(axis.height), known, size);
        Some(finished((a, b), &points_along(precise, axis, depths, most)?, swapped, size))
    })
}

fn finished((a, b): (u32, u32), points: &Points, swapped: bool, size: u32) -> Manifold {
    let points = points.finished(swapped, power(size));
    let mut found = Manifold::new((a, b), points.normal, points.depth, points.kind as u32);
    for k in 0..points.count as usize {
        let [x, y, z] = points.at[k];
        found.push([x, y, z, points.depths[k]], points.features[k] as u32);
    }
    found
}
