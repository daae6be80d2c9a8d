//! Contacts are never lost: scenes in which engines with a fixed room for contacts, or with an iterative narrow phase, lost some. Each
//! test cites the report that it answers.

use tangency::glam::{Quat, Vec3, vec3};
use tangency::query::ContactKind;
use tangency::shape::{Aabb, Obb, Sphere};
use tangency::{BackendKind, Bodies, Contacts, Traits};

use crate::engines::{ENGINES, builders, is_long};

/// Brute force tests all pairs, and is asked about sets of at most this many bodies: 0.1 s.
const BRUTE_FORCE: usize = 2000;

/// The contacts of a set on the CPU; every other backend has the same, bit for bit.
fn everywhere(bodies: &Bodies, what: &str) -> Contacts {
    let cpu = ENGINES.iter().find(|(_, engine)| engine.info().backend == BackendKind::Cpu);
    let expected = cpu.expect("the CPU is always there").1.contacts(bodies).run().unwrap();
    for (name, engine) in &*ENGINES {
        if engine.info().backend != BackendKind::BruteForce || bodies.len() <= BRUTE_FORCE {
            same(&engine.contacts(bodies).run().unwrap(), &expected, &format!("{name}, {what}"));
        }
    }
    expected
}

fn same(found: &Contacts, expected: &Contacts, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    assert!(found == expected, "{what}: the bits differ");
    assert_eq!(found.fingerprint(), expected.fingerprint(), "{what}");
}

fn aabb(min: Vec3, max: Vec3) -> Aabb {
    Aabb::new(min, max).unwrap()
}

/// A box that stands at `foot`, turned about the vertical.
fn standing(foot: Vec3, half: Vec3, angle: f32) -> Obb {
    Obb::new(foot + vec3(0.0, half.y, 0.0), half, Quat::from_rotation_y(angle)).unwrap()
}

/// `mujoco_warp` #1430: contacts of boxes were missed as one of them grew.
#[test]
fn large_boxes_keep_their_contacts() {
    for side in [1.0, 10.0, 100.0, 1e4, 1e6] {
        // Powers of two, so that depths can be told exactly: one box touches, the others are in the plate.
        for depth in [0.0, 1.0 / 4096.0, 1.0 / 16.0] {
            for angle in [0.0, 0.3] {
                let mut bodies = Bodies::new();
                bodies.push(aabb(vec3(-side, -0.5, -side), vec3(side, 0.0, side))).unwrap();
                let foot = vec3(side / 2.0, -depth, -side / 4.0);
                bodies.push(standing(foot, Vec3::splat(0.125), angle)).unwrap();
                // And a large one on the other side of the plate, face to face.
                let below = vec3(0.0, depth - 0.5 - side, 0.0);
                bodies.push(standing(below, vec3(side, side / 2.0, side), angle)).unwrap();
                let found = everywhere(&bodies, &format!("{side}, {depth}, {angle}"));
                assert_eq!(found.pairs().to_vec(), [[0, 1], [0, 2]], "{side}, {depth}, {angle}");
                let [small, large] = [0, 1].map(|k| found.manifolds()[k]);
                assert_eq!((small.normal(), small.depth(), small.points().len()), (Vec3::Y, depth, 4));
                assert_eq!((large.normal(), large.points().len()), (-Vec3::Y, 4));
                // What the large box's own height rounds to.
                assert!((large.depth() - depth).abs() <= side * f32::EPSILON, "{side}: {} deep", large.depth());
            }
        }
    }
}

