//! Hulls in every format that can hold them.

use std::collections::HashMap;

use tangency::glam::Vec3;
use tangency::scenes::write_csv;
use tangency::shape::{ConvexHull, Shape};
use tangency::{Bodies, Body};

use super::formats::{self, NAMED_PAIRS, NAMES, PAIRS};
use super::kinds::*;
use super::*;

/// A double pyramid over a square, as high as its points are far apart.
const CORNERS: [[f32; 3]; 6] =
    [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
/// Position, quaternion and form: two that touch at their points, the second turned by a half turn about the first axis, and one apart.
const PLACES: [[f32; 8]; 3] = [
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 7.0],
    [2.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 7.0],
    [4.5, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 7.0],
];

const HEADER: &str = "kind,cx,cy,cz,ex,ey,ez,qx,qy,qz,qw,r,layer,name\n";

fn corner([x, y, z]: [f32; 3], form: u32) -> String {
    format!("corner,{x:?},{y:?},{z:?},,,,,,,,{form},,\n")
}

fn csv() -> String {
    let line = |([x, y, z, a, b, c, d, form], name): ([f32; 8], &str)| {
        format!("convex_hull,{x:?},{y:?},{z:?},,,,{a:?},{b:?},{c:?},{d:?},{form},,{name}\n")
    };
    let lines: String = PLACES.into_iter().zip(NAMES).map(line).collect();
    format!("{HEADER}{}{lines}", CORNERS.map(|at| corner(at, 7)).concat())
}

/// An archive with one array of other bytes, if any.
fn archive(changed: Option<(&str, Vec<u8>)>) -> Vec<u8> {
    let mut arrays = vec![
        ("convex_hulls", formats::npy("<f4", "(3, 8)", &floats(PLACES.into_iter().flatten()))),
        ("hull_corners", formats::npy("<f4", "(6, 3)", &floats(CORNERS.into_iter().flatten()))),
        ("hull_forms", formats::npy("<i8", "(6,)", &[7_i64; 6].map(i64::to_le_bytes).concat())),
    ];
    if let Some((name, content)) = changed {
        arrays.retain(|(other, _)| *other != name);
        if !content.is_empty() {
            arrays.push((name, content));
        }
    }
    formats::npz(&arrays)
}

#[test]
fn every_format_gives_the_same_pairs() {
    let folder = folder("hulls");
    let doubled = formats::npz(&[
        ("hull_forms", formats::npy("|u1", "(6,)", &[7; 6])),
        ("hull_corners", formats::npy("<f8", "(6, 3)", &doubles(CORNERS.into_iter().flatten().map(f64::from)))),
        ("convex_hulls", formats::npy("<f8", "(3, 8)", &doubles(PLACES.into_iter().flatten().map(f64::from)))),
    ]);
    for (name, content, pairs) in [
        ("hulls.csv", csv().into_bytes(), NAMED_PAIRS),
        ("single.npz", archive(None), PAIRS),
        ("double.npz", doubled, PAIRS),
    ] {
        let path = gives_pairs(&folder, (name, &content), pairs);
        let summary = json(&["contacts", &path, "--backend", "cpu", "--json"]);
        assert_eq!((&summary["hits"], &summary["points"]), (&1.into(), &1.into()), "{name}");
        assert_eq!(summary["contacts"][0]["depth"], 0.0, "{name}");
    }
    // In an archive they come after all others.
    let ball = ("spheres", formats::npy("<f4", "(1, 4)", &floats([4.5, 0.0, 2.0, 1.0])));
    let all = file(&folder, "all.npz", &archive(Some(ball)));
    assert_eq!(text(&tangency(&["overlaps", &all, "--backend", "cpu"]).stdout), "a,b,relation\n0,3,1\n1,2,1\n");
    // Numbers of forms are those of one file: the same number is another form in the next.
    let other = csv().replace("1.0,0.0,0.0", "3.0,0.0,0.0");
    let other = file(&folder, "other.csv", other.as_bytes());
    let path = file(&folder, "hulls.csv", csv().as_bytes());
    let alone = json(&["overlaps", &other, "--backend", "cpu", "--json"])["hits"].as_u64();
    let both = json(&["overlaps", &path, &other, "--backend", "cpu", "--json"]);
    assert!(alone > Some(1), "{alone:?}");
    assert_eq!((&both["bodies"], both["hits"].as_u64() > alone), (&6.into(), true), "{both}");
}

