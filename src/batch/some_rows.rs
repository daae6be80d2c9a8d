//! Some rows of an answer from a device: the bodies of these rows are a set of their own, which searches the other.

use super::rows::Overlaps;
use super::set::{Only, PairedSets};
use crate::gpu::{DeviceRows, Narrow, PairSearch};
use crate::manifold::Manifold;
use crate::memory::PairLimit;
use crate::near::{Clearance, SweepHit};
use crate::{Bodies, Result};

/// The most bytes a pair takes on the host at any time: four where a device has written it, in a copy of one part of several, when parts
/// are merged, and in the answer.
pub(super) const BYTES: u64 = 16;
/// The same for a contact.
pub(super) const CONTACT_BYTES: u64 = BYTES + 4 * size_of::<Manifold>() as u64;
/// And for a clearance.
pub(super) const CLEARANCE_BYTES: u64 = BYTES + 4 * size_of::<Clearance>() as u64;

/// And for a pair of moving bodies that meet.
pub(super) const SWEEP_BYTES: u64 = BYTES + 4 * size_of::<SweepHit>() as u64;

/// The rows that are asked for, as a device searches for them.
pub(super) struct SomeRows<'a> {
    sets: &'a PairedSets,
    /// The bodies of these rows, unless all are asked for.
    part: Option<(Bodies, &'a Only)>,
}

impl<'a> SomeRows<'a> {
    pub(super) fn new(sets: &'a PairedSets) -> Self {
        let part = sets.only.as_ref().map(|only| (sets.own.bodies.part(only.rows.clone()), only));
        Self { sets, part }
    }

    /// The search for the pairs, for each of which the host needs so many bytes; it may use so much memory.
    pub(super) fn search(&self, narrow: Narrow, memory: Option<u64>, bytes: u64) -> PairSearch<'_> {
        let searched = &self.sets.searched().bodies;
        match &self.part {
            None => {
                let limit = PairLimit::of_memory(memory, bytes);
                PairSearch::new((self.sets.searching(), searched), narrow).with_limit(limit).with_lengths()
            }
            // Within one set each pair is found from both sides.
            Some((part, only)) => {
                let most = only.most().saturating_mul(2).saturating_add(only.rows.len() as u64);
                PairSearch::new((Some(part), searched), narrow).with_limit(PairLimit::of_pairs(most))
            }
        }
    }

    /// The bodies that rows are of.
    pub(super) fn own(&self) -> &Bodies {
        self.part.as_ref().map_or(&self.sets.own.bodies, |(part, _)| part)
    }

    /// The pairs that belong to the answer. Rows are counted from the first one.
    pub(super) fn belonging(&self, found: DeviceRows) -> DeviceRows {
        let own = &self.sets.own.bodies;
        match &self.part {
            Some((_, only)) if self.sets.against.is_none() => found.retained(|row, b| {
                let a = only.rows.start + row;
                b as usize > a && !own.exclusions().contains(a as u32, b)
            }),
            _ => found,
        }
    }

    /// Puts rows that were counted from the first one where they belong.
    pub(super) fn place(&self, out: &mut Overlaps) -> Result<()> {
        let Some((_, only)) = &self.part else { return Ok(()) };
        let limit = PairLimit::of_pairs(only.most());
        limit.add(out.len() as u64);
        limit.check()?;
        let (first, len) = (only.rows.start, out.offsets.len());
        out.offsets.resize(first + len, 0);
        out.offsets.copy_within(..len, first);
        out.offsets[..first].fill(0);
        Ok(())
    }
}
