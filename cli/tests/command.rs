//! The command as people and scripts meet it.

#[path = "command/capsules.rs"]
mod capsules;
#[path = "command/contacts.rs"]
mod contacts;
#[path = "command/files.rs"]
mod files;
#[path = "command/formats.rs"]
mod formats;
#[path = "command/hulls.rs"]
mod hulls;
#[path = "command/kinds.rs"]
mod kinds;
#[path = "command/manners.rs"]
mod manners;
#[path = "command/near.rs"]
mod near;
#[path = "command/planes.rs"]
mod planes;
#[path = "command/report.rs"]
mod report;
#[path = "command/soak.rs"]
mod soak;

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::Instant;

use serde_json::Value;

fn tangency(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tangency")).args(args).stdin(Stdio::null()).output().expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

fn json(args: &[&str]) -> Value {
    let output = tangency(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON on standard output")
}

/// What the command says when it fails; it must do so without a panic.
fn error(args: &[&str]) -> String {
    let output = tangency(args);
    let message = text(&output.stderr);
    assert!(!output.status.success() && !message.contains("panicked"), "{args:?}: {message}");
    message
}

/// Whether there is time for everything.
fn is_long() -> bool {
    std::env::var("TANGENCY_TEST_LONG").is_ok_and(|value| value == "1")
}

/// A folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

fn written(name: &str, content: &str) -> String {
    let path = folder(name).join("scene.csv");
    std::fs::write(&path, content).expect("a file");
    path.display().to_string()
}

const HEADER: &str = "kind,cx,cy,cz,ex,ey,ez,qx,qy,qz,qw,r,layer,mask,group,world,static";

#[test]
fn compare_gives_the_known_answer() {
    // One adapter, unless there is time to compile for all.
    let adapter = adapter().filter(|_| !is_long());
    let chosen = adapter.iter().flat_map(|adapter| ["--adapter", adapter.as_str()]);
    let args: Vec<&str> = ["compare", "--bodies", "10000", "--json"].into_iter().chain(chosen).collect();
    let output = tangency(&args);
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON on standard output");
    // With a GPU there is something to compare the CPU with.
    let gpu = answer["compared"].as_array().is_some_and(|compared| !compared.is_empty());
    let expected = if gpu { (Some(0), Value::Bool(true)) } else { (Some(3), Value::Null) };
    assert_eq!((output.status.code(), answer["identical"].clone()), expected, "{}", text(&output.stderr));
    assert!(gpu || std::env::var_os("TANGENCY_REQUIRE_GPU").is_none(), "a GPU is required: {answer}");
    let rows = answer["rows"].as_array().expect("rows");
    assert!(rows.iter().any(|row| row["backend"] == "cpu"));
    for row in rows {
        assert_eq!((&row["hits"], &row["hash"]), (&Value::from(12_960), &Value::from("f4de160d63922e2a")));
        assert_eq!(row["fingerprint"], "1605373864cc8d50");
    }
    // Another scene, without the time that shaders take to compile.
    let output = tangency(&["compare", "--bodies", "2000", "--scene", "stacks", "--threads", "2", "--backend", "cpu"]);
    let table = text(&output.stdout);
    assert!(
        output.status.success()
            && table.contains("all answers are identical: brute-force (1 thread), cpu (1 thread), cpu (2 threads)"),
        "{table}"
    );
}

/// Nothing that was not compared may look as if it had been.
#[test]
fn one_backend_alone_is_no_comparison() {
    for args in [&["--threads", "1"][..], &["--threads", "2"], &[]] {
        let args = [&["compare", "--bodies", "6000", "--backend", "cpu"], args].concat();
        let output = tangency(&args);
        let (table, message) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(3), "{args:?}: {table}{message}");
        assert!(!table.contains("identical") && table.contains("no second backend to compare with"), "{table}");
        assert!(message.contains("nothing was compared"), "{message}");
        let output = tangency(&[&args[..], &["--json"]].concat());
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON on standard output");
        assert_eq!((output.status.code(), &answer["identical"]), (Some(3), &Value::Null), "{answer}");
    }
    let brute = tangency(&["compare", "--bodies", "500", "--backend", "cpu", "--threads", "1"]);
    assert_eq!(brute.status.code(), Some(0), "{}", text(&brute.stdout));
    assert!(text(&brute.stdout).ends_with("all answers are identical: brute-force (1 thread), cpu (1 thread)\n"));
    let soak = tangency(&["soak", "--scenes", "0"]);
    assert_eq!(soak.status.code(), Some(3), "{}", text(&soak.stdout));
}

/// The command on a machine without any adapter: neither Vulkan nor EGL finds a driver.
#[cfg(target_os = "linux")]
fn without_adapters(args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tangency"));
    for name in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES", "__EGL_VENDOR_LIBRARY_FILENAMES"] {
        command.env(name, "/no/such/driver.json");
    }
    let output = command.args(args).stdin(Stdio::null()).output().expect("the command runs");
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_gpu_nobody_is_told_otherwise() {
    const HOW: &str = "apt-get install mesa-vulkan-drivers libvulkan1";
    let (code, adapters, _) = without_adapters(&["doctor"]);
    assert!(code == Some(0) && adapters.contains("adapters: none found"), "{adapters}");
    for backend in ["auto", "all"] {
        let (code, table, _) = without_adapters(&["compare", "--bodies", "6000", "--backend", backend]);
        assert_eq!(code, Some(3), "{table}");
        let line = table.lines().find(|line| line.starts_with("not run: gpu: "));
        assert!(line.is_some_and(|line| line.contains(HOW)) && !table.contains("identical"), "{table}");
    }
    let scene = written("no-gpu", &format!("{HEADER}\nsphere,0,0,0,,,,,,,,1,,,,,\n"));
    let unit = "00000000,00000000,00000000,3f800000,3f800000,3f800000";
    let pairs = written("no-gpu-pairs", &format!("{unit},{unit}\n"));
    // So few bodies brute force compares, and it is said what was compared with what.
    let (code, found, message) = without_adapters(&["overlaps", &scene, "--backend", "all"]);
    assert_eq!((code, found.as_str()), (Some(0), "a,b,relation\n"), "{message}");
    assert!(message.contains("identical: brute-force (1 thread), cpu ("), "{message}");
    // The answer is given all the same.
    let (code, found, message) = without_adapters(&["pairs", &pairs, "--kind", "aabb_aabb", "--backend", "all"]);
    assert_eq!((code, found.as_str()), (Some(3), "2\n"), "{message}");
    for (number, command) in (0..).zip([
        &["compare", "--bodies", "100"][..],
        &["doctor"],
        &["doctor", "--share"],
        &["soak", "--scenes", "1"],
        &["overlaps", &scene],
        &["pairs", &pairs, "--kind", "aabb_aabb"],
        &["bench", "--bodies", "100"],
    ]) {
        // One of them for each, unless there is time.
        for (k, backend) in ["auto", "gpu", "all"].into_iter().enumerate() {
            if !is_long() && k != number % 3 {
                continue;
            }
            let (code, _, message) = without_adapters(&[command, &["--require-gpu", "--backend", backend]].concat());
            let said = message.contains("--require-gpu: no GPU can answer") && message.contains(HOW);
            assert!(code == Some(3) && said, "{command:?} {backend}: {code:?} {message}");
        }
    }
    let (code, _, message) = without_adapters(&["compare", "--backend", "gpu"]);
    assert!(code == Some(2) && message.contains(HOW), "{message}");
    // Brute force is something to compare with, and the summary says that it was only that.
    for command in ["soak", "doctor"] {
        let scenes = if command == "soak" { &["--scenes", "2", "--most", "300"][..] } else { &[] };
        let (code, said, _) = without_adapters(&[&[command, "--backend", "all"], scenes].concat());
        let told = said.contains("against brute-force") && said.contains("gpu: no adapter was found");
        assert!(code == Some(0) && told && !said.contains("on gpu"), "{said}");
    }
}

/// What `doctor` says, which takes a while.
fn doctor() -> &'static Value {
    static ANSWER: OnceLock<Value> = OnceLock::new();
    ANSWER.get_or_init(|| json(&["doctor", "--json"]))
}

