//! The ledger: every stage signs on the device for the work it has done, and the host compares the signatures with those that are
//! due before it trusts an answer.
//!
//! A dispatch that a driver cuts short, a workgroup that ends early, or work that is done twice would otherwise give missing or
//! duplicate pairs without an error. Each unit of a stage's work adds its signature to a word of the status block; the host knows
//! what the sum has to be. In addition, counts are compared where one stage hands over to the next: bodies gathered into slots,
//! candidates decided, pairs left open and settled, hits scattered to rows.

use std::ops::Range;

use super::abi::{
    BINS, STATUS_ANSWERED, STATUS_BINS_OVERFLOWED, STATUS_CANDIDATES, STATUS_GATHERED, STATUS_HITS, STATUS_LEDGER,
    STATUS_LEFT_OPEN, STATUS_SETTLED, STATUS_SKIPPED,
};
use super::stages::{self, Stage};
use crate::{Error, Result};

/// The multiplier of a unit's number in its signature: Knuth's prime near 2³² divided by the golden ratio. Its bits are mixed, so
/// that sums over other sets of units are unlikely to be equal.
pub(crate) const SIGNATURE: u32 = 0x9E37_79B1;

/// The sum of the signatures of these units, modulo 2³².
pub(crate) fn signatures(units: Range<u64>) -> u32 {
    let count = units.end.saturating_sub(units.start);
    // Of two consecutive numbers one is even, so that n (n - 1) / 2 can be computed without overflow.
    let even = |n: u64| n.is_multiple_of(2);
    let below = |n: u64| if even(n) { (n / 2).wrapping_mul(n.wrapping_sub(1)) } else { n.wrapping_mul(n / 2) };
    let sum = below(units.end).wrapping_sub(below(units.start)) as u32;
    if count == 0 { 0 } else { sum.wrapping_mul(SIGNATURE).wrapping_add(count as u32) }
}

/// The word of the status block in which a stage signs.
pub(crate) fn word_of(stage: &Stage) -> usize {
    STATUS_LEDGER + stages::index_of(stage)
}

/// The signatures and counts that are due when all recorded commands have run.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// The sum of the signatures due from each stage.
    stages: Vec<u32>,
    /// The sum of the signatures of all bodies to be gathered into slots.
    bodies: u32,
    /// The dispatches of the narrow phase: stage, bucket, and capacity of the bucket.
    decided: Vec<(&'static Stage, usize, u32)>,
    /// Whether hits are scattered to rows.
    placed: bool,
}

impl Ledger {
    /// Expects these units of work from a stage.
    pub(crate) fn expect(&mut self, stage: &Stage, units: Range<u64>) {
        self.stages.resize(stages::ALL.len(), 0);
        let due = &mut self.stages[stages::index_of(stage)];
        *due = due.wrapping_add(signatures(units));
    }

    /// Expects this many bodies to be gathered into slots.
    pub(crate) fn expect_bodies(&mut self, bodies: u32) {
        self.bodies = self.bodies.wrapping_add(signatures(0..u64::from(bodies)));
    }

    /// Expects the candidates of a bucket with this capacity to be decided.
    pub(crate) fn expect_verdicts(&mut self, stage: &'static Stage, bucket: usize, room: u32) {
        self.decided.push((stage, bucket, room));
    }

    /// Expects all hits to be scattered to rows.
    pub(crate) fn expect_rows(&mut self) {
        self.placed = true;
    }

    /// Compares the signatures of each stage with those that are due.
    ///
    /// # Errors
    /// [`Incomplete`](Error::Incomplete) names the first stage whose signatures differ.
    pub(crate) fn check_stages(&self, status: &[u32]) -> Result<()> {
        let mut due = self.stages.clone();
        for (stage, bucket, room) in &self.decided {
            let due = &mut due[stages::index_of(stage)];
            *due = due.wrapping_add(status[STATUS_CANDIDATES + bucket].min(*room));
        }
        if self.placed && status[STATUS_BINS_OVERFLOWED] == 0 {
            let due = &mut due[stages::index_of(&stages::SCATTER_HITS)];
            *due = status[STATUS_HITS..STATUS_HITS + BINS].iter().fold(*due, |sum, hits| sum.wrapping_add(*hits));
        }
        for (stage, due) in stages::ALL.iter().zip(due) {
            // The signatures of patches accumulate over queries, and are compared by
            // [`Memory::check_patches`](super::workspace::Memory::check_patches).
            if stages::index_of(stage) != stages::index_of(&stages::PATCH_RECORDS) {
                compare(stage.name, status[word_of(stage)], due)?;
            }
        }
        Ok(())
    }

    /// Compares all signatures and counts of the status block with those that are due.
    ///
    /// # Errors
    /// As [`check_stages`](Self::check_stages).
    pub(crate) fn check(&self, status: &[u32]) -> Result<()> {
        self.check_stages(status)?;
        let gathered = status[STATUS_GATHERED].wrapping_add(status[STATUS_SKIPPED]);
        compare(stages::GATHER.name, gathered, self.bodies)?;
        compare("settle", status[STATUS_SETTLED], status[STATUS_LEFT_OPEN])
    }
}

/// Compares the number of verdicts that were returned with the number of listed pairs, if all of them found room.
///
/// # Errors
/// As [`Ledger::check_stages`].
pub(crate) fn check_answers(status: &[u32], asked: u32) -> Result<()> {
    compare(stages::RETURN_VERDICTS.name, status[STATUS_ANSWERED], asked)
}

fn compare(stage: &'static str, found: u32, due: u32) -> Result<()> {
    if found == due { Ok(()) } else { Err(Error::Incomplete { stage, found, due }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_signatures_are_those_of_one_by_one() {
        let one = |k: u64| (k as u32).wrapping_mul(SIGNATURE).wrapping_add(1);
        for (start, end) in [(0, 0), (0, 1), (0, 2), (5, 6), (3, 1000), (7, 7), (1 << 31, (1 << 31) + 77)] {
            let sum = (start..end).fold(0, |sum: u32, k| sum.wrapping_add(one(k)));
            assert_eq!(signatures(start..end), sum, "{start}..{end}");
        }
        // Unit numbers beyond 32 bits wrap, as they do on the device.
        let parts = signatures(0..1 << 32).wrapping_add(signatures((1 << 32)..(1 << 33) + 5));
        assert_eq!(signatures(0..(1 << 33) + 5), parts);
    }
}
