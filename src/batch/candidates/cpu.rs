//! The broad phase on all cores.

use super::{Candidates, CandidatesQuery};
use crate::Result;
use crate::batch::canonical::write_rows;
use crate::clock::Clock;
use crate::cpu;
use crate::parallel::Pool;

pub(super) fn candidates(query: &CandidatesQuery, pool: &Pool, out: &mut Candidates) -> Result<()> {
    let mut clock = Clock::start();
    out.rows.begin(&query.sets);
    let parts = {
        query.sets.searched().with_sorted(pool, &mut clock, |sorted, clock| match &query.sets.against {
            None => cpu::candidates(pool, (&query.sets.own.bodies, sorted), clock),
            Some(other) => cpu::candidates_between(pool, &query.sets.own.bodies, (&other.bodies, sorted), clock),
        })
    };
    write_rows(pool, query.sets.own.bodies.id_bound(), parts, &mut out.rows, &mut clock)?;
    out.rows.stats.stages = clock.laps();
    Ok(())
}
