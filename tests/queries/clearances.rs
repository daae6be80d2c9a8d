//! Distances of pairs that are near each other, on every engine.

use crate::engines::{ENGINES, is_long};
use tangency::glam::Quat;
use tangency::scenes::{SEED, Scene, random};
use tangency::shape::{Aabb, Obb, Shape, Sphere};
use tangency::{BackendKind, Bodies, Clearances, Engine, Traits};

fn brute() -> Engine {
    Engine::builder().backend(BackendKind::BruteForce).build().unwrap()
}

/// A distance in proportion to the bodies.
fn distance_for(bodies: &Bodies, seed: u64) -> f32 {
    let sizes = bodies.iter().map(|body| {
        let bounds = crate::common::bounds(&body.shape);
        (bounds.max() - bounds.min()).max_element()
    });
    sizes.fold(0.0, f32::max).clamp(f32::MIN_POSITIVE, 1e30) * [0.0, 0.05, 0.7][seed as usize % 3]
}

#[test]
fn every_engine_has_the_bits_of_brute_force() {
    let (mut apart, mut zero) = (0, 0);
    for seed in 0..9 {
        let (bodies, others) = (random(seed, 300).unwrap(), random(seed + 100, 90).unwrap());
        let distance = distance_for(&bodies, seed);
        let expected = brute().clearances(&bodies, distance).run().unwrap();
        let between = brute().clearances(&others, distance).against(&bodies).run().unwrap();
        apart += expected.clearances().iter().filter(|found| found.distance() > 0.0).count();
        zero += expected.clearances().iter().filter(|found| found.distance() == 0.0).count();
        let mut out = Clearances::new();
        for (name, engine) in &*ENGINES {
            engine.clearances(&bodies, distance).run_into(&mut out).unwrap();
            assert!(out == expected, "{name}, seed {seed}");
            assert_eq!(out.fingerprint(), expected.fingerprint());
            assert!(*out.pairs() == engine.overlaps(&bodies).margin(distance).run().unwrap(), "{name}, seed {seed}");
            let index = engine.index(&bodies).unwrap();
            engine.clearances(&others, distance).against(&index).run_into(&mut out).unwrap();
            assert!(out == between, "{name}, seed {seed}, two sets");
            // In parts, one after the other.
            let mut all = Vec::new();
            engine
                .clearances(&bodies, distance)
                .for_each_part(|part| all.extend(part.iter().map(|(a, b, found)| (a, b, *found))))
                .unwrap();
            assert!(all.iter().map(|(a, b, found)| (*a, *b, found)).eq(expected.iter()), "{name}, seed {seed}, parts");
        }
    }
    assert!(apart > 200 && zero > 200, "{apart} apart, {zero} not");
}

#[test]
fn named_scenes_agree_and_little_is_left_to_the_host() {
    for scene in [Scene::Uniform, Scene::Mixed, Scene::Stacks] {
        let bodies = scene.build(if is_long() { 1500 } else { 500 }, SEED).unwrap();
        let expected = brute().clearances(&bodies, 0.05).run().unwrap();
        for (name, engine) in &*ENGINES {
            let found = engine.clearances(&bodies, 0.05).run().unwrap();
            assert!(found == expected, "{name}, {}", scene.name());
            assert!(found.len() > 100);
            let on_gpu = !["cpu", "brute-force"].iter().any(|host| name.starts_with(host));
            assert!(!on_gpu || found.computed_on_host() == 0, "{name}, {}: {}", scene.name(), found.computed_on_host());
        }
    }
}

