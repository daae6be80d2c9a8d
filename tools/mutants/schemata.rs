//! Puts all mutants in Rust into one copy of the sources, of which one at a time is chosen when a program starts, so that one build serves all.
//!
//! A function whose body holds mutants gets a body for each besides the unbroken one, and matches on what `TANGENCY_MUTANT` says. A constant becomes a
//! static that to the compiler is another library's, so that its uses stay as they are, and its value is set before `main`. A constant of
//! an implementation becomes a function, and so does what is computed of it.
//!
//! Usage: `schemata FROM TO [NUMBER…] < LIST`: writes the sources and the tests that are below one folder to another. LIST has four fields for each mutant, each
//! ended by a zero: number, file, text and replacement. Mutants with the given numbers are left out. Prints the number of each that is left out,
//! and why; `TO/mutants.map` says on which lines of which file each of the others is.

mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Read as _;
use std::ops::Range;
use std::path::Path;

use source::{Constant, Source};

/// What the sources call to know which mutant is chosen.
const CHOSEN: &str = r#"//! Which mutant is chosen.
use std::sync::atomic::{AtomicU32, Ordering};

static CHOSEN: AtomicU32 = AtomicU32::new(u32::MAX);

#[inline(always)]
pub(crate) fn chosen() -> u32 {
    CHOSEN.load(Ordering::Relaxed)
}

/// The same, before `main`.
pub(crate) fn read() -> u32 {
    std::env::var("TANGENCY_MUTANT").map_or(u32::MAX, |number| number.parse().expect("a number"))
}

#[used]
#[unsafe(link_section = ".init_array")]
static CHOOSE: extern "C" fn() = {
    extern "C" fn choose() {
        CHOSEN.store(read(), Ordering::Relaxed);
    }
    choose
};
"#;

/// What else differs from the sources: programs run on other machines than the one that they are built on, read shaders from a folder also when they test
/// through the public interface, and can be told that there is no GPU.
const CHANGES: [(&str, &str, &str); 5] = [
    ("src/lib.rs", "//!", "#![allow(warnings, unsafe_code, missing_docs)]\n\n//!"),
    ("src/gpu/abi/shaders.rs", "#[cfg(test)]\n    if let Ok(folder)", "if let Ok(folder)"),
    (
        "src/gpu/adapters.rs",
        "    // Only the requested interfaces",
        "    if std::env::var_os(\"TANGENCY_TEST_WITHOUT_GPU\").is_some() {
        return Vec::new();
    }
    // Only the requested interfaces",
    ),
    (
        "src/filter/tests.rs",
        "env!(\"CARGO_MANIFEST_DIR\")",
        "std::env::var(\"CARGO_MANIFEST_DIR\").expect(\"a folder\")",
    ),
    (
        "tests/common/mod.rs",
        "env!(\"CARGO_MANIFEST_DIR\")",
        "std::env::var(\"CARGO_MANIFEST_DIR\").expect(\"a folder\")",
    ),
];

struct Mutant {
    number: u32,
    at: Range<usize>,
    replacement: String,
}

/// A text with other texts in places that do not overlap.
fn edited(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(at, _)| (at.start, at.end));
    let (mut out, mut done) = (String::new(), 0);
    for (at, new) in edits {
        assert!(done <= at.start, "mutants that overlap: {new}");
        out += &text[done..at.start];
        out += &new;
        done = at.end;
    }
    out + &text[done..]
}

/// The text of a range after a mutant.
fn mutated(text: &str, within: &Range<usize>, mutant: &Mutant) -> String {
    format!("{}{}{}", &text[within.start..mutant.at.start], mutant.replacement, &text[mutant.at.end..within.end])
}

/// A text that belongs to a mutant: what the compiler says of its lines, it says of that.
fn marked(number: u32, text: &str) -> String {
    format!("/*[{number}*/{text}/*{number}]*/")
}

fn choice(unbroken: &str, broken: &[(u32, String)]) -> String {
    let mut out = "match crate::mutants::chosen() {".to_owned();
    for (number, text) in broken {
        write!(out, " {number} => {},", marked(*number, text)).expect("room");
    }
    write!(out, " _ => {unbroken} }}").expect("room");
    out
}

/// A constant that is chosen: its declaration, its values, and what sets it.
fn chosen_constant(text: &str, constant: &Constant, values: &[(u32, String)], unbroken: &str) -> String {
    let (name, of_type) = (&constant.name, &text[constant.of_type.clone()]);
    let symbol = format!("mutants_{}_{}", values[0].0, name.to_lowercase());
    let mut out = format!(
        "unsafe extern \"C\" {{ #[link_name = \"{symbol}\"] {}safe static {name}: {of_type}; }}\n",
        &text[constant.visibility.clone()],
    );
    writeln!(out, "#[allow(warnings)] const {name}__UNBROKEN: {of_type} = {unbroken};").expect("room");
    let mut arms = String::new();
    for (number, value) in values {
        let value = marked(*number, value);
        writeln!(out, "#[allow(warnings)] const {name}__{number}: {of_type} = {value};").expect("room");
        write!(arms, "{number} => {name}__{number}, ").expect("room");
    }
    write!(
        out,
        "#[allow(warnings)] #[unsafe(export_name = \"{symbol}\")] static mut {name}__VALUE: {of_type} = {name}__UNBROKEN;
         #[allow(warnings)] #[used] #[unsafe(link_section = \".init_array\")]
         static {name}__CHOOSE: extern \"C\" fn() = {{
             extern \"C\" fn choose() {{
                 unsafe {{ {name}__VALUE = match crate::mutants::read() {{ {arms}_ => {name}__UNBROKEN }} }}
             }}
             choose
         }};"
    )
    .expect("room");
    out
}

