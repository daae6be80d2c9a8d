//! Arithmetic with the same bits on every adapter and on the CPU.
//!
//! WGSL lets a compiler fuse a product with a sum, reorder sums, approximate division and roots, and flush subnormals. So two
//! adapters give two results for one formula. The functions here avoid everything that may differ; each has a WGSL function of
//! the same name with the prefix `det_` in `shaders/lib/det.wgsl`. The rules:
//!
//! - Only `+`, `-` and `*` of single `f32`, which all adapters round to nearest, ties to even. Rust does the same and never
//!   fuses. In WGSL each sum passes through an exclusive or with a uniform that is always 0, and each product through a comparison
//!   with a number that is made in this way, so that no compiler can fuse, reorder or fold across it.
//! - **The grid.** Products below [`SMALLEST_PRODUCT`] become +0, and inputs are [cleaned](clean) likewise. All values are then
//!   multiples of 2⁻¹²³: a number of at least 2⁻¹⁰⁰ is one, and so is each sum or difference of two of them, rounded or not. Such
//!   a value is 0 or at least 2⁻¹²³, a normal number, and no adapter has anything to flush.
//! - No NaN, infinity or −0 arises within the domain of each function: their bits differ between adapters. Sums of opposite
//!   numbers are +0 when rounding to nearest, products of 0 are made +0, and a sign is changed by [`neg`], which keeps 0.
//! - Comparisons and choices are exact on such values.
//!
//! Callers scale a pair by a power of two so that its magnitudes lie within 2^±40, and clean afterwards: then products of three
//! numbers are finite. Each function states the wider domain in which its own bits are equal; magnitudes are those of non-zero
//! numbers on the grid, and `u` is 2⁻²⁴.
//!
//! The list of all functions (`list.rs`) makes the tests: each is run on every adapter and compared with Rust bit for bit. What
//! WGSL a deterministic kernel may contain is checked by `src/gpu/tests/det_lint.rs`.

mod double;
mod scalar;
mod turn;
mod vector;

#[cfg(test)]
pub(crate) mod cases;
#[cfg(test)]
pub(crate) mod list;
#[cfg(test)]
mod tests;

#[cfg(test)]
use list::chain;

pub(crate) use double::{
    Double, add_double, less_double, mul_double, neg_double, quick_two_sum, split, sub_double, two_prod, two_sum,
};
pub(crate) use scalar::{abs, add, clean, div, max, min, mul, neg, recip, rsqrt, sqrt, sub};
pub(crate) use turn::turn;
pub(crate) use vector::{add3, cross3, dot3, length_squared3, length3, neg3, normalize3, scale3, sub3};

/// Products of a smaller magnitude become +0.
///
/// 2⁻¹⁰⁰, with 23 bits below its leading one, leaves sums and differences multiples of 2⁻¹²³, 8 times the least normal number.
pub(crate) const SMALLEST_PRODUCT: f32 = 1.0 / (1_u128 << 100) as f32;

/// The least number whose inverse root is computed; that of a lesser one is 0. 2⁻⁹⁰: half of it, and the square of an inverse
/// root of up to 2⁹⁰, are well above [`SMALLEST_PRODUCT`].
pub(crate) const SMALLEST_ROOT: f32 = 1.0 / (1_u128 << 90) as f32;
