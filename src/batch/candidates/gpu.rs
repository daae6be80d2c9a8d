//! The search for pairs on a device, without the narrow phase.

use super::{Candidates, CandidatesQuery};
use crate::Result;
use crate::batch::settle::{MarkedRows, settle};
use crate::batch::some_rows::{BYTES, SomeRows};
use crate::bodies::Reach;
use crate::gpu::{Context, DeviceRows, Narrow};

pub(super) async fn candidates(query: &CandidatesQuery, mut context: Context<'_>, out: &mut Candidates) -> Result<()> {
    let (searched, rows) = (query.sets.searched(), SomeRows::new(&query.sets));
    let plan = rows.search(Narrow::Accept, context.pool.memory, BYTES);
    let (pool, bodies) = (context.pool, (rows.own(), &searched.bodies));
    out.rows.begin(&query.sets);
    let unpack = |found: DeviceRows| {
        out.rows.stats.candidates = found.candidates;
        // Every candidate was taken for a hit: there is nothing to settle.
        settle(pool, bodies, MarkedRows::of(&rows.belonging(found)), (Reach::Touching, |_| true), &mut out.rows)?;
        rows.place(&mut out.rows)
    };
    context.answer(plan, searched.reserved(), unpack).await??;
    out.rows.stats.uploaded = context.uploaded;
    out.rows.stats.stages = context.laps("unpack");
    Ok(())
}
