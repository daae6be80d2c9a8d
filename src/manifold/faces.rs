//! Where a face of one box and a face of the other meet: the incident face, a parallelogram, clipped to the reference face, a rectangle.
//!
//! Nothing here branches, so that eight pairs can be computed side by side. Each of the twelve points that can be a corner of what is
//! left is computed, and whether it is one: the incident face's edges where they begin and where they end within the rectangle, and the
//! rectangle's corners within the incident face. Rounding may make two points of one, but loses none: a corner of the rectangle that is
//! outside by less than rounding counts as inside.

use super::axes::Relative;
use super::frame::{clamped, signed};
use super::turn::{Turn, add3, choose3, scale3, sub3};
use crate::det::{Number, Truth, abs, add, max, min, mul, neg, recip, sub};

/// By how much the reference face is made larger before the other is clipped to it, as a share of the pair's size: 24 u, more than the
/// rounding of a corner, so that rounding does not decide what of equal faces is inside. Points are then moved into the face.
const SIDE_SLACK: f32 = 24.0 / (1 << 24) as f32;

/// How far outside the incident face a corner of the larger face may be, as a share of the size: 8 u, more than the rounding of this test
/// and of an edge's ends together.
const CORNER_SLACK: f32 = 8.0 / (1 << 24) as f32;

/// The most points.
pub(super) const CANDIDATES: usize = 12;

/// Both faces, and all points that can be corners.
pub(super) struct Clipped<T: Number> {
    /// Whether A is the reference box.
    pub(super) of_a: T::Truth,
    /// The face of the reference box: axis and side. And that of the other.
    pub(super) axis: T,
    pub(super) positive: T::Truth,
    pub(super) incident_axis: T,
    pub(super) incident_positive: T::Truth,
    /// The half extent of the reference box along the axis.
    pub(super) height: T,
    /// Place in the reference face, and depth under it: where each of four edges begins, and where it ends, in turn, then four corners. The
    /// last is the deepest corner of the incident face, moved into the reference face; for when there is no other point.
    pub(super) points: [[T; 3]; CANDIDATES + 1],
    pub(super) valid: [T::Truth; CANDIDATES + 1],
    /// The two lines that cross in a point, eight times the one that comes before and the one that goes on: 0–3 are edges of the incident
    /// face, 4–7 sides of the reference face (−x, +x, −y, +y). 0 for the last point.
    pub(super) lines: [T; CANDIDATES + 1],
}

