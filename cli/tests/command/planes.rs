//! Half-spaces in every format that can hold them.

use tangency::Body;
use tangency::scenes::write_csv;
use tangency::shape::{Plane, Shape};

use super::formats;
use super::kinds::*;
use super::*;

/// A floor up to y = 0, a wall from x = -1 to the left, and a ceiling from y = 10 up.
const ROOM: [[f32; 4]; 3] = [[0.0, 1.0, 0.0, 0.0], [2.0, 0.0, 0.0, -2.0], [0.0, -0.5, 0.0, -5.0]];
/// A ball that touches the floor, one that touches the floor and the wall, and one that is apart from everything.
const BALLS: [[f32; 4]; 3] = [[3.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0], [5.0, 5.0, 5.0, 1.0]];
/// The balls first, and then the room.
const PAIRS: &str = "a,b,relation\n0,3,1\n1,3,1\n1,4,1\n3,4,2\n4,5,2\n";

fn csv() -> String {
    let line = |kind: &str, [x, y, z, r]: [f32; 4]| format!("{kind},{x:?},{y:?},{z:?},{r:?}\n");
    let balls = BALLS.map(|ball| line("sphere", ball)).concat();
    format!("kind,cx,cy,cz,r\n{balls}{}", ROOM.map(|plane| line("plane", plane)).concat())
}

#[test]
fn every_format_gives_the_same_pairs() {
    let folder = folder("planes");
    let rows = |all: [[f32; 4]; 3]| all.into_iter().flatten();
    let single = |all| formats::npy("<f4", "(3, 4)", &floats(rows(all)));
    let double = |all| formats::npy("<f8", "(3, 4)", &doubles(rows(all).map(f64::from)));
    for (name, content) in [
        ("room.csv", csv().into_bytes()),
        ("single.npz", formats::npz(&[("planes", single(ROOM)), ("spheres", single(BALLS))])),
        ("double.npz", formats::npz(&[("spheres", double(BALLS)), ("planes", double(ROOM))])),
    ] {
        gives_pairs(&folder, (name, &content), PAIRS);
    }
    // Four columns without a name are spheres.
    let balls = file(&folder, "balls.npy", &single(BALLS));
    assert_eq!(text(&tangency(&["overlaps", &balls, "--backend", "cpu"]).stdout), "a,b,relation\n");
    // Two half-spaces have no points.
    let path = file(&folder, "room.csv", csv().as_bytes());
    let summary = json(&["contacts", &path, "--backend", "cpu", "--json"]);
    assert_eq!((&summary["hits"], &summary["points"]), (&5.into(), &3.into()));
    let contact = &summary["contacts"][0];
    assert_eq!((&contact["normal"], &contact["depth"]), (&serde_json::json!([0.0, -1.0, 0.0]), &0.0.into()));
    assert_eq!(summary["contacts"][3]["points"], serde_json::json!([]));
}

