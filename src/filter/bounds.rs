//! Conservative axis-aligned bounds in `f32`, as kernels form them. (The CPU rounds outward from `f64`:
//! [`Obb::aabb`](crate::shape::Obb::aabb).)
//!
//! They have a wider domain than the filters: nothing is squared, so lengths may be as large as [`LARGEST`], and each of the few
//! operations flushes at most 2⁻¹²⁶, so [`TINY`] is enough.

use super::{Arithmetic, Cuboid};

/// What is added to |R| e, in u times Σ e: the 14 u of R and the roundings of the sum. Not in parts of |R| e: an entry of R that
/// cancels is off by as much as any other.
pub(crate) const REACH: f64 = 20.0;
/// What is added to c ± h, in u times |c| + h: the roundings of the additions.
pub(crate) const POSITION: f64 = 8.0;
/// More than all flushed subnormals can add up to: 2⁻¹²⁰.
pub(crate) const TINY: f64 = 1.0 / (1u128 << 120) as f64;
/// Lengths up to here can be added without overflow: 2¹²⁰.
pub(crate) const LARGEST: f32 = (1u128 << 120) as f32;

/// Below this sum of lengths the ball around a hull counts for nothing: 2⁻⁴⁰.
#[cfg(feature = "gpu")]
const SMALL: f32 = 1.0 / (1_u64 << 40) as f32;

/// Two corners.
pub(crate) type Corners<F> = ([F; 3], [F; 3]);

/// Whether all |v| are at most [`LARGEST`].
#[cfg(feature = "gpu")]
pub(crate) fn bounded(v: [f32; 3]) -> bool {
    v.into_iter().all(|x| x.to_bits() & 0x7fff_ffff <= LARGEST.to_bits())
}

/// A box that certainly contains what reaches `half` to either side of `center`.
#[inline(always)]
pub(crate) fn around<F: Arithmetic>(center: [F; 3], half: [F; 3]) -> Corners<F> {
    let one = F::one();
    let mut low = [F::zero(); 3];
    let mut high = [F::zero(); 3];
    for k in 0..3 {
        let (c, h) = (center[k], half[k]);
        let position = F::constant(POSITION * F::U);
        let slack = F::sum([(position, c.abs()), (position, h), (F::constant(TINY), one)]);
        low[k] = F::sum([(c, one), (-h, one), (-slack, one)]);
        high[k] = F::sum([(c, one), (h, one), (slack, one)]);
    }
    (low, high)
}

/// Of an oriented box.
#[inline(always)]
pub(crate) fn obb_bounds<F: Arithmetic>(obb: &Cuboid<F>) -> Corners<F> {
    let (e, one) = (&obb.half, F::one());
    let sizes = F::sum([(e[0], one), (e[1], one), (e[2], one)]);
    let reach = [0, 1, 2].map(|k| {
        let axis = |j: usize| obb.axes[j][k].abs();
        F::sum([
            (axis(0), e[0]),
            (axis(1), e[1]),
            (axis(2), e[2]),
            (F::constant(REACH * F::U), sizes),
            (F::constant(TINY), one),
        ])
    });
    around(obb.center, reach)
}

/// Of what is in a box in a frame of its own, and in a ball around its middle, and is turned and then moved. The radius is given as a share of half the
/// diagonal.
#[cfg(feature = "gpu")]
pub(crate) fn hull_bounds(
    position: [f32; 3],
    (low, high, share): ([f32; 3], [f32; 3], f32),
    axes: &[[f32; 3]; 3],
) -> Corners<f32> {
    let [middle, half] = [1.0, -1.0].map(|sign| [0, 1, 2].map(|k: usize| 0.5 * high[k] + sign * 0.5 * low[k]));
    let sum: f32 = half.iter().chain(&middle).map(|x| x.abs()).sum();
    // (Squares of small numbers may be lost.)
    let diagonal = (half[0] * half[0] + half[1] * half[1] + half[2] * half[2]).sqrt();
    let radius = if sum < SMALL { sum } else { diagonal * share * (1.0 + 1.0 / (1 << 16) as f32) };
    let along = |k: usize, v: [f32; 3]| axes[0][k] * v[0] + axes[1][k] * v[1] + axes[2][k] * v[2];
    let reach = [0, 1, 2].map(|k| {
        let turned = axes[0][k].abs() * half[0] + axes[1][k].abs() * half[1] + axes[2][k].abs() * half[2];
        turned.min(radius)
            + (POSITION * f32::U) as f32 * position[k].abs()
            + (2.0 * REACH * f32::U) as f32 * sum
            + TINY as f32
    });
    around([0, 1, 2].map(|k| position[k] + along(k, middle)), reach)
}

/// Of a box with these half extents, however it is turned.
#[cfg(feature = "gpu")]
pub(crate) fn any_bounds(center: [f32; 3], half: [f32; 3]) -> Corners<f32> {
    let sum = half[0] + half[1] + half[2];
    around(center, [sum + (REACH * f32::U) as f32 * sum + TINY as f32; 3])
}
