//! Capsules in every format that can hold them.

use tangency::Body;
use tangency::scenes::write_csv;
use tangency::shape::Shape;

use super::formats::{self, NAMED_PAIRS, PAIRS};
use super::kinds::*;
use super::*;

/// First end, second end and radius: two that touch end to end, and one apart from them.
const LIMBS: [[f32; 7]; 3] =
    [[0.0, 0.0, 1.0, 0.0, 0.0, 3.0, 0.5], [0.0, 0.0, 4.0, 0.0, 0.0, 6.0, 0.5], [4.0, 0.0, 1.0, 4.0, 0.0, 3.0, 0.5]];

fn line([ax, ay, az, bx, by, bz, r]: [f32; 7], name: &str) -> String {
    format!("capsule,{ax:?},{ay:?},{az:?},{bx:?},{by:?},{bz:?},{r:?},{name}\n")
}

fn csv() -> String {
    let lines = LIMBS.into_iter().zip(formats::NAMES).map(|(limb, name)| line(limb, name)).collect::<String>();
    format!("kind,cx,cy,cz,ex,ey,ez,r,name\n{lines}")
}

/// Links that stand, on a base without a body; the last is turned twice to stand again.
fn urdf() -> String {
    let link = |(k, name): (usize, &str)| {
        let [x, y, low, _, _, high, r] = LIMBS[k];
        let (half, tilt) = (std::f64::consts::FRAC_PI_2, k == 2);
        let [joint, own] = if tilt { [half, -half] } else { [0.0, 0.0] };
        format!(
            "<link name='{name}'><collision><origin rpy='{own} 0 0'/><geometry><capsule radius='{r}' length='{}'/></geometry>\
             </collision></link>\n<joint name='to {name}' type='fixed'><parent link='base'/><child link='{name}'/>\
             <origin xyz='{x} {y} {}' rpy='{joint} 0 0'/></joint>\n",
            high - low,
            low.midpoint(high)
        )
    };
    let links: String = formats::NAMES.into_iter().enumerate().map(link).collect();
    format!("<robot name='three'>\n<link name='base'/>\n{links}</robot>\n")
}

#[test]
fn every_format_gives_the_same_pairs() {
    let folder = folder("capsules");
    let rows = || LIMBS.into_iter().flatten();
    for (name, content) in [
        ("limbs.csv", csv().into_bytes()),
        ("single.npy", formats::npy("<f4", "(3, 7)", &floats(rows()))),
        ("double.npy", formats::npy("<f8", "(3, 7)", &doubles(rows().map(f64::from)))),
        ("limbs.npz", formats::npz(&[("capsules", formats::npy("<f4", "(3, 7)", &floats(rows())))])),
        ("limbs.urdf", urdf().into_bytes()),
    ] {
        let named = name.ends_with("csv") || name.ends_with("urdf");
        let path = gives_pairs(&folder, (name, &content), if named { NAMED_PAIRS } else { PAIRS });
        let summary = json(&["contacts", &path, "--backend", "cpu", "--json"]);
        assert_eq!((&summary["hits"], &summary["bounding_boxes"]), (&1.into(), &0.into()), "{name}");
        let contact = &summary["contacts"][0];
        assert_eq!((&contact["kind"], &contact["depth"]), (&"round".into(), &0.0.into()), "{name}");
    }
    // In an archive they come after all others: the ball meets the first of them, and the box the last.
    let ball = formats::npy("<f4", "(1, 4)", &floats([1.0, 0.0, 2.0, 0.5]));
    let block = formats::npy("<f4", "(1, 10)", &floats([4.0, 0.0, 5.0, 1.0, 1.0, 1.5, 0.0, 0.0, 0.0, 1.0]));
    let limbs = formats::npy("<f4", "(3, 7)", &floats(rows()));
    let all = file(&folder, "all.npz", &formats::npz(&[("capsules", limbs), ("obbs", block), ("spheres", ball)]));
    assert_eq!(text(&tangency(&["overlaps", &all, "--backend", "cpu"]).stdout), "a,b,relation\n0,2,1\n1,4,1\n2,3,1\n");
}

/// Bodies of all kinds and sizes, written by the library.
#[test]
fn capsules_read_back_to_the_same_bits() {
    let folder = folder("capsule-round-trip");
    let [all, capsules] = drawn(20, 200, |shape| matches!(shape, Shape::Capsule(_)));
    assert!(capsules.len() > 50 && all.len() > 3 * capsules.len(), "{} of {}", capsules.len(), all.len());
    let row = |body: Body| {
        let Shape::Capsule(limb) = body.shape else { return Vec::new() };
        [&limb.a().to_array()[..], &limb.b().to_array(), &[limb.radius()]].concat()
    };
    let archive = formats::npy("<f4", &format!("({}, 7)", capsules.len()), &floats(capsules.iter().flat_map(row)));
    let mut texts = [Vec::new(), Vec::new()];
    write_csv(&all, &mut texts[0]).expect("memory");
    write_csv(&capsules, &mut texts[1]).expect("memory");
    for (name, content, bodies) in [
        ("all.csv", &texts[0], &all),
        ("capsules.csv", &texts[1], &capsules),
        ("capsules.npz", &formats::npz(&[("capsules", archive)]), &capsules),
    ] {
        reads_back(&folder, (name, content), bodies, &["0,0,0"]);
    }
}

