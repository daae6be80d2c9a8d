//! Relations of half-spaces with all bodies, against rational numbers: random pairs, and those that touch or nearly do.

use std::cmp::Ordering;

use tangency::Relation;
use tangency::glam::Vec3;
use tangency::query::intersect;
use tangency::shape::{Aabb, Capsule, Plane, Shape};

use crate::capsule_pairs::Dice;
use crate::families;
use crate::half_space_pairs::{FAMILIES, KINDS, pairs};
use crate::hull_pairs;
use crate::rational::{half_space_relation, height, placed, q};

#[test]
fn every_family_agrees_with_the_oracle() {
    let count = if crate::support::is_long() { 1000 } else { 25 };
    let enough = count / 25;
    let oracle = |[plane, body]: &[Shape; 2]| {
        let Shape::Plane(half_space) = plane else { panic!("the first is a half-space") };
        half_space_relation(half_space, body, &q(0.0))
    };
    families::check(
        &FAMILIES,
        &KINDS,
        |family, kind| pairs(family, kind, count),
        oracle,
        |found| match found.family {
            "faces" | "edges" | "corners" => found.touching > 20 * enough,
            "flips" => found.separate.min(found.touching).min(found.overlapping) >= 2 * enough,
            // Two half-spaces are apart only if they are opposite.
            "random" | "parallel" if found.kind == "plane" => found.overlapping > 20 * enough,
            _ => found.separate.min(found.overlapping) >= enough,
        },
    );
}

/// Heights of which a part is far below the roundings of `f64`: only whole numbers tell the side.
#[test]
fn heights_that_f64_rounds_are_exact() {
    let mut found = [0; 3];
    for k in 0..64_u32 {
        let sign = |bit: u32| if k >> bit & 1 == 1 { 1.0 } else { -1.0_f32 };
        let tiny = 3.0 * 0.5_f32.powi(62);
        let plane = Plane::new([sign(0), sign(1) * tiny, 0.0], sign(0) * 5.0).unwrap();
        // What is at the border in x is above or below it by a very little.
        let (low, high) = ([5.0, -1.0 - sign(2), 0.0], [5.0, 1.0 + sign(3), 0.0]);
        let thick = [5.0 + sign(0) * f32::from(k >= 32), high[1], 1.0];
        let (min, max) = (Vec3::from(low), Vec3::from(thick));
        for body in [
            Shape::from(Aabb::new(min.min(max), min.max(max)).unwrap()),
            Capsule::new(low, high, 0.0).unwrap().into(),
            Capsule::new(high, low, 0.0).unwrap().into(),
            Capsule::new([5.0, sign(2), 0.0], [5.0, 2.0 * sign(2), 1.0], 0.0).unwrap().into(),
        ] {
            let expected = half_space_relation(&plane, &body, &q(0.0));
            let shape = Shape::from(plane);
            assert_eq!(
                (intersect(&shape, &body), intersect(&body, &shape)),
                (Ok(expected), Ok(expected)),
                "{plane:?} {body:?}"
            );
            found[expected as usize] += 1;
        }
    }
    assert!(found.iter().all(|count| *count > 10), "{found:?}");
}

#[test]
fn two_half_spaces_meet_unless_they_are_opposite_and_apart() {
    let below = |n: [f32; 3], d: f32| Plane::new(n, d).unwrap();
    let floor = below([0.0, 2.0, 0.0], 2.0); // y ≤ 1
    for (other, relation) in [
        (below([0.0, -1.0, 0.0], -1.0), Relation::Touching),
        (below([0.0, -1.0, 0.0], -(1.0_f32.next_up())), Relation::Separate),
        (below([0.0, -1.0, 0.0], -(1.0_f32.next_down())), Relation::Overlapping),
        (below([0.0, -3.0, 0.0], -9.0), Relation::Separate),
        (below([1e-45, -3.0, 0.0], -9.0), Relation::Overlapping),
        (below([0.0, 1.0, 0.0], -9.0), Relation::Overlapping),
        (floor, Relation::Overlapping),
    ] {
        assert_eq!((intersect(&floor, &other), intersect(&other, &floor)), (relation, relation), "{other:?}");
    }
}

#[test]
fn what_is_no_half_space_meets_nothing() {
    let cube = Aabb::new([-9.0; 3], [9.0; 3]).unwrap();
    for numbers in [[0.0, 0.0, 0.0, 1.0], [f32::NAN, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, f32::INFINITY]] {
        let raw: Plane = bytemuck::cast(numbers);
        assert_eq!((intersect(&raw, &cube), intersect(&cube, &raw)), (Relation::Separate, Relation::Separate));
        assert_eq!(intersect(&raw, &raw), Relation::Separate);
    }
    assert_eq!(intersect(&Plane::new([0.0, 1.0, 0.0], 0.0).unwrap(), &Aabb::EMPTY), Relation::Separate);
}

/// Hulls in poses: the lowest of their corners, which are the exact images of the local ones. Half-spaces through a corner, up to rounding, and beside it.
#[test]
fn hulls_are_as_low_as_their_lowest_corner() {
    let mut dice = Dice(77);
    let mut found = [0; 3];
    for family in 0..hull_pairs::FAMILIES.len() {
        for [hull, _] in hull_pairs::pairs(family, 0, if crate::support::is_long() { 500 } else { 30 }) {
            let Shape::ConvexHull(hull) = hull else { panic!("the first is a hull") };
            let corners: Vec<_> = hull.local_vertices().iter().map(|x| placed(&hull.pose(), *x)).collect();
            let normal = if dice.below(2) == 0 { dice.whole() } else { dice.vector() };
            let at = hull.vertices()[dice.below(corners.len() as u64) as usize];
            let Ok(plane) = Plane::from_point_normal(at, normal) else { continue };
            let lowest = corners.iter().map(|corner| height(plane.normal(), corner, plane.offset())).min().unwrap();
            let expected = match lowest {
                Ordering::Less => Relation::Overlapping,
                Ordering::Equal => Relation::Touching,
                Ordering::Greater => Relation::Separate,
            };
            let relations = (intersect(&hull, &plane), intersect(&plane, &hull));
            assert_eq!(relations, (expected, expected), "{hull:?} {plane:?}");
            let shapes = (Shape::from(hull), Shape::from(plane));
            assert_eq!(
                (intersect(&shapes.0, &shapes.1), intersect(&shapes.1, &shapes.0)),
                (Ok(expected), Ok(expected))
            );
            found[expected as usize] += 1;
        }
    }
    assert!(found.iter().all(|count| *count > 3), "{found:?}");
}
