//! An axis-aligned and an oriented box. No centre of the former is formed: it would have to be rounded.

#[cfg(any(test, feature = "gpu"))]
use super::sat::decide_within;
use super::sat::{Axes, Gap, decide, shadow};
use super::{Arithmetic, Cuboid, Real, Verdict};
use crate::shape::Aabb;

/// Error of any of the 15 axes, in u: `AABB · (Σ max(|lo|, |hi|) + Σ e)`.
pub(crate) const AABB: f64 = 24.0;
/// Twice the 14 u of an entry of R, and the roundings of the sum, of the extent and of their product.
pub(crate) const SINE: f64 = 34.0;

/// What the axes of a pair have in common.
pub(crate) struct AabbObb<F> {
    /// The corners of the aligned box seen from the oriented one's centre.
    low: [F; 3],
    high: [F; 3],
    half_a: [F; 3],
    half_b: [F; 3],
    /// `r[i][j]`: coordinate i of the oriented box's axis j.
    r: [[F; 3]; 3],
    bound: F,
}

impl<F: Arithmetic> AabbObb<F> {
    #[inline(always)]
    pub(crate) fn new(aabb: &Aabb, obb: &Cuboid<F>) -> Self {
        let min = aabb.min().to_array().map(F::from_f32);
        let max = aabb.max().to_array().map(F::from_f32);
        let c = &obb.center;
        let low = [min[0] - c[0], min[1] - c[1], min[2] - c[2]];
        let high = [max[0] - c[0], max[1] - c[1], max[2] - c[2]];
        let one = F::one();
        let reach = |k: usize| low[k].abs().max(high[k].abs());
        let sizes = F::sum([
            (reach(0), one),
            (reach(1), one),
            (reach(2), one),
            (obb.half[0], one),
            (obb.half[1], one),
            (obb.half[2], one),
        ]);
        let bound = F::sum([(F::constant(AABB * F::U), sizes), (F::constant(F::TINY), one)]);
        let half = F::constant(0.5);
        Self {
            low,
            high,
            half_a: [(max[0] - min[0]) * half, (max[1] - min[1]) * half, (max[2] - min[2]) * half],
            half_b: obb.half,
            r: [0, 1, 2].map(|i| [obb.axes[0][i], obb.axes[1][i], obb.axes[2][i]]),
            bound,
        }
    }

    /// The least and the greatest of `l x` over coordinate k of the aligned box.
    #[inline(always)]
    fn project(&self, l: F, k: usize) -> (F, F) {
        let (a, b) = (l * self.low[k], l * self.high[k]);
        (a.min(b), a.max(b))
    }

    /// max(Σ least, −Σ greatest) plus `rest`.
    #[inline(always)]
    fn nearest<const N: usize, const M: usize>(
        &self,
        least: [(F, F); N],
        greatest: [(F, F); N],
        rest: [(F, F); M],
    ) -> Gap<F> {
        let distance = F::sum(least).max(-F::sum(greatest));
        let rest = F::sum(rest);
        Gap::new([(distance, F::one()), (rest, F::one())], self.bound)
    }
}

impl<F: Arithmetic> Axes<F> for AabbObb<F> {
    /// Coordinate axis i.
    #[inline(always)]
    fn face_a(&self, i: usize) -> Gap<F> {
        let one = F::one();
        Gap::new(
            [
                (self.low[i].max(-self.high[i]), one),
                (-self.r[i][0].abs(), self.half_b[0]),
                (-self.r[i][1].abs(), self.half_b[1]),
                (-self.r[i][2].abs(), self.half_b[2]),
            ],
            self.bound,
        )
    }

    /// Axis j of the oriented box.
    #[inline(always)]
    fn face_b(&self, j: usize) -> Gap<F> {
        let one = F::one();
        let project = |k: usize| self.project(self.r[k][j], k);
        let (p, q, s) = (project(0), project(1), project(2));
        self.nearest(
            [(p.0, one), (q.0, one), (s.0, one)],
            [(p.1, one), (q.1, one), (s.1, one)],
            [(-self.half_b[j], one)],
        )
    }

    /// The axis eᵢ × bⱼ.
    #[inline(always)]
    fn edge(&self, i: usize, j: usize) -> Gap<F> {
        let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        let one = F::one();
        // eᵢ × b has −b at i₂ in coordinate i₁ and b at i₁ in coordinate i₂.
        let (p, q) = (self.project(-self.r[i2][j], i1), self.project(self.r[i1][j], i2));
        self.nearest(
            [(p.0, one), (q.0, one)],
            [(p.1, one), (q.1, one)],
            [(-self.half_b[j1], self.r[i][j2].abs()), (-self.half_b[j2], self.r[i][j1].abs())],
        )
    }

    #[inline(always)]
    fn shadow_of_b(&self, i: usize, j: usize) -> F {
        shadow(self.r[(i + 1) % 3][j].abs(), self.r[(i + 2) % 3][j].abs(), SINE, self.half_b[j])
    }

    #[inline(always)]
    fn shadow_of_a(&self, i: usize, j: usize) -> F {
        shadow(self.r[i][(j + 1) % 3].abs(), self.r[i][(j + 2) % 3].abs(), SINE, self.half_a[i])
    }
}

/// The verdict on a pair in the filter's domain; of its open axes, A's are the aligned box's.
#[inline(always)]
pub(crate) fn aabb_obb<F: Real>(aabb: &Aabb, obb: &Cuboid<F>) -> Verdict {
    decide(&AabbObb::new(aabb, obb))
}

/// The verdict on a pair in the filter's domain that may be some way apart.
#[cfg(any(test, feature = "gpu"))]
pub(crate) fn aabb_obb_within<F: Real>(aabb: &Aabb, obb: &Cuboid<F>, margin: f32) -> Verdict {
    decide_within(&AabbObb::new(aabb, obb), F::from_f32(margin))
}
