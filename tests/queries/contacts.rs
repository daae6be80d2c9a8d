//! The bits of contacts: the same for every number of threads, by brute force and on every adapter, in named and random scenes, at the
//! ends of the range of `f32`, and for bodies with traits.

use tangency::glam::{Quat, Vec3, vec3};
use tangency::scenes::{SEED, Scene, random};
use tangency::shape::{Aabb, Obb, Shape, Sphere};
use tangency::{BackendKind, Bodies, Contacts, Engine, Error, Manifold, Relation, Traits, query};

use crate::engines::{ENGINES, brute, is_long};

fn cpu(threads: usize) -> Engine {
    Engine::builder().backend(BackendKind::Cpu).threads(threads).build().unwrap()
}

/// The contacts of a set by one thread; two threads and every backend have the same, bit for bit. Brute force is asked about small sets.
fn everywhere(bodies: &Bodies, what: &str) -> Contacts {
    let expected = cpu(1).contacts(bodies).run().unwrap();
    let same = |name: &str, found: Contacts| {
        assert_eq!(found.len(), expected.len(), "{what}, {name}");
        assert_eq!(found.fingerprint(), expected.fingerprint(), "{what}, {name}");
        assert!(found == expected, "{what}, {name}");
    };
    same("2 threads", cpu(2).contacts(bodies).run().unwrap());
    for (name, engine) in &*ENGINES {
        if engine.info().backend != BackendKind::BruteForce || bodies.len() <= 1500 {
            same(name, engine.contacts(bodies).run().unwrap());
        }
    }
    expected
}

/// Contacts and fingerprint of each scene with 3,000 bodies.
const GOLDEN: [(Scene, usize, u64); 11] = [
    (Scene::Uniform, 3830, 0xca29_6d59_7d61_31c7),
    (Scene::Clustered, 4135, 0x3c4a_993e_82fa_d961),
    (Scene::Stacks, 33_588, 0xa336_c63d_5b8a_8f83),
    (Scene::City, 4190, 0x620c_d84e_acb0_263c),
    (Scene::Mixed, 1866, 0xb95b_8d25_bd44_90f7),
    (Scene::Escaped, 3829, 0x68a7_8004_f023_ee02),
    (Scene::Worlds, 3095, 0x4c97_5798_84a5_001e),
    (Scene::Granular, 5014, 0x3e7e_88c2_d907_41df),
    (Scene::Capsules, 1037, 0xc654_cfa9_690c_e124),
    (Scene::Room, 4484, 0x369e_5f6b_8f8c_7fbb),
    (Scene::Hulls, 3761, 0x3d9f_3bc6_6773_ec68),
];

#[test]
fn every_scene_has_its_contacts_everywhere() {
    assert!(GOLDEN.map(|(scene, ..)| scene) == Scene::ALL);
    let mut different = false;
    for (scene, count, fingerprint) in GOLDEN {
        let found = everywhere(&scene.build(3000, SEED).unwrap(), scene.name());
        println!("{}: {} contacts, {:#018x}", scene.name(), found.len(), found.fingerprint());
        different |= (found.len(), found.fingerprint()) != (count, fingerprint);
        if is_long() {
            everywhere(&scene.build(800, SEED).unwrap(), scene.name());
        }
    }
    assert!(!different, "the contacts printed above are not those on record");
}

#[test]
fn random_scenes_have_the_same_contacts_everywhere() {
    let mut contacts = 0;
    for seed in 0..60 {
        let bodies = random(seed, 600).unwrap();
        let found = everywhere(&bodies, &format!("seed {seed}"));
        assert!(*found.pairs() == brute().overlaps(&bodies).run().unwrap(), "seed {seed}");
        contacts += found.len();
    }
    assert!(contacts > 5000, "the scenes are too empty to test much: {contacts} contacts");
}

/// A device reads the rows of some pairs together, unless there are very many rows between them.
#[test]
fn few_pairs_among_many_bodies_have_contacts() {
    let shapes = (0..30_000_u16).map(|k| {
        // Each third body of the first and the last hundred, and of those in the middle, meets the next.
        let meets = k % 3 == 0 && (!(100..=29_900).contains(&k) || (15_000..15_010).contains(&k));
        let at = vec3(3.0 * f32::from(k) + if meets { 2.5 } else { 0.0 }, 0.0, 0.0);
        Shape::from(Obb::new(at, Vec3::ONE, Quat::IDENTITY).unwrap())
    });
    let mut bodies = Bodies::new();
    bodies.extend(shapes).unwrap();
    let found = everywhere(&bodies, "few pairs");
    assert_eq!(found.len(), 34 + 4 + 33);
}

