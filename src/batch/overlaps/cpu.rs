//! The broad phase and the wide filters on all cores.

use super::OverlapsQuery;
use crate::batch::canonical::write_rows;
use crate::clock::Clock;
use crate::cpu::{self, Join};
use crate::parallel::Pool;
use crate::{Overlaps, Result};

pub(super) fn overlaps(query: &OverlapsQuery, pool: &Pool, out: &mut Overlaps) -> Result<()> {
    let mut clock = Clock::start();
    out.begin(&query.sets);
    let parts = {
        let join = Join { pool, overlapping_only: query.overlapping_only };
        query.sets.searched().with_sorted(pool, &mut clock, |sorted, clock| match &query.sets.against {
            None => cpu::overlaps(&join, (&query.sets.own.bodies, sorted), clock),
            Some(other) => cpu::overlaps_between(&join, &query.sets.own.bodies, (&other.bodies, sorted), clock),
        })
    };
    write_rows(pool, query.sets.own.bodies.id_bound(), parts, out, &mut clock)?;
    out.stats.stages = clock.laps();
    Ok(())
}
