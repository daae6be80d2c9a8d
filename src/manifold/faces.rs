//! Where a face of one box and a face of the other meet: the incident face, a parallelogram, clipped to the reference face, a rectangle.
//!
//! Nothing here branches, so that several pairs can be computed side by side. Each of the twelve points that can be a corner of what is
//! left is computed, and whether it is one: the incident face's edges where they begin and where they end within the rectangle, and the
//! rectangle's corners within the incident face. Rounding may make two points of one, but loses none: a corner of the rectangle that is
//! outside by less than rounding counts as inside.

use super::axes::{TOLERANCE, along};
use super::frame::{Solid, between, clamped, signed};
use super::points::{Points, chosen, point_to_world};
use super::turn::{Turn, abs3, add3, any_of, scale3, signed3, sub3};
use crate::det::{abs, add, max, min, mul, neg, recip, sub};
use crate::lanes::{Number, Truth};
use crate::query::ContactKind;

/// By how much the reference face is made larger before the other is clipped to it, as a share of the pair's size: 24 u, more than the
/// rounding of a corner, so that rounding does not decide what of equal faces is inside. Points are then moved into the face.
const SIDE_SLACK: f32 = 24.0 / (1 << 24) as f32;

/// How far outside the incident face a corner of the larger face may be, as a share of the size: 8 u, more than the rounding of this test
/// and of an edge's ends together.
const CORNER_SLACK: f32 = 8.0 / (1 << 24) as f32;

/// The most points.
pub(super) const CANDIDATES: usize = 12;

/// All points that can be corners, and the two faces.
struct Clipped<T: Number> {
    /// The side of the reference box.
    positive: T::Truth,
    /// The face of the incident box: axis and side.
    incident_axis: T,
    incident_positive: T::Truth,
    corners: Corners<T>,
}

/// Points that can be corners.
pub(super) struct Corners<T: Number> {
    /// Place in the reference face, and depth under it: where each of four edges begins, and where it ends, in turn, then four corners. The
    /// last is the deepest corner of the incident face, moved into the reference face; for when there is no other point.
    pub(super) points: [[T; 3]; CANDIDATES + 1],
    pub(super) valid: [T::Truth; CANDIDATES + 1],
    /// The two lines that cross in a point, eight times the one that comes before and the one that goes on: 0–3 are edges of the incident
    /// face, 4–7 sides of the reference face (−x, +x, −y, +y). 0 for the last point.
    pub(super) lines: [T; CANDIDATES + 1],
}

