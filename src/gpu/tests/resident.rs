//! Recorded queries: every dispatch beside its twin, and frames that make nothing new.

use std::sync::atomic::Ordering;

use super::super::Details;
use super::super::abi::{BINS, RAYS_ALL, RAYS_ANY, RAYS_NEAREST, STATUS_HITS, STATUS_UNDECIDED};
use super::super::ledger::check_answers;
use super::super::narrow::Narrow;
use super::super::resident::{Ask, BodySource, End, ListAsked, RaysAsked, RecordOptions, Resident, What};
use super::super::runner::Fault;
use super::super::{Gpu, lock};
use super::changes::cpu;
use super::ledger::recorded_stages;
use super::planes;
use crate::batch::{CullQuery, RelationsQuery};
use crate::cast::Shot;
use crate::parallel::Pool;
use crate::scenes::{RandomRay, SEED, Scene, random, random_rays};
use crate::shape::Capsule;
use crate::{Bodies, Error, Result, Traits};

/// Records and submits a query about a set, and says how it has ended.
fn ended(
    gpu: &Gpu,
    pool: &Pool,
    resident: &mut Resident,
    (bodies, source): (&Bodies, &[BodySource]),
    what: What<'_>,
) -> Result<End> {
    let options = RecordOptions::new().sources(source);
    let ask = Ask { searching: None, searched: bodies, what, options: &options };
    let mut encoder = gpu.device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    pollster::block_on(resident.record(gpu, pool, &ask, &mut encoder))?;
    gpu.device.queue.submit([encoder.finish()]);
    gpu.device.device.poll(wgpu::PollType::wait_indefinitely()).expect("it ends");
    Ok(resident.take_back().pop().expect("a status"))
}

/// Records and submits contacts of a set whose positions a buffer has. Returns the number of pairs, if there was room.
fn frame(
    gpu: &Gpu,
    pool: &Pool,
    resident: &mut Resident,
    bodies: &Bodies,
    source: &[BodySource],
) -> Result<Option<u32>> {
    let what = What::Pairs { narrow: Narrow::Filter, details: Some(Details::Contacts { most: 4 }) };
    let end = ended(gpu, pool, resident, (bodies, source), what)?;
    end.ledger?;
    Ok(end.complete.then(|| end.status[STATUS_HITS..STATUS_HITS + BINS].iter().sum()))
}

/// Records and submits queries whose results are lists, each until there is room. Returns how many results of each are undecided.
fn lists(gpu: &Gpu, pool: &Pool, resident: &mut Resident, bodies: &Bodies, source: &[BodySource]) -> Result<[u32; 5]> {
    let ids: Vec<u32> = (0..bodies.id_bound() as u32).filter(|id| bodies.contains(*id)).collect();
    let pairs: Vec<[u32; 2]> = (0..ids.len()).map(|k| [ids[k], ids[(7 * k + 1) % ids.len()]]).collect();
    let (shots, planes) = (random_rays(bodies, 150, 5), planes());
    let shots = &shots;
    let rays = |mode: u32, traits: Option<Traits>| {
        let shot = move |ray: usize| {
            let RandomRay { ray, until, traits: own } = shots[ray];
            (Shot::new(&ray, until), traits.unwrap_or(own))
        };
        What::Rays(RaysAsked { count: shots.len() as u32, shot: Box::new(shot), traits, mode })
    };
    let (sides, relations) = (CullQuery::new(bodies.into(), &planes), RelationsQuery::new(bodies.into(), &pairs));
    let mut undecided = [0; 5];
    for (number, undecided) in undecided.iter_mut().enumerate() {
        let what = || match number {
            0 => What::List(ListAsked(&sides)),
            1 => What::List(ListAsked(&relations)),
            2 => rays(RAYS_NEAREST, None),
            3 => rays(RAYS_ANY, Some(Traits::new())),
            _ => rays(RAYS_ALL, None),
        };
        let mut complete = false;
        for _ in 0..20 {
            let end = ended(gpu, pool, resident, (bodies, source), what())?;
            end.ledger?;
            if number == 1 {
                check_answers(&end.status, pairs.len() as u32)?;
            }
            complete = end.complete;
            if complete {
                *undecided = end.status[STATUS_UNDECIDED];
                break;
            }
        }
        assert!(complete, "there is never enough room");
    }
    Ok(undecided)
}

/// A buffer with the positions of all bodies, as shaders might have written them.
fn positions(gpu: &Gpu, bodies: &Bodies) -> BodySource {
    let numbers: Vec<[f32; 6]> = (0..bodies.id_bound())
        .map(|id| {
            let record = bodies.records()[id];
            std::array::from_fn(|k| record[k])
        })
        .collect();
    let buffer = gpu.device.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 24 * numbers.len() as u64,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    gpu.device.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(numbers.as_flattened()));
    BodySource::new(&buffer, 0..bodies.id_bound() as u32, 24).position_at(0).extents_at(12)
}

