//! Relations of half-spaces with all bodies, against rational numbers: random pairs, and those that touch or nearly do.

use tangency::Relation;
use tangency::query::intersect;
use tangency::shape::{Aabb, Plane, Shape};

use crate::half_space_pairs::{FAMILIES, KINDS, pairs};
use crate::rational::{half_space_relation, q};

#[test]
fn every_family_agrees_with_the_oracle() {
    let count = if crate::support::is_long() { 1000 } else { 50 };
    for (family, name) in FAMILIES.iter().enumerate() {
        for (kind, other) in KINDS.iter().enumerate() {
            let mut found = [0; 3];
            for [plane, body] in pairs(family, kind, count) {
                let Shape::Plane(half_space) = plane else { panic!("the first is a half-space") };
                let expected = half_space_relation(&half_space, &body, &q(0.0));
                assert_eq!(intersect(&plane, &body).unwrap(), expected, "{name} {other}: {plane:?} {body:?}");
                assert_eq!(intersect(&body, &plane).unwrap(), expected, "{name} {other}, swapped: {plane:?} {body:?}");
                found[expected as usize] += 1;
            }
            let [separate, touching, overlapping] = found;
            let enough = count / 25;
            match *name {
                "faces" | "edges" | "corners" => assert!(touching > 20 * enough, "{name} {other}: {found:?}"),
                "flips" => assert!(separate.min(touching).min(overlapping) >= 2 * enough, "{name} {other}: {found:?}"),
                // Two half-spaces are apart only if they are opposite.
                "random" | "parallel" if *other == "plane" => assert!(overlapping > 20 * enough, "{found:?}"),
                _ => assert!(separate.min(overlapping) >= enough, "{name} {other}: {found:?}"),
            }
        }
    }
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
