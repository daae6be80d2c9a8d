//! The search for pairs and their distances on a device; whether pairs that its filters leave open are near enough, and the distances of those
//! outside the domain of deterministic arithmetic, are settled here.

use super::{Clearances, ClearancesQuery};
use crate::Result;
use crate::batch::settle::{Found, Settling, settle_details};
use crate::batch::some_rows::{CLEARANCE_BYTES, SomeRows};
use crate::gpu::{Context, Details, DeviceRows, Floats, Narrow};
use crate::near::Clearance;
use crate::parallel::Pool;

pub(super) async fn clearances(query: &ClearancesQuery, mut context: Context<'_>, out: &mut Clearances) -> Result<()> {
    context.gpu.check_bits(context.pool, Floats::Clearances, query.sets.have_hulls()).await?;
    let (searched, rows) = (query.sets.searched(), SomeRows::new(&query.sets));
    let plan = rows.search(query.narrow(), context.pool.memory, CLEARANCE_BYTES).with_details(Details::Clearances);
    let pool = context.pool;
    out.pairs.begin(&query.sets);
    let unpack = |found: DeviceRows| {
        (out.pairs.stats.candidates, out.pairs.stats.undecided) = (found.candidates, found.undecided);
        settle(query, pool, &rows.belonging(found), out)?;
        rows.place(&mut out.pairs)
    };
    context.answer(plan, searched.reserved(), unpack).await??;
    out.pairs.stats.uploaded = context.uploaded;
    out.pairs.stats.stages = context.laps("settle");
    Ok(())
}

impl ClearancesQuery {
    pub(in crate::batch) fn narrow(&self) -> Narrow {
        Narrow::of(self.reach(), self.sets.both())
    }
}

/// Copies what is known, and computes what was left open; pairs that are too far apart are left out.
pub(crate) fn settle(query: &ClearancesQuery, pool: &Pool, found: &DeviceRows, out: &mut Clearances) -> Result<()> {
    let first_row = query.sets.rows().start as u32;
    let (own, other) = (&query.sets.own.bodies, &query.sets.searched().bodies);
    let relation = |a: u32, b: u32| query.reach().relation((own, (first_row + a) as usize), (other, b as usize));
    let finish = |found: &Found, clearance: Clearance| {
        Some(if clearance.is_open() {
            (query.clearance(first_row + found.a, found.b), true)
        } else {
            (clearance, false)
        })
    };
    let (pairs, clearances) = (&mut out.pairs, &mut out.each);
    let settling = Settling { relation: &relation, wants: &|_| true, finish: &finish, leaves_out: false };
    out.on_host = settle_details(pool, found, &settling, pairs, clearances)?;
    Ok(())
}
