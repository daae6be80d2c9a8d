//! Four numbers side by side, with SSE2, which every x86 processor of 64 bits has.

use std::arch::x86_64::{
    __m128, _mm_add_ps, _mm_and_ps, _mm_andnot_ps, _mm_castps_si128, _mm_castsi128_ps, _mm_cmpeq_ps, _mm_cmple_ps,
    _mm_cmplt_ps, _mm_cvtsi32_si128, _mm_div_ps, _mm_loadu_ps, _mm_max_ps, _mm_min_ps, _mm_movehl_ps, _mm_movelh_ps,
    _mm_movemask_ps, _mm_mul_ps, _mm_or_ps, _mm_set1_epi32, _mm_set1_ps, _mm_sqrt_ps, _mm_srl_epi32, _mm_storeu_ps,
    _mm_sub_epi32, _mm_sub_ps, _mm_unpackhi_ps, _mm_unpacklo_ps, _mm_xor_ps,
};

use super::number::{Number, SIGN, Truth, instruction, of_two};

#[derive(Clone, Copy)]
pub(crate) struct Four(__m128);

/// All bits of a lane, or none.
#[derive(Clone, Copy)]
pub(crate) struct FourTruths(__m128);

impl Truth for FourTruths {
    of_two! { and _mm_and_ps; or _mm_or_ps; }

    #[inline(always)]
    fn not(self) -> Self {
        Self(instruction!(_mm_xor_ps(self.0, _mm_castsi128_ps(_mm_set1_epi32(-1)))))
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        instruction!(_mm_movemask_ps(self.0)).cast_unsigned()
    }
}

impl Four {
    #[inline(always)]
    fn array(self) -> [f32; 4] {
        bytemuck::cast(self.0)
    }
}

impl Number for Four {
    type Truth = FourTruths;
    const LANES: usize = 4;
    const FUSED: bool = false;

    of_two! {
        plus _mm_add_ps;
        minus _mm_sub_ps;
        times _mm_mul_ps;
        over _mm_div_ps;
        greater _mm_max_ps;
        lesser _mm_min_ps;
    }

    #[inline(always)]
    fn from_fn(number: impl Fn(usize) -> f32) -> Self {
        Self::load(&[number(0), number(1), number(2), number(3)])
    }
    #[inline(always)]
    fn load(numbers: &[f32]) -> Self {
        Self(instruction!(_mm_loadu_ps(numbers[..4].as_ptr())))
    }
    #[inline(always)]
    fn store(self, numbers: &mut [f32]) {
        instruction!(_mm_storeu_ps(numbers[..4].as_mut_ptr(), self.0));
    }
    #[inline(always)]
    fn columns<'a>(row: impl Fn(usize) -> &'a [f32; 4]) -> [Self; 4] {
        let (a, b, c, d) = (Self::load(row(0)).0, Self::load(row(1)).0, Self::load(row(2)).0, Self::load(row(3)).0);
        instruction!({
            let (ab, cd) = (_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d));
            let (ab_high, cd_high) = (_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
            [
                Self(_mm_movelh_ps(ab, cd)),
                Self(_mm_movehl_ps(cd, ab)),
                Self(_mm_movelh_ps(ab_high, cd_high)),
                Self(_mm_movehl_ps(cd_high, ab_high)),
            ]
        })
    }
    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self(instruction!(_mm_set1_ps(x)))
    }
    #[inline(always)]
    fn times_plus(self, factor: Self, summand: Self) -> Self {
        self.times(factor).plus(summand)
    }
    #[inline(always)]
    fn root(self) -> Self {
        Self(instruction!(_mm_sqrt_ps(self.0)))
    }
    #[inline(always)]
    fn masked(self, mask: u32) -> Self {
        Self(instruction!(_mm_and_ps(self.0, _mm_set1_ps(f32::from_bits(mask)))))
    }
    #[inline(always)]
    fn negated(self) -> Self {
        Self(instruction!(_mm_xor_ps(self.0, _mm_set1_ps(f32::from_bits(SIGN)))))
    }
    #[inline(always)]
    fn below(self, other: Self) -> FourTruths {
        FourTruths(instruction!(_mm_cmplt_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn at_most(self, other: Self) -> FourTruths {
        FourTruths(instruction!(_mm_cmple_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn equals(self, other: Self) -> FourTruths {
        FourTruths(instruction!(_mm_cmpeq_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn choose(which: FourTruths, yes: Self, no: Self) -> Self {
        Self(instruction!(_mm_or_ps(_mm_and_ps(which.0, yes.0), _mm_andnot_ps(which.0, no.0))))
    }
    #[inline(always)]
    fn unless(self, which: FourTruths) -> Self {
        Self(instruction!(_mm_andnot_ps(which.0, self.0)))
    }
    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        Self(instruction!(_mm_or_ps(self.0, _mm_and_ps(other.0, _mm_set1_ps(f32::from_bits(SIGN))))))
    }
    #[inline(always)]
    fn from_guess(guess: u32, less: Self, shift: u32) -> Self {
        let less = instruction!(_mm_srl_epi32(_mm_castps_si128(less.0), _mm_cvtsi32_si128(shift.cast_signed())));
        Self(instruction!(_mm_castsi128_ps(_mm_sub_epi32(_mm_set1_epi32(guess.cast_signed()), less))))
    }
    #[inline(always)]
    fn lane(&self, lane: usize) -> f32 {
        self.array()[lane]
    }
}
