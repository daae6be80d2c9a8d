//! Contacts of bodies that are apart: the same on every engine, as deep as their distance says, and with the points that a solver needs.

use tangency::glam::{DVec3, Quat, Vec3, vec3};
use tangency::query::{ContactKind, closest_point};
use tangency::scenes::{SEED, Scene, random};
use tangency::shape::{Aabb, Obb, Shape, Sphere};
use tangency::{BackendKind, Bodies, Contacts, Engine, Manifold, Relation, Traits};

use crate::engines::{ENGINES, brute, is_long};

fn cpu() -> Engine {
    Engine::builder().backend(BackendKind::Cpu).threads(2).build().unwrap()
}

/// A shape some way off.
fn shifted(shape: &Shape, by: Vec3) -> Shape {
    match shape {
        Shape::Sphere(ball) => Sphere::new(ball.center() + by, ball.radius()).unwrap().into(),
        Shape::Aabb(aabb) => Aabb::new(aabb.min() + by, aabb.max() + by).unwrap().into(),
        Shape::Obb(obb) => Obb::new(obb.center() + by, obb.half_extents(), obb.rotation()).unwrap().into(),
        Shape::Capsule(capsule) => capsule.translate(by).unwrap().into(),
        Shape::ConvexHull(hull) => hull.translate(by).unwrap().into(),
        _ => panic!("no body: {shape:?}"),
    }
}

/// The contacts of a set within a margin; every engine has the same, bit for bit.
fn everywhere(bodies: &Bodies, margin: f32, what: &str) -> Contacts {
    let expected = brute().contacts(bodies).margin(margin).run().unwrap();
    for (name, engine) in &*ENGINES {
        let found = engine.contacts(bodies).margin(margin).run().unwrap();
        let other = found.manifolds().iter().zip(expected.manifolds()).find(|(a, b)| a != b);
        assert!(found == expected, "{what} within {margin}, {name}: {other:?}");
        let mut rows = Vec::new();
        engine.contacts(bodies).margin(margin).for_each_part(|part| rows.extend_from_slice(part.manifolds())).unwrap();
        assert!(rows == expected.manifolds(), "{what} within {margin}, {name}: in parts");
    }
    expected
}

/// A sum of lengths by which rounding is measured.
fn size(bodies: &Bodies, found: &Manifold) -> f32 {
    let [a, b] = [found.a(), found.b()].map(|id| crate::common::bounds(&bodies.shape(id).unwrap()));
    let of = |bounds: Aabb| (bounds.max() - bounds.min()).abs().max_element() + bounds.center().abs().max_element();
    of(a) + of(b) + (a.center() - b.center()).length()
}

