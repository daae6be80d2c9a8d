//! Queries in a workspace that the test provides.

use super::super::attempt::{self, Plan};
use super::super::device_rows::DeviceRows;
use super::super::narrow::Narrow;
use super::super::workspace::Workspace;
use super::super::{Details, Gpu, PairSearch};
use crate::batch::plans::{
    Cull, ListedPairs, MarkedRows, settle, settle_clearances, settle_closest, settle_contacts, sweeps_answered,
};
use crate::batch::{ClearancesQuery, ClosestQuery, ContactsQuery, CullQuery, RelationsQuery, SweepQuery};
use crate::bodies::Reach;
use crate::hash::mix;
use crate::parallel::Pool;
use crate::query::Motion;
use crate::shape::Plane;
use crate::{BackendKind, Bodies, Clearances, Closest, Contacts, Engine, Overlaps, Points, Result, SweepHits};

/// The searching set, if it is another than the searched set, and the searched set.
pub(super) type Sets<'a> = (Option<&'a Bodies>, &'a Bodies);

fn answer<P: Plan>(gpu: &Gpu, workspace: &mut Workspace, pool: &Pool, mut plan: P) -> Result<P::Answer> {
    pollster::block_on(attempt::answer(&mut plan, workspace, &mut gpu.context(pool)))
}

pub(super) fn try_overlaps(gpu: &Gpu, workspace: &mut Workspace, pool: &Pool, sets: Sets<'_>) -> Result<Overlaps> {
    let found = answer(gpu, workspace, pool, PairSearch::new(sets, Narrow::Filter).with_lengths())?;
    let mut out = Overlaps::new();
    let bodies = (sets.0.unwrap_or(sets.1), sets.1);
    settle(pool, bodies, MarkedRows::of(&found), (Reach::Touching, |_| true), &mut out).expect("room");
    (out.stats.candidates, out.stats.undecided) = (found.candidates, found.undecided);
    Ok(out)
}

/// The pairs that are at most so far apart, as the host completes them.
pub(super) fn near(
    gpu: &Gpu,
    workspace: &mut Workspace,
    pool: &Pool,
    sets: Sets<'_>,
    distance: f32,
) -> Result<Overlaps> {
    let found = answer(
        gpu,
        workspace,
        pool,
        PairSearch::new(sets, Narrow::of(Reach::Within(distance), [sets.0.unwrap_or(sets.1), sets.1])),
    )?;
    let mut out = Overlaps::new();
    let bodies = (sets.0.unwrap_or(sets.1), sets.1);
    settle(pool, bodies, MarkedRows::of(&found), (Reach::Within(distance), |_| true), &mut out).expect("room");
    out.stats.undecided = found.undecided;
    Ok(out)
}

pub(super) fn overlaps(gpu: &Gpu, workspace: &mut Workspace, pool: &Pool, sets: Sets<'_>) -> Overlaps {
    let before = workspace.runner.dispatched;
    let out = try_overlaps(gpu, workspace, pool, sets).expect("an answer");
    let rows = sets.0.unwrap_or(sets.1).len();
    assert!(workspace.runner.dispatched > before || rows == 0 || sets.1.is_empty(), "nothing ran on the device");
    out
}

/// The contacts of all pairs, as the host completes them.
pub(super) fn contacts(
    gpu: &Gpu,
    workspace: &mut Workspace,
    pool: &Pool,
    (searching, searched): Sets<'_>,
    (most, within): (u32, Option<f32>),
) -> Result<Contacts> {
    let mut query = ContactsQuery::new(searching.unwrap_or(searched).into()).with_most(most);
    if searching.is_some() {
        query = query.between(searched.into());
    }
    if let Some(distance) = within {
        query = query.within(distance);
    }
    let plan = PairSearch::new((searching, searched), query.narrow()).with_details(query.details());
    let found = answer(gpu, workspace, pool, plan)?;
    let mut out = Contacts::new();
    settle_contacts(&query, pool, &found, &mut out)?;
    Ok(out)
}

