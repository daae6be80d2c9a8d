//! Classes of bodies of similar size.
//!
//! A body far larger than its neighbours along the curve would enlarge the bounds of its whole block, which every search would
//! then visit. So bodies are sorted into classes of similar size; within a class bounds are tight, and a body searches its own
//! class and those of smaller bodies.

use crate::shape::Aabb;

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

/// The longest side.
fn size(bounds: &Aabb) -> f32 {
    (bounds.max() - bounds.min()).max_element()
}

/// The median of the longest sides of a sample of `n` boxes; 0 if there are none.
fn median_size(n: usize, bounds: impl Fn(usize) -> Aabb) -> f32 {
    let mut sample: Vec<f32> = (0..n).step_by((n / 1024).max(1)).map(|i| size(&bounds(i))).collect();
    sample.sort_unstable_by(f32::total_cmp);
    sample.get(sample.len() / 2).copied().unwrap_or(0.0)
}

impl Sizes {
    pub(crate) fn new(n: usize, bounds: impl Fn(usize) -> Aabb) -> Self {
        Self { middle: logarithm(median_size(n, bounds)) }
    }

    /// The class of a body of about this size, as long as its longest side: larger numbers for larger bodies.
    #[inline(always)]
    pub(crate) fn class(&self, size: f32) -> u32 {
        let steps = (logarithm(size) - self.middle + CLASS / 2).div_euclid(CLASS);
        (steps.clamp(-CLASSES, CLASSES) + CLASSES).cast_unsigned()
    }
}
