//! Many requests at once, futures that are dropped, and no threads at all, on every backend.

#![cfg_attr(not(feature = "gpu"), allow(unused_imports, reason = "device memory is only lost where there is a device"))]

use std::fmt::Debug;
use std::future::{Future, IntoFuture, poll_fn};
use std::pin::pin;
use std::time::{Duration, Instant};

use tangency::batch::Answer;
use tangency::scenes::{Scene, random};
use tangency::shape::Sphere;
use tangency::{BackendKind, Bodies, Engine, Error, Overlaps};

#[path = "common/engines.rs"]
mod engines;
use engines::{ENGINES, brute, builders, in_time, is_long, let_dropped_work_end, planes, poll_once, together};

/// How far a future comes before it is dropped.
#[derive(Clone, Copy, Debug)]
enum Dropped {
    Unpolled,
    PolledOnce,
    Midway,
}

const DROPPED: [Dropped; 3] = [Dropped::Unpolled, Dropped::PolledOnce, Dropped::Midway];

impl Dropped {
    fn drop<T: Debug>(self, mut future: Answer<'_, T>) {
        if !matches!(self, Self::Unpolled) {
            let _ = poll_once(&mut future);
        }
        if matches!(self, Self::Midway) {
            std::thread::sleep(Duration::from_micros(300));
            // It may have been done by now.
            let _ = poll_once(&mut future);
        }
        drop(future);
    }
}

#[test]
fn dropped_futures_leave_the_engine_usable() {
    let planes = planes();
    for (name, engine) in &*ENGINES {
        let mut bodies = random(31, 900).unwrap();
        let index = engine.index(&bodies).unwrap();
        let indexed = brute().overlaps(&bodies).run().unwrap();
        for (round, dropped) in (0_u8..).zip([DROPPED; 3].concat()) {
            let what = format!("{name}, {dropped:?}, round {round}");
            let pairs = [[0, 1], [1, 0]];
            dropped.drop(engine.overlaps(&bodies).into_future());
            dropped.drop(engine.overlaps(&bodies).against(&index).into_future());
            dropped.drop(engine.overlaps(&index).into_future());
            dropped.drop(engine.candidates(&index).into_future());
            dropped.drop(engine.relations(&bodies, &pairs).into_future());
            dropped.drop(engine.cull(&bodies, &planes).into_future());
            // What was asked about may be changed at once, and what is asked then is about the change.
            bodies.set_shape(0, Sphere::new([f32::from(round), 0.0, 0.0], 5.0).unwrap()).unwrap();
            bodies.push(Sphere::new([f32::from(round); 3], 1.0).unwrap()).unwrap();
            let expected = brute().overlaps(&bodies).run().unwrap();
            assert!(engine.overlaps(&bodies).run().unwrap() == expected, "{what}");
            assert!(pollster::block_on(engine.overlaps(&bodies).into_future()).unwrap() == expected, "{what}");
            assert!(engine.overlaps(&index).run().unwrap() == indexed, "{what}");
        }
    }
    let_dropped_work_end();
}

/// Bodies are free to be changed as soon as an answer is there.
#[test]
fn bodies_change_after_each_answer() {
    for (name, engine) in &*ENGINES {
        let mut bodies = random(33, 500).unwrap();
        for round in 0..6_u8 {
            bodies.set_shape(u32::from(round), Sphere::new([f32::from(round), 1.0, 0.0], 4.0).unwrap()).unwrap();
            let found = pollster::block_on(async { engine.overlaps(&bodies).await }).unwrap();
            assert!(found == brute().overlaps(&bodies).run().unwrap(), "{name}, {round}");
        }
    }
}