/// By hand: face, edge and corner, balls, and numbers so large that integers decide.
#[test]
fn distances_are_those_that_one_computes() {
    let brick = |x: f32, y: f32, z: f32| Shape::from(Aabb::new([x, y, z], [x + 1.0, y + 1.0, z + 1.0]).unwrap());
    let ball = |x: f32, radius: f32| Shape::from(Sphere::new([x, 0.5, 0.5], radius).unwrap());
    let turned =
        Obb::new([5.0, 0.5, 0.5], [1.0, 1.0, 0.25], Quat::from_rotation_z(std::f32::consts::FRAC_PI_4)).unwrap();
    let cases: [(Shape, f32); 8] = [
        (brick(3.0, 0.0, 0.0), 2.0),
        (brick(4.0, 5.0, 0.0), 5.0),
        (brick(3.0, 4.0, 2.0), 14.0_f32.sqrt()),
        (ball(4.0, 1.0), 2.0),
        (ball(1.0, 1.0), 0.0),
        (brick(1.0, 0.0, 0.0), 0.0),
        (turned.into(), 4.0 - 2.0_f32.sqrt()),
        (ball(3e30, 1e30), 2e30),
    ];
    for (name, engine) in &*ENGINES {
        for (shape, expected) in &cases {
            let mut bodies = Bodies::new();
            bodies.push(brick(0.0, 0.0, 0.0)).unwrap();
            bodies.push(shape.clone()).unwrap();
            let found = engine.clearances(&bodies, 3e30).run().unwrap();
            let found = found.get(0, 1).unwrap();
            let (least, most) = (expected * (1.0 - 4e-7), expected.next_up());
            assert!((least..=most).contains(&found.distance()), "{name}: {found:?}, and it is {expected}");
            let apart = (found.on_a().as_dvec3() - found.on_b().as_dvec3()).length() as f32;
            assert!((apart - expected).abs() <= 1e-6 * expected, "{name}: {found:?}");
        }
    }
}

#[test]
fn the_least_of_bodies_and_worlds() {
    let mut bodies = Bodies::new();
    for (world, gap) in [(4, 0.5), (4, 0.25), (2, 3.0), (9, 50.0)] {
        let row = bodies.len() as f32 * 100.0;
        for x in [0.0, 2.0 + gap] {
            bodies.push_with(Sphere::new([x, row, 0.0], 1.0).unwrap(), Traits::new().world(world)).unwrap();
        }
    }
    for (name, engine) in &*ENGINES {
        let found = engine.clearances(&bodies, 3.0).run().unwrap();
        let least: Vec<_> = found.least_of_bodies().iter().map(|least| least.map(|x| (x * 100.0).round())).collect();
        assert_eq!(least[..4], [Some(50.0), Some(50.0), Some(25.0), Some(25.0)], "{name}");
        assert_eq!(least[4..], [Some(300.0), Some(300.0), None, None], "{name}");
        let worlds = found.least_of_worlds(&bodies).unwrap();
        assert_eq!(
            worlds.iter().map(|(world, x)| (*world, (x * 100.0).round())).collect::<Vec<_>>(),
            [(2, 300.0), (4, 25.0)]
        );
    }
}

#[test]
fn distances_that_are_none_are_errors() {
    for (name, engine) in &*ENGINES {
        for distance in [-1.0, f32::NAN, f32::INFINITY] {
            let error = engine.clearances(&Bodies::new(), distance).run().unwrap_err();
            assert!(error.to_string().contains("distance"), "{name}: {error}");
        }
    }
}

/// The second bodies of a part of an answer are beyond its rows.
#[test]
fn the_least_of_parts_is_that_of_the_whole() {
    let mut bodies = Bodies::new();
    for k in 0..600_u16 {
        let x = f32::from(k % 300) * 100.0 + f32::from(k / 300) * 2.5;
        bodies.push(Sphere::new([x, 0.0, 0.0], 1.0).unwrap()).unwrap();
    }
    for (name, engine) in &*ENGINES {
        let whole = engine.clearances(&bodies, 1.0).run().unwrap().least_of_bodies();
        assert!(whole.len() == 600 && whole.iter().all(Option::is_some), "{name}");
        let (mut least, mut parts) = (vec![None; 600], 0);
        let part = |part: &Clearances| {
            for (all, one) in least.iter_mut().zip(part.least_of_bodies()) {
                *all = [*all, one].into_iter().flatten().reduce(f32::min);
            }
            parts += 1;
        };
        engine.clearances(&bodies, 1.0).for_each_part(part).unwrap();
        assert!(parts > 1 && least == whole, "{name}, {parts} parts");
    }
}
