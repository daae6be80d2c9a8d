//! Rays through the public API: every backend against brute force, and brute force against rational numbers.

use crate::engines::{ENGINES, is_long};
use crate::rational::{Q, RationalBox, q, vec3};
use crate::{engines, rational};
use tangency::glam::Vec3;
use tangency::scenes::{RandomRay, SEED, Scene, grazing, random, random_rays};
use tangency::shape::{Aabb, Ray, Shape, Sphere};
use tangency::{AllHits, AnyHits, Bodies, BodyHit, Engine, NearestHits, Traits};

fn columns(shots: &[RandomRay]) -> (Vec<Ray>, Vec<f32>, Vec<Traits>) {
    let rays = shots.iter().map(|shot| shot.ray).collect();
    (rays, shots.iter().map(|shot| shot.until).collect(), shots.iter().map(|shot| shot.traits).collect())
}

fn cast(engine: &Engine, bodies: &Bodies, shots: &[RandomRay]) -> (NearestHits, AnyHits, AllHits) {
    let (rays, until, traits) = columns(shots);
    let request = || engine.cast_rays(bodies, &rays).until_each(&until).with_traits_each(&traits);
    (request().run().unwrap(), request().any().run().unwrap(), request().all().run().unwrap())
}

/// Asserts that all engines find the same, and that the three kinds of answers agree.
fn check(bodies: &Bodies, shots: &[RandomRay], what: &str) {
    let expected = cast(&engines::brute(), bodies, shots);
    for (ray, shot) in shots.iter().enumerate() {
        assert_eq!(expected.0.get(ray), expected.2.of(ray).first().copied(), "{what}");
        assert_eq!(expected.0.get(ray).is_some(), expected.1.get(ray), "{what}");
        assert!(expected.2.of(ray).iter().all(|hit| (0.0..=shot.until).contains(&hit.time)), "{what}");
    }
    for (name, engine) in ENGINES.iter() {
        let found = cast(engine, bodies, shots);
        for (ray, shot) in shots.iter().enumerate() {
            assert_eq!(found.0.get(ray), expected.0.get(ray), "{what}, {name}, ray {ray}: {shot:?}");
            assert_eq!(found.1.get(ray), expected.1.get(ray), "{what}, {name}, ray {ray}: {shot:?}");
            assert_eq!(found.2.of(ray), expected.2.of(ray), "{what}, {name}, ray {ray}: {shot:?}");
        }
        assert!(found == expected, "{what}, {name}");
        assert_eq!(found.2.fingerprint(), expected.2.fingerprint());
    }
}

#[test]
fn every_backend_agrees_on_every_scene() {
    for scene in Scene::ALL {
        let bodies = scene.build(if is_long() { 20_000 } else { 500 }, SEED).unwrap();
        check(&bodies, &random_rays(&bodies, if is_long() { 2000 } else { 100 }, 3), scene.name());
    }
}

#[test]
fn every_backend_agrees_on_random_scenes() {
    for seed in 0..if is_long() { 400 } else { 12 } {
        let bodies = random(seed, 400).unwrap();
        check(&bodies, &random_rays(&bodies, 150, seed), &format!("seed {seed}"));
    }
    let pairs = grazing(200, 5).unwrap();
    check(&pairs, &random_rays(&pairs, 300, 5), "bodies that graze");
    check(&Bodies::new(), &random_rays(&Bodies::new(), 5, 5), "no bodies");
}

/// The largest coordinate difference between a ray's origin and any point of a shape, three times.
fn reach(ray: &Ray, shape: &Shape) -> Q {
    let bounds = match shape {
        Shape::Sphere(ball) => ball.aabb(),
        Shape::Aabb(aabb) => *aabb,
        Shape::Obb(obb) => obb.aabb(),
        Shape::Capsule(capsule) => capsule.aabb(),
        Shape::Plane(_) => return q(0.0),
        other => panic!("{other:?} is no body"),
    };
    let far =
        |corner: Vec3| vec3(corner).into_iter().zip(vec3(ray.origin())).map(|(a, b)| if a > b { a - b } else { b - a });
    far(bounds.min()).chain(far(bounds.max())).max().expect("six numbers") * q(3.0)
}

