//! Growth and splitting of queries, and named scenes: no pair is lost.

use super::super::Gpu;
use super::super::abi::SIDE_OPEN;
use super::super::device::{Alter, DeviceRequest};
use super::super::workspace::Workspace;
use super::answers::{assert_same, planes};
use super::queries::{brute_force, closest, contacts, overlaps, sides};
use super::rays::check_rays;
use crate::parallel::Pool;
use crate::scenes::{SEED, Scene};
use crate::shape::{Aabb, Sphere};
use crate::{Bodies, Points};

/// All capacities start at one, and no pair is lost.
pub(super) fn nothing_is_lost(gpu: &Gpu, pool: &Pool) {
    for (scene, n) in [(Scene::Mixed, 3000), (Scene::Stacks, 3000), (Scene::Uniform, 3000)] {
        let bodies = scene.build(n, SEED).expect("a scene");
        let mut workspace = Workspace::new().frugal();
        let found = overlaps(gpu, &mut workspace, pool, (None, &bodies));
        assert_same(&found, &brute_force((None, &bodies)), scene.name());
    }
    let mut bodies = Bodies::new();
    bodies.extend(vec![Sphere::new([1.0; 3], 1.0).expect("a ball"); 700]).expect("room");
    let mut workspace = Workspace::new().frugal();
    let found = overlaps(gpu, &mut workspace, pool, (None, &bodies));
    assert!(found.pairs().eq((0..700).flat_map(|a| (a + 1..700).map(move |b| (a, b)))));
    // As many hits are read ahead as the query before has found, with some headroom: more than that, and none.
    let (mut workspace, n) = (Workspace::new(), 20_000);
    for (apart, partners) in [(3.0, 0), (1.5, 1), (0.8, 2), (1.5, 1), (3.0, 0)] {
        let mut line = Bodies::new();
        let ball = |i: u16| Sphere::new([f32::from(i) * apart, 0.0, 0.0], 1.0).expect("a ball");
        line.extend((0..n).map(ball)).expect("room");
        let found = overlaps(gpu, &mut workspace, pool, (None, &line));
        let n = u32::from(n);
        let expected = (0..n).flat_map(|a| (a + 1..n.min(a + 1 + partners)).map(move |b| (a, b)));
        assert!(found.pairs().eq(expected), "balls that are {apart} apart: {} hits", found.len());
    }
}

/// A search that exceeds the iteration limit of one warp is continued by several. (Some drivers silently end loops after 65,535
/// iterations.)
pub(super) fn long_searches(gpu: &Gpu, pool: &Pool) {
    let mut bodies = Bodies::new();
    bodies.extend(vec![Sphere::new([1.0; 3], 1.0).expect("a ball"); 700]).expect("room");
    bodies.exclude(3, 500).expect("both exist");
    let mut workspace = Workspace::new().limited(1000, 3);
    let found = overlaps(gpu, &mut workspace, pool, (None, &bodies));
    assert_same(&found, &brute_force((None, &bodies)), "much to ask");
    assert!(workspace.room_for_unfinished() > 1, "no search was cut short");
    // All of them before they have visited anything.
    let mut workspace = Workspace::new().frugal().limited(1, 1000);
    let found = overlaps(gpu, &mut workspace, pool, (None, &bodies));
    assert_same(&found, &brute_force((None, &bodies)), "all is left to do");
    // One giant that meets very many clusters.
    let mut giant = Bodies::new();
    giant.push(Sphere::new([30.0; 3], 40.0).expect("a ball")).expect("room");
    let many = Scene::Uniform.build(20_000, SEED).expect("a scene");
    let mut workspace = Workspace::new().limited(300, 5);
    let found = overlaps(gpu, &mut workspace, pool, (Some(&giant), &many));
    let expected = brute_force((Some(&giant), &many));
    assert_same(&found, &expected, "a giant asks");
    assert_eq!(workspace.room_for_unfinished(), 1, "the giant's search was not cut short");
    // The capacity that the giant needed does not affect other queries.
    let cpu = crate::Engine::builder().backend(crate::BackendKind::Cpu).build().expect("the CPU");
    let found = overlaps(gpu, &mut workspace, pool, (None, &many));
    assert_same(&found, &cpu.overlaps(&many).run().expect("an answer"), "after a giant");
}

fn with_memory(index: usize, bytes: u64, alter: Option<Alter>, twins: &[String]) -> Gpu {
    let request = DeviceRequest { adapter: Some(index), memory: Some(bytes), ..DeviceRequest::default() };
    let mut gpu = pollster::block_on(Gpu::new(request, false, twins)).expect("a device");
    gpu.device.alter = alter;
    gpu
}

/// Bodies at one spot.
fn heap(balls: usize, boxes: usize) -> Bodies {
    let mut bodies = Bodies::new();
    bodies.extend(vec![Sphere::new([1.0; 3], 1.0).expect("a ball"); balls]).expect("room");
    bodies.extend(vec![Aabb::new([0.0; 3], [1.0; 3]).expect("a box"); boxes]).expect("room");
    bodies
}

/// A query that does not fit into memory runs in parts: 1800 bodies at one spot, with a budget too small for their pairs. The
/// stages in `twins` run as their twins. Returns the device, whose budget is for [`parts_of_contacts`] too.
pub(super) fn parts(index: usize, pool: &Pool, alter: Option<Alter>, twins: &[String]) -> Gpu {
    let gpu = with_memory(index, 12 << 20, alter, twins);
    let bodies = heap(1500, 300);
    let mut workspace = gpu.take(&bodies, None);
    let found = overlaps(&gpu, &mut workspace, pool, (None, &bodies));
    assert!(found.pairs().eq((0..1800).flat_map(|a| (a + 1..1800).map(move |b| (a, b)))));
    let found = overlaps(&gpu, &mut workspace, pool, (Some(&bodies), &bodies));
    assert!(found.pairs().eq((0..1800).flat_map(|a| (0..1800).map(move |b| (a, b)))));
    drop(workspace);
    gpu
}

