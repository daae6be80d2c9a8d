//! How much room queries have needed so far: what one query learns serves the next one of its kind, and no other.

use super::abi::{BINS, BUCKETS, STATUS_CANDIDATES, STATUS_HITS};
use super::bins::Bins;

/// After so many queries in a row that needed far less, room is given back.
const MODEST: u32 = 4;
/// What counts as far less: a part of this.
const FAR_LESS: u32 = 8;

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
pub(crate) struct Learned {
    /// How many candidates of each bucket there is room for.
    pub candidates: [u32; BUCKETS],
    /// How many hits of each bin.
    pub bins: Bins,
    /// How many long rows, and hits of these: none until a query has shown that there are some.
    pub long: [u32; 2],
    /// How many searches that were cut short: none until a query has shown that there are some.
    pub unfinished: u32,
    /// How many queries in a row have needed far less.
    modest: u32,
}

/// What is needed, and an eighth more.
fn and_some(needed: u32) -> u32 {
    needed.saturating_add(needed / 8)
}

impl Learned {
    pub(crate) fn new(bins: Bins) -> Self {
        Self { candidates: [0; BUCKETS], bins, long: [0; 2], unfinished: 0, modest: 0 }
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
        self.long = [0; 2];
    }

    /// Whether there was room for all candidates and hits; if not, it is known now how much is needed. (What follows a stage with too
    /// little room counted too little, so this may happen again.)
    pub(crate) fn sufficed(&mut self, status: &[u32]) -> bool {
        let mut fits = true;
        let mut check = |room: &mut u32, needed: u32| {
            if needed > *room {
                *room = and_some(needed);
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
    pub(crate) fn sufficed_for_rest(&mut self, needed: u32) -> bool {
        let fits = needed <= self.unfinished;
        // Each costs a group of threads for every node of a level, also if there is none.
        if !fits || needed < self.unfinished / 2 {
            self.unfinished = and_some(needed);
        }
        fits
    }

    /// Whether there was room for all long rows, of which there may be more if not all is `complete`. The next query finds room for
    /// about as many.
    pub(crate) fn sufficed_for_long(&mut self, needed: [u32; 2], complete: bool) -> bool {
        let room = self.long;
        let fits = needed[0] <= room[0] && needed[1] <= room[1];
        // What was far too much is not sorted for nothing again.
        let wasteful = complete && (0..2).any(|k| needed[k] < room[k] / 2);
        if !fits || wasteful {
            self.long = needed.map(and_some);
        }
        fits
    }

    /// Gives room back, once several complete queries in a row have needed far less.
    pub(crate) fn shrink(&mut self, status: &[u32]) {
        self.bins.shrink(&status[STATUS_HITS..]);
        let needed = &status[STATUS_CANDIDATES..STATUS_CANDIDATES + BUCKETS];
        let total = |counts: &[u32]| counts.iter().map(|count| u64::from(*count)).sum::<u64>();
        let modest = total(&self.candidates) / u64::from(FAR_LESS) > total(needed);
        self.modest = if modest { self.modest + 1 } else { 0 };
        if self.modest >= MODEST {
            for (room, needed) in self.candidates.iter_mut().zip(needed) {
                *room = (*room).min(and_some(*needed));
            }
            self.modest = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_grows_at_once_and_shrinks_after_a_while() {
        let mut learned = Learned::new(Bins::new());
        learned.bins.fit(1000, 1024);
        let mut status = [0; STATUS_HITS + BINS];
        status[STATUS_CANDIDATES + 2] = 8000;
        assert!(!learned.sufficed(&status) && learned.sufficed(&status));
        assert_eq!(learned.candidates, [0, 0, 9000, 0, 0, 0]);
        learned.shrink(&status);
        status[STATUS_CANDIDATES + 2] = 80;
        for _ in 0..MODEST - 1 {
            learned.shrink(&status);
            assert_eq!(learned.candidates[2], 9000);
        }
        learned.shrink(&status);
        assert_eq!(learned.candidates[2], 90);
        assert!(!learned.sufficed_for_rest(16) && learned.sufficed_for_rest(10) && learned.unfinished == 18);
        assert!(learned.sufficed_for_rest(0) && learned.unfinished == 0);
    }
}
