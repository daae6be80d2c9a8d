//! Relations of convex hulls, triangles and segments with all kinds, against whole numbers: random pairs, and those that touch or nearly do.

use tangency::glam::{Quat, Vec3};
use tangency::query::intersect;
use tangency::shape::{Aabb, Capsule, ConvexHull, Obb, Pose, Segment, Shape, Sphere, Triangle};
use tangency::{Error, Relation};

use crate::hull_pairs::{FAMILIES, KINDS, pairs};
use crate::{capsule_pairs, polytopes};

#[test]
fn every_family_agrees_with_the_oracle() {
    let count = if crate::support::is_long() { 1000 } else { 25 };
    for (family, name) in FAMILIES.iter().enumerate() {
        for (kind, other) in KINDS.iter().enumerate() {
            let mut found = [0; 3];
            let started = std::time::Instant::now();
            for pair in pairs(family, kind, count) {
                let [a, b] = &pair;
                let expected = polytopes::relation(a, b);
                assert_eq!(intersect(a, b).unwrap(), expected, "{name} {other}: {pair:?}");
                assert_eq!(intersect(b, a).unwrap(), expected, "{name} {other}, swapped: {pair:?}");
                found[expected as usize] += 1;
            }
            let [separate, touching, overlapping] = found;
            println!(
                "{name} {other}: {separate} separate, {touching} touching, {overlapping} overlapping, {:?}",
                started.elapsed()
            );
            let enough = count / 25;
            match *name {
                "faces" | "edges" | "corners" => assert_eq!(touching, count, "{name} {other}: {found:?}"),
                "flips" => assert!(separate.min(touching).min(overlapping) >= enough, "{name} {other}: {found:?}"),
                "thin" => assert!(separate.min(touching) >= enough, "{name} {other}: {found:?}"),
                _ => assert!(separate.min(overlapping) >= enough, "{name} {other}: {found:?}"),
            }
        }
    }
}
