//! Bodies sorted by world, size and place: runs of one world and one size class.
//!
//! A body far larger than its neighbours on the curve would make the box of its whole block large, and every query would have
//! to look into it. So bodies are put into classes of similar size; within a class boxes are tight, and a body looks for
//! partners in its own class and in those of smaller ones.

use std::ops::Range;

use crate::shape::Aabb;

/// The bits of an `f32` grow by this when the number doubles.
const DOUBLING: i64 = 1 << 23;
/// A size class holds bodies whose sizes differ by at most a factor of 8.
const CLASS: i64 = 3 * DOUBLING;
/// Classes above and below the middle one.
const CLASSES: i64 = 15;
/// Bits that a class needs.
pub(super) const CLASS_BITS: u32 = 5;

/// Puts bodies into size classes; the class in the middle is centred on the median size.
pub(super) struct Sizes {
    middle: i64,
}

/// A number that grows with the logarithm of the longest side: the bits of the side.
fn log_size(bounds: &Aabb) -> i64 {
    i64::from((bounds.max() - bounds.min()).max_element().to_bits())
}

impl Sizes {
    pub(super) fn new(bounds: &[Aabb]) -> Self {
        let step = (bounds.len() / 1024).max(1);
        let mut sample: Vec<i64> = bounds.iter().step_by(step).map(log_size).collect();
        sample.sort_unstable();
        Self { middle: sample.get(sample.len() / 2).copied().unwrap_or(0) }
    }

    /// The class of a box: larger numbers for larger boxes.
    #[inline]
    pub(super) fn class(&self, bounds: &Aabb) -> u32 {
        let steps = (log_size(bounds) - self.middle + CLASS / 2).div_euclid(CLASS);
        (steps.clamp(-CLASSES, CLASSES) + CLASSES) as u32
    }
}

/// A run of bodies, in sorted order, of one world and one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub bodies: Range<usize>,
    pub world: u32,
    pub class: u32,
}

/// The runs of equal (world, class) in a sorted sequence.
pub(super) fn segments(keys: impl IntoIterator<Item = (u32, u32)>) -> Vec<Segment> {
    let mut found: Vec<Segment> = Vec::new();
    for (i, (world, class)) in keys.into_iter().enumerate() {
        match found.last_mut() {
            Some(last) if (last.world, last.class) == (world, class) => last.bodies.end = i + 1,
            _ => found.push(Segment { bodies: i..i + 1, world, class }),
        }
    }
    found
}
