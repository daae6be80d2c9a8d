//! The pairs whose boxes meet, then the course of each on all cores.

use super::{SweepHits, SweepQuery};
use crate::Result;
use crate::batch::overlaps::cpu;
use crate::batch::set::frames;
use crate::bodies::Reach;
use crate::clock::Clock;
use crate::near::SweepHit;
use crate::parallel::{CHUNK, Pool};

pub(super) fn sweep(query: &SweepQuery<'_>, pool: &Pool, out: &mut SweepHits) -> Result<()> {
    let mut clock = Clock::start();
    let swept = query.swept(Some(pool));
    clock.lap("boxes");
    let bytes = cpu::BYTES + size_of::<SweepHit>() as u64;
    cpu::pairs(&query.boxes(swept), (false, Reach::Touching, bytes), pool, &mut out.pairs, &mut clock)?;
    let (own, searched, rows) = (&query.sets.own.bodies, query.sets.searched(), query.sets.rows());
    let others = searched.frames(pool);
    let of_part = query.sets.against.is_some().then(|| frames(pool, own, rows.clone()));
    let of_own = of_part.as_deref().unwrap_or_else(|| &others[rows.clone()]);
    clock.lap("frames");
    let (pairs, offsets) = (&out.pairs, out.pairs.offsets());
    out.each.clear();
    out.each.resize(pairs.len(), SweepHit::default());
    pool.for_chunks_mut(&mut out.each, CHUNK, |first, piece| {
        let mut a = pairs.row_of(first);
        for (place, found) in (first..).zip(piece) {
            while offsets[a + 1] as usize <= place {
                a += 1;
            }
            let (b, _) = pairs.partner(place);
            *found = query.hit(swept, (a as u32, &of_own[a - rows.start]), (b, &others[b as usize]));
        }
    });
    out.on_host = out.each.len() as u64;
    out.leave_out_misses();
    clock.lap("sweeps");
    out.pairs.stats.stages = clock.laps();
    Ok(())
}
