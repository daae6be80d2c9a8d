//! `tangency verify`: every backend on a scene of the user's.

use std::path::{Path, PathBuf};

use clap::Parser;
use serde_json::json;
use tangency::{BackendKind, Bodies, Contacts, Engine, Overlaps, scenes};

use crate::compare::BRUTE_FORCE;
use crate::engines::{self, Choice, Labelled};
use crate::failure::{Failure, Result};
use crate::files::Input;
use crate::output::Target;
use crate::{contacts, messages, numbers, output, progress, soak};

#[derive(Parser)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// Where to write the bodies if answers differ, as a scene that `tangency verify` can read [default: a file tangency-case-….csv
    /// in the folder for temporary files]
    #[arg(long, value_name = "CASE.csv")]
    case: Option<PathBuf>,
    #[command(flatten)]
    pub choice: Choice,
}

/// What an engine answered otherwise than the first one.
struct Difference {
    engine: String,
    what: String,
}

pub fn run(args: &Args, choice: &Choice) -> Result<()> {
    let (scene, _) = args.input.read(None)?;
    let bodies = &scene.bodies;
    let (mut engines, missing) = choice.engines()?;
    if bodies.len() <= BRUTE_FORCE {
        let engine = Engine::builder().backend(BackendKind::BruteForce).build()?;
        engines.insert(0, Labelled::new(BackendKind::BruteForce.name(), engine));
    }
    let compared = engines::different(&engines) > 1 && !bodies.is_empty();
    let bar = progress::bar(engines.len() as u64, "verifying");
    let mut expected: Option<Contacts> = None;
    let mut differences = Vec::new();
    for labelled in engines.iter().filter(|_| compared) {
        bar.set_message(labelled.name());
        let ask = || {
            Ok::<_, tangency::Error>((labelled.engine.overlaps(bodies).run()?, labelled.engine.contacts(bodies).run()?))
        };
        let (pairs, contacts) = progress::watched(&bar, labelled, ask)?;
        let expected = expected.get_or_insert_with(|| contacts.clone());
        if let Some(what) = difference(&pairs, &contacts, expected) {
            differences.push(Difference { engine: labelled.name(), what });
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let case = if differences.is_empty() {
        None
    } else {
        Some(write_case(args.case.as_deref(), &args.input.paths(None), bodies)?)
    };
    let hits = expected.as_ref().map_or(0, Contacts::len);
    if choice.json {
        let mut summary = json!({
            "bodies": bodies.len(), "hits": hits, "identical": compared.then_some(differences.is_empty()),
            "compared": engines.iter().filter(|_| compared).map(Labelled::name).collect::<Vec<_>>(),
            "missing": missing.iter().map(|m| json!({"what": m.what, "why": m.why})).collect::<Vec<_>>(),
            "differences": differences.iter().map(|d| json!({"engine": d.engine, "what": d.what})).collect::<Vec<_>>(),
            "case": case,
        });
        scene.describe(&mut summary);
        output::json(&summary)?;
    } else if compared && differences.is_empty() {
        let [bodies, hits] = [bodies.len(), hits].map(|n| numbers::grouped(n as u64));
        let names = engines::names(&engines);
        output::stdout(|out| {
            missing.iter().try_for_each(|m| writeln!(out, "not run: {}: {}", m.what, m.why))?;
            writeln!(out, "{bodies} bodies, {hits} pairs, identical with their contacts: {names}")
        })?;
    }
    verdict(&engines, compared, &differences, case.as_deref())
}

/// The exit code, as a failure.
fn verdict(engines: &[Labelled], compared: bool, differences: &[Difference], case: Option<&Path>) -> Result<()> {
    if !compared {
        let names = engines::names(engines);
        return Err(Failure::Unchecked(format!(
            "nothing was compared: there are no bodies, or only {names} can answer; give it a GPU, or at most {} bodies for brute force",
            numbers::grouped(BRUTE_FORCE as u64)
        )));
    }
    let Some(first) = differences.first() else { return Ok(()) };
    for Difference { engine, what } in differences {
        messages::note(format_args!("{engine}: {what}"));
    }
    let replay = case.map_or_else(String::new, |case| format!("; again: tangency verify {}", case.display()));
    Err(Failure::Wrong(format!("{} answers otherwise than {}{replay}", first.engine, engines[0].name())))
}

/// The first difference between an engine's two answers and the expected one.
fn difference(pairs: &Overlaps, contacts: &Contacts, expected: &Contacts) -> Option<String> {
    let of_pairs = soak::difference(pairs, expected.pairs()).map(|what| format!("overlaps: {what}"));
    of_pairs.or_else(|| contacts::difference(contacts, expected).map(|what| format!("contacts: {what}")))
}

/// Writes the bodies as a scene. Returns where.
fn write_case(path: Option<&Path>, inputs: &[&Path], bodies: &Bodies) -> Result<PathBuf> {
    let path = path.map_or_else(crate::unfinished::case_in_temp, Path::to_owned);
    Target::open(Some(&path), inputs)?.write(|out| scenes::write_csv(bodies, out))?;
    if !bodies.excluded().is_empty() {
        messages::note("the case has all bodies, but not which pairs are excluded");
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tangency::shape::Sphere;

    fn bodies(x: f32) -> Bodies {
        let mut bodies = Bodies::new();
        bodies.extend([0.0, x].map(|x| Sphere::new([x, 0.0, 0.0], 1.0).unwrap())).unwrap();
        bodies
    }

    fn answers(bodies: &Bodies) -> (Overlaps, Contacts) {
        let engine = Engine::builder().backend(BackendKind::Cpu).build().unwrap();
        (engine.overlaps(bodies).run().unwrap(), engine.contacts(bodies).run().unwrap())
    }

    #[test]
    fn any_difference_is_one() {
        let ((pairs, contacts), (_, nearer), (none, _)) =
            (answers(&bodies(1.5)), answers(&bodies(1.25)), answers(&bodies(9.0)));
        assert_eq!(difference(&pairs, &contacts, &contacts), None);
        assert!(difference(&none, &contacts, &contacts).unwrap().starts_with("overlaps: pair (0, 1) is missing"));
        assert!(difference(&pairs, &nearer, &contacts).unwrap().starts_with("contacts: 1 contacts, not 1; "));
    }

    #[test]
    fn a_difference_exits_with_1_and_leaves_a_case() {
        let folder = std::env::temp_dir().join(format!("tangency-verify-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let engine = || Engine::builder().backend(BackendKind::Cpu).build().unwrap();
        let engines = [Labelled::new("one", engine()), Labelled::new("other", engine())];
        let path = write_case(Some(&folder.join("case.csv")), &[], &bodies(1.5)).unwrap();
        let differences = [Difference { engine: "other".to_owned(), what: "a pair too many".to_owned() }];
        let failure = verdict(&engines, true, &differences, Some(&path)).unwrap_err();
        assert_eq!(failure.code(), 1);
        assert!(failure.to_string().contains("again: tangency verify "), "{failure}");
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 3);
        std::fs::remove_dir_all(folder).unwrap();
        assert_eq!(verdict(&engines, false, &[], None).unwrap_err().code(), 3);
        assert!(verdict(&engines, true, &[], None).is_ok());
        let somewhere = crate::unfinished::case_in_temp();
        assert_ne!(somewhere, crate::unfinished::case_in_temp());
    }
}
