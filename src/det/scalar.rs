//! Single numbers.

use super::{SMALLEST_PRODUCT, SMALLEST_ROOT};

const SIGN: u32 = 0x8000_0000;
/// First guesses, less the bits of x (of which half for the root): within 13 % of 1/x, and 4 % of 1/√x. Each of the four steps of
/// Newton's method squares the error (and the second multiplies it by 3/2), so that after three it is below the roundoff, and the
/// fourth removes what rounding left.
const RECIP_GUESS: u32 = 0x7ef3_11c7;
const RSQRT_GUESS: u32 = 0x5f37_5a86;

/// In debug builds, stops at a value that no deterministic computation may have.
fn on_grid(x: f32) -> f32 {
    let grid = SMALLEST_PRODUCT / (1 << 23) as f32;
    debug_assert!(x.is_finite(), "{x} arose: an operand was outside the domain");
    debug_assert!(x.to_bits() != SIGN, "-0 arose");
    debug_assert!(x.abs() >= SMALLEST_PRODUCT || (x / grid).fract() == 0.0, "{x:e} is not a multiple of 2^-123");
    x
}

/// The number, or +0 if its magnitude is below [`SMALLEST_PRODUCT`]. For every number that is loaded, once it is scaled. Domain:
/// all finite numbers, subnormal ones and −0 too.
pub(crate) fn clean(x: f32) -> f32 {
    // WGSL compares the exponent, since adapters flush. A CPU does not, and compares without leaving its float registers.
    on_grid(if x.abs() < SMALLEST_PRODUCT { 0.0 } else { x })
}

/// a + b, rounded to nearest: relative error u, exact if the sum is below 2⁻⁹⁹. Domain: magnitudes up to 2¹²⁶.
pub(crate) fn add(a: f32, b: f32) -> f32 {
    on_grid(a + b)
}

/// a − b, as [`add`].
pub(crate) fn sub(a: f32, b: f32) -> f32 {
    on_grid(a - b)
}

/// a · b, rounded to nearest, or +0 below [`SMALLEST_PRODUCT`]: relative error u, or absolute error 2⁻¹⁰⁰. Domain: products below
/// 2¹²⁷.
pub(crate) fn mul(a: f32, b: f32) -> f32 {
    clean(a * b)
}

/// −x, and +0 for 0.
pub(crate) fn neg(x: f32) -> f32 {
    on_grid(if x == 0.0 { 0.0 } else { f32::from_bits(x.to_bits() ^ SIGN) })
}

/// |x|.
pub(crate) fn abs(x: f32) -> f32 {
    on_grid(f32::from_bits(x.to_bits() & !SIGN))
}

/// The lesser of two numbers.
pub(crate) fn min(a: f32, b: f32) -> f32 {
    on_grid(if b < a { b } else { a })
}

/// The greater of two numbers.
pub(crate) fn max(a: f32, b: f32) -> f32 {
    on_grid(if a < b { b } else { a })
}

/// 1/x, and 0 for 0. Domain: magnitudes from 2⁻¹²³ to 2⁹⁹.
///
/// Relative error at most 1.67 u, not correctly rounded. A power of two times x gives the same bits but for the exponent, so that
/// the bound is checked for all x by the 2²³ numbers from 1 to 2.
pub(crate) fn recip(x: f32) -> f32 {
    let zero = x == 0.0;
    let size = if zero { 1.0 } else { abs(x) };
    let mut y = f32::from_bits(RECIP_GUESS - size.to_bits());
    for _ in 0..4 {
        y = mul(y, sub(2.0, mul(size, y)));
    }
    on_grid(if zero { 0.0 } else { f32::from_bits(y.to_bits() | x.to_bits() & SIGN) })
}

/// 1/√x, and 0 below [`SMALLEST_ROOT`], for negative numbers too. Domain: up to 2⁹⁰.
///
/// Relative error at most 2 u for x of at least [`SMALLEST_ROOT`]. A power of four times x gives the same bits but for the
/// exponent, so that the bound is checked for all x by the 2²⁴ numbers from 1 to 4.
pub(crate) fn rsqrt(x: f32) -> f32 {
    let defined = x >= SMALLEST_ROOT;
    let size = if defined { x } else { 1.0 };
    let half = mul(0.5, size);
    let mut y = f32::from_bits(RSQRT_GUESS - (size.to_bits() >> 1));
    for _ in 0..4 {
        y = mul(y, sub(1.5, mul(half, mul(y, y))));
    }
    on_grid(if defined { y } else { 0.0 })
}

/// √x as x · [`rsqrt`]\(x), and 0 below [`SMALLEST_ROOT`]. Domain: up to 2⁹⁰. Relative error at most 2.55 u.
pub(crate) fn sqrt(x: f32) -> f32 {
    mul(x, rsqrt(x))
}

/// a / b as a · [`recip`]\(b), and 0 for b = 0. Domain: b as for [`recip`], quotients below 2¹²⁶. Relative error at most 2.68 u,
/// or absolute error 2⁻¹⁰⁰.
pub(crate) fn div(a: f32, b: f32) -> f32 {
    mul(a, recip(b))
}