#[test]
fn both_ends_are_held_to_the_last_digit() {
    let folder = folder("far-capsules");
    // 0.002 apart from a ball, at the second end; f32 sees it at none.
    let row = [500_000.0, 0.0, 0.0, 500_001.123, 0.0, 0.0, 0.25];
    let array = file(&folder, "far.npy", &formats::npy("<f8", "(1, 7)", &doubles(row)));
    let scene = "kind,cx,cy,cz,ex,ey,ez,r\ncapsule,500000,0,0,500001.123,0,0,0.25\nsphere,500001.625,0,0,,,,0.25\n";
    let scene = file(&folder, "far.csv", scene.as_bytes());
    for (path, place) in [(&array, "[0, 3]"), (&scene, "line 2, ex")] {
        let said = text(&tangency(&["overlaps", path, "--backend", "cpu"]).stderr);
        assert!(said.contains("2.000e-3, of 500001.123") && said.contains(place), "{said}");
        let moved = tangency(&["overlaps", path, "--backend", "cpu", "--origin", "auto"]);
        assert!(!text(&moved.stderr).contains("warning"), "{}", text(&moved.stderr));
        assert_eq!(text(&moved.stdout), "a,b,relation\n");
    }
    assert_eq!(text(&tangency(&["overlaps", &scene, "--backend", "cpu"]).stdout), "a,b,relation\n0,1,1\n");
}

#[test]
fn bad_capsules_are_refused_with_their_place() {
    let folder = folder("bad-capsules");
    let header = "kind,cx,cy,cz,ex,ey,ez,qx,qy,qz,qw,r\n";
    let array = |row: [f32; 7]| formats::npy("<f4", "(1, 7)", &floats(row));
    let (mut thin, mut lost) = (LIMBS[0], LIMBS[0]);
    (thin[6], lost[4]) = (-0.5, f32::NAN);
    let robot = |from: &str, to: &str| urdf().replacen(from, to, 1).into_bytes();
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("thin.csv", format!("{header}capsule,0,0,0,1,0,0,,,,,-1\n").into_bytes(), "line 2: radius is -1"),
        ("nan.csv", format!("{header}capsule,0,0,0,1,nan,0,,,,,1\n").into_bytes(), "line 2: b.y is NaN"),
        ("inf.csv", format!("{header}capsule,1e39,0,0,1,0,0,,,,,1\n").into_bytes(), "line 2: a.x is inf"),
        ("end.csv", format!("{header}capsule,0,0,0,1,,0,,,,,1\n").into_bytes(), "line 2: ey is empty"),
        ("radius.csv", format!("{header}capsule,0,0,0,1,0,0,,,,,\n").into_bytes(), "line 2: r is empty"),
        ("turned.csv", format!("{header}capsule,0,0,0,1,0,0,0,0,0,1,1\n").into_bytes(), "but this kind has no qx"),
        (
            "other.csv",
            format!("{header}pill,0,0,0,1,0,0,,,,,1\n").into_bytes(),
            "sphere, aabb, obb, capsule, plane or convex_hull",
        ),
        ("thin.npy", array(thin), "[0]: radius is -0.5"),
        ("nan.npy", array(lost), "[0]: b.y is NaN"),
        ("wide.npy", formats::npy("<f4", "(1, 8)", &[0; 32]), "7 capsules"),
        ("thin.npz", formats::npz(&[("capsules", array(thin))]), "capsules[0]: radius is -0.5"),
        (
            "wide.npz",
            formats::npz(&[("capsules", formats::npy("<f4", "(1, 4)", &[0; 16]))]),
            "capsules: the shape is [1, 4]; it must be (bodies, 7)",
        ),
        ("thin.urdf", robot("radius='0.5'", "radius='-0.5'"), "line 3: radius is -0.5; it must be zero or more"),
        ("short.urdf", robot("length='2'", "length='-2'"), "line 3: length is -2; it must be zero or more"),
        ("none.urdf", robot("length='2'", ""), "line 3: capsule has no length"),
        ("huge.urdf", robot("radius='0.5'", "radius='1e300'"), "line 3: left: radius is inf"),
    ];
    are_refused(&folder, cases);
}

#[test]
fn pairs_with_capsules_are_decided() {
    let post = [0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.5];
    // Beside the middle of the post, at this distance from its axis.
    let others = |x: f32| {
        [
            ("sphere_capsule", vec![x + 0.25, 1.0, 0.0, 0.25]),
            ("aabb_capsule", vec![x, 0.5, -1.0, x + 1.0, 0.75, 1.0]),
            ("obb_capsule", vec![x + 1.0, 1.0, 0.0, 2.0, 1.0, 0.5, 0.0, 0.0, 3.0, 3.0]),
            ("capsule_capsule", vec![x + 0.25, 1.0, -1.0, x + 0.25, 1.0, 1.0, 0.25]),
        ]
    };
    for k in 0..4 {
        let line = |(x, relation)| format!("{},{},{relation}\n", words(&others(x)[k].1), words(&post));
        let lines = [(0.75, 0), (0.5, 1), (0.25, 2)].map(line).concat();
        let kind = others(0.0)[k].0;
        are_decided(kind, &lines, "0\n1\n2\n");
    }
    let bad = words(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -1.0]);
    let path = written("bad-capsule-pair", &format!("{bad},{bad}\n"));
    assert!(error(&["pairs", &path, "--kind", "capsule_capsule"]).contains("the first shape: radius is -1"));
}