/// `mujoco_warp` #1526: of boxes stacked on one axis, a contact of face and face was dropped at the first overlap.
#[test]
fn boxes_stacked_on_one_axis_keep_their_contacts() {
    let (columns, half) = (30_u16, Vec3::splat(0.25));
    let mut bodies = Bodies::new();
    let plate = bodies.push(aabb(vec3(-1.0, -1.0, -1.0), vec3(31.0, 0.0, 31.0))).unwrap();
    // Each column sinks by another number of units in the last place: from none to 0.0002.
    let sinks = |k: u16| f32::from(k) / (1 << 22) as f32;
    for k in 0..columns * columns {
        let foot = vec3(f32::from(k % columns), -sinks(k), f32::from(k / columns));
        let upper = foot + vec3(0.0, 0.5 - sinks(k), 0.0);
        bodies.extend([standing(foot, half, 0.0), standing(upper, half, 0.0)]).unwrap();
    }
    let found = everywhere(&bodies, "columns");
    let columns = u32::from(columns * columns);
    assert_eq!(found.len() as u32, 2 * columns);
    assert_eq!(found.pairs().row(plate).len() as u32, columns, "hundreds of contacts of one body");
    for (k, lower) in (1..2 * columns).step_by(2).enumerate() {
        for (a, b) in [(plate, lower), (lower, lower + 1)] {
            let manifold = found.get(a, b).unwrap_or_else(|| panic!("{a} and {b} have no contact"));
            assert_eq!((manifold.normal(), manifold.points().len()), (Vec3::Y, 4), "{a} and {b}");
            let error = (manifold.depth() - sinks(k as u16)).abs();
            assert!(error <= f32::EPSILON, "{a} and {b}: {} deep", manifold.depth());
        }
    }
}

/// `IsaacLab` #981: many environments had more pairs than there was room for, and interactions were missed.
#[test]
fn thousands_of_worlds_keep_their_own_contacts() {
    const WORLDS: u32 = 4096;
    // In each world, at the same place: a stack of two boxes, and a ball that leans on the upper one. The floor is stored once.
    let stack =
        [standing(vec3(0.0, -0.01, 0.0), Vec3::splat(0.5), 0.2), standing(vec3(0.1, 0.98, 0.0), Vec3::splat(0.5), 0.9)];
    let ball = Sphere::new([0.0, 2.4, 0.1], 0.5).unwrap();
    let mut bodies = Bodies::new();
    let floor = aabb(vec3(-9.0, -1.0, -9.0), vec3(9.0, 0.0, 9.0));
    bodies.push_with(floor, Traits::new().in_every_world().fixed(true)).unwrap();
    for world in 0..WORLDS {
        let own = Traits::new().world(world);
        bodies.extend_with(stack.map(|shape| (shape, own))).unwrap();
        bodies.push_with(ball, own).unwrap();
    }
    let found = everywhere(&bodies, "worlds");
    assert_eq!(found.len() as u32, 3 * WORLDS);
    for world in 0..WORLDS {
        let first = 1 + 3 * world;
        for (pair, own) in
            [(0, 1), (1, 2), (2, 3)].into_iter().zip([(0, first), (first, first + 1), (first + 1, first + 2)])
        {
            let manifold = found.get(own.0, own.1).unwrap_or_else(|| panic!("world {world} has no contact {own:?}"));
            let first = found.get(pair.0, pair.1).expect("world 0 has it");
            assert!(manifold.points().eq(first.points()), "world {world}, {own:?}: not as in world 0");
            assert_eq!((manifold.normal(), manifold.depth()), (first.normal(), first.depth()));
        }
    }
}

