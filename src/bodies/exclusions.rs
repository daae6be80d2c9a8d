//! Excluded pairs, which are never reported.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// A set of unordered pairs of ids.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exclusions {
    pairs: HashSet<(u32, u32)>,
    version: u64,
}

/// The next version. All sets draw from one counter, so that versions of different exclusions never coincide. A set without
/// exclusions starts with version 0.
static NEXT: AtomicU64 = AtomicU64::new(1);

fn ordered(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

impl Exclusions {
    pub(crate) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    #[inline]
    pub(crate) fn contains(&self, a: u32, b: u32) -> bool {
        !self.pairs.is_empty() && self.pairs.contains(&ordered(a, b))
    }

    /// A number that identifies this state of the exclusions.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// Draws a new version if `changed`. Returns `changed`.
    fn changed(&mut self, changed: bool) -> bool {
        if changed {
            self.version = NEXT.fetch_add(1, Ordering::Relaxed);
        }
        changed
    }

    pub(super) fn insert(&mut self, a: u32, b: u32) -> bool {
        let new = self.pairs.insert(ordered(a, b));
        self.changed(new)
    }

    pub(super) fn remove(&mut self, a: u32, b: u32) -> bool {
        let found = self.pairs.remove(&ordered(a, b));
        self.changed(found)
    }

    pub(super) fn sorted(&self) -> Vec<(u32, u32)> {
        let mut pairs: Vec<_> = self.pairs.iter().copied().collect();
        pairs.sort_unstable();
        pairs
    }

    /// Follows [`Bodies::swap_remove`](crate::Bodies::swap_remove): body `removed` is gone, and body `last` has its id.
    pub(super) fn swap_remove(&mut self, removed: u32, last: u32) {
        let place = |id: u32| match id {
            id if id == removed => None,
            id if id == last => Some(removed),
            id => Some(id),
        };
        self.rename(place);
    }

    /// Follows [`Bodies::compact`](crate::Bodies::compact): body `i` now has the id `remap[i]`.
    pub(super) fn remap(&mut self, remap: &[Option<u32>]) {
        self.rename(|id| remap[id as usize]);
    }

    fn rename(&mut self, place: impl Fn(u32) -> Option<u32>) {
        if !self.pairs.is_empty() {
            self.pairs = self.pairs.iter().filter_map(|(a, b)| Some(ordered(place(*a)?, place(*b)?))).collect();
            self.changed(true);
        }
    }
}
