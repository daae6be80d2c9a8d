//! The broad phase on all cores.

use super::{Candidates, CandidatesQuery};
use crate::Result;
use crate::batch::canonical::write_rows;
use crate::batch::overlaps::cpu::{BYTES, limit, some_rows};
use crate::clock::Clock;
use crate::cpu::{self, Bounds, Join, Wanted};
use crate::parallel::Pool;

pub(super) fn candidates(query: &CandidatesQuery, pool: &Pool, out: &mut Candidates) -> Result<()> {
    let mut clock = Clock::start();
    out.rows.begin(&query.sets);
    let sets = &query.sets;
    let limit = limit(sets, pool, BYTES);
    let join = Join { pool, overlapping_only: false, near: None, limit: &limit };
    let parts = sets.searched().with_sorted((pool, Bounds::Shapes), &mut clock, |sorted, clock| {
        match (&sets.only, &sets.against) {
            (Some(_), _) => some_rows(sets, (&join, sorted), Wanted::Candidates, clock),
            (None, None) => cpu::candidates(&join, (&sets.own.bodies, sorted), clock),
            (None, Some(other)) => cpu::candidates_between(&join, &sets.own.bodies, (&other.bodies, sorted), clock),
        }
    });
    limit.check()?;
    write_rows(pool, query.sets.rows(), parts, &mut out.rows, &mut clock)?;
    out.rows.stats.stages = clock.laps();
    Ok(())
}
