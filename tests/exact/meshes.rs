//! Hulls of real meshes that nearly touch: relations are proven in another way, by a plane between both or by points that both contain, and where
//! there is no such proof in `f32`, by the oracle.

use std::collections::BTreeMap;

use tangency::glam::{DVec3, Vec3};
use tangency::query::{closest_points, contains_point, intersect, side};
use tangency::shape::{ConvexHull, Plane};
use tangency::{Relation, Side};

use crate::capsule_pairs::Dice;
use crate::mesh_hulls::{count, hulls, near_pair};
use crate::polytopes;

/// The most edges of both hulls for which the oracle is asked: its axes are the pairs of them.
const EDGES: usize = 150;

/// The planes of the faces of a placed hull, as normals and offsets.
fn faces(hull: &ConvexHull) -> Vec<(DVec3, f64)> {
    let corners: Vec<DVec3> = hull.vertices().into_iter().map(Vec3::as_dvec3).collect();
    let planes = hull.faces().iter().map(|face| face.map(|i| corners[i as usize]));
    let planes = planes.filter_map(|[a, b, c]| {
        let normal = (b - a).cross(c - a).try_normalize()?;
        Some((normal, normal.dot(a)))
    });
    planes.collect()
}

/// Whether a plane has both hulls on either side, and touches at most one of them.
fn is_parted(a: &ConvexHull, b: &ConvexHull) -> bool {
    let Ok(near) = closest_points(a, b) else { return false };
    let (p, q) = (near.on_a.as_dvec3(), near.on_b.as_dvec3());
    let corners = |hull: &ConvexHull| hull.vertices().into_iter().map(Vec3::as_dvec3).collect::<Vec<_>>();
    let (of_a, of_b) = (corners(a), corners(b));
    [q - p].into_iter().chain(faces(a).into_iter().map(|(n, _)| n)).chain(faces(b).into_iter().map(|(n, _)| -n)).any(
        |way| {
            let normal = way.normalize_or_zero().as_vec3();
            let n = normal.as_dvec3();
            let high = of_a.iter().map(|corner| n.dot(*corner)).fold(f64::NEG_INFINITY, f64::max);
            let low = of_b.iter().map(|corner| n.dot(*corner)).fold(f64::INFINITY, f64::min);
            high < low
                && Plane::new(normal, f64::midpoint(high, low) as f32)
                    .is_ok_and(|plane| side(a, &plane) == Side::Inside && side(b, &plane) == Side::Outside)
        },
    )
}

/// Whether both hulls contain the corners of a small octahedron, found by steps away from the face that is nearest or behind.
fn is_shared(a: &ConvexHull, b: &ConvexHull, depth: f64) -> bool {
    let Ok(near) = closest_points(a, b) else { return false };
    let planes: Vec<(DVec3, f64)> = faces(a).into_iter().chain(faces(b)).collect();
    let mut point = near.on_a.as_dvec3();
    for share in [0.2, 0.05, 0.01] {
        let margin = depth * share;
        for _ in 0..1000 {
            let above = planes.iter().map(|(n, d)| n.dot(point) - d).enumerate();
            let Some((k, height)) = above.max_by(|x, y| x.1.total_cmp(&y.1)) else { return false };
            if height < -0.5 * margin {
                let reach = (0.25 * margin) as f32;
                let rounded = point.as_vec3();
                let mut corners = [Vec3::X, Vec3::Y, Vec3::Z]
                    .into_iter()
                    .flat_map(|axis| [rounded + axis * reach, rounded - axis * reach]);
                return corners.all(|p| p != rounded && contains_point(a, p) && contains_point(b, p));
            }
            point -= planes[k].0 * (height + margin);
        }
    }
    false
}

#[test]
#[ignore = "needs a folder of meshes"]
fn hulls_of_meshes_that_nearly_touch() {
    let (hulls, count) = (hulls(), count());
    let mut dice = Dice(20);
    let (mut proofs, mut slow) = (BTreeMap::<(String, &str), usize>::new(), 0);
    for round in 0..count {
        let (a, b, gap) = near_pair(&mut dice, &hulls);
        let found = intersect(&a, &b);
        assert_eq!(intersect(&b, &a), found, "{round}: {a:?} {b:?}");
        let few = a.edges().len() + b.edges().len() <= EDGES;
        let proof = if is_parted(&a, &b) {
            assert_eq!(found, Relation::Separate, "{round}: {a:?} {b:?}");
            "a plane"
        } else if is_shared(&a, &b, f64::from(gap.abs())) {
            assert_eq!(found, Relation::Overlapping, "{round}: {a:?} {b:?}");
            "common points"
        } else if few {
            ""
        } else {
            "none"
        };
        // Also some of those that are proven: one in a hundred.
        if proof.is_empty() || few && round % 100 == 0 {
            slow += 1;
            let expected = polytopes::relation(&a.clone().into(), &b.clone().into());
            assert_eq!(found, expected, "{round}: {a:?} {b:?}");
        }
        *proofs.entry((format!("{found:?}"), if proof.is_empty() { "the oracle" } else { proof })).or_default() += 1;
    }
    println!("{count} pairs by their proof: {proofs:?}; the oracle was asked of {slow}");
    let without: usize = proofs.iter().filter(|((_, proof), _)| *proof == "none").map(|(_, count)| count).sum();
    assert!(without * 50 < count, "{without} pairs without a proof");
}