/// `face` is 0–2 for a face of A, and 3–5 for one of B.
#[inline(always)]
pub(super) fn clip<T: Number>(seen: &Relative<T>, face: T) -> Clipped<T> {
    let [zero, one] = [0.0, 1.0].map(T::splat);
    let of_a = face.below(T::splat(2.5));
    let axis = T::choose(of_a, face, sub(face, T::splat(3.0)));
    let turn = Turn::to(axis);
    // Rows and columns in turn: of the reference box from the face's axis on, of the incident one likewise.
    let cosines = seen.cosines;
    let rows = [0, 1, 2].map(|i| [0, 1, 2].map(|j| T::choose(of_a, cosines[i][j], cosines[j][i])));
    let [across, along_u, along_v] = turn.of3(rows);
    let offset = turn.of(choose3(of_a, seen.along_a, seen.along_b.map(neg)));
    let [height, half_u, half_v] = turn.of(choose3(of_a, seen.half_a, seen.half_b));
    let half_incident = choose3(of_a, seen.half_b, seen.half_a);
    // (A centre in the middle counts as beyond A's face, and as before B's.)
    let positive = of_a.and(offset[0].below(zero).not()).or(of_a.not().and(zero.below(offset[0])));
    // The face of the incident box that looks most against the reference face.
    let [x, y, z] = across.map(abs);
    let is_first = x.below(y).not().and(x.below(z).not());
    let (second, third) = (is_first.not().and(y.below(z).not()), is_first.not().and(y.below(z)));
    let incident_axis = T::choose(third, T::splat(2.0), T::choose(second, one, zero));
    let turn = Turn::by(second, third);
    let [across, along_u, along_v] = [across, along_u, along_v].map(|row| turn.of(row));
    let [half_j, half_right, half_up] = turn.of(half_incident);
    let cosine = across[0];
    let incident_positive = positive.and(zero.below(cosine).not()).or(positive.not().and(cosine.below(zero).not()));
    // Its middle and half its sides: place in the reference face, and depth under it.
    let [middle, right, up] = [signed(half_j, incident_positive), half_right, half_up];
    let column = |k: usize, length: T| scale3([along_u[k], along_v[k], across[k]], length);
    let [middle, right, up] =
        [add3([offset[1], offset[2], offset[0]], column(0, middle)), column(1, right), column(2, up)];
    let middle = [middle[0], middle[1], sub(height, signed(middle[2], positive))];
    let [right, up] = [right, up].map(|v| [v[0], v[1], signed(v[2], positive.not())]);
    // How the depth changes along the reference face.
    let inverse = signed(recip(cosine), positive);
    let slope = [mul(along_u[0], inverse), mul(along_v[0], inverse)];
    let half = [half_u, half_v];
    let slack = mul(T::splat(SIDE_SLACK), seen.size);
    let sides = half.map(|half| add(half, slack));
    let moved = |at: [T; 3]| {
        let (x, y) = (clamped(at[0], half[0]), clamped(at[1], half[1]));
        let deeper = add(mul(slope[0], sub(x, at[0])), mul(slope[1], sub(y, at[1])));
        [x, y, add(at[2], deeper)]
    };
    let least = neg(seen.tolerance());
    let (mut points, mut valid) = ([[zero; 3]; CANDIDATES + 1], [of_a; CANDIDATES + 1]);
    let mut lines = [zero; CANDIDATES + 1];
    let mut put = |k: usize, at: [T; 3], is_corner: T::Truth, crossing: T| {
        points[k] = moved(at);
        valid[k] = is_corner.and(points[k][2].below(least).not());
        lines[k] = crossing;
    };
    let edges =
        [(sub3(middle, up), right), (add3(middle, right), up), (add3(middle, up), right), (sub3(middle, right), up)];
    let inverses = [right, up].map(|v| [recip(v[0]), recip(v[1])]);
    for (e, (through, along)) in edges.into_iter().enumerate() {
        let part = within(through, along, inverses[e % 2], sides);
        let at = |t: T| add3(through, scale3(along, t));
        // The last two edges are walked backwards.
        let [start, end] = if e < 2 { [part.first, part.last] } else { [part.last, part.first] };
        let [edge, before] = [e, (e + 3) % 4].map(|e| T::splat(e as f32));
        let crossing = |line: T, next: T| add(mul(line, T::splat(8.0)), next);
        let [first, last] = [start.side, end.side].map(|side| add(side, T::splat(4.0)));
        put(2 * e, at(start.t), part.valid, crossing(T::choose(start.cut, first, before), edge));
        put(2 * e + 1, at(end.t), part.valid.and(end.cut), crossing(edge, last));
    }
    // Corners of the reference face: between the lines of opposite sides of the incident face, and within its bounds.
    let slack = mul(T::splat(CORNER_SLACK), seen.size);
    let area = abs(sub(mul(right[0], up[1]), mul(right[1], up[0])));
    let most = [right, up].map(|v| add(area, mul(slack, add(abs(v[0]), abs(v[1])))));
    let bounds = [0, 1].map(|k| add(add(abs(right[k]), abs(up[k])), slack));
    for k in 0..4 {
        let turn = |k: usize, bit: usize, of: [T; 2]| if k >> bit & 1 == 0 { neg(of[bit]) } else { of[bit] };
        let at = [turn(k, 0, sides), turn(k, 1, sides)];
        let d = [sub(at[0], middle[0]), sub(at[1], middle[1])];
        let beside = |v: [T; 3], most: T| most.below(abs(sub(mul(d[0], v[1]), mul(d[1], v[0])))).not();
        let mut inside = beside(right, most[0]).and(beside(up, most[1]));
        inside = inside.and(bounds[0].below(abs(d[0])).not()).and(bounds[1].below(abs(d[1])).not());
        let deeper = add(mul(slope[0], d[0]), mul(slope[1], d[1]));
        put(8 + k, [at[0], at[1], add(middle[2], deeper)], inside, T::splat((8 * (4 + k % 2) + 6 + k / 2) as f32));
    }
    points[CANDIDATES] = moved(add3(middle, add3(towards_depth(right), towards_depth(up))));
    valid[CANDIDATES] = valid[..CANDIDATES].iter().skip(1).fold(valid[0], |any, this| any.or(*this)).not();
    Clipped { of_a, axis, positive, incident_axis, incident_positive, height, points, valid, lines }
}

/// A side of the incident face, or its opposite, whichever goes deeper.
#[inline(always)]
fn towards_depth<T: Number>(v: [T; 3]) -> [T; 3] {
    let down = T::splat(0.0).below(v[2]);
    v.map(|x| signed(x, down))
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
    let [zero, one, two] = [0.0, 1.0, 2.0].map(T::splat);
    let of = |k: usize| {
        let flat = along[k].equals(zero);
        let [low, high] = [neg(sides[k]), sides[k]].map(|side| mul(sub(side, through[k]), inverse[k]));
        let upwards = along[k].below(zero).not();
        let first = T::choose(flat, neg(two), min(low, high));
        let last = T::choose(flat, two, max(low, high));
        let [near, far] = [0, 1].map(|side| T::splat((2 * k + side) as f32));
        let inside = flat.and(sides[k].below(abs(through[k]))).not();
        (first, T::choose(upwards, near, far), last, T::choose(upwards, far, near), inside)
    };
    let (first_u, first_side_u, last_u, last_side_u, inside_u) = of(0);
    let (first_v, first_side_v, last_v, last_side_v, inside_v) = of(1);
    let (by_v, until_v) = (first_u.below(first_v), last_v.below(last_u));
    let (first, last) = (max(first_u, first_v), min(last_u, last_v));
    let begin =
        End { t: max(first, neg(one)), cut: neg(one).below(first), side: T::choose(by_v, first_side_v, first_side_u) };
    let end = End { t: min(last, one), cut: last.below(one), side: T::choose(until_v, last_side_v, last_side_u) };
    let valid = end.t.below(begin.t).not().and(inside_u).and(inside_v);
    Part { first: begin, last: end, valid }
}
