//! Two oriented boxes: the 15 axes of the separating axis theorem, each with its error bound.

#[cfg(any(test, feature = "gpu"))]
use super::sat::decide_within;
use super::sat::{Axes, Gap, decide, shadow};
use super::{Arithmetic, Cuboid, Real, Verdict, dot};

/// Error of a face axis, in u: `FACE_T · |t|₁ + FACE_S · S`. Roundings: t·a (14 + 4 + 5)‖t‖, 5 eA, (31 + 6) Σ eB.
pub(crate) const FACE_T: f64 = 24.0;
pub(crate) const FACE_S: f64 = 38.0;
/// Error of an edge axis, in u: √2 ((14 + 4) + 31) + 2 + 5 = 76.3 times ‖t‖, and (31 + 6) Σ e.
pub(crate) const EDGE_T: f64 = 78.0;
pub(crate) const EDGE_S: f64 = 38.0;
/// What must be added to |C₁| + |C₂| to bound the sine of the angle between two edges from above: twice the 31 u of an
/// entry of C, and the roundings of the sum and of its product with an extent (3 u · √2).
pub(crate) const SINE: f64 = 68.0;

/// What the axes of a pair have in common.
pub(crate) struct Boxes<F> {
    half_a: [F; 3],
    half_b: [F; 3],
    /// The centre of B seen from A, along A's axes and along B's.
    t_a: [F; 3],
    t_b: [F; 3],
    /// `c[i][j]` = aᵢ · bⱼ.
    c: [[F; 3]; 3],
    abs_c: [[F; 3]; 3],
    face_bound: F,
    edge_bound: F,
}

impl<F: Arithmetic> Boxes<F> {
    #[inline(always)]
    pub(crate) fn new(a: &Cuboid<F>, b: &Cuboid<F>) -> Self {
        let t = [b.center[0] - a.center[0], b.center[1] - a.center[1], b.center[2] - a.center[2]];
        let one = F::one();
        let sizes = F::sum([
            (a.half[0], one),
            (a.half[1], one),
            (a.half[2], one),
            (b.half[0], one),
            (b.half[1], one),
            (b.half[2], one),
        ]);
        let distance = F::sum([(t[0].abs(), one), (t[1].abs(), one), (t[2].abs(), one)]);
        let c = [along(&a.axes[0], &b.axes), along(&a.axes[1], &b.axes), along(&a.axes[2], &b.axes)];
        Self {
            half_a: a.half,
            half_b: b.half,
            t_a: along(&t, &a.axes),
            t_b: along(&t, &b.axes),
            c,
            abs_c: [abs(&c[0]), abs(&c[1]), abs(&c[2])],
            face_bound: bound(FACE_T, distance, FACE_S, sizes),
            edge_bound: bound(EDGE_T, distance, EDGE_S, sizes),
        }
    }
}

/// A vector along each of three axes.
#[inline(always)]
fn along<F: Arithmetic>(v: &[F; 3], axes: &[[F; 3]; 3]) -> [F; 3] {
    [dot(&axes[0], v), dot(&axes[1], v), dot(&axes[2], v)]
}

#[inline(always)]
fn abs<F: Arithmetic>(v: &[F; 3]) -> [F; 3] {
    [v[0].abs(), v[1].abs(), v[2].abs()]
}

#[inline(always)]
fn bound<F: Arithmetic>(of_distance: f64, distance: F, of_sizes: f64, sizes: F) -> F {
    F::sum([
        (F::constant(of_distance * F::U), distance),
        (F::constant(of_sizes * F::U), sizes),
        (F::constant(F::TINY), F::one()),
    ])
}

impl<F: Arithmetic> Axes<F> for Boxes<F> {
    /// |tA·aᵢ| − (eAᵢ + Σⱼ |Cᵢⱼ| eBⱼ).
    #[inline(always)]
    fn face_a(&self, i: usize) -> Gap<F> {
        let one = F::one();
        Gap::new(
            [
                (self.t_a[i].abs(), one),
                (-self.half_a[i], one),
                (-self.abs_c[i][0], self.half_b[0]),
                (-self.abs_c[i][1], self.half_b[1]),
                (-self.abs_c[i][2], self.half_b[2]),
            ],
            self.face_bound,
        )
    }

    /// |tB·bⱼ| − (eBⱼ + Σᵢ |Cᵢⱼ| eAᵢ).
    #[inline(always)]
    fn face_b(&self, j: usize) -> Gap<F> {
        let one = F::one();
        Gap::new(
            [
                (self.t_b[j].abs(), one),
                (-self.half_b[j], one),
                (-self.abs_c[0][j], self.half_a[0]),
                (-self.abs_c[1][j], self.half_a[1]),
                (-self.abs_c[2][j], self.half_a[2]),
            ],
            self.face_bound,
        )
    }

    /// The axis aᵢ × bⱼ, not normalised, with i₁ = i+1 and i₂ = i+2 mod 3.
    #[inline(always)]
    fn edge(&self, i: usize, j: usize) -> Gap<F> {
        let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        let across = F::sum([(self.t_a[i2], self.c[i1][j]), (-self.t_a[i1], self.c[i2][j])]);
        Gap::new(
            [
                (across.abs(), F::one()),
                (-self.half_a[i1], self.abs_c[i2][j]),
                (-self.half_a[i2], self.abs_c[i1][j]),
                (-self.half_b[j1], self.abs_c[i][j2]),
                (-self.half_b[j2], self.abs_c[i][j1]),
            ],
            self.edge_bound,
        )
    }

    #[inline(always)]
    fn shadow_of_b(&self, i: usize, j: usize) -> F {
        shadow(self.abs_c[(i + 1) % 3][j], self.abs_c[(i + 2) % 3][j], SINE, self.half_b[j])
    }

    #[inline(always)]
    fn shadow_of_a(&self, i: usize, j: usize) -> F {
        shadow(self.abs_c[i][(j + 1) % 3], self.abs_c[i][(j + 2) % 3], SINE, self.half_a[i])
    }
}

/// The verdict on two boxes in the filter's domain.
#[inline(always)]
pub(crate) fn obb_obb<F: Real>(a: &Cuboid<F>, b: &Cuboid<F>) -> Verdict {
    decide(&Boxes::new(a, b))
}

/// The verdict on two boxes in the filter's domain that may be some way apart.
#[cfg(any(test, feature = "gpu"))]
pub(crate) fn obb_obb_within<F: Real>(a: &Cuboid<F>, b: &Cuboid<F>, margin: f32) -> Verdict {
    decide_within(&Boxes::new(a, b), F::from_f32(margin))
}
