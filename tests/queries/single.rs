//! Single questions to an index: the answers of the engine.

use crate::engines::ENGINES;
use tangency::scenes::{random, random_rays};
use tangency::shape::{Aabb, Capsule, Shape, Sphere, Triangle};
use tangency::{BackendKind, Bodies, Engine, Error, Points, Relation, Traits};

#[test]
fn single_questions_have_the_answers_of_many() {
    let brute = Engine::builder().backend(BackendKind::BruteForce).build().unwrap();
    let (mut pairs, mut rays) = (0, 0);
    for seed in 0..10 {
        let (bodies, mut asking) = (random(seed, 400).unwrap(), random(seed + 50, 60).unwrap());
        // (A shape that asks has no margin.)
        for id in 0..asking.id_bound() as u32 {
            asking.set_margin(id, 0.0).unwrap();
        }
        let sizes =
            bodies.iter().map(|body| crate::common::bounds(&body.shape)).map(|b| (b.max() - b.min()).max_element());
        let margin = sizes.fold(0.0, f32::max).clamp(f32::MIN_POSITIVE, 1e30) * [0.0, 0.03, 1e-5][seed as usize % 3];
        let expected = brute.overlaps(&asking).against(&bodies).margin(margin).run().unwrap();
        let shots = random_rays(&bodies, 60, seed);
        let shots: Vec<_> = shots.iter().map(|shot| shot.ray).collect();
        let hits = brute.cast_rays(&bodies, &shots).run().unwrap();
        for (name, engine) in &*ENGINES {
            let index = engine.index(&bodies).unwrap();
            // (Bodies that are disabled ask nothing of an engine.)
            for body in asking.iter().filter(|body| body.enabled) {
                let mut single = index.single().with_traits(body.traits);
                let found = single.within(body.shape, margin).unwrap();
                let row = expected.iter().filter(|(a, ..)| *a == body.id).map(|(_, b, relation)| (b, relation));
                assert!(found.iter().copied().eq(row), "{name}, seed {seed}, body {}", body.id);
                pairs += found.len();
            }
            let mut single = index.single();
            for (ray, hit) in shots.iter().zip(hits.iter()) {
                assert_eq!(single.cast_ray(ray), hit, "{name}, seed {seed}");
                rays += usize::from(hit.is_some());
            }
        }
    }
    assert!(pairs > 500 && rays > 200, "{pairs} pairs, {rays} hits");
}

#[test]
fn points_and_what_cannot_be_asked() {
    let mut bodies = Bodies::new();
    bodies.push(Aabb::new([0.0; 3], [1.0; 3]).unwrap()).unwrap();
    bodies.push_with(Sphere::new([0.5; 3], 1.0).unwrap(), Traits::new().world(3)).unwrap();
    let engine = Engine::builder().backend(BackendKind::Cpu).build().unwrap();
    let index = engine.index(&bodies).unwrap();
    let mut single = index.single();
    assert_eq!(single.containing([1.0; 3]).unwrap(), [(0, Relation::Touching)]);
    assert_eq!(single.containing([1.0_f32.next_up(), 0.5, 0.5]).unwrap(), []);
    let points = Points::of([[1.0; 3]]).unwrap();
    assert_eq!(engine.containing(&index, &points).run().unwrap().len(), 1);
    assert!(matches!(single.containing([f32::NAN, 0.0, 0.0]), Err(Error::InvalidPoint { index: 0, .. })));
    assert!(single.within(Sphere::new([0.0; 3], 1.0).unwrap(), -1.0).is_err());
    assert!(single.within(Sphere::new([0.0; 3], 1.0).unwrap(), f32::NAN).is_err());
    assert!(single.overlaps(Shape::from(Triangle::default())).is_err());
    let limb = Capsule::new([1.25, 0.5, 0.5], [3.0, 0.5, 0.5], 0.25).unwrap();
    assert_eq!(single.overlaps(limb).unwrap(), [(0, Relation::Touching)]);
    let mut everywhere = index.single().with_traits(Traits::new().in_every_world());
    assert_eq!(everywhere.containing([0.5; 3]).unwrap().len(), 2);
    // A refreshed index has other answers.
    let mut index = engine.index(&bodies).unwrap();
    assert_eq!(index.single().containing([5.0; 3]).unwrap(), []);
    bodies.push(Sphere::new([5.0; 3], 1.0).unwrap()).unwrap();
    index.refresh(&bodies).unwrap();
    assert_eq!(index.single().containing([5.0; 3]).unwrap(), [(2, Relation::Overlapping)]);
}
