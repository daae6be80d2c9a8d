//! The axis along which two boxes are parted soonest: the best of six faces, and which products of two edges can be better.

use super::edges::Edges;
use super::frame::{Solid, between};
use super::turn::{abs3, any_of, dot3};
use crate::det::{abs, add, max, mul, rsqrt, sub};
use crate::lanes::{Number, Truth};

/// A later axis is preferred only if it is shallower by more than this share of the pair's size, so that what rounding decides is
/// settled in favour of faces, which give more points, and the same way from frame to frame. 48 u, u being 2⁻²⁴.
pub(super) const TOLERANCE: f32 = 48.0 / (1 << 24) as f32;

/// Of two pairs of edges a later one is preferred already if it is shallower by more than this share, 6 u. Edges that are not the best cross
/// beyond the end of one of them: by the difference of the depths, divided by the angle between the two axes.
pub(super) const EDGE_TOLERANCE: f32 = 6.0 / (1 << 24) as f32;

/// What the depth along an axis of two edges can be wrong by when all is computed in single words, times the sine between the edges,
/// as a share of the pair's size: entries of the relative rotation have errors of 4 u, and at most four half extents and the
/// distance of the centres are multiplied by them.
pub(super) const EDGE_BOUND: f32 = 40.0 / (1 << 24) as f32;

/// Edges whose sine is smaller count as parallel. Leaving out their axis costs at most three times the sine, as a share of the
/// size: seen along the edges the boxes are nearly polygons, and those are parted soonest along the normal of a side.
pub(super) const SMALLEST_SINE_SQUARED: f32 = 1.0 / (1_u64 << 42) as f32;

/// Two boxes seen from each other; or several pairs of boxes side by side.
#[derive(Clone, Copy)]
pub(super) struct Relative<T> {
    /// Entry `[i][j]` is the cosine between axis i of A and axis j of B. Error at most 4 u.
    cosines: [[T; 3]; 3],
    /// From A's centre to B's, along the axes of A, and of B. Error at most 4.5 u of its length.
    along_a: [T; 3],
    along_b: [T; 3],
    half_a: [T; 3],
    half_b: [T; 3],
    /// The sum of the largest half extents.
    size: T,
}

impl<T: Number> Relative<T> {
    #[inline(always)]
    pub(super) fn of(a: &Solid<T>, b: &Solid<T>) -> Self {
        let between = between(a, b);
        Self {
            cosines: [along(b.axes, a.axes[0]), along(b.axes, a.axes[1]), along(b.axes, a.axes[2])],
            along_a: along(a.axes, between),
            along_b: along(b.axes, between),
            half_a: a.half,
            half_b: b.half,
            size: add(a.size(), b.size()),
        }
    }

    #[inline(always)]
    fn tolerance(&self) -> T {
        mul(T::splat(TOLERANCE), self.size)
    }

    /// The face along whose normal the boxes are parted soonest: 0–2 are those of A, 3–5 those of B. And the depth along it.
    #[inline(always)]
    fn face(&self) -> (T, T) {
        let tolerance = self.tolerance();
        let (mut face, mut least) = (T::splat(0.0), self.depth_along_face(0));
        for k in 1..6 {
            let depth = self.depth_along_face(k);
            let wins = add(depth, tolerance).below(least);
            face = T::choose(wins, T::splat(k as f32), face);
            least = T::choose(wins, depth, least);
        }
        (face, least)
    }

    #[inline(always)]
    fn depth_along_face(&self, k: usize) -> T {
        let i = k % 3;
        // Half the extent of the other box is given by its cosines.
        if k < 3 {
            sub(add(self.half_a[i], dot3(self.half_b, abs3(self.cosines[i]))), abs(self.along_a[i]))
        } else {
            let column = [self.cosines[0][i], self.cosines[1][i], self.cosines[2][i]];
            sub(add(self.half_b[i], dot3(self.half_a, abs3(column))), abs(self.along_b[i]))
        }
    }

