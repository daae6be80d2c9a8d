//! Scenes of grazing pairs: thin bodies at a tiny distance from their neighbours.

use glam::Quat;

use super::random::Dice;
use crate::shape::kinds::BodyShape;
use crate::shape::{Aabb, Obb, Sphere};
use crate::{Bodies, Result, Traits};

/// Pairs of bodies that nearly touch, each pair in a world of its own (bodies 2k and 2k + 1 in world k). The first is a rod or
/// plate without thickness, turned by nearly a quarter turn, so that it has a tiny extent along one coordinate. The second is a
/// box, plate or ball in that direction, at a distance of 10⁻²⁰ to 10⁻⁶ of its size, or at the end of the first one, give or take
/// a few units in the last place. Sizes are from 2⁻¹²⁰ to 2¹²⁰, and quaternions have any length.
///
/// These scenes test bounds: where the terms of an entry of a rotation matrix cancel, the size of the entry says nothing about
/// its error.
///
/// ```
/// use tangency::{Engine, query, scenes::grazing};
///
/// let bodies = grazing(1, 1000)?;
/// let meet = |k: u32| Ok(query::intersect(&bodies.shape(2 * k)?, &bodies.shape(2 * k + 1)?)?.is_hit());
/// let expected: Vec<bool> = (0..1000).map(meet).collect::<tangency::Result<_>>()?;
/// let found = Engine::new()?.overlaps(&bodies).run()?;
/// assert!((0..1000).all(|k| found.partners(2 * k).eq(expected[k as usize].then_some(2 * k + 1))));
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// Never for a number of `pairs` that fits into memory.
pub fn grazing(seed: u64, pairs: usize) -> Result<Bodies> {
    let mut dice = Dice::new(seed);
    let mut bodies = Bodies::with_capacity(2 * pairs);
    for world in 0..pairs {
        let scale = 2_f64.powi(if dice.one_in(3) { dice.below(241) as i32 - 120 } else { 0 });
        let place = [0; 3].map(|_| if dice.one_in(2) { 0.0 } else { dice.signed() });
        for shape in grazing_pair(&mut dice, place, scale)? {
            bodies.push_with(shape, Traits::new().world(world as u32))?;
        }
    }
    Ok(bodies)
}

/// A thin body at `place` and its neighbour, both multiplied by `scale`.
pub(super) fn grazing_pair(dice: &mut Dice, place: [f64; 3], scale: f64) -> Result<[BodyShape<'static>; 2]> {
    let q = nearly_aligned(dice);
    let size = if dice.one_in(2) { 1.0 } else { 0.5 + dice.unit() };
    // A rod has one nonzero extent, a plate two.
    let (first, second) = (dice.below(3) as usize, dice.below(3) as usize);
    let half = [0, 1, 2].map(|k| if k == first || k == second { size } else { 0.0 });
    let rows = rows(q);
    let reach = rows.map(|row| (0..3).map(|k| row[k].abs() * half[k]).sum::<f64>());
    let hardly: Vec<usize> = (0..3).filter(|k| reach[*k] < 0.01 * size).collect();
    let along = match hardly[..] {
        [] => (0..3).min_by(|a, b| reach[*a].total_cmp(&reach[*b])).unwrap_or(0),
        _ => hardly[dice.below(hardly.len() as u64) as usize],
    };
    let mut center = place;
    center[along] = 0.0;
    let units = 1.0 + (dice.below(5) as f64 - 2.0) * 2_f64.powi(-24);
    let gap = match dice.below(4) {
        0 | 1 => size * 10_f64.powf(-6.0 - 14.0 * dice.unit()),
        2 => reach[along] * units,
        _ => reach[along] * (1.0 + dice.signed() * 10_f64.powi(-(dice.below(17) as i32))),
    };
    let scaled = |x: f64| (x * scale) as f32;
    let thin = Obb::new(center.map(scaled), half.map(scaled), Quat::from_array(q))?;
    Ok([thin.into(), neighbour(dice, center, along, gap, 2.0 * size, scale)?])
}

