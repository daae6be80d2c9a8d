//! Four numbers side by side, in arrays: for processors whose vectors this library does not know.

use super::number::{Number, Truth};

#[derive(Clone, Copy)]
pub(crate) struct Four([f32; 4]);

#[derive(Clone, Copy)]
pub(crate) struct FourTruths([bool; 4]);

/// A method of each number and that of another four.
macro_rules! each {
    ($($name:ident)*) => {$(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            Self(std::array::from_fn(|k| self.0[k].$name(other.0[k])))
        }
    )*};
}

/// A comparison of each number with that of another four.
macro_rules! compare {
    ($($name:ident)*) => {$(
        #[inline(always)]
        fn $name(self, other: Self) -> FourTruths {
            FourTruths(std::array::from_fn(|k| self.0[k].$name(other.0[k])))
        }
    )*};
}

impl Truth for FourTruths {
    each! { and or }

    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|truth| !truth))
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        (0..4).map(|k| u32::from(self.0[k]) << k).sum()
    }
}

impl Number for Four {
    type Truth = FourTruths;
    const LANES: usize = 4;
    const FUSED: bool = false;

    each! { plus minus times over greater lesser with_sign_of }
    compare! { below at_most equals }

    #[inline(always)]
    fn from_fn(number: impl Fn(usize) -> f32) -> Self {
        Self(std::array::from_fn(number))
    }
    #[inline(always)]
    fn load(numbers: &[f32]) -> Self {
        Self([numbers[0], numbers[1], numbers[2], numbers[3]])
    }
    #[inline(always)]
    fn store(self, numbers: &mut [f32]) {
        numbers[..4].copy_from_slice(&self.0);
    }
    #[inline(always)]
    fn columns<'a>(row: impl Fn(usize) -> &'a [f32; 4]) -> [Self; 4] {
        let (a, b, c, d) = (row(0), row(1), row(2), row(3));
        std::array::from_fn(|k| Self([a[k], b[k], c[k], d[k]]))
    }
    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self([x; 4])
    }
    #[inline(always)]
    fn times_plus(self, factor: Self, summand: Self) -> Self {
        self.times(factor).plus(summand)
    }
    #[inline(always)]
    fn root(self) -> Self {
        Self(self.0.map(f32::sqrt))
    }
    #[inline(always)]
    fn masked(self, mask: u32) -> Self {
        Self(self.0.map(|x| x.masked(mask)))
    }
    #[inline(always)]
    fn negated(self) -> Self {
        Self(self.0.map(f32::negated))
    }
    #[inline(always)]
    fn choose(which: FourTruths, yes: Self, no: Self) -> Self {
        Self(std::array::from_fn(|k| f32::choose(which.0[k], yes.0[k], no.0[k])))
    }
    #[inline(always)]
    fn unless(self, which: FourTruths) -> Self {
        Self(std::array::from_fn(|k| self.0[k].unless(which.0[k])))
    }
    #[inline(always)]
    fn from_guess(guess: u32, less: Self, shift: u32) -> Self {
        Self(less.0.map(|less| f32::from_guess(guess, less, shift)))
    }
    #[inline(always)]
    fn lane(&self, lane: usize) -> f32 {
        self.0[lane]
    }
}