/// With room for a few queries only, a hundred that were dropped leave as much as there was before.
#[test]
#[cfg(feature = "gpu")]
fn dropped_futures_leak_no_device_memory() {
    let bodies = Scene::Uniform.build(3000, 1).unwrap();
    let expected = brute().overlaps(&bodies).run().unwrap();
    for (name, builder) in builders().into_iter().skip(2) {
        let with = |bytes: u64| builder.clone().memory_budget(bytes).build().unwrap();
        let enough = |bytes: &u64| with(*bytes).overlaps(&bodies).run().is_ok();
        let needed = (17..30).map(|bits| 1 << bits).find(enough).expect("a budget that is enough");
        let engine = with(4 * needed);
        for dropped in [DROPPED; 12].concat() {
            let index = engine.index(&bodies).unwrap();
            dropped.drop(engine.overlaps(&bodies).into_future());
            dropped.drop(engine.overlaps(&index).into_future());
            dropped.drop(engine.candidates(&bodies).against(&index).into_future());
        }
        // What is under way still holds memory until it has come to its end, unseen.
        let start = Instant::now();
        let found = loop {
            match engine.overlaps(&bodies).run() {
                Err(Error::DeviceMemory { .. }) if start.elapsed() < Duration::from_secs(60) => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                found => break found,
            }
        };
        assert!(found.unwrap() == expected, "{name}");
        // And a few at once have room again.
        std::thread::sleep(Duration::from_millis(100));
        for _ in 0..3 {
            assert!(engine.overlaps(&bodies).run().unwrap() == expected, "{name}");
        }
    }
    let_dropped_work_end();
}

#[test]
fn eight_requests_at_once_have_the_answers_of_one_by_one() {
    for number in 0..ENGINES.len() {
        let name = ENGINES[number].0.clone();
        in_time(&name.clone(), move || {
            let engine = &ENGINES[number].1;
            let sets: Vec<Bodies> = (0..8).map(|seed| random(seed + 60, 1200).unwrap()).collect();
            let single: Vec<Overlaps> = sets.iter().map(|set| engine.overlaps(set).run().unwrap()).collect();
            let first = engine.index(&sets[0]).unwrap();
            for round in 0..2 {
                let all = sets.iter().map(|set| engine.overlaps(set).into_future()).collect();
                let found = together(all).into_iter().map(Result::unwrap);
                assert!(found.zip(&single).all(|(found, single)| found == *single), "{name}, round {round}");
                // All of one index, which the first round prepares at the same time.
                let all = sets.iter().map(|set| engine.overlaps(set).against(&first).into_future()).collect();
                for (set, found) in sets.iter().zip(together(all)) {
                    let expected = engine.overlaps(set).against(&sets[0]).run().unwrap();
                    assert!(found.unwrap() == expected, "{name}, round {round}");
                }
            }
        });
    }
}

/// Requests of one index that nobody has asked yet: one of them prepares it, on whatever thread, and the others wait for that.
#[test]
fn an_index_is_prepared_while_many_ask() {
    for threads in [1, 2, 4] {
        in_time(&format!("{threads} threads"), move || {
            let engine = Engine::builder().backend(BackendKind::Cpu).threads(threads).build().unwrap();
            let bodies = Scene::Uniform.build(9000, 1).unwrap();
            let expected = engine.overlaps(&bodies).run().unwrap();
            for _ in 0..if is_long() { 20 } else { 5 } {
                let index = engine.index(&bodies).unwrap();
                std::thread::scope(|scope| {
                    // One blocks, and the others wait without blocking.
                    scope.spawn(|| assert!(engine.overlaps(&index).run().unwrap() == expected));
                    let all = (0..8).map(|_| engine.overlaps(&index).into_future()).collect();
                    assert!(together(all).into_iter().all(|found| found.unwrap() == expected));
                });
            }
        });
    }
}

/// While a query is under way, another future of the same thread goes on.
#[test]
fn an_executor_is_not_blocked() {
    let bodies = Scene::Uniform.build(60_000, 1).unwrap();
    for threads in [1, 2] {
        let engine = Engine::builder().backend(BackendKind::Cpu).threads(threads).build().unwrap();
        let mut request = pin!(engine.overlaps(&bodies).into_future());
        let mut polls = 0;
        let found = pollster::block_on(poll_fn(|context| {
            // The other future: it is always ready to go on.
            polls += 1;
            context.waker().wake_by_ref();
            request.as_mut().poll(context)
        }));
        assert!(found.unwrap() == engine.overlaps(&bodies).run().unwrap());
        assert!(polls > 10, "{polls} polls with {threads} threads");
    }
}

