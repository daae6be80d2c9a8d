//! Which engine is built, and who answers: the adapter or the device that was asked for, or an error that says why not.

use std::pin::pin;
use std::task::{Context, Waker};

use crate::engines::{ENGINES, brute, builders, is_long, planes};
use tangency::scenes::{Scene, random};
use tangency::shape::Sphere;
use tangency::{Adapter, BackendKind, Bodies, Builder, Engine, Error, Overlaps};

fn cpu() -> Engine {
    Engine::builder().backend(BackendKind::Cpu).build().unwrap()
}

/// The adapters that can compute, of OpenGL beside another interface only if there is time; there may be none, which
/// `TANGENCY_REQUIRE_GPU=1` forbids.
fn able() -> Vec<Adapter> {
    let mut able: Vec<Adapter> = tangency::adapters().into_iter().filter(|adapter| adapter.compute).collect();
    let all_interfaces = is_long() || able.iter().all(|adapter| adapter.backend == "gl");
    able.retain(|adapter| all_interfaces || adapter.backend != "gl");
    let required = std::env::var("TANGENCY_REQUIRE_GPU").is_ok_and(|value| value == "1");
    assert!(!required || !able.is_empty(), "there is no adapter");
    if able.is_empty() {
        println!("NOT RUN: this machine has no adapter");
    }
    able
}

/// The same, as a caller with a device of its own finds them.
fn wgpu_adapters(backends: wgpu::Backends) -> Vec<wgpu::Adapter> {
    let descriptor = wgpu::InstanceDescriptor { backends, ..wgpu::InstanceDescriptor::new_without_display_handle() };
    let found = pollster::block_on(wgpu::Instance::new(descriptor).enumerate_adapters(backends));
    let computes = |adapter: &wgpu::Adapter| {
        adapter.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS)
    };
    found.into_iter().filter(computes).collect()
}

/// A row of balls, each of which touches the next.
fn row(n: u16) -> Bodies {
    let mut bodies = Bodies::new();
    bodies.extend((0..n).map(|k| Sphere::new([f32::from(k), 0.0, 0.0], 0.5).unwrap())).unwrap();
    bodies
}

/// Whether a GPU gave this answer.
fn is_from_gpu(found: &Overlaps) -> bool {
    found.stats().stages.iter().any(|(name, _)| *name == "device")
}

/// Work that compiles kernels was done by a GPU.
fn compiles(engine: &Engine, work: impl FnOnce()) -> bool {
    let before = engine.kernels_compiled().0;
    work();
    engine.kernels_compiled().0 > before
}

#[test]
fn an_adapter_that_was_asked_for_answers_everything() {
    let bodies = row(3);
    for adapter in able() {
        let engine = Engine::builder().adapter(adapter.index).build().unwrap();
        let info = engine.info();
        assert_eq!((info.backend, info.adapter.as_ref()), (BackendKind::Gpu, Some(&adapter.name)));
        assert_eq!(info.cpu_up_to, Some(0));
        assert!(info.why.starts_with(&format!("asked for: {}, ", adapter.backend)), "{}", info.why);
        let found = engine.overlaps(&bodies).run().unwrap();
        assert!(is_from_gpu(&found), "{:?}", found.stats());
        assert_eq!(found.to_vec(), [[0, 1], [1, 2]]);
        assert!(compiles(&engine, || {
            let pairs = [[0, 1], [0, 2]];
            let expected = cpu().relations(&bodies, &pairs).run().unwrap();
            assert_eq!(engine.relations(&bodies, &pairs).run().unwrap(), expected);
        }));
        assert!(compiles(&engine, || {
            let expected = cpu().cull(&bodies, &planes()).run().unwrap();
            assert_eq!(engine.cull(&bodies, &planes()).run().unwrap(), expected);
        }));
        assert!(compiles(&engine, || {
            assert_eq!(engine.candidates(&bodies).run().unwrap().to_vec(), [[0, 1], [1, 2]]);
        }));
    }
}

