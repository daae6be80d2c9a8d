//! The batch queries through the public API: known answers, every thread count, and brute force on random scenes.

use crate::engines::is_long;
use crate::golden::{GOLDEN, STANDARD};
use tangency::batch::OverlapsQuery;
use tangency::scenes::{SEED, Scene, random};
use tangency::shape::{Aabb, Obb, Plane, Sphere};
use tangency::{BackendKind, Bodies, Engine, Error, Overlaps, Relation, Request, Side, Traits, query};

fn cpu(threads: usize) -> Engine {
    Engine::builder().backend(BackendKind::Cpu).threads(threads).build().unwrap()
}

fn brute() -> Engine {
    Engine::builder().backend(BackendKind::BruteForce).build().unwrap()
}

#[test]
fn the_standard_scene_has_its_answers() {
    for (n, candidates, hits, hash, fingerprint) in STANDARD {
        let bodies = Scene::Uniform.build(n, SEED).unwrap();
        for threads in if is_long() { vec![1, 2, 4] } else { vec![2] } {
            let found = cpu(threads).overlaps(&bodies).run().unwrap();
            println!("{n}: fingerprint {:#018x}", found.fingerprint());
            let known = (found.len(), found.pairs_fingerprint(), found.fingerprint());
            assert_eq!(known, (hits, hash, fingerprint), "{n} bodies, {threads} threads");
            // Bounds rounded outward add a few candidates, and lose none.
            assert!((candidates..candidates + 100).contains(&found.stats().candidates));
        }
    }
}

#[test]
fn every_scene_has_its_golden_hash_for_every_thread_count() {
    for (scene, hits, hash, fingerprint) in GOLDEN {
        let bodies = scene.build(20_000, SEED).unwrap();
        for threads in if is_long() { vec![1, 2, 4] } else { vec![1, 3] } {
            let found = cpu(threads).overlaps(&bodies).run().unwrap();
            let known = (found.len(), found.pairs_fingerprint(), found.fingerprint());
            println!("{}: {} hits, hash {:#018x}, fingerprint {:#018x}", scene.name(), known.0, known.1, known.2);
            assert_eq!(known, (hits, hash, fingerprint), "{} with {threads} threads", scene.name());
        }
    }
}

#[test]
fn brute_force_agrees_on_every_scene() {
    for scene in Scene::ALL {
        let bodies = scene.build(if is_long() { 3000 } else { 700 }, SEED).unwrap();
        let (fast, slow) = (cpu(2).overlaps(&bodies).run().unwrap(), brute().overlaps(&bodies).run().unwrap());
        assert!(fast == slow, "{}", scene.name());
        assert_eq!(fast.offsets(), slow.offsets());
        assert_eq!(
            cpu(2).candidates(&bodies).run().unwrap(),
            brute().candidates(&bodies).run().unwrap(),
            "{}",
            scene.name()
        );
    }
}