/// What holds of the contacts of every set: numbers are finite, pairs are those of `overlaps`, depths are zero where bodies touch.
fn sound(bodies: &Bodies, what: &str) -> Contacts {
    let found = everywhere(bodies, what);
    for (manifold, (a, b, relation)) in found.manifolds().iter().zip(found.pairs().iter()) {
        let what = format!("{what}: {a} and {b}");
        assert_eq!((manifold.a(), manifold.b()), (a, b), "{what}");
        assert!((manifold.normal().length() - 1.0).abs() < 1e-6, "{what}: {manifold:?}");
        assert!(relation == Relation::Overlapping || manifold.depth() == 0.0, "{what}: {manifold:?}");
        assert!((1..=4).contains(&manifold.points().len()), "{what}: {manifold:?}");
        for point in manifold.points() {
            assert!(point.on_b.is_finite() && point.depth.is_finite(), "{what}: {manifold:?}");
            assert!(point.depth >= 0.0 && point.depth <= manifold.depth(), "{what}: {manifold:?}");
        }
        let scalar = query::contact(&bodies.shape(a).unwrap(), &bodies.shape(b).unwrap()).unwrap().expect("they meet");
        let size = [a, b].map(|id| crate::common::bounds(&bodies.shape(id).unwrap()).half_extents().max_element());
        let tolerance = 8e-6 * (f64::from(size[0]) + f64::from(size[1]));
        let error = (f64::from(manifold.depth()) - f64::from(scalar.depth())).abs();
        assert!(error <= tolerance, "{what}: {} deep, and {} in f64", manifold.depth(), scalar.depth());
    }
    found
}

/// A body of each kind at the places of a row, in units.
fn row(unit: f32, origin: Vec3, half: Vec3) -> Bodies {
    let mut bodies = Bodies::new();
    for k in 0..60_u16 {
        let at = origin + unit * vec3(0.75 * f32::from(k), f32::from(k % 2), 0.0);
        let half = unit * half;
        let shape: Shape = match k % 3 {
            0 => Sphere::new(at, half.x).unwrap().into(),
            1 => Aabb::new(at - half, at + half).unwrap().into(),
            _ => Obb::new(at, half, Quat::from_xyzw(0.1, 0.2, 0.3, 0.4)).unwrap().into(),
        };
        bodies.push(shape).unwrap();
    }
    bodies
}

/// Bodies beyond the domain of deterministic arithmetic have contacts too, computed by the host.
#[test]
fn bodies_of_every_size_have_contacts() {
    let half = vec3(1.0, 0.75, 0.5);
    // (Beyond 2⁴⁰ the filters leave every pair open, so that the host computes contacts which a device could.)
    for (unit, on_host) in [(1e-30, true), (1e-17, false), (1.0, false), (1e9, false), (1e17, true), (1e30, true)] {
        let bodies = row(unit, Vec3::ZERO, half);
        assert!(sound(&bodies, &format!("size {unit}")).len() >= 59, "size {unit}");
        for (name, engine) in &*ENGINES {
            if engine.info().backend == BackendKind::Gpu {
                let found = engine.contacts(&bodies).run().unwrap();
                assert_eq!(found.computed_on_host() == found.len() as u64, on_host, "{name}, size {unit}");
            }
        }
    }
    // The tiny, the usual and the huge among each other.
    let mut mixed = row(1.0, Vec3::ZERO, half);
    for unit in [1e-30, 1e-10, 1e10, 1e30] {
        mixed.extend(row(unit, Vec3::ZERO, half).iter().map(|body| body.shape)).unwrap();
    }
    mixed.push(Aabb::new([-f32::MAX; 3], [f32::MAX; 3]).unwrap()).unwrap();
    everywhere(&mixed, "all sizes");
}

#[test]
fn flat_bodies_and_points_have_contacts() {
    for half in [vec3(1.0, 0.0, 1.0), vec3(1.0, 1e-7, 1.0), vec3(1.0, 0.0, 0.0), vec3(1.0, 1e-38, 1e-38)] {
        assert!(!sound(&row(1.0, Vec3::ZERO, half), &format!("{half}")).is_empty(), "{half}");
    }
    // Points on each other: spheres and boxes without a size touch.
    let mut points = Bodies::new();
    for at in [Vec3::ZERO, Vec3::ONE, Vec3::splat(1e30)] {
        points.push(Sphere::new(at, 0.0).unwrap()).unwrap();
        points.push(Aabb::new(at, at).unwrap()).unwrap();
        points.push(Obb::new(at, Vec3::ZERO, Quat::from_xyzw(1.0, 2.0, 3.0, 4.0)).unwrap()).unwrap();
    }
    let found = everywhere(&points, "points");
    assert_eq!(found.len(), 9);
    assert!(found.manifolds().iter().all(|manifold| manifold.depth() == 0.0));
}

