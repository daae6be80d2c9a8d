//! Relations of capsules with all bodies, against rational numbers: random pairs, and those that touch or nearly do.

use std::cmp::Ordering;

use tangency::Relation;
use tangency::glam::{Quat, Vec3};
use tangency::query::intersect;
use tangency::shape::{Aabb, Capsule, Obb, Shape, Sphere};

use crate::capsule_pairs::{FAMILIES, KINDS, pairs};
use crate::families;
use crate::rational::{core, is_inside_differences, squared_distance};

fn expected([a, b]: &[Shape; 2]) -> Relation {
    let ((core_a, radius_a), (core_b, radius_b)) = (core(a), core(b));
    let reach = radius_a + radius_b;
    match squared_distance(&core_a, &core_b).cmp(&(&reach * &reach)) {
        Ordering::Less => Relation::Overlapping,
        Ordering::Greater => Relation::Separate,
        Ordering::Equal if is_inside_differences(&core_a, &core_b) => Relation::Overlapping,
        Ordering::Equal => Relation::Touching,
    }
}

#[test]
fn every_family_agrees_with_the_oracle() {
    let count = if crate::support::is_long() { 1000 } else { 25 };
    let enough = count / 25;
    families::check(
        &FAMILIES,
        &KINDS,
        |family, kind| pairs(family, kind, count),
        expected,
        |found| match found.family {
            "faces" | "edges" | "corners" => found.touching > 20 * enough,
            "flips" => found.separate.min(found.touching).min(found.overlapping) >= 2 * enough,
            _ => found.separate.min(found.overlapping) >= enough,
        },
    );
}

/// Segments: capsules without a radius. What they have in common with a box is inside it, or on its surface.
#[test]
fn segments_with_boxes() {
    let rod = |a: [f32; 3], b: [f32; 3]| Capsule::new(a, b, 0.0).unwrap();
    let cube = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    for (a, b, relation) in [
        ([0.5, 0.5, -1.0], [0.5, 0.5, 2.0], Relation::Overlapping),
        ([0.5, 0.5, 0.25], [0.5, 0.5, 0.75], Relation::Overlapping),
        ([0.0, 0.5, -1.0], [0.0, 0.5, 2.0], Relation::Touching),
        ([0.0, 0.0, -1.0], [0.0, 0.0, 2.0], Relation::Touching),
        ([-1.0, 1.0, 0.5], [1.0, -1.0, 0.5], Relation::Touching),
        ([-1.0, 1.5, 0.5], [1.0, -0.5, 0.5], Relation::Overlapping),
        ([0.5, 0.5, 1.0], [0.5, 0.5, 2.0], Relation::Touching),
        ([0.5, 0.5, 1.0_f32.next_up()], [0.5, 0.5, 2.0], Relation::Separate),
        ([0.5, 0.5, 0.5], [0.5, 0.5, 0.5], Relation::Overlapping),
    ] {
        assert_eq!(intersect(&rod(a, b), &cube), relation, "{a:?} {b:?}");
    }
    // Through a sheet: the differences of both fill a box.
    let sheet = Obb::new([0.0; 3], [1.0, 1.0, 0.0], Quat::IDENTITY).unwrap();
    assert_eq!(intersect(&rod([0.0, 0.0, -1.0], [0.0, 0.0, 1.0]), &sheet), Relation::Overlapping);
    assert_eq!(intersect(&rod([0.0, 0.0, 0.0], [0.0, 0.0, 1.0]), &sheet), Relation::Touching);
    assert_eq!(intersect(&rod([-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]), &sheet), Relation::Touching);
    // Two segments never overlap.
    let (x, y) = (rod([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]), rod([0.0, -1.0, 0.0], [0.0, 1.0, 0.0]));
    assert_eq!((intersect(&x, &y), intersect(&x, &x)), (Relation::Touching, Relation::Touching));
    let point = Sphere::new([0.5, 0.0, 0.0], 0.0).unwrap();
    assert_eq!(intersect(&x, &point), Relation::Touching);
}

/// A capsule without length is a ball.
#[test]
fn short_capsules_are_balls() {
    for (family, _) in FAMILIES.iter().enumerate() {
        for (kind, _) in KINDS.iter().enumerate() {
            for [own, other] in pairs(family, kind, 40) {
                let Shape::Capsule(capsule) = own else { panic!("the first is a capsule") };
                let ball = Shape::from(Sphere::new(capsule.a(), capsule.radius()).unwrap());
                let short = Shape::from(Capsule::new(capsule.a(), capsule.a(), capsule.radius()).unwrap());
                assert_eq!(intersect(&short, &other).unwrap(), intersect(&ball, &other).unwrap(), "{ball:?} {other:?}");
            }
        }
    }
}

#[test]
fn what_is_no_capsule_meets_nothing() {
    let cube = Aabb::new([-9.0; 3], [9.0; 3]).unwrap();
    for numbers in [[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0], [f32::NAN, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]] {
        let raw: Capsule = bytemuck::cast(numbers);
        assert_eq!((intersect(&raw, &cube), intersect(&cube, &raw)), (Relation::Separate, Relation::Separate));
    }
    assert_eq!(intersect(&Capsule::new(Vec3::ZERO, Vec3::X, 1.0).unwrap(), &Aabb::EMPTY), Relation::Separate);
}