/// What holds of all contacts within a margin. Returns how many are of bodies that are apart.
fn sound(bodies: &Bodies, margin: f32, contacts: &Contacts, what: &str) -> usize {
    let engine = cpu();
    let plain = engine.contacts(bodies).run().unwrap();
    assert!(*contacts.pairs() == engine.overlaps(bodies).margin(margin).run().unwrap(), "{what}");
    let clearances = engine.clearances(bodies, margin).run().unwrap();
    assert!(plain.pairs().pairs().all(|(a, b)| contacts.get(a, b).is_some()), "{what}: a contact is lost");
    let mut apart = 0;
    for (found, clearance) in contacts.manifolds().iter().zip(clearances.clearances()) {
        let (a, b) = (found.a(), found.b());
        let (what, tolerance) = (format!("{what}: {a} and {b}: {found:?}"), 1e-5 * size(bodies, found));
        assert!((1..=4).contains(&found.points().len()), "{what}");
        assert!((found.normal().length() - 1.0).abs() < 1e-6, "{what}");
        assert!(found.points().all(|point| point.depth <= found.depth()), "{what}");
        match plain.get(a, b) {
            Some(met) if met.depth() > 0.0 => {
                let axis = |found: &Manifold| (found.normal(), found.depth(), found.kind());
                assert_eq!(axis(found), axis(met), "{what}");
                continue;
            }
            Some(_) => {
                assert!(found.depth().abs() < tolerance, "{what}");
                continue;
            }
            None => {}
        }
        if clearance.distance() == 0.0 {
            assert!(found.depth() >= 0.0 && found.depth() < tolerance, "{what}: {clearance:?}");
            continue;
        }
        apart += 1;
        assert_eq!(found.depth(), -clearance.distance(), "{what}");
        // The deepest point is as deep, and all are on their bodies, no further apart than the margin.
        let deepest = found.points().map(|point| point.depth).fold(f32::MIN, f32::max);
        assert!(found.depth() - deepest <= tolerance, "{what}: {deepest}");
        let may = margin + bodies.margin(a).unwrap() + bodies.margin(b).unwrap();
        let shapes = [a, b].map(|id| bodies.shape(id).unwrap());
        for point in found.points() {
            assert!(-point.depth <= may, "{what}");
            assert!(point.depth > found.depth() - tolerance || found.kind() != ContactKind::Deepest, "{what}");
            // (Only that of the face itself if faces meet: the other is beside it along the normal.)
            for (on, shape) in [point.on_a, point.on_b].into_iter().zip(&shapes) {
                let off = closest_point(shape, on).unwrap().distance;
                assert!(off <= tolerance, "{what}: {on} is {off} off {shape:?}");
            }
        }
        if apart % 8 != 1 {
            continue;
        }
        // Moved together along the normal they do not meet before that, and soon after they do.
        let normal = DVec3::from(found.normal().to_array().map(f64::from));
        let moved = |by: f32| {
            let by = (normal * f64::from(by)).as_vec3();
            let mut pair = Bodies::new();
            pair.push(shapes[0].clone()).unwrap();
            pair.push(shifted(&shapes[1], -by)).unwrap();
            brute().overlaps(&pair).run().unwrap().len()
        };
        assert_eq!(moved(clearance.distance() - tolerance), 0, "{what}");
        assert_eq!(moved(clearance.distance() + tolerance), 1, "{what}");
    }
    apart
}

#[test]
fn scenes_have_the_same_contacts_everywhere() {
    let mut apart = 0;
    for scene in Scene::ALL {
        let mut bodies = scene.build(if is_long() { 200 } else { 120 }, SEED).unwrap();
        let margin = crate::common::bounds(&bodies.shape(0).unwrap()).half_extents().max_element() * 0.25;
        apart += sound(&bodies, margin, &everywhere(&bodies, margin, scene.name()), scene.name());
        if scene != Scene::Mixed && scene != Scene::Stacks {
            continue;
        }
        for id in (0..bodies.len() as u32).step_by(3) {
            bodies.set_margin(id, margin * 0.5).unwrap();
        }
        apart += sound(&bodies, margin, &everywhere(&bodies, margin, scene.name()), scene.name());
    }
    assert!(apart > 150, "{apart} are apart");
}

#[test]
fn random_scenes_have_the_same_contacts_everywhere() {
    let mut contacts = 0;
    for seed in 0..12 {
        let bodies = random(seed, 300).unwrap();
        let margin = [0.0, 1e-3, 0.3, 20.0][seed as usize % 4];
        let found = everywhere(&bodies, margin, &format!("seed {seed}"));
        assert!(
            found.manifolds().iter().all(|found| found.normal().is_finite() && !found.depth().is_nan()),
            "seed {seed}"
        );
        contacts += found.len();
    }
    assert!(contacts > 800, "the scenes are too empty to test much: {contacts} contacts");
}

/// The contacts of pairs of shapes within a margin: all in one set, in which each pair is a world of its own, so that engines are asked once; and
/// sound as those of sets of two bodies, which are the same.
fn of_each(pairs: &[[Shape; 2]], margin: f32) -> Vec<Manifold> {
    let mut all = Bodies::new();
    for (world, pair) in (0..).zip(pairs) {
        all.extend_with(pair.clone().map(|shape| (shape, Traits::new().world(world)))).unwrap();
    }
    let together = everywhere(&all, margin, "pairs of bodies");
    let alone = |(number, pair): (usize, &[Shape; 2])| {
        let mut bodies = Bodies::new();
        bodies.extend(pair.clone()).unwrap();
        let found = brute().contacts(&bodies).margin(margin).run().unwrap();
        let what = format!("{pair:?}");
        assert_eq!(sound(&bodies, margin, &found, &what), 1, "{what}");
        let (alone, other) = (found.manifolds()[0], together.manifolds()[number]);
        assert_eq!((other.a(), other.b()), (2 * number as u32, 2 * number as u32 + 1), "{what}");
        assert_eq!(
            (alone.kind(), alone.normal(), alone.depth()),
            (other.kind(), other.normal(), other.depth()),
            "{what}"
        );
        assert!(alone.points().eq(other.points()), "{what}");
        alone
    };
    pairs.iter().enumerate().map(alone).collect()
}

