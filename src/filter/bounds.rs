//! Conservative axis-aligned bounds of an oriented box in `f32`, as kernels form them. (The CPU rounds outward from `f64`:
//! [`Obb::aabb`](crate::shape::Obb::aabb).)

use super::{Arithmetic, Cuboid};

/// What is added to |R| e, in u times Σ e: the 14 u of R and the roundings of the sum.
pub(crate) const REACH: f64 = 20.0;
/// What is added to c ± h, in u times |c| + h: the roundings of the additions.
pub(crate) const POSITION: f64 = 8.0;

/// The lower and upper corner of a box that certainly contains `obb`, for an `obb` in the filter's domain.
#[inline(always)]
pub(crate) fn obb_bounds<F: Arithmetic>(obb: &Cuboid<F>) -> ([F; 3], [F; 3]) {
    let (e, one) = (&obb.half, F::one());
    let sizes = F::sum([(e[0], one), (e[1], one), (e[2], one)]);
    let tiny = (F::constant(F::TINY), one);
    let mut low = [F::zero(); 3];
    let mut high = [F::zero(); 3];
    for k in 0..3 {
        let axis = |j: usize| obb.axes[j][k].abs();
        let half =
            F::sum([(axis(0), e[0]), (axis(1), e[1]), (axis(2), e[2]), (F::constant(REACH * F::U), sizes), tiny]);
        let c = obb.center[k];
        let slack = F::sum([(F::constant(POSITION * F::U), c.abs()), (F::constant(POSITION * F::U), half), tiny]);
        low[k] = F::sum([(c, one), (-half, one), (-slack, one)]);
        high[k] = F::sum([(c, one), (half, one), (slack, one)]);
    }
    (low, high)
}