/// The clearances of all pairs that are at most so far apart, as the host completes them.
pub(super) fn clearances(
    gpu: &Gpu,
    workspace: &mut Workspace,
    pool: &Pool,
    (searching, searched): Sets<'_>,
    distance: f32,
) -> Result<Clearances> {
    let narrow = Narrow::of(Reach::Within(distance), [searching.unwrap_or(searched), searched]);
    let plan = PairSearch::new((searching, searched), narrow).with_details(Details::Clearances);
    let found = answer(gpu, workspace, pool, plan)?;
    let mut query = ClearancesQuery::new(searching.unwrap_or(searched).into(), distance);
    if searching.is_some() {
        query = query.between(searched.into());
    }
    let mut out = Clearances::new();
    settle_clearances(&query, pool, &found, &mut out)?;
    Ok(out)
}

/// The clearances by brute force.
pub(super) fn clearances_by_brute_force((searching, searched): Sets<'_>, distance: f32) -> Clearances {
    let engine = Engine::builder().backend(BackendKind::BruteForce).build().expect("it needs nothing");
    let request = match searching {
        None => engine.clearances(searched, distance),
        Some(searching) => engine.clearances(searching, distance).against(searched),
    };
    request.run().expect("an answer")
}

pub(super) fn candidates(gpu: &Gpu, workspace: &mut Workspace, pool: &Pool, sets: Sets<'_>) -> Result<DeviceRows> {
    answer(gpu, workspace, pool, PairSearch::new(sets, Narrow::Accept))
}

pub(super) fn verdicts(
    gpu: &Gpu,
    workspace: &mut Workspace,
    pool: &Pool,
    bodies: &Bodies,
    pairs: &[[u32; 2]],
) -> Result<Vec<u32>> {
    answer(gpu, workspace, pool, ListedPairs::new(&RelationsQuery::new(bodies.into(), pairs)))
}

pub(super) fn sides(
    gpu: &Gpu,
    workspace: &mut Workspace,
    pool: &Pool,
    bodies: &Bodies,
    planes: &[Plane],
) -> Result<Vec<u32>> {
    answer(gpu, workspace, pool, Cull::new(&CullQuery::new(bodies.into(), planes)))
}

/// The centres of the bounds of bodies, with their traits.
pub(super) fn points_of(bodies: &Bodies) -> Points {
    let mut points = Points::new();
    for body in bodies {
        let center = body.shape.aabb().map_or(glam::Vec3::ONE, |bounds| bounds.min() / 2.0 + bounds.max() / 2.0);
        points.push_with(center, body.traits).expect("a point");
    }
    points
}

/// The bodies that may be among the nearest of points.
pub(super) fn closest_rows(
    gpu: &Gpu,
    workspace: &mut Workspace,
    pool: &Pool,
    (points, bodies): (&Points, &Bodies),
    (count, within): (u32, f32),
) -> Result<DeviceRows> {
    let plan = PairSearch::new((Some(points.bodies()), bodies), Narrow::Closest { count, within });
    answer(gpu, workspace, pool, plan.with_details(Details::Clearances))
}

/// The bodies that are nearest to points, as the host puts them in order; and by brute force.
pub(super) fn closest(
    gpu: &Gpu,
    workspace: &mut Workspace,
    pool: &Pool,
    (points, bodies): (&Points, &Bodies),
    (count, within): (u32, f32),
) -> Result<[Closest; 2]> {
    let found = closest_rows(gpu, workspace, pool, (points, bodies), (count, within))?;
    let query = ClosestQuery::new(bodies.into(), points).with_count(count).with_limit(within);
    let mut out = Closest::new();
    settle_closest(&query, pool, &found, &mut out);
    let engine = Engine::builder().backend(BackendKind::BruteForce).build().expect("it needs nothing");
    Ok([out, engine.closest(bodies, points).count(count).within(within).run().expect("an answer")])
}

