//! The GPU backend through the public API, on the first adapter there is.

use std::sync::LazyLock;

use crate::engines::is_long;
use crate::golden::{GOLDEN, STANDARD};
use tangency::scenes::{SEED, Scene, random};
use tangency::shape::{Aabb, Plane, Sphere};
use tangency::{BackendKind, Bodies, Builder, Engine, Error, Overlaps, Relation};

/// An engine on the first adapter that can compute; none where there is no adapter, which `TANGENCY_REQUIRE_GPU=1` forbids.
fn gpu_with(make: impl Fn(Builder) -> Builder) -> Option<Engine> {
    if tangency::adapters().iter().any(|adapter| adapter.compute) {
        let engine = make(Engine::builder().backend(BackendKind::Gpu)).build().unwrap();
        assert_eq!(engine.info().backend, BackendKind::Gpu);
        return Some(engine);
    }
    assert_ne!(std::env::var("TANGENCY_REQUIRE_GPU").as_deref(), Ok("1"), "there is no adapter");
    println!("NOT RUN: this machine has no adapter");
    None
}

/// One for all tests that need nothing else: kernels are compiled once.
fn gpu() -> Option<&'static Engine> {
    static SHARED: LazyLock<Option<Engine>> = LazyLock::new(|| gpu_with(|builder| builder));
    SHARED.as_ref()
}

fn cpu() -> Engine {
    Engine::builder().backend(BackendKind::Cpu).build().unwrap()
}

#[test]
fn the_scenes_have_their_answers() {
    let Some(engine) = gpu() else { return };
    println!("{:?}", engine.info());
    for (scene, hits, hash, fingerprint) in GOLDEN {
        let found = engine.overlaps(&scene.build(20_000, SEED).unwrap()).run().unwrap();
        let known = (found.len(), found.pairs_fingerprint(), found.fingerprint());
        assert_eq!(known, (hits, hash, fingerprint), "{}", scene.name());
    }
    for (n, candidates, hits, hash, fingerprint) in &STANDARD[..2] {
        let found = engine.overlaps(&Scene::Uniform.build(*n, SEED).unwrap()).run().unwrap();
        assert_eq!((found.len(), found.pairs_fingerprint(), found.fingerprint()), (*hits, *hash, *fingerprint), "{n}");
        // Outward-rounded bounds add a few candidates, and lose none.
        assert!((*candidates..candidates + candidates / 1000).contains(&found.stats().candidates));
        // A few of 100,000 are left to exact arithmetic.
        assert!(found.stats().undecided < 100);
    }
}

#[test]
fn no_bodies_and_one_body_make_no_pairs() {
    let Some(engine) = gpu() else { return };
    let mut bodies = Bodies::new();
    assert_eq!(engine.overlaps(&bodies).run().unwrap().offsets(), [0]);
    assert!(engine.overlaps(&bodies).against(&bodies).run().unwrap().is_empty());
    assert!(engine.candidates(&bodies).run().unwrap().is_empty());
    assert!(engine.cull(&bodies, &[]).run().unwrap().is_empty());
    assert!(engine.relations(&bodies, &[]).run().unwrap().is_empty());
    assert!(engine.overlaps(&engine.index(&bodies).unwrap()).run().unwrap().is_empty());
    bodies.push(Sphere::default()).unwrap();
    assert_eq!(engine.overlaps(&bodies).run().unwrap().offsets(), [0, 0]);
    assert_eq!(engine.overlaps(&bodies).against(&bodies).run().unwrap().pairs().collect::<Vec<_>>(), [(0, 0)]);
    assert_eq!(engine.overlaps(&bodies).against(&Bodies::new()).run().unwrap().offsets(), [0, 0]);
    assert_eq!(engine.relations(&bodies, &[[0, 0]]).run().unwrap(), [Relation::Touching]);
    assert_eq!(engine.cull(&bodies, &[]).run().unwrap().len(), 1);
    bodies.disable(0).unwrap();
    assert!(engine.overlaps(&bodies).against(&bodies).run().unwrap().is_empty());
}

#[test]
fn every_form_of_a_query_agrees() {
    let Some(engine) = gpu() else { return };
    let cpu = cpu();
    let planes = [Plane::new([0.3, 1.0, 0.0], 1.0).unwrap()];
    let mut out = Overlaps::new();
    for seed in 0..if is_long() { 6 } else { 2 } {
        let (bodies, others) = (random(seed, 2000).unwrap(), random(seed + 100, 2000).unwrap());
        let expected = cpu.overlaps(&bodies).run().unwrap();
        engine.overlaps(&bodies).run_into(&mut out).unwrap();
        assert!(out == expected && out.offsets() == expected.offsets());
        assert!(pollster::block_on(engine.overlaps(&bodies).into_future()).unwrap() == expected);
        let between = cpu.overlaps(&bodies).against(&others).run().unwrap();
        engine.overlaps(&bodies).against(&others).run_into(&mut out).unwrap();
        assert!(out == between && out.offsets() == between.offsets());
        assert!(pollster::block_on(engine.overlaps(&bodies).against(&others).into_future()).unwrap() == between);
        let index = engine.index(&others).unwrap();
        assert!(engine.overlaps(&bodies).against(&index).run().unwrap() == between);
        assert!(engine.overlaps(&index).run().unwrap() == cpu.overlaps(&others).run().unwrap());
        assert!(engine.overlaps(&bodies).against(&index).run().unwrap() == between);
        let candidates = engine.candidates(&bodies).run().unwrap();
        assert_eq!(pollster::block_on(engine.candidates(&bodies).into_future()).unwrap(), candidates);
        let relations = cpu.relations(&bodies, &candidates.to_vec()).run().unwrap();
        assert_eq!(engine.relations(&bodies, &candidates.to_vec()).run().unwrap(), relations);
        assert_eq!(
            pollster::block_on(engine.relations(&bodies, &candidates.to_vec()).into_future()).unwrap(),
            relations
        );
        let sides = cpu.cull(&bodies, &planes).run().unwrap();
        assert_eq!(engine.cull(&bodies, &planes).run().unwrap(), sides);
        assert_eq!(pollster::block_on(engine.cull(&bodies, &planes).into_future()).unwrap(), sides);
        assert!(engine.verify(&bodies).unwrap().is_ok());
    }
    let last = random(5, 2000).unwrap();
    assert!(matches!(engine.relations(&last, &[[0, 1 << 30]]).run(), Err(Error::NoSuchBody { .. })));
    let none: Plane = bytemuck::cast([0_u32; 4]);
    assert!(matches!(engine.cull(&last, &[none]).run(), Err(Error::InvalidPlane { index: 0, .. })));
}

