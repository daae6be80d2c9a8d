//! Queries in an encoder of the caller's: results on the device are those of the host, bodies that shaders write are checked, and a frame in
//! steady state makes nothing new.

mod lists;
mod sources;

use sources::numbers;
use tangency::glam::{Vec3, Vec3Swizzles};
use tangency::query::Motion;
use tangency::scenes::{SEED, Scene, random};
use tangency::shape::{Aabb, Sphere};
use tangency::{Bodies, BodySource, Clearance, Engine, Error, Points, RecordOptions, RecordedPairs, Result, wgpu};

use crate::host::{cpu, device, listed, shared_device};

#[test]
fn recorded_pairs_are_those_of_the_host() {
    let Some(device) = shared_device() else { return };
    let other = random(77, 300).unwrap();
    for scene in Scene::ALL {
        for bodies in [scene.build(3000, SEED).unwrap(), scene.build(300, SEED).unwrap()] {
            let mut recorded = device.settled(|encoder| device.engine.overlaps(&bodies).record(encoder));
            let expected = cpu().overlaps(&bodies).run().unwrap();
            assert!(device.pairs(&mut recorded) == listed(&expected), "{}", scene.name());
            drop(recorded);
            let mut between = device.settled(|encoder| device.engine.overlaps(&other).against(&bodies).record(encoder));
            let expected = cpu().overlaps(&other).against(&bodies).run().unwrap();
            assert!(device.pairs(&mut between) == listed(&expected), "{} between", scene.name());
        }
    }
}

/// With several margins in turn, and without one between them: each has bounds of its own.
#[test]
fn recorded_margins_are_those_of_the_host() {
    let Some(device) = shared_device() else { return };
    let other = random(77, 200).unwrap();
    for scene in [Scene::Stacks, Scene::Mixed, Scene::Granular, Scene::Capsules, Scene::Room, Scene::Hulls] {
        let bodies = scene.build(if scene == Scene::Hulls { 300 } else { 1000 }, SEED).unwrap();
        for margin in [0.25, 0.0, 0.03, 0.25] {
            let mut recorded = device.settled(|encoder| device.engine.overlaps(&bodies).margin(margin).record(encoder));
            let expected = cpu().overlaps(&bodies).margin(margin).run().unwrap();
            assert!(device.pairs(&mut recorded) == listed(&expected), "{} within {margin}", scene.name());
            drop(recorded);
            let request = || device.engine.overlaps(&other).against(&bodies).margin(margin);
            let mut between = device.settled(|encoder| request().record(encoder));
            let expected = cpu().overlaps(&other).against(&bodies).margin(margin).run().unwrap();
            assert!(device.pairs(&mut between) == listed(&expected), "{} between, within {margin}", scene.name());
        }
    }
}

#[test]
fn recorded_contacts_have_the_bits_of_the_host() {
    let Some(device) = shared_device() else { return };
    for scene in [Scene::Stacks, Scene::Mixed] {
        let mut bodies = scene.build(1500, SEED).unwrap();
        for id in (0..1500).step_by(3) {
            bodies.set_margin(id, 0.125).unwrap();
        }
        let asked = |engine: &Engine, margin: Option<f32>| {
            let request = engine.contacts(&bodies);
            if let Some(margin) = margin { request.margin(margin) } else { request }
        };
        for margin in [None, Some(0.0625)] {
            let what = format!("{}, {margin:?}", scene.name());
            let mut recorded = device.settled(|encoder| asked(&device.engine, margin).record(encoder));
            let expected = asked(&cpu(), margin).run().unwrap();
            let separate = recorded.settle().unwrap();
            assert!(device.pairs(&mut recorded) == listed(expected.pairs()), "{what}");
            // (Pairs that were found to be separate stay in their rows.)
            let words = size_of::<tangency::Manifold>() / 4 * (expected.len() + separate as usize);
            let found = device.words(recorded.contacts().unwrap(), words);
            let expected: Vec<&[u32]> =
                expected.manifolds().iter().map(|known| bytemuck::cast_slice(std::slice::from_ref(known))).collect();
            let missing = expected.iter().filter(|known| !found.chunks(28).any(|found| found == **known)).count();
            // Those of pairs that were undecided are the host's.
            assert!(missing <= 2, "{what}: {missing} contacts differ");
        }
    }
}

