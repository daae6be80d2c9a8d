//! `tangency contacts`: how the pairs of a scene meet.

use std::io::Write;
use std::path::PathBuf;

use clap::Parser;
use serde_json::json;
use tangency::query::ContactKind;
use tangency::{Contacts, Engine, Manifold};

use crate::engines::{self, Backend, Choice, Labelled};
use crate::failure::{Failure, Result};
use crate::files::table::{self, Cell, Column, Kind, Type};
use crate::files::{Input, PairNames};
use crate::output::Target;
use crate::report::scene::{self, SceneReport, Set};
use crate::requests::limited;
use crate::{messages, numbers, output, progress};

#[derive(Parser)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// Find contacts between the scene and this one instead of within the scene
    #[arg(long, value_name = "SCENE")]
    with: Option<PathBuf>,
    /// Find the contacts of all pairs that are at most so far apart as well, with negative depths; margins of bodies (column `margin`) are
    /// added
    #[arg(long, value_name = "DISTANCE")]
    margin: Option<f32>,
    /// Leave out pairs that merely touch
    #[arg(long)]
    overlapping_only: bool,
    /// Give one point a pair, the deepest, instead of up to four
    #[arg(long)]
    deepest_point_only: bool,
    /// Where to write the points, one a row: bodies, normal from a to b, depth and kind of the pair; then position on b, depth and
    /// feature of the point. As CSV, or as .json or .npy if the name ends so; - is standard output [default: -, unless --report is given]
    #[arg(long, value_name = "CONTACTS.csv")]
    out: Option<PathBuf>,
    /// Write a page for a browser: the scene in 3D, its contacts beside it; it opens without a network
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Exit with 4 if there are contacts
    #[arg(long)]
    fail_on_hits: bool,
    #[command(flatten)]
    pub choice: Choice,
}

pub fn run(args: &Args, choice: &Choice) -> Result<()> {
    let inputs = args.input.paths(args.with.as_deref());
    let target = Target::open(args.out.as_deref(), &inputs)?;
    let report = Target::page(args.report.as_deref(), &inputs)?;
    let (scene, other) = args.input.read(args.with.as_deref())?;
    let bodies = &scene.bodies;
    let spinner = progress::spinner("finding contacts".to_owned());
    let searched = bodies.len() + other.as_ref().map_or(0, |other| other.bodies.len());
    let (engines, found) = choice.agreed(searched, "contacts", &spinner, |engine: &Engine| {
        let request = engine.contacts(bodies);
        let request = if let Some(other) = &other { request.against(&other.bodies) } else { request };
        let request = if let Some(margin) = args.margin { request.margin(margin) } else { request };
        limited(request, args.overlapping_only, args.deepest_point_only).run()
    })?;
    spinner.finish_and_clear();
    let printed = target.is_stdout() && choice.json;
    let names = PairNames::new(&scene, other.as_ref());
    if !printed && (args.out.is_some() || report.is_none()) {
        target.write(|out| write(Kind::of(args.out.as_deref()), found.manifolds(), &names, out))?;
    }
    let (info, stats) = (engines[engines.len() - 1].engine.info(), found.stats());
    if let Some(report) = report {
        let mut facts = scene::facts(searched, &engines, stats);
        facts.push(("fingerprint", format!("{:016x}", found.fingerprint())));
        let page = SceneReport {
            title: scene::title("Contacts", &inputs),
            facts,
            first: Set::of(&scene),
            second: other.as_ref().map(Set::of),
            pairs: found.pairs(),
            contacts: Some(&found),
        };
        page.write(report)?;
    }
    let points: usize = found.manifolds().iter().map(|manifold| manifold.points().len()).sum();
    let compared = if engines::different(&engines) < 2 { &[][..] } else { &engines };
    if choice.json {
        let mut summary = json!({
            "backend": info.backend.name(), "adapter": info.adapter, "bodies": bodies.len(),
            "candidates": stats.candidates, "undecided": stats.undecided, "hits": found.len(), "points": points,
            "computed_on_host": found.computed_on_host(), "hash": format!("{:016x}", found.pairs().pairs_fingerprint()),
            "fingerprint": format!("{:016x}", found.fingerprint()), "total_ms": stats.total().as_secs_f64() * 1e3,
            "compared": compared.iter().map(Labelled::name).collect::<Vec<_>>(),
        });
        scene.describe(&mut summary);
        if printed {
            summary["contacts"] = found.manifolds().iter().map(|manifold| as_json(manifold, &names)).collect();
        }
        output::json(&summary)?;
    } else {
        messages::note(format_args!(
            "{} contacts with {} points of {} bodies in {} ms on {} (fingerprint {:016x})",
            numbers::grouped(found.len() as u64),
            numbers::grouped(points as u64),
            numbers::grouped(bodies.len() as u64),
            numbers::milliseconds(stats.total()),
            info.backend.name(),
            found.fingerprint()
        ));
    }
    if choice.backend == Backend::All {
        engines::compared(&engines)?;
    }
    if args.fail_on_hits && !found.is_empty() { Err(Failure::Hits(found.len())) } else { Ok(()) }
}