#[test]
fn bodies_far_from_the_origin_have_contacts() {
    let half = vec3(1.0, 0.75, 0.5);
    for far in [1e3, 1e6, 1e7, 1e20, 3e38] {
        let bodies = row(1.0, vec3(far, -far, far), half);
        let found = everywhere(&bodies, &format!("{far} away"));
        assert!(found.len() >= 59, "{far} away: {}", found.len());
    }
    // 2⁴⁰ times the size is where deterministic arithmetic ends.
    for (far, on_host) in [(2_f32.powi(39), false), (2_f32.powi(42), true)] {
        let bodies = row(1.0, vec3(far, 0.0, 0.0), half);
        everywhere(&bodies, &format!("{far} away"));
        for (name, engine) in ENGINES.iter().filter(|(_, engine)| engine.info().backend == BackendKind::Gpu) {
            let found = engine.contacts(&bodies).run().unwrap();
            assert_eq!(found.computed_on_host() == found.len() as u64, on_host, "{name}, {far} away");
        }
    }
}

#[test]
fn traits_holes_and_exclusions_decide_who_has_contacts() {
    let ball = |x: f32| Sphere::new([x, 0.0, 0.0], 1.0).unwrap();
    let pairs = |bodies: &Bodies, what: &str| everywhere(bodies, what).pairs().pairs().collect::<Vec<_>>();
    let mut bodies = Bodies::new();
    bodies.extend((0..5_u8).map(|k| ball(f32::from(k) * 0.25))).unwrap();
    assert_eq!(pairs(&bodies, "all").len(), 10);
    bodies.exclude(1, 0).unwrap();
    bodies.disable(3).unwrap();
    assert_eq!(pairs(&bodies, "excluded and disabled"), [(0, 2), (0, 4), (1, 2), (1, 4), (2, 4)]);
    bodies.remove(2).unwrap();
    assert_eq!(pairs(&bodies, "a hole"), [(0, 4), (1, 4)]);
    // The next one takes the place of the one that was removed, and its contacts are its own.
    assert_eq!(bodies.push(ball(1.5)).unwrap(), 2);
    bodies.enable(3).unwrap();
    let found = everywhere(&bodies, "filled");
    assert_eq!((found.len(), found.get(2, 3).map(Manifold::depth)), (9, Some(1.25)));
    for id in 0..5 {
        bodies.set_traits(id, Traits::new().world(id % 2)).unwrap();
    }
    bodies.push_with(ball(0.0), Traits::new().in_every_world().fixed(true)).unwrap();
    let expected = [(0, 2), (0, 4), (0, 5), (1, 3), (1, 5), (2, 4), (2, 5), (3, 5), (4, 5)];
    assert_eq!(pairs(&bodies, "worlds"), expected);
    bodies.set_traits(4, Traits::new().layer(2).mask(2)).unwrap();
    assert_eq!(pairs(&bodies, "layers"), [(0, 2), (0, 5), (1, 3), (1, 5), (2, 5), (3, 5)]);
}

/// Contacts are asked of a set, and a set takes no bad values: what is refused is what `overlaps` refuses.
#[test]
fn bad_values_get_into_no_set() {
    let mut bodies = Bodies::new();
    bodies.extend([Sphere::new([0.0; 3], 1.0).unwrap(); 2]).unwrap();
    let before = everywhere(&bodies, "two balls");
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let (ball, cube, turned): (Sphere, Aabb, Obb) = (
            bytemuck::cast([bad, 0.0, 0.0, 1.0]),
            bytemuck::cast([0.0, 0.0, 0.0, 1.0, bad, 1.0]),
            bytemuck::cast([0.0, 0.0, 0.0, 1.0, 1.0, 1.0, bad, 0.0, 0.0, 1.0]),
        );
        for shape in [Shape::from(ball), cube.into(), turned.into()] {
            let error = bodies.push(shape.clone()).unwrap_err();
            assert!(matches!(error, Error::InvalidBody { index: 2, .. }), "{error}");
            assert!(matches!(bodies.set_shape(1, shape), Err(Error::InvalidBody { index: 1, .. })));
        }
    }
    let negative: Sphere = bytemuck::cast([0.0_f32, 0.0, 0.0, -1.0]);
    assert!(bodies.push(negative).is_err());
    assert!(everywhere(&bodies, "after what was refused") == before);
    assert!(everywhere(&Bodies::new(), "no bodies").is_empty());
}