/// The source with its mutants to be chosen; the names of constants of implementations among them; and those that are left out.
fn with_mutants(text: &str, mutants: &[Mutant]) -> (String, BTreeSet<String>, Vec<(u32, &'static str)>) {
    let source = Source::new(text);
    let (mut edits, mut associated, mut left_out) = (Vec::new(), BTreeSet::new(), Vec::new());
    let mut of_bodies: BTreeMap<usize, Vec<&Mutant>> = BTreeMap::new();
    let mut of_constants: BTreeMap<usize, Vec<(u32, String)>> = BTreeMap::new();
    for mutant in mutants {
        let is_in = |at: &Range<usize>| at.start < mutant.at.start && mutant.at.end < at.end;
        let innermost = (0..source.bodies.len()).filter(|k| is_in(&source.bodies[*k].at));
        let innermost = innermost.max_by_key(|k| source.bodies[*k].at.start);
        let is_of = |constant: &Constant| constant.at.start <= mutant.at.start && mutant.at.end <= constant.at.end;
        if let Some(k) = innermost {
            of_bodies.entry(k).or_default().push(mutant);
        } else if let Some(k) = source.constants.iter().position(is_of) {
            let item = mutated(text, &source.constants[k].at, mutant);
            let broken = Source::new(&item);
            let value = broken.constants.first().map(|constant| item[constant.value.clone()].to_owned());
            match value {
                Some(value) => of_constants.entry(k).or_default().push((mutant.number, value)),
                None => left_out.push((mutant.number, "it leaves no constant")),
            }
        } else {
            left_out.push((mutant.number, "it is in no function and in no constant"));
        }
    }
    for (k, all) in of_bodies {
        let body = &source.bodies[k];
        edits.extend(body.word.iter().map(|word| (word.clone(), String::new())));
        // (Or else all that calls it would hold a copy for each mutant, and what calls that.)
        edits.extend(body.always.iter().map(|word| (word.clone(), "never".to_owned())));
        let broken: Vec<_> = all.iter().map(|mutant| (mutant.number, mutated(text, &body.at, mutant))).collect();
        edits.push((body.at.clone(), format!("{{ {} }}", choice(&text[body.at.clone()], &broken))));
    }
    // Constants of the file that are computed of those that are chosen are chosen too.
    let mut chosen: BTreeMap<usize, BTreeMap<u32, String>> = BTreeMap::new();
    for (k, values) in of_constants {
        let constant = &source.constants[k];
        if constant.is_associated {
            associated.insert(constant.name.clone());
            edits.push((constant.value.clone(), format!(" {{ {} }}", choice(&text[constant.value.clone()], &values))));
        } else {
            chosen.entry(k).or_default().extend(values);
        }
    }
    loop {
        let mut more = Vec::new();
        for (k, constant) in source.constants.iter().enumerate() {
            for (other, values) in &chosen {
                let uses = source.alone(&source.constants[*other].name, &constant.value);
                if *other != k && !constant.is_associated && !uses.is_empty() {
                    let known = chosen.get(&k);
                    let inherited =
                        values.keys().filter(|number| !known.is_some_and(|known| known.contains_key(number)));
                    more.extend(inherited.map(|number| (k, *number)));
                }
            }
        }
        if more.is_empty() {
            break;
        }
        for (k, number) in more {
            chosen.entry(k).or_default().insert(number, text[source.constants[k].value.clone()].to_owned());
        }
    }
    let named = |value: &str, number: Option<u32>| {
        let value_source = Source::new(value);
        let mut edits = Vec::new();
        for (k, values) in &chosen {
            let name = &source.constants[*k].name;
            let which = number
                .filter(|number| values.contains_key(number))
                .map_or("UNBROKEN".to_owned(), |number| number.to_string());
            edits.extend(
                value_source.alone(name, &(0..value.len())).into_iter().map(|at| (at, format!("{name}__{which}"))),
            );
        }
        edited(value, edits)
    };
    for (k, values) in &chosen {
        let constant = &source.constants[*k];
        let values: Vec<_> = values.iter().map(|(number, value)| (*number, named(value, Some(*number)))).collect();
        let unbroken = named(&text[constant.value.clone()], None);
        edits.push((constant.at.clone(), chosen_constant(text, constant, &values, &unbroken)));
    }
    (edited(text, edits), associated, left_out)
}

/// Turns constants of implementations into functions, and what is computed of them.
fn with_functions(sources: &mut BTreeMap<String, String>, mut names: BTreeSet<String>) {
    let mut of_files: BTreeSet<(String, String)> = BTreeSet::new();
    loop {
        let before = (names.len(), of_files.len());
        for (file, text) in sources.iter() {
            let source = Source::new(text);
            for constant in &source.constants {
                let uses = |name: &String| !source.of_types(name, &constant.value).is_empty();
                if names.iter().any(uses) && constant.is_associated {
                    names.insert(constant.name.clone());
                } else if names.iter().any(uses) {
                    of_files.insert((file.clone(), constant.name.clone()));
                }
            }
        }
        if before == (names.len(), of_files.len()) {
            break;
        }
    }
    for (file, text) in sources.iter_mut() {
        let source = Source::new(text);
        let all = 0..text.len();
        let mut edits = Vec::new();
        for constant in &source.constants {
            let is_of_file = !constant.is_associated && of_files.contains(&(file.clone(), constant.name.clone()));
            if is_of_file || constant.is_associated && names.contains(&constant.name) {
                // (The value is edited by itself: it may use others.)
                let name = source.name_of(constant);
                let word = constant.visibility.end..name.end;
                edits.push((word, format!("#[allow(warnings)] #[inline(always)] fn {}()", constant.name)));
                edits.push((name.end..constant.of_type.start, " -> ".to_owned()));
                if !constant.value.is_empty() {
                    edits.push((constant.of_type.end..constant.value.start, " { ".to_owned()));
                    edits.push((constant.value.end..constant.at.end, " }".to_owned()));
                }
            }
        }
        for name in &names {
            edits.extend(source.of_types(name, &all).into_iter().map(|at| (at.end..at.end, "()".to_owned())));
        }
        for (_, name) in of_files.iter().filter(|(of, _)| of == file) {
            edits.extend(source.alone(name, &all).into_iter().map(|at| (at.end..at.end, "()".to_owned())));
        }
        let new = edited(text, edits);
        *text = new;
    }
}

/// All sources below a folder.
fn files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let [from, to] = [(); 2].map(|()| arguments.next().expect("two folders"));
    let without: BTreeSet<u32> = arguments.map(|number| number.parse().expect("a number")).collect();
    let mut list = String::new();
    std::io::stdin().read_to_string(&mut list).expect("the list");
    let fields: Vec<&str> = list.split_terminator('\0').collect();

    let (mut paths, mut sources) = (Vec::new(), BTreeMap::new());
    files(&Path::new(&from).join("src"), &mut paths);
    files(&Path::new(&from).join("tests"), &mut paths);
    for path in paths {
        let name = path.strip_prefix(&from).expect("below the folder").to_str().expect("a name").to_owned();
        sources.insert(name, std::fs::read_to_string(&path).expect("a source"));
    }
    let mut of_files: BTreeMap<&str, Vec<Mutant>> = BTreeMap::new();
    for mutant in fields.chunks_exact(4) {
        let number = mutant[0].parse().expect("a number");
        if without.contains(&number) {
            println!("{number} it does not compile with the others");
            continue;
        }
        let text = sources.get(mutant[1]).unwrap_or_else(|| panic!("there is no {}", mutant[1]));
        let start = text.find(mutant[2]).unwrap_or_else(|| panic!("{} is not in {}", mutant[2], mutant[1]));
        let at = start..start + mutant[2].len();
        of_files.entry(mutant[1]).or_default().push(Mutant { number, at, replacement: mutant[3].to_owned() });
    }
    let mut associated = BTreeSet::new();
    for (file, mutants) in &of_files {
        let (text, names, left_out) = with_mutants(&sources[*file], mutants);
        associated.extend(names);
        sources.insert((*file).to_owned(), text);
        for (number, why) in left_out {
            println!("{number} {why}");
        }
    }
    with_functions(&mut sources, associated);
    for (file, text, replacement) in CHANGES {
        let source = sources.get_mut(file).unwrap_or_else(|| panic!("there is no {file}"));
        assert!(source.contains(text), "{file} has no {text}");
        *source = source.replacen(text, replacement, 1);
    }
    sources.get_mut("src/lib.rs").expect("the library").push_str("\nmod mutants;\n");
    sources.insert("src/mutants.rs".to_owned(), CHOSEN.to_owned());
    let mut map = String::new();
    for (name, text) in &sources {
        let path = Path::new(&to).join(name);
        // (What is as it was is not compiled again.)
        if std::fs::read_to_string(&path).ok().as_deref() != Some(text) {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("the copy can be written");
            std::fs::write(path, text).expect("the copy can be written");
        }
        for mutant in of_files.get(name.as_str()).into_iter().flatten() {
            // (One of a constant may be there several times.)
            for (at, _) in text.match_indices(&format!("/*[{}*/", mutant.number)) {
                let end = at + text[at..].find(&format!("/*{}]*/", mutant.number)).expect("its end");
                let line = |at: usize| 1 + text[..at].matches('\n').count();
                writeln!(map, "{name} {} {} {}", line(at), line(end), mutant.number).expect("room");
            }
        }
    }
    std::fs::write(Path::new(&to).join("mutants.map"), map).expect("the map");
}