    /// The best face, and the edges that can be better.
    #[inline(always)]
    pub(super) fn look(&self) -> Look<T> {
        let zero = T::splat(0.0);
        let tolerance = self.tolerance();
        let bound = mul(T::splat(EDGE_BOUND), self.size);
        let (face, depth) = self.face();
        // Of each pair of edges: the depth times the sine, at least and at most, and the square of the sine.
        let mut least = [zero; 9];
        let mut most = [zero; 9];
        let mut sines_squared = [zero; 9];
        for k in 0..9 {
            let edges = self.rough_edges(k);
            let room = self.room(k, &edges);
            (least[k], most[k], sines_squared[k]) = (sub(room, bound), add(room, bound), edges.sine_squared());
        }
        let limit = Limit::of(sub(depth, tolerance));
        let mut contenders = [zero.below(zero); 9];
        for k in 0..9 {
            let parallel = sines_squared[k].below(T::splat(SMALLEST_SINE_SQUARED));
            contenders[k] = limit.is_above(least[k], sines_squared[k]).and(parallel.not());
        }
        let mut look = Look { face, depth, close: zero };
        if !any_of::<T>(&contenders).any() {
            return look;
        }
        // The axis along which the depth is at most the least of all: by squares, so that one root is enough.
        let mut best = max(depth, zero);
        let (mut best_square, mut best_sine_squared) = (mul(best, best), T::splat(1.0));
        for k in 0..9 {
            let square = mul(most[k], most[k]);
            let ahead = mul(square, best_sine_squared).below(mul(best_square, sines_squared[k])).and(contenders[k]);
            best = T::choose(ahead, most[k], best);
            best_square = T::choose(ahead, square, best_square);
            best_sine_squared = T::choose(ahead, sines_squared[k], best_sine_squared);
        }
        // A later axis is preferred to an earlier one only if it is better by more than the tolerance.
        let limit = Limit::of(add(mul(best, rsqrt(best_sine_squared)), tolerance));
        for k in 0..9 {
            let is_close = limit.is_above(least[k], sines_squared[k]).and(contenders[k]);
            look.close = add(look.close, T::choose(is_close, T::splat((1 << k) as f32), zero));
        }
        look
    }

    /// Edges i and j, k being 3 i + j, by cosines in single words, without the sine.
    #[inline(always)]
    fn rough_edges(&self, k: usize) -> Edges<T> {
        let (i, j) = (k / 3, k % 3);
        let ([i1, i2], [j1, j2]) = (others(i), others(j));
        let of_b = [self.cosines[i1][j], self.cosines[i2][j]];
        Edges { of_b, of_a: [self.cosines[i][j1], self.cosines[i][j2]], inverse: T::splat(0.0) }
    }

    /// How deep the boxes are in each other along the product of edges i and j, times the sine.
    #[inline(always)]
    fn room(&self, k: usize, edges: &Edges<T>) -> T {
        let ([i1, i2], [j1, j2]) = (others(k / 3), others(k % 3));
        let (half_a, half_b) = ([self.half_a[i1], self.half_a[i2]], [self.half_b[j1], self.half_b[j2]]);
        edges.room(half_a, half_b, [self.along_a[i1], self.along_a[i2]])
    }
}

/// A depth with which those along products of edges are compared without a root, by signs and squares.
struct Limit<T: Number> {
    is_positive: T::Truth,
    square: T,
}

impl<T: Number> Limit<T> {
    #[inline(always)]
    fn of(depth: T) -> Self {
        Self { is_positive: T::splat(0.0).below(depth), square: mul(depth, depth) }
    }

    /// Whether a depth, given times a sine whose square is given, is less.
    #[inline(always)]
    fn is_above(&self, room: T, sine_squared: T) -> T::Truth {
        let (ours, theirs) = (mul(room, room), mul(self.square, sine_squared));
        let below_zero = room.below(T::splat(0.0));
        let if_positive = self.is_positive.and(below_zero.or(ours.below(theirs)));
        if_positive.or(self.is_positive.not().and(below_zero).and(theirs.below(ours)))
    }
}

/// What a first look at two boxes shows.
pub(super) struct Look<T> {
    /// The face along whose normal they are parted soonest: 0–2 are those of A, 3–5 those of B. And the depth along it.
    pub(super) face: T,
    pub(super) depth: T,
    /// The pairs of edges that can be better, 3 i + j as a power of two.
    pub(super) close: T,
}

/// The components of a vector along axes.
#[inline(always)]
pub(super) fn along<T: Number>([x, y, z]: [[T; 3]; 3], v: [T; 3]) -> [T; 3] {
    [dot3(x, v), dot3(y, v), dot3(z, v)]
}

/// The axes after `k`, in turn.
fn others(k: usize) -> [usize; 2] {
    [(k + 1) % 3, (k + 2) % 3]
}