/// A body at a distance of `gap` above or below `center` along one coordinate, which is wide in the others.
fn neighbour(
    dice: &mut Dice,
    center: [f64; 3],
    along: usize,
    gap: f64,
    width: f64,
    scale: f64,
) -> Result<BodyShape<'static>> {
    let side = if dice.one_in(2) { 1.0 } else { -1.0 };
    let depth = if dice.one_in(3) { 0.0 } else { width * dice.unit() };
    let scaled = |x: f64| (x * scale) as f32;
    let mut at = center;
    Ok(match dice.below(6) {
        // A ball. The rounding of its centre moves it by much more than the gap, unless its radius is zero.
        0 => {
            at[along] = side * (gap + depth);
            Sphere::new(at.map(scaled), scaled(depth))?.into()
        }
        // A plate at right angles, turned about its normal.
        1 | 2 => {
            let mut half = [width; 3];
            (half[along], at[along]) = (0.0, side * gap);
            let mut turn = [0.0, 0.0, 0.0, dice.signed() as f32];
            turn[along] = if dice.one_in(2) { 1.0 } else { dice.signed() as f32 };
            let turn = if turn == [0.0; 4] { Quat::IDENTITY } else { Quat::from_array(turn) };
            Obb::new(at.map(scaled), half.map(scaled), turn)?.into()
        }
        _ => {
            let (mut low, mut high) = (center.map(|x| x - width), center.map(|x| x + width));
            let (near, far) = (side * gap, side * (gap + depth));
            (low[along], high[along]) = (near.min(far), near.max(far));
            Aabb::new(low.map(scaled), high.map(scaled))?.into()
        }
    })
}

/// A quaternion near one that maps coordinate axes to coordinate axes: such a one has one, two or four components of equal size.
fn nearly_aligned(dice: &mut Dice) -> [f32; 4] {
    if dice.one_in(3) {
        return cancelling(dice);
    }
    let base = loop {
        let base = [0; 4].map(|_| dice.below(3) as f64 - 1.0);
        if matches!(base.iter().filter(|x| **x != 0.0).count(), 1 | 2 | 4) {
            break base;
        }
    };
    let size = match dice.below(4) {
        0 => std::f64::consts::FRAC_1_SQRT_2,
        // Sometimes outside the filters' domain.
        1 => (1.0 + dice.unit()) * 2_f64.powi(dice.below(240) as i32 - 120),
        _ => 1.0 + dice.unit(),
    };
    let mut q = base.map(|x| (x * size) as f32);
    for _ in 0..dice.below(4) {
        let k = dice.below(4) as usize;
        q[k] = if !q[k].is_normal() || dice.one_in(3) {
            q[k] + (dice.signed() * size * 10_f64.powi(-1 - dice.below(40) as i32)) as f32
        } else {
            // A few units in the last place.
            f32::from_bits(q[k].to_bits().wrapping_add(dice.below(7) as u32).wrapping_sub(3))
        };
    }
    q
}

/// A quaternion near a quarter turn about another axis than k, for which entry k of the diagonal cancels as far as `f32` allows:
/// w² and the square of the next component lie just above a power of two, and small components make the sums with them inexact.
fn cancelling(dice: &mut Dice) -> [f32; 4] {
    let k = dice.below(3) as usize;
    let (w, own) = ((1.0 + 0.02 * dice.unit()) as f32, (1e-3 * dice.signed()) as f32);
    let square = |x: f32| f64::from(x) * f64::from(x);
    let sum = square(w) + square(own);
    let next = (sum.sqrt() as f32).next_down();
    let mut q = [w; 4];
    (q[k], q[(k + 1) % 3], q[(k + 2) % 3]) = (own, next, (sum - square(next)).sqrt() as f32);
    q
}

/// The rows of the rotation matrix, computed with little cancellation: by products of sums and differences instead of differences
/// of squares.
fn rows(q: [f32; 4]) -> [[f64; 3]; 3] {
    let [x, y, z, w] = q.map(f64::from);
    let n = x * x + y * y + z * z + w * w;
    let diagonal = |a: f64, b: f64, c: f64, d: f64| {
        let (one, other) = (((a - c) * (a + c), (b - d) * (b + d)), ((a - d) * (a + d), (b - c) * (b + c)));
        let size = |(p, q): (f64, f64)| p.abs() + q.abs();
        if size(one) < size(other) { one.0 + one.1 } else { other.0 + other.1 }
    };
    [
        [diagonal(w, x, y, z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), diagonal(w, y, x, z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), diagonal(w, z, x, y)],
    ]
    .map(|row| row.map(|entry| entry / n))
}
