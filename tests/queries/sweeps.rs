//! Moving bodies: the same pairs and times on every engine, none missed, and few that only pass each other.

use tangency::glam::{Quat, Vec3, vec3};
use tangency::query::{self, Motion};
use tangency::scenes::{SEED, Scene, random};
use tangency::shape::{Aabb, Obb, Shape, Sphere};
use tangency::{BackendKind, Bodies, Engine, Error, SweepHits, Traits};

use crate::engines::{ENGINES, brute, is_long};

/// Numbers from −1 to 1, the same for the same seed.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        vec3(self.next(), self.next(), self.next())
    }
}

/// Motions by some of the size of bodies: straight ones, and turns about themselves and about other points.
fn motions(bodies: &Bodies, seed: u64, far: f32) -> Vec<Motion> {
    let mut random = Random(seed);
    let motion = |id: u32| {
        let bounds =
            bodies.shape(id).ok().and_then(|shape| shape.aabb()).unwrap_or(Aabb::new([0.0; 3], [1.0; 3]).unwrap());
        let size = bounds.half_extents().max_element().min(1e30);
        let (way, turn) = (random.vector() * size * far, random.vector() * 3.0);
        let beside = bounds.center().clamp(Vec3::splat(-1e30), Vec3::splat(1e30)) + random.vector() * size;
        match id % 5 {
            0 | 1 => Motion::translation(way).unwrap(),
            2 => Motion::REST,
            3 => Motion::new(way, turn).unwrap(),
            _ => Motion::new(way, turn).unwrap().about(beside).unwrap(),
        }
    };
    (0..bodies.id_bound() as u32).map(motion).collect()
}

/// The hits of every engine, in every ending, which are the same.
fn everywhere(bodies: &Bodies, motions: &[Motion], what: &str) -> SweepHits {
    let expected = brute().sweep(bodies, motions).run().unwrap();
    for (name, engine) in &*ENGINES {
        let found = engine.sweep(bodies, motions).run().unwrap();
        let other = found.iter().zip(expected.iter()).find(|(found, expected)| found != expected);
        assert!(found == expected, "{what}, {name}: {} and {}: {other:?}", found.len(), expected.len());
        assert_eq!(found.fingerprint(), expected.fingerprint(), "{what}, {name}");
        let mut parts = Vec::new();
        engine
            .sweep(bodies, motions)
            .for_each_part(|part| parts.extend(part.iter().map(|(a, b, hit)| (a, b, *hit))))
            .unwrap();
        assert!(parts.iter().map(|(a, b, hit)| (*a, *b, hit)).eq(expected.iter()), "{what}, {name}: in parts");
    }
    expected
}

/// Compares every pair of a set with the scalar function. Returns how many meet, and how many pass each other so near that they are reported.
fn against_scalar(bodies: &Bodies, motions: &[Motion], hits: &SweepHits, what: &str) -> [usize; 2] {
    let mut counts = [0; 2];
    let ids: Vec<u32> = bodies.iter().map(|body| body.id).collect();
    for (k, a) in ids.iter().copied().enumerate() {
        for b in ids[k + 1..].iter().copied() {
            let (of_a, of_b) = (&motions[a as usize], &motions[b as usize]);
            let shapes = (bodies.shape(a).unwrap(), bodies.shape(b).unwrap());
            // (Two half-spaces have no scalar answer, nor has one that turns about no pivot.)
            let is_plane = |shape: &Shape| matches!(shape, Shape::Plane(_));
            let answer = query::sweep(&shapes.0, of_a, &shapes.1, of_b);
            if answer.is_err() && (is_plane(&shapes.0) || is_plane(&shapes.1)) {
                continue;
            }
            let impact = answer.unwrap();
            let found = hits.get(a, b);
            let what = format!("{what}: {a} and {b}: {found:?} and {impact:?}");
            match (impact, found) {
                (Some(impact), Some(hit)) => {
                    counts[0] += 1;
                    assert!(hit.from() <= hit.to() && hit.to() <= 1.0, "{what}");
                    // Never later; and sooner only by the time that the tolerance takes.
                    if impact.converged {
                        assert!(hit.from() <= impact.time + 1e-6, "{what}");
                    }
                    assert!(hit.to() >= impact.time - 1e-2, "{what}");
                    if hit.from() > 0.0 && hit.to() < 1.0 {
                        assert!((hit.normal().length() - 1.0).abs() < 1e-5, "{what}");
                    }
                }
                (Some(impact), None) => assert!(!impact.converged, "{what}: missed"),
                (None, Some(_)) => counts[1] += 1,
                (None, None) => {}
            }
        }
    }
    counts
}

