//! How the command behaves towards people, scripts and files.

use super::*;

const TOUCHING: &str = "kind,cx,cy,cz,r\nsphere,0,0,0,1\nsphere,2,0,0,1\n";
const APART: &str = "kind,cx,cy,cz,r\nsphere,0,0,0,1\nsphere,3,0,0,1\n";

fn code(args: &[&str]) -> Option<i32> {
    tangency(args).status.code()
}

fn entries(folder: &std::path::Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn exit_codes_are_those_of_the_help() {
    let (touching, apart) = (written("codes-touching", TOUCHING), written("codes-apart", APART));
    assert_eq!(code(&["overlaps", &touching]), Some(0));
    for command in ["overlaps", "contacts"] {
        assert_eq!(code(&[command, &touching, "--fail-on-hits"]), Some(4));
        assert_eq!(code(&[command, &touching, "--fail-on-hits", "--overlapping-only"]), Some(0));
        assert_eq!(code(&[command, &apart, "--fail-on-hits"]), Some(0));
        assert_eq!(code(&[command, "missing.csv", "--fail-on-hits"]), Some(2));
    }
    assert_eq!(code(&["overlaps", &touching, "--no-such-option"]), Some(2));
    // Verify: equal, an error, and nothing to compare with.
    let equal = tangency(&["verify", &touching, "--backend", "cpu"]);
    assert_eq!(equal.status.code(), Some(0), "{}", text(&equal.stderr));
    assert!(
        text(&equal.stdout)
            .starts_with("2 bodies, 1 pairs, identical with their contacts: brute-force (1 thread), cpu (")
    );
    assert_eq!(code(&["verify", "missing.csv"]), Some(2));
    let many = folder("codes-many").join("many.csv").display().to_string();
    assert_eq!(code(&["scene", "uniform", "--bodies", "6k", "--out", &many]), Some(0));
    for scene in [&many, &written("codes-empty", "kind\n")] {
        let alone = tangency(&["verify", scene, "--backend", "cpu", "--json"]);
        let summary: Value = serde_json::from_slice(&alone.stdout).expect("JSON");
        assert_eq!((alone.status.code(), &summary["identical"]), (Some(3), &Value::Null), "{summary}");
    }
    let summary = json(&["verify", &touching, "--backend", "cpu", "--json"]);
    assert_eq!((&summary["identical"], &summary["hits"], &summary["case"]), (&true.into(), &1.into(), &Value::Null));
    let help = text(&tangency(&["verify", "--help"]).stdout);
    for line in [
        "  1    an answer is wrong",
        "  2    an error",
        "  3    nothing was compared",
        "  4    there are hits",
        "  141  ",
    ] {
        assert!(help.contains(line), "{line}: {help}");
    }
}

/// With `--json`, standard output is one JSON value whatever happens.
#[test]
fn errors_are_json_too() {
    let bad = written("json-bad", "kind,cx\nsphere,0\n");
    for (args, kind, number) in [
        (&["overlaps", "missing.csv", "--json"][..], "read", 2),
        (&["overlaps", &bad, "--json"], "input", 2),
        (&["verify", &bad, "--json"], "input", 2),
        (&["overlaps", &bad, "--json", "--threads", "0"], "usage", 2),
        (&["compare", "--json", "--backend", "cpu", "--adapter", "0"], "usage", 2),
        (&["scene", "nebula", "--json"], "usage", 2),
        (&["soak", "--scenes", "many", "--json"], "usage", 2),
    ] {
        let output = tangency(args);
        let value: Value = serde_json::from_slice(&output.stdout).expect("JSON on standard output");
        let error = &value["error"];
        assert_eq!(
            (output.status.code(), &error["kind"], &error["code"]),
            (Some(number), &kind.into(), &number.into()),
            "{value}"
        );
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()));
        assert!(text(&output.stderr).contains("tangency: error: "), "people are told too");
    }
    let output = tangency(&["overlaps", &bad, "--json"]);
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&value["error"]["line"], &value["error"]["path"]), (&2.into(), &bad.as_str().into()));
    // A result that was printed stays the only value.
    let hits = tangency(&["overlaps", &written("json-hits", TOUCHING), "--json", "--fail-on-hits"]);
    let value: Value = serde_json::from_slice(&hits.stdout).expect("one JSON value");
    assert_eq!((hits.status.code(), &value["hits"]), (Some(4), &1.into()));
}

