//! Scene files of every format: what is read, and what is refused.

use super::formats::{self, NAMED_PAIRS, PAIRS};
use super::*;

fn file(folder: &std::path::Path, name: &str, content: &[u8]) -> String {
    let path = folder.join(name);
    std::fs::write(&path, content).expect("a file");
    path.display().to_string()
}

/// Exit code, standard output and standard error of the command with this standard input.
fn given(args: &[&str], input: &[u8]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tangency"));
    let mut child = command
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let (mut pipe, input) = (child.stdin.take().expect("a pipe"), input.to_vec());
    let writer = std::thread::spawn(move || drop(std::io::Write::write_all(&mut pipe, &input)));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("it ends");
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn every_format_gives_the_same_pairs() {
    let folder = folder("formats");
    for (format, content) in formats::all() {
        let path = file(&folder, &format!("cubes.{}", format.to_uppercase()), &content);
        let output = tangency(&["overlaps", &path, "--backend", "cpu"]);
        let (found, said) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(found, if format == "npy" { PAIRS } else { NAMED_PAIRS }, "{format}: {said}");
        // Only what was fitted around meshes is a bounding box.
        let fitted = ["obj", "stl", "gltf", "glb"].contains(&format);
        assert_eq!(said.contains("tangency: bounding boxes: candidates (3 of 3 bodies"), fitted, "{format}: {said}");
        let summary = json(&["contacts", &path, "--backend", "cpu", "--json"]);
        assert_eq!((&summary["hits"], &summary["bounding_boxes"]), (&1.into(), &(if fitted { 3 } else { 0 }).into()));
        assert_eq!(
            (&summary["contacts"][0]["depth"], &summary["contacts"][0]["points"][3]["depth"]),
            (&0.0.into(), &0.0.into())
        );
        let (code, piped, said) = given(&["overlaps", "-", "--format", format, "--backend", "cpu"], &content);
        assert_eq!((code, piped), (Some(0), found), "{format}: {said}");
        let verified = tangency(&["verify", &path, "--backend", "cpu"]);
        assert_eq!(verified.status.code(), Some(0), "{format}: {}", text(&verified.stderr));
    }
    // A buffer beside the file, named by a URI.
    let path = file(&folder, "beside.gltf", formats::gltf(r#""uri": "its%20buffer.bin", "#).as_bytes());
    assert!(error(&["overlaps", &path]).contains("cannot read"));
    file(&folder, "its buffer.bin", &formats::gltf_buffer());
    assert_eq!(text(&tangency(&["overlaps", &path, "--backend", "cpu"]).stdout), NAMED_PAIRS);
    // Binary STL has one solid, which is called as its file. Several files are one scene.
    let cube = file(&folder, "cube.stl", &formats::binary_stl());
    let output =
        tangency(&["overlaps", &cube, &file(&folder, "more.csv", formats::csv().as_bytes()), "--backend", "cpu"]);
    assert_eq!(
        text(&output.stdout),
        "a,b,relation,name_a,name_b\n0,1,2,cube,left\n0,2,1,cube,right\n1,2,1,left,right\n"
    );
    let between = tangency(&["overlaps", &cube, "--with", &path, "--backend", "cpu"]);
    assert_eq!(text(&between.stdout), "a,b,relation,name_a,name_b\n0,0,2,cube,left\n0,1,1,cube,right\n");
}

#[test]
fn results_are_written_in_three_formats() {
    let folder = folder("results");
    let scene = file(&folder, "cubes.csv", formats::csv().replace(",left", ",\"le,ft \"\"1\"\"\"").as_bytes());
    let out = |name: &str| folder.join(name).display().to_string();
    let run = |command: &str, name: &str| {
        let path = out(name);
        let done = tangency(&[command, &scene, "--backend", "cpu", "--out", &path]);
        assert!(done.status.success() && done.stdout.is_empty(), "{}", text(&done.stderr));
        std::fs::read(path).expect("a file")
    };
    let pairs = text(&run("overlaps", "pairs.csv"));
    assert_eq!(pairs, "a,b,relation,name_a,name_b\n0,1,1,\"le,ft \"\"1\"\"\",right\n");
    let pairs: Value = serde_json::from_slice(&run("overlaps", "pairs.json")).expect("JSON");
    assert_eq!(pairs, serde_json::json!([{"a": 0, "b": 1, "relation": 1, "name_a": "le,ft \"1\"", "name_b": "right"}]));
    let array = run("overlaps", "pairs.npy");
    let header = String::from_utf8_lossy(&array[10..]).into_owned();
    let fields = "[('a', '<u4'), ('b', '<u4'), ('relation', '<u4'), ('name_a', '<U9'), ('name_b', '<U5')]";
    assert!(header.contains(fields) && header.contains("'shape': (1,)"), "{header}");
    assert_eq!((array.len() % 64, array.len()), (4 * (3 + 9 + 5) % 64, array.len() / 64 * 64 + 4 * (3 + 9 + 5) % 64));
    let contacts = text(&run("contacts", "contacts.csv"));
    assert!(
        contacts.starts_with(
            "a,b,nx,ny,nz,depth,kind,px,py,pz,pdepth,feature,name_a,name_b\n0,1,1.0,0.0,0.0,0.0,face_a,1.0,"
        )
    );
    let points: Value = serde_json::from_slice(&run("contacts", "contacts.json")).expect("JSON");
    assert_eq!((points.as_array().map(Vec::len), &points[3]["name_b"]), (Some(4), &"right".into()));
    // Standard output may be named, and numbers are those of the bodies where there are no names.
    let plain = file(&folder, "plain.npy", &formats::cubes_npy());
    assert_eq!(text(&tangency(&["overlaps", &plain, "--backend", "cpu", "--out", "-"]).stdout), PAIRS);
    let listed = json(&["overlaps", &scene, "--backend", "cpu", "--json"]);
    assert_eq!(listed["pairs"], serde_json::json!([[0, 1, 1, "le,ft \"1\"", "right"]]));
}

/// Each of these files is refused, with exit code 2 and a reason that has a place, and nothing is written.
fn refused(folder: &std::path::Path, cases: &[(&str, Vec<u8>, &str)]) {
    for (name, content, reason) in cases {
        let path = file(folder, name, content);
        let pairs = file(folder, "pairs.csv", b"before");
        let before = std::fs::read_dir(folder).expect("a folder").count();
        let output = tangency(&["overlaps", &path, "--backend", "cpu", "--out", &pairs]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {said}");
        assert!(
            said.contains(reason) && said.contains("tangency: error: ") && !said.contains("panicked"),
            "{name}: {said}"
        );
        assert_eq!(std::fs::read_to_string(&pairs).expect("the file"), "before", "{name}");
        assert_eq!(std::fs::read_dir(folder).expect("a folder").count(), before, "{name}: no other file");
    }
}

#[test]
fn bad_meshes_are_refused_with_their_place() {
    let (glb, stl) = (formats::glb(), formats::binary_stl());
    let cut = format!("byte {}: the file ends here; it should have", glb.len() - 9);
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("short.glb", glb[..glb.len() - 9].to_vec(), cut.as_str()),
        ("shorter.glb", glb[..10].to_vec(), "byte 10: the file ends here"),
        ("one.glb", [b"glTF\x01\x00\x00\x00", &glb[8..]].concat(), "byte 4: this is glTF 1; 2 is read"),
        ("text.gltf", b"{\n  \"asset\": }".to_vec(), "line 2: this is no JSON"),
        (
            "bufferless.gltf",
            formats::gltf("").replace("[0.5, 0.5, 0.5]", "[0.5, 0.5]").into_bytes(),
            "buffer 0 has neither a uri",
        ),
        (
            "draco.gltf",
            br#"{"asset": {"version": "2.0"}, "extensionsRequired": ["KHR_draco_mesh_compression"]}"#.to_vec(),
            "without the extension KHR_draco",
        ),
        ("faceless.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\n".to_vec(), "faceless.obj: there are no faces (3 vertices)"),
        ("far.obj", b"v 0 0 0\nf 1 2 3\n".to_vec(), "line 2: there is no vertex 2"),
        ("nan.obj", b"v 0 nan 0\n".to_vec(), "line 1: y is NaN"),
        ("huge.obj", b"v 0 1e300 0\nv 0 0 0\nv 1 1 1\nf 1 2 3\n".to_vec(), "huge: point.y is inf"),
        ("short.stl", stl[..150].to_vec(), "byte 150: the file ends here; 3 triangles need 234 bytes"),
        ("short-text.stl", formats::stl().as_bytes()[..200].to_vec(), "before the solid \"left\" does"),
    ];
    refused(&folder("bad-meshes"), &cases);
}

#[test]
fn bad_arrays_are_refused_with_their_place() {
    let floats = |numbers: &[f32]| numbers.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let nan = formats::npy("<f4", "(2, 4)", &floats(&[0.0, 0.0, 0.0, 1.0, 0.0, f32::NAN, 0.0, 1.0]));
    let nan_place = format!("byte {}: [1]: center.y is NaN", nan.len() - 16);
    let spheres = || formats::npy("<f4", "(1, 4)", &floats(&[0.0, 0.0, 0.0, 1.0]));
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("shape.npy", formats::npy("<f4", "(2, 5)", &[0; 40]), "the shape is (2, 5); 4 columns are spheres"),
        ("flat.npy", formats::npy("<f4", "(10,)", &[0; 40]), "the shape is [10]"),
        ("type.npy", formats::npy("<i8", "(1, 4)", &[0; 32]), "its type must be f4 or f8"),
        ("object.npy", formats::npy("|O", "(1, 4)", &[0; 32]), "the type is |O"),
        ("short.npy", formats::cubes_npy()[..150].to_vec(), "byte 150: the file ends here"),
        ("nan.npy", nan.clone(), nan_place.as_str()),
        ("nan.npz", formats::npz(&[("spheres", nan)]), "spheres[1]: center.y is NaN"),
        ("short.npz", formats::cubes_npz()[..300].to_vec(), "byte 300: this is no zip archive"),
        (
            "other.npz",
            formats::npz(&[("balls", spheres())]),
            "there is no array spheres, aabbs, obbs, capsules, planes or convex_hulls; there are: balls",
        ),
        ("wide.npz", formats::npz(&[("aabbs", spheres())]), "aabbs: the shape is [1, 4]; it must be (bodies, 6)"),
        (
            "names.npz",
            formats::npz(&[("spheres", spheres()), ("world", formats::npy("<u1", "(2,)", &[1, 2]))]),
            "there are 1 bodies, and an array",
        ),
        ("quote.csv", b"kind,cx,cy,cz,r,name\nsphere,0,0,0,1,\"a\n".to_vec(), "line 2: a quote is not closed"),
        (
            "scene.step",
            Vec::new(),
            ".step is no format that is read; these are: .csv, .npy, .npz, .obj, .stl, .dae, .gltf, .glb, .urdf",
        ),
    ];
    refused(&folder("bad-arrays"), &cases);
}

#[test]
fn bad_robots_are_refused_with_their_place() {
    let (folder, urdf) = (folder("bad-robots"), formats::urdf());
    let mesh = |name: &str| urdf.replace("<box size='1 1 1'/>", &format!("<mesh filename='{name}'/>")).into_bytes();
    file(&folder, "part.ply", b"ply\n");
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("missing.urdf", mesh("nowhere.stl"), "line 4: mesh nowhere.stl: there is no such file"),
        ("package.urdf", mesh("package://nobody/x.stl"), "there is no such file in a folder \"nobody\" at or above"),
        ("ply.urdf", mesh("part.ply"), "meshes are read from"),
        ("cut.urdf", urdf.as_bytes()[..200].to_vec(), "this is no XML"),
        ("other.urdf", b"<sdf/>".to_vec(), "line 1: the root element is \"sdf\""),
        (
            "number.urdf",
            urdf.replace("size='1 1 1'", "size='1 1 ${x}'").into_bytes(),
            "line 4: size is \"1 1 ${x}\"; it must be 3 finite numbers",
        ),
        ("negative.urdf", urdf.replace("size='1 1 1'", "size='1 -1 1'").into_bytes(), "half_extents.y is -0.5"),
        (
            "circle.urdf",
            urdf.replace("<parent link='base'/>", "<parent link='left'/>").into_bytes(),
            "its joints form a circle",
        ),
        (
            "link.urdf",
            urdf.replace("<parent link='base'/>", "<parent link='basis'/>").into_bytes(),
            "line 5: there is no link \"basis\"",
        ),
        ("cone.urdf", urdf.replace("<box size='1 1 1'/>", "<cone/>").into_bytes(), "line 4: the geometry is \"cone\""),
    ];
    refused(&folder, &cases);
}

/// Wherever a file is cut, it is read or refused, and nothing else.
#[test]
fn files_that_are_cut_do_no_harm() {
    let folder = folder("cut-files");
    for (format, content) in formats::all() {
        for k in 0..12 {
            let path = file(&folder, &format!("cut.{format}"), &content[..content.len() * k / 12]);
            let output = tangency(&["overlaps", &path, "--backend", "cpu"]);
            let said = text(&output.stderr);
            assert!(matches!(output.status.code(), Some(0 | 2)) && !said.contains("panicked"), "{format} {k}: {said}");
        }
    }
}

#[test]
fn robots_do_not_meet_themselves_where_they_are_joined() {
    let folder = folder("robots");
    // An arm of three links, each of which reaches into the next one; the third comes back to the first.
    let link = |name: &str, geometry: &str| {
        format!("<link name='{name}'><collision><geometry>{geometry}</geometry></collision></link>\n")
    };
    let joint = |parent: &str, child: &str, origin: &str| {
        format!(
            "<joint name='{child}' type='revolute'><parent link='{parent}'/><child link='{child}'/><origin {origin}/></joint>\n"
        )
    };
    let arm = [
        "<robot name='arm'>\n".to_owned(),
        link("one", "<box size='2 1 1'/>"),
        link("two", "<sphere radius='1'/>"),
        link("three", "<cylinder radius='0.5' length='4'/>"),
        joint("one", "two", "xyz='1 0 0'"),
        // Turned about x, so that the cylinder lies along y, and about z, so that it lies along x.
        joint("two", "three", "xyz='0 0 0.75' rpy='1.5707963267948966 0 1.5707963267948966'"),
        "</robot>\n".to_owned(),
    ]
    .concat();
    let path = file(&folder, "arm.urdf", arm.as_bytes());
    let output = tangency(&["overlaps", &path, "--backend", "cpu"]);
    // The box around the cylinder reaches from z = 0.25 to 1.25, and the box of the first link to 0.5.
    assert_eq!(text(&output.stdout), "a,b,relation,name_a,name_b\n0,2,2,one,three\n", "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("bounding boxes: candidates (1 of 3 bodies"), "{}", text(&output.stderr));
    let alone = tangency(&["overlaps", &path, "--no-self", "--backend", "cpu"]);
    assert_eq!(text(&alone.stdout), "a,b,relation,name_a,name_b\n");
    // Two robots meet each other, in one scene and in two.
    let pairs = |args: &[&str]| {
        let output = tangency(&[&["overlaps", "--no-self", "--backend", "cpu"], args].concat());
        text(&output.stdout)
            .lines()
            .skip(1)
            .map(|line| line.split(',').take(2).collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
    };
    assert_eq!(pairs(&[&path, &path]), ["0 3", "0 4", "0 5", "1 3", "1 4", "1 5", "2 3", "2 4", "2 5"]);
    assert_eq!(pairs(&[&path, "--with", &path]).len(), 9);
    let cubes = file(&folder, "cubes.csv", formats::csv().as_bytes());
    assert!(error(&["overlaps", &cubes, "--no-self"]).contains("--no-self is about robots"));
    // Meshes beside the robot, by package, and scaled; the first cube is at 0 to 1, and 0 to 2 when it is twice as large.
    std::fs::create_dir_all(folder.join("kit/robots/deep")).expect("a folder");
    std::fs::create_dir_all(folder.join("kit/meshes")).expect("a folder");
    std::fs::write(folder.join("kit/meshes/cube.stl"), formats::binary_stl()).expect("a file");
    for (name, place) in [
        ("package://kit/meshes/cube.stl", "kit/robots/deep/a.urdf"),
        ("../../meshes/cube.stl", "kit/robots/deep/b.urdf"),
        ("package://kit/meshes/cube.stl", "outside.urdf"),
    ] {
        let robot =
            format!("<robot name='r'>\n{}</robot>", link("l", &format!("<mesh filename='{name}' scale='2 2 2'/>")));
        let path = file(&folder, place, robot.as_bytes());
        let output = tangency(&["overlaps", &cubes, "--with", &path, "--backend", "cpu"]);
        assert_eq!(
            text(&output.stdout),
            "a,b,relation,name_a,name_b\n0,0,2,left,l\n1,0,2,right,l\n",
            "{place}: {}",
            text(&output.stderr)
        );
    }
}

#[test]
fn what_f32_cannot_hold_is_told_and_an_origin_keeps_it() {
    let folder = folder("origins");
    // 0.002 apart, which f32 cannot see at 500000; and one 10 away.
    let content = "kind,cx,cy,cz,r\nsphere,500000.123,0,0,0.25\nsphere,500000.625,0,0,0.25\nsphere,500010.5,0,0,0.25\n";
    let scene = file(&folder, "far.csv", content.as_bytes());
    let rounded = tangency(&["overlaps", &scene, "--backend", "cpu"]);
    let said = text(&rounded.stderr);
    assert_eq!(text(&rounded.stdout), "a,b,relation\n0,1,1\n", "500000.123 is rounded to 500000.125");
    assert!(
        said.contains("warning: f32 cannot hold 1 of the positions") && said.contains("2.000e-3, of 500000.123"),
        "{said}"
    );
    assert!(said.contains("far.csv, line 2, cx"), "{said}");
    let summary = json(&["overlaps", &scene, "--backend", "cpu", "--json"]);
    assert_eq!((&summary["rounding"]["count"], &summary["rounding"]["value"]), (&1.into(), &500_000.123.into()));
    for origin in ["auto", "500000,0,0", "499999.5,-1,0"] {
        let output = tangency(&["overlaps", &scene, "--backend", "cpu", "--origin", origin]);
        let said = text(&output.stderr);
        assert_eq!(text(&output.stdout), "a,b,relation\n", "{origin}");
        assert!(!said.contains("warning") && said.contains("all coordinates are relative to"), "{origin}: {said}");
    }
    let summary = json(&["overlaps", &scene, "--with", &scene, "--backend", "cpu", "--origin", "auto", "--json"]);
    assert_eq!((&summary["origin"], &summary["hits"]), (&serde_json::json!([500_000.0, 0.0, 0.0]), &3.into()));
    // In f64 of an array, and in meshes.
    let row = [500_000.123_f64, 0.0, 0.0, 0.25].iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let array = file(&folder, "far.npy", &formats::npy("<f8", "(1, 4)", &row));
    assert!(text(&tangency(&["overlaps", &array, "--backend", "cpu"]).stderr).contains("2.000e-3, of 500000.123"));
    let mesh = file(&folder, "far.obj", b"v 500000.123 0 0\nv 500000.5 0 0\nv 500000.5 1 0\nf 1 2 3\n");
    assert!(text(&tangency(&["overlaps", &mesh, "--backend", "cpu"]).stderr).contains("2.000e-3, of 500000.123 (far)"));
    assert!(!text(&tangency(&["overlaps", &mesh, "--origin", "auto"]).stderr).contains("warning"));
    // Numbers that f32 holds to the last digit that is written are no reason to warn.
    let near = file(&folder, "near.csv", b"kind,cx,cy,cz,r\nsphere,0.1,500000.12,-3.3e-7,0.25\n");
    assert!(!text(&tangency(&["overlaps", &near, "--backend", "cpu"]).stderr).contains("warning"));
    assert!(error(&["overlaps", &near, "--origin", "here"]).contains("give three numbers"));
}

/// Boxes around meshes meet where their hulls do not.
#[test]
fn meshes_become_hulls() {
    let folder = folder("hulls");
    let corner = b"o corner\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n";
    let mesh = file(&folder, "corner.obj", corner);
    let robot = file(
        &folder,
        "corner.urdf",
        b"<robot name='r'><link name='corner'><collision><geometry><mesh filename='corner.obj'/></geometry></collision></link></robot>",
    );
    let balls = file(&folder, "balls.csv", b"kind,cx,cy,cz,r\nsphere,0.9,0.9,0.9,0.05\nsphere,0.25,0.25,0.25,0.05\n");
    for path in [mesh, robot] {
        for (option, hits) in [(None, "0,1,2\n0,2,2\n"), (Some("--hulls"), "0,2,2\n")] {
            let arguments: Vec<&str> =
                ["overlaps", &path, &balls, "--backend", "cpu"].into_iter().chain(option).collect();
            let output = tangency(&arguments);
            let said = text(&output.stderr);
            let found: String = text(&output.stdout)
                .lines()
                .skip(1)
                .map(|line| line.split(',').take(3).collect::<Vec<_>>().join(",") + "\n")
                .collect();
            assert_eq!(found, hits, "{path} {option:?}: {said}");
            let note = if option.is_some() { "convex hulls" } else { "bounding boxes" };
            assert!(said.contains(&format!("{note}: candidates (1 of 3 bodies")), "{said}");
        }
    }
}