/// Answers of more than a few pages, of more queries than an engine keeps memory for: none is read where another query writes.
#[test]
fn large_answers_at_once_are_those_of_one_by_one() {
    let bodies = random(1, 20_000).unwrap();
    for (name, engine) in ENGINES.iter().filter(|(name, _)| name != BackendKind::BruteForce.name()) {
        let hits = engine.overlaps(&bodies).run().unwrap();
        let candidates = engine.candidates(&bodies).run().unwrap();
        for round in 0..if is_long() { 2 } else { 1 } {
            std::thread::scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| assert!(engine.candidates(&bodies).run().unwrap() == candidates, "{name}, {round}"));
                    scope.spawn(|| assert!(engine.overlaps(&bodies).run().unwrap() == hits, "{name}, {round}"));
                }
            });
        }
    }
}

/// Sixty-four threads ask one engine at once, each about a set of its own and about one that all share, and drop some of what they asked.
#[test]
fn sixty_four_threads_share_an_engine() {
    for number in 0..ENGINES.len() {
        in_time(&ENGINES[number].0, move || {
            let (name, engine) = &ENGINES[number];
            let shared = random(5, 300).unwrap();
            let index = engine.index(&shared).unwrap();
            let (hits, contacts) = (brute().overlaps(&shared).run().unwrap(), brute().contacts(&shared).run().unwrap());
            std::thread::scope(|scope| {
                for thread in 0..64_u64 {
                    let (hits, contacts, shared, index) = (&hits, &contacts, &shared, &index);
                    scope.spawn(move || {
                        let own = random(1000 + thread, 60).unwrap();
                        let expected = brute().overlaps(&own).run().unwrap();
                        for round in 0..if is_long() { 2 } else { 1 } {
                            let dropped = DROPPED[(thread + round) as usize % 3];
                            dropped.drop(engine.overlaps(shared).into_future());
                            assert!(engine.overlaps(&own).run().unwrap() == expected, "{name}");
                            match (thread + round) % 4 {
                                0 => assert!(engine.overlaps(shared).run().unwrap() == *hits, "{name}"),
                                1 => assert!(engine.contacts(shared).run().unwrap() == *contacts, "{name}"),
                                2 => assert!(engine.overlaps(index).run().unwrap() == *hits, "{name}"),
                                _ => {
                                    let found = pollster::block_on(engine.overlaps(index).into_future());
                                    assert!(found.unwrap() == *hits, "{name}");
                                }
                            }
                        }
                    });
                }
            });
            assert_eq!(engine.info().failures, 0, "{name}");
        });
    }
    let_dropped_work_end();
}

/// Threads that share an engine on OpenGL, whose kernels are still to be compiled: each call of the driver waits until another has ended, for
/// seconds while that compiles, and none may be given up. (Beside another interface only if there is time.)
#[test]
#[cfg(feature = "gpu")]
fn threads_wait_for_their_turn_on_opengl() {
    let bodies = random(7, 400).unwrap();
    let (hits, contacts) = (brute().overlaps(&bodies).run().unwrap(), brute().contacts(&bodies).run().unwrap());
    for (name, builder) in builders().into_iter().filter(|(name, _)| name.starts_with("gl:")) {
        let engine = builder.build().unwrap();
        std::thread::scope(|scope| {
            for thread in 0..6 {
                let (engine, bodies, hits, contacts, name) = (&engine, &bodies, &hits, &contacts, &name);
                scope.spawn(move || {
                    for round in 0..3 {
                        if (thread + round) % 2 == 0 {
                            assert!(engine.overlaps(bodies).run().unwrap() == *hits, "{name}");
                        } else {
                            assert!(engine.contacts(bodies).run().unwrap() == *contacts, "{name}");
                        }
                        // What it has uploaded is dropped while others have their turn.
                        drop(engine.index(bodies).map(|index| engine.overlaps(&index).run()));
                    }
                });
            }
        });
        assert_eq!(engine.info().failures, 0, "{name}: {:?}", engine.info().last_failure);
    }
}

/// Bytes that buffers of a device have now, by the word of its allocator.
#[cfg(feature = "gpu")]
fn allocated(device: &wgpu::Device) -> Option<u64> {
    device.generate_allocator_report().map(|report| report.allocations.iter().map(|allocation| allocation.size).sum())
}