/// The reference face is one across the first axis of its box. Whether that is A decides on which side a centre in the middle is.
#[inline(always)]
fn clip<T: Number>(reference: &Solid<T>, incident: &Solid<T>, of_a: T::Truth, floor: T) -> Clipped<T> {
    let (zero, one) = (T::splat(0.0), T::splat(1.0));
    // Of the incident box, along each axis of the reference box.
    let across = along(incident.axes, reference.axes[0]);
    let along_u = along(incident.axes, reference.axes[1]);
    let along_v = along(incident.axes, reference.axes[2]);
    let offset = along(reference.axes, between(reference, incident));
    let [height, half_u, half_v] = reference.half;
    let size = add(reference.size(), incident.size());
    // (A centre in the middle counts as beyond A's face, and as before B's.)
    let positive = of_a.and(offset[0].below(zero).not()).or(of_a.not().and(zero.below(offset[0])));
    // The face of the incident box that looks most against the reference face.
    let [x, y, z] = abs3(across);
    let is_first = x.below(y).not().and(x.below(z).not());
    let (second, third) = (is_first.not().and(y.below(z).not()), is_first.not().and(y.below(z)));
    let incident_axis = T::choose(third, T::splat(2.0), T::choose(second, one, zero));
    let turn = Turn::by(second, third);
    let [across, along_u, along_v] = [turn.of(across), turn.of(along_u), turn.of(along_v)];
    let [half_j, half_right, half_up] = turn.of(incident.half);
    let cosine = across[0];
    let incident_positive = positive.and(zero.below(cosine).not()).or(positive.not().and(cosine.below(zero).not()));
    // Its middle and half its sides: place in the reference face, and depth under it.
    let [middle, right, up] = [signed(half_j, incident_positive), half_right, half_up];
    let columns =
        [[along_u[0], along_v[0], across[0]], [along_u[1], along_v[1], across[1]], [along_u[2], along_v[2], across[2]]];
    let [middle, right, up] = [scale3(columns[0], middle), scale3(columns[1], right), scale3(columns[2], up)];
    let middle = add3([offset[1], offset[2], offset[0]], middle);
    let middle = [middle[0], middle[1], sub(height, signed(middle[2], positive))];
    let right = [right[0], right[1], signed(right[2], positive.not())];
    let up = [up[0], up[1], signed(up[2], positive.not())];
    let inverse = signed(recip(cosine), positive);
    let slope = [mul(along_u[0], inverse), mul(along_v[0], inverse)];
    let slack = mul(T::splat(SIDE_SLACK), size);
    let sides = [add(half_u, slack), add(half_v, slack)];
    let least = sub(floor, mul(T::splat(TOLERANCE), size));
    let reference = Reference { half: [half_u, half_v], slope, least };
    let mut found =
        Corners { points: [[zero; 3]; CANDIDATES + 1], valid: [of_a; CANDIDATES + 1], lines: [zero; CANDIDATES + 1] };
    let edges =
        [(sub3(middle, up), right), (add3(middle, right), up), (add3(middle, up), right), (sub3(middle, right), up)];
    let inverses = [[recip(right[0]), recip(right[1])], [recip(up[0]), recip(up[1])]];
    for (e, (through, along)) in edges.into_iter().enumerate() {
        let part = within(through, along, inverses[e % 2], sides);
        // The last two edges are walked backwards.
        let [start, end] = if e < 2 { [part.first, part.last] } else { [part.last, part.first] };
        let (edge, before) = (T::splat(e as f32), T::splat(((e + 3) % 4) as f32));
        let (first, last) = (add(start.side, T::splat(4.0)), add(end.side, T::splat(4.0)));
        let start_at = add3(through, scale3(along, start.t));
        let end_at = add3(through, scale3(along, end.t));
        found.put(2 * e, start_at, part.valid, crossing(T::choose(start.cut, first, before), edge), &reference);
        found.put(2 * e + 1, end_at, part.valid.and(end.cut), crossing(edge, last), &reference);
    }
    // Corners of the reference face: between the lines of opposite sides of the incident face, and within its bounds.
    let slack = mul(T::splat(CORNER_SLACK), size);
    let area = abs(sub(mul(right[0], up[1]), mul(right[1], up[0])));
    let most =
        [add(area, mul(slack, add(abs(right[0]), abs(right[1])))), add(area, mul(slack, add(abs(up[0]), abs(up[1]))))];
    let bounds = [add(add(abs(right[0]), abs(up[0])), slack), add(add(abs(right[1]), abs(up[1])), slack)];
    for k in 0..4 {
        let at = [if k & 1 == 0 { neg(sides[0]) } else { sides[0] }, if k & 2 == 0 { neg(sides[1]) } else { sides[1] }];
        let d = [sub(at[0], middle[0]), sub(at[1], middle[1])];
        let mut inside = beside(d, right, most[0]).and(beside(d, up, most[1]));
        inside = inside.and(bounds[0].below(abs(d[0])).not()).and(bounds[1].below(abs(d[1])).not());
        let deeper = add(mul(slope[0], d[0]), mul(slope[1], d[1]));
        let lines = T::splat((8 * (4 + k % 2) + 6 + k / 2) as f32);
        found.put(8 + k, [at[0], at[1], add(middle[2], deeper)], inside, lines, &reference);
    }
    found.points[CANDIDATES] = reference.moved(add3(middle, add3(towards_depth(right), towards_depth(up))));
    found.valid[CANDIDATES] = any_of::<T>(&found.valid[..CANDIDATES]).not();
    Clipped { positive, incident_axis, incident_positive, corners: found }
}

/// The points of the incident face within the reference face, of which what lies under it is kept, or above it by no more than the floor says. As
/// [`clip`], with the number that the first axis has in the reference box, and the depth of the contact and the least of its points.
#[inline(always)]
pub(super) fn meet<T: Number>(
    reference: &Solid<T>,
    incident: &Solid<T>,
    of_a: T::Truth,
    axis: T,
    [depth, floor]: [T; 2],
    most: u32,
) -> Points<T> {
    let Clipped { positive, incident_axis, incident_positive, corners } = clip(reference, incident, of_a, floor);
    // From A to B.
    let outwards = positive.and(of_a).or(positive.or(of_a).not());
    let normal = signed3(reference.axes[0], outwards);
    let (face_a, face_b) = (f32::from(ContactKind::FaceA as u8), f32::from(ContactKind::FaceB as u8));
    let kind = T::choose(of_a, T::splat(face_a), T::splat(face_b));
    let chosen = chosen(&corners, most);
    let mut points = Points::new(normal, depth, kind, chosen.count);
    let ids = [face_id(axis, positive), face_id(incident_axis, incident_positive)];
    let faces = add(mul(ids[0], T::splat(65536.0)), mul(ids[1], T::splat(256.0)));
    let height = reference.half[0];
    for k in 0..4 {
        if !T::splat(k as f32).below(chosen.count).any() {
            break;
        }
        let place = |lane: usize| chosen.places[k].lane(lane) as usize;
        let x = T::from_fn(|lane| corners.points[place(lane)][0].lane(lane));
        let y = T::from_fn(|lane| corners.points[place(lane)][1].lane(lane));
        let own = T::from_fn(|lane| corners.points[place(lane)][2].lane(lane));
        let lines = T::from_fn(|lane| corners.lines[place(lane)].lane(lane));
        // On B: the incident box under a face of A, or a face of B itself.
        let below = T::choose(of_a, sub(height, own), height);
        points.at[k] = point_to_world(reference, [signed(below, positive), x, y]);
        points.depths[k] = min(max(own, floor), depth);
        points.features[k] = add(faces, lines);
    }
    points
}

