//! Half-spaces on every backend: relations, margins, contacts, distances, rays, points and sweeps.

use tangency::glam::Quat;
use tangency::query::{Motion, contact, intersect};
use tangency::shape::{Aabb, Capsule, Obb, Plane, Ray, Shape, Sphere};
use tangency::{BackendKind, Bodies, Points, Traits};

use crate::engines::{ENGINES, brute, is_long};
use crate::families::{self, Worlds};
use crate::half_space_pairs::{FAMILIES, KINDS, pairs};
use crate::rational::{half_space_relation, q};

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
    all_pairs(if is_long() { 1000 } else { 15 }).check_relations();
}

/// Margins that are the gap to the last bit, or a unit more or less.
#[test]
fn margins_are_exact() {
    let Worlds { bodies, listed, .. } = all_pairs(if is_long() { 200 } else { 5 });
    for margin in [0.25, 1.0, 1.0_f32.next_up(), 3.0, 1e-20] {
        let mut expected = Vec::new();
        for [a, b] in &listed {
            let [first, second] = [a, b].map(|id| bodies.shape(*id).unwrap());
            let relation = match (&first, &second) {
                (Shape::Plane(plane), other) | (other, Shape::Plane(plane)) => {
                    half_space_relation(plane, other, &q(margin))
                }
                _ => panic!("one is a half-space"),
            };
            expected.extend(relation.is_hit().then_some((*a, *b, relation)));
        }
        for (name, engine) in &*ENGINES {
            let found: Vec<_> = engine.overlaps(&bodies).margin(margin).run().unwrap().iter().collect();
            assert!(found == expected, "{name}: {margin}");
        }
    }
}

/// Contacts, clearances and sweeps have the same bits everywhere, and the contacts are those of the scalar function.
#[test]
fn details_have_the_same_bits_everywhere() {
    let worlds = all_pairs(if is_long() { 200 } else { 8 });
    let (bodies, contacts) = (&worlds.bodies, worlds.check_details());
    let mut compared = 0;
    for found in contacts.manifolds() {
        let shapes = [found.a(), found.b()].map(|id| bodies.shape(id).unwrap());
        if matches!(shapes, [Shape::Plane(_), Shape::Plane(_)]) {
            assert_eq!((found.points().len(), found.depth()), (0, 0.0));
            continue;
        }
        let size =
            shapes.iter().filter_map(Shape::aabb).map(|aabb| aabb.half_extents().max_element()).fold(0.0, f32::max);
        let place =
            shapes.iter().filter_map(Shape::aabb).map(|aabb| aabb.center().abs().max_element()).fold(size, f32::max);
        let Some(scalar) = contact(&shapes[0], &shapes[1]).unwrap() else { continue };
        let apart = (found.depth() - scalar.depth()).abs();
        assert!(apart <= 1e-6 * place, "{shapes:?}: {} and {}", found.depth(), scalar.depth());
        assert!((found.normal() - scalar.normal()).length() < 1e-6, "{shapes:?}");
        assert_eq!(found.kind(), scalar.kind(), "{shapes:?}");
        for point in found.points() {
            let nearest =
                scalar.points().iter().map(|other| (other.on_b - point.on_b).length()).fold(f32::MAX, f32::min);
            // (Which of several equal corners is a matter of the last bit.)
            let is_equal = scalar.points().iter().any(|other| (other.depth - point.depth).abs() <= 2e-6 * place);
            assert!(nearest <= 4e-6 * place || is_equal, "{shapes:?}: {point:?}");
        }
        compared += 1;
    }
    assert!(compared > 80, "{compared}");
}

/// A floor, two walls and a slope among other bodies.
fn room() -> Bodies {
    let mut bodies = Bodies::new();
    let fixed = Traits::new().fixed(true);
    for (normal, offset) in
        [([0.0, 1.0, 0.0], 0.0), ([-2.0, 0.0, 0.0], 0.0), ([0.0, 0.0, 0.5], -1.0), ([0.6, 0.8, 0.0], 0.25)]
    {
        bodies.push_with(Plane::new(normal, offset).unwrap(), fixed).unwrap();
    }
    for k in 0..300_u32 {
        // (Few of them touch each other exactly.)
        let at = [(k % 7) as f32 - 1.03, (k % 11) as f32 * 0.51, (k % 13) as f32 * 1.07 - 2.97];
        let shape: Shape = match k % 4 {
            0 => Sphere::new(at, 0.5).unwrap().into(),
            1 => Aabb::new(at, [at[0] + 0.5, at[1] + 1.0, at[2] + 0.5]).unwrap().into(),
            2 => Obb::new(at, [0.25, 0.5, 0.5], Quat::from_rotation_z(k as f32)).unwrap().into(),
            _ => Capsule::new(at, [at[0], at[1] + 1.0, at[2] - 0.5], 0.25).unwrap().into(),
        };
        bodies.push(shape).unwrap();
    }
    bodies
}

