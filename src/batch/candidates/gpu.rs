//! The search for pairs on a device, without the narrow phase.

use super::{Candidates, CandidatesQuery};
use crate::Result;
use crate::batch::settle::settle;
use crate::gpu::{Context, Narrow, PairSearch};

pub(super) async fn candidates(query: &CandidatesQuery, mut context: Context<'_>, out: &mut Candidates) -> Result<()> {
    let own = &query.set;
    let searched = query.against.as_ref().unwrap_or(own);
    let asking = query.against.as_ref().map(|_| &own.bodies);
    let plan = PairSearch::new((asking, &searched.bodies), Narrow::Accept);
    let found = context.answer(plan, searched.reserved()).await?;
    // Every candidate was taken for a hit: there is nothing to settle, only to unpack.
    settle(context.pool, (&own.bodies, &searched.bodies), (found.offsets(), found.partners()), |_| true, &mut out.rows);
    out.rows.stats.candidates = found.candidates;
    out.rows.stats.stages = context.laps("unpack");
    Ok(())
}
