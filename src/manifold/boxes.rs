//! Contacts of boxes.

use super::axes::{Least, Relative, least_edges};
use super::depth_of;
use super::faces::{Clipped, clip};
use super::frame::{Solid, between, clamped, signed};
use super::points::{Points, chosen, point_to_world};
use super::turn::{Turn, add3, any_of, choose3, scale3, signed3};
use crate::det::{Number, Truth, add, max, min, mul, neg, sub};
use crate::query::ContactKind;

/// How two boxes meet, the lower kind being the first; or the boxes of several pairs. `low` returns what the rounding of the axes left, of
/// both boxes.
#[inline(always)]
pub(super) fn boxes<T: Number>(
    [a, b]: [&Solid<T>; 2],
    low: impl Fn() -> [[[T; 3]; 3]; 2],
    touching: T::Truth,
    most: u32,
) -> Points<T> {
    let seen = Relative::of(a, b, between(a, b));
    let (face, depth) = seen.face();
    let contenders = seen.contenders(depth);
    if !any_of::<T>(&contenders).any() {
        return of_face([a, b], &seen, face, depth_of(depth, touching), most);
    }
    let least = least_edges(&seen, [a, b], low, &contenders, depth);
    if !least.found.not().any() {
        return of_edges([a, b], &seen, &least, touching);
    }
    let by_face = of_face([a, b], &seen, face, depth_of(depth, touching), most);
    if !least.found.any() {
        return by_face;
    }
    Points::choose(least.found, of_edges([a, b], &seen, &least, touching), by_face)
}

/// The points of the incident face within the reference face, of which what lies under it is kept.
#[inline(always)]
fn of_face<T: Number>([a, b]: [&Solid<T>; 2], seen: &Relative<T>, face: T, depth: T, most: u32) -> Points<T> {
    let clipped: Clipped<T> = clip(seen, face);
    let (of_a, positive) = (clipped.of_a, clipped.positive);
    let three = |a: [T; 3], b: [T; 3]| choose3(of_a, a, b);
    let reference = Solid {
        center: three(a.center, b.center),
        center_low: three(a.center_low, b.center_low),
        half: a.half,
        axes: [three(a.axes[0], b.axes[0]), three(a.axes[1], b.axes[1]), three(a.axes[2], b.axes[2])],
    };
    let turn = Turn::to(clipped.axis);
    // From A to B.
    let outwards = positive.and(of_a).or(positive.or(of_a).not());
    let normal = signed3(turn.first_of3(reference.axes), outwards);
    let code = |kind: ContactKind| T::splat(f32::from(kind as u8));
    let kind = T::choose(of_a, code(ContactKind::FaceA), code(ContactKind::FaceB));
    let corners = chosen(&clipped, most);
    let mut points = Points::new(normal, depth, kind, corners.count);
    let id = |axis: T, positive: T::Truth| add(add(axis, axis), T::choose(positive, T::splat(1.0), T::splat(0.0)));
    let incident = id(clipped.incident_axis, clipped.incident_positive);
    let faces = add(mul(id(clipped.axis, positive), T::splat(65536.0)), mul(incident, T::splat(256.0)));
    for k in 0..4 {
        if !T::splat(k as f32).below(corners.count).any() {
            break;
        }
        let place = |lane: usize| corners.places[k].lane(lane) as usize;
        let x = T::from_fn(|lane| clipped.points[place(lane)][0].lane(lane));
        let y = T::from_fn(|lane| clipped.points[place(lane)][1].lane(lane));
        let own = T::from_fn(|lane| clipped.points[place(lane)][2].lane(lane));
        let lines = T::from_fn(|lane| clipped.lines[place(lane)].lane(lane));
        // On B: the incident box under a face of A, or a face of B itself.
        let below = T::choose(of_a, sub(clipped.height, own), clipped.height);
        points.at[k] = point_to_world(&reference, turn.back([signed(below, positive), x, y]));
        points.depths[k] = min(max(own, T::splat(0.0)), depth);
        points.features[k] = add(faces, lines);
    }
    points
}

/// Where the edge of B passes that of A, both being foremost along the normal.
#[inline(always)]
fn of_edges<T: Number>([a, b]: [&Solid<T>; 2], seen: &Relative<T>, least: &Least<T>, touching: T::Truth) -> Points<T> {
    let (turn_a, turn_b) = (Turn::to(least.of_a), Turn::to(least.of_b));
    let edges = &least.edges;
    let not_negative = |x: T| x.below(T::splat(0.0)).not();
    // The unit normal along the product of the edges, or along its opposite.
    let [_, along_1, along_2] = turn_a.of(seen.along_a);
    let positive = not_negative(edges.distance([along_1, along_2]));
    let first = signed(mul(neg(edges.of_b[1]), edges.inverse), positive);
    let second = signed(mul(edges.of_b[0], edges.inverse), positive);
    let [_, axis_1, axis_2] = turn_a.of3(a.axes);
    let normal = add3(scale3(axis_1, first), scale3(axis_2, second));
    // The product of the edges has these cosines with the other axes, times the sine: towards B for A's edge, and back for B's.
    let foremost = |x: T| not_negative(signed(x, positive));
    let (a1, a2) = (foremost(neg(edges.of_b[1])), foremost(edges.of_b[0]));
    let (b1, b2) = (foremost(neg(edges.of_a[1])), foremost(edges.of_a[0]));
    // Across A's edge: from it to the middle of B's.
    let [_, half_a1, half_a2] = turn_a.of(a.half);
    let [half_b, half_b1, half_b2] = turn_b.of(b.half);
    let (to_1, to_2) = (signed(half_b1, b1), signed(half_b2, b2));
    let [_, row_1, row_2] = turn_a.of3(seen.cosines);
    let ([_, c11, c12], [_, c21, c22]) = (turn_b.of(row_1), turn_b.of(row_2));
    let d1 = sub(add(add(along_1, mul(to_1, c11)), mul(to_2, c12)), signed(half_a1, a1));
    let d2 = sub(add(add(along_2, mul(to_1, c21)), mul(to_2, c22)), signed(half_a2, a2));
    let along = neg(mul(add(mul(d1, edges.of_b[0]), mul(d2, edges.of_b[1])), mul(edges.inverse, edges.inverse)));
    let local = turn_b.back([clamped(along, half_b), to_1, to_2]);
    let depth = depth_of(least.depth, touching);
    let feature = add(mul(edge_id(least.of_a, a1, a2), T::splat(256.0)), edge_id(least.of_b, b1, b2));
    Points::one(normal, depth, ContactKind::Edges, point_to_world(b, local), feature)
}

/// The number of an edge: its axis, and on which sides of the other two it lies.
#[inline(always)]
fn edge_id<T: Number>(axis: T, first: T::Truth, second: T::Truth) -> T {
    let zero = T::splat(0.0);
    let sides = add(T::choose(first, T::splat(1.0), zero), T::choose(second, T::splat(2.0), zero));
    add(mul(axis, T::splat(4.0)), sides)
}
