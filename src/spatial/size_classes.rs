//! Classes of bodies of similar size.
//!
//! A body far larger than its neighbours along the curve would enlarge the bounds of its whole block, which every search would
//! then visit. So bodies are sorted into classes of similar size; within a class bounds are tight, and a body searches its own
//! class and those of smaller bodies.

/// Half the bits of a positive `f32`, which grow with its logarithm.
#[inline(always)]
fn logarithm(x: f32) -> i32 {
    (x.to_bits() >> 1).cast_signed()
}

/// The [`logarithm`] grows by this when the number doubles.
const DOUBLING: i32 = 1 << 22;
/// A size class holds bodies whose sizes differ by at most a factor of 8.
const CLASS: i32 = 3 * DOUBLING;
/// The number of classes above the middle one, and below it.
const CLASSES: i32 = 15;
/// The bits of a class.
pub(crate) const CLASS_BITS: u32 = 5;

/// Assigns bodies to size classes; the middle class is centred on the median size.
pub(crate) struct Sizes {
    middle: i32,
}

/// The median of a sample of `n` sizes; 0 if there are none.
fn median_size(n: usize, size: impl Fn(usize) -> f32) -> f32 {
    let mut sample: Vec<f32> = (0..n).step_by((n / 1024).max(1)).map(size).collect();
    let middle = sample.len() / 2;
    if sample.is_empty() { 0.0 } else { *sample.select_nth_unstable_by(middle, f32::total_cmp).1 }
}

impl Sizes {
    /// The classes of `n` bodies of about these sizes.
    pub(crate) fn new(n: usize, size: impl Fn(usize) -> f32) -> Self {
        Self { middle: logarithm(median_size(n, size)) }
    }

    /// The class of a body of about this size, as long as its longest side: larger numbers for larger bodies.
    #[inline(always)]
    pub(crate) fn class(&self, size: f32) -> u32 {
        let steps = (logarithm(size) - self.middle + CLASS / 2).div_euclid(CLASS);
        (steps.clamp(-CLASSES, CLASSES) + CLASSES).cast_unsigned()
    }
}
