//! Uploads of changed sets: all changes reach the device, and little else is uploaded.

use super::super::Gpu;
use super::super::bodies::MANY_RANGES;
use super::super::bodies::poses::LEAST;
use super::super::device::DeviceRequest;
use super::super::workspace::Workspace;
use super::answers::assert_same;
use super::queries::{brute_force, overlaps};
use crate::hash::mix;
use crate::parallel::Pool;
use crate::scenes::{SEED, Scene, random};
use crate::shape::{Aabb, Pose, Shape, Sphere};
use crate::{BackendKind, Bodies, Changes, Engine, Traits};

/// Changed ranges are uploaded, and not the whole set, whichever way uploads take.
pub(super) fn only_changes_are_uploaded(gpu: &Gpu, pool: &Pool) {
    let cpu = cpu();
    let expected = |bodies: &Bodies| cpu.overlaps(bodies).run().expect("an answer");
    for (frugal, large) in [(false, 0), (true, 5)] {
        let mut workspace = if frugal { Workspace::new().frugal() } else { Workspace::new() };
        let mut bodies = Scene::Uniform.build(4500, SEED).expect("a scene");
        overlaps(gpu, &mut workspace, pool, (None, &bodies));
        let before = workspace.uploaded();
        let seen = bodies.revision();
        bodies.set_shape(17, Sphere::new([1.0; 3], 2.0).expect("a ball")).expect("it exists");
        bodies.set_shape(4499, Sphere::new([4.0; 3], 2.0).expect("a ball")).expect("it exists");
        bodies.disable(100).expect("it exists");
        assert_ne!(bodies.changes_since(seen), Changes::All);
        let found = overlaps(gpu, &mut workspace, pool, (None, &bodies));
        assert_same(&found, &expected(&bodies), "after changes");
        let uploaded = workspace.uploaded() - before;
        assert!((120..1000).contains(&uploaded), "{uploaded} bytes uploaded for three bodies");
        bodies.exclude(4000, 4001).expect("both exist");
        overlaps(gpu, &mut workspace, pool, (None, &bodies));
        let before = workspace.uploaded();
        bodies.remove(4000).expect("it exists");
        let found = overlaps(gpu, &mut workspace, pool, (None, &bodies));
        assert_same(&found, &expected(&bodies), "without one body");
        assert_eq!(
            workspace.uploaded() - before,
            44,
            "one record and a word of tags; its exclusions stay where they are"
        );
        bodies.remove(5).expect("it exists");
        bodies.remove(9).expect("it exists");
        bodies.push(Sphere::new([2.0; 3], 1.0).expect("a ball")).expect("room");
        bodies.compact();
        let found = overlaps(gpu, &mut workspace, pool, (None, &bodies));
        assert_same(&found, &expected(&bodies), "after removals");
        assert_eq!(workspace.large_uploads(), large);
    }
}

/// Of bodies that only moved, poses are uploaded: 28 bytes each, for all of them, for many, and among others that have none.
pub(super) fn poses_are_uploaded(gpu: &Gpu, pool: &Pool) {
    let turned = |k: u32| {
        let [x, y, z, w] = [1, 2, 3, 4].map(|lane| (mix(u64::from(k * 5 + lane)) % 1000) as f32 / 500.0 - 1.0);
        Pose::new([x * 12.0, y * 12.0, z * 12.0], glam::Quat::from_xyzw(z, x, w, y)).expect("a pose")
    };
    let cpu = cpu();
    // Through the queue, and through the staging buffer.
    for large in [usize::MAX, 0] {
        let mut workspace = Workspace::new();
        for set in &mut workspace.memory.sets {
            set.large = large;
        }
        for (scene, all) in [(Scene::Uniform, true), (Scene::Mixed, false)] {
            let mut bodies = scene.build(3 * LEAST, SEED).expect("a scene");
            give_traits(&mut bodies);
            let n = bodies.id_bound() as u32;
            for round in 0..4 {
                overlaps(gpu, &mut workspace, pool, (None, &bodies));
                let (before, patches) = (workspace.uploaded(), workspace.patches());
                // All of them, or a part; and in the last round another change among them.
                let ids = if round % 2 == 0 { 0..n } else { 100..100 + 2 * LEAST as u32 };
                let mut moved = 0;
                for id in ids {
                    moved += u64::from(bodies.set_pose(id, turned(id + n * round)).is_ok());
                }
                if round == 3 {
                    bodies.set_shape(200, Aabb::new([0.0; 3], [1.0; 3]).expect("a box")).expect("it exists");
                }
                let found = overlaps(gpu, &mut workspace, pool, (None, &bodies));
                assert_same(
                    &found,
                    &cpu.overlaps(&bodies).run().expect("an answer"),
                    &format!("round {round} of poses"),
                );
                let uploaded = workspace.uploaded() - before;
                if all {
                    assert_eq!(moved, if round % 2 == 0 { u64::from(n) } else { 2 * LEAST as u64 });
                    assert!(uploaded <= 28 * moved + if round == 3 { 200 } else { 0 }, "{uploaded} for {moved} poses");
                }
                assert_eq!(workspace.patches() - patches, u64::from(all), "round {round}");
            }
        }
    }
}