#[test]
fn an_engine_is_shared_between_threads() {
    let Some(engine) = gpu() else { return };
    let bodies: Vec<Bodies> = (0..4).map(|seed| random(seed + 40, 1500).unwrap()).collect();
    let index = engine.index(&bodies[0]).unwrap();
    std::thread::scope(|scope| {
        for k in 0..4 {
            let (index, bodies) = (&index, &bodies);
            scope.spawn(move || {
                for _ in 0..3 {
                    assert!(engine.overlaps(&bodies[k]).run().unwrap() == cpu().overlaps(&bodies[k]).run().unwrap());
                    let expected = cpu().overlaps(&bodies[k]).against(&bodies[0]).run().unwrap();
                    assert!(engine.overlaps(&bodies[k]).against(index).run().unwrap() == expected);
                }
            });
        }
    });
}

#[test]
fn stages_can_run_as_their_twins() {
    let bodies = Scene::Stacks.build(1500, 2).unwrap();
    let expected = cpu().overlaps(&bodies).run().unwrap();
    let stages = [
        "curve_keys",
        "sort_scatter",
        "gather",
        "build_tree",
        "find_pairs",
        "aabb_aabb_pairs",
        "row_offsets_sum",
        "row_offsets",
        "scatter_hits",
        "sort_rows",
    ];
    // Each in turn if there is time for so many devices, otherwise every second of them, and then the others.
    let alone = stages.chunks(1).map(<[&str]>::to_vec);
    let halves = (0..2).map(|first| stages.iter().copied().skip(first).step_by(2).collect());
    let choices: Vec<Vec<&str>> = if is_long() { alone.collect() } else { halves.collect() };
    for twins in choices {
        let Some(engine) = gpu_with(|builder| builder.twins(twins.clone())) else { return };
        assert!(engine.overlaps(&bodies).run().unwrap() == expected, "{twins:?}");
    }
    for backend in [BackendKind::Gpu, BackendKind::Cpu, BackendKind::BruteForce, BackendKind::Auto] {
        let error = Engine::builder().backend(backend).twins(["no such"]).build().unwrap_err();
        assert_eq!(error, Error::NoSuchStage { name: "no such".to_owned() });
    }
}

#[test]
fn what_does_not_fit_is_an_error_that_says_how_much() {
    let Some(engine) = gpu_with(|builder| builder.memory_budget(1 << 20)) else { return };
    let few = Scene::Uniform.build(1000, 1).unwrap();
    assert!(engine.overlaps(&few).run().unwrap() == cpu().overlaps(&few).run().unwrap());
    let many = Scene::Uniform.build(50_000, 1).unwrap();
    let error = engine.overlaps(&many).run().unwrap_err();
    assert!(matches!(error, Error::DeviceMemory { needed, limit, .. } if needed > limit), "{error}");
    // Not even what one cluster finds has room.
    let mut crowd = Bodies::new();
    crowd.extend(vec![Sphere::new([0.0; 3], 1.0).unwrap(); 6000]).unwrap();
    assert!(matches!(engine.overlaps(&crowd).run(), Err(Error::DeviceMemory { .. })));
    // The engine is as good as before.
    assert!(engine.overlaps(&few).run().unwrap() == cpu().overlaps(&few).run().unwrap());
    // An adapter that was asked for does not leave it to the CPU either, whatever the backend.
    let adapter = tangency::adapters().iter().position(|adapter| adapter.compute).unwrap();
    let asked = Engine::builder().adapter(adapter).memory_budget(1 << 20).build().unwrap();
    assert!(matches!(asked.overlaps(&many).run(), Err(Error::DeviceMemory { .. })));
    assert!(asked.overlaps(&few).run().unwrap() == cpu().overlaps(&few).run().unwrap());
}

#[test]
fn a_stage_is_measured_where_the_device_has_a_clock() {
    let Some(engine) = gpu_with(|builder| builder.profile(true)) else { return };
    let mut bodies = Bodies::new();
    bodies
        .extend((0..3000_u16).map(|i| Aabb::new([f32::from(i), 0.0, 0.0], [f32::from(i) + 1.0, 1.0, 1.0]).unwrap()))
        .unwrap();
    let found = engine.overlaps(&bodies).run().unwrap();
    let stages: Vec<&str> = found.stats().stages.iter().map(|(name, _)| *name).collect();
    assert!(stages.contains(&"settle"), "{stages:?}");
    assert!(
        stages.contains(&"device")
            || ["curve_keys", "sort", "gather", "build_tree", "find_pairs"].iter().all(|s| stages.contains(s))
    );
}
