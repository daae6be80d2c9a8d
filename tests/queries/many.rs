//! What is near, and what meets on its way, of many pairs: every engine against brute force. With `TANGENCY_TEST_LONG=1` a hundred million pairs for
//! each question. (As many rays and bodies are in `rays.rs`.)

use tangency::glam::Vec3;
use tangency::query::Motion;
use tangency::scenes::Scene;
use tangency::shape::Aabb;
use tangency::{Bodies, Clearances, Closest, Engine, Points, SweepHits};

use crate::engines::{ENGINES, brute, is_long};

const SEED: u64 = 77;

/// The bounds of a body.
fn bounds(bodies: &Bodies, id: u32) -> Aabb {
    crate::common::bounds(&bodies.shape(id).unwrap())
}

/// Half of what bodies measure: the median of all, so that a few large ones do not count.
fn size(bodies: &Bodies) -> f32 {
    let mut sizes: Vec<f32> = bodies.iter().map(|body| bounds(bodies, body.id).half_extents().max_element()).collect();
    sizes.sort_by(f32::total_cmp);
    sizes[sizes.len() / 2]
}

/// A point between each body and the one before.
fn points(bodies: &Bodies, count: usize) -> Points {
    let all: Vec<_> = bodies.iter().map(|body| (bounds(bodies, body.id), body.traits)).collect();
    let mut points = Points::new();
    for k in 1..=count.min(all.len() - 1) {
        let ((a, traits), (b, _)) = (all[k], all[k - 1]);
        points.push_with(a.center() * 0.75 + b.max() * 0.25, traits).unwrap();
    }
    points
}

/// Every third body at rest; the others pass their own size, and some of them turn.
fn motions(bodies: &Bodies) -> Vec<Motion> {
    let motion = |id: u32| {
        let way =
            bounds(bodies, id).half_extents().min(Vec3::splat(1e6)) * if id.is_multiple_of(2) { 1.5 } else { -1.5 };
        match id % 3 {
            0 => Motion::REST,
            1 => Motion::translation(way).unwrap(),
            _ => Motion::new(way, Vec3::new(0.1, 0.3, -0.2)).unwrap(),
        }
    };
    (0..bodies.id_bound() as u32).map(motion).collect()
}

/// Asks every engine, and compares with brute force. Returns how many were found.
fn everywhere<A: PartialEq>(what: &str, ask: impl Fn(&Engine) -> A, count: impl Fn(&A) -> usize) -> usize {
    let expected = ask(&brute());
    for (name, engine) in &*ENGINES {
        assert!(ask(engine) == expected, "{what}, {name}");
    }
    count(&expected)
}

#[test]
fn every_engine_finds_what_brute_force_does() {
    let n = if is_long() { 5100 } else { 200 };
    let (mut pairs, mut found) = ([0; 3], [0; 3]);
    let scenes: &[Scene] = if is_long() { &Scene::ALL } else { &[Scene::Uniform, Scene::Mixed, Scene::Worlds] };
    for scene in scenes.iter().copied() {
        let bodies = scene.build(n, SEED).unwrap();
        let (distance, points, motions) = (size(&bodies), points(&bodies, n / 2), motions(&bodies));
        let what = |question: &str| format!("{question} of {}", scene.name());
        let all = bodies.len() * (bodies.len() - 1) / 2;
        let clearances = |engine: &Engine| {
            let clearances = engine.clearances(&bodies, distance).run().unwrap();
            assert!(engine.overlaps(&bodies).margin(distance).run().unwrap() == *clearances.pairs());
            clearances
        };
        found[0] += everywhere(&what("clearances"), clearances, Clearances::len);
        let closest = |engine: &Engine| engine.closest(&bodies, &points).count(2).run().unwrap();
        found[1] += everywhere(&what("closest"), closest, Closest::len);
        let sweep = |engine: &Engine| engine.sweep(&bodies, &motions).run().unwrap();
        found[2] += everywhere(&what("sweep"), sweep, SweepHits::len);
        pairs = [pairs[0] + all, pairs[1] + bodies.len() * points.len(), pairs[2] + all];
    }
    println!("{pairs:?} pairs: {found:?} near, nearest, and meet on their way");
    assert!(!is_long() || pairs.iter().all(|pairs| *pairs > 100_000_000), "{pairs:?}");
    assert!(found.iter().all(|found| *found > n), "{found:?}");
}
