//! The search for pairs on a device, without the narrow phase.

use super::{Candidates, CandidatesQuery};
use crate::Result;
use crate::batch::settle::{MarkedRows, settle};
use crate::gpu::{Context, DeviceRows, Narrow, PairSearch};

pub(super) async fn candidates(query: &CandidatesQuery, mut context: Context<'_>, out: &mut Candidates) -> Result<()> {
    let (own, searched) = (&query.sets.own, query.sets.searched());
    let plan = PairSearch::new((query.sets.searching(), &searched.bodies), Narrow::Accept);
    let (pool, bodies) = (context.pool, (&own.bodies, &searched.bodies));
    out.rows.begin(&query.sets);
    let unpack = |found: DeviceRows| {
        out.rows.stats.candidates = found.candidates;
        // Every candidate was taken for a hit: there is nothing to settle.
        settle(pool, bodies, MarkedRows::of(&found), |_| true, &mut out.rows)
    };
    context.answer(plan, searched.reserved(), unpack).await??;
    out.rows.stats.uploaded = context.uploaded;
    out.rows.stats.stages = context.laps("unpack");
    Ok(())
}