#[test]
fn recorded_clearances_have_the_bits_of_the_host() {
    let Some(device) = shared_device() else { return };
    for scene in [Scene::Stacks, Scene::Mixed, Scene::Capsules] {
        let bodies = scene.build(1500, SEED).unwrap();
        let mut recorded = device.settled(|encoder| device.engine.clearances(&bodies, 0.05).record(encoder));
        assert!(recorded.contacts().is_none());
        let expected = cpu().clearances(&bodies, 0.05).run().unwrap();
        let separate = recorded.settle().unwrap();
        assert!(device.pairs(&mut recorded) == listed(expected.pairs()), "{}", scene.name());
        // (Pairs that were found to be too far apart stay in their rows.)
        let words = size_of::<Clearance>() / 4 * (expected.len() + separate as usize);
        let found = device.words(recorded.clearances().unwrap(), words);
        let expected: Vec<u32> = bytemuck::cast_slice(expected.clearances()).to_vec();
        if separate == 0 {
            assert!(found == expected, "{}", scene.name());
        }
    }
}

/// A row has all bodies that may be among the nearest of a point: those that the host finds, with the same bits, and few others.
#[test]
fn recorded_points_have_the_nearest_bodies_of_the_host() {
    let Some(device) = shared_device() else { return };
    for (scene, count, within) in [
        (Scene::Uniform, 1, f32::INFINITY),
        (Scene::Mixed, 3, 0.5),
        (Scene::Stacks, 2, 2.0),
        (Scene::Capsules, 1, f32::INFINITY),
    ] {
        let mut bodies = scene.build(1200, SEED).unwrap();
        // (Margins do not count.)
        bodies.set_margin(7, 3.0).unwrap();
        let all =
            bodies.iter().filter_map(|body| body.shape.aabb()).fold(Aabb::EMPTY, |all, bounds| all.merge(&bounds));
        let at = |k: u16| all.min() + (all.max() - all.min()) * (Vec3::new(0.618, 0.755, 0.57) * f32::from(k)).fract();
        let points = Points::of((0..400).map(at)).unwrap();
        let query = |engine: &Engine| engine.closest(&bodies, &points).count(count).within(within);
        let mut recorded = device.settled(|encoder| query(&device.engine).record(encoder));
        let expected = query(&cpu()).run().unwrap();
        let (rows, separate) = (points.len(), recorded.settle().unwrap() as usize);
        let pairs = recorded.ended().unwrap().results as usize;
        let offsets = device.words(recorded.offsets(), rows + 1);
        let partners = device.words(recorded.partners(), pairs);
        let words = device.words(recorded.clearances().unwrap(), size_of::<Clearance>() / 4 * pairs);
        let clearances: &[Clearance] = bytemuck::cast_slice(&words);
        assert!(pairs - separate <= expected.len() + rows, "{}: {pairs} pairs", scene.name());
        for (point, near) in &expected {
            let row = offsets[point as usize] as usize..offsets[point as usize + 1] as usize;
            let place = row.clone().find(|place| partners[*place] & 0x3fff_ffff == near.body);
            let found = clearances[place.unwrap_or_else(|| panic!("{}: {point} has no {near:?}", scene.name()))];
            assert_eq!(found.distance().to_bits(), near.distance.to_bits(), "{}", scene.name());
        }
    }
}

/// The nearest body of a point is that also where the distance is more than the largest number.
#[test]
fn recorded_points_may_be_far_away() {
    let Some(device) = shared_device() else { return };
    let mut bodies = Bodies::new();
    bodies.push(Sphere::new([2e38, 0.0, 0.0], 1.0).unwrap()).unwrap();
    let points = Points::of([Vec3::new(-2e38, 0.0, 0.0)]).unwrap();
    let mut recorded = device.settled(|encoder| device.engine.closest(&bodies, &points).record(encoder));
    assert_eq!((recorded.settle().unwrap(), recorded.ended().unwrap().results), (0, 1));
    assert_eq!(device.words(recorded.partners(), 1)[0] & 0x3fff_ffff, 0);
    let mut encoder = device.encoder();
    let refused = device.engine.closest(&bodies, &points).count(0).record(&mut encoder);
    assert!(matches!(refused, Err(Error::Recording { .. })));
}

