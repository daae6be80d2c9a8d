//! The table in `docs/seeds.md` names functions and tests that exist, and every public function has an example.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// Whether the text defines the name in one of the ways that a table can mean.
fn defines(text: &str, name: &str) -> bool {
    ["fn", "struct", "enum", "trait", "const", "mod"].iter().any(|kind| {
        text.match_indices(&format!("{kind} {name}")).any(|(at, found)| {
            text[at + found.len()..].chars().next().is_none_or(|next| !next.is_alphanumeric() && next != '_')
        })
    })
}

#[test]
fn every_name_in_the_table_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = fs::read_to_string(root.join("docs/seeds.md")).unwrap();
    let library: String = sources(&root.join("src")).iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let (mut tests, mut functions) = (0, 0);
    for name in table.split('`').skip(1).step_by(2).filter(|name| name.contains("::")) {
        let (path, last) = name.rsplit_once("::").unwrap();
        let file = |folder: &str| fs::read_to_string(root.join(format!("{folder}/{path}.rs")));
        let folders =
            ["tests", "tests/exact", "tests/queries", "tests/scalar", "tests/sources", "benches/peers/tests/parry"];
        let in_tests = folders.into_iter().any(|folder| file(folder).is_ok_and(|text| defines(&text, last)));
        if in_tests {
            tests += 1;
        } else {
            assert!(defines(&library, last) || last == "Unsupported", "{name} does not exist");
            assert!(
                ["shape", "query", "d2", "response", "Engine", "Error"].contains(&name.split("::").next().unwrap())
            );
            functions += 1;
        }
    }
    assert!(tests > 150 && functions > 90, "{tests} {functions}");
    for row in 1..=25 {
        assert!(table.contains(&format!("\n| {row} |")), "row {row}");
    }
}

/// The public functions, types, traits and constants of a file whose doc comment has no example.
fn without_example(text: &str) -> Vec<&str> {
    let (mut missing, mut example) = (vec![], false);
    for line in text.lines().map(str::trim) {
        let item = ["fn", "const fn", "async fn", "struct", "enum", "trait", "const"]
            .iter()
            .any(|kind| line.strip_prefix("pub ").is_some_and(|rest| rest.starts_with(&format!("{kind} "))));
        // What keeps others from implementing a trait cannot be named, and so has no example.
        if item && !example && !line.contains("trait Sealed") {
            missing.push(line);
        }
        // Attributes stand between the comment and the item.
        example = line.starts_with("///") && (example || line.contains("```")) || line.starts_with("#[") && example;
    }
    missing
}

#[test]
fn every_public_item_has_an_example() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let folders = ["batch", "bodies", "d2", "engine", "query", "scenes", "shape"];
    let files = ["audit.rs", "error.rs", "relation.rs", "response.rs"].map(|file| source.join(file));
    for path in folders.iter().flat_map(|folder| sources(&source.join(folder))).chain(files) {
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(without_example(&text), Vec::<&str>::new(), "{path:?}");
    }
}