pub(super) fn cpu() -> Engine {
    Engine::builder().backend(BackendKind::Cpu).build().expect("the CPU")
}

/// Gives bodies layers, groups and worlds, and excludes some pairs.
fn give_traits(bodies: &mut Bodies) {
    for id in 0..bodies.id_bound() as u32 {
        bodies.set_traits(id, some_traits(u64::from(id))).expect("it exists");
    }
    for id in 0..200 {
        bodies.exclude(id, id + 1).expect("both exist");
    }
}

fn some_traits(seed: u64) -> Traits {
    let bits = mix(seed) as u32;
    Traits::new().layer(1 << (bits & 1)).mask(1 + (bits >> 4) % 3).group(bits >> 8 & 7).world(bits >> 12 & 1)
}

/// If a hundredth of the bodies has changed, about a hundredth of the bytes is uploaded, for changes side by side or scattered,
/// with traits or without.
pub(super) fn a_hundredth_is_uploaded(gpu: &Gpu, pool: &Pool) {
    const BODIES: u32 = 3000;
    let cpu = cpu();
    for (way, traits, frugal) in [
        ("through the queue", false, false),
        ("staged", false, true),
        ("through the queue, with traits", true, false),
        ("staged, with traits", true, true),
    ] {
        let mut workspace = if frugal { Workspace::new().frugal() } else { Workspace::new() };
        let mut bodies = Scene::Uniform.build(BODIES as usize, SEED).expect("a scene");
        if traits {
            give_traits(&mut bodies);
        }
        overlaps(gpu, &mut workspace, pool, (None, &bodies));
        let all = workspace.uploaded();
        assert_eq!(all, if traits { 57 * 3000 + 8 * 200 } else { 41 * 3000 });
        for (what, step) in [("scattered", 100), ("side by side", 1)] {
            let (before, patches) = (workspace.uploaded(), workspace.patches());
            for k in 0..BODIES / 100 {
                let ball = Sphere::new([k as f32, step as f32, 0.0], 2.0).expect("a ball");
                bodies.set_shape(17 + k * step, ball).expect("it exists");
                if traits {
                    bodies.set_traits(17 + k * step, some_traits(u64::from(k + step))).expect("it exists");
                }
            }
            let found = overlaps(gpu, &mut workspace, pool, (None, &bodies));
            assert_same(&found, &cpu.overlaps(&bodies).run().expect("an answer"), what);
            let uploaded = workspace.uploaded() - before;
            println!("  a hundredth, {what}, {way}: {uploaded} bytes of {all}");
            assert!((all / 102..=all * 13 / 1000).contains(&uploaded), "{what}, {way}: {uploaded} bytes of {all}");
            let patches = workspace.patches() - patches;
            assert_eq!(patches, if step == 1 { 0 } else { 1 + u64::from(traits) }, "{what}, {way}");
        }
        let before = workspace.uploaded();
        bodies.exclude(300, 301).expect("both exist");
        let found = overlaps(gpu, &mut workspace, pool, (None, &bodies));
        assert_same(&found, &cpu.overlaps(&bodies).run().expect("an answer"), "one more exclusion");
        let uploaded = workspace.uploaded() - before;
        // The tags of the two bodies lie in different words.
        assert_eq!(uploaded, if traits { 2 * 56 + 4 + 8 * 201 } else { 2 * 40 + 4 + 8 }, "{way}: one more exclusion");
    }
}