/// Rows also have pairs that miss each other; all others are those of the host, with the same bits.
#[test]
fn recorded_moving_bodies_have_the_bits_of_the_host() {
    let Some(device) = shared_device() else { return };
    let walls = Scene::City.build(60, SEED).unwrap();
    for scene in [Scene::Uniform, Scene::Mixed, Scene::Granular, Scene::Capsules] {
        let mut bodies = scene.build(700, SEED).unwrap();
        for round in 0..2_u16 {
            let motion = |k: usize| {
                let k = (k % 97) as f32;
                let way = Vec3::new((k * 0.7).sin(), (k * 1.3).cos(), (k * 2.1).sin());
                let turn = if (k as u32).is_multiple_of(3) { way.yzx() } else { Vec3::ZERO };
                Motion::new(way, turn).unwrap()
            };
            let motions: Vec<Motion> = (0..bodies.id_bound()).map(motion).collect();
            let still = vec![Motion::REST; walls.id_bound()];
            for against in [false, true] {
                let query = |engine: &Engine| {
                    let query = engine.sweep(&bodies, &motions);
                    if against { query.against(&walls, &still) } else { query }
                };
                let mut recorded = device.settled(|encoder| query(&device.engine).record(encoder));
                let expected = query(&cpu()).run().unwrap();
                let pairs = recorded.ended().unwrap().results as usize;
                let offsets = device.words(recorded.offsets(), recorded.rows() as usize + 1);
                let partners = device.words(recorded.partners(), pairs);
                let words = device.words(recorded.sweeps().unwrap(), 8 * pairs);
                let mut found = Vec::new();
                for row in 0..recorded.rows() as usize {
                    for place in offsets[row] as usize..offsets[row + 1] as usize {
                        let hit = &words[8 * place..8 * place + 8];
                        assert_eq!((hit[6], hit[5] < 3), (partners[place] & 0x3fff_ffff, true));
                        if hit[5] != 2 {
                            found.push((row as u32, hit.to_vec()));
                        }
                    }
                }
                let expected: Vec<_> = expected
                    .iter()
                    .map(|(a, _, hit)| (a, bytemuck::cast_slice(std::slice::from_ref(hit)).to_vec()))
                    .collect();
                assert!(found == expected, "{}, {against}: {} and {}", scene.name(), found.len(), expected.len());
            }
            bodies.push(Sphere::new([f32::from(round), 0.5, 0.5], 1.0).unwrap()).unwrap();
        }
    }
}

/// Bodies that change, two recordings before either is submitted, and a set that grows.
#[test]
fn recordings_follow_the_bodies_in_order() {
    let Some(device) = shared_device() else { return };
    let mut bodies = random(5, 800).unwrap();
    let mut before = Vec::new();
    for round in 0..6_u16 {
        let mut encoder = device.encoder();
        let recorded = device.engine.overlaps(&bodies).record(&mut encoder).unwrap();
        before.push((encoder, recorded, listed(&cpu().overlaps(&bodies).run().unwrap())));
        for k in 0..40_u16 {
            let at = [f32::from(k % 7), f32::from(round), f32::from(k % 3)];
            bodies.push(Sphere::new(at, 0.6).unwrap()).unwrap();
        }
        bodies.set_shape(u32::from(round), Sphere::new([1.0, f32::from(round), 1.0], 2.0).unwrap()).unwrap();
    }
    for (encoder, mut recorded, expected) in before {
        device.submit(encoder);
        if recorded.ended().unwrap().needed.is_none() {
            recorded.settle().unwrap();
            assert!(device.pairs(&mut recorded) == expected);
        }
    }
    let mut recorded = device.settled(|encoder| device.engine.overlaps(&bodies).record(encoder));
    assert!(device.pairs(&mut recorded) == listed(&cpu().overlaps(&bodies).run().unwrap()));
}