fn floor() -> Aabb {
    Aabb::new([-5.0, -1.0, -5.0], [5.0, 0.0, 5.0]).unwrap()
}

/// What of the bodies is nearest says which points there are.
#[test]
fn faces_edges_and_corners() {
    let crate_ = |height: f32, tilt: f32| Obb::new([0.0, height, 0.0], [0.5; 3], Quat::from_rotation_z(tilt)).unwrap();
    let rod = |height: f32, turn: Quat| Obb::new([0.0, height, 0.0], [2.0, 0.1, 0.1], turn).unwrap();
    let on_edge = Quat::from_rotation_x(std::f32::consts::FRAC_PI_4);
    let ball = |x: f32| Shape::from(Sphere::new([x, 0.0, 0.0], 1.0).unwrap());
    let over_floor = |shape: Shape| [floor().into(), shape];
    let pairs = [
        over_floor(crate_(0.75, 0.0).into()),
        over_floor(crate_(0.75, 0.2).into()),
        over_floor(Aabb::new([5.125, 0.125, 5.125], [6.0; 3]).unwrap().into()),
        over_floor(Aabb::new([5.125, 0.125, 0.0], [6.0; 3]).unwrap().into()),
        [rod(0.0, on_edge).into(), rod(0.5, Quat::from_rotation_y(1.0) * on_edge).into()],
        over_floor(Sphere::new([1.0, 1.25, 1.0], 1.0).unwrap().into()),
    ];
    let found = of_each(&pairs, 0.5);
    let [flat, tilted, corner, edge, crossed, above] = &found[..] else { panic!("six contacts") };
    // A box above a floor has its four corners; tilted, those that are near enough.
    assert_eq!((flat.kind(), flat.points().len(), flat.normal()), (ContactKind::FaceA, 4, Vec3::Y));
    assert!(flat.points().all(|point| (point.depth + 0.25).abs() < 1e-6));
    assert_eq!((tilted.kind(), tilted.points().len(), tilted.normal()), (ContactKind::FaceA, 4, Vec3::Y));
    let depths: Vec<f32> = tilted.points().map(|point| point.depth).collect();
    assert!(depths.iter().any(|depth| *depth < tilted.depth() - 0.15), "{depths:?}");
    // Corner above corner, and a corner beside an edge: one point, along the way between them.
    assert_eq!((corner.kind(), corner.points().len()), (ContactKind::Deepest, 1));
    assert!((corner.normal() - Vec3::splat(3.0_f32.sqrt().recip())).length() < 1e-6, "{corner:?}");
    assert_eq!(corner.points().next().unwrap().on_b, vec3(5.125, 0.125, 5.125));
    assert_eq!((edge.kind(), edge.normal().z), (ContactKind::Deepest, 0.0));
    // Edges that pass each other.
    assert_eq!((crossed.kind(), crossed.points().len()), (ContactKind::Edges, 1));
    assert_eq!((above.kind(), above.normal()), (ContactKind::Round, Vec3::Y));
    // Within less.
    let found = of_each(&[over_floor(crate_(0.75, 0.2).into()), [ball(0.0), ball(2.25)]], 0.26);
    let [nearest, balls] = &found[..] else { panic!("two contacts") };
    assert_eq!((nearest.points().len(), nearest.depth()), (2, tilted.depth()));
    assert_eq!(
        (balls.kind(), balls.normal(), balls.points().next().unwrap().on_b.x),
        (ContactKind::Round, Vec3::X, 1.25)
    );
}

/// The points of a box that lands keep their features.
#[test]
fn features_last_until_bodies_meet_and_beyond() {
    let features = |height: f32| {
        let mut bodies = Bodies::new();
        bodies.push(floor()).unwrap();
        bodies.push(Obb::new([0.3, height, 0.2], [0.5; 3], Quat::from_rotation_y(0.3)).unwrap()).unwrap();
        let found = everywhere(&bodies, 0.1, "landing");
        let features: Vec<_> = found.manifolds()[0].points().map(|point| point.feature).collect();
        (features, found.manifolds()[0].depth())
    };
    let (before, depth) = features(0.59);
    assert!(before.len() == 4 && depth < 0.0);
    for height in [0.5625, 0.5, 0.4375] {
        assert_eq!(features(height).0, before, "at {height}");
    }
}

