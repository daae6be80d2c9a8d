//! The axis along which two boxes are parted soonest.

use glam::Vec3;

use super::frame::{Frame, Solid};
use crate::det::{abs, add, dot3, min, mul, neg, rsqrt, sub, two_prod, two_sum};

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

/// Two boxes seen from each other.
pub(super) struct Relative {
    /// Entry `[i][j]` is the cosine between axis i of A and axis j of B. Error at most 4 u.
    pub(super) cosines: [Vec3; 3],
    /// From A's centre to B's, along the axes of A, and of B. Error at most 4.5 u of its length.
    pub(super) along_a: Vec3,
    pub(super) along_b: Vec3,
    /// The sum of the largest half extents.
    pub(super) size: f32,
}

impl Relative {
    pub(super) fn of(a: &Solid, b: &Solid, between: Vec3) -> Self {
        let along = |solid: &Solid| Vec3::from(solid.axes.map(|axis| dot3(axis, between)));
        Self {
            cosines: a.axes.map(|axis| Vec3::from(b.axes.map(|other| dot3(axis, other)))),
            along_a: along(a),
            along_b: along(b),
            size: add(a.size(), b.size()),
        }
    }

    /// Edges i and j, k being 3 i + j, by cosines in single words, without the sine.
    fn rough_edges(&self, k: usize) -> Edges {
        let (i, j) = (k / 3, k % 3);
        let ([i1, i2], [j1, j2]) = (others(i), others(j));
        let of_b = [self.cosines[i1][j], self.cosines[i2][j]];
        Edges { of_b, of_a: [self.cosines[i][j1], self.cosines[i][j2]], inverse: 0.0 }
    }

    pub(super) fn tolerance(&self) -> f32 {
        mul(TOLERANCE, self.size)
    }
}

/// The axis of least depth: 0–2 are faces of A, 3–5 faces of B, and 6 + 3 i + j the product of edge i of A and edge j of B.
pub(super) struct Least {
    pub(super) axis: usize,
    pub(super) depth: f32,
    /// Of two edges: what their contact is computed from.
    pub(super) edges: Edges,
}

/// Two edges that are not parallel: entries of the relative rotation that are as small as the sine between the edges, with a relative
/// error of 2⁻²³ of the sine.
#[derive(Clone, Copy, Default)]
pub(super) struct Edges {
    /// Entries `[i + 1][j]` and `[i + 2][j]`, whose squares add up to that of the sine.
    pub(super) of_b: [f32; 2],
    /// Entries `[i][j + 1]` and `[i][j + 2]`, likewise.
    pub(super) of_a: [f32; 2],
    /// One over the sine.
    pub(super) inverse: f32,
}

/// The axes after `k`, in turn.
pub(super) fn others(k: usize) -> [usize; 2] {
    [(k + 1) % 3, (k + 2) % 3]
}

/// Half the extent of a box along a direction, given by its cosines with the box's axes.
fn reach(half: Vec3, cosines: Vec3) -> f32 {
    add(add(mul(half.x, abs(cosines.x)), mul(half.y, abs(cosines.y))), mul(half.z, abs(cosines.z)))
}

pub(super) fn least_axis((a, frame_a): (&Solid, &Frame), (b, frame_b): (&Solid, &Frame), seen: &Relative) -> Least {
    let tolerance = seen.tolerance();
    let mut least = Least { axis: 0, depth: 0.0, edges: Edges::default() };
    for k in 0..6 {
        let i = k % 3;
        let depth = if k < 3 {
            sub(add(a.half[i], reach(b.half, seen.cosines[i])), abs(seen.along_a[i]))
        } else {
            let column = Vec3::new(seen.cosines[0][i], seen.cosines[1][i], seen.cosines[2][i]);
            sub(add(b.half[i], reach(a.half, column)), abs(seen.along_b[i]))
        };
        if k == 0 || add(depth, tolerance) < least.depth {
            least.axis = k;
            least.depth = depth;
        }
    }
    let contenders = contenders(a.half, b.half, seen, sub(least.depth, tolerance));
    // The least that the depth along any axis can be, all in single words.
    let mut least_bound = least.depth;
    for k in (0..9).filter(|k| contenders >> k & 1 == 1) {
        let (depth, error) = rough_depth(a.half, b.half, seen, k);
        least_bound = min(least_bound, add(depth, error));
    }
    for k in (0..9).filter(|k| contenders >> k & 1 == 1) {
        let (depth, error) = rough_depth(a.half, b.half, seen, k);
        if add(least_bound, tolerance) < sub(depth, error) {
            continue;
        }
        let (i, j) = (k / 3, k % 3);
        let ([i1, i2], [j1, j2]) = (others(i), others(j));
        let cosine = |i: usize, j: usize| precise_cosine(frame_a, i, frame_b, j);
        let edges = Edges::of([cosine(i1, j), cosine(i2, j)], [cosine(i, j1), cosine(i, j2)]);
        let depth = mul(edge_room(a.half, b.half, seen.along_a, (i, j), &edges), edges.inverse);
        if edges.inverse != 0.0 && add(depth, tolerance) < least.depth {
            least = Least { axis: 6 + k, depth, edges };
        }
    }
    least
}

