//! The search for pairs whose boxes meet, and their courses on a device; those outside the domain of deterministic arithmetic are settled here.

use super::{SweepHits, SweepQuery, Swept, frame_of};
use crate::batch::query::Query;
use crate::batch::set::PairedSets;
use crate::batch::settle::{Found, Settling, settle_details};
use crate::batch::some_rows::{SWEEP_BYTES, SomeRows};
use crate::gpu::{Context, Details, DeviceRows, Floats, Gpu, Measured, Measures, Moving, Narrow, Until};
use crate::near::SweepHit;
use crate::parallel::Pool;
use crate::query::intersect;
use crate::{Bodies, Relation, Result};

pub(super) async fn sweep(query: &SweepQuery<'_>, mut context: Context<'_>, out: &mut SweepHits) -> Result<()> {
    context.gpu.check_bits(context.pool, Floats::Sweeps, query.sets.have_hulls()).await?;
    let pool = context.pool;
    let swept = query.swept(Some(pool));
    let boxes = query.boxes(swept);
    let (searched, rows) = (boxes.searched(), SomeRows::new(&boxes));
    let part = query.sets.only.as_ref().map(|only| query.sets.own.bodies.part(only.rows.clone()));
    let moving = moving(query, swept, part.as_ref());
    let plan = rows.search(Narrow::Moving, pool.memory, SWEEP_BYTES).with_details(Details::Sweeps).with_moving(moving);
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

/// The bodies that move, and how; of some rows these as a set of their own.
fn moving<'a>(query: &'a SweepQuery<'_>, swept: &'a Swept, part: Option<&'a Bodies>) -> Moving<'a> {
    let searching = part.or_else(|| query.sets.searching());
    Moving {
        bodies: [Some(&query.sets.searched().bodies), searching],
        courses: [swept.of_searched(), &swept.courses[0][query.sets.rows()]],
    }
}

/// Copies what is known, and computes what was left open; bodies that do not meet are left out.
fn settle(query: &SweepQuery<'_>, pool: &Pool, found: &DeviceRows, out: &mut SweepHits) -> Result<()> {
    let first_row = query.sets.rows().start as u32;
    let swept = query.swept(Some(pool));
    let (own, other) = (&query.sets.own.bodies, &query.sets.searched().bodies);
    let (own_boxes, boxes) = (&swept.boxes.own.bodies, &swept.boxes.searched().bodies);
    // (How their boxes meet is not asked.)
    let relation = |a: u32, b: u32| {
        let met = intersect(&own_boxes.get((first_row + a) as usize), &boxes.get(b as usize)).is_hit();
        if met { Relation::Overlapping } else { Relation::Separate }
    };
    let finish = |found: &Found, hit: SweepHit| {
        // (None is pending, unless a driver has ended a loop too soon.)
        if !hit.is_open() && !hit.is_pending() {
            return Some((hit, false)).filter(|_| !hit.is_miss());
        }
        let (a, b) = (first_row + found.a, found.b);
        let hit = query.hit(swept, (a, &frame_of(own, a as usize)), (b, &frame_of(other, b as usize)));
        Some((hit, true)).filter(|_| !hit.is_miss())
    };
    let (pairs, hits) = (&mut out.pairs, &mut out.each);
    let settling = Settling { relation: &relation, wants: &|_| true, finish: &finish, leaves_out: true };
    out.on_host = settle_details(pool, found, &settling, pairs, hits)?;
    out.forget_how_boxes_meet();
    Ok(())
}

impl SweepQuery<'_> {
    /// The boxes in which bodies stay, and the bodies: of all rows.
    pub(in crate::batch) fn recorded_sets(&self) -> (&PairedSets, Moving<'_>) {
        let swept = self.swept(None);
        (&swept.boxes, moving(self, swept, None))
    }

    /// Times the search, with all bodies on the device.
    pub(crate) fn measure(&self, gpu: &Gpu, pool: &Pool, runs: usize) -> Result<Measured> {
        self.check()?;
        let swept = self.swept(Some(pool));
        let boxes = &swept.boxes.searched().bodies;
        gpu.measure(
            pool,
            &Measures { bodies: boxes, until: Until::Sweeps, moving: Some(moving(self, swept, None)) },
            runs,
        )
    }
}

/// The answer of a test that runs the search itself.
#[cfg(test)]
pub(crate) fn answered(
    query: &SweepQuery<'_>,
    pool: &Pool,
    answer: impl FnOnce(crate::gpu::PairSearch<'_>) -> Result<DeviceRows>,
) -> Result<SweepHits> {
    let swept = query.swept(Some(pool));
    let boxes = query.boxes(swept);
    let rows = SomeRows::new(&boxes);
    let plan = rows.search(Narrow::Moving, None, SWEEP_BYTES).with_details(Details::Sweeps);
    let (found, mut out) = (answer(plan.with_moving(moving(query, swept, None)))?, SweepHits::new());
    settle(query, pool, &found, &mut out)?;
    Ok(out)
}