/// Too little room is never silent: the result is empty, and what is needed suffices.
#[test]
fn too_little_room_is_said() {
    let Some(device) = device() else { return };
    let mut crowd = Bodies::new();
    crowd.extend(vec![Sphere::new([0.0; 3], 1.0).unwrap(); 1500]).unwrap();
    let mut encoder = device.encoder();
    let mut recorded = device.engine.overlaps(&crowd).record(&mut encoder).unwrap();
    device.submit(encoder);
    let ended = recorded.ended().unwrap();
    assert_eq!((ended.results, ended.needed.is_some()), (0, true));
    assert_eq!(device.words(recorded.summary(), 8), [0, 0, 1, 0, 0, 0, u32::MAX, 0]);
    let mut needed = ended.needed.unwrap();
    // With another engine, so that nothing is known but what is given.
    for _ in 0..20 {
        let engine = Engine::builder().device(device.device.clone(), device.queue.clone()).build().unwrap();
        let mut encoder = device.encoder();
        let options = RecordOptions::new().capacities(&needed);
        let mut recorded = engine.overlaps(&crowd).record_with(&options, &mut encoder).unwrap();
        device.submit(encoder);
        if let Some(more) = recorded.ended().unwrap().needed {
            needed = more;
            continue;
        }
        assert_eq!(recorded.ended().unwrap().results, 1500 * 1499 / 2);
        let [x, y, z, pairs, undecided, complete, bad, _] = device.words(recorded.summary(), 8)[..] else { panic!() };
        assert!(x * y * z * 64 >= pairs && pairs == 1500 * 1499 / 2);
        assert_eq!((undecided, complete, bad), (0, 1, u32::MAX));
        return;
    }
    panic!("there is never enough room");
}

/// Two recordings with too little room, of which the first is forgotten before the second has ended: neither is taken for complete.
#[test]
fn each_recording_is_judged_by_its_own_room() {
    let Some(device) = device() else { return };
    let mut crowd = Bodies::new();
    crowd.extend(vec![Sphere::new([0.0; 3], 1.0).unwrap(); 1500]).unwrap();
    let record = || {
        let mut encoder = device.encoder();
        let recorded = device.engine.overlaps(&crowd).record(&mut encoder).unwrap();
        device.submit(encoder);
        recorded
    };
    let (mut first, mut second) = (record(), record());
    assert!(first.ended().unwrap().needed.is_some());
    drop(first);
    let ended = second.ended().unwrap();
    assert_eq!((ended.results, ended.needed.is_some()), (0, true));
}

