//! Every width against single numbers, operation by operation.

use super::{Number, Task, Truth, Width, portable};

/// Words that all tests use: numbers of every size and sign.
fn word(k: u64) -> u32 {
    let mixed = k.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (mixed ^ mixed >> 32) as u32
}

/// A finite number; each eighth is 0, subnormal or equal to another one.
fn number(k: u64) -> f32 {
    match word(k) % 64 {
        0..2 => 0.0,
        2..4 => -0.0,
        4..6 => f32::from_bits(word(k + 1) & 0x807f_ffff),
        6..8 => 1.5,
        _ => f32::from_bits(word(k + 1) & 0xbfff_ffff),
    }
}

/// (Miri, which checks the `unsafe` code of every width that it knows, is slow.)
const ROUNDS: u64 = if cfg!(miri) { 10 } else { 2000 };

/// By the name of the numbers.
struct Operations(String);

impl Operations {
    /// What a function of two numbers gives in each lane, beside what it gives of single numbers.
    #[inline(always)]
    fn compare<T: Number>(&self, name: &str, round: u64, found: T, single: impl Fn(f32, f32) -> f32) {
        for lane in 0..T::LANES {
            let (a, b) = (first(round, lane), second(round, lane));
            let (found, expected) = (found.lane(lane), single(a, b));
            let equal = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
            assert!(equal, "{name} of {a:e} and {b:e}, {:?}: {found:e}, not {expected:e}", self.0);
        }
    }

    #[inline(always)]
    fn compare_truths<T: Number>(&self, name: &str, round: u64, found: T::Truth, single: impl Fn(f32, f32) -> bool) {
        let expected: u32 =
            (0..T::LANES).map(|lane| u32::from(single(first(round, lane), second(round, lane))) << lane).sum();
        let all = u32::MAX >> (32 - T::LANES);
        assert_eq!(found.bits() & all, expected, "{name}, {:?}", self.0);
        assert_eq!(found.not().bits() & all, !expected & all, "not {name}, {:?}", self.0);
        assert_eq!(found.any(), expected != 0);
    }
}

fn first(round: u64, lane: usize) -> f32 {
    number(4 * (16 * round + lane as u64))
}

fn second(round: u64, lane: usize) -> f32 {
    number(4 * (16 * round + lane as u64) + 2)
}

impl Task for Operations {
    type Output = ();
    #[inline(always)]
    fn run<T: Number>(self) {
        for round in 0..ROUNDS {
            let (a, b) = (T::from_fn(|lane| first(round, lane)), T::from_fn(|lane| second(round, lane)));
            self.compare("plus", round, a.plus(b), |a, b| a + b);
            self.compare("minus", round, a.minus(b), |a, b| a - b);
            self.compare("times", round, a.times(b), |a, b| a * b);
            self.compare("over", round, a.over(b), |a, b| a / b);
            self.compare("root", round, a.root(), |a, _| a.sqrt());
            self.compare("magnitude", round, a.magnitude(), |a, _| a.abs());
            self.compare("negated", round, a.negated(), |a, _| -a);
            let masked = |a: f32, _: f32| f32::from_bits(a.to_bits() & 0x7f80_0000);
            self.compare("masked", round, a.masked(0x7f80_0000), masked);
            // (Of 0 and −0 either is the greater.)
            let zero = T::splat(0.0);
            self.compare("greater", round, a.greater(b).plus(zero), |a, b| a.max(b) + 0.0);
            self.compare("lesser", round, a.lesser(b).plus(zero), |a, b| a.min(b) + 0.0);
            self.compare_truths::<T>("below", round, a.below(b), |a, b| a < b);
            self.compare_truths::<T>("at most", round, a.at_most(b), |a, b| a <= b);
            self.compare_truths::<T>("equals", round, a.equals(b), |a, b| a == b);
            let (less, positive) = (a.below(b), zero.below(a));
            self.compare_truths::<T>("and", round, less.and(positive), |a, b| a < b && 0.0 < a);
            self.compare_truths::<T>("or", round, less.or(positive), |a, b| a < b || 0.0 < a);
            self.compare("choose", round, T::choose(less, a, b), |a, b| if a < b { a } else { b });
            self.compare("unless", round, a.unless(less), |a, b| if a < b { 0.0 } else { a });
            self.compare("with sign of", round, a.magnitude().with_sign_of(b), f32::copysign_of_magnitude);
            for shift in [0, 1] {
                let guess = |a: f32, _: f32| f32::from_bits(0x7f00_0000 - (a.abs().to_bits() >> shift));
                self.compare("from guess", round, T::from_guess(0x7f00_0000, a.magnitude(), shift), guess);
            }
            self.compare("times plus", round, a.times_plus(b, T::splat(1.5)), |a, b| {
                if T::FUSED { a.mul_add(b, 1.5) } else { a * b + 1.5 }
            });
            // (Of 0 and −0 either is the least.)
            let least = (0..T::LANES).map(|lane| first(round, lane)).fold(f32::INFINITY, f32::min);
            assert_eq!(a.least(), least, "{:?}", self.0);
            let mut stored = [7.0; 17];
            a.store(&mut stored[1..]);
            self.compare("load and store", round, T::load(&stored[1..]), |a, _| a);
            assert!(stored[0] == 7.0 && stored[T::LANES + 1..].iter().all(|x| *x == 7.0));
            let rows: [[f32; 4]; 16] = std::array::from_fn(|lane| {
                let (a, b) = (first(round, lane), second(round, lane));
                [b, a, -a, -b]
            });
            let columns = T::columns(|lane| &rows[lane]);
            self.compare("column 0", round, columns[0], |_, b| b);
            self.compare("column 1", round, columns[1], |a, _| a);
            self.compare("column 2", round, columns[2], |a, _| -a);
            self.compare("column 3", round, columns[3], |_, b| -b);
            let (mask, mut places) = (word(round) & word(round + 1) & 0xffff, [0; 16]);
            let count = T::list(mask, 1000, &mut places);
            let expected: Vec<u32> = (0..16).filter(|k| mask >> k & 1 == 1).map(|k| 1000 + k).collect();
            assert_eq!(places[..count], expected);
        }
    }
}

/// How many there are.
struct Lanes;

impl Task for Lanes {
    type Output = usize;
    #[inline(always)]
    fn run<T: Number>(self) -> usize {
        T::LANES
    }
}

trait Sign {
    fn copysign_of_magnitude(self, other: Self) -> Self;
}

impl Sign for f32 {
    fn copysign_of_magnitude(self, other: Self) -> Self {
        self.abs().copysign(other)
    }
}

#[test]
fn every_width_computes_what_single_numbers_do() {
    for width in Width::all().into_iter().chain([Width::ONE]) {
        width.run(Operations(format!("{width:?}")));
        assert_eq!(width.run(Lanes), width.lanes());
        println!("{width:?}: {} lanes", width.lanes());
    }
    // What is computed with them is so with all others.
    Operations("arrays".to_owned()).run::<portable::Four>();
}

#[test]
fn the_widest_is_one_of_all() {
    assert!(Width::all().contains(&Width::widest()));
    assert!(Width::all().iter().all(|width| width.lanes() <= Width::widest().lanes()));
}