/// Whether brute force is right, in rational numbers: which bodies are met, and when. A time is no later than the exact one, but for its
/// rounding, and the point at that time is at the body.
#[test]
fn brute_force_is_right_in_rational_numbers() {
    let (mut hits, mut touching) = (0, 0);
    for seed in 0..if is_long() { 300 } else { 9 } {
        let bodies = random(1000 + seed, 25).unwrap();
        let shots = random_rays(&bodies, 80, seed);
        let found = cast(&engines::brute(), &bodies, &shots).2;
        for (ray, shot) in shots.iter().enumerate() {
            let (origin, way) = (vec3(shot.ray.origin()), vec3(shot.ray.direction()));
            let last = shot.until.is_finite().then(|| q(shot.until));
            for body in (0..bodies.id_bound() as u32).filter(|body| bodies.contains(*body)) {
                let shape = bodies.shape(body).unwrap();
                let boxed = match &shape {
                    Shape::Aabb(aabb) => Some(RationalBox::from(aabb)),
                    Shape::Obb(obb) => Some(RationalBox::from(obb)),
                    _ => None,
                };
                let times = boxed.as_ref().map(|boxed| boxed.times(&origin, &way));
                let meets = match (&shape, &times) {
                    (Shape::Sphere(ball), _) => rational::ray_meets_ball(&origin, &way, last.as_ref(), ball),
                    (Shape::Capsule(capsule), _) => rational::ray_meets_capsule(&origin, &way, last.as_ref(), capsule),
                    (Shape::Plane(plane), _) => rational::half_space_time(plane, &origin, &way, &q(0.0))
                        .is_some_and(|(first, _)| last.as_ref().is_none_or(|last| first <= *last)),
                    (_, Some(Some((first, end)))) => *end >= q(0.0) && last.as_ref().is_none_or(|last| first <= last),
                    _ => false,
                };
                let allowed = bodies.is_enabled(body).unwrap() && shot.traits.may_meet(&bodies.traits(body).unwrap());
                let hit = found.of(ray).iter().find(|hit| hit.body == body);
                assert_eq!(hit.is_some(), meets && allowed, "seed {seed}, {shot:?}, {shape:?}");
                let Some(BodyHit { time, .. }) = hit else { continue };
                hits += 1;
                if *time >= f32::MAX {
                    continue;
                }
                let (time, rounding) = (q(*time), q(2.0_f32.powi(-22)));
                let tolerance = reach(&shot.ray, &shape) * q(2.0_f32.powi(-21));
                let point = rational::along(&origin, &way, &time);
                match (&shape, boxed, times) {
                    (Shape::Sphere(ball), ..) => {
                        let (center, radius) = (vec3(ball.center()), q(ball.radius()));
                        let outer = &radius + &tolerance;
                        assert!(rational::squared(&point, &center) <= &outer * &outer, "early: {shot:?}, {ball:?}");
                        let inner = &radius - &tolerance;
                        let late =
                            time > q(0.0) && inner > q(0.0) && rational::squared(&point, &center) < &inner * &inner;
                        assert!(!late, "late: {shot:?}, {ball:?}");
                    }
                    (Shape::Capsule(capsule), ..) => {
                        let radius = q(capsule.radius());
                        let square = rational::squared_distance(&RationalBox::at(&point), &capsule.into());
                        let outer = &radius + &tolerance;
                        assert!(square <= &outer * &outer, "early: {shot:?}, {capsule:?}");
                        let inner = &radius - &tolerance;
                        let late = time > q(0.0) && inner > q(0.0) && square < &inner * &inner;
                        assert!(!late, "late: {shot:?}, {capsule:?}");
                    }
                    (Shape::Plane(plane), ..) => {
                        let share = q(2.0_f32.powi(-27));
                        let (exact, error) = rational::half_space_time(plane, &origin, &way, &share).expect("it meets");
                        let error = error + &exact * &rounding + q(f32::MIN_POSITIVE);
                        assert!(time <= &exact + &error && exact <= time + error, "{shot:?}, {plane:?}: {exact}");
                    }
                    (_, Some(boxed), Some(Some((first, end)))) => {
                        touching += usize::from(first == end);
                        let exact = first.max(q(0.0));
                        assert!(
                            time <= &exact + &exact * &rounding + q(f32::MIN_POSITIVE),
                            "late: {shot:?}, {shape:?}"
                        );
                        assert!(boxed.is_near(&point, &tolerance), "early: {shot:?}, {shape:?}");
                    }
                    _ => unreachable!("it was met"),
                }
            }
        }
    }
    println!("{hits} hits, {touching} of them at one moment");
    assert!(hits > 200 && touching > 10, "{hits} hits, {touching} of them at one moment");
}