/// An adapter that compiles quickly, as `--adapter` takes it.
fn adapter() -> Option<String> {
    let adapters = tangency::adapters();
    let found = adapters.iter().find(|adapter| adapter.compute && adapter.backend != "gl");
    assert!(found.is_some() || std::env::var_os("TANGENCY_REQUIRE_GPU").is_none(), "a GPU is required: {adapters:?}");
    found.map(|adapter| adapter.index.to_string())
}

/// What a command says as JSON when it compares the CPU, and a GPU where there is one, with brute force.
fn on_all_engines(command: &[&str]) -> Value {
    let mut given = [command, &["--json", "--backend"]].concat();
    let adapter = adapter();
    match &adapter {
        Some(adapter) => given.extend(["all", "--adapter", adapter]),
        None => given.push("cpu"),
    }
    json(&given)
}

#[test]
fn a_gpu_that_is_there_is_the_one_that_is_checked() {
    let Some(adapter) = adapter() else { return };
    let index: usize = adapter.parse().expect("an index");
    let name = Value::from(tangency::adapters()[index].name.clone());
    // An adapter that was asked for answers everything, also where the backend is not named and there is one body.
    let scene = written("asked-for", &format!("{HEADER}\nsphere,0,0,0,,,,,,,,1,,,,,\n"));
    let found = json(&["overlaps", &scene, "--adapter", &adapter, "--json"]);
    assert_eq!((&found["backend"], &found["adapter"]), (&Value::from("gpu"), &name), "{found}");
    // Each self-test takes a while, because a GPU compiles for it.
    if !is_long() {
        return;
    }
    let chosen = json(&["doctor", "--backend", "all", "--adapter", &adapter, "--require-gpu", "--json"]);
    let engines = chosen["self_test"]["engines"].as_array().expect("engines");
    assert!(engines.len() == 2 && engines.iter().all(|engine| engine["passed"] == true), "{chosen}");
    let known = (&chosen["cpu_up_to"], &chosen["adapters"][index]["name"], &chosen["chosen"]);
    assert_eq!(known, (&Value::from(0), &name, &name));
    // One line for the table, with as many cells as its header has.
    let output = tangency(&["doctor", "--share", "--adapter", &adapter]);
    let (code, row) = (output.status.code(), text(&output.stdout));
    assert!(code == Some(0) && row.lines().count() == 1, "{row}{}", text(&output.stderr));
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md")).expect("README.md");
    let header = readme.lines().find(|line| line.starts_with("| adapter ")).expect("a table of adapters");
    assert_eq!(row.matches(" | ").count(), header.matches(" | ").count(), "{row}{header}");
    let tail = format!("| 11 of 11 scenes identical | {} |\n", env!("CARGO_PKG_VERSION"));
    assert!(row.starts_with("| ") && row.ends_with(&tail), "{row}");
}

