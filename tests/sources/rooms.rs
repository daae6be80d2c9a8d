//! The rooms of `src/`: each imports from rooms below it only, so that there is no circle, and no file holds more than one idea.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// All rooms, the lowest first: the order of ARCHITECTURE.md. A room may import from those before it.
const ROOMS: [&str; 26] = [
    "error", "relation", "hash", "clock", "memory", "crew", "parallel", "lanes", "shape", "filter", "exact", "det",
    "query", "manifold", "cast", "near", "contact", "d2", "response", "bodies", "spatial", "cpu", "gpu", "batch",
    "engine", "scenes",
];
/// What belongs to the library as a whole.
const ABOVE: [&str; 2] = ["audit", "lib"];

/// The rooms of the names that the library exports at its root.
const EXPORTS: [(&str, &[&str]); 10] = [
    ("error", &["Error", "Result"]),
    ("relation", &["Relation", "Side"]),
    ("bodies", &["Bodies", "Body", "Changes", "Points", "ShapeId", "Traits"]),
    ("gpu", &["Adapter", "AdapterLimits", "Measured", "Until", "adapters"]),
    ("manifold", &["Manifold"]),
    (
        "batch",
        &[
            "AllHits",
            "AnyHits",
            "BodyHit",
            "ByWorld",
            "Candidates",
            "Contacts",
            "Index",
            "NearestHits",
            "Overlaps",
            "PairChanges",
            "Request",
            "Stats",
        ],
    ),
    ("engine", &["BackendKind", "Builder", "Engine", "Info"]),
    ("audit", &["Audit", "ContactDifference", "Difference"]),
    ("shape", &["glam"]),
    ("gpu", &["wgpu"]),
];

/// The most lines of a file.
const LINES: usize = 500;

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The source without comments and without what is for tests only, which may use whatever it needs: the item below the attribute, but
/// nothing behind that. (Sources are formatted: the last line of an item is indented as its first.)
fn code(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = Vec::new();
    let mut of_tests: Option<usize> = None;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with("//") {
            continue;
        }
        let trimmed = trimmed.split(" // ").next().unwrap_or_default().trim_end();
        // (An expression has no mark of its own behind it: what is around it ends there.)
        if of_tests.is_some_and(|at| indent(line) < at) {
            of_tests = None;
        }
        if trimmed.starts_with("#[cfg(test)]") || trimmed.starts_with("#[cfg(all(test") {
            of_tests.get_or_insert(indent(line));
        } else if let Some(at) = of_tests {
            if indent(line) == at && trimmed.ends_with([';', ',', '}']) {
                of_tests = None;
            }
        } else {
            lines.push(trimmed);
        }
    }
    lines.join("\n")
}

/// The names that follow `crate::` in a source: in groups too, but not what is below them.
fn imported(code: &str) -> Vec<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let Some(group) = rest.strip_prefix('{') else {
            found.push(word(rest));
            continue;
        };
        let (mut depth, mut name) = (0, String::new());
        for c in group.chars() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => found.push(word(std::mem::take(&mut name).trim())),
                _ if depth == 0 => name.push(c),
                _ => {}
            }
        }
        found.push(word(name.trim()));
    }
    found.retain(|name| !name.is_empty());
    found
}

fn room_of(name: &str) -> &str {
    EXPORTS.iter().find(|(_, names)| names.contains(&name)).map_or(name, |(room, _)| room)
}

fn level(room: &str) -> Option<usize> {
    ROOMS.iter().chain(&ABOVE).position(|other| *other == room)
}

#[test]
fn imports_are_found() {
    let code = code(
        "use crate::gpu::{self, abi::{A, B}};\nuse crate::{Bodies, query::{x, y}, shape};\n// crate::cpu\nlet a = crate::det::f();",
    );
    assert_eq!(imported(&code), ["gpu", "Bodies", "query", "shape", "det"]);
    assert_eq!((room_of("Bodies"), room_of("shape")), ("bodies", "shape"));
}

