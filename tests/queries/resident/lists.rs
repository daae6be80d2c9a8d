//! Recorded queries whose results are lists: sides of a frustum, relations of listed pairs, hits of rays.

use tangency::glam::Quat;
use tangency::scenes::{RandomRay, SEED, Scene, random, random_rays};
use tangency::shape::{Aabb, Obb, Plane, Ray, Sphere};
use tangency::{
    Bodies, BodySource, Error, RecordOptions, RecordedHits, RecordedRelations, RecordedSides, Relation, Result, Side,
    Traits, wgpu,
};

use super::sources::elsewhere;
use crate::host::{Host, cpu, device, shared_device};

/// A frustum, some of whose planes just touch bodies of the usual scenes.
fn planes() -> Vec<Plane> {
    let plane = |normal: [f32; 3], offset: f32| Plane::new(normal, offset).unwrap();
    vec![
        plane([1.0, 0.0, 0.0], 9.0),
        plane([-1.0, 0.2, 0.0], 5.0),
        plane([0.0, 1.0, 0.5], 7.5),
        plane([0.1, -1.0, 0.3], 6.0),
    ]
}

fn sides(
    device: &Host,
    record: impl FnOnce(&mut wgpu::CommandEncoder) -> Result<RecordedSides>,
) -> (Vec<Side>, RecordedSides) {
    let mut encoder = device.encoder();
    let mut recorded = record(&mut encoder).unwrap();
    device.submit(encoder);
    let ended = recorded.ended().unwrap();
    assert!(ended.needed.is_none());
    let count = ended.results as usize;
    let open = device.words(recorded.sides(), count).iter().filter(|side| **side == 3).count();
    assert_eq!(open, ended.undecided as usize);
    let summary = device.words(recorded.summary(), 8);
    assert_eq!(summary[3..6], [ended.results, ended.undecided, 1]);
    assert!(summary[0] * summary[1] * 64 >= ended.results);
    recorded.settle().unwrap();
    assert_eq!(recorded.ended().unwrap().undecided, 0);
    let sides = device.words(recorded.sides(), count).into_iter().map(|side| match side {
        0 => Side::Inside,
        1 => Side::Crossing,
        2 => Side::Outside,
        _ => panic!("undecided"),
    });
    (sides.collect(), recorded)
}

#[test]
fn recorded_sides_are_those_of_the_host() {
    let Some(device) = shared_device() else { return };
    for scene in Scene::ALL {
        let bodies = scene.build(1500, SEED).unwrap();
        for planes in [planes(), Vec::new()] {
            let (found, _) = sides(&device, |encoder| device.engine.cull(&bodies, &planes).record(encoder));
            assert!(found == cpu().cull(&bodies, &planes).run().unwrap(), "{}", scene.name());
        }
    }
    // A plane through the corners of a turned box, and one that touches a ball: only exact arithmetic can tell.
    let mut touching = random(3, 300).unwrap();
    touching.push(Sphere::new([8.5, 0.0, 0.0], 0.5).unwrap()).unwrap();
    touching.push(Obb::new([0.1, 0.2, 0.3], [1.0; 3], Quat::from_xyzw(0.1, 0.2, 0.3, 0.9)).unwrap()).unwrap();
    touching.disable(7).unwrap();
    let (found, _) = sides(&device, |encoder| device.engine.cull(&touching, &planes()).record(encoder));
    assert!(found == cpu().cull(&touching, &planes()).run().unwrap());
    let (none, _) = sides(&device, |encoder| device.engine.cull(&Bodies::new(), &planes()).record(encoder));
    assert!(none.is_empty());
    // More planes than a dispatch has: those of the first count, and those of the second.
    let many: Vec<Plane> = vec![planes()[0]; 4096].into_iter().chain(planes().into_iter().skip(1)).collect();
    let (found, _) = sides(&device, |encoder| device.engine.cull(&touching, &many).record(encoder));
    assert!(found == cpu().cull(&touching, &planes()).run().unwrap());
    for part in [&many[..4096], &many[4096..]] {
        assert!(found != cpu().cull(&touching, part).run().unwrap());
    }
}

