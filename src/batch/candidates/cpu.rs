//! The broad phase on all cores.

use super::{Candidates, CandidatesQuery};
use crate::batch::canonical::write_rows;
use crate::clock::Clock;
use crate::cpu;
use crate::parallel::Pool;

pub(super) fn candidates(query: &CandidatesQuery, pool: &Pool, out: &mut Candidates) {
    let mut clock = Clock::start();
    let parts = {
        let searched = query.against.as_ref().unwrap_or(&query.set);
        searched.with_sorted(pool, &mut clock, |sorted, clock| match &query.against {
            None => cpu::candidates(pool, (&query.set.bodies, sorted), clock),
            Some(other) => cpu::candidates_between(pool, &query.set.bodies, (&other.bodies, sorted), clock),
        })
    };
    write_rows(pool, query.set.bodies.len(), parts, &mut out.rows, &mut clock);
    out.rows.stats.stages = clock.laps();
}
