//! The search for pairs on a device; what its filters leave open is settled here.

use super::OverlapsQuery;
use crate::batch::settle::{MarkedRows, settle};
use crate::batch::some_rows::{BYTES, SomeRows};
use crate::gpu::{Context, DeviceRows};
use crate::{Overlaps, Result};

pub(super) async fn overlaps(query: &OverlapsQuery, mut context: Context<'_>, out: &mut Overlaps) -> Result<()> {
    let (searched, rows) = (query.sets.searched(), SomeRows::new(&query.sets));
    let plan = rows.search(query.narrow(), context.pool.memory, BYTES);
    let (pool, bodies) = (context.pool, (rows.own(), &searched.bodies));
    out.begin(&query.sets);
    let unpack = |found: DeviceRows| {
        let wants = |relation| query.wants(relation);
        (out.stats.candidates, out.stats.undecided) = (found.candidates, found.undecided);
        settle(pool, bodies, MarkedRows::of(&rows.belonging(found)), (query.reach, wants), out)?;
        rows.place(out)
    };
    context.answer(plan, searched.reserved(), unpack).await??;
    out.stats.uploaded = context.uploaded;
    out.stats.stages = context.laps("settle");
    Ok(())
}