#[test]
fn scenes_have_the_same_hits_everywhere() {
    let (mut meet, mut pass) = (0, 0);
    for scene in Scene::ALL {
        let bodies = scene.build(if is_long() { 250 } else { 140 }, SEED).unwrap();
        let motions = motions(&bodies, 1, 3.0);
        let hits = everywhere(&bodies, &motions, scene.name());
        if scene == Scene::Worlds {
            // (Of which the scalar function knows nothing.)
            continue;
        }
        let found = against_scalar(&bodies, &motions, &hits, scene.name());
        (meet, pass) = (meet + found[0], pass + found[1]);
    }
    assert!(meet > 500 && pass * 200 < meet, "{meet} meet, {pass} only pass each other");
}

#[test]
fn random_scenes_have_the_same_hits_everywhere() {
    let mut found = 0;
    for seed in 0..24 {
        let bodies = random(seed, 200).unwrap();
        let motions = motions(&bodies, seed, [0.0, 0.5, 4.0, 200.0][seed as usize % 4]);
        let hits = everywhere(&bodies, &motions, &format!("seed {seed}"));
        assert!(
            hits.hits().iter().all(|hit| (0.0..=1.0).contains(&hit.from()) && hit.normal().is_finite()),
            "seed {seed}"
        );
        found += hits.len();
    }
    assert!(found > 500, "{found} hits");
}

/// Two bodies that move against each other, as every engine sees them.
fn of_two(shapes: [Shape; 2], motions: [Motion; 2]) -> SweepHits {
    let mut bodies = Bodies::new();
    bodies.extend(shapes).unwrap();
    everywhere(&bodies, &motions, "two bodies")
}

fn ball(x: f32, y: f32, radius: f32) -> Shape {
    Sphere::new([x, y, 0.0], radius).unwrap().into()
}

fn along(x: f32) -> Motion {
    Motion::translation([x, 0.0, 0.0]).unwrap()
}

#[test]
fn times_by_hand() {
    let close = |hits: &SweepHits, time: f64| {
        let hit = hits.get(0, 1).expect("they meet");
        assert!(hit.from() <= time && hit.to() > time - 1e-4 && hit.to() < time + 1e-4, "{hit:?}, at {time}");
    };
    close(&of_two([ball(0.0, 0.0, 1.0), ball(6.0, 0.0, 1.0)], [along(8.0), Motion::REST]), 0.5);
    close(&of_two([ball(0.0, 0.0, 1.0), ball(6.0, 0.0, 1.0)], [along(5.0), along(-3.0)]), 0.5);
    // Both as fast: never.
    assert!(of_two([ball(0.0, 0.0, 1.0), ball(6.0, 0.0, 1.0)], [along(5.0), along(5.0)]).is_empty());
    // Just reached, and just not.
    assert_eq!(of_two([ball(0.0, 0.0, 1.0), ball(6.0, 0.0, 1.0)], [along(4.0), Motion::REST]).len(), 1);
    assert!(of_two([ball(0.0, 0.0, 1.0), ball(6.0, 0.0, 1.0)], [along(3.99), Motion::REST]).is_empty());
    // Past each other: within reach, and not.
    assert_eq!(of_two([ball(0.0, 1.99, 1.0), ball(6.0, 0.0, 1.0)], [along(12.0), Motion::REST]).len(), 1);
    assert!(of_two([ball(0.0, 2.01, 1.0), ball(6.0, 0.0, 1.0)], [along(12.0), Motion::REST]).is_empty());
    // Paper, and a bullet that is beyond it a thousandth of the step later.
    let paper = || Shape::from(Aabb::new([10.0, -1.0, -1.0], [10.0001, 1.0, 1.0]).unwrap());
    close(&of_two([ball(0.0, 0.0, 0.01), paper()], [along(1e6), Motion::REST]), 9.99e-6);
    let rod = |turn: f32| {
        let obb = Obb::new([0.0, 0.0, 0.0], [2.0, 0.1, 0.1], Quat::IDENTITY).unwrap();
        (Shape::from(obb), Motion::new([0.0; 3], [0.0, 0.0, turn]).unwrap())
    };
    // A rod turns into a ball at three o'clock of it, by a quarter turn, but not by an eighth; and many times.
    let (shape, quarter) = rod(1.6);
    close(
        &of_two([shape.clone(), ball(0.0, 1.5, 0.1)], [quarter, Motion::REST]),
        (std::f64::consts::FRAC_PI_2 - (0.2_f64 / 1.5).asin()) / 1.6,
    );
    assert!(of_two([shape.clone(), ball(0.0, 1.5, 0.1)], [rod(0.8).1, Motion::REST]).is_empty());
    assert_eq!(of_two([shape.clone(), ball(0.0, 1.5, 0.1)], [rod(900.0).1, Motion::REST]).len(), 1);
    // It stays within its circle.
    assert!(of_two([shape, ball(0.0, 2.2, 0.1)], [rod(1000.0).1, Motion::REST]).is_empty());
    // In each other from the start.
    let inside = of_two([ball(0.0, 0.0, 1.0), ball(0.5, 0.0, 1.0)], [along(9.0), Motion::REST]);
    assert_eq!((inside.hits()[0].from(), inside.hits()[0].to()), (0.0, 0.0));
}