/// The number of a face: its axis, and its side.
#[inline(always)]
fn face_id<T: Number>(axis: T, positive: T::Truth) -> T {
    add(add(axis, axis), T::choose(positive, T::splat(1.0), T::splat(0.0)))
}

/// What is asked of a point in the reference face.
struct Reference<T> {
    half: [T; 2],
    /// How the depth changes along the face.
    slope: [T; 2],
    /// The least depth.
    least: T,
}

impl<T: Number> Reference<T> {
    /// The point of the incident face that is in the reference face, next to this one.
    #[inline(always)]
    fn moved(&self, at: [T; 3]) -> [T; 3] {
        let (x, y) = (clamped(at[0], self.half[0]), clamped(at[1], self.half[1]));
        let deeper = add(mul(self.slope[0], sub(x, at[0])), mul(self.slope[1], sub(y, at[1])));
        [x, y, add(at[2], deeper)]
    }
}

impl<T: Number> Corners<T> {
    #[inline(always)]
    fn put(&mut self, k: usize, at: [T; 3], is_corner: T::Truth, lines: T, reference: &Reference<T>) {
        let at = reference.moved(at);
        self.points[k] = at;
        self.valid[k] = is_corner.and(at[2].below(reference.least).not());
        self.lines[k] = lines;
    }
}

/// The lines that cross in a point.
#[inline(always)]
fn crossing<T: Number>(line: T, next: T) -> T {
    add(mul(line, T::splat(8.0)), next)
}

/// Whether a place `d` from the middle of the incident face is not beside it, seen along one of its sides.
#[inline(always)]
fn beside<T: Number>(d: [T; 2], along: [T; 3], most: T) -> T::Truth {
    most.below(abs(sub(mul(d[0], along[1]), mul(d[1], along[0])))).not()
}

/// A side of the incident face, or its opposite, whichever goes deeper.
#[inline(always)]
fn towards_depth<T: Number>(v: [T; 3]) -> [T; 3] {
    signed3(v, T::splat(0.0).below(v[2]))
}

/// An end of what of an edge is within the reference face.
#[derive(Clone, Copy)]
struct End<T: Number> {
    /// −1 and 1 are the edge's own ends.
    t: T,
    /// Whether the edge is cut there, and by which side.
    cut: T::Truth,
    side: T,
}

struct Part<T: Number> {
    first: End<T>,
    last: End<T>,
    valid: T::Truth,
}

/// The part of an edge that is within the sides of the reference face.
#[inline(always)]
fn within<T: Number>(through: [T; 3], along: [T; 3], inverse: [T; 2], sides: [T; 2]) -> Part<T> {
    let one = T::splat(1.0);
    let (first_u, first_side_u, last_u, last_side_u, inside_u) = between_sides(0, through, along, inverse, sides);
    let (first_v, first_side_v, last_v, last_side_v, inside_v) = between_sides(1, through, along, inverse, sides);
    let (by_v, until_v) = (first_u.below(first_v), last_v.below(last_u));
    let (first, last) = (max(first_u, first_v), min(last_u, last_v));
    let begin =
        End { t: max(first, neg(one)), cut: neg(one).below(first), side: T::choose(by_v, first_side_v, first_side_u) };
    let end = End { t: min(last, one), cut: last.below(one), side: T::choose(until_v, last_side_v, last_side_u) };
    let valid = end.t.below(begin.t).not().and(inside_u).and(inside_v);
    Part { first: begin, last: end, valid }
}

/// The part of an edge's line that is between two opposite sides: where it begins and at which side, where it ends and at which, and whether
/// there is any.
#[inline(always)]
fn between_sides<T: Number>(
    k: usize,
    through: [T; 3],
    along: [T; 3],
    inverse: [T; 2],
    sides: [T; 2],
) -> (T, T, T, T, T::Truth) {
    let (zero, two) = (T::splat(0.0), T::splat(2.0));
    let flat = along[k].equals(zero);
    let low = mul(sub(neg(sides[k]), through[k]), inverse[k]);
    let high = mul(sub(sides[k], through[k]), inverse[k]);
    let upwards = along[k].below(zero).not();
    let first = T::choose(flat, neg(two), min(low, high));
    let last = T::choose(flat, two, max(low, high));
    let (near, far) = (T::splat((2 * k) as f32), T::splat((2 * k + 1) as f32));
    let inside = flat.and(sides[k].below(abs(through[k]))).not();
    (first, T::choose(upwards, near, far), last, T::choose(upwards, far, near), inside)
}