#[test]
fn options_that_make_no_sense_exit_with_2() {
    let code = |args: &[&str]| (tangency(args).status.code(), error(args));
    let (exit, message) = code(&["compare", "--backend", "cpu", "--require-gpu"]);
    assert!(exit == Some(2) && message.contains("--require-gpu does not go with --backend cpu"), "{message}");
    for adapter in ["0", "999", "vulkan:llvmpipe"] {
        for command in ["compare", "doctor", "bench"] {
            let (exit, message) = code(&[command, "--backend", "cpu", "--adapter", adapter]);
            assert!(exit == Some(2) && message.contains("--adapter does not go with --backend cpu"), "{message}");
        }
    }
    let (exit, message) = code(&["compare", "--adapter", "999", "--bodies", "10"]);
    assert!(exit == Some(2) && message.contains("there is no such adapter"), "{message}");
    for threads in ["0", "1025", "65000", "100000"] {
        let (exit, message) = code(&["compare", "--threads", threads]);
        assert!(exit == Some(2) && message.contains(threads) && message.contains("1024"), "{message}");
    }
    let help = text(&tangency(&["--help"]).stdout) + &text(&tangency(&["soak", "--help"]).stdout);
    assert_eq!(help.matches("Exit codes:").count(), 2, "{help}");
    assert_eq!(help.matches("  3    nothing was compared").count(), 2, "{help}");
}

