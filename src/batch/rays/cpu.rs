//! Rays through the tree, on all cores.

use super::result::{BodyHit, Found};
use super::{Mode, Rays};
use crate::batch::set::SharedSet;
use crate::clock::Clock;
use crate::cpu::{All, Any, Bounds, Caster, Nearest, Sorted};
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
        let parts = pool.map_chunks(rays.len(), RAYS, |range| part(set, sorted, rays, mode, range));
        clock.lap("rays");
        parts
    });
    out.hits.clear();
    out.offsets.clear();
    if mode == Mode::All {
        out.offsets.push(0);
    }
    let mut end = 0;
    for part in &parts {
        out.hits.extend_from_slice(&part.hits);
        for count in &part.counts {
            end += count;
            out.offsets.push(end);
        }
    }
    out.stats.candidates = parts.iter().map(|part| part.tested).sum();
    out.stats.undecided = parts.iter().map(|part| part.undecided).sum();
    out.stats.uploaded = 0;
    clock.lap("gather");
    out.stats.stages = clock.laps();
}

fn part(set: &SharedSet, sorted: &Sorted, rays: &Rays<'_>, mode: Mode, range: std::ops::Range<usize>) -> Part {
    let mut caster = Caster::new(&set.bodies, sorted);
    let (mut counts, mut hits) = (Vec::new(), Vec::with_capacity(range.len()));
    for ray in range {
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
