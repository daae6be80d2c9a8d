//! What the functions compute with: a number, or those of several computations side by side.

use wide::{f32x8, u32x8};

use super::SMALLEST_PRODUCT;
use super::double::{Double, two_prod_by_f64, two_prod_by_halves};

pub(super) const SIGN: u32 = 0x8000_0000;

/// Whether something holds: once, or in each of several computations.
pub(crate) trait Truth: Copy {
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn not(self) -> Self;
    /// In any of the computations.
    fn any(self) -> bool;
    /// In one of the computations.
    fn holds(&self, lane: usize) -> bool;
}

/// One `f32`, or several side by side, with equal bits in each.
pub(crate) trait Number: Copy + Sized {
    type Truth: Truth;
    /// How many.
    const LANES: usize;

    /// One for each computation.
    fn from_fn(number: impl Fn(usize) -> f32) -> Self;
    fn splat(x: f32) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// Without its sign.
    fn magnitude(self) -> Self;
    /// self < other.
    fn below(self, other: Self) -> Self::Truth;
    fn equals(self, other: Self) -> Self::Truth;
    fn choose(which: Self::Truth, yes: Self, no: Self) -> Self;
    /// 0 where that holds.
    fn unless(self, which: Self::Truth) -> Self;
    /// The sign of another number on a positive one.
    fn with_sign_of(self, other: Self) -> Self;
    /// The number whose bits are `guess` less those of this one, shifted to the right.
    fn from_guess(guess: u32, less: Self, shift: u32) -> Self;
    /// The product in two words: [`two_prod`](super::two_prod).
    fn exact_product(a: Self, b: Self) -> Double<Self>;
    /// In debug builds, stops at a value that no deterministic computation may have.
    fn on_grid(self) -> Self;
    /// The number of one of the computations.
    fn lane(&self, lane: usize) -> f32;
}

impl Truth for bool {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }
    #[inline(always)]
    fn not(self) -> Self {
        !self
    }
    #[inline(always)]
    fn any(self) -> bool {
        self
    }
    #[inline(always)]
    fn holds(&self, _: usize) -> bool {
        *self
    }
}

impl Number for f32 {
    type Truth = bool;
    const LANES: usize = 1;

    #[inline(always)]
    fn from_fn(number: impl Fn(usize) -> f32) -> Self {
        number(0)
    }
    #[inline(always)]
    fn splat(x: f32) -> Self {
        x
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self - other
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self * other
    }
    #[inline(always)]
    fn magnitude(self) -> Self {
        f32::from_bits(self.to_bits() & !SIGN)
    }
    #[inline(always)]
    fn below(self, other: Self) -> bool {
        self < other
    }
    #[inline(always)]
    fn equals(self, other: Self) -> bool {
        self == other
    }
    #[inline(always)]
    fn choose(which: bool, yes: Self, no: Self) -> Self {
        if which { yes } else { no }
    }
    #[inline(always)]
    fn unless(self, which: bool) -> Self {
        if which { 0.0 } else { self }
    }
    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        f32::from_bits(self.to_bits() | other.to_bits() & SIGN)
    }
    #[inline(always)]
    fn from_guess(guess: u32, less: Self, shift: u32) -> Self {
        f32::from_bits(guess - (less.to_bits() >> shift))
    }
    #[inline(always)]
    fn exact_product(a: Self, b: Self) -> Double<Self> {
        two_prod_by_f64(a, b)
    }
    #[inline(always)]
    fn on_grid(self) -> Self {
        if cfg!(debug_assertions) {
            assert_on_grid(&[self]);
        }
        self
    }
    #[inline(always)]
    fn lane(&self, _: usize) -> f32 {
        *self
    }
}

/// Stops at a value that no deterministic computation may have. (Never inlined: there are very many calls.)
#[inline(never)]
pub(super) fn assert_on_grid(numbers: &[f32]) {
    let grid = SMALLEST_PRODUCT / (1 << 23) as f32;
    for x in numbers {
        assert!(x.is_finite(), "{x} arose: an operand was outside the domain");
        assert!(x.to_bits() != SIGN, "-0 arose");
        assert!(x.abs() >= SMALLEST_PRODUCT || (x / grid).fract() == 0.0, "{x:e} is not a multiple of 2^-123");
    }
}

/// Eight numbers side by side, on every processor. What holds has all bits of a lane, or none.
impl Truth for f32x8 {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }
    #[inline(always)]
    fn not(self) -> Self {
        !self
    }
    #[inline(always)]
    fn any(self) -> bool {
        f32x8::any(self)
    }
    #[inline(always)]
    fn holds(&self, lane: usize) -> bool {
        self.as_array()[lane].to_bits() != 0
    }
}

impl Number for f32x8 {
    type Truth = f32x8;
    const LANES: usize = 8;

    #[inline(always)]
    fn from_fn(number: impl Fn(usize) -> f32) -> Self {
        f32x8::new(std::array::from_fn(number))
    }
    #[inline(always)]
    fn splat(x: f32) -> Self {
        f32x8::splat(x)
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self - other
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self * other
    }
    #[inline(always)]
    fn magnitude(self) -> Self {
        self & f32x8::splat(f32::from_bits(!SIGN))
    }
    #[inline(always)]
    fn below(self, other: Self) -> f32x8 {
        self.simd_lt(other)
    }
    #[inline(always)]
    fn equals(self, other: Self) -> f32x8 {
        self.simd_eq(other)
    }
    #[inline(always)]
    fn choose(which: f32x8, yes: Self, no: Self) -> Self {
        // (By bits: without AVX that is what a blend is made of.)
        no ^ (which & (yes ^ no))
    }
    #[inline(always)]
    fn unless(self, which: f32x8) -> Self {
        self & !which
    }
    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        self | (other & f32x8::splat(f32::from_bits(SIGN)))
    }
    #[inline(always)]
    fn from_guess(guess: u32, less: Self, shift: u32) -> Self {
        let bits: u32x8 = bytemuck::cast(less);
        bytemuck::cast(u32x8::splat(guess) - (bits >> shift))
    }
    #[inline(always)]
    fn exact_product(a: Self, b: Self) -> Double<Self> {
        two_prod_by_halves(a, b)
    }
    #[inline(always)]
    fn on_grid(self) -> Self {
        if cfg!(debug_assertions) {
            assert_on_grid(self.as_array());
        }
        self
    }
    #[inline(always)]
    fn lane(&self, lane: usize) -> f32 {
        self.as_array()[lane]
    }
}