/// A row is printed when it is there, not when all are.
#[test]
fn compare_prints_each_row_when_it_is_there() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tangency"))
        .args(["compare", "--bodies", "3000", "--backend", "cpu", "--threads", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command runs");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    assert!(lines.next().is_some_and(|line| line.starts_with("uniform, 3,000 bodies")));
    assert!(lines.next().is_some_and(|line| line.starts_with("backend")));
    let start = Instant::now();
    let row = lines.next().expect("brute force");
    let waited = start.elapsed().as_secs_f64() * 1e3;
    let took: f64 = row.split_whitespace().nth(3).and_then(|cell| cell.parse().ok()).expect("a time");
    assert!(row.starts_with("brute-force") && waited > took / 2.0, "{waited} ms after the header: {row}");
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn doctor_lists_adapters_and_passes_its_own_test() {
    let answer = doctor();
    assert!(answer["chosen"].is_string() && answer["why"].is_string());
    assert_eq!(answer["self_test"]["passed"], true);
    // What an engine that was chosen automatically leaves to the CPU: all of it without a GPU.
    let left = answer["cpu_up_to"].as_u64();
    assert_eq!(left, (answer["chosen"] != "cpu").then_some(4096), "{answer}");
    for (index, adapter) in answer["adapters"].as_array().expect("a list").iter().enumerate() {
        assert_eq!(adapter["index"], index);
        assert!(adapter["name"].is_string() && adapter["backend"].is_string() && adapter["driver"].is_string());
        assert!(adapter["limits"]["max_buffer_size"].as_u64().is_some_and(|size| size > 0));
    }
    assert!(error(&["doctor", "--adapter", "999"]).contains("no such adapter"));
    assert!(error(&["doctor", "--adapter", "llvmpipe"]).contains("give an index or BACKEND:PART"));
}

#[test]
fn scenes_read_back_to_the_same_bits() {
    let folder = folder("round-trip");
    for (scene, hits, hash, fingerprint) in [
        ("uniform", 26_266, "4df4bc4d8bc33094", "1b13ba4c472cb5d0"),
        ("city", 28_520, "ff66487d81b9f5b1", "0b40c14c0e51e628"),
        ("mixed", 9471, "0ceaae9a57b222d2", "05e900ea43a53c64"),
        ("worlds", 20_704, "ea13ee4c594ebda6", "c3a35b480aafdd4c"),
    ] {
        let file = folder.join(format!("{scene}.csv")).display().to_string();
        assert!(tangency(&["scene", scene, "--bodies", "20000", "--out", &file]).status.success());
        let pairs = folder.join("pairs.csv").display().to_string();
        let answer = json(&["overlaps", &file, "--json", "--out", &pairs]);
        assert_eq!((&answer["hits"], &answer["hash"]), (&Value::from(hits), &Value::from(hash)), "{scene}");
        assert_eq!(answer["fingerprint"], fingerprint, "{scene}");
        let lines = std::fs::read_to_string(&pairs).expect("pairs");
        assert_eq!(lines.lines().next(), Some("a,b,relation"));
        assert_eq!(lines.lines().count(), hits + 1);
    }
    let left: Vec<_> =
        std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(left.len(), 5, "nothing but what was asked for: {left:?}");
}

#[test]
fn overlaps_prints_pairs_and_obeys_its_options() {
    let scene = written(
        "small",
        &format!(
            "{HEADER}\nsphere,0,0,0,,,,,,,,1,,,,,\naabb,1,-1,-1,2,1,1,,,,,,,,,,\nobb,1.5,0,0,1,1,1,0,0,0,1,,1,4294967295,0,0,0\n"
        ),
    );
    let plain = tangency(&["overlaps", &scene]);
    assert_eq!(text(&plain.stdout), "a,b,relation\n0,1,1\n0,2,2\n1,2,2\n");
    // One adapter, unless there is time to compile for all.
    let adapter = adapter().filter(|_| !is_long());
    let chosen = adapter.iter().flat_map(|adapter| ["--adapter", adapter.as_str()]);
    let all = ["overlaps", &scene, "--overlapping-only", "--backend", "all"];
    let only = tangency(&all.into_iter().chain(chosen).collect::<Vec<_>>());
    assert_eq!(text(&only.stdout), "a,b,relation\n0,2,2\n1,2,2\n");
    let between = tangency(&["overlaps", &scene, "--with", &scene]);
    assert_eq!(text(&between.stdout).lines().count(), 10);
    let apart = written("apart", "kind,cx,cy,cz,r\nsphere,0,0,0,1\nsphere,5,0,0,1\n");
    // (Each time, a GPU compiles for a while.)
    let backend = if is_long() { "all" } else { "cpu" };
    for (margin, pairs) in [("3", "0,1,1\n"), ("2.9", ""), ("3.1", "0,1,2\n")] {
        let within = tangency(&["overlaps", &apart, "--margin", margin, "--backend", backend]);
        assert_eq!(text(&within.stdout), format!("a,b,relation\n{pairs}"), "{margin}");
    }
    assert!(error(&["overlaps", &apart, "--margin=-1"]).contains("margin is -1"));
    // Margins of bodies are added to it, and count only with it.
    let margins =
        written("margins", "kind,cx,cy,cz,r,margin\nsphere,0,0,0,1,1.25\nsphere,5,0,0,1,0.75\nsphere,99,0,0,1,\n");
    for (options, pairs) in [(&["--margin", "1"][..], "0,1,1\n"), (&["--margin", "0"], ""), (&[], "")] {
        let found = tangency(&[&["overlaps", &margins, "--backend", backend], options].concat());
        assert_eq!(text(&found.stdout), format!("a,b,relation\n{pairs}"), "{options:?}");
    }
    let bad = written("bad_margin", "kind,cx,cy,cz,r,margin\nsphere,0,0,0,1,-1\n");
    assert!(error(&["overlaps", &bad]).contains("line 2") && error(&["overlaps", &bad]).contains("margin is -1"));
    let listed = json(&["overlaps", &scene, "--json"]);
    assert_eq!(listed["pairs"], serde_json::json!([[0, 1, 1], [0, 2, 2], [1, 2, 2]]));
    // Columns in another order, and only those that are needed.
    let short = written("short", "r,kind,cz,cy,cx,static\n1,sphere,0,0,0,1\n1,sphere,0,0,1,1\n1,sphere,0,0,2,0\n\n");
    assert_eq!(text(&tangency(&["overlaps", &short]).stdout), "a,b,relation\n0,2,1\n1,2,2\n");
}

#[test]
fn pairs_decides_every_public_vector() {
    for kind in ["obb_obb", "sphere_obb", "aabb_obb", "sphere_sphere", "sphere_aabb"] {
        let file = format!("{}/../tests/data/{kind}.csv", env!("CARGO_MANIFEST_DIR"));
        let output = tangency(&["pairs", &file, "--kind", kind]);
        let rows = std::fs::read_to_string(&file).expect("vectors");
        let expected: Vec<&str> = rows.lines().filter_map(|line| line.rsplit(',').next()).collect();
        let found = text(&output.stdout);
        assert!(output.status.success() && found.lines().eq(expected), "{kind}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("rows compared, 0 wrong"));
    }
}

#[test]
fn pairs_takes_lines_with_and_without_family_and_answer() {
    let unit = "00000000,00000000,00000000,3f800000,3f800000,3f800000";
    let lines = format!("{unit},{unit}\nmine,{unit},{unit}\n{unit},{unit},2\nmine,{unit},{unit},2\n");
    let file = written("pairs", &lines);
    let output = tangency(&["pairs", &file, "--kind", "aabb_aabb"]);
    assert_eq!(text(&output.stdout), "2\n2\n2\n2\n");
    // Some graphics drivers have something to say before.
    assert!(text(&output.stderr).ends_with("2 rows compared, 0 wrong\n"));
    let file = written("pairs-wrong", &format!("mine,{unit},{unit},1\n"));
    let output = tangency(&["pairs", &file, "--kind", "aabb_aabb"]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), "2\n".to_owned()));
    assert!(text(&output.stderr).contains("1 of 1 relations are wrong, the first on line 1"));
    for (name, line, reason) in [
        ("few", "00000000,3f800000".to_owned(), "line 1: 2 fields; this kind has 12 numbers"),
        ("nan", format!("{unit},7fc00000{}", &unit[8..]), "line 1: the second shape: min.x is NaN"),
        ("hex", format!("{unit},{}xyz", &unit[..unit.len() - 3]), "is no hexadecimal word of eight digits"),
        ("expected", format!("a,{unit},{unit},7"), "it must be 0, 1 or 2"),
    ] {
        let file = written(&format!("pairs-{name}"), &line);
        let message = error(&["pairs", &file, "--kind", "aabb_aabb"]);
        assert!(message.contains(reason), "{message}");
    }
}

#[test]
fn bad_scenes_are_refused_with_their_line() {
    for (name, content, reason) in [
        ("empty", String::new(), "line 1: the file is empty"),
        ("no-header", "sphere,0,0,0,,,,,,,,1,,,,,\n".to_owned(), "line 1: unknown column \"sphere\""),
        ("column", format!("{HEADER},mass\n"), "line 1: unknown column \"mass\""),
        ("twice", "kind,kind\n".to_owned(), "line 1: column \"kind\" stands there twice"),
        ("kind", format!("{HEADER}\ncone,0,0,0,,,,,,,,1,,,,,\n"), "line 2: kind is \"cone\""),
        ("fields", format!("{HEADER}\nsphere,0,0,0\n"), "line 2: 4 fields; the header has 17"),
        ("nan", format!("{HEADER}\nsphere,0,nan,0,,,,,,,,1,,,,,\n"), "line 2: center.y is NaN"),
        ("inf", format!("{HEADER}\nsphere,0,1e39,0,,,,,,,,1,,,,,\n"), "line 2: center.y is inf"),
        ("word", format!("{HEADER}\n\nsphere,0,x,0,,,,,,,,1,,,,,\n"), "line 3: cy is \"x\", which is no number"),
        ("missing", format!("{HEADER}\nsphere,0,0,0,,,,,,,,,,,,,\n"), "line 2: r is empty"),
        ("extra", format!("{HEADER}\nsphere,0,0,0,1,,,,,,,1,,,,,\n"), "line 2: ex is \"1\", but this kind has no ex"),
        ("negative", format!("{HEADER}\nsphere,0,0,0,,,,,,,,-1,,,,,\n"), "line 2: radius is -1"),
        ("reversed", format!("{HEADER}\naabb,1,0,0,0,1,1,,,,,,,,,,\n"), "line 2: min.x is 1, which is above max.x = 0"),
        ("rotation", format!("{HEADER}\nobb,0,0,0,1,1,1,0,0,0,0,,,,,,\n"), "line 2: rotation is (0, 0, 0, 0)"),
        ("layer", format!("{HEADER}\nsphere,0,0,0,,,,,,,,1,-1,,,,\n"), "line 2: layer is \"-1\""),
        ("static", format!("{HEADER}\nsphere,0,0,0,,,,,,,,1,,,,,yes\n"), "line 2: static is \"yes\""),
    ] {
        let message = error(&["overlaps", &written(name, &content)]);
        assert!(message.contains(reason), "{name}: {message}");
    }
    assert!(error(&["overlaps", "no-such-file.csv"]).contains("cannot read no-such-file.csv"));
    assert!(error(&["overlaps", env!("CARGO_TARGET_TMPDIR")]).contains("cannot read"), "a folder");
    let binary = folder("binary").join("scene.csv");
    std::fs::write(&binary, [0xff, 0xfe, 0x00]).expect("a file");
    assert!(error(&["overlaps", &binary.display().to_string()]).contains("line 1: this is not text"));
    assert!(error(&["scene", "nebula", "--bodies", "3", "--out", "x.csv"]).contains("[possible values: uniform, "));
    assert!(error(&["compare", "--seed", "many"]).contains("a seed is a number"));
    assert!(error(&["compare", "--adapter", "999", "--bodies", "10"]).contains("there is no such adapter"));
}

#[test]
fn no_half_written_file_is_left() {
    let folder = folder("unwritable");
    let inside = folder.join("missing").join("scene.csv").display().to_string();
    assert!(error(&["scene", "uniform", "--bodies", "10", "--out", &inside]).contains("cannot write"));
    // A scene that cannot be read leaves an existing result as it was.
    let pairs = folder.join("pairs.csv");
    std::fs::write(&pairs, "before").expect("a file");
    let bad = written("unwritable-scene", "kind\ncone\n");
    error(&["overlaps", &bad, "--out", &pairs.display().to_string()]);
    assert_eq!(std::fs::read_to_string(&pairs).expect("the file"), "before");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_a_closed_pipe_is_not() {
    assert!(
        error(&["scene", "uniform", "--bodies", "100", "--out", "/dev/full"])
            .contains("cannot write /dev/full: No space left")
    );
    assert!(std::fs::metadata("/dev/full").is_ok_and(|found| !found.is_file()), "the device is still there");
    let scene = folder("pipe").join("stacks.csv").display().to_string();
    assert!(tangency(&["scene", "stacks", "--bodies", "20000", "--out", &scene]).status.success());
    let mut child = Command::new(env!("CARGO_BIN_EXE_tangency"))
        .args(["overlaps", &scene])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let mut first = [0; 12];
    child.stdout.take().expect("a pipe").read_exact(&mut first).expect("the header");
    let output = child.wait_with_output().expect("it ends");
    // It ends as a command does that SIGPIPE ends, and says nothing about it.
    let message = text(&output.stderr);
    assert_eq!((&first, output.status.code()), (b"a,b,relation", Some(141)), "{message}");
    assert!(!message.contains("tangency: "), "{message}");
}
