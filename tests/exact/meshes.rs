//! Hulls of real meshes that nearly touch: relations are proven in another way, by a plane between both or by points that both contain, and where
//! there is no such proof in `f32`, by the oracle.
//!
//! The meshes (`.obj`, `.stl`) are in the folder that `TANGENCY_TEST_MESHES` names, such as that of the Python package `pybullet`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tangency::glam::{DVec3, Vec3};
use tangency::query::{closest_points, contains_point, intersect, side};
use tangency::shape::{ConvexHull, Plane, Pose, fit};
use tangency::{Relation, Side};

use crate::capsule_pairs::Dice;
use crate::polytopes;

/// The most corners of a hull.
const CORNERS: usize = 256;

/// The most edges of both hulls for which the oracle is asked: its axes are the pairs of them.
const EDGES: usize = 150;

/// The points of a mesh, object by object.
fn objects(path: &Path) -> Vec<Vec<Vec3>> {
    let bytes = fs::read(path).expect("a mesh");
    let is_stl = path.extension().is_some_and(|name| name.eq_ignore_ascii_case("stl"));
    let triangles = bytes.get(80..84).map_or(0, |count| u32::from_le_bytes([count[0], count[1], count[2], count[3]]));
    if is_stl && bytes.len() == 84 + 50 * triangles as usize {
        let number = |at: usize| f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let corners = (0..triangles as usize).flat_map(|k| [12, 24, 36].map(|at| 84 + 50 * k + at));
        return vec![corners.map(|at| Vec3::new(number(at), number(at + 4), number(at + 8))).collect()];
    }
    let mut found = vec![Vec::new()];
    for line in String::from_utf8_lossy(&bytes).lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("o") => found.push(Vec::new()),
            Some("v" | "vertex") => {
                let numbers: Vec<f32> = words.take(3).filter_map(|word| word.parse().ok()).collect();
                if let (&[x, y, z], Some(object)) = (numbers.as_slice(), found.last_mut()) {
                    object.push(Vec3::new(x, y, z));
                }
            }
            _ => {}
        }
    }
    found
}

fn meshes(folder: &Path, found: &mut Vec<ConvexHull>) {
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        let is_mesh =
            path.extension().is_some_and(|name| ["obj", "stl"].iter().any(|kind| name.eq_ignore_ascii_case(kind)));
        if path.is_dir() {
            meshes(&path, found);
        } else if is_mesh {
            let hulls = objects(&path).into_iter().filter_map(|points| ConvexHull::from_points(points).ok());
            // (Simplifying is slow, and the hulls of some meshes have many thousands of corners.)
            let few = hulls.filter(|hull| hull.local_vertices().len() <= 4 * CORNERS);
            found.extend(few.map(|hull| fit::simplified_hull(&hull, CORNERS).expect("a hull")));
        }
    }
}

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

/// A pair of hulls, the second of which is moved on any way until it nearly touches; and by how much they are apart on that way.
fn near_pair(dice: &mut Dice, hulls: &[ConvexHull]) -> (ConvexHull, ConvexHull, f32) {
    let pick = |dice: &mut Dice| &hulls[dice.below(hulls.len() as u64) as usize];
    let (a, b) = (pick(dice), pick(dice));
    let (p, q) = (dice.turn(), dice.turn());
    let way = dice.vector().normalize_or(Vec3::X);
    let a = a.with_pose(Pose::new(dice.vector(), p).expect("a pose"));
    let size = |hull: &ConvexHull| (hull.aabb().max() - hull.aabb().min()).length();
    let at_origin = b.with_pose(Pose::new(Vec3::ZERO, q).expect("a pose"));
    let start = a.aabb().center() - at_origin.aabb().center();
    let at = |far: f32| b.with_pose(Pose::new(start + way * far, q).expect("a pose"));
    let whole = size(&a) + size(&at_origin);
    let (mut inside, mut outside) = (0.0, whole);
    for _ in 0..24 {
        let middle = f32::midpoint(inside, outside);
        *(if intersect(&a, &at(middle)).is_hit() { &mut inside } else { &mut outside }) = middle;
    }
    // Gaps of every size up to 10⁻³ of theirs.
    let gap = dice.signed() * 1e-3 * whole * if dice.below(40) == 0 { 1e-4 } else { 1.0 };
    let b = at(outside + gap);
    (a, b, gap)
}

#[test]
#[ignore = "needs a folder of meshes"]
fn hulls_of_meshes_that_nearly_touch() {
    let folder = std::env::var_os("TANGENCY_TEST_MESHES").expect("TANGENCY_TEST_MESHES names a folder");
    let count = std::env::var("TANGENCY_TEST_MESH_PAIRS").map_or(100_000, |text| text.parse().expect("a number"));
    let mut hulls = Vec::new();
    meshes(Path::new(&folder), &mut hulls);
    let corners = hulls.iter().map(|hull| hull.local_vertices().len());
    println!(
        "{} hulls of {} to {} corners",
        hulls.len(),
        corners.clone().min().unwrap_or(0),
        corners.max().unwrap_or(0)
    );
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
