//! Double words: a number as the sum of two `f32`, for where 24 bits are too few.
//!
//! A double word is normalised if `high` is the sum rounded to nearest. The sums and products are those of Joldes, Muller and
//! Popescu, "Tight and rigorous error bounds for basic building blocks of double-word arithmetic" (ACM TOMS 44(2), 2017):
//! algorithms 6 and 10, the latter with Dekker's product in place of a fused one. Sums on the grid never underflow, so that their
//! bounds hold for all numbers here.

use super::{add, mul, neg, sub};
use crate::lanes::{Number, Truth};

/// `high` + `low`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Double<T = f32> {
    pub high: T,
    pub low: T,
}

/// 2¹² + 1: splits 24 bits in halves of 12.
const SPLITTER: f32 = 4097.0;

/// a + b, exactly, normalised. Domain: magnitudes up to 2¹²⁵.
#[inline(always)]
pub(crate) fn two_sum<T: Number>(a: T, b: T) -> Double<T> {
    let high = add(a, b);
    let b_part = sub(high, a);
    let a_part = sub(high, b_part);
    Double { high, low: add(sub(a, a_part), sub(b, b_part)) }
}

/// a + b, exactly, normalised, if |a| ≥ |b| or a = 0; in three operations. Domain: magnitudes up to 2¹²⁵.
#[inline(always)]
pub(crate) fn quick_two_sum<T: Number>(a: T, b: T) -> Double<T> {
    let high = add(a, b);
    Double { high, low: sub(b, sub(high, a)) }
}

/// x as a sum of two numbers of 12 bits each (the sign of `low` is one of them), exactly. A number below 2⁻¹¹², whose product
/// with the splitter becomes 0, has 11 bits on the grid and is `high` itself. Domain: magnitudes up to 2¹¹³.
#[inline(always)]
pub(crate) fn split<T: Number>(x: T) -> Double<T> {
    let wide = mul(T::splat(SPLITTER), x);
    let high = sub(wide, sub(wide, x));
    Double { high, low: sub(x, high) }
}

/// a · b, normalised. Domain: magnitudes up to 2⁶².
///
/// Exact for |a b| ≥ 2⁻⁵², or if a or b is 0: a is a multiple of 2⁻²³ times the power of two below it, and so is b, hence the
/// product of their lower halves is 0 or at least 2⁻⁴⁸ |a b|, and kept if that is at least 2⁻¹⁰⁰. Below, what becomes 0 is an
/// absolute error of at most 5·2⁻¹⁰⁰.
#[inline(always)]
pub(crate) fn two_prod<T: Number>(a: T, b: T) -> Double<T> {
    if T::LANES == 1 {
        let product = two_prod_by_f64(a.lane(0), b.lane(0));
        Double { high: T::splat(product.high), low: T::splat(product.low) }
    } else if T::FUSED {
        two_prod_fused(a, b)
    } else {
        two_prod_by_halves(a, b)
    }
}

/// [`two_prod`] where a processor subtracts a number from a product with a single rounding.
#[inline(always)]
fn two_prod_fused<T: Number>(a: T, b: T) -> Double<T> {
    let (zero, product) = (T::splat(0.0), a.times(b));
    // Where the product by halves is exact, both are the same.
    let exact = T::splat(LEAST_EXACT).below(product.magnitude()).or(product.equals(zero));
    if exact.not().any() {
        return two_prod_by_halves(a, b);
    }
    let high = mul(a, b);
    // (Of −0 the sum with 0 is +0.)
    Double { high, low: add(a.times_plus(b, high.negated()), zero) }
}

/// [`two_prod`] of single numbers.
fn two_prod_by_f64(a: f32, b: f32) -> Double {
    // In `f64` the product is exact, and where it is exact by halves too, that is the same: its 48 bits in two parts.
    let exact = f64::from(a) * f64::from(b);
    if exact == 0.0 {
        return Double { high: 0.0, low: 0.0 };
    }
    if exact.abs() < f64::from(LEAST_EXACT) {
        return two_prod_by_halves(a, b);
    }
    let high = exact as f32;
    Double { high, low: (exact - f64::from(high)) as f32 }
}

/// The least magnitude of a product that [`two_prod_by_halves`] gives exactly: 2⁻⁵².
const LEAST_EXACT: f32 = 1.0 / (1_u64 << 52) as f32;

/// The product as WGSL computes it, by Dekker's algorithm.
#[inline(always)]
fn two_prod_by_halves<T: Number>(a: T, b: T) -> Double<T> {
    let high = mul(a, b);
    let (x, y) = (split(a), split(b));
    let rest = sub(mul(x.high, y.high), high);
    let rest = add(add(rest, mul(x.high, y.low)), mul(x.low, y.high));
    Double { high, low: add(rest, mul(x.low, y.low)) }
}

/// −x.
#[inline(always)]
pub(crate) fn neg_double<T: Number>(x: Double<T>) -> Double<T> {
    Double { high: neg(x.high), low: neg(x.low) }
}

/// x + y, normalised if both are. Relative error at most 3.01 u² (algorithm 6: 3 u² / (1 − 4 u)). Domain: magnitudes up to 2¹²³.
#[inline(always)]
pub(crate) fn add_double<T: Number>(x: Double<T>, y: Double<T>) -> Double<T> {
    let high = two_sum(x.high, y.high);
    let low = two_sum(x.low, y.low);
    let sum = quick_two_sum(high.high, add(high.low, low.high));
    quick_two_sum(sum.high, add(low.low, sum.low))
}

/// x − y, as [`add_double`].
#[inline(always)]
pub(crate) fn sub_double<T: Number>(x: Double<T>, y: Double<T>) -> Double<T> {
    add_double(x, neg_double(y))
}

/// x · y, normalised if both are. Relative error at most 7.5 u² for |x y| ≥ 2⁻⁵⁰: 7 u² of algorithm 10, and two products of a high
/// and a low part that may become 0, each below 2⁻¹⁰⁰ and hence below u²/4 of the result. Domain: magnitudes up to 2⁶⁰.
#[inline(always)]
pub(crate) fn mul_double<T: Number>(x: Double<T>, y: Double<T>) -> Double<T> {
    let product = two_prod(x.high, y.high);
    let rest = add(mul(x.high, y.low), mul(x.low, y.high));
    quick_two_sum(product.high, add(product.low, rest))
}

/// Whether x < y, for normalised double words: exact.
pub(crate) fn less_double(x: Double, y: Double) -> bool {
    x.high < y.high || x.high == y.high && x.low < y.low
}
