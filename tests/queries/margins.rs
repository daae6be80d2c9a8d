//! Margins of bodies: added exactly to that of a query, on every engine, and followed when they change.

use crate::engines::{ENGINES, brute, is_long};
use tangency::scenes::{Scene, random};
use tangency::shape::{Aabb, Obb, Shape, Sphere};
use tangency::{Bodies, Engine, Error, Relation};

fn relation(engine: &Engine, bodies: &Bodies, distance: f32) -> Relation {
    let found = engine.overlaps(bodies).margin(distance).run().unwrap();
    found.iter().next().map_or(Relation::Separate, |(.., relation)| relation)
}

/// The sum of three margins is not an `f32`: rounded, it would be larger or smaller than the gap.
#[test]
fn sums_are_exact() {
    let ball = |x: f32| Shape::from(Sphere::new([x, 0.0, 0.0], 1.0).unwrap());
    let brick = |x: f32| Shape::from(Aabb::new([x - 1.0, -1.0, -1.0], [x + 1.0, 1.0, 1.0]).unwrap());
    let turned =
        |x: f32| Shape::from(Obb::new([x, 0.0, 0.0], [1.0; 3], glam::Quat::from_xyzw(0.5, 0.5, 0.5, 0.5)).unwrap());
    let tiny = f32::EPSILON / 4.0;
    for (first, second) in
        [(ball(0.0), ball(4.0)), (ball(0.0), brick(4.0)), (brick(0.0), turned(4.0)), (turned(0.0), turned(4.0))]
    {
        let mut bodies = Bodies::new();
        bodies.extend([first.clone(), second.clone()]).unwrap();
        for (name, engine) in &*ENGINES {
            for (margins, expected) in [
                ([2.0, 0.0, 0.0], Relation::Touching),
                ([1.0, 0.75, 0.25], Relation::Touching),
                ([0.0, 1.25, 0.75], Relation::Touching),
                ([2.0, tiny, 0.0], Relation::Overlapping),
                ([0.0, 2.0, f32::from_bits(1)], Relation::Overlapping),
                ([2.0 - 2.0 * f32::EPSILON, tiny, tiny], Relation::Separate),
                ([0.0, 0.0, 2.0 - 2.0 * f32::EPSILON], Relation::Separate),
                ([3e38, 3e38, 3e38], Relation::Overlapping),
                ([0.0, 0.0, 0.0], Relation::Separate),
            ] {
                bodies.set_margin(0, margins[1]).unwrap();
                bodies.set_margin(1, margins[2]).unwrap();
                assert_eq!(
                    relation(engine, &bodies, margins[0]),
                    expected,
                    "{name}: {margins:?} of {first:?} and {second:?}"
                );
                // Without a margin of the query those of bodies do not count.
                assert!(engine.overlaps(&bodies).run().unwrap().is_empty(), "{name}");
                assert!(engine.contacts(&bodies).run().unwrap().pairs().is_empty(), "{name}");
            }
        }
    }
}

/// One set is changed again and again, and asked in every way.
#[test]
fn changes_are_followed() {
    let count = if is_long() { 700 } else { 250 };
    let mut bodies = Scene::Uniform.build(count as usize, 3).unwrap();
    let other = random(4, count as usize / 2).unwrap();
    let mut indices: Vec<_> = ENGINES.iter().map(|(_, engine)| engine.index(&bodies).unwrap()).collect();
    let mut pairs = 0;
    for round in 0..6_u32 {
        for id in (round..count).step_by(7 + round as usize) {
            bodies.set_margin(id, if id % 5 == 0 { 0.0 } else { (id % 11) as f32 * 0.03 }).unwrap();
        }
        bodies.set_margin(13 * round, 2.0).unwrap();
        if round == 3 {
            bodies.remove(26).unwrap();
            bodies.push(Sphere::new([0.0; 3], 1.0).unwrap()).unwrap();
            assert_eq!(bodies.margin(26), Ok(0.0));
        }
        let distance = [0.0, 0.05][round as usize % 2];
        let expected = brute().clearances(&bodies, distance).run().unwrap();
        let between = brute().overlaps(&other).against(&bodies).margin(distance).run().unwrap();
        let plain = brute().overlaps(&bodies).run().unwrap();
        pairs += expected.len() - plain.len();
        for ((name, engine), index) in ENGINES.iter().zip(&mut indices) {
            index.refresh(&bodies).unwrap();
            assert!(engine.clearances(&bodies, distance).run().unwrap() == expected, "{name}, round {round}");
            assert!(engine.overlaps(&*index).run().unwrap() == plain, "{name}, round {round}");
            assert!(
                engine.overlaps(&*index).margin(distance).run().unwrap() == *expected.pairs(),
                "{name}, round {round}"
            );
            let found = engine.overlaps(&other).against(&*index).margin(distance).run().unwrap();
            assert!(found == between, "{name}, round {round}");
            let mut parts = Vec::new();
            engine.overlaps(&bodies).margin(distance).for_each_part(|part| parts.extend(part.iter())).unwrap();
            assert!(expected.pairs().iter().eq(parts), "{name}, round {round}");
        }
    }
    assert!(pairs > count as usize / 2, "{pairs}");
}

#[test]
fn margins_stay_with_their_bodies() {
    let mut bodies = Bodies::new();
    bodies.extend((0..5).map(|k| Sphere::new([k as f32 * 9.0, 0.0, 0.0], 1.0).unwrap())).unwrap();
    bodies.set_margin(3, 0.5).unwrap();
    for bad in [-1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(bodies.set_margin(3, bad), Err(Error::InvalidBody { index: 3, .. })), "{bad}");
    }
    assert_eq!(bodies.set_margin(5, 1.0), Err(Error::NoSuchBody { index: 5, len: 5 }));
    assert_eq!(bodies.margin(5), Err(Error::NoSuchBody { index: 5, len: 5 }));
    let revision = bodies.revision();
    bodies.set_margin(3, 0.5).unwrap();
    assert_eq!(bodies.revision(), revision, "nothing has changed");
    bodies.remove(1).unwrap();
    bodies.compact();
    let margins = |bodies: &Bodies| bodies.iter().map(|body| body.margin).collect::<Vec<_>>();
    assert_eq!(margins(&bodies), [0.0, 0.0, 0.5, 0.0]);
    bodies.push(Sphere::new([99.0, 0.0, 0.0], 1.0).unwrap()).unwrap();
    assert_eq!(margins(&bodies), [0.0, 0.0, 0.5, 0.0, 0.0]);
    #[cfg(feature = "serde")]
    {
        let text = serde_json::to_string(&bodies).unwrap();
        let read: Bodies = serde_json::from_str(&text).unwrap();
        assert_eq!(margins(&read), margins(&bodies));
        assert!(serde_json::from_str::<Bodies>(&text.replace("0.5", "-0.5")).is_err());
    }
    let copy = bodies.clone();
    bodies.clear();
    bodies.push(Sphere::new([0.0; 3], 1.0).unwrap()).unwrap();
    assert_eq!((margins(&bodies), margins(&copy)), (vec![0.0], vec![0.0, 0.0, 0.5, 0.0, 0.0]));
}