/// What they are in the answers of other commands, and on a page.
#[test]
fn other_commands_know_half_spaces() {
    let folder = folder("plane-commands");
    let room = file(&folder, "room.csv", csv().as_bytes());
    let near = text(&tangency(&["near", &room, "--within", "4.5", "--backend", "cpu"]).stdout);
    assert!(near.contains("\n2,3,4.0,5.0,4.0,5.0,5.0,0.0,5.0\n") || near.contains("\n2,3,3.9999"), "{near}");
    let rays = file(&folder, "rays.csv", b"ox,oy,oz,dx,dy,dz\n2,5,9,0,-1,0\n2,5,9,0,4,0\n-9,5,9,0,0,1\n");
    let hits = text(&tangency(&["rays", &room, "--rays", &rays, "--backend", "cpu"]).stdout);
    assert_eq!(hits, "ray,body,time\n0,3,5.0\n1,5,1.25\n2,4,0.0\n");
    // The ceiling comes down to y = 2, where the lower balls end: it meets all three, and not the floor.
    let motions = "vx,vy,vz\n0,0,0\n0,0,0\n0,0,0\n0,0,0\n0,0,0\n0,-8,0\n";
    let motions = file(&folder, "motions.csv", motions.as_bytes());
    let swept = json(&["sweep", &room, "--motions", &motions, "--backend", "cpu", "--json"]);
    assert_eq!(swept["hits"], 8, "{swept}");
    let report = folder.join("room.html").display().to_string();
    tangency(&["overlaps", &room, "--backend", "cpu", "--report", &report]);
    let page = std::fs::read_to_string(&report).expect("a page");
    // Three balls and three half-spaces.
    assert!(page.contains(r#""kinds":{"u8":"AAAABAQE"}"#));
}

/// Bodies of all kinds and sizes, written by the library.
#[test]
fn half_spaces_read_back_to_the_same_bits() {
    let folder = folder("plane-round-trip");
    let [mut all, mut planes] = drawn(60, 60, |shape| matches!(shape, Shape::Plane(_)));
    // Numbers that are hard to write.
    for (normal, offset) in [([1e-45, -0.0, 0.1], 16_777_217.0), ([3e38, 1.0, -1.0 / 3.0], -1e-45)] {
        let plane = Plane::new(normal, offset).expect("a plane");
        planes.push(plane).expect("a body");
        all.push(plane).expect("a body");
    }
    assert!(planes.len() > 12 && all.len() > 3 * planes.len(), "{} of {}", planes.len(), all.len());
    let row = |body: Body| {
        let Shape::Plane(plane) = body.shape else { return Vec::new() };
        [&plane.normal().to_array()[..], &[plane.offset()]].concat()
    };
    let archive = formats::npy("<f4", &format!("({}, 4)", planes.len()), &floats(planes.iter().flat_map(row)));
    let mut texts = [Vec::new(), Vec::new()];
    write_csv(&all, &mut texts[0]).expect("memory");
    write_csv(&planes, &mut texts[1]).expect("memory");
    for (name, content, bodies) in [
        ("all.csv", &texts[0], &all),
        ("planes.csv", &texts[1], &planes),
        ("planes.npz", &formats::npz(&[("planes", archive)]), &planes),
    ] {
        let origins: &[&str] = if name == "all.csv" { &["0,0,0"] } else { &["0,0,0", "auto"] };
        reads_back(&folder, (name, content), bodies, origins);
    }
}

/// Offsets are moved with everything else, also those of half-spaces that come first.
#[test]
fn offsets_are_relative_to_the_origin() {
    let folder = folder("far-planes");
    // Relative to (500000, 100, 0) the ball is at (0, 0.5, 0) and its radius 0.25: it touches y ≤ 0.25 and 3x + 4y ≤ 0.75. So far away, f32 does
    // not tell one slope from another.
    let ball = "sphere,500000,100.5,0,0.25\n";
    let planes = "plane,0,1,0,100.25\nplane,3,4,0,1500400.75\nplane,3,4,0,1500400.7501\nplane,3,4,0,1500400.7499\n";
    let of_ball = |found: &str| {
        let with = |line: &&str| line.starts_with("0,");
        found.lines().filter(with).map(|line| line.rsplit(',').next().unwrap_or("").to_owned()).collect::<String>()
    };
    let after = file(&folder, "after.csv", format!("kind,cx,cy,cz,r\n{ball}{planes}").as_bytes());
    let before = file(&folder, "before.csv", format!("kind,cx,cy,cz,r\n{planes}{ball}").as_bytes());
    let found =
        |path: &str, origin: &str| text(&tangency(&["overlaps", path, "--backend", "cpu", "--origin", origin]).stdout);
    for origin in ["auto", "500000,100,0"] {
        assert_eq!(of_ball(&found(&after, origin)), "112", "{origin}");
        // The half-spaces meet each other, and come first.
        let ends = found(&before, origin);
        for pair in ["0,4,1", "1,4,1", "2,4,2"] {
            assert!(ends.contains(&format!("\n{pair}\n")), "{origin}: {ends}");
        }
        assert!(!ends.contains("\n3,4,"), "{origin}: {ends}");
    }
    assert_eq!(of_ball(&found(&after, "0,0,0")), "1111");
    // What is lost is told, with its place.
    let far = file(&folder, "far.csv", b"kind,cx,cy,cz,r\nplane,0,1,0,500000.123\nsphere,0,500001,0,0.5\n");
    let said = text(&tangency(&["overlaps", &far, "--backend", "cpu"]).stderr);
    assert!(said.contains("2.000e-3, of 500000.123") && said.contains("line 2, r"), "{said}");
    let row = doubles([0.0, 1.0, 0.0, 500_000.123]);
    let array = file(&folder, "far.npz", &formats::npz(&[("planes", formats::npy("<f8", "(1, 4)", &row))]));
    let said = text(&tangency(&["overlaps", &array, "--backend", "cpu"]).stderr);
    assert!(said.contains("2.000e-3, of 500000.123") && said.contains("planes[0, 3]"), "{said}");
    for path in [&far, &array] {
        let said = text(&tangency(&["overlaps", path, "--backend", "cpu", "--origin", "0,500000,0"]).stderr);
        assert!(!said.contains("warning"), "{said}");
    }
    // Two files: the half-space of the first is relative to the first position of the second, and keeps its margin.
    let floor = file(&folder, "floor.csv", b"kind,cx,cy,cz,r,margin\nplane,0,2,0,1000000,0.5\n");
    let ball = file(&folder, "ball.csv", b"kind,cx,cy,cz,r\nsphere,0,500001,0,0.5\n");
    let output = tangency(&["overlaps", &floor, &ball, "--backend", "cpu", "--margin", "0", "--origin", "auto"]);
    assert_eq!(text(&output.stdout), "a,b,relation\n0,1,1\n", "{}", text(&output.stderr));
}

#[test]
fn bad_half_spaces_are_refused_with_their_place() {
    let folder = folder("bad-planes");
    let header = "kind,cx,cy,cz,ex,ey,ez,qx,qy,qz,qw,r\n";
    let array = |row: [f32; 4]| formats::npy("<f4", "(1, 4)", &floats(row));
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("none.csv", format!("{header}plane,0,0,0,,,,,,,,1\n").into_bytes(), "line 2: normal"),
        ("nan.csv", format!("{header}plane,0,nan,0,,,,,,,,1\n").into_bytes(), "line 2: normal.y is NaN"),
        ("inf.csv", format!("{header}plane,0,1,0,,,,,,,,1e39\n").into_bytes(), "line 2: offset is inf"),
        ("offset.csv", format!("{header}plane,0,1,0,,,,,,,,\n").into_bytes(), "line 2: r is empty"),
        ("normal.csv", format!("{header}plane,0,,0,,,,,,,,1\n").into_bytes(), "line 2: cy is empty"),
        ("extent.csv", format!("{header}plane,0,1,0,1,,,,,,,1\n").into_bytes(), "but this kind has no ex"),
        ("turned.csv", format!("{header}plane,0,1,0,,,,0,0,0,1,1\n").into_bytes(), "but this kind has no qx"),
        (
            "other.csv",
            format!("{header}floor,0,1,0,,,,,,,,1\n").into_bytes(),
            "sphere, aabb, obb, capsule, plane or convex_hull",
        ),
        ("none.npz", formats::npz(&[("planes", array([0.0; 4]))]), "planes[0]: normal"),
        ("nan.npz", formats::npz(&[("planes", array([0.0, 1.0, 0.0, f32::NAN]))]), "planes[0]: offset is NaN"),
        (
            "wide.npz",
            formats::npz(&[("planes", formats::npy("<f4", "(1, 6)", &[0; 24]))]),
            "planes: the shape is [1, 6]; it must be (bodies, 4)",
        ),
        (
            "other.npz",
            formats::npz(&[("floors", array([0.0; 4]))]),
            "there is no array spheres, aabbs, obbs, capsules, planes or convex_hulls",
        ),
    ];
    are_refused(&folder, cases);
    // Only beyond all numbers once it is moved.
    let far = file(&folder, "far.csv", b"kind,cx,cy,cz,r\nplane,0,3e38,0,0\nsphere,0,9,0,1\n");
    let message = error(&["overlaps", &far, "--backend", "cpu", "--origin", "auto"]);
    assert!(message.contains("line 2, r: offset is -inf"), "{message}");
}

#[test]
fn pairs_with_half_spaces_are_decided() {
    let floor = [0.0, 2.0, 0.0, 3.0];
    // Bodies whose lowest point is at this height.
    let others = |y: f32| {
        [
            ("sphere_plane", vec![9.0, y + 0.25, -7.0, 0.25]),
            ("aabb_plane", vec![0.0, y, -1.0, 1.0, y + 1.0, 1.0]),
            ("obb_plane", vec![0.0, y + 2.0, 0.0, 2.0, 1.0, 0.5, 0.0, 0.0, 3.0, 3.0]),
            ("capsule_plane", vec![0.0, y + 0.5, 0.0, 5.0, y + 1.5, 5.0, 0.5]),
            ("plane_plane", vec![0.0, -0.25, 0.0, -0.25 * y]),
        ]
    };
    for k in 0..5 {
        let line = |(y, relation)| format!("{},{},{relation}\n", words(&others(y)[k].1), words(&floor));
        let lines = [(1.5_f32.next_up(), 0), (1.75, 0), (1.5, 1), (1.25, 2)].map(line).concat();
        let kind = others(0.0)[k].0;
        // (The smallest step of the height is lost where something is added to it.)
        let lines =
            if ["aabb_plane", "plane_plane"].contains(&kind) { &lines } else { lines.split_once('\n').unwrap().1 };
        are_decided(kind, lines, "0\n1\n2\n");
    }
    let bad = words(&[0.0, 0.0, 0.0, 1.0]);
    let path = written("bad-plane-pair", &format!("{bad},{bad}\n"));
    assert!(error(&["pairs", &path, "--kind", "plane_plane"]).contains("the first shape: normal"));
}
