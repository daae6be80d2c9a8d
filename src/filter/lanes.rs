//! Several numbers side by side, as the filters take them.

use std::ops::{Add, Mul, Neg, Sub};

use super::Arithmetic;
use crate::lanes::Number;

/// The `f32` arithmetic of lanes, which fuse products with sums where a processor does.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<T>(pub T);

impl<T: Number> Add for Lanes<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.plus(other.0))
    }
}

impl<T: Number> Sub for Lanes<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.minus(other.0))
    }
}

impl<T: Number> Mul for Lanes<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0.times(other.0))
    }
}

impl<T: Number> Neg for Lanes<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.negated())
    }
}

impl<T: Number> Arithmetic for Lanes<T> {
    const U: f64 = <f32 as Arithmetic>::U;
    const TINY: f64 = <f32 as Arithmetic>::TINY;
    const TINY_SQUARED: f64 = <f32 as Arithmetic>::TINY_SQUARED;

    #[inline(always)]
    fn from_f32(value: f32) -> Self {
        Self(T::splat(value))
    }
    #[inline(always)]
    fn constant(value: f64) -> Self {
        Self(T::splat(value as f32))
    }
    #[inline(always)]
    fn recip(self) -> Self {
        Self(T::splat(1.0).over(self.0))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.root())
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.magnitude())
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(self.0.greater(other.0))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(self.0.lesser(other.0))
    }
    #[inline(always)]
    fn sum<const N: usize>(terms: [(Self, Self); N]) -> Self {
        let mut sum = terms[0].0.0.times(terms[0].1.0);
        for (a, b) in &terms[1..] {
            sum = a.0.times_plus(b.0, sum);
        }
        Self(sum)
    }
}