/// Every third scene is asked for overlapping pairs only.
fn asked(request: Request<'_, OverlapsQuery>, seed: u64) -> Request<'_, OverlapsQuery> {
    if seed.is_multiple_of(3) { request.overlapping_only() } else { request }
}

/// Random scenes of every kind: pairs, pairs between two sets, candidates and the index, against brute force.
#[test]
fn random_scenes_agree_with_brute_force() {
    let (fast, slow) = (cpu(2), brute());
    let mut pairs = 0;
    for seed in 0..if is_long() { 150 } else { 75 } {
        let bodies = random(seed, 1200).unwrap();
        let expected = asked(slow.overlaps(&bodies), seed).run().unwrap();
        pairs += expected.len();
        assert!(asked(fast.overlaps(&bodies), seed).run().unwrap() == expected, "seed {seed}");
        let candidates = fast.candidates(&bodies).run().unwrap();
        assert_eq!(candidates, slow.candidates(&bodies).run().unwrap(), "seed {seed}");
        let relations = fast.relations(&bodies, &candidates.to_vec()).run().unwrap();
        let hits: Vec<[u32; 2]> = candidates
            .to_vec()
            .iter()
            .zip(&relations)
            .filter(|(_, r)| if seed % 3 == 0 { **r == Relation::Overlapping } else { r.is_hit() })
            .map(|(pair, _)| *pair)
            .collect();
        assert_eq!(hits, expected.to_vec(), "seed {seed}");
        let other = random(seed + 1000, 500).unwrap();
        let between = asked(slow.overlaps(&bodies).against(&other), seed).run().unwrap();
        assert!(asked(fast.overlaps(&bodies).against(&other), seed).run().unwrap() == between, "seed {seed}");
        let index = fast.index(&other).unwrap();
        let mut out = Overlaps::new();
        asked(fast.overlaps(&bodies).against(&index), seed).run_into(&mut out).unwrap();
        assert!(out == between, "seed {seed}");
        assert!(fast.overlaps(&index).run().unwrap() == slow.overlaps(&other).run().unwrap(), "seed {seed}");
    }
    assert!(pairs > 10_000, "the scenes are too empty to test much: {pairs} pairs");
}

/// Pairs that may be some way apart, within a set, between two, through an index and in parts, against brute force.
#[test]
fn margins_agree_with_brute_force() {
    let (fast, slow) = (cpu(2), brute());
    let (mut pairs, mut touching) = (0, 0);
    for seed in 0..if is_long() { 300 } else { 40 } {
        let (bodies, other) = (random(seed, 500).unwrap(), random(seed + 1000, 200).unwrap());
        let size = bodies
            .iter()
            .map(|body| crate::common::bounds(&body.shape).half_extents().max_element())
            .fold(0.0, f32::max);
        let margin = size.clamp(1e-30, 1e30) * [0.01, 0.5, 2.0][seed as usize % 3];
        let expected = asked(slow.overlaps(&bodies).margin(margin), seed).run().unwrap();
        (pairs, touching) =
            (pairs + expected.len(), touching + expected.iter().filter(|hit| hit.2 == Relation::Touching).count());
        assert!(asked(fast.overlaps(&bodies).margin(margin), seed).run().unwrap() == expected, "seed {seed}");
        let between = slow.overlaps(&bodies).against(&other).margin(margin).run().unwrap();
        let index = fast.index(&other).unwrap();
        assert!(fast.overlaps(&bodies).margin(margin).against(&index).run().unwrap() == between, "seed {seed}");
        // The index serves every margin.
        let plain = slow.overlaps(&bodies).against(&other).run().unwrap();
        assert!(fast.overlaps(&bodies).against(&index).run().unwrap() == plain, "seed {seed}");
        let mut in_parts = Vec::new();
        fast.overlaps(&bodies).margin(margin).for_each_part(|part| in_parts.extend(part.iter())).unwrap();
        assert!(seed % 3 == 0 || in_parts.into_iter().eq(expected.iter()), "seed {seed}");
    }
    assert!(pairs > 5000, "{pairs} pairs, {touching} touch");
}

#[test]
fn coincident_bodies_are_all_reported() {
    let mut bodies = Bodies::new();
    bodies
        .extend(vec![Obb::new([1.0; 3], [1.0; 3], glam::Quat::from_xyzw(1.0, 2.0, 3.0, 4.0)).unwrap(); 3000])
        .unwrap();
    let found = cpu(2).overlaps(&bodies).run().unwrap();
    assert_eq!(found.len(), 4_498_500);
    let all = (0..3000).flat_map(|a| (a + 1..3000).map(move |b| (a, b)));
    assert!(found.pairs().eq(all) && found.iter().all(|(_, _, r)| r == Relation::Overlapping));
    let mut points = Bodies::new();
    points.extend(vec![Sphere::new([1e30; 3], 0.0).unwrap(); 100]).unwrap();
    let found = cpu(2).overlaps(&points).run().unwrap();
    assert_eq!((found.len(), found.relation(0, 1)), (4950, Relation::Touching));
}

#[test]
fn no_bodies_and_one_body_make_no_pairs() {
    let mut bodies = Bodies::new();
    for engine in [cpu(1), cpu(3), brute()] {
        assert!(engine.overlaps(&bodies).run().unwrap().is_empty());
        assert_eq!(engine.overlaps(&bodies).run().unwrap().offsets(), [0]);
        assert!(engine.overlaps(&bodies).against(&bodies).run().unwrap().is_empty());
        assert!(engine.candidates(&bodies).run().unwrap().is_empty());
        assert!(engine.cull(&bodies, &[]).run().unwrap().is_empty());
        assert!(engine.relations(&bodies, &[]).run().unwrap().is_empty());
        assert!(engine.overlaps(&engine.index(&bodies).unwrap()).run().unwrap().is_empty());
    }
    bodies.push(Sphere::default()).unwrap();
    for engine in [cpu(1), cpu(3), brute()] {
        assert!(engine.overlaps(&bodies).run().unwrap().is_empty());
        assert_eq!(engine.overlaps(&bodies).run().unwrap().offsets(), [0, 0]);
        assert_eq!(engine.overlaps(&bodies).against(&bodies).run().unwrap().pairs().collect::<Vec<_>>(), [(0, 0)]);
        assert_eq!(engine.relations(&bodies, &[[0, 0]]).run().unwrap(), [Relation::Touching]);
    }
}

#[test]
fn coordinates_of_any_size_are_answered() {
    for scale in [-120, -60, 0, 40, 60, 100] {
        let unit = 2_f32.powi(scale);
        let mut bodies = Bodies::new();
        for i in 0..500_u16 {
            let x = f32::from(i) * unit;
            bodies
                .push(Obb::new([x, -x, unit], [unit / 2.0; 3], glam::Quat::from_xyzw(0.0, 0.0, unit, 0.0)).unwrap())
                .unwrap();
        }
        bodies.push(Aabb::new([-f32::MAX; 3], [f32::MAX; 3]).unwrap()).unwrap();
        bodies.push(Sphere::new([0.0; 3], 2_f32.powi(41)).unwrap()).unwrap();
        let (fast, slow) = (cpu(2).overlaps(&bodies).run().unwrap(), brute().overlaps(&bodies).run().unwrap());
        assert!(fast == slow, "2^{scale}");
        assert!(fast.len() >= 499 + 501);
    }
}

#[test]
fn traits_decide_who_meets() {
    let ball = Sphere::new([0.0; 3], 1.0).unwrap();
    let meets = |a: Traits, b: Traits| {
        let mut bodies = Bodies::new();
        bodies.push_with(ball, a).unwrap();
        bodies.push_with(ball, b).unwrap();
        let found = [cpu(1), brute()].map(|engine| engine.overlaps(&bodies).run().unwrap().len());
        assert_eq!(found[0], found[1]);
        found[0] == 1
    };
    let plain = Traits::new();
    assert!(meets(plain, plain));
    assert!(!meets(plain.layer(2).mask(1), plain.layer(2)), "both must agree");
    assert!(!meets(plain.layer(2), plain.layer(1).mask(1)));
    assert!(meets(plain.layer(2).mask(4), plain.layer(4).mask(2)));
    assert!(!meets(plain.layer(0), plain));
    assert!(
        !meets(plain.group(3), plain.group(3)) && meets(plain.group(3), plain.group(4)) && meets(plain.group(3), plain)
    );
    assert!(!meets(plain.world(1), plain) && meets(plain.world(9), plain.world(9)));
    assert!(!meets(plain.fixed(true), plain.fixed(true)) && meets(plain.fixed(true), plain));
}

#[test]
fn excluded_and_disabled_bodies_do_not_meet() {
    let mut bodies = Bodies::new();
    bodies.extend(vec![Sphere::new([0.0; 3], 1.0).unwrap(); 4]).unwrap();
    bodies.exclude(2, 0).unwrap();
    bodies.disable(3).unwrap();
    let found = |bodies: &Bodies| cpu(1).overlaps(bodies).run().unwrap().pairs().collect::<Vec<_>>();
    assert_eq!(found(&bodies), [(0, 1), (1, 2)]);
    bodies.enable(3).unwrap();
    assert!(bodies.include(0, 2) && !bodies.include(0, 2));
    assert_eq!(found(&bodies).len(), 6);
}

#[test]
fn culling_equals_the_sides_of_each_body() {
    let bodies = random(5, 800).unwrap();
    let planes = [Plane::new([1.0, 0.2, 0.0], 2.0).unwrap(), Plane::new([-0.3, -1.0, 0.5], 1.0).unwrap()];
    let sides = cpu(2).cull(&bodies, &planes).run().unwrap();
    let mut seen = [0; 3];
    for (i, found) in sides.into_iter().enumerate() {
        let shape = bodies.shape(i as u32).unwrap();
        let expected = planes.iter().map(|plane| query::side(&shape, plane)).max().unwrap();
        let expected = if bodies.is_enabled(i as u32).unwrap() { expected } else { Side::Outside };
        assert_eq!(found, expected);
        seen[found as usize] += 1;
    }
    let zero: Plane = bytemuck::cast([0_u32; 4]);
    let error = cpu(1).cull(&bodies, &[planes[0], zero]).run().unwrap_err();
    assert_eq!(error.to_string(), "plane 1: normal is (0, 0, 0), which has no direction; give any non-zero normal");
}

#[test]
fn what_cannot_be_had_is_an_error() {
    let bodies = random(1, 10).unwrap();
    let len = bodies.len();
    assert_eq!(cpu(1).relations(&bodies, &[[0, 1], [1, 99]]).run(), Err(Error::NoSuchBody { index: 99, len }));
    assert_eq!(cpu(1).info().backend, BackendKind::Cpu);
    assert_eq!(cpu(3).info().threads, 3);
}

#[test]
fn engines_are_shared_between_threads() {
    fn check<T: Send + Sync>() {}
    check::<Engine>();
    check::<tangency::Index>();
    check::<Bodies>();
    let engine = cpu(2);
    let bodies = Scene::Mixed.build(2000, 1).unwrap();
    let expected = engine.overlaps(&bodies).run().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert!(engine.overlaps(&bodies).run().unwrap() == expected));
        }
    });
}

