//! The search for the difference that is nearest to 0: of a ball and a box or a capsule from its axes, else by the algorithm of Gilbert, Johnson and
//! Keerthi.

use glam::Vec3;

use super::Pair;
use super::simplex::Simplex;
use crate::det::{abs, add, add3, div, dot3, mul, neg, rsqrt, scale3, sub, sub3};

/// What a search has found.
pub(super) struct Found {
    /// The direction along which all differences were furthest from 0; 0 if none is.
    pub direction: Vec3,
    /// The difference that was nearest to 0: how much of each generator is in it, from −1 to 1.
    pub shares: [f32; 6],
    /// The generators along which it may be moved, a bit for each.
    pub free: u32,
    /// Whether it is one of a ball and a box, so that no other generators can be meant.
    pub is_of_ball: bool,
    /// Whether 0 is among the differences, as far as `f32` can tell.
    pub is_inside: bool,
}

/// The most corners that are looked at.
const ROUNDS: usize = 24;
/// The search ends when the square of the distance is known up to this share.
const CLOSE: f32 = 1.0 / (1 << 21) as f32;
/// The square of the least length that has a direction: far below the errors of all lengths.
pub(super) const LEAST_SQUARE: f32 = 1.0 / (1_u64 << 60) as f32;

/// The difference that is furthest against a direction: a corner, and a bit for each generator that counts as it is.
fn corner(pair: &Pair, direction: Vec3) -> (Vec3, u32) {
    let (mut sum, mut signs) = (pair.t, 0);
    for (k, generator) in pair.generators.iter().enumerate() {
        if dot3(*generator, direction) < 0.0 {
            sum = add3(sum, *generator);
            signs |= 1 << k;
        } else {
            sum = sub3(sum, *generator);
        }
    }
    (sum, signs)
}

/// A ball, or a box that is a point, and a box: its generators are at right angles to each other, so that each has its share.
fn of_ball(pair: &Pair) -> Found {
    let (mut shares, mut free, mut nearest) = ([0.0; 6], 0, pair.t);
    for (k, generator) in pair.generators.iter().enumerate() {
        let (along, square) = (dot3(*generator, pair.t), dot3(*generator, *generator));
        if !(square > LEAST_SQUARE) {
            continue;
        }
        shares[k] = if abs(along) < square {
            free |= 1 << k;
            neg(div(along, square))
        } else if along < 0.0 {
            1.0
        } else {
            -1.0
        };
        nearest = add3(nearest, scale3(*generator, shares[k]));
    }
    let is_far = !(dot3(nearest, nearest) < LEAST_SQUARE);
    let direction = if is_far { nearest } else { Vec3::ZERO };
    Found { direction, shares, free, is_of_ball: true, is_inside: free == 7 || free == 56 }
}

/// Ends as soon as the distance of the cores is clearly below `near`, if that is above 0, or clearly above `far`.
pub(super) fn search(pair: &Pair, [near, far]: [f32; 2]) -> Found {
    if pair.generators[..3] == [Vec3::ZERO; 3] || pair.generators[3..] == [Vec3::ZERO; 3] {
        return of_ball(pair);
    }
    let (first, signs) = corner(pair, pair.t);
    let mut simplex = Simplex::of(first, signs);
    let (mut nearest, mut direction, mut furthest) = (first, Vec3::ZERO, 0.0);
    for _ in 0..ROUNDS {
        let square = dot3(nearest, nearest);
        if square < LEAST_SQUARE || near > 0.0 && square < mul(near, near) {
            break;
        }
        let (at, signs) = corner(pair, nearest);
        let along = dot3(nearest, at);
        let height = mul(along, rsqrt(square));
        if height > furthest {
            (direction, furthest) = (nearest, height);
        }
        if height > far || sub(square, along) < mul(CLOSE, square) || simplex.has(signs) {
            break;
        }
        let grown = simplex.with(at, signs);
        let point = grown.point();
        if !(dot3(point, point) < square) {
            break;
        }
        (simplex, nearest) = (grown, point);
        // All four corners of a tetrahedron are needed if 0 is inside.
        if simplex.count == 4 {
            break;
        }
    }
    let mut shares = [0.0; 6];
    for k in 0..simplex.count {
        for (axis, share) in shares.iter_mut().enumerate() {
            let weight = simplex.weights[k];
            *share = add(*share, if simplex.signs[k] >> axis & 1 == 1 { weight } else { neg(weight) });
        }
    }
    Found { direction, shares, free: simplex.free(), is_of_ball: false, is_inside: simplex.count == 4 }
}
