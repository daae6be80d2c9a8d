//! `tangency contacts`.

use super::*;
use tangency::scenes::Scene;
use tangency::{BackendKind, Engine, Manifold};

const COLUMNS: &str = "a,b,nx,ny,nz,depth,kind,px,py,pz,pdepth,feature";

/// Two balls of which each reaches half a unit into the other, a small box that has sunk by a quarter into a large one, and a cube beside that.
fn known(folder: &str) -> String {
    written(
        folder,
        "kind,cx,cy,cz,ex,ey,ez,qx,qy,qz,qw,r\n\
         sphere,0,0,0,,,,,,,,1\n\
         sphere,1.5,0,0,,,,,,,,1\n\
         aabb,0,10,0,4,11,4,,,,,\n\
         aabb,1,10.75,1,2,11.75,2,,,,,\n\
         obb,4.5,10.5,0.5,0.5,0.5,0.5,0,0,0,1,\n",
    )
}

/// The cells of each line after the header.
fn lines(text: &str) -> Vec<Vec<String>> {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(COLUMNS));
    lines.map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

fn number(cell: &str) -> f32 {
    cell.parse().expect("a number")
}

#[test]
fn contacts_are_those_of_a_known_scene() {
    let output = tangency(&["contacts", &known("contacts-known")]);
    let found = lines(&text(&output.stdout));
    assert!(text(&output.stderr).contains("3 contacts with 9 points of 5 bodies in "), "{}", text(&output.stderr));
    // The balls: the normal is a unit vector up to rounding, and the point lies on the second.
    let ball: Vec<f32> = [2, 5, 7, 10].map(|column| number(&found[0][column])).to_vec();
    assert!(ball.iter().zip([1.0, 0.5, 0.5, 0.5]).all(|(x, right)| (x - right).abs() < 1e-6), "{ball:?}");
    assert_eq!((&found[0][..2], found[0][6].as_str()), (&["0".to_owned(), "1".to_owned()][..], "round"));
    // The boxes: four corners each, at a depth of a quarter and of nothing, in numbers without rounding.
    let corners = |pair: [&str; 2], whole: [&str; 5]| -> Vec<[f32; 4]> {
        let of = found.iter().filter(|cells| [&cells[0], &cells[1]] == pair);
        let mut points: Vec<_> = of
            .map(|cells| {
                assert_eq!(cells[2..7], whole, "{cells:?}");
                [7, 8, 9, 10].map(|column| number(&cells[column]))
            })
            .collect();
        points.sort_by(|p, q| p.partial_cmp(q).expect("numbers"));
        points
    };
    assert_eq!(
        corners(["2", "3"], ["0.0", "1.0", "0.0", "0.25", "face_a"]),
        [[1.0, 10.75, 1.0, 0.25], [1.0, 10.75, 2.0, 0.25], [2.0, 10.75, 1.0, 0.25], [2.0, 10.75, 2.0, 0.25]]
    );
    assert_eq!(
        corners(["2", "4"], ["1.0", "0.0", "0.0", "0.0", "face_a"]),
        [[4.0, 10.0, 0.0, 0.0], [4.0, 10.0, 1.0, 0.0], [4.0, 11.0, 0.0, 0.0], [4.0, 11.0, 1.0, 0.0]]
    );
}

#[test]
fn contacts_obey_their_options() {
    let scene = known("contacts-options");
    let pairs = |args: &[&str]| -> Vec<String> {
        let output = tangency(&[&["contacts", &scene], args].concat());
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
        lines(&text(&output.stdout)).iter().map(|cells| cells[..2].join(" ")).collect()
    };
    assert_eq!(pairs(&["--deepest-point-only"]), ["0 1", "2 3", "2 4"]);
    assert_eq!(pairs(&["--overlapping-only", "--deepest-point-only", "--backend", "cpu"]), ["0 1", "2 3"]);
    assert_eq!(pairs(&["--overlapping-only"]), ["0 1", "2 3", "2 3", "2 3", "2 3"]);
    // Each body meets itself, and each pair has both orders.
    assert_eq!(pairs(&["--with", &scene, "--deepest-point-only"]).len(), 11);
    let summary = json(&["contacts", &scene, "--json", "--backend", "cpu"]);
    assert_eq!((&summary["hits"], &summary["points"], &summary["backend"]), (&3.into(), &9.into(), &"cpu".into()));
    assert_eq!(summary["computed_on_host"], 3);
    let second = &summary["contacts"][1];
    assert_eq!((&second["a"], &second["b"], &second["kind"]), (&2.into(), &3.into(), &"face_a".into()));
    assert_eq!((&second["normal"], &second["depth"]), (&serde_json::json!([0.0, 1.0, 0.0]), &0.25.into()));
    assert_eq!(second["points"].as_array().map(Vec::len), Some(4));
    // All backends agree, and it is said which they are.
    let compared = on_all_engines(&["contacts", &scene]);
    assert_eq!(compared["fingerprint"], summary["fingerprint"]);
    assert!(compared["compared"][0].as_str().is_some_and(|name| name.starts_with("brute-force")), "{compared}");
    // With a file, the summary does not repeat it.
    let file = folder("contacts-out").join("contacts.csv").display().to_string();
    let short = json(&["contacts", &scene, "--json", "--out", &file]);
    assert!(short["contacts"].is_null() && short["hits"] == 3, "{short}");
    assert_eq!(lines(&std::fs::read_to_string(&file).expect("a file")).len(), 9);
}

