//! Answers in parts: all of them one after the other are the whole answer, on every backend, in bounded memory.

#[path = "common/engines.rs"]
mod engines;

use std::ops::ControlFlow;

use engines::{ENGINES, builders, is_long};
use tangency::scenes::Scene;
use tangency::shape::{Aabb, Sphere};
use tangency::{BackendKind, Bodies, Builder, Engine, Error, Manifold, Relation, Traits};

/// The engines that are tested: not OpenGL in software, which is the same program as Vulkan in software, and slower.
fn engines() -> impl Iterator<Item = &'static (String, Engine)> {
    ENGINES.iter().filter(|(name, _)| !name.starts_with("gl:"))
}

/// The same without brute force, made anew.
fn fast() -> impl Iterator<Item = (String, Builder)> {
    builders().into_iter().filter(|(name, _)| name != BackendKind::BruteForce.name() && !name.starts_with("gl:"))
}

/// So many bodies in one place.
fn coincident(n: usize) -> Bodies {
    let mut bodies = Bodies::new();
    bodies.extend(vec![Aabb::new([0.0; 3], [1.0; 3]).unwrap(); n]).unwrap();
    bodies
}

/// A set with everything that decides about pairs: kinds, worlds, layers, groups, exclusions, holes and disabled bodies.
fn motley(seed: u64, n: usize) -> Bodies {
    let mut bodies = Scene::Mixed.build(n, seed).unwrap();
    for id in (0..n as u32).step_by(3) {
        let traits = Traits::new().world(id % 4).layer(1 << (id % 3)).group(id % 5);
        bodies.set_traits(id, if id % 9 == 0 { traits.in_every_world() } else { traits }).unwrap();
    }
    let hits = Engine::builder().backend(BackendKind::Cpu).build().unwrap().overlaps(&bodies).run().unwrap();
    for (a, b) in hits.pairs().step_by(7) {
        bodies.exclude(a, b).unwrap();
    }
    for id in (0..n as u32).step_by(31) {
        bodies.disable(id).unwrap();
    }
    for id in (5..n as u32).step_by(43) {
        bodies.remove(id).unwrap();
    }
    bodies
}

#[test]
fn parts_are_the_whole_answer() {
    let own = motley(7, 600);
    let other = motley(8, 300);
    for (name, engine) in engines() {
        let index = engine.index(&other).unwrap();
        for only in [false, true] {
            let request = || if only { engine.overlaps(&own).overlapping_only() } else { engine.overlaps(&own) };
            let (mut found, mut parts) = (Vec::new(), 0);
            request()
                .for_each_part(|rows| {
                    assert!(!rows.is_empty() && rows.offsets().last() == Some(&(rows.len() as u32)));
                    found.extend(rows.iter());
                    parts += 1;
                })
                .unwrap();
            assert!(request().run().unwrap().iter().eq(found.iter().copied()), "{name}");
            assert!(parts > 1, "{name}: {parts} parts");
        }
        let mut found: Vec<(u32, u32, Relation)> = Vec::new();
        engine.overlaps(&own).against(&other).for_each_part(|rows| found.extend(rows)).unwrap();
        assert!(engine.overlaps(&own).against(&other).run().unwrap().iter().eq(found.iter().copied()), "{name}");
        found.clear();
        engine.overlaps(&own).against(&index).for_each_part(|rows| found.extend(rows)).unwrap();
        assert!(engine.overlaps(&own).against(&index).run().unwrap().iter().eq(found), "{name}, index");
        let mut pairs = Vec::new();
        engine.candidates(&own).for_each_part(|rows| pairs.extend(rows.to_vec())).unwrap();
        // How many candidates there are beside the hits depends on how they are searched for.
        let hits = engine.overlaps(&own).run().unwrap();
        assert!(pairs.is_sorted() && hits.pairs().all(|(a, b)| pairs.binary_search(&[a, b]).is_ok()), "{name}");
    }
}

/// Parts of 256, 1,024 and 200 rows, the last of which is no larger than the memory of those before.
#[test]
fn parts_are_right_in_memory_that_is_used_again() {
    let bodies = Scene::Mixed.build(1480, 9).unwrap();
    for (name, engine) in engines().filter(|(name, _)| name != BackendKind::BruteForce.name()) {
        let (mut found, mut parts) = (Vec::new(), 0);
        let add = |rows: &tangency::Overlaps| {
            found.extend(rows.iter());
            parts += 1;
        };
        engine.overlaps(&bodies).for_each_part(add).unwrap();
        assert!(engine.overlaps(&bodies).run().unwrap().iter().eq(found), "{name}");
        assert_eq!(parts, 3, "{name}");
    }
}

#[test]
fn contacts_in_parts_have_the_same_bits() {
    let own = motley(17, 300);
    let mut other = Scene::Mixed.build(200, 3).unwrap();
    other.set_traits(3, Traits::new().in_every_world()).unwrap();
    for (name, engine) in engines() {
        let mut found: Vec<Manifold> = Vec::new();
        let mut take = |part: &tangency::Contacts| {
            assert!(part.pairs().pairs().eq(part.manifolds().iter().map(|contact| (contact.a(), contact.b()))));
            found.extend(part.manifolds());
        };
        engine.contacts(&own).for_each_part(&mut take).unwrap();
        engine.contacts(&own).against(&other).for_each_part(&mut take).unwrap();
        let mut expected = engine.contacts(&own).run().unwrap().manifolds().to_vec();
        expected.extend(engine.contacts(&own).against(&other).run().unwrap().manifolds());
        assert!(!expected.is_empty() && found == expected, "{name}");
    }
}

