//! What tasks compute with: a number, or those of several computations side by side.

#[cfg(test)]
use super::either;

/// The bit of an `f32` that is its sign.
pub(crate) const SIGN: u32 = 0x8000_0000;

/// Whether something holds: once, or in each of several computations.
pub(crate) trait Truth: Copy {
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn not(self) -> Self;
    /// A bit for each computation, the lowest for the first.
    fn bits(self) -> u32;
    /// In any of the computations.
    #[inline(always)]
    fn any(self) -> bool {
        self.bits() != 0
    }
}

/// One `f32`, or several side by side.
pub(crate) trait Number: Copy + Sized {
    type Truth: Truth;
    /// How many: 1, 4, 8 or 16.
    const LANES: usize;
    /// Whether [`times_plus`](Self::times_plus) rounds only once.
    const FUSED: bool;

    /// One for each computation.
    fn from_fn(number: impl Fn(usize) -> f32) -> Self;
    /// The first numbers of a slice, which has at least [`LANES`](Self::LANES).
    fn load(numbers: &[f32]) -> Self;
    /// Writes them to the beginning of a slice, which has room for [`LANES`](Self::LANES).
    fn store(self, numbers: &mut [f32]);
    /// The columns of a matrix of which row k is `row(k)`.
    fn columns<'a>(row: impl Fn(usize) -> &'a [f32; 4]) -> [Self; 4];
    fn splat(x: f32) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// self · factor + summand, the product rounded or not.
    fn times_plus(self, factor: Self, summand: Self) -> Self;
    fn over(self, other: Self) -> Self;
    fn root(self) -> Self;
    /// The greater of two numbers that are not NaN.
    fn greater(self, other: Self) -> Self;
    /// The lesser of two numbers that are not NaN.
    fn lesser(self, other: Self) -> Self;
    /// Those bits that are set in `mask`.
    fn masked(self, mask: u32) -> Self;
    /// With the other sign.
    fn negated(self) -> Self;
    /// self < other.
    fn below(self, other: Self) -> Self::Truth;
    /// self ≤ other.
    fn at_most(self, other: Self) -> Self::Truth;
    fn equals(self, other: Self) -> Self::Truth;
    fn choose(which: Self::Truth, yes: Self, no: Self) -> Self;
    /// 0 where that holds.
    fn unless(self, which: Self::Truth) -> Self;
    /// The sign of another number on a positive one.
    fn with_sign_of(self, other: Self) -> Self;
    /// The number whose bits are `guess` less those of this one, shifted to the right.
    fn from_guess(guess: u32, less: Self, shift: u32) -> Self;
    /// The number of one of the computations.
    fn lane(&self, lane: usize) -> f32;

    /// Without its sign.
    #[inline(always)]
    fn magnitude(self) -> Self {
        self.masked(!SIGN)
    }

    /// The least of all computations' numbers, none of which is NaN. (Of 0 and −0 either.)
    #[inline(always)]
    fn least(self) -> f32 {
        (1..Self::LANES).map(|lane| self.lane(lane)).fold(self.lane(0), |least, x| if x < least { x } else { least })
    }

    /// Writes `first` + k for each bit k of `mask`, which has sixteen, to the beginning of a slice, which has room for sixteen numbers;
    /// what is beyond those that are written may change too. Returns how many there are.
    #[inline(always)]
    fn list(mask: u32, first: u32, places: &mut [u32]) -> usize {
        let (mut left, mut count) = (mask, 0);
        while left != 0 {
            places[count] = first + left.trailing_zeros();
            left &= left - 1;
            count += 1;
        }
        count
    }
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
    fn bits(self) -> u32 {
        u32::from(self)
    }
}

impl Number for f32 {
    type Truth = bool;
    const LANES: usize = 1;
    const FUSED: bool = false;

    #[inline(always)]
    fn from_fn(number: impl Fn(usize) -> f32) -> Self {
        number(0)
    }
    #[inline(always)]
    fn load(numbers: &[f32]) -> Self {
        numbers[0]
    }
    #[inline(always)]
    fn store(self, numbers: &mut [f32]) {
        numbers[0] = self;
    }
    #[inline(always)]
    fn columns<'a>(row: impl Fn(usize) -> &'a [f32; 4]) -> [Self; 4] {
        *row(0)
    }
    #[inline(always)]
    fn splat(x: f32) -> Self {
        x
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        #[cfg(test)]
        return either::rounded(self + other, || either::sum(self, other));
        #[cfg(not(test))]
        return self + other;
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        #[cfg(test)]
        return either::rounded(self - other, || either::sum(self, -other));
        #[cfg(not(test))]
        return self - other;
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        #[cfg(test)]
        return either::rounded(self * other, || either::product(self, other));
        #[cfg(not(test))]
        return self * other;
    }
    #[inline(always)]
    fn times_plus(self, factor: Self, summand: Self) -> Self {
        self * factor + summand
    }
    #[inline(always)]
    fn over(self, other: Self) -> Self {
        self / other
    }
    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }
    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
    #[inline(always)]
    fn lesser(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
    #[inline(always)]
    fn masked(self, mask: u32) -> Self {
        f32::from_bits(self.to_bits() & mask)
    }
    #[inline(always)]
    fn negated(self) -> Self {
        -self
    }
    #[inline(always)]
    fn below(self, other: Self) -> bool {
        self < other
    }
    #[inline(always)]
    fn at_most(self, other: Self) -> bool {
        self <= other
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
    fn lane(&self, _: usize) -> f32 {
        *self
    }
}

/// An instruction of this processor.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! instruction {
    ($($call:tt)*) => {{
        // SAFETY: the processor has it: types of lanes are used in tasks of `Width` only, which has asked for it. What is read or written
        // lies within slices whose length was checked.
        #[allow(unsafe_code)]
        unsafe { $($call)* }
    }};
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) use instruction;

/// Methods that are one instruction of two vectors: `name instruction;` each.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! of_two {
    ($($name:ident $instruction:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            Self(instruction!($instruction(self.0, other.0)))
        }
    )*};
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) use of_two;
