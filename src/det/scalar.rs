//! Single numbers, or several side by side with equal bits in each.

use super::{SMALLEST_PRODUCT, SMALLEST_ROOT};
use crate::lanes::Number;

/// In debug builds, stops at a value that no deterministic computation may have. (Not where several are computed side by side, which
/// would take long to build and to run: those have the bits of single ones, as tests show.)
#[inline(always)]
fn on_grid<T: Number>(x: T) -> T {
    if cfg!(debug_assertions) && T::LANES == 1 {
        assert_on_grid(x.lane(0));
    }
    x
}

/// Stops at a value that no deterministic computation may have. (Never inlined: there are very many calls.)
#[inline(never)]
fn assert_on_grid(x: f32) {
    let grid = SMALLEST_PRODUCT / (1 << 23) as f32;
    assert!(x.is_finite(), "{x} arose: an operand was outside the domain");
    assert!(x.to_bits() != (-0.0_f32).to_bits(), "-0 arose");
    assert!(x.abs() >= SMALLEST_PRODUCT || (x / grid).fract() == 0.0, "{x:e} is not a multiple of 2^-123");
}

/// First guesses, less the bits of x (of which half for the root): within 13 % of 1/x, and 4 % of 1/√x. Each of the four steps of
/// Newton's method squares the error (and the second multiplies it by 3/2), so that after three it is below the roundoff, and the
/// fourth removes what rounding left.
const RECIP_GUESS: u32 = 0x7ef3_11c7;
const RSQRT_GUESS: u32 = 0x5f37_5a86;

/// The number, or +0 if its magnitude is below [`SMALLEST_PRODUCT`]. For every number that is loaded, once it is scaled. Domain:
/// all finite numbers, subnormal ones and −0 too.
#[inline(always)]
pub(crate) fn clean<T: Number>(x: T) -> T {
    on_grid(x.unless(x.magnitude().below(T::splat(SMALLEST_PRODUCT))))
}

/// a + b, rounded to nearest: relative error u, exact if the sum is below 2⁻⁹⁹. Domain: magnitudes up to 2¹²⁶.
#[inline(always)]
pub(crate) fn add<T: Number>(a: T, b: T) -> T {
    on_grid(a.plus(b))
}

/// a − b, as [`add`].
#[inline(always)]
pub(crate) fn sub<T: Number>(a: T, b: T) -> T {
    on_grid(a.minus(b))
}

/// a · b, rounded to nearest, or +0 below [`SMALLEST_PRODUCT`]: relative error u, or absolute error 2⁻¹⁰⁰. Domain: products below
/// 2¹²⁷.
#[inline(always)]
pub(crate) fn mul<T: Number>(a: T, b: T) -> T {
    clean(a.times(b))
}

/// −x, and +0 for 0.
#[inline(always)]
pub(crate) fn neg<T: Number>(x: T) -> T {
    // (0 − 0 is +0.)
    on_grid(T::splat(0.0).minus(x))
}

/// |x|.
#[inline(always)]
pub(crate) fn abs<T: Number>(x: T) -> T {
    on_grid(x.magnitude())
}

/// The lesser of two numbers.
#[inline(always)]
pub(crate) fn min<T: Number>(a: T, b: T) -> T {
    on_grid(T::choose(b.below(a), b, a))
}

/// The greater of two numbers.
#[inline(always)]
pub(crate) fn max<T: Number>(a: T, b: T) -> T {
    on_grid(T::choose(a.below(b), b, a))
}

/// 1/x, and 0 for 0. Domain: magnitudes from 2⁻¹²³ to 2⁹⁹.
///
/// Relative error at most 1.67 u, not correctly rounded. A power of two times x gives the same bits but for the exponent, so that
/// the bound is checked for all x by the 2²³ numbers from 1 to 2.
#[inline(always)]
pub(crate) fn recip<T: Number>(x: T) -> T {
    let zero = x.equals(T::splat(0.0));
    let size = T::choose(zero, T::splat(1.0), abs(x));
    let mut y = T::from_guess(RECIP_GUESS, size, 0);
    for _ in 0..4 {
        y = mul(y, sub(T::splat(2.0), mul(size, y)));
    }
    on_grid(y.with_sign_of(x).unless(zero))
}

/// 1/√x, and 0 below [`SMALLEST_ROOT`], for negative numbers too. Domain: up to 2⁹⁰.
///
/// Relative error at most 2 u for x of at least [`SMALLEST_ROOT`]. A power of four times x gives the same bits but for the
/// exponent, so that the bound is checked for all x by the 2²⁴ numbers from 1 to 4.
#[inline(always)]
pub(crate) fn rsqrt<T: Number>(x: T) -> T {
    let undefined = x.below(T::splat(SMALLEST_ROOT));
    let size = T::choose(undefined, T::splat(1.0), x);
    let half = mul(T::splat(0.5), size);
    let mut y = T::from_guess(RSQRT_GUESS, size, 1);
    for _ in 0..4 {
        y = mul(y, sub(T::splat(1.5), mul(half, mul(y, y))));
    }
    on_grid(y.unless(undefined))
}

/// √x as x · [`rsqrt`]\(x), and 0 below [`SMALLEST_ROOT`]. Domain: up to 2⁹⁰. Relative error at most 2.55 u.
pub(crate) fn sqrt(x: f32) -> f32 {
    mul(x, rsqrt(x))
}

/// a / b as a · [`recip`]\(b), and 0 for b = 0. Domain: b as for [`recip`], quotients below 2¹²⁶. Relative error at most 2.68 u,
/// or absolute error 2⁻¹⁰⁰.
#[inline(always)]
pub(crate) fn div<T: Number>(a: T, b: T) -> T {
    mul(a, recip(b))
}
