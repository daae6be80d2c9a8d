//! How much room queries have needed so far: what one query learns serves the next one of its kind, and no other.

use super::abi::{BINS, BUCKETS, STATUS_CANDIDATES, STATUS_HITS};
use super::bins::Bins;

/// After so many queries in a row that needed far less, room is given back.
const SHRINK_AFTER: u32 = 4;
/// What counts as far less: a part of this.
const SHRINK_FACTOR: u32 = 8;

/// Kinds of queries, whose needs have nothing to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The pairs of one set, or of two.
    Pairs { between: bool },
    /// The candidates of one set, or of two.
    Candidates { between: bool },
    /// Pairs that the caller has listed.
    Listed,
    /// Sides of planes, which need no room that depends on what is found.
    Cull,
}

/// The room that a query starts with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capacity {
    /// How many candidates of each bucket there is room for.
    pub candidates: [u32; BUCKETS],
    /// How many hits of each bin.
    pub bins: Bins,
    /// How many long rows, and hits of these: none until a query has shown that there are some.
    pub long_rows: [u32; 2],
    /// How many searches that were cut short: none until a query has shown that there are some.
    pub unfinished: u32,
    /// How many queries in a row have needed far less.
    low_uses: u32,
}

/// What is needed, and an eighth more.
fn with_headroom(needed: u32) -> u32 {
    needed.saturating_add(needed / 8)
}

impl Capacity {
    pub(crate) fn new(bins: Bins) -> Self {
        Self { candidates: [0; BUCKETS], bins, long_rows: [0; 2], unfinished: 0, low_uses: 0 }
    }

    /// Forgets everything.
    pub(crate) fn forget(&mut self) {
        self.bins.room = [0; BINS];
        *self = Self::new(self.bins);
    }

    /// Half of the room will do.
    pub(crate) fn halve(&mut self) {
        self.candidates = self.candidates.map(|room| room / 2);
        self.bins.room = self.bins.room.map(|room| room / 2);
        self.long_rows = [0; 2];
    }

    /// Whether there was room for all candidates and hits; if not, it is known now how much is needed. (What follows a stage with too
    /// little room counted too little, so this may happen again.)
    pub(crate) fn sufficed(&mut self, status: &[u32]) -> bool {
        let mut fits = true;
        let mut check = |room: &mut u32, needed: u32| {
            if needed > *room {
                *room = with_headroom(needed);
                fits = false;
            }
        };
        for k in 0..BUCKETS {
            check(&mut self.candidates[k], status[STATUS_CANDIDATES + k]);
        }
        for k in 0..BINS {
            check(&mut self.bins.room[k], status[STATUS_HITS + k]);
        }
        fits
    }

    /// Whether there was room for all searches that were cut short.
    pub(crate) fn sufficed_for_unfinished(&mut self, needed: u32) -> bool {
        let fits = needed <= self.unfinished;
        // Each costs a group of threads for every node of a level, also if there is none.
        if !fits || needed < self.unfinished / 2 {
            self.unfinished = with_headroom(needed);
        }
        fits
    }

    /// Whether there was room for all long rows, of which there may be more if not all is `complete`. The next query finds room for
    /// about as many.
    pub(crate) fn sufficed_for_long_rows(&mut self, needed: [u32; 2], complete: bool) -> bool {
        let room = self.long_rows;
        let fits = needed[0] <= room[0] && needed[1] <= room[1];
        // What was far too much is not sorted for nothing again.
        let wasteful = complete && (0..2).any(|k| needed[k] < room[k] / 2);
        if !fits || wasteful {
            self.long_rows = needed.map(with_headroom);
        }
        fits
    }

    /// Gives room back, once several complete queries in a row have needed far less.
    pub(crate) fn shrink(&mut self, status: &[u32]) {
        self.bins.shrink(&status[STATUS_HITS..]);
        let needed = &status[STATUS_CANDIDATES..STATUS_CANDIDATES + BUCKETS];
        let total = |counts: &[u32]| counts.iter().map(|count| u64::from(*count)).sum::<u64>();
        let low_uses = total(&self.candidates) / u64::from(SHRINK_FACTOR) > total(needed);
        self.low_uses = if low_uses { self.low_uses + 1 } else { 0 };
        if self.low_uses >= SHRINK_AFTER {
            for (room, needed) in self.candidates.iter_mut().zip(needed) {
                *room = (*room).min(with_headroom(*needed));
            }
            self.low_uses = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_grows_at_once_and_shrinks_after_a_while() {
        let mut capacity = Capacity::new(Bins::new());
        capacity.bins.fit(1000, 1024);
        let mut status = [0; STATUS_HITS + BINS];
        status[STATUS_CANDIDATES + 2] = 8000;
        assert!(!capacity.sufficed(&status) && capacity.sufficed(&status));
        assert_eq!(capacity.candidates, [0, 0, 9000, 0, 0, 0]);
        capacity.shrink(&status);
        status[STATUS_CANDIDATES + 2] = 80;
        for _ in 0..SHRINK_AFTER - 1 {
            capacity.shrink(&status);
            assert_eq!(capacity.candidates[2], 9000);
        }
        capacity.shrink(&status);
        assert_eq!(capacity.candidates[2], 90);
        assert!(
            !capacity.sufficed_for_unfinished(16) && capacity.sufficed_for_unfinished(10) && capacity.unfinished == 18
        );
        assert!(capacity.sufficed_for_unfinished(0) && capacity.unfinished == 0);
    }
}
