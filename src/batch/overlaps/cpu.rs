//! The broad phase and the wide filters on all cores.

use super::OverlapsQuery;
use crate::batch::canonical::write_rows;
use crate::batch::set::PairedSets;
use crate::clock::Clock;
use crate::cpu::{self, Join};
use crate::parallel::Pool;
use crate::{Overlaps, Result};

pub(super) fn overlaps(query: &OverlapsQuery, pool: &Pool, out: &mut Overlaps) -> Result<()> {
    let mut clock = Clock::start();
    pairs(&query.sets, query.overlapping_only, pool, out, &mut clock)?;
    out.stats.stages = clock.laps();
    Ok(())
}

/// The pairs of these sets.
pub(in crate::batch) fn pairs(
    sets: &PairedSets,
    overlapping_only: bool,
    pool: &Pool,
    out: &mut Overlaps,
    clock: &mut Clock,
) -> Result<()> {
    out.begin(sets);
    let parts = {
        let join = Join { pool, overlapping_only };
        sets.searched().with_sorted(pool, clock, |sorted, clock| match &sets.against {
            None => cpu::overlaps(&join, (&sets.own.bodies, sorted), clock),
            Some(other) => cpu::overlaps_between(&join, &sets.own.bodies, (&other.bodies, sorted), clock),
        })
    };
    write_rows(pool, sets.own.bodies.id_bound(), parts, out, clock)
}
