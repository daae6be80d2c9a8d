//! The search for pairs on a device, without the narrow phase.

use super::{Candidates, CandidatesQuery};
use crate::Result;
use crate::batch::settle::settle;
use crate::gpu::{Context, DeviceRows, Narrow, PairSearch};

pub(super) async fn candidates(query: &CandidatesQuery, mut context: Context<'_>, out: &mut Candidates) -> Result<()> {
    let (own, searched) = (&query.sets.own, query.sets.searched());
    let plan = PairSearch::new((query.sets.searching(), &searched.bodies), Narrow::Accept);
    let (pool, bodies) = (context.pool, (&own.bodies, &searched.bodies));
    let unpack = |found: DeviceRows| {
        // Every candidate was taken for a hit: there is nothing to settle.
        settle(pool, bodies, (found.offsets(), found.partners()), |_| true, &mut out.rows);
        out.rows.stats.candidates = found.candidates;
    };
    context.answer(plan, searched.reserved(), unpack).await?;
    out.rows.stats.stages = context.laps("unpack");
    Ok(())
}
