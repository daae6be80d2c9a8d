//! Excluded pairs, which are never reported.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};

/// A set of unordered pairs of ids.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exclusions {
    pairs: HashSet<(u32, u32)>,
    /// The partners of each body that has any.
    partners: HashMap<u32, Vec<u32>>,
    version: u64,
    /// Whether pairs of removed bodies were dropped since the version was drawn.
    outdated: bool,
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

    /// A number that identifies this state of the exclusions. States of one number may differ in pairs of ids that no body has.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    fn draw_version(&mut self) {
        self.version = NEXT.fetch_add(1, Ordering::Relaxed);
        self.outdated = false;
    }

    /// Whether the pair was not there before.
    pub(super) fn insert(&mut self, a: u32, b: u32) -> bool {
        let new = self.pairs.insert(ordered(a, b));
        if new {
            self.partners.entry(a).or_default().push(b);
            self.partners.entry(b).or_default().push(a);
            self.draw_version();
        }
        new
    }

    /// Whether the pair was there.
    pub(super) fn remove(&mut self, a: u32, b: u32) -> bool {
        let found = self.pairs.remove(&ordered(a, b));
        if found {
            self.forget(a, b);
            self.forget(b, a);
            self.draw_version();
        }
        found
    }

    /// Takes `b` from the partners of `a`.
    fn forget(&mut self, a: u32, b: u32) {
        if let Some(partners) = self.partners.get_mut(&a) {
            if let Some(at) = partners.iter().position(|partner| *partner == b) {
                partners.swap_remove(at);
            }
            if partners.is_empty() {
                self.partners.remove(&a);
            }
        }
    }

    /// Drops the pairs of a body that is removed. Who knows this version may keep them, since nobody has the id now.
    pub(super) fn remove_body(&mut self, id: u32) {
        for partner in self.partners.remove(&id).unwrap_or_default() {
            self.pairs.remove(&ordered(id, partner));
            self.forget(partner, id);
            self.outdated = true;
        }
    }

    /// To be called when a removed body's id is given to another: whoever kept its pairs has to learn that they are gone.
    pub(super) fn reuse(&mut self) {
        if self.outdated {
            self.draw_version();
        }
    }

    pub(super) fn sorted(&self) -> Vec<(u32, u32)> {
        let mut pairs: Vec<_> = self.pairs.iter().copied().collect();
        pairs.sort_unstable();
        pairs
    }

    /// Follows [`Bodies::compact`](crate::Bodies::compact): body `i` now has the id `remap[i]`.
    pub(super) fn remap(&mut self, remap: &[Option<u32>]) {
        let pairs = std::mem::take(self).pairs;
        for (a, b) in pairs {
            if let (Some(a), Some(b)) = (remap[a as usize], remap[b as usize]) {
                self.insert(a, b);
            }
        }
        self.draw_version();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_a_removed_body_go_and_others_stay() {
        let mut exclusions = Exclusions::default();
        for (a, b) in [(1, 2), (3, 1), (2, 3), (4, 4)] {
            assert!(exclusions.insert(a, b) && !exclusions.insert(b, a));
        }
        let version = exclusions.version();
        exclusions.remove_body(1);
        exclusions.remove_body(4);
        exclusions.remove_body(9);
        assert_eq!((exclusions.sorted(), exclusions.version()), (vec![(2, 3)], version));
        exclusions.reuse();
        assert_ne!(exclusions.version(), version);
        let version = exclusions.version();
        exclusions.remove_body(9);
        exclusions.reuse();
        assert_eq!(exclusions.version(), version, "nothing was dropped");
        assert!(exclusions.remove(3, 2) && exclusions.is_empty() && exclusions.partners.is_empty());
    }
}