fn relations(
    device: &Host,
    record: impl FnOnce(&mut wgpu::CommandEncoder) -> Result<RecordedRelations>,
) -> Vec<Option<Relation>> {
    let mut encoder = device.encoder();
    let mut recorded = record(&mut encoder).unwrap();
    device.submit(encoder);
    let ended = recorded.ended().unwrap();
    assert!(ended.needed.is_none());
    let count = ended.results as usize;
    let open = device.words(recorded.relations(), count).iter().filter(|relation| **relation == 3).count();
    assert_eq!(open, ended.undecided as usize);
    assert_eq!(device.words(recorded.summary(), 8)[3..6], [ended.results, ended.undecided, 1]);
    recorded.settle().unwrap();
    let relations = device.words(recorded.relations(), count).into_iter().map(|relation| match relation {
        0 => Some(Relation::Separate),
        1 => Some(Relation::Touching),
        2 => Some(Relation::Overlapping),
        4 => None,
        _ => panic!("undecided"),
    });
    relations.collect()
}

/// Pairs of each kind, and of bodies that touch.
fn pairs(bodies: &Bodies) -> Vec<[u32; 2]> {
    let found = cpu().overlaps(bodies).run().unwrap();
    let ids: Vec<u32> = (0..bodies.id_bound() as u32).filter(|id| bodies.contains(*id)).collect();
    let others = ids.iter().enumerate().map(|(k, id)| [*id, ids[(k * 7 + 1) % ids.len()]]);
    found.iter().map(|(a, b, _)| [b, a]).chain(others).take(3000).collect()
}

#[test]
fn recorded_relations_are_those_of_the_host() {
    let Some(device) = shared_device() else { return };
    for scene in Scene::ALL {
        let bodies = scene.build(900, SEED).unwrap();
        let pairs = pairs(&bodies);
        let expected = cpu().relations(&bodies, &pairs).run().unwrap();
        let found = relations(&device, |encoder| device.engine.relations(&bodies, &pairs).record(encoder));
        assert!(found == expected.into_iter().map(Some).collect::<Vec<_>>(), "{}", scene.name());
    }
    let bodies = random(5, 50).unwrap();
    assert!(relations(&device, |encoder| device.engine.relations(&bodies, &[]).record(encoder)).is_empty());
}

/// The hits of each ray, sorted by time and body.
type Hits = Vec<Vec<(u32, u32)>>;

fn hits(device: &Host, rays: usize, record: impl Fn(&mut wgpu::CommandEncoder) -> Result<RecordedHits>) -> Hits {
    for _ in 0..20 {
        let mut encoder = device.encoder();
        let mut recorded = record(&mut encoder).unwrap();
        device.submit(encoder);
        let ended = recorded.ended().unwrap();
        let summary = device.words(recorded.summary(), 8);
        assert_eq!(summary[3..6], [ended.results, ended.undecided, u32::from(ended.needed.is_none())]);
        if ended.needed.is_some() {
            assert_eq!((ended.results, summary[0] * summary[1]), (0, 0));
            continue;
        }
        recorded.settle().unwrap();
        let mut hits = vec![Vec::new(); rays];
        for hit in device.words(recorded.hits(), 4 * ended.results as usize).chunks_exact(4) {
            assert_eq!(hit[3], 0, "undecided");
            if hit[1] != u32::MAX {
                hits[hit[0] as usize].push((hit[2], hit[1]));
            }
        }
        for hits in &mut hits {
            hits.sort_unstable();
        }
        return hits;
    }
    panic!("there is never enough room");
}

