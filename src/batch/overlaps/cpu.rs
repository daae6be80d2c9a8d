//! The broad phase and the wide filters on all cores.

use super::OverlapsQuery;
use crate::Overlaps;
use crate::batch::canonical::write_rows;
use crate::clock::Clock;
use crate::cpu::{self, Join};
use crate::parallel::Pool;

pub(super) fn overlaps(query: &OverlapsQuery, pool: &Pool, out: &mut Overlaps) {
    let mut clock = Clock::start();
    let parts = {
        let searched = query.against.as_ref().unwrap_or(&query.set);
        let join = Join { pool, overlapping_only: query.overlapping_only };
        searched.with_sorted(pool, &mut clock, |sorted, clock| match &query.against {
            None => cpu::overlaps(&join, (&query.set.bodies, sorted), clock),
            Some(other) => cpu::overlaps_between(&join, &query.set.bodies, (&other.bodies, sorted), clock),
        })
    };
    write_rows(pool, query.set.bodies.len(), parts, out, &mut clock);
    out.stats.stages = clock.laps();
}