/// The pairs of edges, as bits, along whose product the boxes may be less deep in each other than `target`.
fn contenders(half_a: Vec3, half_b: Vec3, seen: &Relative, target: f32) -> u32 {
    let bound = mul(EDGE_BOUND, seen.size);
    let square = mul(target, target);
    let mut found = 0;
    for k in 0..9 {
        let edges = seen.rough_edges(k);
        let sine_squared = edges.sine_squared();
        // The depth times the sine, and what that is compared with; without a root, by their squares.
        let room = sub(edge_room(half_a, half_b, seen.along_a, (k / 3, k % 3), &edges), bound);
        let shallower = room < 0.0 || 0.0 < target && mul(room, room) < mul(square, sine_squared);
        if shallower && !(sine_squared < SMALLEST_SINE_SQUARED) {
            found |= 1 << k;
        }
    }
    found
}

/// The depth along the product of two edges in single words, and what it can be wrong by.
fn rough_depth(half_a: Vec3, half_b: Vec3, seen: &Relative, k: usize) -> (f32, f32) {
    let edges = seen.rough_edges(k);
    let inverse = rsqrt(edges.sine_squared());
    let room = edge_room(half_a, half_b, seen.along_a, (k / 3, k % 3), &edges);
    (mul(room, inverse), mul(mul(EDGE_BOUND, seen.size), inverse))
}

impl Edges {
    /// With one over the sine; 0 if the edges are parallel.
    fn of(of_b: [f32; 2], of_a: [f32; 2]) -> Self {
        let edges = Self { of_b, of_a, inverse: 0.0 };
        let sine_squared = edges.sine_squared();
        Self { inverse: if sine_squared < SMALLEST_SINE_SQUARED { 0.0 } else { rsqrt(sine_squared) }, ..edges }
    }

    fn sine_squared(&self) -> f32 {
        add(mul(self.of_b[0], self.of_b[0]), mul(self.of_b[1], self.of_b[1]))
    }
}

/// How deep the boxes are in each other along the product of edges i and j, times the sine.
fn edge_room(half_a: Vec3, half_b: Vec3, along: Vec3, (i, j): (usize, usize), edges: &Edges) -> f32 {
    let ([i1, i2], [j1, j2]) = (others(i), others(j));
    let reach_a = add(mul(half_a[i1], abs(edges.of_b[1])), mul(half_a[i2], abs(edges.of_b[0])));
    let reach_b = add(mul(half_b[j1], abs(edges.of_a[1])), mul(half_b[j2], abs(edges.of_a[0])));
    sub(add(reach_a, reach_b), abs(edge_distance(along, (i1, i2), edges)))
}

/// The distance of the centres along the product of two edges, times the sine.
pub(super) fn edge_distance(along: Vec3, (i1, i2): (usize, usize), edges: &Edges) -> f32 {
    sub(mul(along[i2], edges.of_b[0]), mul(along[i1], edges.of_b[1]))
}

/// The product of two axes, with an absolute error of at most 2⁻⁴³ and then one rounding: products and sums of the high words are
/// exact, and all that is lower is added up.
fn precise_cosine(a: &Frame, i: usize, b: &Frame, j: usize) -> f32 {
    let (high_a, low_a) = (a.axes[i], a.axes_low[i]);
    let (high_b, low_b) = (b.axes[j], b.axes_low[j]);
    let [x, y, z] = [0, 1, 2].map(|k| two_prod(high_a[k], high_b[k]));
    let xy = two_sum(x.high, y.high);
    let xyz = two_sum(xy.high, z.high);
    let mut low = add(add(add(x.low, y.low), z.low), add(xy.low, xyz.low));
    for k in 0..3 {
        low = add(low, add(mul(high_a[k], low_b[k]), mul(low_a[k], high_b[k])));
    }
    add(xyz.high, low)
}

/// The unit normal along the product of edges i and j, from A to B, in the world; and whether it is that product and not its opposite.
pub(super) fn edge_normal(a: &Solid, along: Vec3, i: usize, edges: &Edges) -> (Vec3, bool) {
    let [i1, i2] = others(i);
    let positive = !(edge_distance(along, (i1, i2), edges) < 0.0);
    let turn = |x: f32| super::frame::signed(mul(x, edges.inverse), positive);
    let (first, second) = (turn(neg(edges.of_b[1])), turn(edges.of_b[0]));
    (crate::det::add3(crate::det::scale3(a.axes[i1], first), crate::det::scale3(a.axes[i2], second)), positive)
}
