//! What the tests of each kind of body do with files of it.

use std::path::Path;

use tangency::scenes::random;
use tangency::shape::Shape;
use tangency::{BackendKind, Bodies, Engine};

use super::{error, json, tangency, text, written};

pub fn file(folder: &Path, name: &str, content: &[u8]) -> String {
    let path = folder.join(name);
    std::fs::write(&path, content).expect("a file");
    path.display().to_string()
}

pub fn floats(numbers: impl IntoIterator<Item = f32>) -> Vec<u8> {
    numbers.into_iter().flat_map(f32::to_le_bytes).collect()
}

pub fn doubles(numbers: impl IntoIterator<Item = f64>) -> Vec<u8> {
    numbers.into_iter().flat_map(f64::to_le_bytes).collect()
}

/// Numbers as `tangency pairs` takes them.
pub fn words(numbers: &[f32]) -> String {
    numbers.iter().map(|x| format!("{:08x}", x.to_bits())).collect::<Vec<_>>().join(",")
}

/// The file has these pairs, without a warning, and what is left of it when its end is cut off is read or refused. Returns its path.
pub fn gives_pairs(folder: &Path, (name, content): (&str, &[u8]), pairs: &str) -> String {
    for k in 0..12 {
        let path = file(folder, &format!("cut-{name}"), &content[..content.len() * k / 12]);
        let cut = tangency(&["overlaps", &path, "--backend", "cpu"]);
        assert!(matches!(cut.status.code(), Some(0 | 2)), "{name} {k}: {}", text(&cut.stderr));
    }
    let path = file(folder, name, content);
    let output = tangency(&["overlaps", &path, "--backend", "cpu"]);
    let said = text(&output.stderr);
    assert_eq!(text(&output.stdout), pairs, "{name}: {said}");
    assert!(!said.contains("bounding boxes") && !said.contains("warning"), "{name}: {said}");
    let verified = tangency(&["verify", &path, "--backend", "cpu"]);
    assert_eq!(verified.status.code(), Some(0), "{name}: {}", text(&verified.stderr));
    path
}

/// The bodies of so many random scenes without their traits, and those of them that are wanted.
pub fn drawn(scenes: u64, most: usize, wanted: impl Fn(&Shape) -> bool) -> [Bodies; 2] {
    let [mut all, mut some] = [Bodies::new(), Bodies::new()];
    for seed in 0..scenes {
        for body in &random(seed, most).expect("a scene") {
            if wanted(&body.shape) {
                some.push(body.shape.clone()).expect("a body");
            }
            all.push(body.shape).expect("a body");
        }
    }
    [all, some]
}

/// The command has the same contacts of the file, to the bit, as the library has of the bodies in it.
pub fn reads_back(folder: &Path, (name, content): (&str, &[u8]), bodies: &Bodies, origins: &[&str]) {
    let cpu = Engine::builder().backend(BackendKind::Cpu).build().expect("an engine");
    let expected = cpu.contacts(bodies).run().expect("contacts");
    assert!(!expected.is_empty());
    let path = file(folder, name, content);
    for origin in origins {
        let answer = json(&["contacts", &path, "--backend", "cpu", "--json", "--origin", origin]);
        assert_eq!(answer["bodies"], bodies.len(), "{name}");
        assert_eq!(answer["fingerprint"], format!("{:016x}", expected.fingerprint()), "{name} {origin}");
    }
}

/// Each file is refused, and the message has the reason.
pub fn are_refused(folder: &Path, cases: Vec<(&str, Vec<u8>, &str)>) {
    for (name, content, reason) in cases {
        let message = error(&["overlaps", &file(folder, name, &content), "--backend", "cpu"]);
        assert!(message.contains(reason), "{name}: {message}");
    }
}

/// The lines of pairs, which end with the expected relations, have these relations at the end.
pub fn are_decided(kind: &str, lines: &str, relations: &str) {
    let path = written(kind, lines);
    let output = tangency(&["pairs", &path, "--kind", kind, "--backend", "cpu"]);
    assert!(text(&output.stdout).ends_with(relations), "{kind}: {}", text(&output.stderr));
    let said = format!("{} rows compared, 0 wrong\n", lines.lines().count());
    assert!(text(&output.stderr).ends_with(&said), "{kind}: {}", text(&output.stderr));
}
