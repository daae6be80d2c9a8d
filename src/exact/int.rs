//! Exact integers: `f32` inputs scaled by a common power of two, in `i128` where that is wide enough, else in big integers.

use std::cmp::Ordering;

use num_bigint::BigInt;

/// What the exact tests need of an integer type. Overflow must be excluded by the caller.
pub(super) trait Int: Clone + Ord + From<i128> {
    fn add(&self, other: &Self) -> Self;
    fn sub(&self, other: &Self) -> Self;
    fn mul(&self, other: &Self) -> Self;
    fn abs(&self) -> Self;
    fn shl(&self, bits: u32) -> Self;

    fn zero() -> Self {
        Self::from(0)
    }

    fn twice(&self) -> Self {
        self.add(self)
    }

    fn dot(a: &[Self; 3], b: &[Self; 3]) -> Self {
        a[0].mul(&b[0]).add(&a[1].mul(&b[1])).add(&a[2].mul(&b[2]))
    }
}

impl Int for i128 {
    #[inline]
    fn add(&self, other: &Self) -> Self {
        self + other
    }
    #[inline]
    fn sub(&self, other: &Self) -> Self {
        self - other
    }
    #[inline]
    fn mul(&self, other: &Self) -> Self {
        self * other
    }
    #[inline]
    fn abs(&self) -> Self {
        i128::abs(*self)
    }
    #[inline]
    fn shl(&self, bits: u32) -> Self {
        self << bits
    }
}

impl Int for BigInt {
    fn add(&self, other: &Self) -> Self {
        self + other
    }
    fn sub(&self, other: &Self) -> Self {
        self - other
    }
    fn mul(&self, other: &Self) -> Self {
        self * other
    }
    fn abs(&self) -> Self {
        BigInt::from(self.magnitude().clone())
    }
    fn shl(&self, bits: u32) -> Self {
        self << bits
    }
}

/// A finite `f32` as mantissa · 2^exponent, the mantissa odd or zero.
#[derive(Clone, Copy)]
pub(super) struct Dyadic {
    mantissa: i32,
    exponent: i32,
}

impl Dyadic {
    pub(super) fn new(x: f32) -> Self {
        let bits = x.to_bits();
        let (biased, fraction) = ((bits >> 23 & 0xff) as i32, (bits & 0x7f_ffff) as i32);
        let (magnitude, exponent) = if biased == 0 { (fraction, -149) } else { (fraction | 0x80_0000, biased - 150) };
        if magnitude == 0 {
            return Self { mantissa: 0, exponent: 0 };
        }
        let zeros = magnitude.trailing_zeros();
        let odd = magnitude >> zeros;
        Self { mantissa: if bits >> 31 == 1 { -odd } else { odd }, exponent: exponent + zeros as i32 }
    }

    /// This number divided by 2^scale, for a scale that no exponent in use lies below.
    fn over<I: Int>(self, scale: i32) -> I {
        if self.mantissa == 0 {
            I::zero()
        } else {
            I::from(i128::from(self.mantissa)).shl((self.exponent - scale) as u32)
        }
    }
}

/// A power of two that makes all of some numbers integers, and the bits the largest of them then has.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    exponent: i32,
    pub bits: u32,
}

impl Scale {
    pub(super) fn of(values: impl IntoIterator<Item = f32> + Clone) -> Self {
        let dyadics = values.into_iter().map(Dyadic::new).filter(|d| d.mantissa != 0);
        let (mut least, mut top) = (i32::MAX, i32::MIN);
        for d in dyadics {
            least = least.min(d.exponent);
            top = top.max(d.exponent + (32 - d.mantissa.unsigned_abs().leading_zeros()) as i32);
        }
        if least == i32::MAX {
            Self { exponent: 0, bits: 0 }
        } else {
            Self { exponent: least, bits: (top - least) as u32 }
        }
    }

    pub(super) fn exponent(self) -> i32 {
        self.exponent
    }

    pub(super) fn apply<I: Int>(self, x: f32) -> I {
        Dyadic::new(x).over(self.exponent)
    }

    pub(super) fn apply_all<I: Int, const N: usize>(self, v: [f32; N]) -> [I; N] {
        v.map(|x| self.apply(x))
    }
}

/// A vector times a power of two: each component off by less than 2⁻⁵⁹ of the largest, and one rounding.
pub(super) fn approximated(v: &[BigInt; 3]) -> [f64; 3] {
    let most = v.iter().map(BigInt::bits).max().unwrap_or_default();
    let shift = most.saturating_sub(60);
    v.each_ref().map(|x| i64::try_from(x >> shift).unwrap_or_default() as f64)
}

/// The bits of |x|.
pub(super) fn bits(x: i128) -> u32 {
    128 - x.unsigned_abs().leading_zeros()
}

/// The exact sign of a + b + c + d.
#[inline]
pub(super) fn sign_of_sum(a: f32, b: f32, c: f32, d: f32) -> Ordering {
    let two_sum = |x: f64, y: f64| {
        let s = x + y;
        let from_y = s - x;
        (s, (x - (s - from_y)) + (y - from_y))
    };
    let (ab, ab_rest) = two_sum(f64::from(a), f64::from(b));
    let (cd, cd_rest) = two_sum(f64::from(c), f64::from(d));
    if ab_rest == 0.0 && cd_rest == 0.0 {
        // A correctly rounded sum of two numbers has the sign of the exact one.
        return (ab + cd).partial_cmp(&0.0).unwrap_or(Ordering::Equal);
    }
    let scale = Scale::of([a, b, c, d]);
    let sum = |[a, b, c, d]: [BigInt; 4]| a.add(&b).add(&c).add(&d);
    sum(scale.apply_all([a, b, c, d])).cmp(&BigInt::zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dyadic_is_exact_for_every_kind_of_number() {
        for x in [0.0_f32, -0.0, 1.0, -1.5, f32::MIN_POSITIVE, f32::from_bits(1), f32::MAX, -f32::MAX, 0.1, 1e-40] {
            let d = Dyadic::new(x);
            assert_eq!(f64::from(d.mantissa) * 2f64.powi(d.exponent), f64::from(x));
            assert!(d.mantissa == 0 || d.mantissa % 2 != 0);
        }
    }

    #[test]
    fn sign_of_sum_sees_what_f64_loses() {
        let (big, small) = (f32::MAX, f32::from_bits(1));
        assert_eq!(sign_of_sum(big, small, -big, 0.0), Ordering::Greater);
        assert_eq!(sign_of_sum(big, -small, -big, 0.0), Ordering::Less);
        assert_eq!(sign_of_sum(big, small, -big, -small), Ordering::Equal);
        assert_eq!(sign_of_sum(1.0, 2.0, -3.0, 0.0), Ordering::Equal);
        assert_eq!(sign_of_sum(1.0, 2.0, -3.0, small), Ordering::Greater);
        assert_eq!(sign_of_sum(small, small, -small, -small), Ordering::Equal);
    }

    #[test]
    fn scale_counts_bits() {
        assert_eq!(Scale::of([1.0, 0.0, -4.0]).bits, 3);
        assert_eq!(Scale::of([0.0]).bits, 0);
        assert_eq!(Scale::of([f32::MAX, f32::from_bits(1)]).bits, 277);
        assert_eq!(Scale::of([6.0, -10.0]).apply_all::<i128, 2>([6.0, -10.0]), [3, -5]);
    }
}
