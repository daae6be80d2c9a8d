//! The search on a device: how far the nearest bodies of each point are at most, then all bodies within that distance, by the search for
//! near pairs. Their order is settled here: of most points there are no more than are wanted.

use super::result::Part;
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
        let part = Part { counts: vec![0; query.sets.rows().len()], ..Part::default() };
        out.fill(query.sets.rows().start, [part].iter());
        return Ok(());
    }
    let has_hulls = query.sets.searched().bodies.has_hulls();
    context.gpu.check_bits(context.pool, Floats::Clearances, has_hulls).await?;
    let (searched, rows) = (query.sets.searched(), SomeRows::new(&query.sets));
    let plan = rows.search(query.narrow(), context.pool.memory, CLEARANCE_BYTES).with_details(Details::Clearances);
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

impl ClosestQuery {
    /// What decides which bodies may be among the nearest.
    pub(in crate::batch) fn narrow(&self) -> Narrow {
        // There is room for the distances of as many bodies as there are, however many are asked for.
        let count = self.count.min(self.sets.searched().bodies.id_bound().max(1) as u32);
        // (0, not −0: the sign of a margin is a mark.)
        Narrow::Closest { count, within: self.within.abs() }
    }
}

/// Puts the bodies that a device has found in order.
pub(crate) fn settle(query: &ClosestQuery, pool: &Pool, found: &DeviceRows, out: &mut Closest) {
    let (points, bodies, rows) = (&query.sets.own.bodies, &query.sets.searched().bodies, query.sets.rows());
    let (offsets, partners, known) = (found.offsets(), found.partners(), found.details::<Clearance>());
    let id = |place: usize| partners[place] & !(MARK_TOUCHING | MARK_UNDECIDED);
    let parts = pool.map_chunks(rows.len(), POINTS, |range| {
        let mut part = Part { counts: Vec::with_capacity(range.len()), ..Part::default() };
        let (mut near, mut places) = (Vec::new(), Vec::new());
        for row in range {
            let (point, all) = (rows.start + row, offsets[row] as usize..offsets[row + 1] as usize);
            places.clear();
            if all.len() == 1 && query.within == f32::INFINITY {
                // There is nothing to compare it with.
                places.push(all.start);
            } else {
                let away =
                    |place: usize| (Away::of(position(points, point), &bodies.get(id(place) as usize)), id(place));
                near.clear();
                near.extend(all.clone().map(away));
                query.rank(point, &mut near);
                let place = |body: u32| all.start + all.clone().take_while(|place| id(*place) != body).count();
                places.extend(near.iter().map(|(_, body)| place(*body)));
            }
            part.counts.push(places.len());
            for place in &places {
                let (clearance, body) = (known[*place], id(*place));
                part.on_host += u64::from(clearance.is_open());
                part.each.push(if clearance.is_open() {
                    query.found(point, body)
                } else {
                    clearance.with_b(body).into()
                });
            }
        }
        part
    });
    out.fill(rows.start, parts.iter());
    out.on_host = parts.iter().map(|part| part.on_host).sum();
}
