//! Candidate pairs on their way from the search to what is done with them.

use super::tree::WIDTH;
use crate::lanes::Number;

/// How many pairs wait before they are taken: enough to fill the lanes of the narrow phase many times, few enough to stay in the cache.
const WAITING: usize = 1024;

/// Pairs of bodies, given by sorted positions, that wait until there are many.
pub(super) struct Pairs {
    first: Vec<u32>,
    second: Vec<u32>,
    len: usize,
}

impl Pairs {
    pub(super) fn new() -> Self {
        // A block more, since pairs with all bodies of a block are added at a time.
        Self { first: vec![0; WAITING + WIDTH], second: vec![0; WAITING + WIDTH], len: 0 }
    }

    /// In the place of pairs that are taken: has no room.
    pub(super) fn empty() -> Self {
        Self { first: Vec::new(), second: Vec::new(), len: 0 }
    }

    /// Adds the pairs of a body and the bodies of a block that have a bit in `mask`; the first body of the block is at `block`.
    #[inline(always)]
    fn add<T: Number>(&mut self, body: u32, block: u32, mask: u32) {
        self.first[self.len..self.len + WIDTH].fill(body);
        self.len += T::list(mask, block, &mut self.second[self.len..]);
    }

    /// Keeps the pairs of which this holds.
    pub(super) fn retain(&mut self, keep: impl Fn(u32, u32) -> bool) {
        let mut kept = 0;
        for k in 0..self.len {
            let (i, j) = (self.first[k], self.second[k]);
            (self.first[kept], self.second[kept]) = (i, j);
            kept += usize::from(keep(i, j));
        }
        self.len = kept;
    }

    pub(super) fn both(&self) -> (&[u32], &[u32]) {
        (&self.first[..self.len], &self.second[..self.len])
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }
}

/// Whether a pair of sorted positions is allowed. (One type for all, so that the searches are not compiled for each.)
pub(super) type Allowed<'a> = Box<dyn Fn(u32, u32) -> bool + 'a>;

/// What takes the pairs that a search finds.
pub(super) trait Sink {
    fn pairs(&mut self) -> &mut Pairs;

    /// Takes the pairs that wait.
    fn take(&mut self);

    /// Adds the pairs of a body and the bodies of a block that have a bit in `mask`; the first body of the block is at `block`.
    #[inline(always)]
    fn add<T: Number>(&mut self, body: usize, block: usize, mask: u32) {
        let pairs = self.pairs();
        pairs.add::<T>(body as u32, block as u32, mask);
        if pairs.len > WAITING {
            self.take();
        }
    }
}
