//! The search for pairs and their contacts on a device; pairs that its filters leave open, and those outside the domain of deterministic
//! arithmetic, are settled here.

use super::{Contacts, ContactsQuery};
use crate::batch::some_rows::{CONTACT_BYTES, SomeRows};
use crate::gpu::{Context, DeviceRows, Floats, Narrow};
use crate::manifold::Manifold;
use crate::parallel::{CHUNK, Pool};
use crate::query::intersect;
use crate::relation::{MARK_TOUCHING, MARK_UNDECIDED};
use crate::{Relation, Result};

pub(super) async fn contacts(query: &ContactsQuery, mut context: Context<'_>, out: &mut Contacts) -> Result<()> {
    context.gpu.check_bits(context.pool, Floats::Contacts).await?;
    let (searched, rows) = (query.sets.searched(), SomeRows::new(&query.sets));
    let plan = rows.search(Narrow::Filter, context.pool.memory, CONTACT_BYTES).with_contacts(query.most);
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

/// Copies what is known, and computes what was left open; pairs that are not wanted are left out.
pub(crate) fn settle(query: &ContactsQuery, pool: &Pool, found: &DeviceRows, out: &mut Contacts) -> Result<()> {
    let (offsets, partners, manifolds) = (found.offsets(), found.partners(), found.manifolds());
    // Rows are counted from the first that is asked for.
    let first_row = query.sets.rows().start as u32;
    out.pairs.make_room(partners.len(), offsets.len())?;
    out.manifolds.resize(partners.len(), Manifold::default());
    let pieces: Vec<_> =
        out.pairs.partners.chunks_mut(CHUNK).zip(out.manifolds.chunks_mut(CHUNK)).enumerate().collect();
    // How many of each chunk remain, how many of these the host computed, and which pairs are left out.
    let kept: Vec<(usize, u64, Vec<u32>)> = pool.map_each(pieces, |(number, (ids, contacts))| {
        let first = number * CHUNK;
        let (mut at, mut on_host, mut gaps) = (0, 0, Vec::new());
        for k in 0..ids.len() {
            let partner = partners[first + k];
            let manifold = manifolds[first + k].with_a(manifolds[first + k].a() + first_row);
            let b = partner & !(MARK_TOUCHING | MARK_UNDECIDED);
            let relation = if partner & MARK_UNDECIDED != 0 {
                let (own, other) = (&query.sets.own.bodies, &query.sets.searched().bodies);
                intersect(&own.get(manifold.a() as usize), &other.get(b as usize))
            } else if partner & MARK_TOUCHING != 0 {
                Relation::Touching
            } else {
                Relation::Overlapping
            };
            if !query.wants(relation) {
                gaps.push((first + k) as u32);
                continue;
            }
            ids[at] = if relation == Relation::Touching { b | MARK_TOUCHING } else { b };
            contacts[at] = if manifold.is_open() {
                on_host += 1;
                query.contact(manifold.a(), b, relation)
            } else {
                manifold
            };
            at += 1;
        }
        (at, on_host, gaps)
    });
    let mut end = 0;
    for (number, (length, ..)) in kept.iter().enumerate() {
        let first = number * CHUNK;
        if first != end {
            out.pairs.partners.copy_within(first..first + length, end);
            out.manifolds.copy_within(first..first + length, end);
        }
        end += length;
    }
    out.pairs.partners.truncate(end);
    out.manifolds.truncate(end);
    out.on_host = kept.iter().map(|(_, on_host, _)| on_host).sum();
    let gaps: Vec<u32> = kept.into_iter().flat_map(|(.., gaps)| gaps).collect();
    crate::batch::settle::close_gaps(pool, offsets, &gaps, &mut out.pairs.offsets);
    Ok(())
}