/// Bodies beyond the domain of deterministic arithmetic, points, and margins that are larger than anything.
#[test]
fn every_size_and_every_margin() {
    let mut bodies = Bodies::new();
    let units = [1e-38_f32, 1e-30, 1e-17, 1e-3, 1.0, 1e9, 1e17, 1e30];
    for (k, unit) in units.into_iter().enumerate().filter(|(k, _)| is_long() || [0, 2, 4, 7].contains(k)) {
        let turn = Quat::from_euler(glam::EulerRot::XYZ, 0.3 * k as f32, 0.7, 0.1);
        let at = |x: f32| [x * unit, 0.25 * unit, -0.5 * unit];
        bodies.push(Sphere::new(at(0.0), unit).unwrap()).unwrap();
        bodies.push(Obb::new(at(3.0), [unit, 0.5 * unit, 0.75 * unit], turn).unwrap()).unwrap();
        bodies.push(Aabb::new(at(-4.0), at(-4.0)).unwrap()).unwrap();
        bodies.push(Aabb::from_center_half_extents(at(6.5), [unit; 3]).unwrap()).unwrap();
    }
    bodies.push(Aabb::new([-f32::MAX; 3], [f32::MAX; 3]).unwrap()).unwrap();
    bodies.push(Sphere::new([0.0, 1e19, 0.0], 1e9).unwrap()).unwrap();
    let margins = [0.0, 0.5, 1e31, f32::from_bits(1), 1e-20, 1e18, f32::MAX];
    for margin in margins.into_iter().take(if is_long() { 7 } else { 3 }) {
        let found = everywhere(&bodies, margin, "all sizes");
        assert!(found.manifolds().iter().all(|found| found.points().len() > 0 && found.depth().is_finite()));
    }
    for id in 0..bodies.len() as u32 {
        bodies.set_margin(id, [0.0, 3e38, 1e-40, 2.0][id as usize % 4]).unwrap();
    }
    everywhere(&bodies, 1.0, "all margins");
}

#[test]
fn options_and_bad_margins() {
    let mut bodies = Bodies::new();
    bodies.extend([0.0, 2.5, 5.25].map(|x| Sphere::new([x, 0.0, 0.0], 1.0).unwrap())).unwrap();
    for (name, engine) in &*ENGINES {
        let asked = |margin: f32| engine.contacts(&bodies).margin(margin);
        assert_eq!(asked(0.5).run().unwrap().pairs().to_vec(), [[0, 1]], "{name}");
        assert!(asked(0.5).overlapping_only().run().unwrap().is_empty(), "{name}: exactly as far apart as the margin");
        assert_eq!(asked(0.75).overlapping_only().run().unwrap().pairs().to_vec(), [[0, 1]], "{name}");
        assert!(asked(0.0).run().unwrap() == engine.contacts(&bodies).run().unwrap(), "{name}");
        assert!(asked(0.75).deepest_point_only().run().unwrap() == asked(0.75).run().unwrap(), "{name}");
        let between = engine.contacts(&bodies).margin(0.75).against(&bodies).run().unwrap();
        assert_eq!(between.pairs().relation(2, 1), Relation::Touching, "{name}");
        assert_eq!(between.get(2, 1).unwrap().normal(), Vec3::NEG_X, "{name}");
        for bad in [-1.0, f32::NAN, f32::INFINITY] {
            assert!(asked(bad).run().is_err(), "{name}: {bad}");
        }
    }
}

/// What a GPU answers is computed by its kernels.
#[test]
fn kernels_compute_them() {
    let bodies = Scene::Stacks.build(3000, SEED).unwrap();
    let expected = cpu().contacts(&bodies).margin(0.05).run().unwrap();
    for (name, engine) in ENGINES.iter().filter(|(_, engine)| engine.info().backend == BackendKind::Gpu) {
        let found = engine.contacts(&bodies).margin(0.05).run().unwrap();
        assert!(found == expected, "{name}");
        assert_eq!(found.computed_on_host(), 0, "{name}");
    }
}
