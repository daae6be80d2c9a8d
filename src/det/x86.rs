//! More numbers side by side than every processor has room for: eight with AVX2 and FMA, sixteen with AVX-512.
//!
//! Each operation is one instruction, which is there if [`Width`](super::width::Width) has found it: values of these types are made and
//! used in its tasks only. All functions are inlined into the task, which is compiled for these instructions; so must everything be that
//! has such values for arguments, closures included.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256, __m512, __mmask16, _CMP_EQ_OQ, _CMP_LT_OQ, _mm_cvtsi32_si128, _mm256_add_ps, _mm256_and_ps,
    _mm256_andnot_ps, _mm256_blendv_ps, _mm256_castps_si256, _mm256_castsi256_ps, _mm256_cmp_ps, _mm256_fmsub_ps,
    _mm256_loadu_ps, _mm256_movemask_ps, _mm256_mul_ps, _mm256_or_ps, _mm256_set1_epi32, _mm256_set1_ps,
    _mm256_srl_epi32, _mm256_sub_epi32, _mm256_sub_ps, _mm256_xor_ps, _mm512_abs_ps, _mm512_add_ps, _mm512_and_ps,
    _mm512_castps_si512, _mm512_castsi512_ps, _mm512_cmp_ps_mask, _mm512_fmsub_ps, _mm512_loadu_ps,
    _mm512_mask_blend_ps, _mm512_maskz_mov_ps, _mm512_mul_ps, _mm512_or_ps, _mm512_set1_epi32, _mm512_set1_ps,
    _mm512_srl_epi32, _mm512_sub_epi32, _mm512_sub_ps,
};

use super::double::{Double, LEAST_EXACT, two_prod_by_halves};
use super::number::{Number, SIGN, Truth, assert_on_grid};
use super::{add, mul};

/// An instruction of this processor.
macro_rules! instruction {
    ($($call:tt)*) => {{
        // SAFETY: the processor has it: these types are used in tasks of `Width` only, which has asked for it.
        unsafe { $($call)* }
    }};
}

/// Numbers of which a processor can subtract one from a product with a single rounding.
trait Fused: Number {
    /// a b − c.
    fn product_less(a: Self, b: Self, c: Self) -> Self;
}

/// [`two_prod`](super::two_prod) of such numbers.
#[inline(always)]
fn two_prod_fused<T: Fused>(a: T, b: T) -> Double<T> {
    let (zero, product) = (T::splat(0.0), a.times(b));
    // Where the product by halves is exact, both are the same.
    let exact = T::splat(LEAST_EXACT).below(product.magnitude()).or(product.equals(zero));
    if exact.not().any() {
        return two_prod_by_halves(a, b);
    }
    let high = mul(a, b);
    // (Of −0 the sum with 0 is +0.)
    Double { high, low: add(T::product_less(a, b, high), zero) }
}

#[derive(Clone, Copy)]
pub(crate) struct Eight(__m256);

/// All bits of a lane, or none.
#[derive(Clone, Copy)]
pub(crate) struct EightTruths(__m256);

