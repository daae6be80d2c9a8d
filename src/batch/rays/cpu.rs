//! Rays through the tree, on all cores.

use std::sync::atomic::{AtomicU64, Ordering};

use super::result::{BodyHit, Found};
use super::{Mode, Rays};
use crate::batch::set::SharedSet;
use crate::clock::Clock;
use crate::cpu::{Bounds, CastMany, Cells, Goal, Hit, Nearest, Sorted, in_order};
use crate::parallel::{CHUNK, Pool};

/// Rays per task.
const RAYS: usize = 256;

/// So many rays before its turn comes a ray is asked for: they lie anywhere in memory.
const AHEAD: usize = 8;

/// What a task has found: the number of hits of each ray if there may be several, and the hits.
struct Part {
    counts: Vec<usize>,
    hits: Vec<BodyHit>,
    tested: u64,
    undecided: u64,
}

pub(super) fn cast(set: &SharedSet, rays: &Rays<'_>, mode: Mode, pool: &Pool, out: &mut Found) {
    let mut clock = Clock::start();
    let parts = set.with_sorted((pool, Bounds::Shapes), &mut clock, |sorted, clock| {
        // (So little that it tells rays from one place apart, and no others.)
        let way = sorted.typical_leaf() / 32.0;
        let order = in_order(pool, rays.len(), |ray| rays.on_the_way(ray, way));
        clock.lap("order");
        let cells = set.is_worth_cells(rays.len()).then(|| sorted.cells(pool, &set.bodies, clock));
        // Of each ray one hit at most: put where it belongs by the task that finds it. (Nobody else writes there.)
        let count = if mode == Mode::All { 0 } else { rays.len() };
        let places = pool.collect(count, |_| AtomicU64::new(0));
        let parts = pool.map_chunks(rays.len(), RAYS, |range| {
            let mut part = part(set, (sorted, cells), rays, mode, &order[range.clone()]);
            if mode != Mode::All {
                let hits = std::mem::take(&mut part.hits);
                for (ray, hit) in order[range].iter().zip(hits) {
                    places[*ray].store(bytemuck::cast(hit), Ordering::Relaxed);
                }
            }
            part
        });
        clock.lap("rays");
        (order, parts, places)
    });
    let (order, parts, places) = parts;
    out.hits.clear();
    out.offsets.clear();
    let hits = parts.iter().flat_map(|part| &part.hits);
    if mode == Mode::All {
        // The places of the hits of each ray, then these.
        out.offsets.resize(rays.len() + 1, 0);
        let counts = || order.iter().zip(parts.iter().flat_map(|part| &part.counts));
        counts().for_each(|(ray, count)| out.offsets[*ray + 1] = *count);
        (0..rays.len()).for_each(|ray| out.offsets[ray + 1] += out.offsets[ray]);
        out.hits.resize(out.offsets[rays.len()], BodyHit::NONE);
        let mut hits = hits;
        for (ray, count) in counts() {
            let first = out.offsets[*ray];
            out.hits[first..first + count].iter_mut().zip(&mut hits).for_each(|(place, hit)| *place = *hit);
        }
    } else {
        out.hits.resize(rays.len(), BodyHit::NONE);
        pool.for_chunks_mut(&mut out.hits, CHUNK, |first, hits| {
            for (hit, place) in hits.iter_mut().zip(&places[first..]) {
                *hit = bytemuck::cast(place.load(Ordering::Relaxed));
            }
        });
    }
    out.stats.candidates = parts.iter().map(|part| part.tested).sum();
    out.stats.undecided = parts.iter().map(|part| part.undecided).sum();
    out.stats.uploaded = 0;
    clock.lap("gather");
    out.stats.stages = clock.laps();
}

fn part(
    set: &SharedSet,
    (sorted, cells): (&Sorted, Option<&Cells>),
    rays: &Rays<'_>,
    mode: Mode,
    order: &[usize],
) -> Part {
    let goal = match mode {
        Mode::Nearest => Goal::Nearest(Nearest::default()),
        Mode::Any => Goal::Any(false),
        Mode::All => Goal::All(Vec::new()),
    };
    let ray = |k: usize| {
        if let Some(later) = order.get(k + AHEAD) {
            rays.prefetch(*later);
        }
        (rays.shot(order[k]), rays.traits(order[k]))
    };
    let mut found = CastMany { bodies: &set.bodies, sorted, cells, goal, count: order.len(), ray }.run();
    let hit = |hit: &Hit| BodyHit { body: hit.body, time: hit.time };
    let (mut counts, mut hits) = (Vec::new(), Vec::new());
    if mode == Mode::All {
        found.hits.sort_unstable_by(|a, b| {
            let times = a.scaled_time.partial_cmp(&b.scaled_time).expect("times are numbers");
            a.ray.cmp(&b.ray).then(times).then(a.body.cmp(&b.body))
        });
        counts.resize(order.len(), 0);
        found.hits.iter().for_each(|hit| counts[hit.ray] += 1);
        hits.extend(found.hits.iter().map(hit));
    } else {
        hits.resize(order.len(), BodyHit::NONE);
        found.hits.iter().for_each(|one| hits[one.ray] = hit(one));
    }
    Part { counts, hits, tested: found.tested, undecided: found.undecided }
}
