//! Pairs that graze, each in a world of its own, on every backend against the exact relation of each pair.
//!
//! 20,000 pairs of each kind of query, new ones with every `TANGENCY_GRAZING_SEED`; `TANGENCY_GRAZING_PAIRS=1000000` asks for as many
//! (a few minutes).

use crate::engines::is_long;
use crate::rational;
use crate::rational::RationalBox;
use tangency::scenes::grazing;
use tangency::shape::{Plane, Shape};
use tangency::{BackendKind, Bodies, Engine, Relation, query};

/// Pairs that are asked for at a time.
const BATCH: u64 = 50_000;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |value| value.parse().unwrap_or_else(|_| panic!("{name}={value}: a number")))
}

/// The relation of pair k.
fn relation(bodies: &Bodies, k: u32) -> Relation {
    query::intersect(&bodies.shape(2 * k).unwrap(), &bodies.shape(2 * k + 1).unwrap()).unwrap()
}

/// What an engine says of every pair, from its rows; a body of another pair is a failure.
fn found(engine: &Engine, bodies: &Bodies) -> Vec<Relation> {
    let mut relations = vec![Relation::Separate; bodies.len() / 2];
    for (a, b, relation) in &engine.overlaps(bodies).run().unwrap() {
        assert!(a % 2 == 0 && b == a + 1, "{a} and {b} are in different worlds");
        relations[a as usize / 2] = relation;
    }
    relations
}

/// The same, the even bodies against the odd ones.
fn found_between(engine: &Engine, bodies: &Bodies) -> Vec<Relation> {
    let half = |odd: u32| {
        let mut half = Bodies::new();
        for k in 0..bodies.len() as u32 / 2 {
            let (shape, traits) = (bodies.shape(2 * k + odd).unwrap(), bodies.traits(2 * k + odd).unwrap());
            half.push_with(shape, traits).unwrap();
        }
        half
    };
    let mut relations = vec![Relation::Separate; bodies.len() / 2];
    for (a, b, relation) in &engine.overlaps(&half(0)).against(&half(1)).run().unwrap() {
        assert_eq!(a, b, "different worlds");
        relations[a as usize] = relation;
    }
    relations
}

fn check(name: &str, engine: &Engine) {
    let (pairs, first) = (number("TANGENCY_GRAZING_PAIRS", 20_000), number("TANGENCY_GRAZING_SEED", 1));
    let (mut seen, mut differences, mut done) = ([0_u64; 3], 0_u64, 0);
    while done < pairs {
        let count = BATCH.min(pairs - done);
        let bodies = grazing(first.wrapping_mul(0x9E37_79B9).wrapping_add(done), count as usize).unwrap();
        let expected: Vec<Relation> = (0..count as u32).map(|k| relation(&bodies, k)).collect();
        for relation in &expected {
            seen[*relation as usize] += 1;
        }
        for (asked, answers) in [("overlaps", found(engine, &bodies)), ("between", found_between(engine, &bodies))] {
            for (k, (answer, expected)) in answers.iter().zip(&expected).enumerate().filter(|(_, (a, e))| a != e) {
                differences += 1;
                if differences <= 5 {
                    let pair = [2 * k, 2 * k + 1].map(|i| bodies.shape(i as u32).unwrap());
                    println!("{name}, {asked}, pair {}: {answer:?}, not {expected:?}: {pair:?}", done + k as u64);
                }
            }
        }
        done += count;
    }
    let [separate, touching, overlapping] = seen;
    println!(
        "{name}: {done} pairs, {separate} separate, {touching} touching, {overlapping} overlapping, {differences} differences"
    );
    assert_eq!(differences, 0, "{name}");
    // Enough of each to notice: a lost pair, one too many, and a tie taken for another.
    assert!(separate > done / 5 && overlapping > done / 5 && touching > done / 200, "{seen:?}");
}

#[test]
fn grazing_pairs_on_the_cpu() {
    check("cpu", &Engine::builder().backend(BackendKind::Cpu).build().unwrap());
}

/// On the first adapter that can compute; where there is none, which `TANGENCY_REQUIRE_GPU=1` forbids, on none.
#[cfg(feature = "gpu")]
#[test]
fn grazing_pairs_on_an_adapter() {
    if let Some(adapter) = tangency::adapters().into_iter().find(|adapter| adapter.compute) {
        let engine = Engine::builder().backend(BackendKind::Gpu).adapter(adapter.index).build().unwrap();
        assert_eq!(engine.info().backend, BackendKind::Gpu);
        check(&format!("{} {}", adapter.backend, adapter.name), &engine);
    } else {
        assert_ne!(std::env::var("TANGENCY_REQUIRE_GPU").as_deref(), Ok("1"), "there is no adapter");
        println!("NOT RUN: this machine has no adapter");
    }
}

/// The relation that backends are held to is that of the rational oracle: a filter whose bound is too small would deceive both.
#[test]
fn the_exact_relation_of_grazing_pairs_is_the_oracles() {
    let pairs = if is_long() { 5000 } else { 500 };
    let bodies = grazing(number("TANGENCY_GRAZING_SEED", 1) ^ 0x0AC1E, pairs).unwrap();
    for k in 0..pairs as u32 {
        let (thin, other) = (bodies.shape(2 * k).unwrap(), bodies.shape(2 * k + 1).unwrap());
        let Shape::Obb(obb) = thin else { panic!("{thin:?}") };
        let rational = RationalBox::from(&obb);
        let expected = match &other {
            Shape::Sphere(ball) => rational::sphere_box(ball, &rational),
            Shape::Aabb(aligned) => rational::box_box(&rational, &aligned.into()),
            Shape::Obb(turned) => rational::box_box(&rational, &turned.into()),
            _ => panic!("another kind: {other:?}"),
        };
        assert_eq!(relation(&bodies, k), expected, "{obb:?} and {other:?}");
        // And with planes: along the coordinate that the first hardly reaches along, and wherever the other begins.
        let bounds = crate::common::bounds(&other);
        for (axis, offset) in (0..3).flat_map(|axis| [(axis, bounds.min()[axis]), (axis, bounds.max()[axis])]) {
            let mut normal = glam::Vec3::ZERO;
            normal[axis] = 1.0;
            let plane = Plane::new(normal, offset).unwrap();
            assert_eq!(
                query::side(&obb, &plane),
                rational::box_side(&rational, normal, offset),
                "{obb:?} and {plane:?}"
            );
        }
    }
}