impl Truth for EightTruths {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(instruction!(_mm256_and_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(instruction!(_mm256_or_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn not(self) -> Self {
        Self(instruction!(_mm256_xor_ps(self.0, _mm256_castsi256_ps(_mm256_set1_epi32(-1)))))
    }
    #[inline(always)]
    fn any(self) -> bool {
        instruction!(_mm256_movemask_ps(self.0)) != 0
    }
    #[inline(always)]
    fn holds(&self, lane: usize) -> bool {
        instruction!(_mm256_movemask_ps(self.0)) >> lane & 1 == 1
    }
}

impl Eight {
    #[inline(always)]
    fn as_array(&self) -> &[f32; 8] {
        // SAFETY: eight numbers in 32 bytes, of a larger alignment.
        unsafe { &*std::ptr::from_ref(&self.0).cast() }
    }
}

impl Fused for Eight {
    #[inline(always)]
    fn product_less(a: Self, b: Self, c: Self) -> Self {
        Self(instruction!(_mm256_fmsub_ps(a.0, b.0, c.0)))
    }
}

impl Number for Eight {
    type Truth = EightTruths;
    const LANES: usize = 8;

    #[inline(always)]
    fn from_fn(number: impl Fn(usize) -> f32) -> Self {
        let numbers: [f32; 8] = std::array::from_fn(number);
        Self(instruction!(_mm256_loadu_ps(numbers.as_ptr())))
    }
    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self(instruction!(_mm256_set1_ps(x)))
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(instruction!(_mm256_add_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self(instruction!(_mm256_sub_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Self(instruction!(_mm256_mul_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn magnitude(self) -> Self {
        Self(instruction!(_mm256_and_ps(self.0, _mm256_set1_ps(f32::from_bits(!SIGN)))))
    }
    #[inline(always)]
    fn below(self, other: Self) -> EightTruths {
        EightTruths(instruction!(_mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn equals(self, other: Self) -> EightTruths {
        EightTruths(instruction!(_mm256_cmp_ps::<_CMP_EQ_OQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn choose(which: EightTruths, yes: Self, no: Self) -> Self {
        Self(instruction!(_mm256_blendv_ps(no.0, yes.0, which.0)))
    }
    #[inline(always)]
    fn unless(self, which: EightTruths) -> Self {
        Self(instruction!(_mm256_andnot_ps(which.0, self.0)))
    }
    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        Self(instruction!(_mm256_or_ps(self.0, _mm256_and_ps(other.0, _mm256_set1_ps(f32::from_bits(SIGN))))))
    }
    #[inline(always)]
    fn from_guess(guess: u32, less: Self, shift: u32) -> Self {
        Self(instruction!({
            let less = _mm256_srl_epi32(_mm256_castps_si256(less.0), _mm_cvtsi32_si128(shift.cast_signed()));
            _mm256_castsi256_ps(_mm256_sub_epi32(_mm256_set1_epi32(guess.cast_signed()), less))
        }))
    }
    #[inline(always)]
    fn exact_product(a: Self, b: Self) -> Double<Self> {
        two_prod_fused(a, b)
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

#[derive(Clone, Copy)]
pub(crate) struct Sixteen(__m512);

/// A bit for each lane.
#[derive(Clone, Copy)]
pub(crate) struct SixteenTruths(__mmask16);

impl Truth for SixteenTruths {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.0 != 0
    }
    #[inline(always)]
    fn holds(&self, lane: usize) -> bool {
        self.0 >> lane & 1 == 1
    }
}

impl Sixteen {
    #[inline(always)]
    fn as_array(&self) -> &[f32; 16] {
        // SAFETY: sixteen numbers in 64 bytes, of a larger alignment.
        unsafe { &*std::ptr::from_ref(&self.0).cast() }
    }
}

impl Fused for Sixteen {
    #[inline(always)]
    fn product_less(a: Self, b: Self, c: Self) -> Self {
        Self(instruction!(_mm512_fmsub_ps(a.0, b.0, c.0)))
    }
}

impl Number for Sixteen {
    type Truth = SixteenTruths;
    const LANES: usize = 16;

    #[inline(always)]
    fn from_fn(number: impl Fn(usize) -> f32) -> Self {
        let numbers: [f32; 16] = std::array::from_fn(number);
        Self(instruction!(_mm512_loadu_ps(numbers.as_ptr())))
    }
    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self(instruction!(_mm512_set1_ps(x)))
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(instruction!(_mm512_add_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self(instruction!(_mm512_sub_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Self(instruction!(_mm512_mul_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn magnitude(self) -> Self {
        Self(instruction!(_mm512_abs_ps(self.0)))
    }
    #[inline(always)]
    fn below(self, other: Self) -> SixteenTruths {
        SixteenTruths(instruction!(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn equals(self, other: Self) -> SixteenTruths {
        SixteenTruths(instruction!(_mm512_cmp_ps_mask::<_CMP_EQ_OQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn choose(which: SixteenTruths, yes: Self, no: Self) -> Self {
        Self(instruction!(_mm512_mask_blend_ps(which.0, no.0, yes.0)))
    }
    #[inline(always)]
    fn unless(self, which: SixteenTruths) -> Self {
        Self(instruction!(_mm512_maskz_mov_ps(!which.0, self.0)))
    }
    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        Self(instruction!(_mm512_or_ps(self.0, _mm512_and_ps(other.0, _mm512_set1_ps(f32::from_bits(SIGN))))))
    }
    #[inline(always)]
    fn from_guess(guess: u32, less: Self, shift: u32) -> Self {
        Self(instruction!({
            let less = _mm512_srl_epi32(_mm512_castps_si512(less.0), _mm_cvtsi32_si128(shift.cast_signed()));
            _mm512_castsi512_ps(_mm512_sub_epi32(_mm512_set1_epi32(guess.cast_signed()), less))
        }))
    }
    #[inline(always)]
    fn exact_product(a: Self, b: Self) -> Double<Self> {
        two_prod_fused(a, b)
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
