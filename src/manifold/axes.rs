//! The axis along which two boxes are parted soonest.

use super::frame::Solid;
use super::turn::{abs3, dot3};
use crate::det::{Number, Truth, abs, add, min, mul, rsqrt, sub, two_prod, two_sum};

/// A later axis is preferred only if it is shallower by more than this share of the pair's size, so that what rounding decides is
/// settled in favour of faces, which give more points, and the same way from frame to frame. 48 u, u being 2⁻²⁴.
pub(super) const TOLERANCE: f32 = 48.0 / (1 << 24) as f32;

/// What the depth along an axis of two edges can be wrong by when all is computed in single words, times the sine between the edges,
/// as a share of the pair's size: entries of the relative rotation have errors of 4 u, and at most four half extents and the
/// distance of the centres are multiplied by them.
const EDGE_BOUND: f32 = 40.0 / (1 << 24) as f32;

/// Edges whose sine is smaller count as parallel. Leaving out their axis costs at most three times the sine, as a share of the
/// size: seen along the edges the boxes are nearly polygons, and those are parted soonest along the normal of a side.
const SMALLEST_SINE_SQUARED: f32 = 1.0 / (1_u64 << 42) as f32;

/// Two boxes seen from each other; or several pairs of boxes side by side.
#[derive(Clone, Copy)]
pub(super) struct Relative<T> {
    /// Entry `[i][j]` is the cosine between axis i of A and axis j of B. Error at most 4 u.
    pub(super) cosines: [[T; 3]; 3],
    /// From A's centre to B's, along the axes of A, and of B. Error at most 4.5 u of its length.
    pub(super) along_a: [T; 3],
    pub(super) along_b: [T; 3],
    pub(super) half_a: [T; 3],
    pub(super) half_b: [T; 3],
    /// The sum of the largest half extents.
    pub(super) size: T,
}

