//! Which bodies contain points, on every engine.

use crate::engines::ENGINES;
use tangency::glam::{Quat, Vec3, vec3};
use tangency::scenes::random;
use tangency::shape::{Aabb, Obb, Shape, Sphere};
use tangency::{BackendKind, Bodies, Engine, Error, Points, Relation, Traits};

/// Points of all kinds of places: middles, corners and sides of the bodies' bounds, and between.
fn places(bodies: &Bodies) -> Vec<Vec3> {
    let mut places = Vec::new();
    for body in bodies.iter().take(60) {
        let bounds = crate::common::bounds(&body.shape);
        let (low, high) = (bounds.min(), bounds.max());
        places.extend([low, high, low.midpoint(high), vec3(low.x, high.y, low.midpoint(high).z), low.lerp(high, 0.9)]);
    }
    places.retain(|place| place.is_finite());
    places
}

#[test]
fn every_engine_finds_the_bodies_of_brute_force() {
    let brute = Engine::builder().backend(BackendKind::BruteForce).build().unwrap();
    let (mut inside, mut on) = (0, 0);
    for seed in 0..12 {
        let bodies = random(seed, 400).unwrap();
        let points = Points::of(places(&bodies)).unwrap();
        let expected = brute.containing(&bodies, &points).run().unwrap();
        inside += expected.iter().filter(|(.., relation)| *relation == Relation::Overlapping).count();
        on += expected.iter().filter(|(.., relation)| *relation == Relation::Touching).count();
        for (name, engine) in &*ENGINES {
            assert!(engine.containing(&bodies, &points).run().unwrap() == expected, "{name}, seed {seed}");
            let index = engine.index(&bodies).unwrap();
            assert!(engine.containing(&index, &points).run().unwrap() == expected, "{name}, seed {seed}, index");
        }
    }
    assert!(inside > 200 && on > 100, "{inside} inside, {on} on the surface");
}

/// By hand: inside, on faces, edges and corners, and one unit in the last place outside of them.
#[test]
fn surfaces_belong_to_bodies_and_nothing_beyond() {
    let turned = Obb::new([0.0; 3], [5.0, 1.0, 1.0], Quat::from_xyzw(0.0, 0.0, 1.0, 3.0)).unwrap();
    // (4, 3, 0) is the middle of its end; the number next to 4 is outside.
    let cases: [(Shape, Vec3, Relation); 8] = [
        (turned.into(), vec3(4.0, 3.0, 0.0), Relation::Touching),
        (turned.into(), vec3(4.0_f32.next_up(), 3.0, 0.0), Relation::Separate),
        (turned.into(), vec3(4.0_f32.next_down(), 3.0, 0.0), Relation::Overlapping),
        (Aabb::new([0.0; 3], [1.0; 3]).unwrap().into(), Vec3::ONE, Relation::Touching),
        (Aabb::new([0.0; 3], [1.0; 3]).unwrap().into(), vec3(1.0, 1.0, 1.0_f32.next_up()), Relation::Separate),
        (Sphere::new([0.0; 3], 5.0).unwrap().into(), vec3(3.0, 4.0, 0.0), Relation::Touching),
        (Sphere::new([0.0; 3], 0.0).unwrap().into(), Vec3::ZERO, Relation::Touching),
        (Sphere::new([0.0; 3], 5.0).unwrap().into(), vec3(3.0, 4.0_f32.next_down(), 0.0), Relation::Overlapping),
    ];
    for (name, engine) in &*ENGINES {
        for (shape, point, expected) in &cases {
            let mut bodies = Bodies::new();
            bodies.push(shape.clone()).unwrap();
            let found = engine.containing(&bodies, &Points::of([*point]).unwrap()).run().unwrap();
            assert_eq!(found.relation(0, 0), *expected, "{name}: {point} in {shape:?}");
        }
    }
}

#[test]
fn traits_and_numbers_of_points_are_kept() {
    let mut bodies = Bodies::new();
    for world in [0, 1] {
        bodies.push_with(Sphere::new([0.0; 3], 1.0).unwrap(), Traits::new().world(world)).unwrap();
    }
    let mut points = Points::new();
    for world in [1, 0, 2, Traits::EVERY_WORLD] {
        points.push_with([0.5, 0.0, 0.0], Traits::new().world(world)).unwrap();
    }
    let error = points.push([0.0, f32::NAN, 0.0]).unwrap_err();
    assert!(matches!(error, Error::InvalidPoint { index: 4, .. }), "{error}");
    assert_eq!(points.len(), 4);
    for (name, engine) in &*ENGINES {
        let found = engine.containing(&bodies, &points).run().unwrap();
        assert_eq!(found.to_vec(), [[0, 1], [1, 0], [3, 0], [3, 1]], "{name}");
        assert!(engine.containing(&bodies, &Points::new()).run().unwrap().is_empty(), "{name}");
    }
}
