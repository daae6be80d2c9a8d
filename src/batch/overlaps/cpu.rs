//! The broad phase and the wide filters on all cores.

use std::borrow::Cow;

use super::OverlapsQuery;
use crate::batch::canonical::write_rows;
use crate::batch::set::{PairedSets, frames};
use crate::bodies::Reach;
use crate::clock::Clock;
use crate::cpu::{self, Bounds, CpuHits, Join, Near, Sorted, Wanted};
use crate::manifold::Frame;
use crate::memory::PairLimit;
use crate::parallel::Pool;
use crate::{Overlaps, Result};

pub(super) fn overlaps(query: &OverlapsQuery, pool: &Pool, out: &mut Overlaps) -> Result<()> {
    let mut clock = Clock::start();
    pairs(&query.sets, (query.overlapping_only, query.reach, BYTES), pool, out, &mut clock)?;
    out.stats.stages = clock.laps();
    Ok(())
}

/// The pairs of these sets that are so near each other, for each of which the host needs so many bytes.
pub(in crate::batch) fn pairs(
    sets: &PairedSets,
    (overlapping_only, reach, bytes): (bool, Reach, u64),
    pool: &Pool,
    out: &mut Overlaps,
    clock: &mut Clock,
) -> Result<()> {
    out.begin(sets);
    let parts = {
        let limit = limit(sets, pool, bytes);
        let distance = reach.distance(sets.both());
        let frames = distance.map(|distance| (distance, Frames::new(sets, pool)));
        let near = frames.as_ref().map(|(distance, frames)| Near { distance: *distance, frames: frames.both() });
        let bounds = if near.is_some() { Bounds::WithMargins } else { Bounds::Shapes };
        let join = Join { pool, overlapping_only, near, limit: &limit };
        let parts =
            sets.searched().with_sorted((pool, bounds), clock, |sorted, clock| match (&sets.only, &sets.against) {
                (Some(_), _) => some_rows(sets, (&join, sorted), Wanted::Hits, clock),
                (None, None) => cpu::overlaps(&join, (&sets.own.bodies, sorted), clock),
                (None, Some(other)) => cpu::overlaps_between(&join, &sets.own.bodies, (&other.bodies, sorted), clock),
            });
        limit.check()?;
        parts
    };
    write_rows(pool, sets.rows(), parts, out, clock)
}

/// The bodies of both sets as distances see them, by their ids; of some rows, by their ids within these.
struct Frames<'a> {
    own: Option<Vec<Frame>>,
    searched: Cow<'a, [Frame]>,
}

impl<'a> Frames<'a> {
    fn new(sets: &'a PairedSets, pool: &Pool) -> Self {
        let own = (sets.against.is_some() || sets.only.is_some()).then(|| frames(pool, &sets.own.bodies, sets.rows()));
        Self { own, searched: sets.searched().frames(pool) }
    }

    fn both(&self) -> [&[Frame]; 2] {
        [self.own.as_deref().unwrap_or(&self.searched), &self.searched]
    }
}

/// The most bytes a pair takes on the host at any time: eight in a list that may have grown to twice its length, and eight in a bin.
pub(in crate::batch) const BYTES: u64 = 24;

/// How many pairs there is room for, of so many bytes each. Of some rows, how many there may be.
pub(in crate::batch) fn limit(sets: &PairedSets, pool: &Pool, bytes: u64) -> PairLimit {
    match &sets.only {
        None => PairLimit::of_memory(pool.memory, bytes),
        Some(only) => PairLimit::of_pairs(only.most()),
    }
}

/// The pairs of some rows.
pub(in crate::batch) fn some_rows(
    sets: &PairedSets,
    (join, sorted): (&Join<'_>, &Sorted),
    wanted: Wanted,
    clock: &mut Clock,
) -> Vec<CpuHits> {
    let (own, searched) = (&sets.own.bodies, &sets.searched().bodies);
    let within = sets.against.is_none();
    cpu::rows_of(join, (own, sets.rows()), (searched, sorted), within, wanted, clock)
}