/// The word for a kind in files.
pub fn word(kind: ContactKind) -> &'static str {
    match kind {
        ContactKind::Round => "round",
        ContactKind::FaceA => "face_a",
        ContactKind::FaceB => "face_b",
        ContactKind::Edges => "edges",
        ContactKind::Corners => "corners",
        ContactKind::Deepest => "deepest",
    }
}

const COLUMNS: [Column; 12] = [
    ("a", Type::Whole),
    ("b", Type::Whole),
    ("nx", Type::Real),
    ("ny", Type::Real),
    ("nz", Type::Real),
    ("depth", Type::Real),
    ("kind", Type::Text),
    ("px", Type::Real),
    ("py", Type::Real),
    ("pz", Type::Real),
    ("pdepth", Type::Real),
    ("feature", Type::Whole),
];

/// A row for each point.
fn rows(manifold: &Manifold) -> impl Iterator<Item = [Cell<'static>; COLUMNS.len()]> {
    let (a, b) = (manifold.a(), manifold.b());
    let [nx, ny, nz] = manifold.normal().to_array().map(Cell::Real);
    let (depth, kind) = (Cell::Real(manifold.depth()), Cell::Text(word(manifold.kind())));
    manifold.points().map(move |point| {
        let [px, py, pz] = point.on_b.to_array().map(Cell::Real);
        let (point_depth, feature) = (Cell::Real(point.depth), Cell::Whole(point.feature.0));
        [Cell::Whole(a), Cell::Whole(b), nx, ny, nz, depth, kind, px, py, pz, point_depth, feature]
    })
}

/// The table of all points, with the names of the bodies if they have any.
fn write(kind: Kind, manifolds: &[Manifold], names: &PairNames<'_>, out: &mut dyn Write) -> std::io::Result<()> {
    let (points, count) = (|| manifolds.iter().flat_map(rows), manifolds.iter().map(|one| one.points().len()).sum());
    if names.is_empty() {
        return table::write(kind, COLUMNS, count, points, out);
    }
    table::write(
        kind,
        PairNames::columns::<12, 14>(COLUMNS),
        count,
        || points().map(|row| names.row::<12, 14>(row)),
        out,
    )
}

fn as_json(manifold: &Manifold, names: &PairNames<'_>) -> serde_json::Value {
    let points = manifold
        .points()
        .map(|point| json!({"position": point.on_b.to_array(), "depth": point.depth, "feature": point.feature.0}));
    let mut contact = json!({
        "a": manifold.a(), "b": manifold.b(), "normal": manifold.normal().to_array(), "depth": manifold.depth(),
        "kind": word(manifold.kind()), "points": points.collect::<Vec<_>>(),
    });
    if !names.is_empty() {
        let [name_a, name_b] = names.of(manifold.a(), manifold.b());
        (contact["name_a"], contact["name_b"]) = (name_a.into(), name_b.into());
    }
    contact
}

