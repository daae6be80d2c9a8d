//! Four numbers side by side, with NEON, which every ARM processor of 64 bits has.

use std::arch::aarch64::{
    float32x4_t, uint32x4_t, vaddq_f32, vaddvq_u32, vandq_u32, vbicq_u32, vbslq_f32, vceqq_f32, vcleq_f32, vcltq_f32,
    vdivq_f32, vdupq_n_f32, vdupq_n_s32, vdupq_n_u32, vfmaq_f32, vld1q_f32, vld1q_u32, vmaxq_f32, vminq_f32, vmulq_f32,
    vmvnq_u32, vnegq_f32, vorrq_u32, vreinterpretq_f32_f64, vreinterpretq_f32_u32, vreinterpretq_f64_f32,
    vreinterpretq_u32_f32, vshlq_u32, vsqrtq_f32, vst1q_f32, vsubq_f32, vsubq_u32, vtrn1q_f32, vtrn2q_f32, vzip1q_f64,
    vzip2q_f64,
};

use super::number::{Number, SIGN, Truth, instruction, of_two};

#[derive(Clone, Copy)]
pub(crate) struct Four(float32x4_t);

/// All bits of a lane, or none.
#[derive(Clone, Copy)]
pub(crate) struct FourTruths(uint32x4_t);

impl Truth for FourTruths {
    of_two! { and vandq_u32; or vorrq_u32; }

    #[inline(always)]
    fn not(self) -> Self {
        Self(instruction!(vmvnq_u32(self.0)))
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        instruction!(vaddvq_u32(vandq_u32(self.0, vld1q_u32([1, 2, 4, 8].as_ptr()))))
    }
}

impl Four {
    #[inline(always)]
    fn bits(self) -> uint32x4_t {
        instruction!(vreinterpretq_u32_f32(self.0))
    }

    #[inline(always)]
    fn from_bits(bits: uint32x4_t) -> Self {
        Self(instruction!(vreinterpretq_f32_u32(bits)))
    }

    #[inline(always)]
    fn array(self) -> [f32; 4] {
        let mut numbers = [0.0; 4];
        self.store(&mut numbers);
        numbers
    }
}

/// The two low halves, or the two high ones.
#[inline(always)]
fn halves(a: float32x4_t, b: float32x4_t) -> [Four; 2] {
    instruction!({
        let (a, b) = (vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(b));
        [Four(vreinterpretq_f32_f64(vzip1q_f64(a, b))), Four(vreinterpretq_f32_f64(vzip2q_f64(a, b)))]
    })
}

impl Number for Four {
    type Truth = FourTruths;
    const LANES: usize = 4;
    const FUSED: bool = true;

    of_two! {
        plus vaddq_f32;
        minus vsubq_f32;
        times vmulq_f32;
        over vdivq_f32;
        greater vmaxq_f32;
        lesser vminq_f32;
    }

    #[inline(always)]
    fn from_fn(number: impl Fn(usize) -> f32) -> Self {
        Self::load(&[number(0), number(1), number(2), number(3)])
    }
    #[inline(always)]
    fn load(numbers: &[f32]) -> Self {
        Self(instruction!(vld1q_f32(numbers[..4].as_ptr())))
    }
    #[inline(always)]
    fn store(self, numbers: &mut [f32]) {
        instruction!(vst1q_f32(numbers[..4].as_mut_ptr(), self.0));
    }
    #[inline(always)]
    fn columns<'a>(row: impl Fn(usize) -> &'a [f32; 4]) -> [Self; 4] {
        let (a, b, c, d) = (Self::load(row(0)).0, Self::load(row(1)).0, Self::load(row(2)).0, Self::load(row(3)).0);
        let (even, odd) = instruction!(([vtrn1q_f32(a, b), vtrn1q_f32(c, d)], [vtrn2q_f32(a, b), vtrn2q_f32(c, d)],));
        let ([x, z], [y, w]) = (halves(even[0], even[1]), halves(odd[0], odd[1]));
        [x, y, z, w]
    }
    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self(instruction!(vdupq_n_f32(x)))
    }
    #[inline(always)]
    fn times_plus(self, factor: Self, summand: Self) -> Self {
        Self(instruction!(vfmaq_f32(summand.0, self.0, factor.0)))
    }
    #[inline(always)]
    fn root(self) -> Self {
        Self(instruction!(vsqrtq_f32(self.0)))
    }
    #[inline(always)]
    fn masked(self, mask: u32) -> Self {
        Self::from_bits(instruction!(vandq_u32(self.bits(), vdupq_n_u32(mask))))
    }
    #[inline(always)]
    fn negated(self) -> Self {
        Self(instruction!(vnegq_f32(self.0)))
    }
    #[inline(always)]
    fn below(self, other: Self) -> FourTruths {
        FourTruths(instruction!(vcltq_f32(self.0, other.0)))
    }
    #[inline(always)]
    fn at_most(self, other: Self) -> FourTruths {
        FourTruths(instruction!(vcleq_f32(self.0, other.0)))
    }
    #[inline(always)]
    fn equals(self, other: Self) -> FourTruths {
        FourTruths(instruction!(vceqq_f32(self.0, other.0)))
    }
    #[inline(always)]
    fn choose(which: FourTruths, yes: Self, no: Self) -> Self {
        Self(instruction!(vbslq_f32(which.0, yes.0, no.0)))
    }
    #[inline(always)]
    fn unless(self, which: FourTruths) -> Self {
        Self::from_bits(instruction!(vbicq_u32(self.bits(), which.0)))
    }
    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        Self::from_bits(instruction!(vorrq_u32(self.bits(), vandq_u32(other.bits(), vdupq_n_u32(SIGN)))))
    }
    #[inline(always)]
    fn from_guess(guess: u32, less: Self, shift: u32) -> Self {
        // (A shift to the left by less than nothing is one to the right.)
        let less = instruction!(vshlq_u32(less.bits(), vdupq_n_s32(-shift.cast_signed())));
        Self::from_bits(instruction!(vsubq_u32(vdupq_n_u32(guess), less)))
    }
    #[inline(always)]
    fn lane(&self, lane: usize) -> f32 {
        self.array()[lane]
    }
}
