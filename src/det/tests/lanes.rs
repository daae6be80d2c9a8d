//! Several numbers side by side have the bits of single ones, whatever instructions compute them.

use super::super::{
    Double, abs, add, add_double, clean, div, max, min, mul, mul_double, neg, recip, rsqrt, split, sub, sub_double,
    two_prod, two_sum,
};
use super::{arguments, function};
use crate::lanes::{Number, Task, Width};

const CASES: u64 = 20_000;

const NAMES: [&str; 16] = [
    "clean",
    "add",
    "sub",
    "mul",
    "neg",
    "abs",
    "min",
    "max",
    "recip",
    "rsqrt",
    "div",
    "two_sum",
    "split",
    "two_prod",
    "add_double",
    "mul_double",
];

/// A function of the list, by its name; two numbers of its result.
#[inline(always)]
fn evaluate<T: Number>(name: &str, [a, b, c, d]: [T; 4]) -> [T; 2] {
    let zero = T::splat(0.0);
    let double = |x: Double<T>| [x.high, x.low];
    let (first, second) = (Double { high: a, low: b }, Double { high: c, low: d });
    match name {
        "clean" => [clean(a), zero],
        "add" => [add(a, b), zero],
        "sub" => [sub(a, b), zero],
        "mul" => [mul(a, b), zero],
        "neg" => [neg(a), zero],
        "abs" => [abs(a), zero],
        "min" => [min(a, b), zero],
        "max" => [max(a, b), zero],
        "recip" => [recip(a), zero],
        "rsqrt" => [rsqrt(a), zero],
        "div" => [div(a, b), zero],
        "two_sum" => double(two_sum(a, b)),
        "split" => double(split(a)),
        "two_prod" => double(two_prod(a, b)),
        "add_double" => [add_double(first, second).high, sub_double(first, second).low],
        "mul_double" => double(mul_double(first, second)),
        _ => panic!("{name} is not here"),
    }
}

/// Compares a function with itself.
struct Compared<'a> {
    name: &'a str,
    width: Width,
}

impl Task for Compared<'_> {
    type Output = ();
    #[inline(always)]
    fn run<T: Number>(self) {
        assert_eq!(T::LANES, self.width.lanes());
        let function = function(self.name);
        for first in (0..CASES).step_by(T::LANES) {
            let words = |lane: usize| arguments(function, first + lane as u64);
            let number = |k: usize, lane: usize| f32::from_bits(words(lane)[k]);
            let found = evaluate(self.name, [0, 1, 2, 3].map(|k| T::from_fn(|lane| number(k, lane))));
            for lane in 0..T::LANES {
                let expected = evaluate(self.name, [0, 1, 2, 3].map(|k| number(k, lane)));
                let bits = [0, 1].map(|k| (found[k].lane(lane).to_bits(), expected[k].to_bits()));
                let equal = bits.iter().all(|(found, expected)| found == expected);
                assert!(equal, "{} of {:x?}, {:?}: {bits:x?}", self.name, words(lane), self.width);
            }
        }
    }
}

#[test]
fn every_width_has_the_bits_of_single_numbers() {
    for width in Width::all() {
        for name in NAMES {
            width.run(Compared { name, width });
        }
        println!("{width:?}: {} functions, {CASES} inputs each", NAMES.len());
    }
}
