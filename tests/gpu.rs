//! The GPU backend through the public API, on the first adapter there is.
#![cfg(feature = "gpu")]

#[path = "common/golden.rs"]
mod golden;

use golden::{GOLDEN, STANDARD};
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

fn gpu() -> Option<Engine> {
    gpu_with(|builder| builder)
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
    for seed in 0..6 {
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
            let (engine, index, bodies) = (&engine, &index, &bodies);
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
fn a_device_of_the_caller_is_used() {
    if gpu().is_none() {
        return;
    }
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
    let Some(adapter) = adapters.first() else { return };
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor::default())).unwrap();
    let engine = Engine::builder().device(device, queue).build().unwrap();
    assert_eq!((engine.info().backend, engine.info().why.as_str()), (BackendKind::Gpu, "given by the caller"));
    let bodies = Scene::Mixed.build(3000, 2).unwrap();
    assert!(engine.overlaps(&bodies).run().unwrap() == cpu().overlaps(&bodies).run().unwrap());
}

#[test]
fn stages_can_run_as_their_twins() {
    let bodies = Scene::Stacks.build(1500, 2).unwrap();
    let expected = cpu().overlaps(&bodies).run().unwrap();
    for stage in [
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
    ] {
        let Some(engine) = gpu_with(|builder| builder.twins([stage])) else { return };
        assert!(engine.overlaps(&bodies).run().unwrap() == expected, "{stage}");
    }
    let error = Engine::builder().backend(BackendKind::Gpu).twins(["no such"]).build().unwrap_err();
    assert_eq!(error, Error::NoSuchStage { name: "no such".to_owned() });
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
    // Who asked for the best there is gets the answer all the same.
    let adapter = tangency::adapters().iter().position(|adapter| adapter.compute).unwrap();
    let auto = Engine::builder().adapter(adapter).memory_budget(1 << 20).build().unwrap();
    assert_eq!(auto.info().backend, BackendKind::Gpu);
    assert!(auto.overlaps(&many).run().unwrap() == cpu().overlaps(&many).run().unwrap());
}

#[test]
fn an_adapter_that_is_not_there_is_an_error() {
    let error = Engine::builder().backend(BackendKind::Gpu).adapter(999).build().unwrap_err();
    assert!(matches!(error, Error::BackendUnavailable { backend: "gpu", .. }), "{error}");
    // The best there is never fails for want of a GPU.
    let engine = Engine::new().unwrap();
    let hardware = tangency::adapters().iter().any(|adapter| adapter.hardware && adapter.compute);
    assert_eq!(
        engine.info().backend,
        if hardware { BackendKind::Gpu } else { BackendKind::Cpu },
        "{:?}",
        engine.info()
    );
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
        stages == ["upload", "device", "settle"]
            || ["curve_keys", "sort", "gather", "build_tree", "find_pairs"].iter().all(|s| stages.contains(s))
    );
}

/// Work that the CPU has done before a GPU is ready is left to it, unless the GPU was asked for.
#[test]
fn few_bodies_do_not_wait_for_a_gpu() {
    let Some(adapter) = tangency::adapters().into_iter().find(|adapter| adapter.compute) else { return };
    let engine = Engine::builder().adapter(adapter.index).build().unwrap();
    assert_eq!(engine.info().backend, BackendKind::Gpu);
    let mut out = Overlaps::new();
    for (n, on_gpu) in [(1000, false), (5000, true)] {
        let bodies = Scene::Uniform.build(n, SEED).unwrap();
        engine.overlaps(&bodies).run_into(&mut out).unwrap();
        let ran = out.stats().stages.iter().any(|(name, _)| *name == "device");
        assert_eq!(ran, on_gpu, "{n} bodies: {:?}", out.stats().stages);
        assert_eq!(out, cpu().overlaps(&bodies).run().unwrap());
    }
}

/// What sets a limit to a value.
type Lower = fn(&mut wgpu::Limits, u32);

/// A caller's device that grants less than others, with a handler of the caller's for its errors: the engine is refused with the name of
/// the limit, or answers rightly, or says what it has no room for.
#[test]
fn a_device_with_lowered_limits_is_refused_or_right() {
    if gpu().is_none() {
        return;
    }
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
    let Some(adapter) = adapters.first() else { return };
    let bodies = Scene::Mixed.build(2000, 2).unwrap();
    let expected = cpu().overlaps(&bodies).run().unwrap();
    let limits: [(Lower, &[u32]); 14] = [
        (|limits, value| limits.max_bind_groups = value, &[0, 1]),
        (|limits, value| limits.max_bindings_per_bind_group = value, &[1, 7, 8, 9, 10]),
        (|limits, value| limits.max_storage_buffers_per_shader_stage = value, &[0, 1, 4, 6, 7, 8]),
        (|limits, value| limits.max_uniform_buffers_per_shader_stage = value, &[0, 1, 2]),
        (|limits, value| limits.max_buffers_and_acceleration_structures_per_shader_stage = value, &[1, 8, 9, 10]),
        (|limits, value| limits.max_uniform_buffer_binding_size = value.into(), &[16, 64, 256, 1024]),
        (|limits, value| limits.max_storage_buffer_binding_size = value.into(), &[16, 1024, 1 << 14, 1 << 17, 1 << 20]),
        (|limits, value| limits.max_buffer_size = value.into(), &[16, 1024, 1 << 14, 1 << 17, 1 << 20]),
        (|limits, value| limits.max_compute_workgroup_storage_size = value, &[0, 64, 8192, 16383, 16384]),
        (|limits, value| limits.max_compute_invocations_per_workgroup = value, &[1, 64, 128, 255, 256]),
        (|limits, value| limits.max_compute_workgroup_size_x = value, &[1, 64, 255, 256]),
        (|limits, value| limits.max_compute_workgroup_size_y = value, &[0, 1]),
        (|limits, value| limits.max_compute_workgroup_size_z = value, &[0, 1]),
        (|limits, value| limits.max_compute_workgroups_per_dimension = value, &[0, 1, 100, 255, 256, 65_534]),
    ];
    let (mut refused, mut without_room, mut right) = (0, 0, 0);
    for (lower, values) in limits {
        for value in values {
            let mut required_limits = wgpu::Limits::default();
            lower(&mut required_limits, *value);
            let descriptor = wgpu::DeviceDescriptor { required_limits, ..Default::default() };
            // What wgpu itself does not make is no device.
            let Ok((device, queue)) = pollster::block_on(adapter.request_device(&descriptor)) else { continue };
            device.on_uncaptured_error(std::sync::Arc::new(|error| println!("    the caller sees: {error}")));
            match Engine::builder().backend(BackendKind::Gpu).device(device, queue).build() {
                Err(Error::BackendUnavailable { reason, .. }) => {
                    assert!(reason.contains("max_"), "{reason}");
                    refused += 1;
                }
                Err(error) => panic!("{error}"),
                Ok(engine) => match engine.overlaps(&bodies).run() {
                    Ok(found) => {
                        assert!(found == expected, "{value}: a wrong answer");
                        right += 1;
                    }
                    Err(Error::DeviceMemory { .. }) => without_room += 1,
                    Err(error) => panic!("{value}: {error}"),
                },
            }
        }
    }
    println!("{refused} devices refused, {without_room} without room, {right} right");
    assert!(refused >= 20 && without_room >= 4 && right >= 8);
}
