//! Bodies sorted by world, size and place: runs of one world and one size class.
//!
//! A body far larger than its neighbours on the curve would make the box of its whole block large, and every query would have
//! to look into it. So bodies are put into classes of similar size; within a class boxes are tight, and a body looks for
//! partners in its own class and in those of smaller ones.

use std::ops::Range;

use super::parallel::Pool;
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

/// The median of the longest sides of a sample of `n` boxes; 0 for none.
pub(crate) fn median_size(n: usize, bounds: impl Fn(usize) -> Aabb) -> f32 {
    let mut sample: Vec<i64> = (0..n).step_by((n / 1024).max(1)).map(|i| log_size(&bounds(i))).collect();
    sample.sort_unstable();
    sample.get(sample.len() / 2).map_or(0.0, |bits| f32::from_bits(*bits as u32))
}

impl Sizes {
    pub(super) fn new(n: usize, bounds: impl Fn(usize) -> Aabb) -> Self {
        Self { middle: i64::from(median_size(n, bounds).to_bits()) }
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

/// Bodies that one task looks at.
const CHUNK: usize = 1 << 14;

/// The runs of equal (world, class) in a sorted sequence of `n`.
pub(super) fn segments(pool: &Pool, n: usize, key: impl Fn(usize) -> (u32, u32) + Send + Sync) -> Vec<Segment> {
    let parts = pool.map_chunks(n, CHUNK, |range| {
        let single = |i: usize| {
            let (world, class) = key(i);
            Segment { bodies: i..i + 1, world, class }
        };
        join(range.map(single))
    });
    join(parts.into_iter().flatten())
}

/// Runs that follow each other and are of one world and one class become one.
fn join(runs: impl Iterator<Item = Segment>) -> Vec<Segment> {
    let mut found: Vec<Segment> = Vec::new();
    for run in runs {
        match found.last_mut() {
            Some(last) if (last.world, last.class) == (run.world, run.class) => last.bodies.end = run.bodies.end,
            _ => found.push(run),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_go_on_from_task_to_task() {
        let pool = Pool::new(Some(3)).expect("a pool");
        for n in [0, 1, CHUNK, CHUNK + 1, 5 * CHUNK + 7] {
            let key = |i: usize| ((i / (2 * CHUNK)) as u32, u32::from(i >= n - n / 3));
            let found = segments(&pool, n, key);
            assert_eq!(found.iter().map(|run| run.bodies.len()).sum::<usize>(), n);
            assert!(found.windows(2).all(|two| two[0].bodies.end == two[1].bodies.start));
            assert!(found.windows(2).all(|two| (two[0].world, two[0].class) != (two[1].world, two[1].class)));
            assert!(found.iter().all(|run| run.bodies.clone().all(|i| key(i) == (run.world, run.class))));
        }
    }
}