/// The bits of a contact: pair, normal and depth; of each point: position, depth and feature.
fn bits(manifold: &Manifold) -> Vec<Vec<u32>> {
    let whole = [manifold.normal().to_array().as_slice(), &[manifold.depth()]].concat();
    let of_point = |point: tangency::query::ContactPoint| {
        let numbers = [&whole[..], &point.on_b.to_array(), &[point.depth]].concat();
        let ids = [manifold.a(), manifold.b(), point.feature.0];
        ids.into_iter().chain(numbers.iter().map(|x| x.to_bits())).collect()
    };
    manifold.points().map(of_point).collect()
}

#[test]
fn contacts_read_back_to_the_same_bits() {
    let folder = folder("contacts-bits");
    let engine = Engine::builder().backend(BackendKind::Cpu).build().expect("an engine");
    for (kind, name) in [(Scene::Mixed, "mixed"), (Scene::City, "city")] {
        let path = |what: &str| folder.join(format!("{name}-{what}.csv")).display().to_string();
        let (scene, file) = (path("scene"), path("contacts"));
        assert!(tangency(&["scene", name, "--bodies", "3000", "--seed", "7", "--out", &scene]).status.success());
        let summary = json(&["contacts", &scene, "--json", "--out", &file]);
        let expected = engine.contacts(&kind.build(3000, 7).expect("a scene")).run().expect("contacts");
        assert_eq!(summary["fingerprint"], format!("{:016x}", expected.fingerprint()), "{name}");
        let found: Vec<Vec<u32>> = lines(&std::fs::read_to_string(&file).expect("a file"))
            .iter()
            .map(|cells| {
                let ids = [0, 1, 11].map(|column| cells[column].parse::<u32>().expect("an id"));
                let numbers = [2, 3, 4, 5, 7, 8, 9, 10].map(|column| number(&cells[column]).to_bits());
                ids.into_iter().chain(numbers).collect()
            })
            .collect();
        assert!(found.len() > 1000, "{name}: {}", found.len());
        assert_eq!(found, expected.manifolds().iter().flat_map(bits).collect::<Vec<_>>(), "{name}");
    }
    let left = std::fs::read_dir(&folder).expect("a folder").count();
    assert_eq!(left, 4, "nothing but what was asked for");
}

#[test]
fn contacts_fail_as_overlaps_do() {
    assert!(error(&["contacts", "no-such-file.csv"]).contains("cannot read no-such-file.csv"));
    let bad = written("contacts-bad", "kind\ncone\n");
    assert!(error(&["contacts", &bad]).contains("line 2: kind is \"cone\""));
    let scene = known("contacts-errors");
    assert!(error(&["contacts", &scene, "--with", &bad]).contains("line 2: kind is \"cone\""));
    let (code, message) = (
        tangency(&["contacts", &scene, "--backend", "cpu", "--require-gpu"]).status.code(),
        error(&["contacts", &scene, "--backend", "cpu", "--require-gpu"]),
    );
    assert!(code == Some(2) && message.contains("--require-gpu does not go with --backend cpu"), "{message}");
    // A scene that cannot be read leaves an existing result as it was, and a folder that is not there is named.
    let file = folder("contacts-before").join("contacts.csv");
    std::fs::write(&file, "before").expect("a file");
    error(&["contacts", &bad, "--out", &file.display().to_string()]);
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), "before");
    let nowhere = file.with_file_name("missing").join("contacts.csv").display().to_string();
    assert!(error(&["contacts", &scene, "--out", &nowhere]).contains("cannot write"));
}

#[cfg(target_os = "linux")]
#[test]
fn contacts_on_a_full_disk_are_an_error() {
    let message = error(&["contacts", &known("contacts-full"), "--out", "/dev/full"]);
    assert!(message.contains("cannot write /dev/full: No space left"), "{message}");
}

/// All rows of `compare` have the same contacts, whose fingerprint is known.
#[test]
fn compare_and_bench_have_rows_of_contacts() {
    let answer = json(&["compare", "--bodies", "300", "--backend", "cpu", "--threads", "1", "--json"]);
    let rows = answer["rows"].as_array().expect("rows");
    let bodies = Scene::Uniform.build(300, tangency::scenes::SEED).expect("a scene");
    let engine = Engine::builder().backend(BackendKind::BruteForce).build().expect("an engine");
    let expected = format!("{:016x}", engine.contacts(&bodies).run().expect("contacts").fingerprint());
    assert_eq!(rows.len(), 2, "{answer}");
    for row in rows {
        assert_eq!(
            (&row["contacts"]["fingerprint"], &row["contacts"]["count"]),
            (&expected.clone().into(), &row["hits"])
        );
    }
    let table = tangency(&["compare", "--bodies", "300", "--backend", "cpu", "--threads", "1"]);
    assert_eq!(text(&table.stdout).matches(&format!("fingerprint {expected}\n")).count(), 2, "{}", text(&table.stdout));
    let answer = json(&["bench", "--bodies", "300", "--runs", "1", "--backend", "cpu", "--json"]);
    let rows = answer["rows"].as_array().expect("rows");
    let of = |what: &str| rows.iter().find(|row| row["what"] == what).expect("a row");
    let (pairs, contacts) = (of("host to host"), of("host to host, contacts"));
    assert!(pairs["hits"] == contacts["hits"] && contacts["stages_ms"]["contacts"].is_number(), "{answer}");
}
