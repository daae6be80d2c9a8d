//! The nearest bodies of points: exact order, equal bits, on every engine.

use std::cmp::Ordering;

use crate::common::seeds_with_hulls;
use crate::engines::{ENGINES, brute, is_long};
use crate::polytopes::square_from;
use crate::rational::{self, Q, RationalBox, core, q, squared_distance};
use crate::sweeps::Random;
use tangency::scenes::{Scene, random};
use tangency::shape::{Aabb, Capsule, Obb, Shape, Sphere};
use tangency::{Bodies, Closest, Engine, Error, Points, Traits};

/// Points all over a scene: corners of bounds, centres, between bodies, and far away; with the traits of bodies.
fn points_of(bodies: &Bodies, most: usize) -> Points {
    let mut points = Points::new();
    let all: Vec<_> = bodies.iter().map(|body| (crate::common::bounds(&body.shape), body.traits)).collect();
    for (k, (bounds, traits)) in all.iter().enumerate().take(most) {
        let (low, high) = (bounds.min(), bounds.max());
        let at = match k % 5 {
            0 => low,
            1 => low / 2.0 + high / 2.0,
            2 => low * 0.75 + all[(k * 7) % all.len()].0.min() * 0.25,
            3 => high * 1.5,
            _ => glam::Vec3::new(high.x, low.y, high.z),
        };
        if at.is_finite() {
            points.push_with(at, if k % 3 == 0 { Traits::new() } else { *traits }).unwrap();
        }
    }
    points
}

/// What an engine finds in every ending.
fn every_ending(engine: &Engine, bodies: &Bodies, points: &Points, count: u32, within: f32) -> Closest {
    let request = || engine.closest(bodies, points).count(count).within(within);
    let found = request().run().unwrap();
    assert!(pollster::block_on(async { request().await }).unwrap() == found);
    let index = engine.index(bodies).unwrap();
    let mut again = Closest::new();
    engine.closest(&index, points).count(count).within(within).run_into(&mut again).unwrap();
    assert!(again == found);
    let mut parts = Vec::new();
    request().for_each_part(|part| parts.extend(part.iter().map(|(point, near)| (point, *near)))).unwrap();
    assert!(parts.into_iter().eq(found.iter().map(|(point, near)| (point, *near))));
    found
}

#[test]
fn every_engine_finds_what_brute_force_does() {
    let (mut found, mut inside) = (0, 0);
    for seed in 0..if is_long() { 200 } else { 24 } {
        let bodies = random(seed, 700).unwrap();
        let points = points_of(&bodies, 150);
        let size = bodies
            .iter()
            .map(|body| crate::common::bounds(&body.shape).half_extents().max_element())
            .fold(0.0, f32::max);
        let within = if seed % 3 == 0 { size.min(1e30) } else { f32::INFINITY };
        let count = [1, 1, 4, 40][seed as usize % 4];
        let expected = brute().closest(&bodies, &points).count(count).within(within).run().unwrap();
        found += expected.len();
        inside += expected.iter().filter(|(_, near)| near.distance == 0.0).count();
        for (name, engine) in &*ENGINES {
            let answer = every_ending(engine, &bodies, &points, count, within);
            assert!(answer == expected && answer.fingerprint() == expected.fingerprint(), "{name}, seed {seed}");
        }
    }
    assert!(found > 4000 && inside > 400 && inside < found, "{found} bodies, {inside} contain the point");
}

/// The square of the distance of a point from the core of a body, and its radius.
fn square(point: glam::Vec3, shape: &Shape) -> (Q, Q) {
    if let Shape::Plane(plane) = shape {
        return (rational::square_above(plane, point), q(0.0));
    }
    if let Shape::ConvexHull(hull) = shape {
        return (square_from(hull, &rational::vec3(point)), q(0.0));
    }
    let (core, radius) = core(shape);
    (squared_distance(&RationalBox::point(point), &core), radius)
}

/// √a − r against √b − s, where both are positive.
fn compare((a, r): &(Q, Q), (b, s): &(Q, Q)) -> Ordering {
    let zero = q(0.0);
    let inside = |square: &Q, radius: &Q| *square <= radius * radius;
    match (inside(a, r), inside(b, s)) {
        (true, true) => Ordering::Equal,
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => {
            // √a − √b against c = r − s: both sides squared, with signs.
            let c = r - s;
            let (sign, c2) = (c.cmp(&zero), &c * &c);
            // (√a − √b)² = a + b − 2 √(ab).
            let of_roots = a.cmp(b);
            if of_roots != sign {
                return of_roots.cmp(&sign);
            }
            let rest = a + b - c2;
            // a + b − c² against 2 √(ab): greater means that the difference is larger than c.
            let larger = if rest < zero { Ordering::Less } else { (&rest * &rest).cmp(&(a * b * q(4.0))) };
            if sign == Ordering::Less { larger.reverse() } else { larger }
        }
    }
}

