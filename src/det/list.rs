//! The list of all deterministic functions, from which the tests are made.

use glam::Vec3;

use super::{Double, abs, add, add3, cross3, dot3, normalize3, recip, scale3, sub3, two_prod, two_sum};

/// The kinds of arguments and results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bool,
    Single,
    Double,
    Vector,
}

impl Kind {
    /// How many words of 32 bits a value takes.
    pub(crate) fn words(self) -> usize {
        match self {
            Self::Bool | Self::Single => 1,
            Self::Double => 2,
            Self::Vector => 3,
        }
    }
}

/// The most words that the arguments of a function take, and its result.
pub(crate) const ARGUMENT_WORDS: usize = 6;
pub(crate) const RESULT_WORDS: usize = 3;

/// The exponent of the grid: all values but raw inputs are multiples of this power of two.
pub(crate) const GRID: i32 = -123;

/// A function that exists in Rust and in WGSL.
#[derive(Debug)]
pub(crate) struct Function {
    /// The name in Rust; in WGSL it has the prefix `det_`.
    pub name: &'static str,
    pub arguments: &'static [Kind],
    pub result: Kind,
    /// The exponents of the smallest (but for 0) and of the largest arguments that the tests use.
    pub exponents: [i32; 2],
    /// What Rust makes of the words of the arguments. Unused words are 0.
    pub evaluate: fn(&[u32; ARGUMENT_WORDS]) -> [u32; RESULT_WORDS],
}

impl Function {
    pub(crate) fn argument_words(&self) -> usize {
        self.arguments.iter().map(|kind| kind.words()).sum()
    }
}

/// A value as words.
trait Value: Sized {
    const KIND: Kind;
    fn load(words: &mut impl Iterator<Item = u32>) -> Self;
    fn store(self) -> [u32; RESULT_WORDS];
}

/// The next number.
fn next(words: &mut impl Iterator<Item = u32>) -> f32 {
    f32::from_bits(words.next().unwrap_or_default())
}

impl Value for bool {
    const KIND: Kind = Kind::Bool;
    fn load(words: &mut impl Iterator<Item = u32>) -> Self {
        words.next() == Some(1)
    }
    fn store(self) -> [u32; RESULT_WORDS] {
        [u32::from(self), 0, 0]
    }
}

impl Value for f32 {
    const KIND: Kind = Kind::Single;
    fn load(words: &mut impl Iterator<Item = u32>) -> Self {
        next(words)
    }
    fn store(self) -> [u32; RESULT_WORDS] {
        [self.to_bits(), 0, 0]
    }
}

impl Value for Double {
    const KIND: Kind = Kind::Double;
    fn load(words: &mut impl Iterator<Item = u32>) -> Self {
        let high = next(words);
        Self { high, low: next(words) }
    }
    fn store(self) -> [u32; RESULT_WORDS] {
        [self.high.to_bits(), self.low.to_bits(), 0]
    }
}

impl Value for Vec3 {
    const KIND: Kind = Kind::Vector;
    fn load(words: &mut impl Iterator<Item = u32>) -> Self {
        let (x, y) = (next(words), next(words));
        Self::new(x, y, next(words))
    }
    fn store(self) -> [u32; RESULT_WORDS] {
        self.to_array().map(f32::to_bits)
    }
}

/// `name(arguments) -> result, exponents`, a line each.
macro_rules! functions {
    ($($name:ident($($argument:ty),*) -> $result:ty, $exponents:expr;)*) => {
        pub(crate) static FUNCTIONS: &[Function] = &[$(Function {
            name: stringify!($name),
            arguments: &[$(<$argument as Value>::KIND),*],
            result: <$result as Value>::KIND,
            exponents: $exponents,
            evaluate: |words| {
                let mut words = words.iter().copied();
                let result: $result = super::$name($(<$argument as Value>::load(&mut words)),*);
                result.store()
            },
        }),*];
    };
}

functions! {
    clean(f32) -> f32, [GRID, 127];
    add(f32, f32) -> f32, [GRID, 126];
    sub(f32, f32) -> f32, [GRID, 126];
    mul(f32, f32) -> f32, [GRID, 62];
    neg(f32) -> f32, [GRID, 127];
    abs(f32) -> f32, [GRID, 127];
    min(f32, f32) -> f32, [GRID, 127];
    max(f32, f32) -> f32, [GRID, 127];
    recip(f32) -> f32, [GRID, 98];
    rsqrt(f32) -> f32, [GRID, 89];
    sqrt(f32) -> f32, [GRID, 89];
    div(f32, f32) -> f32, [-60, 60];
    add3(Vec3, Vec3) -> Vec3, [GRID, 126];
    sub3(Vec3, Vec3) -> Vec3, [GRID, 126];
    neg3(Vec3) -> Vec3, [GRID, 127];
    scale3(Vec3, f32) -> Vec3, [GRID, 62];
    dot3(Vec3, Vec3) -> f32, [GRID, 61];
    cross3(Vec3, Vec3) -> Vec3, [GRID, 61];
    length_squared3(Vec3) -> f32, [GRID, 61];
    length3(Vec3) -> f32, [GRID, 43];
    normalize3(Vec3) -> Vec3, [GRID, 43];
    two_sum(f32, f32) -> Double, [GRID, 124];
    quick_two_sum(f32, f32) -> Double, [GRID, 124];
    split(f32) -> Double, [GRID, 112];
    two_prod(f32, f32) -> Double, [GRID, 61];
    neg_double(Double) -> Double, [GRID, 127];
    add_double(Double, Double) -> Double, [GRID, 122];
    sub_double(Double, Double) -> Double, [GRID, 122];
    mul_double(Double, Double) -> Double, [GRID, 59];
    less_double(Double, Double) -> bool, [GRID, 127];
    turn(f32) -> Vec3, [GRID, 9];
    chain(Vec3, Vec3) -> Vec3, [GRID, 4];
}

/// Eight rounds of functions that take each other's results: what a compiler could fuse, reorder or fold between functions, and a
/// difference of one bit grows from round to round.
pub(crate) fn chain(mut a: Vec3, mut b: Vec3) -> Vec3 {
    for _ in 0..8 {
        let normal = normalize3(cross3(a, b));
        let d = dot3(a, b);
        let sum = two_sum(d, recip(add(abs(d), 1.0)));
        let product = two_prod(sum.high, a.x);
        b = add3(scale3(normal, sum.high), Vec3::new(product.low, sum.low, product.high));
        a = normalize3(sub3(b, a));
    }
    add3(a, b)
}