/// Eight threads share a budget of device memory: whenever one looks, no more is allocated than that, what the queue uploads with
/// included. Each gets the right answer, or is told that there is no room.
#[test]
#[cfg(feature = "gpu")]
fn eight_threads_keep_to_a_budget() {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
    let Some(adapter) = adapters.first() else { return };
    let sets: Vec<Bodies> =
        (0..8).map(|seed| Scene::Uniform.build(8_000 + 1000 * seed as usize, seed).unwrap()).collect();
    let expected: Vec<u64> = sets
        .iter()
        .map(|set| {
            Engine::builder()
                .backend(BackendKind::Cpu)
                .build()
                .unwrap()
                .overlaps(set)
                .run()
                .unwrap()
                .pairs_fingerprint()
        })
        .collect();
    for mebibytes in [4, 16] {
        let descriptor = wgpu::DeviceDescriptor { required_limits: adapter.limits(), ..Default::default() };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).unwrap();
        let engine = Engine::builder().device(device.clone(), queue).memory_budget(mebibytes << 20).build().unwrap();
        // The device's own.
        let _ = device.poll(wgpu::PollType::wait_indefinitely());
        let Some(before) = allocated(&device) else { return };
        let (most, done, refused) = (AtomicU64::new(0), AtomicBool::new(false), AtomicU64::new(0));
        let watch = || most.fetch_max(allocated(&device).unwrap_or_default(), Ordering::Relaxed);
        std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    watch();
                    std::thread::sleep(Duration::from_micros(200));
                }
            });
            let threads: Vec<_> = sets
                .iter()
                .zip(&expected)
                .map(|(set, expected)| {
                    let (engine, refused, watch) = (&engine, &refused, &watch);
                    scope.spawn(move || {
                        for _ in 0..3 {
                            match engine.overlaps(set).run() {
                                Ok(found) => assert_eq!(found.pairs_fingerprint(), *expected),
                                Err(Error::DeviceMemory { .. }) => _ = refused.fetch_add(1, Ordering::Relaxed),
                                Err(error) => panic!("{error}"),
                            }
                            watch();
                        }
                    })
                })
                .collect();
            for thread in threads {
                thread.join().unwrap();
            }
            done.store(true, Ordering::Relaxed);
            watcher.join().unwrap();
        });
        let (most, refused) = (most.into_inner().saturating_sub(before), refused.into_inner());
        println!("{mebibytes} MiB: {most} bytes at most, {refused} of 24 queries refused");
        assert!(most <= mebibytes << 20, "{most} bytes of {mebibytes} MiB");
        assert!(refused < 24, "{refused} of 24 refused with {mebibytes} MiB");
    }
}

/// Asks in a process in which no thread can be started. Started by the test below.
#[test]
#[ignore = "started by engines_work_where_no_thread_can_be_started"]
fn without_threads() {
    assert!(std::thread::Builder::new().spawn(|| ()).is_err(), "a thread was started");
    let bodies = Scene::Uniform.build(20_000, 1).unwrap();
    for builder in [Engine::builder(), Engine::builder().backend(BackendKind::Cpu)] {
        let engine = builder.build().unwrap();
        assert_eq!(engine.info().threads, 1);
        let found = engine.overlaps(&bodies).run().unwrap();
        assert!(pollster::block_on(async { engine.overlaps(&bodies).await }).unwrap() == found);
        assert_eq!(found.len(), engine.contacts(&bodies).run().unwrap().len());
        println!("{:016x}", found.pairs_fingerprint());
    }
    let error = Engine::builder().backend(BackendKind::Cpu).threads(3).build().unwrap_err();
    assert!(matches!(error, Error::Threads { threads: 3, .. }) || cfg!(not(feature = "rayon")), "{error}");
}

/// Where the operating system refuses threads, an engine that was not asked for so many does without.
#[test]
#[cfg(target_os = "linux")]
fn engines_work_where_no_thread_can_be_started() {
    // Stacks that no address space has room for.
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "without_threads", "--ignored", "--nocapture", "--test-threads=1"])
        .env("RUST_MIN_STACK", (1_u64 << 47).to_string())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success(), "{said}{}", String::from_utf8_lossy(&child.stderr));
    let bodies = Scene::Uniform.build(20_000, 1).unwrap();
    let engine = Engine::builder().backend(BackendKind::Cpu).threads(2).build().unwrap();
    let hash = format!("{:016x}", engine.overlaps(&bodies).run().unwrap().pairs_fingerprint());
    assert_eq!(said.matches(&hash).count(), 2, "{said}");
}
