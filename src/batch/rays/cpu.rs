//! Rays through the tree, on all cores.

use super::result::{BodyHit, Found};
use super::{Mode, Rays};
use crate::batch::set::SharedSet;
use crate::clock::Clock;
use crate::cpu::{All, Any, Bounds, Caster, Nearest, Sorted, in_order};
use crate::parallel::Pool;

/// Rays per task.
const RAYS: usize = 256;

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
        let order = in_order(pool, rays.len(), |ray| rays.start(ray));
        clock.lap("order");
        let parts = pool.map_chunks(rays.len(), RAYS, |range| part(set, sorted, rays, mode, &order[range]));
        clock.lap("rays");
        (order, parts)
    });
    let (order, parts) = parts;
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
        order.iter().zip(hits).for_each(|(ray, hit)| out.hits[*ray] = *hit);
    }
    out.stats.candidates = parts.iter().map(|part| part.tested).sum();
    out.stats.undecided = parts.iter().map(|part| part.undecided).sum();
    out.stats.uploaded = 0;
    clock.lap("gather");
    out.stats.stages = clock.laps();
}

fn part(set: &SharedSet, sorted: &Sorted, rays: &Rays<'_>, mode: Mode, order: &[usize]) -> Part {
    let mut caster = Caster::new(&set.bodies, sorted);
    let (mut counts, mut hits) = (Vec::new(), Vec::with_capacity(order.len()));
    for &ray in order {
        let (shot, traits) = (rays.shot(ray), rays.traits(ray));
        let hit = |(time, body): (f32, u32)| BodyHit { body, time: shot.time(time) };
        match mode {
            Mode::Nearest => {
                let mut wanted = Nearest::default();
                caster.cast(&shot, &traits, &mut wanted);
                hits.push(wanted.found(&caster, &shot).map_or(BodyHit::NONE, hit));
            }
            Mode::Any => {
                let mut wanted = Any::default();
                caster.cast(&shot, &traits, &mut wanted);
                hits.push(if wanted.found { BodyHit::SOME } else { BodyHit::NONE });
            }
            Mode::All => {
                let mut wanted = All::default();
                caster.cast(&shot, &traits, &mut wanted);
                wanted.found.sort_unstable_by(|a, b| a.partial_cmp(b).expect("times are numbers"));
                counts.push(wanted.found.len());
                hits.extend(wanted.found.into_iter().map(hit));
            }
        }
    }
    Part { counts, hits, tested: caster.tested, undecided: caster.undecided }
}
