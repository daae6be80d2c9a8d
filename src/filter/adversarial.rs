//! `f32` arithmetic at its worst, as the bounds must survive it: every operation returns either neighbour of the exact
//! result, sums are reordered and fused at will, subnormals are flushed, division and square root are off by a few units.

use std::cell::Cell;
use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

use super::Arithmetic;

/// An adversarial `f32`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) struct Wild(pub f32);

thread_local! {
    static STATE: Cell<u64> = const { Cell::new(0x5EED) };
    static MODE: Cell<u64> = const { Cell::new(0) };
}

/// A random number, uniform in `0..n`.
pub(crate) fn random(n: u64) -> u64 {
    STATE.with(|state| {
        let mut x = state.get();
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        state.set(x);
        (x.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % n
    })
}

/// Uniform in [0, 1).
pub(crate) fn unit() -> f64 {
    random(1 << 24) as f64 / f64::from(1 << 24)
}

/// Starts a new evaluation: at random either way, always up, always down, away from zero, or toward it.
pub(crate) fn change_mode() {
    MODE.with(|mode| mode.set(random(8)));
}

/// The exact `high + low`, to one of its two neighbours.
fn round(high: f64, low: f64) -> Wild {
    let nearest = high as f32;
    // Is the exact value below, at or above the nearest?
    let order = match high.partial_cmp(&f64::from(nearest)) {
        Some(Ordering::Equal) | None => low.partial_cmp(&0.0),
        order => order,
    };
    let (down, up) = match order {
        Some(Ordering::Less) => (nearest.next_down(), nearest),
        Some(Ordering::Greater) => (nearest, nearest.next_up()),
        _ => return flush(nearest),
    };
    let take_up = match MODE.with(Cell::get) {
        0 => true,
        1 => false,
        2 => high > 0.0,
        3 => high < 0.0,
        _ => random(2) == 0,
    };
    flush(if take_up { up } else { down })
}

fn flush(x: f32) -> Wild {
    if x.is_subnormal() && random(2) == 0 { Wild(0.0_f32.copysign(x)) } else { Wild(x) }
}

/// The exact sum of two `f64`, as a rounded one and its error.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let from_b = s - a;
    (s, (a - (s - from_b)) + (b - from_b))
}

impl Add for Wild {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (high, low) = two_sum(f64::from(flush(self.0).0), f64::from(flush(other.0).0));
        round(high, low)
    }
}

impl Sub for Wild {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Wild {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        round(f64::from(flush(self.0).0) * f64::from(flush(other.0).0), 0.0)
    }
}

impl Neg for Wild {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// A part of a sum that is being evaluated.
#[derive(Clone, Copy)]
enum Part {
    Product(Wild, Wild),
    Value(Wild),
}

impl Part {
    fn value(self) -> Wild {
        match self {
            Self::Product(a, b) => a * b,
            Self::Value(v) => v,
        }
    }
}

fn add_parts(mut parts: Vec<Part>) -> Wild {
    while parts.len() > 1 {
        let a = parts.swap_remove(random(parts.len() as u64) as usize);
        let b = parts.swap_remove(random(parts.len() as u64) as usize);
        let sum = match (a, b) {
            (Part::Product(x, y), other) if random(2) == 0 => {
                let (high, low) = two_sum(f64::from(x.0) * f64::from(y.0), f64::from(other.value().0));
                round(high, low)
            }
            (a, b) => a.value() + b.value(),
        };
        parts.push(Part::Value(sum));
    }
    parts[0].value()
}

impl Arithmetic for Wild {
    const U: f64 = <f32 as Arithmetic>::U;
    const TINY: f64 = <f32 as Arithmetic>::TINY;
    const TINY_SQUARED: f64 = <f32 as Arithmetic>::TINY_SQUARED;

    fn from_f32(value: f32) -> Self {
        Self(value)
    }

    fn constant(value: f64) -> Self {
        Self(value as f32)
    }

    fn recip(self) -> Self {
        round((1.0 + 1.5 * Self::U * (2.0 * unit() - 1.0)) / f64::from(self.0), 0.0)
    }

    fn sqrt(self) -> Self {
        round((1.0 + 2.0 * Self::U * (2.0 * unit() - 1.0)) * f64::from(self.0).sqrt(), 0.0)
    }

    fn abs(self) -> Self {
        Self(self.0.abs())
    }

    fn max(self, other: Self) -> Self {
        Self(if self.0 > other.0 { self.0 } else { other.0 })
    }

    fn min(self, other: Self) -> Self {
        Self(if self.0 < other.0 { self.0 } else { other.0 })
    }

    fn sum<const N: usize>(terms: [(Self, Self); N]) -> Self {
        add_parts(terms.map(|(a, b)| Part::Product(a, b)).to_vec())
    }

    fn margins<const N: usize>(terms: [(Self, Self); N], bound: Self) -> (Self, Self) {
        let with_bound = |sign: f32| {
            let mut parts = terms.map(|(a, b)| Part::Product(Self(sign * a.0), b)).to_vec();
            parts.push(Part::Value(-bound));
            add_parts(parts)
        };
        (with_bound(1.0), with_bound(-1.0))
    }
}

impl super::Slabs for Wild {
    const PAD: f64 = <f32 as super::Slabs>::PAD;

    fn near_and_far(rate: Self, low: Self, high: Self) -> (Self, Self) {
        super::ray::near_and_far(rate, low, high)
    }
}