/// Every query has an answer, the same on every engine, and half-spaces are in it.
#[test]
fn a_room_is_the_same_everywhere() {
    let mut bodies = room();
    bodies.set_margin(0, 0.125).unwrap();
    let points: Vec<[f32; 3]> = (0..60).map(|k| [k as f32 * 0.3 - 9.0, (k % 9) as f32 - 4.0, (k % 5) as f32]).collect();
    let rays: Vec<Ray> =
        points.iter().map(|at| Ray::new(*at, [0.5 - at[2], at[0] * 0.25, at[1] + 0.125]).unwrap()).collect();
    let mut all = Points::new();
    for at in &points {
        all.push(*at).unwrap();
    }
    let points = all;
    let planes = [Plane::new([1.0, 0.0, 0.0], 3.0).unwrap(), Plane::new([0.0, -1.0, 0.0], 1.0).unwrap()];
    let overlaps = brute().overlaps(&bodies).run().unwrap();
    let near = brute().closest(&bodies, &points).run().unwrap();
    let hits = brute().cast_rays(&bodies, &rays).run().unwrap();
    assert!(overlaps.iter().any(|(a, ..)| a == 0) && overlaps.iter().any(|(a, ..)| a == 3));
    for (name, engine) in &*ENGINES {
        assert!(engine.overlaps(&bodies).run().unwrap() == overlaps, "{name}: overlaps");
        let candidates = engine.candidates(&bodies).run().unwrap();
        assert!(candidates == brute().candidates(&bodies).run().unwrap(), "{name}: candidates");
        assert!(engine.closest(&bodies, &points).run().unwrap() == near, "{name}: closest");
        let contained = engine.containing(&bodies, &points).run().unwrap();
        assert!(contained == brute().containing(&bodies, &points).run().unwrap(), "{name}: containing");
        assert!(engine.cast_rays(&bodies, &rays).run().unwrap() == hits, "{name}: rays");
        if engine.info().backend == BackendKind::Gpu {
            // Kernels decide and compute, not the host: all but pairs that touch.
            let (contacts, near) =
                (engine.contacts(&bodies).run().unwrap(), engine.clearances(&bodies, 0.25).run().unwrap());
            assert!(
                contacts.computed_on_host() * 10 < contacts.len() as u64,
                "{name}: {}",
                contacts.computed_on_host()
            );
            assert!(near.computed_on_host() * 10 < near.len() as u64, "{name}: {}", near.computed_on_host());
            let open = contacts.pairs().stats().undecided;
            assert!(open * 10 < contacts.len() as u64, "{name}: {open} are undecided of {}", contacts.len());
        }
        let sides = engine.cull(&bodies, &planes).run().unwrap();
        assert!(sides == brute().cull(&bodies, &planes).run().unwrap(), "{name}: cull");
    }
}

/// The axis-aligned floor has bounds that end at its border, so that what is above is no candidate.
#[test]
fn what_is_above_a_floor_is_no_candidate() {
    let mut bodies = Bodies::new();
    bodies.push(Plane::new([0.0, 2.0, 0.0], 4.0).unwrap()).unwrap();
    for k in 0..50_u32 {
        bodies.push(Sphere::new([3.0 * k as f32, k as f32, 0.0], 0.75).unwrap()).unwrap();
    }
    for (name, engine) in &*ENGINES {
        let candidates = engine.candidates(&bodies).run().unwrap();
        assert_eq!(candidates.pairs().collect::<Vec<_>>(), [(0, 1), (0, 2), (0, 3)], "{name}");
    }
}

/// Half-spaces have no pose, and cannot be turned about nothing: with a pivot they turn.
#[test]
fn moving_half_spaces() {
    let mut bodies = Bodies::new();
    bodies.push(Plane::new([0.0, 1.0, 0.0], 0.0).unwrap()).unwrap();
    bodies.push(Sphere::new([4.0, 3.0, 0.0], 1.0).unwrap()).unwrap();
    bodies.push(Plane::new([0.0, -1.0, 0.0], -10.0).unwrap()).unwrap();
    let rising = Motion::translation([0.0, 4.0, 0.0]).unwrap();
    let turning = Motion::new([0.0; 3], [0.0, 0.0, 1.5]).unwrap();
    for (name, engine) in &*ENGINES {
        let hits = engine.sweep(&bodies, &[rising, Motion::REST, Motion::REST]).run().unwrap();
        let found: Vec<_> = hits.iter().map(|(a, b, hit)| (a, b, hit.from())).collect();
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        assert!(found[0].0 == 0 && found[0].1 == 1 && (found[0].2 - 0.5).abs() < 1e-5, "{name}: {found:?}");
        let hits = engine.sweep(&bodies, &[turning, Motion::REST, Motion::REST]).run().unwrap();
        assert!(hits.iter().any(|(a, b, _)| (a, b) == (0, 1)), "{name}: it turns into the ball");
        assert!(hits.iter().any(|(a, b, _)| (a, b) == (0, 2)), "{name}: what turns meets the other");
        let closing = [rising, Motion::REST, Motion::translation([0.0, -12.0, 0.0]).unwrap()];
        let hits = engine.sweep(&bodies, &closing).run().unwrap();
        let hit = hits.iter().find(|(a, b, _)| (*a, *b) == (0, 2)).map(|(.., hit)| hit.from());
        assert!(hit.is_some_and(|time| (time - 0.625).abs() < 1e-5), "{name}: {hit:?}");
    }
    assert!(bodies.set_pose(0, tangency::shape::Pose::IDENTITY).unwrap_err().to_string().contains("plane"));
}