/// Faces that meet flat, edges and corners: the gap is known to a few units in the last place up to the end.
#[test]
fn no_kind_of_contact_stops_too_early() {
    let mut random = Random(7);
    for round in 0..300 {
        let turned = |random: &mut Random| {
            let q = random.vector();
            Quat::from_xyzw(q.x, q.y, q.z, random.next()).normalize()
        };
        let [turn_a, turn_b] = match round % 4 {
            0 => [Quat::IDENTITY; 2],
            1 => [turned(&mut random); 2],
            2 => [turned(&mut random), Quat::IDENTITY],
            _ => [turned(&mut random), turned(&mut random)],
        };
        let half = |random: &mut Random| random.vector().abs() + Vec3::splat(0.1);
        let (first, second) = (half(&mut random), half(&mut random));
        let to = random.vector() * 10.0;
        let shapes =
            [Obb::new([0.0; 3], first, turn_a).unwrap(), Obb::new(to, second, turn_b).unwrap()].map(Shape::from);
        let way = to + random.vector() * 0.3;
        let motions = [Motion::translation(way).unwrap(), Motion::REST];
        let impact = query::sweep(&shapes[0], &motions[0], &shapes[1], &motions[1]).unwrap();
        let mut bodies = Bodies::new();
        bodies.extend(shapes).unwrap();
        let hits = brute().sweep(&bodies, &motions).run().unwrap();
        let found = hits.get(0, 1);
        let what = format!("{round}: {found:?} and {impact:?}");
        if let Some(impact) = impact {
            let hit = found.expect(&what);
            // No more than the tolerance takes.
            let (early, speed) = (impact.time - hit.from(), f64::from(way.dot(impact.normal)));
            let sizes = f64::from((first + second).element_sum());
            assert!(early > -1e-7 && early * speed < 4e-5 * sizes && hit.to() < 1.0, "{early} at {speed}: {what}");
        }
    }
}

#[test]
fn every_size_has_its_answer() {
    let mut bodies = Bodies::new();
    let mut motions = Vec::new();
    for unit in [1e-38_f32, 1e-30, 1e-12, 1.0, 1e12, 1e30] {
        let at = |x: f32| vec3(x, 0.5, 0.25) * unit;
        bodies.push(Sphere::new(at(0.0), unit).unwrap()).unwrap();
        bodies.push(Obb::new(at(4.0), [unit; 3], Quat::from_rotation_z(0.4)).unwrap()).unwrap();
        bodies.push(Aabb::new(at(8.0), at(8.0)).unwrap()).unwrap();
        for way in [9.0, 0.0, -9.0] {
            motions.push(Motion::new(vec3(way, 0.0, 0.0) * unit, [0.0, 0.0, way]).unwrap());
        }
    }
    bodies.push(Aabb::new([-f32::MAX; 3], [f32::MAX; 3]).unwrap()).unwrap();
    motions.push(Motion::translation([f32::MAX; 3]).unwrap());
    bodies.push(Sphere::new([0.0; 3], 0.0).unwrap()).unwrap();
    motions.push(Motion::new([1.0; 3], [1e30; 3]).unwrap().about([-3e38; 3]).unwrap());
    let hits = everywhere(&bodies, &motions, "all sizes");
    assert!(hits.len() > 20, "{}", hits.len());
    assert_eq!(
        everywhere(&bodies, &vec![Motion::REST; bodies.len()], "at rest").pairs().len(),
        brute().overlaps(&bodies).run().unwrap().len()
    );
}

