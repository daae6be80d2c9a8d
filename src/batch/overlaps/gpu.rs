//! The search for pairs on a device; what its filters leave open is settled here.

use super::OverlapsQuery;
use crate::batch::settle::{MarkedRows, settle};
use crate::gpu::{Context, DeviceRows, Narrow, PairSearch};
use crate::{Overlaps, Result};

pub(super) async fn overlaps(query: &OverlapsQuery, mut context: Context<'_>, out: &mut Overlaps) -> Result<()> {
    let (own, searched) = (&query.sets.own, query.sets.searched());
    let plan = PairSearch::new((query.sets.searching(), &searched.bodies), Narrow::Filter);
    let (pool, bodies) = (context.pool, (&own.bodies, &searched.bodies));
    out.begin(&query.sets);
    let unpack = |found: DeviceRows| {
        let wants = |relation| query.wants(relation);
        (out.stats.candidates, out.stats.undecided) = (found.candidates, found.undecided);
        settle(pool, bodies, MarkedRows::of(&found), wants, out)
    };
    context.answer(plan, searched.reserved(), unpack).await??;
    out.stats.uploaded = context.uploaded;
    out.stats.stages = context.laps("settle");
    Ok(())
}
