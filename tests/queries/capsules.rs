//! Capsules on every backend: relations, margins and contacts of pairs that touch or nearly do.

use tangency::query::{contact, intersect};
use tangency::scenes::random;
use tangency::shape::{Capsule, Shape};

use crate::capsule_pairs::{FAMILIES, KINDS, pairs};
use crate::engines::{ENGINES, brute, is_long};
use crate::families::{self, Worlds};

/// All pairs of all families.
fn all_pairs(count: usize) -> Worlds {
    let all =
        families::all(FAMILIES.len(), &std::array::from_fn::<_, { KINDS.len() }, _>(|kind| kind), |family, kind| {
            pairs(family, kind, count)
        });
    Worlds::of(all, |[a, b]| intersect(a, b).unwrap())
}

#[test]
fn every_engine_has_the_exact_relation_of_every_pair() {
    all_pairs(if is_long() { 1000 } else { 50 }).check_relations();
}

/// Contacts, clearances and sweeps have the same bits everywhere, and the contacts are those of the scalar function.
#[test]
fn details_have_the_same_bits_everywhere() {
    let worlds = all_pairs(if is_long() { 200 } else { 10 });
    let (bodies, contacts) = (&worlds.bodies, worlds.check_details());
    let mut compared = 0;
    for found in contacts.manifolds() {
        let shapes = [found.a(), found.b()].map(|id| bodies.shape(id).unwrap());
        let sizes = shapes.each_ref().map(|shape| shape.aabb().unwrap().half_extents().max_element());
        let (least, most) = (sizes[0].min(sizes[1]), sizes[0].max(sizes[1]));
        let Some(scalar) = contact(&shapes[0], &shapes[1]).unwrap() else { continue };
        if !(1e-15..1e15).contains(&least) || most > 100.0 * least {
            continue;
        }
        let apart = (found.depth() - scalar.depth()).abs();
        assert!(apart <= 1e-4 * most, "{shapes:?}: {} and {}", found.depth(), scalar.depth());
        assert!(found.points().len() > 0 && (found.normal().length() - 1.0).abs() < 1e-5, "{shapes:?} {found:?}");
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

/// A scene with capsules of every size among other bodies, between two sets, and bodies that become capsules.
#[test]
fn bodies_become_capsules() {
    let mut bodies = random(11, 400).unwrap();
    let others = random(12, 200).unwrap();
    let limb = |k: u32| {
        let at = [k as f32 % 7.0, k as f32 / 50.0, k as f32 % 3.0];
        Shape::from(Capsule::new(at, [at[0] + 0.5, at[1], at[2] - 1.0], 0.3).unwrap())
    };
    for step in 0..4 {
        for id in (0..bodies.id_bound() as u32).filter(|id| id % 5 == step) {
            if bodies.contains(id) {
                bodies.set_shape(id, limb(id)).unwrap();
            }
        }
        let expected = brute().overlaps(&bodies).run().unwrap();
        let between = brute().overlaps(&bodies).against(&others).run().unwrap();
        for (name, engine) in &*ENGINES {
            assert!(engine.overlaps(&bodies).run().unwrap() == expected, "{name}, step {step}");
            assert!(engine.overlaps(&bodies).against(&others).run().unwrap() == between, "{name}, step {step}");
            assert!(engine.candidates(&bodies).run().unwrap().len() >= expected.len(), "{name}, step {step}");
        }
    }
    let error = bodies.set_pose(0, tangency::shape::Pose::IDENTITY).unwrap_err().to_string();
    assert!(error.contains("capsule"), "{error}");
}