/// The arrays of hulls.
fn arrays(bodies: &Bodies) -> Vec<u8> {
    let (mut numbers, mut forms, mut corners) = (HashMap::new(), Vec::new(), Vec::new());
    let mut row = |body: Body| {
        let Shape::ConvexHull(hull) = body.shape else { return Vec::new() };
        let local = hull.local_vertices();
        let bits: Vec<u32> = local.iter().flat_map(|v| v.to_array().map(f32::to_bits)).collect();
        let next = numbers.len() as u32;
        let number = *numbers.entry(bits).or_insert_with(|| {
            corners.extend(local.iter().flat_map(Vec3::to_array));
            forms.extend(local.iter().flat_map(|_| next.to_le_bytes()));
            next
        });
        let pose = hull.pose();
        [&pose.position().to_vec3().to_array()[..], &pose.rotation().to_array(), &[number as f32]].concat()
    };
    let places = floats(bodies.iter().flat_map(&mut row));
    let count = forms.len() / 4;
    formats::npz(&[
        ("convex_hulls", formats::npy("<f4", &format!("({}, 8)", bodies.len()), &places)),
        ("hull_corners", formats::npy("<f4", &format!("({count}, 3)"), &floats(corners))),
        ("hull_forms", formats::npy("<u4", &format!("({count},)"), &forms)),
    ])
}

/// Bodies of all kinds and sizes, written by the library.
#[test]
fn hulls_read_back_to_the_same_bits() {
    let folder = folder("hull-round-trip");
    let [mut all, mut hulls] = drawn(40, 100, |shape| matches!(shape, Shape::ConvexHull(_)));
    // Numbers that are hard to write, twice in one place.
    let hard = [[1e-45, -0.0, 0.1], [16_777_217.0, 3e38, -1.0 / 3.0], [1.0, 2.0, 3.0]];
    let hard = ConvexHull::from_points(hard).expect("a hull");
    for bodies in [&mut all, &mut hulls] {
        bodies.extend([hard.clone(), hard.clone()]).expect("bodies");
    }
    assert!(hulls.len() > 50 && all.len() > 3 * hulls.len(), "{} of {}", hulls.len(), all.len());
    // A column that lines of corners have too.
    all.set_margin(0, 0.25).expect("a margin");
    let mut texts = [Vec::new(), Vec::new()];
    write_csv(&all, &mut texts[0]).expect("memory");
    write_csv(&hulls, &mut texts[1]).expect("memory");
    for (name, content, bodies) in
        [("all.csv", &texts[0], &all), ("hulls.csv", &texts[1], &hulls), ("hulls.npz", &arrays(&hulls), &hulls)]
    {
        reads_back(&folder, (name, content), bodies, &["0,0,0"]);
    }
}

/// The place of a hull is moved with everything else, and its corners are not.
#[test]
fn places_are_relative_to_the_origin() {
    let folder = folder("far-hulls");
    let far = csv().replace("convex_hull,", "convex_hull,50000").replace("2.0,0.0,0.0,,,,3", "2.012,0.0,0.0,,,,3");
    let path = file(&folder, "far.csv", far.as_bytes());
    let said = text(&tangency(&["overlaps", &path, "--backend", "cpu"]).stderr);
    assert!(said.contains("of 500002.012 ("), "{said}");
    let moved = tangency(&["overlaps", &path, "--backend", "cpu", "--origin", "auto"]);
    assert!(!text(&moved.stderr).contains("warning"), "{}", text(&moved.stderr));
    assert_eq!(text(&moved.stdout), NAMED_PAIRS.lines().next().expect("a line").to_owned() + "\n");
}

