//! Rays on a device; pairs of a ray and a body that its filters leave open, and rays outside its domain, are settled here.

use super::result::{BodyHit, Found};
use super::{Mode, Rays};
use crate::Result;
use crate::batch::set::SharedSet;
use crate::cast::{Shot, entry, meets};
use crate::gpu::abi::{HIT, RAYS_ALL, RAYS_ANY, RAYS_NEAREST, UNDECIDED};
use crate::gpu::{Context, Floats, PackedRay, RayPart, RaySearch, pack};
use crate::parallel::{CHUNK, Pool};

pub(super) async fn cast(
    set: &SharedSet,
    rays: &Rays<'_>,
    mode: Mode,
    mut context: Context<'_>,
    out: &mut Found,
) -> Result<()> {
    context.gpu.check_bits(context.pool, Floats::Rays, set.bodies.has_hulls()).await?;
    let pool = context.pool;
    let pack = |ray: usize| packed(rays, ray);
    let plan = RaySearch::new(&set.bodies, (rays.len(), &pack), rays.common_traits(), code(mode));
    let unpack = |parts: Vec<RayPart>| settle(set, rays, mode, pool, parts, out);
    context.answer(plan, set.reserved(), unpack).await?;
    out.stats.uploaded = context.uploaded;
    out.stats.stages = context.laps("settle");
    Ok(())
}

pub(crate) fn code(mode: Mode) -> u32 {
    match mode {
        Mode::Nearest => RAYS_NEAREST,
        Mode::Any => RAYS_ANY,
        Mode::All => RAYS_ALL,
    }
}

pub(crate) fn packed(rays: &Rays<'_>, ray: usize) -> PackedRay {
    pack(&rays.shot(ray), &rays.traits(ray))
}

/// A hit in units of the shot's direction, so that hits are ordered by time and body.
type Hit = (f32, u32);

/// What a ray meets of a body that the device has left open.
fn settled(set: &SharedSet, shot: &Shot, body: u32) -> Option<Hit> {
    let shape = set.bodies.get(body as usize);
    meets(shot, &shape).then(|| (entry(shot, &shape), body))
}

/// All hits of a ray that the device has not cast.
fn cast_here(set: &SharedSet, rays: &Rays<'_>, ray: usize, shot: &Shot) -> Vec<Hit> {
    let (bodies, traits) = (&set.bodies, rays.traits(ray));
    let may_meet =
        |body: &u32| bodies.enabled_flags()[*body as usize] && traits.may_meet(&bodies.all_traits()[*body as usize]);
    (0..bodies.id_bound() as u32).filter(may_meet).filter_map(|body| settled(set, shot, body)).collect()
}

/// Brings the parts together, settles what is open, and casts the rays that the device has not.
pub(crate) fn settle(
    set: &SharedSet,
    rays: &Rays<'_>,
    mode: Mode,
    pool: &Pool,
    mut parts: Vec<RayPart>,
    out: &mut Found,
) {
    (out.stats.candidates, out.stats.undecided) = (0, 0);
    out.hits.clear();
    out.offsets.clear();
    if mode == Mode::All {
        out.offsets.push(0);
    }
    let mut first = 0;
    for part in &mut parts {
        let count = if mode == Mode::All { part.hits.len() - part.extras as usize } else { part.best_times.len() };
        part.opens.sort_unstable();
        out.stats.candidates += count as u64 + part.extras;
        out.stats.undecided += part.opens.len() as u64;
        if mode == Mode::All {
            part.hits.sort_unstable_by_key(|hit| hit[0]);
            let rows = pool.map_chunks(count, CHUNK, |range| {
                range.map(|ray| all_hits(set, rays, part, (first, ray))).collect::<Vec<_>>()
            });
            for row in rows.iter().flatten() {
                out.hits.extend_from_slice(row);
                out.offsets.push(out.hits.len());
            }
        } else {
            out.hits.extend(pool.collect(count, |ray| nearest_hit(set, rays, mode, part, (first, ray))));
        }
        first += count;
    }
    // Without bodies nothing ran.
    if mode == Mode::All {
        out.offsets.resize(rays.len() + 1, out.hits.len());
    } else {
        out.hits.resize(rays.len(), BodyHit::NONE);
    }
}

/// The nearest hit of a ray, or whether it has one. `place` is the first ray of the part, and the number of the ray in it.
fn nearest_hit(
    set: &SharedSet,
    rays: &Rays<'_>,
    mode: Mode,
    part: &RayPart,
    (first, number): (usize, usize),
) -> BodyHit {
    let shot = rays.shot(first + number);
    let earlier = |a: Hit, b: Hit| if b < a { b } else { a };
    let mut best = match part.best_times[number] {
        0 => None,
        time => Some((f32::from_bits(!time), !part.best_bodies[number])),
    };
    if !shot.in_domain {
        best = cast_here(set, rays, first + number, &shot).into_iter().reduce(earlier);
    } else if mode != Mode::Any || best.is_none() {
        let start = part.opens.partition_point(|open| (open[0] as usize) < number);
        let own = part.opens[start..].iter().take_while(|open| open[0] as usize == number);
        best = own.filter_map(|open| settled(set, &shot, open[1])).chain(best).reduce(earlier);
    }
    match (best, mode) {
        (None, _) => BodyHit::NONE,
        (Some(_), Mode::Any) => BodyHit::SOME,
        (Some((time, body)), _) => BodyHit { body, time: shot.time(time) },
    }
}

/// All hits of a ray, sorted. `place` is the first ray of the part, and the number of the ray in it.
fn all_hits(set: &SharedSet, rays: &Rays<'_>, part: &RayPart, (first, number): (usize, usize)) -> Vec<BodyHit> {
    let shot = rays.shot(first + number);
    let start = part.hits.partition_point(|hit| (hit[0] as usize) < number);
    let own = part.hits[start..].iter().take_while(|hit| hit[0] as usize == number);
    let mut found: Vec<Hit> = if shot.in_domain {
        own.filter_map(|&[_, body, time, verdict]| match verdict {
            HIT => Some((f32::from_bits(time), body)),
            UNDECIDED => settled(set, &shot, body),
            _ => None,
        })
        .collect()
    } else {
        cast_here(set, rays, first + number, &shot)
    };
    found.sort_unstable_by(|a, b| a.partial_cmp(b).expect("times are numbers"));
    found.into_iter().map(|(time, body)| BodyHit { body, time: shot.time(time) }).collect()
}