/// newton #3702: room for contacts was estimated from a quiet start, and what came later was dropped.
#[test]
fn a_quiet_start_does_not_limit_what_comes_later() {
    const BODIES: u16 = 2000;
    // Balls in a row, which do not meet; then on a plate, and each with its neighbours.
    let balls = |apart: f32| {
        let mut bodies = Bodies::new();
        let length = apart * f32::from(BODIES);
        let height = if apart > 1.0 { -9.0 } else { -0.25 };
        bodies.push(aabb(vec3(-1.0, height - 1.0, -1.0), vec3(length, height, 1.0))).unwrap();
        let ball = |k: u16| Sphere::new([apart * f32::from(k), 0.0, 0.0], 0.5).unwrap();
        bodies.extend((0..BODIES).map(ball)).unwrap();
        bodies
    };
    // Balls of radius 1/2, 1/16 apart, meet 15 on each side, and touch the sixteenth.
    let (quiet, busy) = (balls(2.0), balls(1.0 / 16.0));
    let pairs = usize::from(BODIES) * 16 - 16 * 17 / 2;
    let with_plate = usize::from(BODIES);
    let expected = everywhere(&busy, "balls in a row");
    assert_eq!(expected.len(), pairs + with_plate);
    for (name, builder) in builders() {
        if name == BackendKind::BruteForce.name() {
            continue;
        }
        // One engine that has seen the quiet start, and, if there is time, one whose first query needs far more than it has room for.
        let used = builder.clone().build().unwrap();
        assert!(used.contacts(&quiet).run().unwrap().is_empty(), "{name}");
        let fresh = is_long().then(|| ("fresh", builder.build().unwrap()));
        for (state, engine) in [("used", used)].into_iter().chain(fresh) {
            let what = format!("{name}, {state} engine");
            same(&engine.contacts(&busy).run().unwrap(), &expected, &what);
            let touching = expected.manifolds().iter().filter(|manifold| manifold.depth() == 0.0).count();
            assert_eq!(touching, usize::from(BODIES) - 16, "{what}");
            let deeper = engine.contacts(&busy).overlapping_only().run().unwrap();
            assert_eq!(deeper.len() + touching, expected.len(), "{what}");
        }
    }
}

/// genesis #1427: the broad phase had room for a multiple of the final pairs, and ignored candidates beyond it.
#[test]
fn many_candidates_of_few_contacts_lose_none() {
    // Slanting slabs whose bounds all overlap: each meets the next one, and no other.
    let normal = Vec3::ONE.normalize();
    let turn = Quat::from_rotation_arc(Vec3::Y, normal);
    let slab = |k: u16| Obb::new(normal * f32::from(k), [2000.0, 0.55, 2000.0], turn).unwrap();
    let mut bodies = Bodies::new();
    bodies.extend((0..1200).map(slab)).unwrap();
    let found = everywhere(&bodies, "slabs");
    assert!(found.stats().candidates > 600 * found.len() as u64 / 2, "{} candidates", found.stats().candidates);
    assert!(found.pairs().pairs().eq((0..1199).map(|k| (k, k + 1))));
    assert!(found.manifolds().iter().all(|m| matches!(m.kind(), ContactKind::FaceA) && m.points().len() == 4));
}

/// genesis #1427, the other way round: everything meets everything.
#[test]
fn bodies_in_one_place_have_all_their_contacts() {
    let shape = Obb::new([1.0, 2.0, 3.0], [0.5, 1.0, 1.5], Quat::from_xyzw(1.0, 2.0, 3.0, 4.0)).unwrap();
    let mut bodies = Bodies::new();
    bodies.extend(vec![shape; 300]).unwrap();
    let found = everywhere(&bodies, "bodies in one place");
    assert_eq!(found.len(), 300 * 299 / 2);
    let all = (0..300).flat_map(|a| (a + 1..300).map(move |b| (a, b)));
    assert!(found.pairs().pairs().eq(all));
    // Out through the shortest way, which is the same for all.
    assert!(found.manifolds().iter().all(|m| (m.depth() - 1.0).abs() < 1e-6 && m.points().len() == 4));
}

/// Contacts that do not fit into the memory that an engine may use are refused, or found in parts; never dropped.
#[cfg(feature = "gpu")]
#[test]
fn too_little_memory_is_an_error_or_no_matter() {
    let mut bodies = Bodies::new();
    bodies.extend((0..400_u16).map(|k| Sphere::new([f32::from(k) / 400.0, 0.0, 0.0], 1.0).unwrap())).unwrap();
    let expected = everywhere(&bodies, "balls");
    // 8.9 MB of contacts: too much for the first budget, and to be had in parts with the second.
    assert_eq!(expected.len(), 400 * 399 / 2);
    for (name, builder) in builders().into_iter().skip(2) {
        let with = |budget: u64| builder.clone().memory_budget(budget).build().unwrap().contacts(&bodies).run();
        assert!(matches!(with(1 << 20), Err(tangency::Error::DeviceMemory { .. })), "{name}");
        same(&with(1 << 23).unwrap(), &expected, &name);
    }
}
