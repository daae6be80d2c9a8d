//! Bodies that may be some way apart, against the squared distance in rational numbers.

use crate::properties::properties;
use crate::rational::{Q, core, q, squared_distance};
use crate::relations::{aabb, length, obb, sphere};
use proptest::prelude::*;
use std::cmp::Ordering;
use tangency::shape::{Capsule, Shape};
use tangency::{BackendKind, Bodies, Engine, Relation};

fn shape() -> impl Strategy<Value = Shape> {
    let capsule = (sphere(), sphere()).prop_map(|(a, b)| Capsule::new(a.center(), b.center(), b.radius()).unwrap());
    prop_oneof![
        sphere().prop_map(Shape::from),
        aabb().prop_map(Shape::from),
        obb().prop_map(Shape::from),
        capsule.prop_map(Shape::from)
    ]
}

/// The relation that engines find with a margin: brute force, the CPU, and both ways round.
fn relation(a: &Shape, b: &Shape, margin: f32) -> Relation {
    let mut found = Vec::new();
    for kind in [BackendKind::BruteForce, BackendKind::Cpu] {
        let engine = Engine::builder().backend(kind).build().unwrap();
        for (first, second) in [(a, b), (b, a)] {
            let mut bodies = Bodies::new();
            for shape in [first, second] {
                bodies.push(shape.clone()).unwrap();
            }
            let hits = engine.overlaps(&bodies).margin(margin).run().unwrap();
            found.push(hits.iter().next().map_or(Relation::Separate, |(_, _, relation)| relation));
        }
    }
    assert!(found.windows(2).all(|two| two[0] == two[1]), "{a:?} {b:?} {margin}: {found:?}");
    found[0]
}

/// What the squared distance of the cores says.
fn expected(square: &Q, radii: &Q, margin: f32) -> Relation {
    let reach = radii + q(margin);
    match square.cmp(&(&reach * &reach)) {
        Ordering::Less => Relation::Overlapping,
        Ordering::Equal => Relation::Touching,
        Ordering::Greater => Relation::Separate,
    }
}

fn check(a: &Shape, b: &Shape, margins: &[f32]) {
    let ((core_a, radius_a), (core_b, radius_b)) = (core(a), core(b));
    let square = squared_distance(&core_a, &core_b);
    let radii = radius_a + radius_b;
    for margin in margins.iter().filter(|margin| **margin > 0.0 && margin.is_finite()) {
        assert_eq!(relation(a, b, *margin), expected(&square, &radii, *margin), "{a:?} {b:?} {margin}");
    }
}

properties! {
    #![proptest_config(crate::support::config(60))]

    #[test]
    fn margins_agree_with_the_oracle(a in shape(), b in shape(), margin in length()) {
        // Margins next to the distance as well.
        let apart = tangency::query::closest_points(&a, &b).map_or(0.0, |found| found.distance);
        check(&a, &b, &[margin, apart, apart.next_up(), apart.next_down()]);
    }
}

/// Margins that are the distance to the last bit: face to face, edge to edge, corner to corner, and past turned edges.
#[test]
fn margins_that_are_the_distance_touch() {
    use tangency::glam::Quat;
    use tangency::shape::{Aabb, Obb, Sphere};
    let unit = Shape::from(Aabb::new([0.0; 3], [1.0; 3]).unwrap());
    let turned = |q: [f32; 4], at: [f32; 3]| Shape::from(Obb::new(at, [1.0; 3], Quat::from_array(q)).unwrap());
    let cases = [
        (unit.clone(), Shape::from(Aabb::new([1.5, 0.0, 0.0], [2.0, 1.0, 1.0]).unwrap()), 0.5),
        (unit.clone(), Shape::from(Aabb::new([4.0, 5.0, 0.0], [5.0, 6.0, 1.0]).unwrap()), 5.0),
        (unit.clone(), Shape::from(Aabb::new([3.0, 4.0, 7.0], [5.0, 6.0, 8.0]).unwrap()), 7.0),
        (unit.clone(), Shape::from(Sphere::new([4.0, 5.0, 0.5], 1.0).unwrap()), 4.0),
        // A third of a turn about the diagonal: still aligned.
        (unit.clone(), turned([1.0, 1.0, 1.0, 1.0], [3.0, 0.5, 0.5]), 1.0),
        // Turned by the angle of 3, 4 and 5, so that it reaches 7/5 along x. (No `f32` is the distance.)
        (unit.clone(), turned([0.0, 0.0, 1.0, 3.0], [5.0, 0.5, 0.5]), 5.0 - 1.4 - 1.0),
        (turned([0.0, 0.0, 1.0, 3.0], [0.0; 3]), turned([0.0, 0.0, 1.0, 3.0], [4.0, 3.0, 0.0]), 3.0),
    ];
    let mut touching = 0;
    for (a, b, margin) in cases {
        check(&a, &b, &[margin, margin.next_up(), margin.next_down()]);
        touching += usize::from(relation(&a, &b, margin) == Relation::Touching);
        assert_eq!(relation(&a, &b, margin.next_down()), Relation::Separate, "{a:?} {b:?} {margin}");
    }
    assert!(touching >= 6, "{touching}");
}

/// Two edges that pass each other, as far apart as the margin.
#[test]
fn edges_that_pass_each_other() {
    use tangency::glam::Quat;
    use tangency::shape::Obb;
    // Both stand on an edge; by half a right angle an extent of 1 reaches √2, so that extents along the way are 0.
    let flat = |at: [f32; 3], q: [f32; 4]| Shape::from(Obb::new(at, [4.0, 0.0, 0.0], Quat::from_array(q)).unwrap());
    let along_x = flat([0.0; 3], [0.0, 0.0, 0.0, 1.0]);
    for (q, gap) in [([0.0, 0.0, 1.0, 3.0], 0.75), ([0.0, 0.0, 2.0, 1.0], 1e-3), ([0.0, 0.0, 1.0, 1.0], 3e5)] {
        let rod = flat([0.5, 0.25, gap], q);
        check(&along_x, &rod, &[gap, gap.next_up(), gap.next_down()]);
        assert_eq!(relation(&along_x, &rod, gap), Relation::Touching);
    }
}

#[test]
fn bad_margins_are_errors() {
    let engine = Engine::builder().backend(BackendKind::Cpu).build().unwrap();
    for margin in [-1.0, f32::NAN, f32::INFINITY] {
        let error = engine.overlaps(&Bodies::new()).margin(margin).run().unwrap_err().to_string();
        assert!(error.contains("margin is"), "{error}");
    }
    assert!(engine.overlaps(&Bodies::new()).margin(f32::MAX).run().unwrap().is_empty());
}
