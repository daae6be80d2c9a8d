//! How much room queries have needed so far. Each kind of query has a capacity of its own, which its next query starts with.

use super::abi::{BINS, BUCKETS, STATUS_CANDIDATES, STATUS_HITS};
use super::bins::Bins;
use crate::near::SWEEP_TURNS;

/// Capacity shrinks after this many queries in a row that needed far less: one small query among large ones must not cost a
/// regrowth.
const SHRINK_AFTER: u32 = 4;
/// A query needs far less when it needs less than the capacity divided by this.
const SHRINK_FACTOR: u32 = 8;

/// Kinds of queries. The room that one kind needs says nothing about another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Overlapping pairs within one set, or between two.
    Pairs { between: bool },
    /// Candidate pairs within one set, or between two.
    Candidates { between: bool },
    /// Pairs that may be some way apart, within one set or between two.
    Near { between: bool },
    /// Pairs of moving bodies, within one set or between two.
    Moving { between: bool },
    /// The bodies that are nearest to points.
    Closest,
    /// Relations of the pairs that the caller lists.
    Listed,
    /// What rays meet: the nearest body, any, or all (`RAYS_…`).
    Rays { mode: u32 },
    /// One answer for each body: the size of the input says how much room is needed, and nothing is learned.
    EachBody,
}

/// The room that a query starts with, in elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capacity {
    /// Candidate pairs of each bucket.
    pub candidates: [u32; BUCKETS],
    /// Hits of each bin.
    pub bins: Bins,
    /// Long rows, and hits in long rows. Both are zero until a query has found long rows.
    pub long_rows: [u32; 2],
    /// Searches that reached their iteration limit. Zero until a query has found such a search.
    pub unfinished: u32,
    /// Bodies that rays list apart from one for each ray, and pairs of a ray and a body that are open.
    pub rays: [u32; 2],
    /// How many turns moving bodies have needed that do not go straight.
    pub sweep_turns: u32,
    /// How often recorded rays go on after they have stopped.
    pub ray_rounds: u32,
    /// Whether the last complete query had rows whose lengths have no room in a byte.
    pub wide_rows: bool,
    /// Hits of the last complete query.
    last_hits: Option<u32>,
    /// How many queries in a row have needed far less.
    low_uses: u32,
}

/// An eighth more than is needed, so that a scene that changes a little does not need to grow again.
fn with_headroom(needed: u32) -> u32 {
    needed.saturating_add(needed / 8)
}

impl Capacity {
    pub(crate) fn new(bins: Bins) -> Self {
        Self {
            candidates: [0; BUCKETS],
            bins,
            long_rows: [0; 2],
            unfinished: 0,
            rays: [0; 2],
            sweep_turns: SWEEP_TURNS,
            ray_rounds: 0,
            wide_rows: false,
            last_hits: None,
            low_uses: 0,
        }
    }

    /// Sets all capacities to zero.
    pub(crate) fn forget(&mut self) {
        self.bins.room = [0; BINS];
        *self = Self::new(self.bins);
    }

    /// Halves the capacities, for a query that is split into parts.
    pub(crate) fn halve(&mut self) {
        self.candidates = self.candidates.map(|room| room / 2);
        self.bins.room = self.bins.room.map(|room| room / 2);
        self.long_rows = [0; 2];
        self.rays = [0; 2];
        self.last_hits = None;
    }

    /// Grows the capacities of candidates and hits to what the status block counts. Returns whether they had been sufficient. (A
    /// stage that follows one with too little room counts too little, so the next attempt may find that more is needed.)
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

    /// How many hits the next query will probably find, and a thirty-second more; absent before the first complete query.
    pub(crate) fn expected_hits(&self) -> Option<u32> {
        self.last_hits.map(|hits| hits.saturating_add(hits / 32).max(1))
    }

    /// Learns how many hits a complete query has found.
    pub(crate) fn found_hits(&mut self, hits: u32) {
        self.last_hits = Some(hits);
    }

    /// Adapts the capacity for searches that reached their iteration limit. Returns whether it had been sufficient.
    pub(crate) fn sufficed_for_unfinished(&mut self, needed: u32) -> bool {
        let fits = needed <= self.unfinished;
        // Each unit of this capacity launches one warp per node of level 1, even if no search was cut short.
        if !fits || needed < self.unfinished / 2 {
            self.unfinished = with_headroom(needed);
        }
        fits
    }

    /// Adapts the capacity for long rows and their hits. Returns whether it had been sufficient. An incomplete attempt may have
    /// counted too few, so the capacity then only grows.
    pub(crate) fn sufficed_for_long_rows(&mut self, needed: [u32; 2], complete: bool) -> bool {
        let room = self.long_rows;
        let fits = needed[0] <= room[0] && needed[1] <= room[1];
        // The sort runs over the whole capacity, so a large excess costs time in every query.
        let wasteful = complete && (0..2).any(|k| needed[k] < room[k] / 2);
        if !fits || wasteful {
            self.long_rows = needed.map(with_headroom);
        }
        fits
    }

    /// Adapts the capacity for what rays list. Returns whether it had been sufficient.
    pub(crate) fn sufficed_for_rays(&mut self, needed: [u32; 2]) -> bool {
        let fits = needed[0] <= self.rays[0] && needed[1] <= self.rays[1];
        let far_less = (0..2).any(|k| needed[k] < self.rays[k] / SHRINK_FACTOR);
        self.low_uses = if fits && far_less { self.low_uses + 1 } else { 0 };
        let shrinks = self.low_uses >= SHRINK_AFTER;
        for (room, needed) in self.rays.iter_mut().zip(needed) {
            if needed > *room || (shrinks && needed < *room / SHRINK_FACTOR) {
                *room = with_headroom(needed);
            }
        }
        if shrinks {
            self.low_uses = 0;
        }
        fits
    }

    /// Shrinks the capacity, once several complete queries in a row have needed far less.
    pub(crate) fn shrink(&mut self, status: &[u32]) {
        self.bins.shrink(&status[STATUS_HITS..]);
        let needed = &status[STATUS_CANDIDATES..STATUS_CANDIDATES + BUCKETS];
        let total = |counts: &[u32]| counts.iter().map(|count| u64::from(*count)).sum::<u64>();
        let far_less = total(&self.candidates) / u64::from(SHRINK_FACTOR) > total(needed);
        self.low_uses = if far_less { self.low_uses + 1 } else { 0 };
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
        let mut expected = [0; BUCKETS];
        expected[2] = 9000;
        assert_eq!(capacity.candidates, expected);
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
