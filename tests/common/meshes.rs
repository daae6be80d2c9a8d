//! Hulls of real meshes. These (`.obj`, `.stl`) are in the folder that `TANGENCY_TEST_MESHES` names, such as that of the Python package `pybullet`.

use std::fs;
use std::path::Path;

use tangency::glam::Vec3;
use tangency::query::intersect;
use tangency::shape::{ConvexHull, Pose, fit};

use crate::capsule_pairs::Dice;

/// The most corners of a hull.
const CORNERS: usize = 256;

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

/// A pair of hulls, the second of which is moved on any way until it nearly touches; and by how much they are apart on that way.
pub fn near_pair(dice: &mut Dice, hulls: &[ConvexHull]) -> (ConvexHull, ConvexHull, f32) {
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

/// The hulls of all meshes.
pub fn hulls() -> Vec<ConvexHull> {
    let folder = std::env::var_os("TANGENCY_TEST_MESHES").expect("TANGENCY_TEST_MESHES names a folder");
    let mut hulls = Vec::new();
    meshes(Path::new(&folder), &mut hulls);
    let corners = hulls.iter().map(|hull| hull.local_vertices().len());
    let (least, most) = (corners.clone().min().unwrap_or(0), corners.max().unwrap_or(0));
    println!("{} hulls of {least} to {most} corners", hulls.len());
    hulls
}

/// How many pairs are asked for.
pub fn count() -> usize {
    std::env::var("TANGENCY_TEST_MESH_PAIRS").map_or(100_000, |text| text.parse().expect("a number"))
}