#[test]
fn an_adapter_that_cannot_be_used_is_an_error() {
    for backend in [BackendKind::Auto, BackendKind::Gpu] {
        let absent = Engine::builder().backend(backend).adapter(999);
        for result in [absent.clone().build(), pollster::block_on(absent.build_async())] {
            let Err(Error::BackendUnavailable { backend: "gpu", reason }) = result else { panic!("{result:?}") };
            assert!(reason.contains("there is no adapter 999"), "{reason}");
        }
    }
    for adapter in tangency::adapters().into_iter().filter(|adapter| !adapter.compute) {
        let error = Engine::builder().adapter(adapter.index).build().unwrap_err();
        assert!(matches!(error, Error::BackendUnavailable { backend: "gpu", .. }), "{error}");
    }
    // The best there is never fails for want of a GPU.
    let hardware = tangency::adapters().iter().any(|adapter| adapter.compute && adapter.hardware);
    let engine = Engine::new().unwrap();
    let expected = if hardware { (BackendKind::Gpu, Some(Builder::CPU_UP_TO)) } else { (BackendKind::Cpu, None) };
    assert_eq!((engine.info().backend, engine.info().cpu_up_to), expected, "{:?}", engine.info());
}

#[test]
fn wishes_that_exclude_each_other_are_an_error() {
    let backends = [
        (BackendKind::Cpu, "backend(BackendKind::Cpu)"),
        (BackendKind::BruteForce, "backend(BackendKind::BruteForce)"),
    ];
    for (backend, one) in backends {
        let error = Engine::builder().adapter(0).backend(backend).build().unwrap_err();
        assert_eq!(error, Error::Contradiction { one, other: "adapter(…)" });
        assert_eq!(
            error.to_string(),
            format!("an engine cannot have both .{one} and .adapter(…); leave one of them out")
        );
    }
    let adapters = wgpu_adapters(wgpu::Backends::PRIMARY);
    let Some(adapter) = adapters.first() else { return };
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor::default())).unwrap();
    let given = Engine::builder().device(device, queue);
    for (backend, one) in backends {
        let error = given.clone().backend(backend).build().unwrap_err();
        assert_eq!(error, Error::Contradiction { one, other: "device(…)" });
    }
    let error = given.adapter(0).build().unwrap_err();
    assert_eq!(error, Error::Contradiction { one: "adapter(…)", other: "device(…)" });
}

/// Work that the CPU has done before a GPU is ready can be left to it.
#[test]
fn the_cpu_answers_up_to_the_number_that_was_set() {
    let Some(adapter) = able().into_iter().next() else { return };
    let engine = Engine::builder().adapter(adapter.index).cpu_up_to(100).build().unwrap();
    assert_eq!((engine.info().backend, engine.info().cpu_up_to), (BackendKind::Gpu, Some(100)));
    let overlaps = |n: u16, other: Option<u16>| {
        let (bodies, other) = (row(n), other.map(row));
        let ask = |engine: &Engine| match &other {
            Some(other) => engine.overlaps(&bodies).against(other).run().unwrap(),
            None => engine.overlaps(&bodies).run().unwrap(),
        };
        let found = ask(&engine);
        assert!(found == ask(&cpu()));
        is_from_gpu(&found)
    };
    assert!(!overlaps(1, None) && !overlaps(100, None) && overlaps(101, None));
    // Two sets count together.
    assert!(!overlaps(50, Some(50)) && overlaps(50, Some(51)) && overlaps(51, Some(50)));
    // Of relations the pairs count, of other queries the bodies.
    let bodies = row(200);
    let pairs: Vec<[u32; 2]> = (0..101).map(|k| [k, k + 1]).collect();
    let relations = |pairs: &[[u32; 2]]| {
        compiles(&engine, || {
            let expected = cpu().relations(&bodies, pairs).run().unwrap();
            assert_eq!(engine.relations(&bodies, pairs).run().unwrap(), expected);
        })
    };
    assert!(!relations(&pairs[..100]) && relations(&pairs));
    let cull = |n| compiles(&engine, || drop(engine.cull(&row(n), &planes()).run().unwrap()));
    assert!(!cull(100) && cull(101));
    let candidates = |n| compiles(&engine, || drop(engine.candidates(&row(n)).run().unwrap()));
    assert!(!candidates(100) && candidates(101));
    // It does not make the CPU answer for what the GPU fails at.
    let small = Engine::builder().adapter(adapter.index).cpu_up_to(100).memory_budget(1000).build().unwrap();
    assert_eq!(small.overlaps(&row(100)).run().unwrap().len(), 99);
    assert!(matches!(small.overlaps(&row(101)).run(), Err(Error::DeviceMemory { .. })));
}