/// Brute force itself is in the order of rational numbers.
#[test]
fn order_is_exact() {
    let (mut compared, mut hulls) = (0, 0);
    let (plain, of_hulls) = if is_long() { (300, 50) } else { (18, 3) };
    for seed in (0..plain).chain(seeds_with_hulls(plain, 60, 6).take(of_hulls)) {
        let bodies = random(seed, 60).unwrap();
        let mut points = Points::new();
        for body in bodies.iter().take(12) {
            points.push(crate::common::bounds(&body.shape).min()).unwrap();
        }
        let found = brute().closest(&bodies, &points).count(60).run().unwrap();
        for point in 0..points.len() as u32 {
            let (at, near) = (points.get(point).unwrap(), found.of_point(point));
            let distances: Vec<_> = near.iter().map(|near| square(at, &bodies.shape(near.body).unwrap())).collect();
            for (k, pair) in distances.windows(2).enumerate() {
                let order = compare(&pair[0], &pair[1]).then(near[k].body.cmp(&near[k + 1].body));
                assert_eq!(order, Ordering::Less, "seed {seed}, point {point}: {:?} before {:?}", near[k], near[k + 1]);
                compared += 1;
                let [a, b] = [near[k].body, near[k + 1].body].map(|id| bodies.shape(id).unwrap().kind());
                hulls += usize::from(a == "convex_hull" || b == "convex_hull");
            }
        }
    }
    println!("{compared} compared, {hulls} with hulls");
    assert!(compared > 1000 && hulls > 100, "{compared} compared, {hulls} with hulls");
}

/// Bodies at the same distance, or at distances that differ by less than `f32` and `f64` can tell.
#[test]
fn ties_go_to_the_lower_id() {
    let mut bodies = Bodies::new();
    // The same distance, as boxes and balls, and at an angle at which no distance is a number: √2 · 3 − 1 and the like.
    bodies.push(Sphere::new([3.0, 3.0, 0.0], 1.0).unwrap()).unwrap();
    bodies.push(Sphere::new([-3.0, 0.0, 3.0], 1.0).unwrap()).unwrap();
    bodies.push(Sphere::new([0.0, 3.0, -3.0], 1.0_f32.next_down()).unwrap()).unwrap();
    bodies.push(Sphere::new([0.0, -3.0, 3.0], 1.0_f32.next_up()).unwrap()).unwrap();
    bodies.push(Aabb::new([5.0, -1.0, -1.0], [6.0, 1.0, 1.0]).unwrap()).unwrap();
    bodies.push(Obb::new([0.0, 6.0, 0.0], [1.0; 3], glam::Quat::from_xyzw(1.0, 1.0, 1.0, 1.0)).unwrap()).unwrap();
    bodies.push(Obb::new([0.0, 0.0, 6.0], [1.0; 3], glam::Quat::from_xyzw(0.0, 0.0, 1e-20, 1.0)).unwrap()).unwrap();
    let points = Points::of([[0.0; 3]]).unwrap();
    for (name, engine) in &*ENGINES {
        let found = every_ending(engine, &bodies, &points, 7, f32::INFINITY);
        let order: Vec<u32> = found.iter().map(|(_, near)| near.body).collect();
        assert_eq!(order, [3, 0, 1, 2, 4, 5, 6], "{name}");
        let few = engine.closest(&bodies, &points).count(2).run().unwrap();
        assert_eq!(few.iter().map(|(_, near)| near.body).collect::<Vec<_>>(), [3, 0], "{name}");
        // At this very distance, and just below.
        let within = |distance: f32| engine.closest(&bodies, &points).count(9).within(distance).run().unwrap().len();
        assert_eq!((within(5.0), within(5.0_f32.next_down()), within(0.0)), (7, 4, 0), "{name}");
    }
}

/// What a GPU answers is found by its kernels.
#[cfg(feature = "gpu")]
#[test]
fn kernels_find_the_nearest() {
    let bodies = Scene::Uniform.build(5000, 1).unwrap();
    let points =
        Points::of((0..2000).map(|k| glam::Vec3::new(k as f32 * 0.01, (k % 97) as f32 * 0.2, (k % 31) as f32 * 0.6)))
            .unwrap();
    let expected = crate::host::cpu().closest(&bodies, &points).count(3).run().unwrap();
    for (name, engine) in ENGINES.iter().filter(|(name, _)| name.contains(':')) {
        let found = engine.closest(&bodies, &points).count(3).run().unwrap();
        assert!(found == expected, "{name}");
        assert_eq!(found.computed_on_host(), 0, "{name}");
        // Few bodies besides those that are wanted are within the distance that the first kernel finds.
        assert!(found.stats().candidates < 12 * points.len() as u64, "{name}: {} candidates", found.stats().candidates);
        // Of most points one body is known to be the nearest before any pair is looked for.
        let nearest = engine.closest(&bodies, &points).run().unwrap();
        assert!(nearest == crate::host::cpu().closest(&bodies, &points).run().unwrap(), "{name}");
        let candidates = nearest.stats().candidates;
        assert!(candidates < points.len() as u64 / 8, "{name}: {candidates} candidates for one body each");
    }
}