#[test]
fn bad_hulls_are_refused_with_their_place() {
    let folder = folder("bad-hulls");
    let lines = |lines: &str| format!("{HEADER}{}{lines}", corner([0.0; 3], 0)).into_bytes();
    // Points on a parabola, which are all corners.
    let many: String = (0..257).map(|k| corner([k as f32, (k * k) as f32, 0.0], 0)).collect();
    let shape = |name, shape: &str, bytes: usize| archive(Some((name, formats::npy("<f4", shape, &vec![0; bytes]))));
    let one = |row: [f32; 8]| archive(Some(("convex_hulls", formats::npy("<f4", "(1, 8)", &floats(row)))));
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("none.csv", lines("convex_hull,0,0,0,,,,0,0,0,1,1,,\n"), "line 3: form 1 has no corners"),
        (
            "late.csv",
            lines("convex_hull,0,0,0,,,,0,0,0,1,0,,\ncorner,1,0,0,,,,,,,,0,,\n"),
            "line 4: a body before this",
        ),
        ("part.csv", lines("convex_hull,0,0,0,,,,0,0,0,1,0.5,,\n"), "line 3: r is \"0.5\"; it must be a whole number"),
        ("less.csv", lines("corner,0,0,0,,,,,,,,-1,,\n"), "line 3: r is \"-1\"; it must be a whole number"),
        ("form.csv", lines("convex_hull,0,0,0,,,,0,0,0,1,,,\n"), "line 3: r is empty"),
        ("loose.csv", lines("corner,0,0,0,,,,,,,,,,\n"), "line 3: r is empty"),
        ("turned.csv", lines("corner,0,0,0,,,,0,0,0,1,0,,\n"), "but this kind has no qx"),
        ("wide.csv", lines("convex_hull,0,0,0,1,1,1,0,0,0,1,0,,\n"), "but this kind has no ex"),
        ("layer.csv", lines("corner,0,0,0,,,,,,,,0,1,\n"), "but this kind has no layer"),
        ("named.csv", lines("corner,0,0,0,,,,,,,,0,,tip\n"), "but this kind has no name"),
        ("nan.csv", lines("corner,0,nan,0,,,,,,,,0,,\n"), "line 3: point.y is NaN"),
        ("zero.csv", lines("convex_hull,0,0,0,,,,0,0,0,0,0,,\n"), "line 3: rotation"),
        (
            "many.csv",
            format!("{HEADER}{many}convex_hull,0,0,0,,,,0,0,0,1,0,,\n").into_bytes(),
            "line 259: form 0: the hull has 257 corners; that of a body has at most 256",
        ),
        ("part.npz", one([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.5]), "convex_hulls: [0]: the number of the form is 0.5"),
        ("none.npz", one([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 3.0]), "convex_hulls: [0]: form 3 has no corners"),
        ("zero.npz", one([0.0; 8]), "convex_hulls: [0]: rotation"),
        ("wide.npz", shape("convex_hulls", "(1, 7)", 28), "convex_hulls: the shape is [1, 7]; it must be (bodies, 8)"),
        ("thin.npz", shape("hull_corners", "(6, 2)", 48), "hull_corners: the shape is [6, 2]; it must be (corners, 3)"),
        ("few.npz", shape("hull_corners", "(5, 3)", 60), "hull_corners are 5, and hull_forms are 6"),
        ("real.npz", shape("hull_forms", "(6,)", 24), "hull_forms: the array has no whole numbers"),
        ("forms.npz", archive(Some(("hull_forms", Vec::new()))), "hull_corners are there without hull_forms"),
        ("corners.npz", archive(Some(("hull_corners", Vec::new()))), "hull_forms are there without hull_corners"),
        ("alone.npy", formats::npy("<f4", "(1, 8)", &[0; 32]), "the shape is (1, 8); 4 columns are spheres"),
    ];
    are_refused(&folder, cases);
}

