//! Excluded pairs, which are never reported.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};

/// A set of unordered pairs of ids.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exclusions {
    pairs: HashSet<(u32, u32)>,
    /// The partners of each body that has any.
    partners: HashMap<u32, Vec<u32>>,
    state: ExclusionState,
}

/// Identifies the content of exclusions, so that a copy of them, on a device or in an index, need not be made again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExclusionState {
    /// Drawn anew with every change but removals of bodies.
    version: u64,
    /// Drawn anew when a body with exclusions is removed; 0 if none was since the version was drawn.
    dropped: u64,
}

impl ExclusionState {
    /// Whether a copy of exclusions of this state serves for those of another state. It may have more pairs, but only of bodies that were
    /// removed there, whose ids nobody has.
    pub(crate) fn serves(self, other: Self) -> bool {
        self.version == other.version && (self.dropped == 0 || self.dropped == other.dropped)
    }
}

/// The next number of a state. All sets draw from one counter, so that those of different exclusions never coincide. A set without
/// exclusions starts with 0.
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

    /// What identifies their content.
    pub(crate) fn state(&self) -> ExclusionState {
        self.state
    }

    fn draw_version(&mut self) {
        self.state = ExclusionState { version: NEXT.fetch_add(1, Ordering::Relaxed), dropped: 0 };
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

    /// Drops the pairs of a body that is removed. Copies may keep them, since nobody has the id now.
    pub(super) fn remove_body(&mut self, id: u32) {
        for partner in self.partners.remove(&id).unwrap_or_default() {
            self.pairs.remove(&ordered(id, partner));
            self.forget(partner, id);
            self.state.dropped = NEXT.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Drops the pairs of these bodies, which were removed from exclusions that are now of this state.
    pub(super) fn follow_removals(&mut self, removed: impl Iterator<Item = u32>, state: ExclusionState) {
        if self.state != state {
            removed.for_each(|id| self.remove_body(id));
            self.state = state;
        }
    }

    /// To be called when a removed body's id is given to another: whoever kept its pairs has to learn that they are gone.
    pub(super) fn reuse(&mut self) {
        if self.state.dropped != 0 {
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
        let (full, other) = (exclusions.state(), exclusions.clone());
        exclusions.remove_body(1);
        exclusions.remove_body(4);
        exclusions.remove_body(9);
        assert_eq!(exclusions.sorted(), [(2, 3)]);
        // A copy with more pairs serves for a set with fewer, but not the other way round.
        let fewer = exclusions.state();
        assert!(full.serves(fewer) && !fewer.serves(full) && fewer.serves(fewer) && full.serves(other.state()));
        exclusions.reuse();
        assert!(!full.serves(exclusions.state()) && !fewer.serves(exclusions.state()));
        let state = exclusions.state();
        exclusions.remove_body(9);
        exclusions.reuse();
        assert_eq!(exclusions.state(), state, "nothing was dropped");
        assert!(exclusions.remove(3, 2) && exclusions.is_empty() && exclusions.partners.is_empty());
    }
}
