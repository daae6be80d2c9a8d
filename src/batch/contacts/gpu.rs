//! The search for pairs and their contacts on a device; pairs that its filters leave open, and those outside the domain of deterministic
//! arithmetic, are settled here.

use super::{Contacts, ContactsQuery};
use crate::Result;
use crate::batch::settle::{Found, Settling, settle_details};
use crate::batch::some_rows::{CONTACT_BYTES, SomeRows};
use crate::gpu::{Context, Details, DeviceRows, Narrow};
use crate::manifold::Manifold;
use crate::parallel::Pool;

pub(super) async fn contacts(query: &ContactsQuery, mut context: Context<'_>, out: &mut Contacts) -> Result<()> {
    let floats = query.details().floats();
    context.gpu.check_bits(context.pool, floats, query.sets.have_hulls()).await?;
    let (searched, rows) = (query.sets.searched(), SomeRows::new(&query.sets));
    let plan = rows.search(query.narrow(), context.pool.memory, CONTACT_BYTES).with_details(query.details());
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

impl ContactsQuery {
    pub(crate) fn narrow(&self) -> Narrow {
        Narrow::of(self.reach, self.sets.both())
    }

    pub(crate) fn details(&self) -> Details {
        let most = self.most;
        if self.may_be_apart() { Details::Approaches { most } } else { Details::Contacts { most } }
    }
}

/// Copies what is known, and computes what was left open; pairs that are not wanted are left out.
pub(crate) fn settle(query: &ContactsQuery, pool: &Pool, found: &DeviceRows, out: &mut Contacts) -> Result<()> {
    // Rows are counted from the first that is asked for.
    let first_row = query.sets.rows().start as u32;
    let (own, other) = (&query.sets.own.bodies, &query.sets.searched().bodies);
    let relation = |a: u32, b: u32| query.reach.relation((own, (first_row + a) as usize), (other, b as usize));
    let finish = |found: &Found, manifold: Manifold| {
        let a = first_row + found.a;
        Some(if manifold.is_open() {
            (query.contact(a, found.b, found.relation), true)
        } else {
            (manifold.with_a(a), false)
        })
    };
    let wants = |relation| query.wants(relation);
    let (pairs, manifolds) = (&mut out.pairs, &mut out.manifolds);
    let settling = Settling { relation: &relation, wants: &wants, finish: &finish, leaves_out: false };
    out.on_host = settle_details(pool, found, &settling, pairs, manifolds)?;
    Ok(())
}