/// Exclusions follow bodies that get other ids, and buffers that were freed are uploaded again.
pub(super) fn exclusions_follow(gpu: &Gpu, pool: &Pool) {
    let mut bodies = Bodies::new();
    bodies.extend(vec![Sphere::new([1.0; 3], 1.0).expect("a ball"); 60]).expect("room");
    bodies.set_traits(7, Traits::new().group(3)).expect("it exists");
    bodies.exclude(0, 1).expect("both exist");
    bodies.exclude(20, 21).expect("both exist");
    let mut workspace = Workspace::new();
    let mut check = |bodies: &Bodies, what: &str| {
        for _ in 0..2 {
            let found = overlaps(gpu, &mut workspace, pool, (None, bodies));
            assert_same(&found, &brute_force((None, bodies)), what);
            workspace.release();
        }
        let found = overlaps(gpu, &mut workspace, pool, (None, bodies));
        assert_same(&found, &brute_force((None, bodies)), what);
    };
    check(&bodies, "excluded");
    // A copy still has the body that is removed here, and its exclusions.
    let copy = bodies.clone();
    bodies.remove(0).expect("it exists");
    check(&bodies, "the first is gone");
    check(&copy, "the copy has it");
    check(&bodies, "the first is gone still");
    bodies.push(Sphere::new([1.0; 3], 1.0).expect("a ball")).expect("room");
    check(&bodies, "another has its id, and no exclusions");
    check(&copy, "the copy has the first");
    bodies.remove(5).expect("it exists");
    bodies.compact();
    check(&bodies, "one in the middle is gone");
    bodies.clear();
    bodies.extend(vec![Sphere::new([1.0; 3], 1.0).expect("a ball"); 60]).expect("room");
    check(&bodies, "all are gone");
}

/// Changes in more ranges than the change log of a small set keeps.
pub(super) fn many_places(gpu: &Gpu, pool: &Pool, n: usize) {
    let cpu = cpu();
    let mut bodies = Scene::Uniform.build(n, SEED).expect("a scene");
    let mut workspace = Workspace::new();
    overlaps(gpu, &mut workspace, pool, (None, &bodies));
    let all = workspace.uploaded();
    // Changes every 33rd body, in random order.
    let changed = n / 33;
    for run in 0..3 {
        let before = workspace.uploaded();
        for k in 0..changed {
            let id = (k * 1009 % changed * 33) as u32;
            let shape = Shape::from(bodies.get((mix((run * n + k) as u64) % n as u64) as usize));
            bodies.set_shape(id, shape).expect("it exists");
        }
        let found = overlaps(gpu, &mut workspace, pool, (None, &bodies));
        assert_same(&found, &cpu.overlaps(&bodies).run().expect("an answer"), "many places");
        let uploaded = workspace.uploaded() - before;
        println!("  {changed} of {n} bodies in different places: {uploaded} bytes of {all}");
        assert_eq!(uploaded, 48 * changed as u64);
    }
    assert_eq!(workspace.patches(), 3);
    // Changes a third of all bodies, in too many ranges to write one by one.
    let before = workspace.uploaded();
    for id in (0..n as u32).filter(|id| id % 40 < 13) {
        let shape = Shape::from(bodies.get((mix(u64::from(id)) % n as u64) as usize));
        bodies.set_shape(id, shape).expect("it exists");
    }
    let found = overlaps(gpu, &mut workspace, pool, (None, &bodies));
    assert_same(&found, &cpu.overlaps(&bodies).run().expect("an answer"), "a third of all");
    assert!(n.div_ceil(40) <= MANY_RANGES || workspace.uploaded() - before == all);
}

/// If the memory budget leaves no room for patches, changes are written one by one.
pub(super) fn without_memory(index: usize, pool: &Pool) {
    const BODIES: usize = 5000;
    let mut bodies = Scene::Uniform.build(BODIES, SEED).expect("a scene");
    let device = |memory: u64| {
        pollster::block_on(Gpu::new(
            DeviceRequest { adapter: Some(index), memory: Some(memory), ..DeviceRequest::default() },
            false,
            &[],
        ))
        .expect("a device")
    };
    let mut workspace = Workspace::new();
    let roomy = device(1 << 30);
    overlaps(&roomy, &mut workspace, pool, (None, &bodies));
    let used = (1 << 30) - roomy.device.budget_left();
    drop((workspace, roomy));
    // A budget so small that patches may not use the rest of it.
    let gpu = device(used + (256 << 10));
    let mut workspace = Workspace::new();
    overlaps(&gpu, &mut workspace, pool, (None, &bodies));
    let before = workspace.uploaded();
    for k in 0..1000_u16 {
        let ball = Sphere::new([f32::from(k), 0.0, 0.0], 0.7).expect("a ball");
        bodies.set_shape(u32::from(k) * 5, ball).expect("it exists");
    }
    let found = overlaps(&gpu, &mut workspace, pool, (None, &bodies));
    assert_same(&found, &brute_force((None, &bodies)), "without memory");
    assert_eq!((workspace.patches(), workspace.uploaded() - before), (0, 44 * 1000));
}