/// Asserts that recorded rays meet what they meet on the CPU.
fn check_rays(device: &Host, (known, options): (&Bodies, &RecordOptions<'_>), real: &Bodies, shots: &[RandomRay]) {
    let rays: Vec<Ray> = shots.iter().map(|shot| shot.ray).collect();
    let times: Vec<f32> = shots.iter().map(|shot| shot.until).collect();
    let traits: Vec<Traits> = shots.iter().map(|shot| shot.traits).collect();
    let cpu = cpu();
    macro_rules! request {
        ($engine:expr, $bodies:expr) => {
            $engine.cast_rays($bodies, &rays).until_each(&times).with_traits_each(&traits)
        };
    }
    let nearest = request!(cpu, real).run().unwrap();
    let expected: Hits = (0..rays.len())
        .map(|k| nearest.get(k).map(|hit| (hit.time.to_bits(), hit.body)).into_iter().collect())
        .collect();
    let found = hits(device, rays.len(), |encoder| request!(device.engine, known).record_with(options, encoder));
    for (k, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert_eq!(found, expected, "ray {k}: {:?}", shots[k]);
    }
    let any = request!(cpu, real).any().run().unwrap();
    let found = hits(device, rays.len(), |encoder| request!(device.engine, known).any().record_with(options, encoder));
    assert!(found.iter().zip(any.iter()).all(|(found, any)| *found == vec![(0, 0); usize::from(any)]));
    let all = request!(cpu, real).all().run().unwrap();
    let expected: Hits =
        (0..rays.len()).map(|k| all.of(k).iter().map(|hit| (hit.time.to_bits(), hit.body)).collect()).collect();
    let mut encoder = device.encoder();
    let first = request!(device.engine, known).all().record_with(options, &mut encoder);
    device.submit(encoder);
    if let Err(Error::Recording { reason }) = &first {
        assert!(reason.contains("only the host"), "{reason}");
    } else {
        drop(first);
        let record =
            |encoder: &mut wgpu::CommandEncoder| request!(device.engine, known).all().record_with(options, encoder);
        let found = hits(device, rays.len(), record);
        assert!(found == expected);
    }
}

/// Rays of which all hits can be found on the device.
fn ordinary(shots: Vec<RandomRay>) -> Vec<RandomRay> {
    let is_small = |x: f32| x.abs() < 1e6 && (x == 0.0 || x.abs() > 1e-6);
    let numbers = |shot: &RandomRay| shot.ray.origin().to_array().into_iter().chain(shot.ray.direction().to_array());
    shots.into_iter().filter(|shot| numbers(shot).all(is_small) && (shot.until == 0.0 || shot.until > 1e-6)).collect()
}

#[test]
fn recorded_rays_have_the_bits_of_the_host() {
    let Some(device) = shared_device() else { return };
    let usual = RecordOptions::new();
    for scene in [Scene::Mixed, Scene::Worlds, Scene::Stacks, Scene::Clustered] {
        let bodies = scene.build(1200, SEED).unwrap();
        check_rays(&device, (&bodies, &usual), &bodies, &ordinary(random_rays(&bodies, 250, 3)));
    }
    for seed in 0..6 {
        // Of any size, from anywhere.
        let bodies = random(600 + seed, 400).unwrap();
        check_rays(&device, (&bodies, &usual), &bodies, &random_rays(&bodies, 120, seed));
    }
    let none = Bodies::new();
    check_rays(&device, (&none, &usual), &none, &random_rays(&none, 5, 1));
    check_rays(&device, (&none, &usual), &none, &[]);
}

/// Directions of any length: times are those of the host to the last bit, where they are subnormal too, and where they would be infinite.
#[test]
fn times_of_recorded_rays_are_in_units_of_the_direction() {
    let Some(device) = shared_device() else { return };
    let mut bodies = Bodies::new();
    for k in 0..40_u8 {
        bodies.push(Sphere::new([f32::from(k) * 3.7 + 2.1, 0.3, 0.1], 0.9).unwrap()).unwrap();
    }
    // Times that are half way between two subnormal numbers: 1 and odd numbers of units in its last place, over 2¹²⁷.
    bodies.push(Aabb::new([1.0, 4.0, -1.0], [2.0, 6.0, 1.0]).unwrap()).unwrap();
    let between = (0..8_u8).map(|k| RandomRay {
        ray: Ray::new([-f32::from(2 * k + 1) * f32::EPSILON, 5.0, 0.0], [127.0_f32.exp2(), 0.0, 0.0]).unwrap(),
        until: f32::INFINITY,
        traits: Traits::new(),
    });
    let exponents = [-149, -148, -127, -126, -60, -1, 0, 1, 60, 126, 127];
    let shots: Vec<RandomRay> = exponents
        .into_iter()
        .flat_map(|exponent| (0..8_u8).map(move |k| (exponent, f32::from(k) * 1e-7 - 20.3)))
        .map(|(exponent, x)| {
            let direction = [(f64::from(exponent)).exp2() as f32, 0.0, 0.0];
            RandomRay { ray: Ray::new([x, 0.0, 0.0], direction).unwrap(), until: f32::INFINITY, traits: Traits::new() }
        })
        .chain(between)
        .collect();
    check_rays(&device, (&bodies, &RecordOptions::new()), &bodies, &shots);
}

/// Rays that end far away, and bodies before and behind that.
#[test]
fn last_times_may_be_late() {
    let Some(device) = shared_device() else { return };
    let mut bodies = Bodies::new();
    for (x, radius) in [(3.0, 0.5), (1e15, 2e14), (3e15, 1e15), (1e17, 1e16), (1e30, 1e29)] {
        bodies.push(Sphere::new([x, 0.0, 0.0], radius).unwrap()).unwrap();
    }
    let shots: Vec<RandomRay> = [1e14, 8e14, 1.2e15, 2e15, 9e16, 1e17, 9e29, f32::MAX, f32::INFINITY]
        .into_iter()
        .flat_map(|until| {
            [1.0, 2.0, 1e-3].map(|length| RandomRay {
                ray: Ray::new([4.0, 0.0, 0.0], [length, 0.0, 0.0]).unwrap(),
                until: until / length,
                traits: Traits::new(),
            })
        })
        .collect();
    check_rays(&device, (&bodies, &RecordOptions::new()), &bodies, &shots);
}

/// Bodies that shaders write: sides, relations and hits are of where they are, and what is not written properly is refused.
#[test]
fn lists_are_of_the_bodies_that_shaders_write() {
    let Some(device) = shared_device() else { return };
    for seed in 0..6 {
        let mut real = random(950 + seed, 600).unwrap();
        let (known, mut written) = elsewhere(&real);
        let ids = 0..real.id_bound() as u32;
        let Some(bad) = ids.rev().find(|id| real.contains(*id) && real.is_enabled(*id).unwrap()) else { continue };
        written[bad as usize][0] = f32::NAN;
        let buffer = device.buffer(written.as_flattened());
        let sources =
            [BodySource::new(&buffer, 0..real.id_bound() as u32, 48).position_at(0).rotation_at(16).extents_at(32)];
        let options = RecordOptions::new().sources(&sources);
        let pairs = pairs(&real);
        // A body that is disabled is where the host has it.
        let mut there = real.clone();
        for id in (0..real.id_bound() as u32).filter(|id| real.contains(*id)) {
            if !real.is_enabled(id).unwrap() {
                there.set_shape(id, known.shape(id).unwrap()).unwrap();
            }
        }
        let expected = cpu().relations(&there, &pairs).run().unwrap();
        let found =
            relations(&device, |encoder| device.engine.relations(&known, &pairs).record_with(&options, encoder));
        for ((pair, found), expected) in pairs.iter().zip(found).zip(expected) {
            assert_eq!(found, (!pair.contains(&bad)).then_some(expected), "{pair:?}");
        }
        real.disable(bad).unwrap();
        let (found, mut recorded) =
            sides(&device, |encoder| device.engine.cull(&known, &planes()).record_with(&options, encoder));
        assert!(found == cpu().cull(&real, &planes()).run().unwrap());
        assert_eq!(recorded.ended().unwrap().bad_body, Some(bad));
        drop(recorded);
        let shots = random_rays(&real, 100, seed);
        check_rays(&device, (&known, &options), &real, &ordinary(shots.clone()));
        check_rays(&device, (&known, &options), &real, &shots);
    }
}

/// Different queries of one engine, one after the other, do not disturb each other; in the end a frame makes nothing new.
#[test]
fn queries_take_turns() {
    let Some(device) = device() else { return };
    let bodies = Scene::Mixed.build(1000, SEED).unwrap();
    let rays: Vec<Ray> = ordinary(random_rays(&bodies, 200, 9)).iter().map(|shot| shot.ray).collect();
    let pairs = pairs(&bodies);
    let frame = || {
        let mut encoder = device.encoder();
        let mut found = device.engine.overlaps(&bodies).record(&mut encoder).unwrap();
        device.submit(encoder);
        let count = found.ended().unwrap().results;
        drop(found);
        let hits = hits(&device, rays.len(), |encoder| device.engine.cast_rays(&bodies, &rays).record(encoder));
        let (sides, _) = sides(&device, |encoder| device.engine.cull(&bodies, &planes()).record(encoder));
        let relations = relations(&device, |encoder| device.engine.relations(&bodies, &pairs).record(encoder));
        (count, hits, sides, relations)
    };
    (0..3).for_each(|_| _ = frame());
    let expected = frame();
    for _ in 0..3 {
        assert!(frame() == expected);
    }
    // (Alone, since reading back makes buffers.)
    let records = || {
        let mut encoder = device.encoder();
        drop(device.engine.overlaps(&bodies).record(&mut encoder).unwrap());
        drop(device.engine.cast_rays(&bodies, &rays).record(&mut encoder).unwrap());
        drop(device.engine.cull(&bodies, &planes()).record(&mut encoder).unwrap());
        drop(device.engine.relations(&bodies, &pairs).record(&mut encoder).unwrap());
        device.submit(encoder);
        device.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    };
    let made = || {
        let report = device.instance.generate_report().expect("a report");
        let hub = report.hub_report();
        [
            hub.buffers.num_allocated + hub.buffers.num_kept_from_user,
            hub.compute_pipelines.num_allocated,
            hub.bind_groups.num_allocated + hub.bind_groups.num_kept_from_user,
        ]
    };
    (0..4).for_each(|_| records());
    let before = made();
    (0..20).for_each(|_| records());
    assert_eq!(made(), before);
}