impl<T: Number> Relative<T> {
    #[inline(always)]
    pub(super) fn of(a: &Solid<T>, b: &Solid<T>, between: [T; 3]) -> Self {
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
    pub(super) fn tolerance(&self) -> T {
        mul(T::splat(TOLERANCE), self.size)
    }

    /// The face along whose normal the boxes are parted soonest: 0–2 are those of A, 3–5 those of B. And the depth along it.
    #[inline(always)]
    pub(super) fn face(&self) -> (T, T) {
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

    /// The pairs of edges 3 i + j along whose product the boxes may be less deep in each other than along the best face.
    #[inline(always)]
    pub(super) fn contenders(&self, least: T) -> [T::Truth; 9] {
        let target = sub(least, self.tolerance());
        let bound = mul(T::splat(EDGE_BOUND), self.size);
        let square = mul(target, target);
        let zero = T::splat(0.0);
        let deep = zero.below(target);
        let mut found = [deep; 9];
        for (k, found) in found.iter_mut().enumerate() {
            let edges = self.rough_edges(k);
            let sine_squared = edges.sine_squared();
            // The depth times the sine, at least, and what that is compared with: without a root, by signs and squares.
            let room = sub(self.edge_room(k, &edges), bound);
            let (ours, theirs) = (mul(room, room), mul(square, sine_squared));
            let below_zero = room.below(zero);
            let shallower =
                deep.and(below_zero.or(ours.below(theirs))).or(deep.not().and(below_zero).and(theirs.below(ours)));
            *found = shallower.and(sine_squared.below(T::splat(SMALLEST_SINE_SQUARED)).not());
        }
        found
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
    fn edge_room(&self, k: usize, edges: &Edges<T>) -> T {
        let ([i1, i2], [j1, j2]) = (others(k / 3), others(k % 3));
        let reach_a = add(mul(self.half_a[i1], abs(edges.of_b[1])), mul(self.half_a[i2], abs(edges.of_b[0])));
        let reach_b = add(mul(self.half_b[j1], abs(edges.of_a[1])), mul(self.half_b[j2], abs(edges.of_a[0])));
        sub(add(reach_a, reach_b), abs(edges.distance([self.along_a[i1], self.along_a[i2]])))
    }
}

/// Two edges along whose product the boxes are parted soonest.
pub(super) struct Least<T: Number> {
    /// Whether there are any along whose product they are parted sooner than along any face.
    pub(super) found: T::Truth,
    /// The numbers of the edges: of A, and of B.
    pub(super) of_a: T,
    pub(super) of_b: T,
    pub(super) depth: T,
    pub(super) edges: Edges<T>,
}

/// Two edges that are not parallel: entries of the relative rotation that are as small as the sine between the edges, with a relative
/// error of 2⁻²³ of the sine.
#[derive(Clone, Copy)]
pub(super) struct Edges<T> {
    /// Entries `[i + 1][j]` and `[i + 2][j]`, whose squares add up to that of the sine.
    pub(super) of_b: [T; 2],
    /// Entries `[i][j + 1]` and `[i][j + 2]`, likewise.
    pub(super) of_a: [T; 2],
    /// One over the sine.
    pub(super) inverse: T,
}

impl<T: Number> Edges<T> {
    #[inline(always)]
    fn sine_squared(&self) -> T {
        add(mul(self.of_b[0], self.of_b[0]), mul(self.of_b[1], self.of_b[1]))
    }

    /// The distance of the centres along the product of the edges, times the sine, given that along the other two axes of A.
    #[inline(always)]
    pub(super) fn distance(&self, along_a: [T; 2]) -> T {
        sub(mul(along_a[1], self.of_b[0]), mul(along_a[0], self.of_b[1]))
    }

    /// With one over the sine; 0 if the edges are parallel.
    #[inline(always)]
    fn of(of_b: [T; 2], of_a: [T; 2]) -> Self {
        let edges = Self { of_b, of_a, inverse: T::splat(0.0) };
        let sine_squared = edges.sine_squared();
        let parallel = sine_squared.below(T::splat(SMALLEST_SINE_SQUARED));
        Self { inverse: T::choose(parallel, T::splat(0.0), rsqrt(sine_squared)), ..edges }
    }
}

/// The components of a vector along axes.
#[inline(always)]
fn along<T: Number>([x, y, z]: [[T; 3]; 3], v: [T; 3]) -> [T; 3] {
    [dot3(x, v), dot3(y, v), dot3(z, v)]
}

/// The axes after `k`, in turn.
fn others(k: usize) -> [usize; 2] {
    [(k + 1) % 3, (k + 2) % 3]
}

/// The best pair of edges, if along their product the boxes are parted sooner than along any face. `low` returns what the rounding of the
/// axes left, `contenders` are the pairs that may be it, and `depth` is that of the best face.
#[inline(always)]
pub(super) fn least_edges<T: Number>(
    seen: &Relative<T>,
    solids: [&Solid<T>; 2],
    low: impl Fn() -> [[[T; 3]; 3]; 2],
    contenders: &[T::Truth; 9],
    depth: T,
) -> Least<T> {
    let zero = T::splat(0.0);
    let tolerance = seen.tolerance();
    let bound = mul(T::splat(EDGE_BOUND), seen.size);
    // The least that the depth along any axis can be, all in single words.
    let mut least_bound = depth;
    let mut guesses = [(zero, zero); 9];
    for k in 0..9 {
        if !contenders[k].any() {
            continue;
        }
        let edges = seen.rough_edges(k);
        let inverse = rsqrt(edges.sine_squared());
        let (guess, error) = (mul(seen.edge_room(k, &edges), inverse), mul(bound, inverse));
        guesses[k] = (guess, error);
        least_bound = T::choose(contenders[k], min(least_bound, add(guess, error)), least_bound);
    }
    let none = Edges { of_b: [zero; 2], of_a: [zero; 2], inverse: zero };
    let mut least = Least { found: zero.below(zero), of_a: zero, of_b: zero, depth, edges: none };
    let mut words = None;
    for k in 0..9 {
        let (guess, error) = guesses[k];
        let near = contenders[k].and(add(least_bound, tolerance).below(sub(guess, error)).not());
        if !near.any() {
            continue;
        }
        let (i, j) = (k / 3, k % 3);
        let mut edges = seen.rough_edges(k);
        // Where single words are precise enough, they are used.
        let too_rough = near.and(tolerance.below(error));
        if too_rough.any() {
            let low = words.get_or_insert_with(&low);
            let ([i1, i2], [j1, j2]) = (others(i), others(j));
            // (One after the other, so that the code is there once.)
            let mut cosines = [edges.of_b[0], edges.of_b[1], edges.of_a[0], edges.of_a[1]];
            for (cosine, (i, j)) in cosines.iter_mut().zip([(i1, j), (i2, j), (i, j1), (i, j2)]) {
                let axes = [(solids[0].axes[i], low[0][i]), (solids[1].axes[j], low[1][j])];
                *cosine = T::choose(too_rough, precise_cosine(axes), *cosine);
            }
            let [b1, b2, a1, a2] = cosines;
            (edges.of_b, edges.of_a) = ([b1, b2], [a1, a2]);
        }
        let edges = Edges::of(edges.of_b, edges.of_a);
        let depth = mul(seen.edge_room(k, &edges), edges.inverse);
        let wins = near.and(edges.inverse.equals(zero).not()).and(add(depth, tolerance).below(least.depth));
        least.found = least.found.or(wins);
        least.of_a = T::choose(wins, T::splat(i as f32), least.of_a);
        least.of_b = T::choose(wins, T::splat(j as f32), least.of_b);
        least.depth = T::choose(wins, depth, least.depth);
        let two = |new: [T; 2], old: [T; 2]| [T::choose(wins, new[0], old[0]), T::choose(wins, new[1], old[1])];
        least.edges = Edges {
            of_b: two(edges.of_b, least.edges.of_b),
            of_a: two(edges.of_a, least.edges.of_a),
            inverse: T::choose(wins, edges.inverse, least.edges.inverse),
        };
    }
    least
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
