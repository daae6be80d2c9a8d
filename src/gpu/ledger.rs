//! The ledger: every stage notes on the device what it has processed, and the host compares that with what was due before it believes
//! an answer.
//!
//! A dispatch that a driver cuts short, a workgroup that ends early or a part of the work that is done twice would else be pairs that
//! are missing or there twice, and nobody would know. Each unit of a stage's work adds its signature to a word of the status block;
//! sums of signatures are known beforehand. Beside that, what one stage hands to the next is counted on both sides: the bodies that
//! were sorted into slots, the candidates that were decided, the pairs that were left open and taken up again, the hits put into rows.

use std::ops::Range;

use super::abi::{
    BINS, STATUS_ANSWERED, STATUS_BINS_OVERFLOWED, STATUS_CANDIDATES, STATUS_GATHERED, STATUS_HITS, STATUS_LEDGER,
    STATUS_LEFT_OPEN, STATUS_SETTLED, STATUS_SKIPPED,
};
use super::stages::{self, Stage};
use crate::{Error, Result};

/// By what the number of a unit is multiplied: an odd number with bits everywhere, so that other units do not add up to the same.
pub(crate) const SIGNATURE: u32 = 0x9E37_79B1;

/// The sum of the signatures of the units with these numbers, modulo 2³².
pub(crate) fn signatures(units: Range<u64>) -> u32 {
    let count = units.end.saturating_sub(units.start);
    // One of two neighbours is even.
    let even = |n: u64| n.is_multiple_of(2);
    let below = |n: u64| if even(n) { (n / 2).wrapping_mul(n.wrapping_sub(1)) } else { n.wrapping_mul(n / 2) };
    let sum = below(units.end).wrapping_sub(below(units.start)) as u32;
    if count == 0 { 0 } else { sum.wrapping_mul(SIGNATURE).wrapping_add(count as u32) }
}

/// The word of the status block in which a stage signs.
pub(crate) fn word_of(stage: &Stage) -> usize {
    STATUS_LEDGER + stages::index_of(stage)
}

/// What is due when all that was recorded has been done.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// By stage, the sum of the signatures.
    stages: Vec<u32>,
    /// The signatures of the bodies of all sets that are sorted into slots.
    bodies: u32,
    /// Buckets of candidates, of these sizes, that go through a stage of the narrow phase.
    decided: Vec<(&'static Stage, usize, u32)>,
    /// Whether hits are put into rows.
    placed: bool,
}

impl Ledger {
    /// Units of a stage's work are to be done.
    pub(crate) fn expect(&mut self, stage: &Stage, units: Range<u64>) {
        self.stages.resize(stages::ALL.len(), 0);
        let due = &mut self.stages[stages::index_of(stage)];
        *due = due.wrapping_add(signatures(units));
    }

    /// This many bodies are to be sorted into slots.
    pub(crate) fn expect_bodies(&mut self, bodies: u32) {
        self.bodies = self.bodies.wrapping_add(signatures(0..u64::from(bodies)));
    }

    /// The candidates of a bucket of this size are to be decided.
    pub(crate) fn expect_verdicts(&mut self, stage: &'static Stage, bucket: usize, room: u32) {
        self.decided.push((stage, bucket, room));
    }

    /// Hits are to be put into rows.
    pub(crate) fn expect_rows(&mut self) {
        self.placed = true;
    }

    /// Compares what each stage was to do with what it signed for.
    ///
    /// # Errors
    /// [`Incomplete`](Error::Incomplete) names the first stage that did not do what was due.
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
            // Patches are noted from query to query, and compared by their owner.
            if stages::index_of(stage) != stages::index_of(&stages::PATCH_RECORDS) {
                compare(stage.name, status[word_of(stage)], due)?;
            }
        }
        Ok(())
    }

    /// Compares what was due with the status block that the device has written.
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

/// Compares the verdicts that were returned with the pairs that were asked for, all of which found room.
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
        // Beyond 32 bits, numbers wrap, as they do on the device.
        let parts = signatures(0..1 << 32).wrapping_add(signatures((1 << 32)..(1 << 33) + 5));
        assert_eq!(signatures(0..(1 << 33) + 5), parts);
    }
}