#[test]
fn traits_holes_and_two_sets() {
    let mut bodies = Bodies::new();
    for x in [0.0, 3.0, 6.0, 9.0] {
        bodies.push(Sphere::new([x, 0.0, 0.0], 1.0).unwrap()).unwrap();
    }
    let motions = [along(10.0), Motion::REST, Motion::REST, Motion::REST];
    assert_eq!(everywhere(&bodies, &motions, "all").pairs().to_vec(), [[0, 1], [0, 2], [0, 3]]);
    bodies.remove(1).unwrap();
    bodies.exclude(0, 2).unwrap();
    assert_eq!(everywhere(&bodies, &motions, "some").pairs().to_vec(), [[0, 3]]);
    bodies.set_traits(3, Traits::new().world(2)).unwrap();
    assert!(everywhere(&bodies, &motions, "none").is_empty());
    let (mut others, still) = (Bodies::new(), [Motion::REST; 2]);
    others.extend([Sphere::new([5.0, 0.0, 0.0], 0.5).unwrap(), Sphere::new([5.0, 4.0, 0.0], 0.5).unwrap()]).unwrap();
    for (name, engine) in &*ENGINES {
        let between = engine.sweep(&bodies, &motions).against(&others, &still).run().unwrap();
        assert_eq!(between.pairs().to_vec(), [[0, 0], [2, 0]], "{name}");
        let turned = engine.sweep(&others, &still).against(&bodies, &motions).run().unwrap();
        let (hit, other) = (between.get(0, 0).unwrap(), turned.get(0, 0).unwrap());
        assert!((hit.from() - other.from()).abs() < 1e-6 && (hit.normal() + other.normal()).length() < 1e-5, "{name}");
        let index = engine.index(&bodies).unwrap();
        assert!(engine.sweep(&index, &motions).against(&others, &still).run().unwrap() == between, "{name}");
        let awaited =
            pollster::block_on(async { engine.sweep(&bodies, &motions).against(&others, &still).await }).unwrap();
        assert!(awaited == between, "{name}");
        for wrong in [&motions[..3], &[]] {
            let error = Error::WrongCount { what: "motions", found: wrong.len(), expected: 4 };
            assert_eq!(engine.sweep(&bodies, wrong).run().unwrap_err(), error, "{name}");
        }
        assert!(engine.sweep(&bodies, &motions).against(&others, &[]).run().is_err(), "{name}");
        assert!(engine.sweep(&Bodies::new(), &[]).run().unwrap().is_empty(), "{name}");
    }
}

/// What a GPU answers is computed by its kernels.
#[test]
fn kernels_compute_them() {
    let bodies = Scene::Uniform.build(3000, SEED).unwrap();
    let motions = motions(&bodies, 5, 2.0);
    let cpu = Engine::builder().backend(BackendKind::Cpu).threads(2).build().unwrap();
    let expected = cpu.sweep(&bodies, &motions).run().unwrap();
    for (name, engine) in ENGINES.iter().filter(|(_, engine)| engine.info().backend == BackendKind::Gpu) {
        let found = engine.sweep(&bodies, &motions).run().unwrap();
        let other = found.iter().zip(expected.iter()).find(|(found, expected)| found != expected);
        assert!(found == expected && found.len() > 3000, "{name}: {} and {}: {other:?}", found.len(), expected.len());
        assert_eq!(found.computed_on_host(), 0, "{name}");
    }
}

/// One engine, whose memory other queries use in between, and a set of which few bodies change from one sweep to the next.
#[test]
fn engines_are_used_again() {
    let mut bodies = Scene::Uniform.build(300, SEED).unwrap();
    let motions = motions(&bodies, 9, 1.0);
    for round in 0..2_u32 {
        for id in (round..300).step_by(41) {
            let shape = bodies.shape((id + 450) % 300).unwrap();
            bodies.set_shape(id, shape).unwrap();
        }
        let hits = brute().sweep(&bodies, &motions).run().unwrap();
        let (pairs, near) =
            (brute().overlaps(&bodies).run().unwrap(), brute().contacts(&bodies).margin(0.1).run().unwrap());
        for (name, engine) in &*ENGINES {
            assert!(engine.sweep(&bodies, &motions).run().unwrap() == hits, "{name}, round {round}");
            assert!(engine.overlaps(&bodies).run().unwrap() == pairs, "{name}, round {round}: overlaps");
            let between = engine.sweep(&bodies, &motions).against(&bodies, &motions).run().unwrap();
            assert!(hits.iter().all(|(a, b, hit)| between.get(a, b) == Some(hit)), "{name}, round {round}: two sets");
            assert!(engine.contacts(&bodies).margin(0.1).run().unwrap() == near, "{name}, round {round}: contacts");
            assert!(engine.sweep(&bodies, &motions).run().unwrap() == hits, "{name}, round {round}: again");
        }
    }
}