#[test]
fn a_device_of_the_caller_is_used_like_one_of_our_own() {
    let bodies = Scene::Mixed.build(1500, 2).unwrap();
    let expected = cpu().overlaps(&bodies).run().unwrap();
    let mut tried = 0;
    for adapter in wgpu_adapters(wgpu::Backends::PRIMARY | wgpu::Backends::GL) {
        let info = adapter.get_info();
        let same = |other: &Adapter| other.name == info.name && other.backend == info.backend.to_string();
        let Some(index) = able().into_iter().find(same).map(|found| found.index) else { continue };
        let own = Engine::builder().adapter(index).build().unwrap();
        let device = |required_features, required_limits| {
            let descriptor = wgpu::DeviceDescriptor { required_features, required_limits, ..Default::default() };
            pollster::block_on(adapter.request_device(&descriptor))
        };
        let given = |(device, queue), portable| {
            let engine = Engine::builder().device(device, queue).portable(portable).build().unwrap();
            let info = engine.info();
            assert_eq!((info.backend, info.cpu_up_to), (BackendKind::Gpu, Some(0)));
            assert_eq!(info.adapter, own.info().adapter);
            assert_eq!(info.why.strip_prefix("given by the caller"), own.info().why.strip_prefix("asked for"));
            let found = engine.overlaps(&bodies).run().unwrap();
            assert!(is_from_gpu(&found) && found == expected, "{:?}", engine.info());
            assert!(is_from_gpu(&engine.overlaps(&row(2)).run().unwrap()));
            (info.subgroups, info.doubles)
        };
        let used = (own.info().subgroups, own.info().doubles);
        println!("{}: subgroups and f64 {used:?}", own.info().why);
        let all = adapter.features() - wgpu::Features::all_experimental_mask();
        assert_eq!(given(device(all, adapter.limits()).unwrap(), false), used, "all features");
        let some = adapter.features() & Builder::DEVICE_FEATURES;
        assert_eq!(given(device(some, adapter.limits()).unwrap(), false), used, "those that are used");
        assert_eq!(given(device(some, adapter.limits()).unwrap(), true), (false, false), "portable");
        // Not every adapter grants the default limits.
        if let Ok(device) = device(wgpu::Features::empty(), wgpu::Limits::default()) {
            assert_eq!(given(device, false), (false, false), "no features");
        }
        tried += 1;
    }
    assert_eq!(tried, able().len());
}

/// Warming up does not block, may be dropped under way, and may be asked for again. (Engines of its own compile all kernels once more: if there
/// is time. Otherwise those that other tests share, of whose kernels some are compiled by then.)
#[test]
fn after_warming_up_no_kernel_is_compiled() {
    fn moves<T: Send>(value: T) -> T {
        value
    }
    let (bodies, others) = (random(3, 2500).unwrap(), random(4, 700).unwrap());
    let (judge, planes) = (brute(), planes());
    let own: Vec<(String, Engine)> =
        builders().into_iter().filter(|_| is_long()).map(|(name, builder)| (name, builder.build().unwrap())).collect();
    for (name, engine) in if is_long() { &own } else { &*ENGINES } {
        let all = engine.kernels_compiled().1;
        assert_eq!(all > 0, engine.info().backend == BackendKind::Gpu);
        assert!(!is_long() || engine.kernels_compiled().0 == 0, "{name}");
        // One that is dropped under way, and a query beside it.
        let _ = pin!(engine.warm_up_async()).as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert_eq!(engine.overlaps(&row(3)).run().unwrap().len(), 2);
        pollster::block_on(moves(engine.warm_up_async())).unwrap();
        assert_eq!(engine.kernels_compiled(), (all, all), "{name}");
        let overlaps = engine.overlaps(&bodies).run().unwrap();
        assert!(overlaps == judge.overlaps(&bodies).run().unwrap(), "{name}");
        let between = engine.overlaps(&others).against(&bodies).run().unwrap();
        assert!(between == judge.overlaps(&others).against(&bodies).run().unwrap(), "{name}");
        let candidates = engine.candidates(&bodies).run().unwrap();
        let relations = engine.relations(&bodies, &candidates.to_vec()).run().unwrap();
        assert_eq!(relations, judge.relations(&bodies, &candidates.to_vec()).run().unwrap(), "{name}");
        assert_eq!(relations.iter().filter(|relation| relation.is_hit()).count(), overlaps.len(), "{name}");
        let sides = engine.cull(&bodies, &planes).run().unwrap();
        assert_eq!(sides, judge.cull(&bodies, &planes).run().unwrap(), "{name}");
        engine.warm_up().unwrap();
        assert_eq!(engine.kernels_compiled(), (all, all), "{name}");
    }
}