#[test]
fn imports_behind_what_is_for_tests_are_found() {
    let code = code(
        r#"
#[cfg(test)]
mod tests;
use crate::near;
#[cfg(all(test, feature = "gpu"))]
#[allow(dead_code)]
pub(crate) use crate::engine::{
    Engine, // crate::engine
    Info,
};
struct Runner {
    #[cfg(test)]
    fault: Option<crate::engine::Fault>,
    device: crate::gpu::Device,
}
impl Runner {
    #[cfg(test)]
    fn broken(
        fault: crate::engine::Fault,
    ) -> Self {
        let other = match fault {
            crate::engine::Fault => crate::engine::none(),
        };
        other
    }

    fn run(&self) {
        #[cfg(test)]
        let before = if self.checked {
            crate::engine::before();
        } else {
            crate::engine::other();
        };
        crate::det::f();
        #[cfg(test)]
        {
            crate::engine::after();
        }
        crate::hash::f();
        #[cfg(test)]
        self.fault.map(crate::engine::shown)
    }
    fn last(&self) -> crate::cpu::Order {}
}
#[cfg(any(test, target_arch = "aarch64"))]
use crate::lanes;
#[cfg(test)]
mod tests {
    use crate::engine;
}
use crate::shape;
"#,
    );
    assert_eq!(imported(&code), ["near", "gpu", "det", "hash", "cpu", "lanes", "shape"], "{code}");
}

#[test]
fn no_room_imports_from_a_higher_one() {
    let source = root().join("src");
    let mut wrong: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut seen = 0;
    for path in files(&source) {
        let inside = path.strip_prefix(&source).expect("it was found there");
        let first = inside.iter().next().expect("a name").to_string_lossy();
        let room = first.trim_end_matches(".rs").to_owned();
        if inside.iter().any(|part| part == "tests" || part == "tests.rs") {
            continue;
        }
        let own = level(&room).unwrap_or_else(|| panic!("{}: the room {room} is not in the list", inside.display()));
        for name in imported(&code(&fs::read_to_string(&path).expect("a source"))) {
            seen += 1;
            let other = room_of(&name);
            let Some(level) = level(other) else { panic!("{}: of which room is {name}?", inside.display()) };
            if level > own {
                wrong.entry(inside.display().to_string()).or_default().push(format!("{name} ({other})"));
            }
        }
    }
    assert!(seen > 300, "only {seen} imports were seen");
    assert!(wrong.is_empty(), "imports from higher rooms: {wrong:#?}");
}

/// Every room is in ARCHITECTURE.md.
#[test]
fn every_room_is_described() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    for room in ROOMS {
        let (folder, file) = (format!("`src/{room}/`"), format!("`src/{room}.rs`"));
        assert!(text.contains(&folder) || text.contains(&file), "ARCHITECTURE.md does not mention {room}");
    }
}

#[test]
fn files_hold_one_idea() {
    let long: Vec<String> = ["src", "cli", "tests", "benches", "examples"]
        .iter()
        .flat_map(|folder| files(&root().join(folder)))
        .filter(|path| !path.iter().any(|part| part == "target"))
        .filter_map(|path| {
            let lines = fs::read_to_string(&path).expect("a source").lines().count();
            (lines > LINES).then(|| format!("{}: {lines} lines", path.display()))
        })
        .collect();
    assert!(long.is_empty(), "look for the second idea in {long:#?}");
}

/// Functions that are rounded differently by different systems, so that answers would not have the same bits everywhere.
const OF_THE_SYSTEM: &str =
    "sin cos tan asin acos atan atan2 sin_cos sinh cosh tanh exp exp2 exp_m1 ln ln_1p log log2 log10 powf cbrt hypot";

/// Where they may be: bodies of scenes, and rectangles that are given by an angle.
const MAY_USE_THEM: [&str; 2] = ["scenes", "d2"];

#[test]
fn answers_do_not_depend_on_functions_of_the_system() {
    let source = root().join("src");
    let mut found = Vec::new();
    for path in files(&source) {
        let inside = path.strip_prefix(&source).expect("it was found there");
        let is_free =
            inside.iter().any(|part| MAY_USE_THEM.iter().chain(&["tests", "tests.rs"]).any(|name| part == *name));
        if is_free || path.ends_with("det/cases.rs") {
            continue;
        }
        let code = code(&fs::read_to_string(&path).expect("a source"));
        for name in OF_THE_SYSTEM.split(' ').map(|name| format!(".{name}(")).chain(["from_axis_angle(".to_owned()]) {
            if code.contains(&name) {
                found.push(format!("{}: {name}…)", inside.display()));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}