#[test]
fn output_takes_the_place_of_a_file_and_nothing_else() {
    let folder = folder("places");
    let path = |name: &str| folder.join(name).display().to_string();
    std::fs::write(folder.join("scene.csv"), TOUCHING).expect("a file");
    let message = error(&["overlaps", &path("scene.csv"), "--out", &path("scene.csv")]);
    assert!(message.contains("this is the file that is read"), "{message}");
    assert!(
        error(&["overlaps", &path("scene.csv"), "--with", &path("scene.csv"), "--out", &path("./scene.csv")])
            .contains("is read")
    );
    assert_eq!(std::fs::read_to_string(path("scene.csv")).expect("the scene"), TOUCHING);
    assert!(error(&["overlaps", &path("scene.csv"), "--out", &path("no/pairs.csv")]).contains("cannot write"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        symlink(folder.join("scene.csv"), folder.join("same.csv")).expect("a link");
        assert!(
            error(&["overlaps", &path("scene.csv"), "--out", &path("same.csv")])
                .contains("this is the file that is read")
        );
        // An existing file keeps its mode, also through a link, and the link stays one.
        std::fs::write(folder.join("pairs.csv"), "before").expect("a file");
        std::fs::set_permissions(folder.join("pairs.csv"), std::fs::Permissions::from_mode(0o640)).expect("a mode");
        symlink("pairs.csv", folder.join("link.csv")).expect("a link");
        for out in ["pairs.csv", "link.csv"] {
            std::fs::write(folder.join("pairs.csv"), "before").expect("a file");
            assert_eq!(code(&["overlaps", &path("scene.csv"), "--out", &path(out)]), Some(0));
            assert_eq!(std::fs::read_to_string(path("pairs.csv")).expect("pairs"), "a,b,relation\n0,1,1\n");
            let mode = std::fs::metadata(path("pairs.csv")).expect("pairs").permissions().mode();
            assert_eq!(mode & 0o7777, 0o640, "{out}");
        }
        assert!(std::fs::symlink_metadata(path("link.csv")).expect("a link").is_symlink());
        assert_eq!(entries(&folder), ["link.csv", "pairs.csv", "same.csv", "scene.csv"]);
    }
}

/// Whatever signal ends it while it writes, there is either the whole file or none.
#[cfg(target_os = "linux")]
#[test]
fn no_signal_leaves_a_part_of_a_file() {
    for signal in ["INT", "TERM", "HUP", "KILL"] {
        let folder = folder(&format!("signal-{signal}"));
        let out = folder.join("scene.csv").display().to_string();
        // (Whoever runs these tests in the background may have them ignore some signals, which a child would inherit.)
        let mut child = Command::new("env")
            .args(["--default-signal", env!("CARGO_BIN_EXE_tangency")])
            .args(["scene", "uniform", "--bodies", "1M", "--out", &out])
            .stderr(Stdio::null())
            .spawn()
            .expect("it runs");
        // When some of the file has been written, wherever it is.
        let start = Instant::now();
        let writing = || {
            let open = std::fs::read_dir(format!("/proc/{}/fd", child.id())).into_iter().flatten().flatten();
            open.filter_map(|entry| std::fs::metadata(entry.path()).ok())
                .any(|found| found.is_file() && found.len() > 1 << 16)
        };
        while !writing() {
            assert!(start.elapsed().as_secs() < 60, "it does not write");
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let sent = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status().expect("kill");
        assert!(sent.success(), "it has ended already");
        assert!(!child.wait().expect("it ends").success(), "{signal}");
        assert_eq!(entries(&folder), [""; 0], "{signal}");
    }
}

/// Endless input without a line end is refused before it takes much memory.
#[test]
fn a_line_without_end_is_an_error() {
    for args in [&["overlaps", "-"][..], &["pairs", "-", "--kind", "obb_obb"], &["overlaps", "-", "--format", "obj"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tangency"));
        let mut child = command
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        let mut pipe = child.stdin.take().expect("a pipe");
        let (mut taken, many) = (0, vec![b'a'; 1 << 16]);
        while taken < 1 << 26 && std::io::Write::write_all(&mut pipe, &many).is_ok() {
            taken += 1 << 16;
        }
        drop(pipe);
        let output = child.wait_with_output().expect("it ends");
        let said = text(&output.stderr);
        assert!(taken < 1 << 24, "{args:?} took {taken} bytes");
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains("standard input, line 1: the line is longer than"), "{args:?}: {said}");
    }
}

#[test]
fn standard_input_and_output_have_a_name() {
    let scene = tangency(&["scene", "stacks", "--bodies", "1k", "--out", "-"]);
    assert_eq!(text(&scene.stdout).lines().count(), 1001);
    assert!(!text(&scene.stderr).contains("tangency:"), "{}", text(&scene.stderr));
    assert!(error(&["overlaps", "-", "--with", "-"]).contains("only once"));
    assert!(error(&["scene", "stacks", "--bodies", "1k", "--out", "-", "--json"]).contains("does not go with --out -"));
    let said = text(&tangency(&["overlaps", &written("prefix", TOUCHING), "--backend", "cpu"]).stderr);
    assert!(said.lines().all(|line| line.starts_with("tangency: ")), "{said}");
}

#[test]
fn help_shows_what_there_is() {
    let help = |command: &str| text(&tangency(&[command, "--help"]).stdout);
    for command in ["scene", "compare", "bench"] {
        assert!(help(command).contains("uniform, clustered, stacks, city"), "{command}");
    }
    for option in ["--backend", "--adapter", "--threads", "--profile"] {
        assert!(!help("scene").contains(option) && !help("completions").contains(option), "{option}");
    }
    assert!(help("bench").contains("--profile") && !help("overlaps").contains("--profile"));
    for (args, reason) in [
        (&["soak", "--scenes", "1.5k"][..], "such as 10k"),
        (&["soak", "--adversarial", "--rounds", "x"], "such as 10k"),
        (&["soak", "--adversarial", "--scenes", "3"], "cannot be used with"),
        (&["bench", "--runs", "0"], "at least 1"),
        (&["bench", "--runs", "1M"], "is too many"),
        (&["compare", "--bodies", "5G"], "is too many"),
    ] {
        assert!(error(args).contains(reason), "{args:?}: {}", error(args));
    }
    assert_eq!(code(&["soak", "--scenes", "0k"]), Some(3));
}

#[test]
fn shells_complete_its_arguments() {
    for (shell, word) in
        [("bash", "complete -F _tangency"), ("zsh", "#compdef tangency"), ("fish", "complete -c tangency")]
    {
        let script = text(&tangency(&["completions", shell]).stdout);
        for expected in [word, "verify", "fail-on-hits", "granular", "urdf"] {
            assert!(script.contains(expected), "{shell}: {expected}");
        }
    }
    assert_eq!(code(&["completions", "cmd"]), Some(2));
    let script = folder("completions").join("tangency.bash");
    std::fs::write(&script, tangency(&["completions", "bash"]).stdout).expect("a file");
    if let Ok(checked) = Command::new("bash").arg("-n").arg(&script).status() {
        assert!(checked.success(), "bash does not take it");
    }
}

#[test]
fn adapters_are_found_in_any_case() {
    let Some(index) = adapter() else { return };
    let found = &doctor()["adapters"][index.parse::<usize>().expect("an index")];
    let [backend, name] = ["backend", "name"].map(|key| found[key].as_str().expect("a text"));
    let wanted = format!("{}:{}", backend.to_uppercase(), name.to_uppercase());
    let summary = json(&["overlaps", &written("any-case", TOUCHING), "--adapter", &wanted, "--json"]);
    assert_eq!((&summary["adapter"], &summary["hits"]), (&name.into(), &1.into()));
}

/// On a terminal, work of more than a second shows how far it is and how long it will take; elsewhere it shows nothing.
#[cfg(target_os = "linux")]
#[test]
fn progress_is_for_terminals() {
    let args = "bench --scene uniform,stacks,city,mixed --bodies 100 --runs 1 --backend cpu --json";
    let line = format!("'{}' {args}", env!("CARGO_BIN_EXE_tangency"));
    let mut script = Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).stdin(Stdio::null());
    // (A terminal that says nothing of itself gets no bars.)
    script.env("TERM", "xterm");
    if let Ok(shown) = script.output() {
        let shown = text(&shown.stdout);
        assert!(shown.contains(" left") && shown.contains("/s") && shown.contains("\"rows\""), "{shown:?}");
    }
    let hidden = tangency(&args.split(' ').collect::<Vec<_>>());
    assert!(hidden.status.success() && hidden.stderr.is_empty(), "{}", text(&hidden.stderr));
}