#[test]
fn results_are_reused_and_async_forms_agree() {
    let engine = cpu(2);
    let mut out = Overlaps::new();
    for seed in 0..5 {
        let bodies = random(seed, 300).unwrap();
        engine.overlaps(&bodies).run_into(&mut out).unwrap();
        let plain = engine.overlaps(&bodies).run().unwrap();
        assert!(out == plain);
        assert!(pollster::block_on(engine.overlaps(&bodies).into_future()).unwrap() == plain);
        let between = pollster::block_on(engine.overlaps(&bodies).against(&bodies).into_future()).unwrap();
        assert!(between == engine.overlaps(&bodies).against(&bodies).run().unwrap());
        let candidates = pollster::block_on(engine.candidates(&bodies).into_future()).unwrap();
        assert_eq!(candidates, engine.candidates(&bodies).run().unwrap());
        let relations = pollster::block_on(engine.relations(&bodies, &candidates.to_vec()).into_future()).unwrap();
        assert_eq!(relations, engine.relations(&bodies, &candidates.to_vec()).run().unwrap());
        let planes = [Plane::new([0.0, 1.0, 0.0], 1.0).unwrap()];
        assert_eq!(
            pollster::block_on(engine.cull(&bodies, &planes).into_future()),
            engine.cull(&bodies, &planes).run()
        );
    }
}

#[test]
fn rows_are_the_pairs() {
    let bodies = Scene::Granular.build(500, SEED).unwrap();
    let found = cpu(1).overlaps(&bodies).run().unwrap();
    assert_eq!(found.offsets().len(), 501);
    let rows = (0..500).flat_map(|a| found.partners(a).map(move |b| (a, b)));
    assert!(rows.eq(found.pairs()));
    assert!(found.pairs().all(|(a, b)| a < b));
    assert_eq!(found.row(10_000), found.len()..found.len());
    assert!((&found).into_iter().eq(found.iter()));
}
