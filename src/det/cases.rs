//! Arguments for the deterministic functions: random ones, and ones on which compilers, flushing and rounding show.

use super::list::{ARGUMENT_WORDS, Function, GRID, Kind};
use crate::hash::mix;

/// A stream of random numbers.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn within(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as u64) as i32
    }
}

/// ±(1 + mantissa/2²³)·2^exponent, moved to the grid by dropping bits. An exponent outside the range becomes its nearest end.
fn number(dice: &mut Dice, exponent: i32, mantissa: u32, [smallest, largest]: [i32; 2]) -> u32 {
    let exponent = exponent.clamp(smallest, largest);
    let kept = (exponent - GRID).min(23);
    let mantissa = mantissa & 0x7f_ffff & !(0x7f_ffff_u32 >> kept);
    ((dice.next() as u32) << 31) | (((exponent + 127) as u32) << 23) | mantissa
}

/// Mantissas that make ties, carries over all bits and low halves of one bit: ends of all ones, and single bits.
fn hard_mantissa(dice: &mut Dice) -> u32 {
    let place = dice.below(24) as u32;
    match dice.below(5) {
        0 => 0x7f_ffff,
        1 => 1 << place,
        2 => 0x7f_ffff << place,
        3 => 0x7f_ffff >> place,
        _ => (1 << place) | 1,
    }
}

/// A number a few units in the last place beside another, of the same sign or the opposite one.
fn neighbour(dice: &mut Dice, bits: u32) -> u32 {
    let moved = (bits & 0x7fff_ffff).wrapping_add(dice.below(9) as u32).saturating_sub(4);
    let largest = f32::from_bits(bits).abs();
    // On the grid, and no larger than the other one's power of two allows.
    let x = f32::from_bits(moved);
    let moved = if x.is_normal() && x >= super::SMALLEST_PRODUCT && x.log2().floor() <= largest.log2().floor() {
        moved
    } else {
        bits & 0x7fff_ffff
    };
    if moved == 0 { 0 } else { moved | ((dice.next() as u32) << 31) }
}

/// One number, of the kind that `family` says.
fn single(dice: &mut Dice, family: u64, exponents: [i32; 2]) -> u32 {
    let [smallest, largest] = exponents;
    let random = dice.next() as u32;
    let (exponent, mantissa) = match family {
        // All magnitudes; of about 1; of about 2^-45, the size of the smallest bodies; products near the least one that is kept.
        0 => (dice.within(smallest, largest), random),
        1 => (dice.within(-2, 2), random),
        2 => (dice.within(-48, -42), random),
        3 => (dice.within(-53, -47), random),
        // The largest; and the smallest, where sums have few bits.
        4 => (dice.within(largest - 3, largest), random),
        5 => (dice.within(GRID, -98), random),
        // Powers of two, and one unit beside them.
        6 => (dice.within(-50, 50), [0, 1, 0x7f_ffff][dice.below(3) as usize]),
        // Ties, carries, halves.
        7 => (dice.within(-30, 30), hard_mantissa(dice)),
        // Sums with all, some or none of the other's bits.
        8 => ([0, 1, 11, 12, 13, 22, 23, 24, 25, 26, 48][dice.below(11) as usize], hard_mantissa(dice)),
        // What the smallest root, the first steps of Newton's method and the splitter look at.
        9 => ([-91, -90, -89, 0, 1, 12][dice.below(6) as usize], hard_mantissa(dice)),
        // Small integers.
        _ => {
            let x = dice.below(17) as f32 / 4.0;
            let bits = x.to_bits();
            return if x == 0.0 { 0 } else { bits | ((dice.next() as u32) << 31) };
        }
    };
    number(dice, exponent, mantissa, exponents)
}

/// How many families of numbers there are.
const FAMILIES: u64 = 11;

/// The words of the arguments of one case; the same for the same number.
pub(crate) fn arguments(function: &Function, case: u64) -> [u32; ARGUMENT_WORDS] {
    let seed = function.name.bytes().fold(0xd37_u64, |seed, byte| mix(seed ^ u64::from(byte)));
    let mut dice = Dice(mix(seed ^ case));
    let mut words = [0; ARGUMENT_WORDS];
    if function.name == "clean" {
        // Raw inputs: subnormal ones, -0, and what lies beside the least number that is kept.
        words[0] = match case % 4 {
            0 => dice.next() as u32,
            1 => dice.next() as u32 & 0x807f_ffff,
            2 => {
                let beside = super::SMALLEST_PRODUCT.to_bits().wrapping_add(dice.below(65) as u32).wrapping_sub(32);
                beside | ((dice.next() as u32) << 31)
            }
            _ => ((dice.next() as u32) << 31) | (dice.below(0x1000_0000) as u32),
        };
        // No NaN or infinity.
        if !f32::from_bits(words[0]).is_finite() {
            words[0] &= 0x807f_ffff;
        }
        return words;
    }
    // The families one after the other; one case in FAMILIES + 1 draws a family for each word.
    let family = case % (FAMILIES + 1);
    let mut at = 0;
    for kind in function.arguments {
        let first = at;
        for _ in 0..kind.words() {
            let family = if family == FAMILIES { dice.below(FAMILIES) } else { family };
            words[at] = single(&mut dice, family, function.exponents);
            at += 1;
        }
        if *kind == Kind::Double && dice.below(8) != 0 {
            // Normalised: the low word is at most half a unit in the last place of the high one.
            let high = f32::from_bits(words[first]);
            let exponent = (words[first] >> 23 & 0xff) as i32 - 127 - 25 - dice.below(30) as i32;
            let mantissa = dice.next() as u32;
            let low = if exponent < GRID || high == 0.0 {
                0
            } else {
                number(&mut dice, exponent, mantissa, [GRID, exponent])
            };
            words[first + 1] = low;
        }
    }
    let used = at;
    match dice.below(8) {
        // Zeros.
        0 => words[dice.below(used as u64) as usize] = 0,
        // The last argument equal to the first, opposite or beside it: of one word, or all words alike.
        1 | 2 => {
            let half = used / 2;
            let opposite = (dice.next() as u32) << 31;
            let beside = dice.below(2) == 0;
            for k in 0..half {
                words[half + k] = match words[k] {
                    0 => 0,
                    bits if beside => neighbour(&mut dice, bits),
                    bits => bits ^ opposite,
                };
            }
        }
        _ => {}
    }
    words
}
