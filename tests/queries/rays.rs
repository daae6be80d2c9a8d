//! Rays through the public API: every backend against brute force, and brute force against rational numbers.

use crate::common::seeds_with_hulls;
use crate::engines::{ENGINES, is_long};
use crate::polytopes::square_from;
use crate::rational::{Q, RationalBox, V, q, vec3};
use crate::rational_hull::RationalHull;
use crate::{engines, rational};
use tangency::glam::Vec3;
use tangency::scenes::{RandomRay, SEED, Scene, grazing, random, random_rays};
use tangency::shape::{Aabb, ConvexHull, Ray, Shape, Sphere};
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
        let bodies = scene.build(if is_long() { 5000 } else { 500 }, SEED).unwrap();
        check(&bodies, &random_rays(&bodies, if is_long() { 1000 } else { 100 }, 3), scene.name());
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

/// The largest coordinate difference between a ray's origin and any point of a shape, three times. Of a hull, which is known by its position
/// and what lies around that, no less than both together.
fn reach(ray: &Ray, shape: &Shape) -> Q {
    let bounds = match shape {
        Shape::Sphere(ball) => ball.aabb(),
        Shape::Aabb(aabb) => *aabb,
        Shape::Obb(obb) => obb.aabb(),
        Shape::Capsule(capsule) => capsule.aabb(),
        Shape::ConvexHull(hull) => hull.aabb(),
        Shape::Plane(_) => return q(0.0),
        other => panic!("{other:?} is no body"),
    };
    let far =
        |corner: Vec3| vec3(corner).into_iter().zip(vec3(ray.origin())).map(|(a, b)| if a > b { a - b } else { b - a });
    let known = match shape {
        Shape::ConvexHull(hull) => {
            let around = hull.local_vertices().iter().map(|corner| corner.abs().max_element()).fold(0.0, f32::max);
            far(hull.pose().position().to_vec3()).max().expect("three numbers") + q(around)
        }
        _ => q(0.0),
    };
    far(bounds.min()).chain(far(bounds.max())).chain([known]).max().expect("numbers") * q(3.0)
}

/// A body in rational numbers, where these tell when a ray is inside.
enum Exact {
    Box(Box<RationalBox>),
    Hull(RationalHull),
    Other,
}

impl Exact {
    fn of(shape: &Shape) -> Self {
        match shape {
            Shape::Aabb(aabb) => Self::Box(Box::new(aabb.into())),
            Shape::Obb(obb) => Self::Box(Box::new(obb.into())),
            Shape::ConvexHull(hull) => Self::Hull(hull.into()),
            _ => Self::Other,
        }
    }

    fn times(&self, origin: &V, way: &V) -> Option<(Q, Q)> {
        match self {
            Self::Box(boxed) => boxed.times(origin, way),
            Self::Hull(hull) => hull.times(origin, way),
            Self::Other => None,
        }
    }
}

/// Whether a ray meets a body, from when it is inside if that is known.
fn meets(shape: &Shape, times: Option<&(Q, Q)>, (origin, way): (&V, &V), last: Option<&Q>) -> bool {
    match shape {
        Shape::Sphere(ball) => rational::ray_meets_ball(origin, way, last, ball),
        Shape::Capsule(capsule) => rational::ray_meets_capsule(origin, way, last, capsule),
        Shape::Plane(plane) => rational::half_space_time(plane, origin, way, &q(0.0))
            .is_some_and(|(first, _)| last.is_none_or(|last| first <= *last)),
        _ => times.is_some_and(|(first, end)| *end >= q(0.0) && last.is_none_or(|last| first <= last)),
    }
}

/// Asserts that a point is within a radius of the nearest one of a body's core, but for a tolerance; and at that distance unless it is the start.
fn check_round(square: &Q, radius: &Q, tolerance: &Q, is_start: bool, what: &str) {
    let (outer, inner) = (radius + tolerance, radius - tolerance);
    assert!(*square <= &outer * &outer, "early: {what}");
    assert!(is_start || inner <= q(0.0) || *square >= &inner * &inner, "late: {what}");
}

/// Asserts that a point is where a ray may be said to enter a hull. In `f64` a hull's sides are moved outward by 2⁻³⁰ of how far they are away; so the
/// point may be farther from a slender hull, but not from its bounds.
fn check_near_hull(hull: &ConvexHull, exact: &RationalHull, point: &V, tolerance: &Q, what: &str) {
    assert!(RationalBox::from(&hull.aabb()).is_near(point, tolerance), "far from the bounds: {what}");
    let moved = tolerance * q(2.0_f32.powi(-8));
    let most = tolerance * tolerance + &moved * &moved * exact.slenderness();
    assert!(square_from(hull, point) <= most * q(2.0), "early: {what}");
}