/// Recorded searches of bodies that shaders have written, with every dispatch beside its twin.
pub(super) fn beside_twins(gpu: &Gpu, pool: &Pool) {
    let cpu = cpu();
    let mut resident = Resident::new();
    resident.workspace.runner.checked = true;
    resident.workspace.runner.per_dimension = 3;
    // Capsules whose ends are not all positive, as extents are.
    let limb = |k: u16| {
        let x = f32::from(k) / 3.0 - 20.0;
        Capsule::new([x, -x, 0.5], [x - 1.0, -1.0 - x, -0.5], 0.25).expect("a capsule")
    };
    let mut limbs = Bodies::new();
    limbs.extend((0..150).map(limb)).expect("room");
    let (random, stacks) = (random(41, 900).expect("a scene"), Scene::Stacks.build(1100, SEED).expect("a scene"));
    for bodies in [random, stacks, limbs] {
        let sources = [positions(gpu, &bodies)];
        let expected = cpu.overlaps(&bodies).run().expect("pairs").len() as u32;
        let found = (0..20).find_map(|_| frame(gpu, pool, &mut resident, &bodies, &sources).expect("a frame"));
        // (Some may still be undecided.)
        assert!(found.is_some_and(|found| found >= expected), "{found:?}, {expected}");
    }
}

/// Recorded lists with every dispatch beside its twin; rays stop after few steps and go on.
pub(super) fn lists_beside_twins(gpu: &Gpu, pool: &Pool) {
    let mut resident = Resident::new();
    resident.workspace.runner.checked = true;
    resident.workspace.memory.ray_steps = 9;
    // Rows of workgroups, of which the last has some too many.
    resident.workspace.runner.per_dimension = 3;
    for bodies in [random(43, 500).expect("a scene"), Scene::Mixed.build(600, SEED).expect("a scene")] {
        let written = [positions(gpu, &bodies)];
        for source in [&[][..], &written] {
            let undecided = lists(gpu, pool, &mut resident, &bodies, source).expect("answers");
            assert!(undecided.iter().sum::<u32>() > 0, "rays outside the domain are");
        }
    }
    // Hulls: what is left to the host are rays through corners, and pairs that touch.
    let hulls = Scene::Hulls.build(400, SEED).expect("a scene");
    let undecided = lists(gpu, pool, &mut resident, &hulls, &[]).expect("answers");
    println!("    recorded lists of hulls: {undecided:?} undecided");
    let [sides, pairs, rays @ ..] = undecided;
    assert!(sides == 0 && pairs < 10, "{sides} sides and {pairs} pairs of 400 are undecided");
    assert!(rays.iter().all(|open| *open < 50), "{rays:?} of 150 rays are undecided");
    // (Rays came last, so that their capacity is there.)
    assert!(resident.workspace.memory.capacity.ray_rounds > 0, "rays went on");
}

/// Each stage that runs in recorded queries only gets half of its workgroups: the ledger notices.
pub(super) fn recorded_stages_cut_short(gpu: &Gpu, pool: &Pool) {
    let bodies = Scene::Mixed.build(900, SEED).expect("a scene");
    let written = [positions(gpu, &bodies)];
    for stage in recorded_stages() {
        let mut resident = Resident::new();
        resident.workspace.runner.fault = Some(Fault { stage: stage.name, left: usize::MAX, happened: 0 });
        let result = frame(gpu, pool, &mut resident, &bodies, &written)
            .and_then(|_| frame(gpu, pool, &mut resident, &bodies, &written))
            .and_then(|_| lists(gpu, pool, &mut resident, &bodies, &written));
        match result {
            Err(Error::Incomplete { stage: named, .. }) => assert_eq!(named, stage.name, "noticed as another"),
            other => panic!("{}: nobody noticed: {other:?}", stage.name),
        }
    }
}

/// After a few frames, a frame makes no buffer, no bind group and no pipeline.
pub(super) fn frames_make_nothing_new(gpu: &Gpu, pool: &Pool) {
    let bodies = Scene::Uniform.build(3000, SEED).expect("a scene");
    let (mut resident, sources) = (Resident::new(), [positions(gpu, &bodies)]);
    let least = cpu().overlaps(&bodies).run().expect("pairs").len() as u32;
    while frame(gpu, pool, &mut resident, &bodies, &sources).expect("a frame").is_none() {}
    for _ in 0..3 {
        frame(gpu, pool, &mut resident, &bodies, &sources).expect("a frame");
    }
    let made = || (gpu.device.made.load(Ordering::Relaxed), gpu.device.kernels_built());
    let before = made();
    let expected = frame(gpu, pool, &mut resident, &bodies, &sources).expect("a frame");
    // (Some may still be undecided.)
    assert!(expected.is_some_and(|pairs| (least..least + 10).contains(&pairs)), "{expected:?}, {least}");
    for _ in 0..if crate::is_long_test() { 100 } else { 20 } {
        assert_eq!(frame(gpu, pool, &mut resident, &bodies, &sources).expect("a frame"), expected);
    }
    assert_eq!(made(), before, "made in later frames");
    assert!(lock(&gpu.residents).is_empty());
}