/// The first difference between two answers, if there is one.
pub fn difference(found: &Contacts, expected: &Contacts) -> Option<String> {
    if found == expected && found.pairs().offsets() == expected.pairs().offsets() {
        return None;
    }
    let (there, right) = (found.manifolds(), expected.manifolds());
    // A pair is written with all its digits, so that any other bit is another text.
    let text = |manifold: Option<&Manifold>| manifold.map_or_else(|| "nothing".to_owned(), |m| format!("{m:?}"));
    let first =
        (0..there.len().max(right.len())).map(|k| (text(there.get(k)), text(right.get(k)))).find(|(x, y)| x != y);
    Some(match first {
        Some((here, right_one)) => {
            format!("{} contacts, not {}; {here} where {right_one} should be", there.len(), right.len())
        }
        None => "the relations or rows are not those of the pairs".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tangency::Bodies;
    use tangency::shape::Sphere;

    fn contacts(xs: &[f32]) -> Contacts {
        let mut bodies = Bodies::new();
        bodies.extend(xs.iter().map(|x| Sphere::new([*x, 0.0, 0.0], 1.0).unwrap())).unwrap();
        Engine::builder().backend(tangency::BackendKind::Cpu).build().unwrap().contacts(&bodies).run().unwrap()
    }

    #[test]
    fn the_first_difference_is_told() {
        let right = contacts(&[0.0, 1.5, 3.25]);
        assert_eq!(difference(&right, &right), None);
        // One unit in the last place of one depth.
        let near = difference(&contacts(&[0.0, 1.5, 3.25_f32.next_down()]), &right).expect("other bits");
        assert!(near.starts_with("2 contacts, not 2; ") && near.contains("a: 1, b: 2") && !near.contains("a: 0, b: 1"));
        let fewer = difference(&contacts(&[0.0, 1.5, 4.0]), &right).expect("another number");
        assert!(fewer.starts_with("1 contacts, not 2; nothing where ") && fewer.contains("a: 1, b: 2"), "{fewer}");
        // The same contacts, but with a row for one more body.
        let rows = difference(&contacts(&[0.0, 1.5, 3.25, 9.0]), &right);
        assert_eq!(rows.as_deref(), Some("the relations or rows are not those of the pairs"));
    }

    /// Every number of a line reads back to its bits.
    #[test]
    fn lines_read_back_to_the_same_bits() {
        let engine = Engine::builder().backend(tangency::BackendKind::Cpu).build().unwrap();
        let found = engine.contacts(&tangency::scenes::Scene::Mixed.build(2000, 1).unwrap()).run().unwrap();
        assert!(found.len() > 100, "{}", found.len());
        for manifold in found.manifolds() {
            let mut text = Vec::new();
            table::write(Kind::Csv, COLUMNS, 1, || rows(manifold), &mut text).unwrap();
            let text = String::from_utf8(text).unwrap();
            assert_eq!(text.lines().count(), manifold.points().len() + 1);
            for (line, point) in text.lines().skip(1).zip(manifold.points()) {
                let cells: Vec<&str> = line.split(',').collect();
                assert_eq!(cells.len(), COLUMNS.len());
                let bits = |range: std::ops::Range<usize>| {
                    cells[range].iter().map(|cell| cell.parse::<f32>().unwrap().to_bits()).collect::<Vec<_>>()
                };
                let whole = [&manifold.normal().to_array()[..], &[manifold.depth()]].concat();
                assert_eq!(bits(2..6), whole.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), "{line}");
                let own = [&point.on_b.to_array()[..], &[point.depth]].concat();
                assert_eq!(bits(7..11), own.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), "{line}");
                assert_eq!((cells[6], cells[11]), (word(manifold.kind()), point.feature.0.to_string().as_str()));
            }
        }
    }
}
