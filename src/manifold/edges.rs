//! Where an edge of one box and an edge of the other cross.

use super::axes::{EDGE_BOUND, EDGE_TOLERANCE, SMALLEST_SINE_SQUARED, TOLERANCE};
use super::depth_of;
use super::frame::{Solid, between, clamped, signed};
use super::points::{Points, point_to_world};
use super::turn::{add3, dot3, scale3};
use crate::det::{abs, add, mul, neg, rsqrt, sub, two_prod, two_sum};
use crate::lanes::{Number, Truth};
use crate::query::ContactKind;

/// A depth along edges that can be wrong by more than this share of the pair's size, in single words, is computed from cosines in double
/// words: 64 u, less than the 4·10⁻⁶ that are promised.
const ROUGH: f32 = 64.0 / (1 << 24) as f32;

/// More than any depth.
const FAR: f32 = 1e30;

/// Two edges: entries of the relative rotation that are as small as the sine between the edges.
#[derive(Clone, Copy)]
pub(super) struct Edges<T> {
    /// Entries `[i + 1][j]` and `[i + 2][j]`, whose squares add up to that of the sine.
    pub(super) of_b: [T; 2],
    /// Entries `[i][j + 1]` and `[i][j + 2]`, likewise.
    pub(super) of_a: [T; 2],
    /// One over the sine; 0 if the edges are parallel.
    pub(super) inverse: T,
}

impl<T: Number> Edges<T> {
    /// With one over the sine.
    #[inline(always)]
    fn of(of_b: [T; 2], of_a: [T; 2]) -> Self {
        let edges = Self { of_b, of_a, inverse: T::splat(0.0) };
        let sine_squared = edges.sine_squared();
        let parallel = sine_squared.below(T::splat(SMALLEST_SINE_SQUARED));
        Self { inverse: T::choose(parallel, T::splat(0.0), rsqrt(sine_squared)), ..edges }
    }

    #[inline(always)]
    pub(super) fn sine_squared(&self) -> T {
        add(mul(self.of_b[0], self.of_b[0]), mul(self.of_b[1], self.of_b[1]))
    }

    /// The distance of the centres along the product of the edges, times the sine, given that along the other two axes of A.
    #[inline(always)]
    fn distance(&self, along_a: [T; 2]) -> T {
        sub(mul(along_a[1], self.of_b[0]), mul(along_a[0], self.of_b[1]))
    }

    /// How deep the boxes are in each other along the product, times the sine, given half extents along the other axes too.
    #[inline(always)]
    pub(super) fn room(&self, half_a: [T; 2], half_b: [T; 2], along_a: [T; 2]) -> T {
        let reach_a = add(mul(half_a[0], abs(self.of_b[1])), mul(half_a[1], abs(self.of_b[0])));
        let reach_b = add(mul(half_b[0], abs(self.of_a[1])), mul(half_b[1], abs(self.of_a[0])));
        sub(add(reach_a, reach_b), abs(self.distance(along_a)))
    }
}

/// Two edges that cross.
pub(super) struct Crossing<T> {
    /// How deep the boxes are in each other along their product.
    pub(super) depth: T,
    /// They are preferred to a face along whose normal that is more than the first, and to edges before them for which it is more than the
    /// second.
    pub(super) preferred_to: [T; 2],
    /// The contact if they are the best.
    pub(super) points: Points<T>,
}

/// How the edges cross that lie along the first axes of two boxes. `low` returns what the rounding of the axes left, of both boxes;
/// `axes` are the numbers that the first axes have in the boxes. Bodies that
/// touch have depth 0, and the others at least the floor.
#[inline(always)]
pub(super) fn cross<T: Number>(
    [a, b]: [&Solid<T>; 2],
    low: impl FnOnce() -> [[[T; 3]; 3]; 2],
    axes: [T; 2],
    (touching, floor): (T::Truth, T),
) -> Crossing<T> {
    let between = between(a, b);
    let along_a = [dot3(a.axes[1], between), dot3(a.axes[2], between)];
    let size = add(a.size(), b.size());
    let mut of_b = [dot3(a.axes[1], b.axes[0]), dot3(a.axes[2], b.axes[0])];
    let mut of_a = [dot3(a.axes[0], b.axes[1]), dot3(a.axes[0], b.axes[2])];
    // Where single words are precise enough, they are used.
    let rough = Edges::of(of_b, of_a);
    let too_rough = mul(T::splat(ROUGH), size).below(mul(mul(T::splat(EDGE_BOUND), size), rough.inverse));
    if too_rough.any() {
        let [low_a, low_b] = low();
        // (One after the other, so that the code is there once.)
        let mut cosines = [of_b[0], of_b[1], of_a[0], of_a[1]];
        for (cosine, (i, j)) in cosines.iter_mut().zip([(1, 0), (2, 0), (0, 1), (0, 2)]) {
            let precise = precise_cosine([(a.axes[i], low_a[i]), (b.axes[j], low_b[j])]);
            *cosine = T::choose(too_rough, precise, *cosine);
        }
        (of_b, of_a) = ([cosines[0], cosines[1]], [cosines[2], cosines[3]]);
    }
    let edges = Edges::of(of_b, of_a);
    let room = edges.room([a.half[1], a.half[2]], [b.half[1], b.half[2]], along_a);
    let depth = mul(room, edges.inverse);
    let parallel = edges.inverse.equals(T::splat(0.0));
    let above = |tolerance: f32| T::choose(parallel, T::splat(FAR), add(depth, mul(T::splat(tolerance), size)));
    let preferred_to = [above(TOLERANCE), above(EDGE_TOLERANCE)];
    Crossing { depth, preferred_to, points: points([a, b], &edges, along_a, depth_of(depth, touching, floor), axes) }
}

