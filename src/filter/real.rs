//! The arithmetic that the filters are written in.

use std::ops::{Add, Mul, Neg, Sub};

/// A floating-point arithmetic with a known unit roundoff, of one number or of several side by side.
pub(crate) trait Arithmetic:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// The unit roundoff u: the largest relative error of one operation.
    const U: f64;
    /// More than all flushed subnormals can add up to in a gap.
    const TINY: f64;
    /// The same for a sum of squares.
    const TINY_SQUARED: f64;

    /// The number itself, exactly.
    fn from_f32(value: f32) -> Self;
    /// A constant of a bound.
    fn constant(value: f64) -> Self;
    /// `1 / self`, within 2.5 units in the last place.
    fn recip(self) -> Self;
    /// The square root, within 4.5 units in the last place.
    fn sqrt(self) -> Self;
    /// The absolute value, exactly.
    fn abs(self) -> Self;

    /// The larger of two numbers.
    fn max(self, other: Self) -> Self;
    /// The smaller of two numbers.
    fn min(self, other: Self) -> Self;

    /// Σ aᵢ bᵢ, in any order, fused or not. A plain term is a product with [`one`](Arithmetic::one), which costs nothing.
    #[inline(always)]
    fn sum<const N: usize>(terms: [(Self, Self); N]) -> Self {
        let mut sum = terms[0].0 * terms[0].1;
        for (a, b) in &terms[1..] {
            sum = sum + *a * *b;
        }
        sum
    }

    /// For a sum s of terms and its error bound: (s − bound, −s − bound). The first above zero proves s > 0, the second s < 0.
    #[inline(always)]
    fn margins<const N: usize>(terms: [(Self, Self); N], bound: Self) -> (Self, Self) {
        let sum = Self::sum(terms);
        (sum - bound, -sum - bound)
    }

    #[inline(always)]
    fn zero() -> Self {
        Self::from_f32(0.0)
    }

    #[inline(always)]
    fn one() -> Self {
        Self::from_f32(1.0)
    }
}

/// An arithmetic of single numbers, which can be compared.
pub(crate) trait Real: Arithmetic + PartialOrd {}

impl<F: Arithmetic + PartialOrd> Real for F {}

#[inline(always)]
pub(crate) fn dot<F: Arithmetic>(a: &[F; 3], b: &[F; 3]) -> F {
    F::sum([(a[0], b[0]), (a[1], b[1]), (a[2], b[2])])
}

impl Arithmetic for f32 {
    /// Twice the roundoff of round-to-nearest: a GPU may return either neighbour.
    const U: f64 = 1.0 / (1u64 << 23) as f64;
    /// 2⁻⁹⁰.
    const TINY: f64 = 1.0 / (1u128 << 90) as f64;
    /// 2⁻¹⁰⁰.
    const TINY_SQUARED: f64 = 1.0 / (1u128 << 100) as f64;

    #[inline(always)]
    fn from_f32(value: f32) -> Self {
        value
    }
    #[inline(always)]
    fn constant(value: f64) -> Self {
        value as f32
    }
    #[inline(always)]
    fn recip(self) -> Self {
        1.0 / self
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        self.sqrt()
    }
    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
}

impl Arithmetic for f64 {
    const U: f64 = 1.0 / (1u64 << 53) as f64;
    /// Nothing that is made of a few `f32` underflows here; and where all sizes are zero, so are all results, exactly.
    const TINY: f64 = 0.0;
    const TINY_SQUARED: f64 = 0.0;

    #[inline(always)]
    fn from_f32(value: f32) -> Self {
        Self::from(value)
    }
    #[inline(always)]
    fn constant(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn recip(self) -> Self {
        1.0 / self
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        self.sqrt()
    }
    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
}