/// Contacts, each of which says whose it is: rows are put together from several parts. They are large: all of them take 20 MB, and those
/// of one cluster, the least part, 2 MB here and 2 MB where they are read.
pub(super) fn parts_of_contacts(gpu: &Gpu, pool: &Pool) {
    let bodies = heap(500, 100);
    let found = contacts(gpu, &mut gpu.take(&bodies, None), pool, (None, &bodies), (4, None)).expect("contacts");
    let ids = found.manifolds().iter().map(|manifold| (manifold.a(), manifold.b()));
    assert!(ids.eq((0..600).flat_map(|a| (a + 1..600).map(move |b| (a, b)))));
}

/// The nearest bodies of points: those of every other one are all that are at one spot, too many for one part; of the others one is known at once.
pub(super) fn parts_of_nearest(gpu: &Gpu, pool: &Pool) {
    let (mut bodies, mut points) = (heap(800, 100), Points::new());
    for k in 0..400_u16 {
        let place = [f32::from(k % 20) * 5.0 + 10.0, f32::from(k / 20) * 5.0 + 10.0, 10.0];
        bodies.push(Sphere::new(place, 1.0).expect("a ball")).expect("room");
        points.push(place.map(|x| x + 0.9)).expect("a point");
        points.push([0.5 + 0.5 / f32::from(k + 2), 0.5, 0.75]).expect("a point");
    }
    let mut workspace = gpu.take(&bodies, None);
    let before = workspace.runner.dispatched;
    let [found, expected] =
        closest(gpu, &mut workspace, pool, (&points, &bodies), (1, f32::INFINITY)).expect("the nearest bodies");
    assert!(found == expected && workspace.runner.dispatched > before);
}

/// Rays at hulls of which each has its own form, with more planes than the device of [`parts`] has room for: the host finds when rays enter them.
pub(super) fn planes_without_room(gpu: &Gpu, pool: &Pool) {
    let random = |k: u64| (crate::hash::mix(k) >> 40) as f32 / (1 << 23) as f32 - 1.0;
    let mut bodies = Bodies::new();
    for k in 0..900_u16 {
        let corner = |i: u64| {
            let first = 3 * (256 * u64::from(k) + i);
            glam::Vec3::new(random(first), random(first + 1), random(first + 2)).normalize_or(glam::Vec3::X)
        };
        let hull = crate::shape::ConvexHull::from_points((0..256).map(corner)).expect("corners");
        let place = [f32::from(k % 30) * 2.5, f32::from(k / 30) * 2.5, 0.0];
        bodies.push(hull.with_pose(crate::shape::Pose::at(place).expect("a pose"))).expect("room");
    }
    let mut workspace = gpu.take(&bodies, None);
    let left =
        check_rays(gpu, pool, &mut workspace, &bodies, &crate::scenes::random_rays(&bodies, 40, 1), "without planes");
    assert!(left > 0 && !workspace.memory.sets[0].has_planes, "there was room");
}

/// A named scene against the CPU backend.
pub(super) fn golden(gpu: &Gpu, pool: &Pool, scene: Scene, n: usize) {
    let bodies = scene.build(n, SEED).expect("a scene");
    let cpu = crate::Engine::builder().backend(crate::BackendKind::Cpu).build().expect("the CPU");
    let expected = cpu.overlaps(&bodies).run().expect("an answer");
    let mut workspace = Workspace::new();
    let found = overlaps(gpu, &mut workspace, pool, (None, &bodies));
    assert_same(&found, &expected, scene.name());
    let expected = cpu.contacts(&bodies).run().expect("contacts");
    let contacts = contacts(gpu, &mut workspace, pool, (None, &bodies), (4, None)).expect("contacts");
    let other = contacts.manifolds().iter().zip(expected.manifolds()).find(|(a, b)| a != b);
    assert!(contacts == expected, "{}: {other:?}", scene.name());
    // What the filters decide has its contact from the device. (Hulls have filters of their own for that.)
    let on_host = contacts.computed_on_host();
    assert!(scene == Scene::Hulls || on_host <= found.stats().undecided, "{}", scene.name());
    // With `f64` the device settles all pairs of balls and boxes, without it nearly all.
    let is_settled = gpu.device.abilities.doubles && !matches!(scene, Scene::Capsules | Scene::Room | Scene::Hulls);
    let most = if is_settled { 0 } else { 2 + found.len() as u64 / 10_000 };
    let undecided = found.stats().undecided;
    assert!(undecided <= most, "{}: {undecided} of {}", scene.name(), found.len());
    // The filters decide nearly all bodies.
    if scene == Scene::Uniform {
        let planes = planes();
        let sides = sides(gpu, &mut workspace, pool, &bodies, &planes).expect("sides");
        let open = sides.into_iter().filter(|side| *side == SIDE_OPEN).count();
        assert!(open * 100 < n, "{open} of {n} sides are left open");
    }
}

/// Bodies of one world are consecutive in the order on the device.
pub(super) fn worlds_are_together(gpu: &Gpu, pool: &Pool) {
    let bodies = Scene::Worlds.build(6400, SEED).expect("a scene");
    let mut workspace = Workspace::new().frugal();
    overlaps(gpu, &mut workspace, pool, (None, &bodies));
    for (first, last) in workspace.worlds_of_clusters(&gpu.device, 200) {
        assert!(last - first <= 1, "a cluster with the worlds {first} to {last}");
    }
}