/// Where the edge of B passes that of A, both being foremost along the normal.
#[inline(always)]
fn points<T: Number>(
    [a, b]: [&Solid<T>; 2],
    edges: &Edges<T>,
    along_a: [T; 2],
    depth: T,
    [axis_a, axis_b]: [T; 2],
) -> Points<T> {
    // The unit normal along the product of the edges, or along its opposite.
    let positive = edges.distance(along_a).below(T::splat(0.0)).not();
    let first = signed(mul(neg(edges.of_b[1]), edges.inverse), positive);
    let second = signed(mul(edges.of_b[0], edges.inverse), positive);
    let normal = add3(scale3(a.axes[1], first), scale3(a.axes[2], second));
    // The product of the edges has these cosines with the other axes, times the sine: towards B for A's edge, and back for B's.
    let (a1, a2) = (foremost(neg(edges.of_b[1]), positive), foremost(edges.of_b[0], positive));
    let (b1, b2) = (foremost(neg(edges.of_a[1]), positive), foremost(edges.of_a[0], positive));
    // Across A's edge: from it to the middle of B's.
    let (to_1, to_2) = (signed(b.half[1], b1), signed(b.half[2], b2));
    let across_1 = across(a, b, 1, along_a[0], [to_1, to_2]);
    let across_2 = across(a, b, 2, along_a[1], [to_1, to_2]);
    let d1 = sub(across_1, signed(a.half[1], a1));
    let d2 = sub(across_2, signed(a.half[2], a2));
    let along = neg(mul(add(mul(d1, edges.of_b[0]), mul(d2, edges.of_b[1])), mul(edges.inverse, edges.inverse)));
    let local = [clamped(along, b.half[0]), to_1, to_2];
    let feature = add(mul(edge_id(axis_a, a1, a2), T::splat(256.0)), edge_id(axis_b, b1, b2));
    Points::one(normal, depth, ContactKind::Edges, point_to_world(b, local), feature)
}

#[inline(always)]
fn foremost<T: Number>(x: T, positive: T::Truth) -> T::Truth {
    signed(x, positive).below(T::splat(0.0)).not()
}

/// The middle of B's edge along axis `k` of A.
#[inline(always)]
fn across<T: Number>(a: &Solid<T>, b: &Solid<T>, k: usize, along: T, to: [T; 2]) -> T {
    let (first, second) = (dot3(a.axes[k], b.axes[1]), dot3(a.axes[k], b.axes[2]));
    add(add(along, mul(to[0], first)), mul(to[1], second))
}

/// The number of an edge: its axis, and on which sides of the other two it lies.
#[inline(always)]
fn edge_id<T: Number>(axis: T, first: T::Truth, second: T::Truth) -> T {
    let zero = T::splat(0.0);
    let sides = add(T::choose(first, T::splat(1.0), zero), T::choose(second, T::splat(2.0), zero));
    add(mul(axis, T::splat(4.0)), sides)
}

/// The product of two axes, each with what rounding left of it, with an absolute error of at most 2⁻⁴³ and then one rounding: products and
/// sums of the high words are exact, and all that is lower is added up.
#[inline(always)]
fn precise_cosine<T: Number>([(high_a, low_a), (high_b, low_b)]: [([T; 3], [T; 3]); 2]) -> T {
    let x = two_prod(high_a[0], high_b[0]);
    let y = two_prod(high_a[1], high_b[1]);
    let z = two_prod(high_a[2], high_b[2]);
    let xy = two_sum(x.high, y.high);
    let xyz = two_sum(xy.high, z.high);
    let mut low = add(add(add(x.low, y.low), z.low), add(xy.low, xyz.low));
    for k in 0..3 {
        low = add(low, add(mul(high_a[k], low_b[k]), mul(low_a[k], high_b[k])));
    }
    add(xyz.high, low)
}
