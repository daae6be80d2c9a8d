//! The record of a hull: position, number of the local form, its bounds, and quaternion.
//!
//! Kernels know nothing else of a hull until they look at its corners, so that the bounds of the local form are in the record too: in whole steps
//! of a power of two, from −255 to 255 of them and rounded outward, 9 bits each. And the radius of a ball around their middle, in 64ths of half their
//! diagonal, of which one to 64 are in six bits: most hulls are rounder than boxes.

use glam::DVec3;

use super::Aabb;

/// Where the record has the number of the form and the exponent of the step, and then the lower and the upper bounds.
pub(crate) const FORM_WORD: usize = 3;
/// Bits of the number of a form.
pub(crate) const FORM_BITS: u32 = 22;
/// The most steps to either side.
const MOST_STEPS: f64 = 255.0;
/// Bits of a coordinate, and what is added to it so that it is not negative.
pub(crate) const STEP_BITS: u32 = 9;
pub(crate) const STEP_ZERO: i32 = 1 << (STEP_BITS - 1);

/// Where the words of the bounds have three bits of the radius each.
pub(crate) const RADIUS_SHIFT: u32 = 3 * STEP_BITS;
/// The largest share of half the diagonal.
const MOST_SHARE: f64 = 64.0;

/// The words from [`FORM_WORD`] on, as floats with these bits: none of them is infinite or NaN. Given how far corners are at most from the middle
/// of their bounds.
pub(crate) fn words_of(form: u32, bounds: &Aabb, radius: f64) -> [f32; 3] {
    let largest = f64::from(bounds.min().abs().max(bounds.max().abs()).max_element());
    // The least power of two of which the largest coordinate is no more than so many, as `f32` have it: biased by 127.
    let mut exponent = 1;
    while largest > MOST_STEPS * power(exponent) {
        exponent += 1;
    }
    let packed = |steps: [f64; 3]| {
        (0..3).fold(0, |word, k| word | ((steps[k] as i32 + STEP_ZERO) as u32) << (STEP_BITS * k as u32))
    };
    let low = bounds.min().to_array().map(|x| (f64::from(x) / power(exponent)).floor());
    let high = bounds.max().to_array().map(|x| (f64::from(x) / power(exponent)).ceil());
    let (middle, half) = middle_and_half(low, high);
    let of_bounds = (bounds.min().as_dvec3() + bounds.max().as_dvec3()) / (2.0 * power(exponent));
    let radius = radius / power(exponent) + (middle - of_bounds).length();
    // (Of a point any is right.)
    let share = if half == DVec3::ZERO { MOST_SHARE } else { MOST_SHARE * radius / half.length() };
    let share = share.ceil().clamp(1.0, MOST_SHARE) as u32 - 1;
    let [low, high] = [packed(low) | (share & 7) << RADIUS_SHIFT, packed(high) | (share >> 3) << RADIUS_SHIFT];
    [form | exponent << FORM_BITS, low, high].map(f32::from_bits)
}

fn middle_and_half(low: [f64; 3], high: [f64; 3]) -> (DVec3, DVec3) {
    let (low, high) = (DVec3::from(low), DVec3::from(high));
    ((low + high) / 2.0, (high - low) / 2.0)
}

/// The share of half the diagonal of the bounds that is the radius around their middle.
#[cfg(feature = "gpu")]
pub(crate) fn radius_share(words: [f32; 3]) -> f32 {
    let [low, high] = [words[1], words[2]].map(|word| word.to_bits() >> RADIUS_SHIFT & 7);
    (low + 8 * high + 1) as f32 / MOST_SHARE as f32
}

/// 2 to the power of a biased exponent.
fn power(exponent: u32) -> f64 {
    2.0_f64.powi(exponent as i32 - 127)
}

/// The number of the form.
pub(crate) fn form_of(word: f32) -> u32 {
    word.to_bits() & ((1 << FORM_BITS) - 1)
}

/// The step of the bounds.
fn step_of(word: f32) -> f32 {
    f32::from_bits(word.to_bits() >> FORM_BITS << 23)
}

/// More than any coordinate of the bounds, by the first word.
pub(crate) fn reach_of(word: f32) -> f32 {
    step_of(word) * (1 << (STEP_BITS - 1)) as f32
}

/// The least and the greatest corner of the bounds.
#[cfg(feature = "gpu")]
pub(crate) fn bounds_of(words: [f32; 3]) -> ([f32; 3], [f32; 3]) {
    let step = step_of(words[0]);
    let corner = |word: f32| {
        [0, 1, 2].map(|k| {
            let steps = word.to_bits() >> (STEP_BITS * k) & ((1 << STEP_BITS) - 1);
            (steps as i32 - STEP_ZERO) as f32 * step
        })
    };
    (corner(words[1]), corner(words[2]))
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_rounded_outward() {
        for (min, max) in [
            ([0.0; 3], [0.0; 3]),
            ([-1.0, -2.0, -3.0], [1.0, 0.5, 3.0]),
            ([0.1, 0.2, 0.3], [0.4, 0.5, 255.0]),
            ([-255.5, 0.0, 0.0], [1e-30, 1.0, 2.0]),
            ([-3e38; 3], [3e38; 3]),
            ([-1e-45, 0.0, 1e-45], [1e-45, 0.0, 1e-40]),
        ] {
            let bounds = Aabb::new(min, max).expect("a box");
            let radius = (DVec3::from(max.map(f64::from)) - DVec3::from(min.map(f64::from))).length() / 2.0;
            let words = words_of(77, &bounds, radius / 1.5);
            let (low, high) = bounds_of(words);
            let (_, half) = middle_and_half(low.map(f64::from), high.map(f64::from));
            let found = half.length() * f64::from(radius_share(words));
            assert!(radius / 1.5 <= found && found <= half.length() || radius == 0.0, "{bounds:?}: {found}");
            assert!(words.iter().all(|word| word.is_finite()));
            assert_eq!(form_of(words[0]), 77);
            let largest = min.iter().chain(&max).fold(0.0_f32, |largest, x| largest.max(x.abs()));
            for k in 0..3 {
                assert!(low[k] <= min[k] && max[k] <= high[k], "{bounds:?}: {low:?} {high:?}");
                let step = (largest / 100.0).max(f32::MIN_POSITIVE);
                assert!(min[k] - low[k] <= step && high[k] - max[k] <= step, "{bounds:?}: {low:?} {high:?}");
                assert!(low[k].abs() < reach_of(words[0]) && high[k].abs() < reach_of(words[0]));
            }
        }
    }
}
