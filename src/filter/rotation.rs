//! Boxes with their rotation made: the form in which the filters take them.

use super::Arithmetic;
use crate::shape::Obb;

/// An oriented box in the arithmetic `F`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cuboid<F> {
    pub center: [F; 3],
    pub half: [F; 3],
    /// `axes[i]` is column i of the rotation: the box's i-th axis in world coordinates.
    pub axes: [[F; 3]; 3],
}

impl<F: Arithmetic> Cuboid<F> {
    #[inline(always)]
    pub(crate) fn new(obb: &Obb) -> Self {
        Self {
            center: obb.center().to_array().map(F::from_f32),
            half: obb.half_extents().to_array().map(F::from_f32),
            axes: rotation(obb.rotation_array().map(F::from_f32)),
        }
    }
}

#[cfg(any(test, feature = "gpu"))]
impl Cuboid<f32> {
    /// A box in the domain of the `f32` filters.
    pub(crate) fn in_f32(obb: &Obb) -> Self {
        Self {
            center: obb.center().to_array(),
            half: obb.half_extents().to_array(),
            axes: rotation(super::domain::scaled(obb.rotation_array())),
        }
    }
}

/// The columns of the rotation of `q / |q|`.
///
/// n = q·q carries 4 u; the diagonal of n R an absolute 4 u n, the rest 2 u n (as 2|xy| + 2|wz| ≤ n); 1/n carries 6.5 u. So a
/// column is off by at most 12.4 u; the bounds reckon with 14 u.
#[inline(always)]
pub(crate) fn rotation<F: Arithmetic>([x, y, z, w]: [F; 4]) -> [[F; 3]; 3] {
    let n = F::sum([(x, x), (y, y), (z, z), (w, w)]);
    let inverse = n.recip();
    [
        [diagonal([w, x, y, z], inverse), twice([x, y, w, z], inverse), twice([x, z, -w, y], inverse)],
        [twice([x, y, -w, z], inverse), diagonal([w, y, x, z], inverse), twice([y, z, w, x], inverse)],
        [twice([x, z, w, y], inverse), twice([y, z, -w, x], inverse), diagonal([w, z, x, y], inverse)],
    ]
}

/// ((a a + b b) − (c c + d d)) / n, for the diagonal.
#[inline(always)]
fn diagonal<F: Arithmetic>([a, b, c, d]: [F; 4], inverse: F) -> F {
    F::sum([(a, a), (b, b), (-c, c), (-d, d)]) * inverse
}

/// 2 (a b + c d) / n.
#[inline(always)]
fn twice<F: Arithmetic>([a, b, c, d]: [F; 4], inverse: F) -> F {
    F::from_f32(2.0) * F::sum([(a, b), (c, d)]) * inverse
}
