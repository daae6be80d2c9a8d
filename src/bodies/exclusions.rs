//! Pairs that are never reported.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// A set of unordered pairs of ids.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exclusions {
    pairs: HashSet<(u32, u32)>,
    version: u64,
}

/// Versions are drawn from one counter, so that those of different pairs never coincide. New sets, which have none, have version 0.
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

    /// A number that tells these pairs from all others.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// Whether something has changed, which is said when it has.
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

    /// Body `removed` is gone and body `last` has taken its place.
    pub(super) fn swap_remove(&mut self, removed: u32, last: u32) {
        let place = |id: u32| match id {
            id if id == removed => None,
            id if id == last => Some(removed),
            id => Some(id),
        };
        self.rename(place);
    }

    /// Body `i` is now `remap[i]`.
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
