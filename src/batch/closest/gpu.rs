//! The search on a device: how far the nearest bodies of each point are at most, then all bodies within that distance, by the search for
//! near pairs. Their order is settled here: of most points there are no more than are wanted.

use super::{Closest, ClosestQuery, position};
use crate::Result;
use crate::batch::some_rows::{CLEARANCE_BYTES, SomeRows};
use crate::exact::Away;
use crate::gpu::{Context, Details, DeviceRows, Floats, Narrow};
use crate::near::Clearance;
use crate::parallel::Pool;
use crate::relation::{MARK_TOUCHING, MARK_UNDECIDED};

/// Points per task.
const POINTS: usize = 1024;

pub(super) async fn closest(query: &ClosestQuery, mut context: Context<'_>, out: &mut Closest) -> Result<()> {
    out.clear();
    if query.count == 0 {
        (0..query.sets.rows().end).for_each(|point| out.push(point, []));
        return Ok(());
    }
    context.gpu.check_bits(context.pool, Floats::Clearances).await?;
    let (searched, rows) = (query.sets.searched(), SomeRows::new(&query.sets));
    let narrow = Narrow::Closest { count: query.count, within: query.within };
    let plan = rows.search(narrow, context.pool.memory, CLEARANCE_BYTES).with_details(Details::Clearances);
    let pool = context.pool;
    let unpack = |found: DeviceRows| {
        (out.stats.candidates, out.stats.undecided) = (found.candidates, found.undecided);
        settle(query, pool, &rows.belonging(found), out);
    };
    context.answer(plan, searched.reserved(), unpack).await?;
    out.stats.uploaded = context.uploaded;
    out.stats.stages = context.laps("settle");
    Ok(())
}

/// Puts the bodies that a device has found in order.
pub(crate) fn settle(query: &ClosestQuery, pool: &Pool, found: &DeviceRows, out: &mut Closest) {
    let (points, bodies, rows) = (&query.sets.own.bodies, &query.sets.searched().bodies, query.sets.rows());
    let (offsets, partners, known) = (found.offsets(), found.partners(), found.details::<Clearance>());
    let id = |place: usize| partners[place] & !(MARK_TOUCHING | MARK_UNDECIDED);
    let parts = pool.map_chunks(rows.len(), POINTS, |range| {
        let (mut counts, mut each) = (Vec::with_capacity(range.len()), Vec::with_capacity(range.len()));
        let (mut near, mut on_host) = (Vec::new(), 0);
        for row in range {
            let (point, places) = (rows.start + row, offsets[row] as usize..offsets[row + 1] as usize);
            near.clear();
            near.extend(
                places
                    .clone()
                    .map(|place| (Away::of(position(points, point), &bodies.get(id(place) as usize)), id(place))),
            );
            query.rank(point, &mut near);
            counts.push(near.len());
            for (_, body) in &near {
                let place = places.start + places.clone().take_while(|place| id(*place) != *body).count();
                let clearance = known[place];
                on_host += u64::from(clearance.is_open());
                let clearance = if clearance.is_open() { query.clearance(point, *body) } else { clearance };
                each.push(clearance.with_b(*body));
            }
        }
        (counts, each, on_host)
    });
    let mut point = rows.start;
    for (counts, each, on_host) in &parts {
        let mut rest: &[Clearance] = each;
        for count in counts {
            let (own, others) = rest.split_at(*count);
            out.push(point, own.iter().copied());
            (rest, point) = (others, point + 1);
        }
        out.on_host += on_host;
    }
}