/// When bodies meet that move in some way, and that by brute force.
pub(super) fn sweeps(
    gpu: &Gpu,
    workspace: &mut Workspace,
    pool: &Pool,
    (searching, searched): Sets<'_>,
    seed: u64,
) -> Result<[SweepHits; 2]> {
    let [own, theirs] = [searching.unwrap_or(searched), searched].map(|bodies| motions_of(bodies, seed));
    sweeps_of(gpu, workspace, pool, (searching, searched), [&own, &theirs])
}

/// When bodies meet that move so, and that by brute force.
pub(super) fn sweeps_of(
    gpu: &Gpu,
    workspace: &mut Workspace,
    pool: &Pool,
    (searching, searched): Sets<'_>,
    [own, theirs]: [&[Motion]; 2],
) -> Result<[SweepHits; 2]> {
    let mut query = SweepQuery::new(searching.unwrap_or(searched).into(), own);
    let engine = Engine::builder().backend(BackendKind::BruteForce).build().expect("it needs nothing");
    let mut request = engine.sweep(searching.unwrap_or(searched), own);
    if searching.is_some() {
        query = query.between(searched.into(), theirs);
        request = request.against(searched, theirs);
    }
    let found = sweeps_answered(&query, pool, |plan| answer(gpu, workspace, pool, plan))?;
    Ok([found, request.run().expect("an answer")])
}

/// Motions of all kinds, the same for the same set: by some of the size of bodies, or much more, and turns about themselves or other points.
fn motions_of(bodies: &Bodies, seed: u64) -> Vec<Motion> {
    let motion = |id: usize| {
        let random = |k: u64| (mix((seed << 32) + (id as u64) * 16 + k) >> 40) as f32 / (1 << 23) as f32 - 1.0;
        let vector = |k: u64| glam::Vec3::new(random(k), random(k + 1), random(k + 2));
        let size = bodies.get(id).aabb().half_extents().max_element().min(1e36);
        let way = vector(0) * size * [0.5, 3.0, 40.0, 0.0, 1e5][id % 5];
        match id % 7 {
            0..=3 => Motion::translation(way),
            4 => Motion::new(way, vector(3) * 3.0),
            5 => Motion::new(way, vector(3) * 40.0),
            _ => Motion::new(way, vector(3)).and_then(|motion| {
                motion.about(
                    bodies.get(id).aabb().center().clamp(-glam::Vec3::splat(1e36), glam::Vec3::splat(1e36))
                        + vector(6) * size,
                )
            }),
        }
        .expect("a motion")
    };
    (0..bodies.id_bound()).map(motion).collect()
}

/// The contacts by brute force.
pub(super) fn contacts_by_brute_force((searching, searched): Sets<'_>, (most, within): (u32, Option<f32>)) -> Contacts {
    let engine = Engine::builder().backend(BackendKind::BruteForce).build().expect("it needs nothing");
    let request = match searching {
        None => engine.contacts(searched),
        Some(searching) => engine.contacts(searching).against(searched),
    };
    let request = if most == 1 { request.deepest_point_only() } else { request };
    let request = if let Some(distance) = within { request.margin(distance) } else { request };
    request.run().expect("an answer")
}

/// The answer of another backend.
pub(super) fn by(backend: BackendKind, (searching, searched): Sets<'_>) -> Overlaps {
    let engine = Engine::builder().backend(backend).build().expect("it needs nothing");
    let request = match searching {
        None => engine.overlaps(searched),
        Some(searching) => engine.overlaps(searching).against(searched),
    };
    request.run().expect("an answer")
}

/// The pairs that are at most so far apart, by brute force.
pub(super) fn near_by_brute_force((searching, searched): Sets<'_>, distance: f32) -> Overlaps {
    let engine = Engine::builder().backend(BackendKind::BruteForce).build().expect("it needs nothing");
    let request = match searching {
        None => engine.overlaps(searched),
        Some(searching) => engine.overlaps(searching).against(searched),
    };
    request.margin(distance).run().expect("an answer")
}

pub(super) fn brute_force(sets: Sets<'_>) -> Overlaps {
    by(BackendKind::BruteForce, sets)
}
