//! Blocks of the tree that a search for what is nearest has still to visit.

use super::tree::WIDTH;

/// A block that is to be visited: when a ray enters it or the square of its distance, its level, and its place there.
#[derive(Clone, Copy)]
pub(super) struct Visit {
    pub near: f32,
    pub level: u32,
    pub block: u32,
}

/// The lanes of a mask, the nearest first.
pub(super) struct Lanes {
    /// How near each is in the upper half, as the bits of a number that is not negative, and the lane in the lower half.
    sorted: [u64; WIDTH],
    count: usize,
}

impl Lanes {
    #[inline(always)]
    pub(super) fn new(mut mask: u32, near: &[f32; WIDTH]) -> Self {
        let (mut sorted, mut count) = ([0; WIDTH], 0);
        while mask != 0 {
            let lane = mask.trailing_zeros() as usize % WIDTH;
            mask &= mask - 1;
            // (−0 is 0.)
            let item = u64::from(near[lane].to_bits() & 0x7fff_ffff) << 32 | lane as u64;
            let mut at = count % WIDTH;
            while at > 0 && sorted[at - 1] > item {
                sorted[at] = sorted[at - 1];
                at -= 1;
            }
            sorted[at] = item;
            count += 1;
        }
        Self { sorted, count }
    }

    /// How near each lane is, and which it is.
    #[inline(always)]
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (f32, usize)> {
        self.sorted[..self.count].iter().map(|item| (f32::from_bits((item >> 32) as u32), *item as u32 as usize))
    }
}