/// Where there is no room, the GPU that was asked for says so.
#[test]
fn without_room_no_engine_warms_up() {
    let Some(adapter) = able().into_iter().next() else { return };
    let small = Engine::builder().adapter(adapter.index).memory_budget(100).build().unwrap();
    assert!(matches!(small.warm_up(), Err(Error::DeviceMemory { limit: 0..=100, .. })));
    assert!(matches!(pollster::block_on(small.warm_up_async()), Err(Error::DeviceMemory { .. })));
}

/// What sets a limit to a value.
type Lower = fn(&mut wgpu::Limits, u32);

/// A caller's device that grants less than others, with a handler of the caller's for its errors: the engine is refused with the name of
/// the limit, or answers rightly, or says what it has no room for.
#[test]
fn a_device_with_lowered_limits_is_refused_or_right() {
    let adapters = wgpu_adapters(wgpu::Backends::PRIMARY);
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
        // (Each value opens a device, whose kernels are compiled: every other one, unless there is time.)
        for value in values.iter().step_by(if is_long() { 1 } else { 2 }) {
            let mut required_limits = wgpu::Limits::default();
            lower(&mut required_limits, *value);
            let descriptor = wgpu::DeviceDescriptor { required_limits, ..Default::default() };
            // What wgpu itself does not make is no device.
            let Ok((device, queue)) = pollster::block_on(adapter.request_device(&descriptor)) else { continue };
            device.on_uncaptured_error(std::sync::Arc::new(|error| println!("    the caller sees: {error}")));
            match Engine::builder().device(device, queue).build() {
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
    let [least_refused, least_without, least_right] = if is_long() { [20, 4, 8] } else { [12, 2, 2] };
    assert!(refused >= least_refused && without_room >= least_without && right >= least_right);
}

/// A caller's device that is destroyed: an error, from every call, with no handler of the caller's for what nobody handles.
#[test]
fn a_destroyed_device_is_an_error() {
    let bodies = Scene::Mixed.build(600, 2).unwrap();
    for adapter in wgpu_adapters(wgpu::Backends::PRIMARY) {
        let descriptor = wgpu::DeviceDescriptor { required_limits: adapter.limits(), ..Default::default() };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).unwrap();
        let engine = Engine::builder().device(device.clone(), queue.clone()).build().unwrap();
        let index = engine.index(&bodies).unwrap();
        let expected = cpu().overlaps(&bodies).run().unwrap();
        assert!(engine.overlaps(&bodies).run().unwrap() == expected);
        assert!(engine.overlaps(&index).run().unwrap() == expected);
        assert_eq!((engine.info().failures, engine.info().last_failure), (0, None));
        device.destroy();
        let mut moved = bodies.clone();
        moved.set_shape(0, Sphere::new([0.0; 3], 1.0).unwrap()).unwrap();
        for asked in 1..4 {
            for result in [
                engine.overlaps(&bodies).run().map(drop),
                engine.overlaps(&moved).run().map(drop),
                engine.overlaps(&index).run().map(drop),
                engine.contacts(&bodies).run().map(drop),
                engine.relations(&bodies, &[[0, 1]]).run().map(drop),
                engine.cull(&bodies, &planes()).run().map(drop),
                pollster::block_on(async { engine.candidates(&bodies).await }).map(drop),
                engine.warm_up(),
            ] {
                assert!(matches!(result, Err(Error::Device { .. })), "{result:?}");
            }
            assert_eq!(engine.info().failures, 8 * asked);
        }
        // Another engine on it is refused, or says the same.
        match Engine::builder().device(device, queue).build() {
            Ok(engine) => assert!(matches!(engine.overlaps(&bodies).run(), Err(Error::Device { .. }))),
            Err(error) => assert!(matches!(error, Error::BackendUnavailable { .. })),
        }
    }
}