/// What they are in the answers of other commands, and on a page.
#[test]
fn other_commands_know_hulls() {
    let folder = folder("hull-commands");
    let scene = file(&folder, "hulls.csv", csv().as_bytes());
    let near = text(&tangency(&["near", &scene, "--within", "1", "--backend", "cpu"]).stdout);
    // (The true distance, 0.5, less the error of double words, is rounded down.)
    assert!(near.contains("\n1,2,0.49999997,") && near.lines().count() == 3, "{near}");
    let rays = file(&folder, "rays.csv", b"ox,oy,oz,dx,dy,dz\n0.25,0.25,9,0,0,-1\n9,0,0,-1,0,0\n9,9,9,1,0,0\n");
    let hits = text(&tangency(&["rays", &scene, "--rays", &rays, "--backend", "cpu"]).stdout);
    assert_eq!(hits, "ray,body,time\n0,0,8.5\n1,2,3.5\n");
    // The last comes to touch the second on its way.
    let motions = file(&folder, "motions.csv", b"vx,vy,vz\n0,0,0\n0,0,0\n-1,0,0\n");
    let swept = tangency(&["sweep", &scene, "--motions", &motions, "--backend", "cpu"]);
    let table = text(&swept.stdout);
    assert!(
        // (Sooner than after 0.5 by what the tolerance takes.)
        table.contains("\n1,2,0.4999"),
        "{}{}",
        text(&swept.stdout),
        text(&swept.stderr)
    );
    let report = folder.join("hulls.html").display().to_string();
    tangency(&["overlaps", &scene, "--backend", "cpu", "--report", &report]);
    let page = std::fs::read_to_string(&report).expect("a page");
    // Three hulls of one form: from corner 0 to 6, from face 0 to 8.
    assert!(page.contains(r#""kinds":{"u8":"BQUF"}"#) && page.contains(r#""corner_offsets":{"u32":"AAAAAAYAAAA="}"#));
    assert!(page.contains(r#""face_offsets":{"u32":"AAAAAAgAAAA="}"#));
}

#[test]
fn pairs_with_hulls_are_decided() {
    // A pyramid, of which the last corner is inside; its square base is down.
    let pyramid =
        [[1.0, 0.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 0.0, -1.0], [-1.0, 0.0, 1.0], [0.0, 2.0, 0.0], [0.0, 1.0, 0.0]];
    let place = [4.0, 3.0, 2.0, 0.0, 3.0, 0.0, 3.0];
    let hull = |place: &[f32], corners: &[[f32; 3]]| {
        format!("{},{:08x},{}", words(place), corners.len(), words(&corners.concat()))
    };
    let pyramid = hull(&place, &pyramid);
    // Bodies whose highest point is at this height, below the middle of the base.
    let others = |y: f32| {
        [
            ("sphere_convex_hull", words(&[4.0, y - 0.5, 2.0, 0.5])),
            ("aabb_convex_hull", words(&[3.5, y - 1.0, 1.0, 4.5, y, 9.0])),
            ("obb_convex_hull", words(&[4.0, y - 1.0, 2.0, 1.0, 0.25, 0.5, 0.0, 0.0, 3.0, 3.0])),
            ("capsule_convex_hull", words(&[4.0, y - 0.5, 2.0, 9.0, y - 1.0, 2.0, 0.5])),
            ("plane_convex_hull", words(&[0.0, 0.5, 0.0, 0.5 * y])),
            (
                "convex_hull_convex_hull",
                hull(
                    &[4.0, y, 2.0, 0.0, 0.0, 0.0, 1.0],
                    &[[0.0; 3], [0.0, -1.0, 0.0], [0.5; 3].map(|x: f32| -x), [0.0, -1.0, 1.0]],
                ),
            ),
        ]
    };
    for k in 0..6 {
        let line = |(y, relation)| format!("family,{},{pyramid},{relation}\n", others(y)[k].1);
        let lines = [(2.75, 0), (3.0, 1), (3.25, 2)].map(line).concat();
        are_decided(others(0.0)[k].0, &lines, "0\n1\n2\n");
    }
    let kind = "convex_hull_convex_hull";
    // Without a family and an expected relation.
    let output = tangency(&[
        "pairs",
        &written("hull-pair", &format!("{pyramid},{pyramid}\n")),
        "--kind",
        kind,
        "--backend",
        "cpu",
    ]);
    assert_eq!(text(&output.stdout), "2\n", "{}", text(&output.stderr));
    let many: Vec<[f32; 3]> = (0..257).map(|k| [k as f32, (k * k) as f32, 0.0]).collect();
    for (name, line, reason) in [
        ("hull-count", format!("{},{pyramid}\n", words(&place)), "fields; "),
        ("hull-none", format!("{},00000000,{pyramid}\n", words(&place)), "the first shape: "),
        (
            "hull-many",
            format!("{pyramid},{}\n", hull(&place, &many)),
            "line 1: the second shape: the hull has 257 corners",
        ),
        ("hull-turn", format!("{pyramid},{}\n", hull(&[0.0; 7], &[[0.0; 3]])), "the second shape: rotation"),
    ] {
        let message = error(&["pairs", &written(name, &line), "--kind", kind]);
        assert!(message.contains(reason), "{name}: {message}");
    }
}