/// What cannot be recorded is refused before anything is.
#[test]
fn what_makes_no_sense_is_refused() {
    let Some(device) = shared_device() else { return };
    let bodies = random(1, 50).unwrap();
    let mut encoder = device.encoder();
    let refused = |request: Result<RecordedPairs>, why: &str| match request {
        Err(Error::Recording { reason }) => assert!(reason.contains(why), "{reason}"),
        other => panic!("{why}: {other:?}"),
    };
    let buffer = device.buffer(&[0.0; 400]);
    let overlaps = |source: BodySource, encoder: &mut wgpu::CommandEncoder| {
        device.engine.overlaps(&bodies).record_with(&RecordOptions::new().sources(&[source]), encoder)
    };
    refused(overlaps(BodySource::new(&buffer, 0..5000, 12).position_at(0), &mut encoder), "5000");
    refused(overlaps(BodySource::new(&buffer, 0..20, 13).position_at(0), &mut encoder), "multiples of four");
    refused(overlaps(BodySource::new(&buffer, 0..20, 1000).position_at(0), &mut encoder), "too small");
    for huge in [1 << 62, u64::MAX - 3] {
        refused(overlaps(BodySource::new(&buffer, 0..20, huge).position_at(0), &mut encoder), "too small");
        refused(overlaps(BodySource::new(&buffer, 0..20, 12).position_at(huge), &mut encoder), "too small");
        let source = BodySource::new(&buffer, 0..20, 12).position_at(0).beginning_at(huge);
        refused(overlaps(source, &mut encoder), "too small");
    }
    // To the last byte: of balls, extents are one number.
    let mut balls = Bodies::new();
    balls.extend(vec![Sphere::new([0.0; 3], 1.0).unwrap(); 100]).unwrap();
    let source =
        |offset: u64| [BodySource::new(&buffer, 0..100, 16).position_at(0).extents_at(12).beginning_at(offset)];
    let recorded = |offset: u64, encoder: &mut wgpu::CommandEncoder| {
        device.engine.overlaps(&balls).record_with(&RecordOptions::new().sources(&source(offset)), encoder)
    };
    assert!(recorded(0, &mut encoder).is_ok());
    refused(recorded(4, &mut encoder), "too small");
    let unfit = device.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 4096,
        usage: wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    refused(overlaps(BodySource::new(&unfit, 0..20, 12).position_at(0), &mut encoder), "STORAGE");
    refused(device.engine.overlaps(&bodies).overlapping_only().record(&mut encoder), "touch");
    let sources = [BodySource::new(&buffer, 0..1, 12)];
    let options = RecordOptions::new().other_sources(&sources);
    refused(device.engine.overlaps(&bodies).record_with(&options, &mut encoder), "another set");
    let mut recorded = device.engine.overlaps(&bodies).record(&mut encoder).unwrap();
    match recorded.ended() {
        Err(Error::Recording { reason }) => assert!(reason.contains("not submitted"), "{reason}"),
        other => panic!("{other:?}"),
    }
    let cpu = cpu().overlaps(&bodies).record(&mut encoder);
    assert!(matches!(cpu, Err(Error::BackendUnavailable { .. })));
}

/// Sets without bodies, with one, and with holes only.
#[test]
fn small_sets_are_recorded() {
    let Some(device) = shared_device() else { return };
    let (none, mut one, mut gone) = (Bodies::new(), Bodies::new(), Bodies::new());
    one.push(Sphere::new([0.0; 3], 1.0).unwrap()).unwrap();
    gone.push(Sphere::new([0.0; 3], 1.0).unwrap()).unwrap();
    gone.remove(0).unwrap();
    for bodies in [&none, &one, &gone] {
        for other in [&none, &one, &gone] {
            let mut recorded = device.settled(|encoder| device.engine.overlaps(bodies).against(other).record(encoder));
            let expected = cpu().overlaps(bodies).against(other).run().unwrap();
            assert!(device.pairs(&mut recorded) == listed(&expected));
        }
        let mut recorded = device.settled(|encoder| device.engine.candidates(bodies).record(encoder));
        assert!(device.pairs(&mut recorded).is_empty());
    }
}

/// After a few frames, a frame makes no buffer, no pipeline and no bind group.
#[test]
fn frames_make_nothing_new() {
    let Some(device) = device() else { return };
    let bodies = Scene::Uniform.build(600, SEED).unwrap();
    let positions: Vec<[f32; 3]> = bodies.iter().map(|body| numbers(&body.shape)[..3].try_into().unwrap()).collect();
    let buffer = device.buffer(positions.as_flattened());
    let sources = [BodySource::new(&buffer, 0..600, 12).position_at(0)];
    let options = RecordOptions::new().sources(&sources);
    let expected = cpu().contacts(&bodies).run().unwrap().pairs().len() as u32;
    let frame = || {
        let mut encoder = device.encoder();
        let mut recorded = device.engine.contacts(&bodies).record_with(&options, &mut encoder).unwrap();
        device.submit(encoder);
        recorded.ended().unwrap()
    };
    while frame().needed.is_some() {}
    (0..3).for_each(|_| _ = frame());
    let made = || {
        let report = device.instance.generate_report().expect("a report");
        let hub = report.hub_report();
        [
            hub.buffers.num_allocated + hub.buffers.num_kept_from_user,
            hub.compute_pipelines.num_allocated,
            hub.bind_groups.num_allocated + hub.bind_groups.num_kept_from_user,
        ]
    };
    let before = made();
    for _ in 0..if crate::engines::is_long() { 100 } else { 25 } {
        assert_eq!(frame().results, expected);
    }
    assert_eq!(made(), before);
}