/// A limit of −0 is one of 0: bodies that contain the point, or touch it.
#[test]
fn a_limit_of_minus_zero_is_none() {
    let bodies = Scene::Mixed.build(400, 1).unwrap();
    let points = points_of(&bodies, 400);
    for count in [1, 3] {
        let expected = brute().closest(&bodies, &points).count(count).within(0.0).run().unwrap();
        assert!(expected.len() > 50, "{} bodies contain a point", expected.len());
        for (name, engine) in &*ENGINES {
            let found = engine.closest(&bodies, &points).count(count).within(-0.0).run().unwrap();
            assert!(found == expected, "{name}: {} of {}", found.len(), expected.len());
        }
    }
}

/// Two bodies of each point are the nearest, at distances that differ by a few units in the last place, by 2⁻¹⁴ of them, or not at all.
#[test]
fn distances_that_are_nearly_equal_are_told_apart() {
    let mut random = Random(7);
    let (mut bodies, mut points) = (Bodies::new(), Points::new());
    let cases = if is_long() { 4000 } else { 600 };
    for case in 0..cases {
        let place = |k: usize| 40.0 * (case / 16_usize.pow(k as u32) % 16) as f32 - 300.0;
        let at = glam::Vec3::new(place(0), place(1), place(2)) + random.vector();
        points.push(at).unwrap();
        let distance = 3.0 + 2.0 * random.next();
        let share =
            [0.0, 2_f32.powi(-24), 2_f32.powi(-22), 2_f32.powi(-19), 2_f32.powi(-16), 2_f32.powi(-14)][case % 6];
        let direction = random.vector().normalize();
        for (towards, distance) in [(direction, distance), (-direction, distance * (1.0 + share))] {
            let [surface, radius] = [at + towards * distance, glam::Vec3::splat(1.0)];
            let shape: Shape = match (4.0 * random.next().abs()) as u32 {
                0 => Sphere::new(surface + towards, 1.0).unwrap().into(),
                1 => {
                    // The corner that is nearest to the point.
                    let far = surface + glam::Vec3::select(towards.cmpge(glam::Vec3::ZERO), radius, -radius);
                    Aabb::new(surface.min(far), surface.max(far)).unwrap().into()
                }
                2 => {
                    // The middle of a face.
                    let turn = glam::Quat::from_rotation_arc(glam::Vec3::X, towards);
                    Obb::new(surface + towards, radius, turn).unwrap().into()
                }
                _ => Capsule::new(surface + towards, surface + 3.0 * towards, 1.0).unwrap().into(),
            };
            bodies.push(shape).unwrap();
        }
    }
    let expected = brute().closest(&bodies, &points).run().unwrap();
    let first = expected.iter().filter(|(point, near)| near.body == 2 * point).count();
    assert!(first > cases / 2 && first < cases, "the first body is nearer in {first} cases");
    for (name, engine) in &*ENGINES {
        let found = engine.closest(&bodies, &points).run().unwrap();
        for (a, b) in found.iter().zip(expected.iter()) {
            assert_eq!(a, b, "{name}");
        }
        assert_eq!(found.len(), expected.len(), "{name}");
    }
}

#[test]
fn what_cannot_be_answered_is_refused_or_empty() {
    let mut bodies = Bodies::new();
    bodies.push(Sphere::new([1e30, -1e30, 3e38], 1e-40).unwrap()).unwrap();
    bodies.push_with(Sphere::new([0.0; 3], 1.0).unwrap(), Traits::new().world(3)).unwrap();
    let points = Points::of([[-3e38; 3], [0.0; 3], [f32::from_bits(1); 3]]).unwrap();
    for (name, engine) in &*ENGINES {
        let found = every_ending(engine, &bodies, &points, 5, f32::INFINITY);
        assert!(found == brute().closest(&bodies, &points).count(5).run().unwrap(), "{name}");
        assert_eq!(found.of_point(1).len(), 1, "{name}: the other is in another world");
        assert!(engine.closest(&bodies, &points).count(0).run().unwrap().is_empty(), "{name}");
        // As many as there are.
        assert!(engine.closest(&bodies, &points).count(u32::MAX).run().unwrap() == found, "{name}");
        assert!(engine.closest(&Bodies::new(), &points).run().unwrap().is_empty(), "{name}");
        assert!(engine.closest(&bodies, &Points::new()).run().unwrap().is_empty(), "{name}");
        for bad in [-1.0, f32::NAN, f32::NEG_INFINITY] {
            assert!(engine.closest(&bodies, &points).within(bad).run().is_err(), "{name}: {bad}");
        }
        let elsewhere = Bodies::with_origin([1.0, 0.0, 0.0]).unwrap();
        assert!(matches!(engine.closest(&elsewhere, &points).run(), Err(Error::DifferentOrigins { .. })), "{name}");
    }
}
