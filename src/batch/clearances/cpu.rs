//! The pairs as `overlaps` finds them, then the distance of each on all cores.

use super::{Clearances, ClearancesQuery};
use crate::Result;
use crate::batch::overlaps::cpu;
use crate::batch::set::frames;
use crate::clock::Clock;
use crate::near::{Clearance, clearance_or_scalar};
use crate::parallel::{CHUNK, Pool};

pub(super) fn clearances(query: &ClearancesQuery, pool: &Pool, out: &mut Clearances) -> Result<()> {
    let mut clock = Clock::start();
    let bytes = cpu::BYTES + size_of::<Clearance>() as u64;
    cpu::pairs(&query.sets, (false, query.reach(), bytes), pool, &mut out.pairs, &mut clock)?;
    let (own, searched, rows) = (&query.sets.own.bodies, query.sets.searched(), query.sets.rows());
    let others = searched.frames(pool);
    let of_part = query.sets.against.is_some().then(|| frames(pool, own, rows.clone()));
    let of_own = of_part.as_deref().unwrap_or_else(|| &others[rows.clone()]);
    clock.lap("frames");
    let (pairs, offsets) = (&out.pairs, out.pairs.offsets());
    out.each.resize(pairs.len(), Clearance::default());
    pool.for_chunks_mut(&mut out.each, CHUNK, |first, piece| {
        let mut a = pairs.row_of(first);
        for (place, found) in (first..).zip(piece) {
            while offsets[a + 1] as usize <= place {
                a += 1;
            }
            let (b, _) = pairs.partner(place);
            let (shape_a, shape_b) = (own.get(a), searched.bodies.get(b as usize));
            let bodies = ((&of_own[a - rows.start], &shape_a), (&others[b as usize], &shape_b));
            *found = clearance_or_scalar(bodies.0, bodies.1).with_b(b);
        }
    });
    clock.lap("clearances");
    out.on_host = out.len() as u64;
    out.pairs.stats.stages = clock.laps();
    Ok(())
}