/// Two sets that are changed and queried alternately are not confused.
pub(super) fn sets_in_turn(gpu: &Gpu, pool: &Pool) {
    let ball = |x: f32| Sphere::new([x, 0.0, 0.0], 0.75).expect("a ball");
    let mut sets = [Bodies::new(), Bodies::new()];
    sets[0].extend((0..600_u16).map(|i| ball(f32::from(i)))).expect("room");
    sets[1].extend((0..600_u16).map(|i| ball(f32::from(i % 20) * 3.0))).expect("room");
    let mut workspace = Workspace::new();
    for k in 0..6_u16 {
        let bodies = &mut sets[usize::from(k % 2)];
        bodies.set_shape(u32::from(k), ball(f32::from(k) * 7.0)).expect("it exists");
        let found = overlaps(gpu, &mut workspace, pool, (None, bodies));
        assert_same(&found, &brute_force((None, bodies)), "sets in turn");
        let [a, b] = &sets;
        let (searching, searched) = if k % 3 == 0 { (a, b) } else { (b, a) };
        let expected = brute_force((Some(searching), searched));
        let found = overlaps(gpu, &mut workspace, pool, (Some(searching), searched));
        assert_same(&found, &expected, "two sets in turn");
    }
}

/// Random changes of all kinds, few and many: the answer equals that for a new set with the same bodies.
pub(super) fn random_changes(gpu: &Gpu, pool: &Pool, sets: u64) {
    let mut patches = 0;
    for seed in 0..sets {
        let mut state = mix(seed);
        let mut draw = |below: usize| {
            state = mix(state);
            (state % below.max(1) as u64) as u32
        };
        let mut workspace = if seed % 2 == 0 { Workspace::new() } else { Workspace::new().frugal() };
        workspace.runner.checked = seed == 1;
        let n = if seed == 1 { 250 } else { 400 };
        let mut pair = [
            Scene::ALL[seed as usize % Scene::ALL.len()].build(n, seed).expect("a scene"),
            random(1300 + seed, n).expect("a scene"),
        ];
        let shapes = random(1400 + seed, 700).expect("a scene");
        // Pairs of the first set that are excluded and included again.
        let mut pairs = vec![[0, 1]];
        for round in 0..12 {
            let bodies = &mut pair[usize::from(draw(4) == 0)];
            let many = [1, 5, 30, 40, 60, 200][draw(6) as usize];
            // Mostly kinds of changes that keep the ids of other bodies.
            let kinds = if draw(4) == 0 { 9 } else { 4 };
            for _ in 0..many {
                let ids: Vec<u32> = bodies.iter().map(|body| body.id).collect();
                if ids.len() < 2 {
                    break;
                }
                let id = ids[draw(ids.len()) as usize];
                match draw(kinds) {
                    0 | 1 => bodies.set_shape(id, shapes.get(draw(shapes.id_bound()) as usize)).expect("it exists"),
                    2 => bodies.set_traits(id, some_traits(u64::from(draw(1000)))).expect("it exists"),
                    3 if bodies.is_enabled(id).expect("it exists") => bodies.disable(id).expect("it exists"),
                    3 => bodies.enable(id).expect("it exists"),
                    4 => drop(bodies.push(Aabb::new([0.0; 3], [1.0; 3]).expect("a box")).expect("room")),
                    5 => bodies.remove(id).expect("it exists"),
                    7 => drop(bodies.set_pose(id, Pose::at([2.0; 3]).expect("a pose"))),
                    6 => {
                        let [a, b] = pairs[draw(pairs.len()) as usize];
                        if !bodies.include(a, b) {
                            // One of the two bodies may have been removed.
                            drop(bodies.exclude(a, b));
                        }
                    }
                    _ => drop(bodies.set_shapes(id, [shapes.get(0)])),
                }
            }
            if draw(8) == 0 {
                bodies.compact();
            }
            if draw(8) == 0 {
                workspace.release();
            }
            let [a, b] = &pair;
            let what = format!("changes {seed}, round {round}");
            let found = overlaps(gpu, &mut workspace, pool, (None, a));
            assert_same(&found, &brute_force((None, a)), &what);
            pairs.extend(found.pairs().map(<[u32; 2]>::from));
            if draw(2) == 0 {
                let expected = brute_force((Some(b), a));
                let found = overlaps(gpu, &mut workspace, pool, (Some(b), a));
                assert_same(&found, &expected, &format!("{what}, two sets"));
            }
        }
        patches += workspace.patches();
    }
    println!("  {patches} patches in {sets} sets that change at random");
    assert!(patches > 3 * sets);
}
