//! Eight numbers side by side, with AVX2 and FMA.
//!
//! Each operation is one instruction, which is there if [`Width`](super::width::Width) has found it: values of these types are made and
//! used in its tasks only. All functions are inlined into the task, which is compiled for these instructions; so must everything be that
//! has such values for arguments, closures included.
use std::arch::x86_64::{
    __m256, _CMP_EQ_OQ, _CMP_LE_OQ, _CMP_LT_OQ, _mm_cvtsi32_si128, _mm_cvtss_f32, _mm_loadu_ps, _mm_min_ps, _mm_min_ss,
    _mm_movehl_ps, _mm_shuffle_ps, _mm256_add_ps, _mm256_and_ps, _mm256_andnot_ps, _mm256_blendv_ps, _mm256_castpd_ps,
    _mm256_castps_pd, _mm256_castps_si256, _mm256_castps256_ps128, _mm256_castsi256_ps, _mm256_cmp_ps, _mm256_div_ps,
    _mm256_extractf128_ps, _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_max_ps, _mm256_min_ps, _mm256_movemask_ps,
    _mm256_mul_ps, _mm256_or_ps, _mm256_set_m128, _mm256_set1_epi32, _mm256_set1_ps, _mm256_sqrt_ps, _mm256_srl_epi32,
    _mm256_storeu_ps, _mm256_sub_epi32, _mm256_sub_ps, _mm256_unpackhi_pd, _mm256_unpackhi_ps, _mm256_unpacklo_pd,
    _mm256_unpacklo_ps, _mm256_xor_ps,
};

use super::number::{Number, SIGN, Truth, instruction, of_two};

#[derive(Clone, Copy)]
pub(crate) struct Eight(__m256);

/// All bits of a lane, or none.
#[derive(Clone, Copy)]
pub(crate) struct EightTruths(__m256);

impl Truth for EightTruths {
    of_two! { and _mm256_and_ps; or _mm256_or_ps; }

    #[inline(always)]
    fn not(self) -> Self {
        Self(instruction!(_mm256_xor_ps(self.0, _mm256_castsi256_ps(_mm256_set1_epi32(-1)))))
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        instruction!(_mm256_movemask_ps(self.0)).cast_unsigned()
    }
}

impl Eight {
    #[inline(always)]
    #[allow(unsafe_code)]
    fn as_array(&self) -> &[f32; 8] {
        // SAFETY: eight numbers in 32 bytes, of a larger alignment.
        unsafe { &*std::ptr::from_ref(&self.0).cast() }
    }
}

/// Two rows of four numbers in one vector.
#[inline(always)]
fn rows(low: &[f32; 4], high: &[f32; 4]) -> __m256 {
    instruction!(_mm256_set_m128(_mm_loadu_ps(high.as_ptr()), _mm_loadu_ps(low.as_ptr())))
}

/// The two low halves, or the two high ones, of each four numbers.
#[inline(always)]
fn halves(a: __m256, b: __m256) -> [Eight; 2] {
    instruction!({
        let (a, b) = (_mm256_castps_pd(a), _mm256_castps_pd(b));
        [Eight(_mm256_castpd_ps(_mm256_unpacklo_pd(a, b))), Eight(_mm256_castpd_ps(_mm256_unpackhi_pd(a, b)))]
    })
}

impl Number for Eight {
    type Truth = EightTruths;
    const LANES: usize = 8;
    const FUSED: bool = true;

    of_two! {
        plus _mm256_add_ps;
        minus _mm256_sub_ps;
        times _mm256_mul_ps;
        over _mm256_div_ps;
        greater _mm256_max_ps;
        lesser _mm256_min_ps;
    }

    #[inline(always)]
    fn from_fn(number: impl Fn(usize) -> f32) -> Self {
        let numbers: [f32; 8] = std::array::from_fn(number);
        Self(instruction!(_mm256_loadu_ps(numbers.as_ptr())))
    }
    #[inline(always)]
    fn load(numbers: &[f32]) -> Self {
        Self(instruction!(_mm256_loadu_ps(numbers[..8].as_ptr())))
    }
    #[inline(always)]
    fn store(self, numbers: &mut [f32]) {
        instruction!(_mm256_storeu_ps(numbers[..8].as_mut_ptr(), self.0));
    }
    #[inline(always)]
    fn columns<'a>(row: impl Fn(usize) -> &'a [f32; 4]) -> [Self; 4] {
        let (a, b) = (rows(row(0), row(4)), rows(row(1), row(5)));
        let (c, d) = (rows(row(2), row(6)), rows(row(3), row(7)));
        let (ab, cd) = instruction!((_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d)));
        let (ab_high, cd_high) = instruction!((_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d)));
        let ([x, y], [z, w]) = (halves(ab, cd), halves(ab_high, cd_high));
        [x, y, z, w]
    }
    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self(instruction!(_mm256_set1_ps(x)))
    }
    #[inline(always)]
    fn times_plus(self, factor: Self, summand: Self) -> Self {
        Self(instruction!(_mm256_fmadd_ps(self.0, factor.0, summand.0)))
    }
    #[inline(always)]
    fn root(self) -> Self {
        Self(instruction!(_mm256_sqrt_ps(self.0)))
    }
    #[inline(always)]
    fn masked(self, mask: u32) -> Self {
        Self(instruction!(_mm256_and_ps(self.0, _mm256_set1_ps(f32::from_bits(mask)))))
    }
    #[inline(always)]
    fn negated(self) -> Self {
        Self(instruction!(_mm256_xor_ps(self.0, _mm256_set1_ps(f32::from_bits(SIGN)))))
    }
    #[inline(always)]
    fn below(self, other: Self) -> EightTruths {
        EightTruths(instruction!(_mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn at_most(self, other: Self) -> EightTruths {
        EightTruths(instruction!(_mm256_cmp_ps::<_CMP_LE_OQ>(self.0, other.0)))
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
    fn least(self) -> f32 {
        instruction!({
            let four = _mm_min_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
            let two = _mm_min_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_min_ss(two, _mm_shuffle_ps::<1>(two, two)))
        })
    }
    #[inline(always)]
    fn lane(&self, lane: usize) -> f32 {
        self.as_array()[lane]
    }
}
