//! The pairs as `overlaps` finds them, then the contact of each on all cores.

use super::{Contacts, ContactsQuery};
use crate::batch::overlaps::cpu;
use crate::batch::set::frames;
use crate::clock::Clock;
use crate::manifold::{Manifold, Waiting};
use crate::near::approach;
use crate::parallel::{CHUNK, Pool};
use crate::{Relation, Result};

pub(super) fn contacts(query: &ContactsQuery, pool: &Pool, out: &mut Contacts) -> Result<()> {
    let mut clock = Clock::start();
    let bytes = cpu::BYTES + size_of::<Manifold>() as u64;
    cpu::pairs(&query.sets, (query.overlapping_only, query.reach, bytes), pool, &mut out.pairs, &mut clock)?;
    let (own, searched, rows) = (&query.sets.own.bodies, query.sets.searched(), query.sets.rows());
    let others = searched.frames(pool);
    let of_part = query.sets.against.is_some().then(|| frames(pool, own, rows.clone()));
    let of_own = of_part.as_deref().unwrap_or_else(|| &others[rows]);
    let (first_row, may_be_apart) = (query.sets.rows().start, query.may_be_apart());
    clock.lap("frames");
    let (pairs, offsets) = (&out.pairs, out.pairs.offsets());
    out.manifolds.resize(pairs.len(), Manifold::default());
    pool.for_chunks_mut(&mut out.manifolds, CHUNK, |first, piece| {
        let mut a = pairs.row_of(first);
        let mut waiting = Waiting::new(query.most);
        for place in 0..piece.len() {
            while offsets[a + 1] as usize <= first + place {
                a += 1;
            }
            let (b, relation) = pairs.partner(first + place);
            let known = query.known(a as u32, b, relation);
            let bodies = ((a as u32, &of_own[a - first_row]), (b, &others[b as usize]));
            if !waiting.put(bodies.0, bodies.1, known, place, piece) {
                piece[place] =
                    if may_be_apart { Manifold::open(a as u32, b) } else { query.contact(a as u32, b, relation) };
            }
        }
        waiting.finish(piece);
        if may_be_apart {
            for contact in piece.iter_mut() {
                let (a, b) = (contact.a(), contact.b());
                let (of_a, of_b) = (&of_own[a as usize - first_row], &others[b as usize]);
                let found = if contact.is_open() { None } else { approach(contact, of_a, of_b) };
                *contact = found.unwrap_or_else(|| query.contact(a, b, Relation::Overlapping));
            }
        }
    });
    clock.lap("contacts");
    out.on_host = out.len() as u64;
    out.pairs.stats.stages = clock.laps();
    Ok(())
}