/// A ray that starts on the surface of a box enters it at once, also where times are computed in `f64`.
#[test]
fn a_ray_from_a_surface_far_away_enters_at_once() {
    let mut bodies = Bodies::new();
    let (min, max) = ([6.067427e23, 6.0431534e23, 6.0436383e23], [6.070378e23, 6.046105e23, 6.04659e23]);
    bodies.push(Aabb::new(min, max).unwrap()).unwrap();
    let rays = [
        Ray::new([6.068356e23, 6.0431534e23, 6.046105e23], [0.009238454, 0.109172724, 0.12257665]).unwrap(),
        Ray::new(min, [1e-3, 1.0, 1e3]).unwrap(),
    ];
    for (name, engine) in &*ENGINES {
        let found = engine.cast_rays(&bodies, &rays).run().unwrap();
        assert_eq!([0, 1].map(|ray| found.get(ray).map(|hit| hit.time)), [Some(0.0); 2], "{name}");
    }
}

/// Bodies far outside the domain of the kernels, and rays inside: none is lost on the way through the tree.
#[test]
fn bodies_at_the_end_of_the_world_are_met() {
    let mut bodies = Bodies::new();
    for k in 0..200_u8 {
        bodies.push(Sphere::new([f32::from(k), 0.0, 0.0], 0.1).unwrap()).unwrap();
    }
    for far in [1e13, 1e15, 1e18, 1e24, 1e30, 1e36] {
        bodies.push(Sphere::new([0.0, far, 0.0], far / 4.0).unwrap()).unwrap();
        bodies.push(Aabb::new([-far, 2.0 * far, -far], [far, 3.0 * far, far]).unwrap()).unwrap();
    }
    let rays =
        [Ray::new([0.0, 1.0, 0.0], [0.0, 1.0, 0.0]).unwrap(), Ray::new([5.0, 1.0, 0.0], [0.0, 1e9, 1e3]).unwrap()];
    for (name, engine) in &*ENGINES {
        let found = engine.cast_rays(&bodies, &rays).all().run().unwrap();
        assert_eq!([found.of(0).len(), found.of(1).len()], [12; 2], "{name}");
        let limited = engine.cast_rays(&bodies, &rays[..1]).until(1e20).all().run().unwrap();
        assert_eq!(limited.of(0).len(), 6, "{name}");
        for (ray, all) in found.iter().enumerate() {
            assert_eq!(engine.cast_rays(&bodies, &rays).run().unwrap().get(ray), all.first().copied(), "{name}");
            assert!(engine.cast_rays(&bodies, &rays).any().run().unwrap().get(ray), "{name}");
        }
    }
}

/// Bad rays, last times and lists are refused, with the index of the ray.
#[test]
fn bad_rays_are_refused() {
    let bodies = Scene::Mixed.build(10, SEED).unwrap();
    let good = Ray::new([0.0; 3], [1.0, 0.0, 0.0]).unwrap();
    let raw = |numbers: [f32; 6]| -> Ray { bytemuck::cast(numbers) };
    let engine = engines::brute();
    let error = |rays: &[Ray]| engine.cast_rays(&bodies, rays).run().unwrap_err().to_string();
    assert!(error(&[good, raw([0.0; 6])]).starts_with("ray 1: direction is (0, 0, 0)"));
    assert!(error(&[raw([f32::NAN, 0.0, 0.0, 1.0, 0.0, 0.0])]).starts_with("ray 0: origin.x is NaN"));
    let rays = [good; 3];
    let until = |times: &[f32]| engine.cast_rays(&bodies, &rays).until_each(times).any().run().unwrap_err().to_string();
    assert_eq!(until(&[1.0, -2.0, 3.0]), "ray 1: until is -2; it must be zero or more");
    assert_eq!(until(&[1.0]), "there are 1 last times; give 3, one for each");
    assert!(engine.cast_rays(&bodies, &rays).until(f32::NAN).run().is_err());
    assert!(engine.cast_rays(&bodies, &rays).with_traits_each(&[]).run().is_err());
}