/// Many bodies with few pairs, then a few with so many that the parts must become smaller.
#[test]
fn parts_stay_small_where_pairs_are_many() {
    let mut bodies = Bodies::new();
    bodies.extend((0..3000_u16).map(|k| Sphere::new([3.0 * f32::from(k), 9.0, 0.0], 1.0).unwrap())).unwrap();
    bodies.extend(vec![Aabb::new([0.0; 3], [1.0; 3]).unwrap(); 4500]).unwrap();
    for (name, builder) in fast().filter(|(name, _)| is_long() || name == BackendKind::Cpu.name()) {
        let engine = builder.build().unwrap();
        let (mut pairs, mut largest, mut last) = (0_u64, 0, (0, 0));
        engine
            .overlaps(&bodies)
            .for_each_part(|rows| {
                let first = rows.pairs().next().unwrap();
                assert!(first > last, "{name}: {first:?} after {last:?}");
                last = rows.pairs().last().unwrap();
                pairs += rows.len() as u64;
                largest = largest.max(rows.len());
            })
            .unwrap();
        assert_eq!(pairs, 4500 * 4499 / 2, "{name}");
        assert!(largest <= 1 << 22, "{name}: {largest}");
    }
}

#[test]
fn a_caller_who_has_seen_enough_is_given_no_more() {
    let bodies = coincident(600);
    for (name, engine) in engines().filter(|(name, _)| name != BackendKind::BruteForce.name()) {
        let mut calls = 0;
        let stopped = engine.overlaps(&bodies).try_for_each_part(|rows| {
            calls += 1;
            if calls == 2 { ControlFlow::Break(rows.pairs().next()) } else { ControlFlow::Continue(()) }
        });
        let Ok(ControlFlow::Break(Some((a, b)))) = stopped else { panic!("{name}: {stopped:?}") };
        assert!(calls == 2 && a > 0 && b == a + 1, "{name}");
        // What panics is the caller's own.
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            engine.overlaps(&bodies).for_each_part(|_| panic!("on purpose"))
        }));
        assert_eq!(panicked.expect_err("a panic").downcast_ref(), Some(&"on purpose"));
        assert_eq!(engine.info().failures, 0, "{name}");
    }
}

/// An answer that memory cannot hold is refused, with its pairs and bytes; in parts it can be had.
#[test]
fn an_answer_that_is_too_large_is_refused() {
    let bodies = coincident(700);
    let all = 700 * 699 / 2;
    for (name, builder) in fast() {
        let engine = builder.host_memory_budget(2_000_000).build().unwrap();
        for error in [
            engine.overlaps(&bodies).run().map(drop),
            engine.candidates(&bodies).run().map(drop),
            engine.contacts(&bodies).run().map(drop),
            engine.overlaps(&bodies).against(&bodies).run().map(drop),
        ] {
            let Err(Error::AnswerTooLarge { pairs, needed, limit }) = error else { panic!("{name}: {error:?}") };
            assert!(pairs <= 2 * all + 700 && needed > limit && (1_990_000..=2_000_000).contains(&limit), "{name}");
        }
        let mut pairs = 0;
        engine.overlaps(&bodies).for_each_part(|rows| pairs += rows.len() as u64).unwrap();
        assert_eq!(pairs, all, "{name}");
        // And the engine is as good as before.
        assert_eq!(engine.overlaps(&coincident(100)).run().unwrap().len(), 4950, "{name}");
    }
}

/// The most memory that this process has had so far, where the system tells.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024 * line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?)
}

/// More pairs than there is room for in a gibibyte, in less than that. In a process of its own, whose memory is measured.
#[test]
#[ignore = "started by more_pairs_than_memory, once for each backend"]
fn pairs_of_one_backend() {
    let Ok(index) = std::env::var("TANGENCY_STREAM_BACKEND") else { return };
    let (name, builder) = builders().swap_remove(index.parse().unwrap());
    let n: u64 = std::env::var("TANGENCY_STREAM_BODIES").unwrap().parse().unwrap();
    let (bodies, start) = (coincident(n as usize), std::time::Instant::now());
    let engine = builder.build().unwrap();
    let (mut pairs, mut parts) = (0_u64, 0);
    let count = |rows: &tangency::Overlaps| {
        pairs += rows.len() as u64;
        parts += 1;
    };
    engine.overlaps(&bodies).for_each_part(count).unwrap();
    assert_eq!(pairs, n * (n - 1) / 2, "{name}");
    let (seconds, peak) = (start.elapsed().as_secs_f64(), peak().unwrap_or_default());
    println!("{name}: {pairs} pairs in {parts} parts, {seconds:.1} s, {} MiB at most", peak >> 20);
    assert!(peak < 1 << 30, "{name}: {peak} bytes");
}

/// 145 million pairs on the CPU, 34 million on an adapter in software, which takes ten times as long; as many as so many bodies have with
/// `TANGENCY_STREAM_BODIES` (45,000 have a billion).
#[test]
fn more_pairs_than_memory() {
    if !is_long() {
        println!("NOT RUN: takes minutes; TANGENCY_TEST_LONG=1");
        return;
    }
    for (index, (name, _)) in builders().into_iter().enumerate() {
        // Brute force would take hours; OpenGL in software is the same program as Vulkan in software.
        if name == BackendKind::BruteForce.name() || name.starts_with("gl:") {
            continue;
        }
        let is_software = ["llvmpipe", "SwiftShader"].iter().any(|program| name.contains(program));
        let usual = if is_software { "8200" } else { "17000" };
        let bodies = std::env::var("TANGENCY_STREAM_BODIES").unwrap_or(usual.to_owned());
        let status = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "pairs_of_one_backend", "--ignored", "--nocapture"])
            .env("TANGENCY_STREAM_BACKEND", index.to_string())
            .env("TANGENCY_STREAM_BODIES", bodies)
            .status()
            .unwrap();
        assert!(status.success(), "{name}");
    }
}
