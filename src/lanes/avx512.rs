//! Sixteen numbers side by side, with AVX-512. What [`avx2`](super::avx2) says of its types holds for these too.
use std::arch::x86_64::{
    __m512, __mmask16, _CMP_EQ_OQ, _CMP_LE_OQ, _CMP_LT_OQ, _mm_cvtsi32_si128, _mm_loadu_ps, _mm512_add_epi32,
    _mm512_add_ps, _mm512_and_ps, _mm512_castpd_ps, _mm512_castps_pd, _mm512_castps_si512, _mm512_castps128_ps512,
    _mm512_castsi512_ps, _mm512_cmp_ps_mask, _mm512_div_ps, _mm512_fmadd_ps, _mm512_insertf32x4, _mm512_loadu_ps,
    _mm512_mask_blend_ps, _mm512_maskz_compress_epi32, _mm512_maskz_mov_ps, _mm512_max_ps, _mm512_min_ps,
    _mm512_mul_ps, _mm512_or_ps, _mm512_reduce_min_ps, _mm512_set1_epi32, _mm512_set1_ps, _mm512_setr_epi32,
    _mm512_sqrt_ps, _mm512_srl_epi32, _mm512_storeu_ps, _mm512_storeu_si512, _mm512_sub_epi32, _mm512_sub_ps,
    _mm512_unpackhi_pd, _mm512_unpackhi_ps, _mm512_unpacklo_pd, _mm512_unpacklo_ps, _mm512_xor_ps,
};

use super::number::{Number, SIGN, Truth, instruction, of_two};

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
    fn bits(self) -> u32 {
        u32::from(self.0)
    }
}

impl Sixteen {
    #[inline(always)]
    #[allow(unsafe_code)]
    fn as_array(&self) -> &[f32; 16] {
        // SAFETY: sixteen numbers in 64 bytes, of a larger alignment.
        unsafe { &*std::ptr::from_ref(&self.0).cast() }
    }
}

/// Four rows of four numbers in one vector.
#[inline(always)]
fn rows([a, b, c, d]: [&[f32; 4]; 4]) -> __m512 {
    instruction!({
        let rows = _mm512_castps128_ps512(_mm_loadu_ps(a.as_ptr()));
        let rows = _mm512_insertf32x4::<1>(rows, _mm_loadu_ps(b.as_ptr()));
        let rows = _mm512_insertf32x4::<2>(rows, _mm_loadu_ps(c.as_ptr()));
        _mm512_insertf32x4::<3>(rows, _mm_loadu_ps(d.as_ptr()))
    })
}

/// The two low halves, or the two high ones, of each four numbers.
#[inline(always)]
fn halves(a: __m512, b: __m512) -> [Sixteen; 2] {
    instruction!({
        let (a, b) = (_mm512_castps_pd(a), _mm512_castps_pd(b));
        [Sixteen(_mm512_castpd_ps(_mm512_unpacklo_pd(a, b))), Sixteen(_mm512_castpd_ps(_mm512_unpackhi_pd(a, b)))]
    })
}

impl Number for Sixteen {
    type Truth = SixteenTruths;
    const LANES: usize = 16;
    const FUSED: bool = true;

    of_two! {
        plus _mm512_add_ps;
        minus _mm512_sub_ps;
        times _mm512_mul_ps;
        over _mm512_div_ps;
        greater _mm512_max_ps;
        lesser _mm512_min_ps;
    }

    #[inline(always)]
    fn from_fn(number: impl Fn(usize) -> f32) -> Self {
        let numbers: [f32; 16] = std::array::from_fn(number);
        Self(instruction!(_mm512_loadu_ps(numbers.as_ptr())))
    }
    #[inline(always)]
    fn load(numbers: &[f32]) -> Self {
        Self(instruction!(_mm512_loadu_ps(numbers[..16].as_ptr())))
    }
    #[inline(always)]
    fn store(self, numbers: &mut [f32]) {
        instruction!(_mm512_storeu_ps(numbers[..16].as_mut_ptr(), self.0));
    }
    #[inline(always)]
    fn columns<'a>(row: impl Fn(usize) -> &'a [f32; 4]) -> [Self; 4] {
        let a = rows([row(0), row(4), row(8), row(12)]);
        let b = rows([row(1), row(5), row(9), row(13)]);
        let c = rows([row(2), row(6), row(10), row(14)]);
        let d = rows([row(3), row(7), row(11), row(15)]);
        let (ab, cd) = instruction!((_mm512_unpacklo_ps(a, b), _mm512_unpacklo_ps(c, d)));
        let (ab_high, cd_high) = instruction!((_mm512_unpackhi_ps(a, b), _mm512_unpackhi_ps(c, d)));
        let ([x, y], [z, w]) = (halves(ab, cd), halves(ab_high, cd_high));
        [x, y, z, w]
    }
    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self(instruction!(_mm512_set1_ps(x)))
    }
    #[inline(always)]
    fn times_plus(self, factor: Self, summand: Self) -> Self {
        Self(instruction!(_mm512_fmadd_ps(self.0, factor.0, summand.0)))
    }
    #[inline(always)]
    fn root(self) -> Self {
        Self(instruction!(_mm512_sqrt_ps(self.0)))
    }
    #[inline(always)]
    fn masked(self, mask: u32) -> Self {
        Self(instruction!(_mm512_and_ps(self.0, _mm512_set1_ps(f32::from_bits(mask)))))
    }
    #[inline(always)]
    fn negated(self) -> Self {
        Self(instruction!(_mm512_xor_ps(self.0, _mm512_set1_ps(f32::from_bits(SIGN)))))
    }
    #[inline(always)]
    fn below(self, other: Self) -> SixteenTruths {
        SixteenTruths(instruction!(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn at_most(self, other: Self) -> SixteenTruths {
        SixteenTruths(instruction!(_mm512_cmp_ps_mask::<_CMP_LE_OQ>(self.0, other.0)))
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
    fn lane(&self, lane: usize) -> f32 {
        self.as_array()[lane]
    }
    #[inline(always)]
    fn least(self) -> f32 {
        instruction!(_mm512_reduce_min_ps(self.0))
    }
    #[inline(always)]
    fn list(mask: u32, first: u32, places: &mut [u32]) -> usize {
        let places = &mut places[..16];
        instruction!({
            let all = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            let all = _mm512_add_epi32(all, _mm512_set1_epi32(first.cast_signed()));
            _mm512_storeu_si512(places.as_mut_ptr().cast(), _mm512_maskz_compress_epi32(mask as __mmask16, all));
        });
        mask.count_ones() as usize
    }
}