/// Asserts that the time of a hit is right: no later than the exact one, but for its rounding, and the point at that time is at the body.
fn check_time(shot: &RandomRay, shape: &Shape, exact: &Exact, times: Option<&(Q, Q)>, time: f32) {
    let what = format!("{shot:?}, {shape:?}");
    let (origin, way) = (vec3(shot.ray.origin()), vec3(shot.ray.direction()));
    let (time, rounding) = (q(time), q(2.0_f32.powi(-22)));
    // (A time that is too small for an `f32` is that of another place.)
    let fastest = q(shot.ray.direction().abs().max_element());
    let tolerance = reach(&shot.ray, shape) * q(2.0_f32.powi(-21)) + fastest * q(f32::MIN_POSITIVE);
    let point = rational::along(&origin, &way, &time);
    if let Some((first, _)) = times {
        let exact = first.clone().max(q(0.0));
        assert!(time <= &exact + &exact * &rounding + q(f32::MIN_POSITIVE), "late: {what}");
    }
    match (shape, exact) {
        (Shape::Sphere(ball), _) => {
            let square = rational::squared(&point, &vec3(ball.center()));
            check_round(&square, &q(ball.radius()), &tolerance, time == q(0.0), &what);
        }
        (Shape::Capsule(capsule), _) => {
            let square = rational::squared_distance(&RationalBox::at(&point), &capsule.into());
            check_round(&square, &q(capsule.radius()), &tolerance, time == q(0.0), &what);
        }
        (Shape::Plane(plane), _) => {
            let share = q(2.0_f32.powi(-27));
            let (exact, error) = rational::half_space_time(plane, &origin, &way, &share).expect("it meets");
            let error = error + &exact * &rounding + q(f32::MIN_POSITIVE);
            assert!(time <= &exact + &error && exact <= time + error, "{what}: {exact}");
        }
        (_, Exact::Box(boxed)) => assert!(boxed.is_near(&point, &tolerance), "early: {what}"),
        (Shape::ConvexHull(hull), Exact::Hull(exact)) => check_near_hull(hull, exact, &point, &tolerance, &what),
        _ => panic!("{shape:?} is no body"),
    }
}

/// Whether brute force is right, in rational numbers: which bodies are met, and when.
#[test]
fn brute_force_is_right_in_rational_numbers() {
    let (mut hits, mut touching, mut hulls) = (0, 0, 0);
    let (plain, of_hulls) = if is_long() { (300, 50) } else { (6, 2) };
    let seeds = (1000..1000 + plain).chain(seeds_with_hulls(1000 + plain, 25, 5).take(of_hulls));
    for seed in seeds {
        let bodies = random(seed, 25).unwrap();
        let all: Vec<(u32, Shape, Exact)> = (0..bodies.id_bound() as u32)
            .filter(|body| bodies.contains(*body))
            .map(|body| (body, bodies.shape(body).unwrap(), Exact::of(&bodies.shape(body).unwrap())))
            .collect();
        let shots = random_rays(&bodies, 80, seed);
        let found = cast(&engines::brute(), &bodies, &shots).2;
        for (ray, shot) in shots.iter().enumerate() {
            let (origin, way) = (vec3(shot.ray.origin()), vec3(shot.ray.direction()));
            let last = shot.until.is_finite().then(|| q(shot.until));
            for (body, shape, exact) in &all {
                let times = exact.times(&origin, &way);
                let meets = meets(shape, times.as_ref(), (&origin, &way), last.as_ref());
                let allowed = bodies.is_enabled(*body).unwrap() && shot.traits.may_meet(&bodies.traits(*body).unwrap());
                let hit = found.of(ray).iter().find(|hit| hit.body == *body);
                assert_eq!(hit.is_some(), meets && allowed, "seed {seed}, {shot:?}, {shape:?}");
                let Some(BodyHit { time, .. }) = hit else { continue };
                hits += 1;
                if *time >= f32::MAX {
                    continue;
                }
                touching += usize::from(times.as_ref().is_some_and(|(first, end)| first == end));
                hulls += usize::from(matches!(exact, Exact::Hull(_)));
                check_time(shot, shape, exact, times.as_ref(), *time);
            }
        }
    }
    println!("{hits} hits, {touching} of them at one moment, {hulls} of hulls");
    let is_enough = hits > 200 && touching > 10 && hulls > 20;
    assert!(is_enough, "{hits} hits, {touching} of them at one moment, {hulls} of hulls");
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
