//! Classes of bodies of similar size.
//!
//! A body far larger than its neighbours along the curve would enlarge the bounds of its whole block, which every search would
//! then visit. So bodies are sorted into classes of similar size; within a class bounds are tight, and a body searches its own
//! class and those of smaller bodies.

use crate::shape::Aabb;

/// The bits of an `f32` grow by this when the number doubles.
const DOUBLING: i64 = 1 << 23;
/// A size class holds bodies whose sizes differ by at most a factor of 8.
const CLASS: i64 = 3 * DOUBLING;
/// The number of classes above the middle one, and below it.
const CLASSES: i64 = 15;
/// The bits of a class.
pub(crate) const CLASS_BITS: u32 = 5;

/// Assigns bodies to size classes; the middle class is centred on the median size.
pub(crate) struct Sizes {
    middle: i64,
}

/// The bits of the longest side, which grow with its logarithm.
fn log_size(bounds: &Aabb) -> i64 {
    i64::from((bounds.max() - bounds.min()).max_element().to_bits())
}

/// The median of the longest sides of a sample of `n` boxes; 0 if there are none.
fn median_size(n: usize, bounds: impl Fn(usize) -> Aabb) -> f32 {
    let mut sample: Vec<i64> = (0..n).step_by((n / 1024).max(1)).map(|i| log_size(&bounds(i))).collect();
    sample.sort_unstable();
    sample.get(sample.len() / 2).map_or(0.0, |bits| f32::from_bits(*bits as u32))
}

impl Sizes {
    pub(crate) fn new(n: usize, bounds: impl Fn(usize) -> Aabb) -> Self {
        Self { middle: i64::from(median_size(n, bounds).to_bits()) }
    }

    /// The class of a box: larger numbers for larger boxes.
    #[inline]
    pub(crate) fn class(&self, bounds: &Aabb) -> u32 {
        let steps = (log_size(bounds) - self.middle + CLASS / 2).div_euclid(CLASS);
        (steps.clamp(-CLASSES, CLASSES) + CLASSES) as u32
    }
}
