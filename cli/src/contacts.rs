//! `tangency contacts`: how the pairs of a scene meet.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Parser;
use serde_json::json;
use tangency::query::ContactKind;
use tangency::{Bodies, Contacts, Engine, Manifold};

use crate::engines::{self, Backend, Choice, Labelled};
use crate::failure::Result;
use crate::report;
use crate::report::scene::{self, SceneReport, Set};
use crate::requests::limited;
use crate::{numbers, output, progress, scene_csv};

#[derive(Parser)]
pub struct Args {
    /// The bodies, as CSV (see `tangency scene`)
    scene: PathBuf,
    /// Find contacts between the scene and this one instead of within the scene
    #[arg(long, value_name = "B.csv")]
    with: Option<PathBuf>,
    /// Leave out pairs that merely touch
    #[arg(long)]
    overlapping_only: bool,
    /// Give one point a pair, the deepest, instead of up to four
    #[arg(long)]
    deepest_point_only: bool,
    /// Where to write the points, one a line: bodies, normal from a to b, depth and kind of the pair; then position on b, depth and
    /// feature of the point [default: standard output, unless
    /// --report is given]
    #[arg(long, value_name = "CONTACTS.csv")]
    out: Option<PathBuf>,
    /// Write a page for a browser: the scene in 3D, its contacts beside it; it opens without a network
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
}

const HEADER: &str = "a,b,nx,ny,nz,depth,kind,px,py,pz,pdepth,feature";

pub fn run(args: &Args, choice: &Choice) -> Result<()> {
    let inputs: Vec<&Path> = std::iter::once(&args.scene).chain(&args.with).map(PathBuf::as_path).collect();
    args.report.iter().try_for_each(|path| report::check_target(path, &inputs))?;
    let bodies = scene_csv::read(&args.scene)?;
    let other = args.with.as_deref().map(scene_csv::read).transpose()?;
    let spinner = progress::spinner("finding contacts".to_owned());
    let searched = bodies.len() + other.as_ref().map_or(0, Bodies::len);
    let (engines, found) = choice.agreed(searched, "contacts", &spinner, |engine: &Engine| {
        let request = engine.contacts(&bodies);
        let request = if let Some(other) = &other { request.against(other) } else { request };
        limited(request, args.overlapping_only, args.deepest_point_only).run()
    })?;
    spinner.finish_and_clear();
    if args.out.is_some() || (!choice.json && args.report.is_none()) {
        output::write_to(args.out.as_deref(), |out: &mut dyn Write| {
            writeln!(out, "{HEADER}")?;
            found.manifolds().iter().try_for_each(|manifold| write_points(manifold, out))
        })?;
    }
    let (info, stats) = (engines[engines.len() - 1].engine.info(), found.stats());
    if let Some(path) = &args.report {
        let mut facts = scene::facts(searched, &engines, stats);
        facts.push(("fingerprint", format!("{:016x}", found.fingerprint())));
        let set = |bodies| Set { bodies, names: &[] };
        let report = SceneReport {
            title: scene::title("Contacts", &inputs),
            facts,
            first: set(&bodies),
            second: other.as_ref().map(set),
            pairs: found.pairs(),
            contacts: Some(&found),
        };
        report.write(path)?;
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
        if args.out.is_none() {
            summary["contacts"] = found.manifolds().iter().map(as_json).collect();
        }
        output::json(&summary)?;
    } else {
        eprintln!(
            "{} contacts with {} points of {} bodies in {} ms on {} (fingerprint {:016x})",
            numbers::grouped(found.len() as u64),
            numbers::grouped(points as u64),
            numbers::grouped(bodies.len() as u64),
            numbers::milliseconds(stats.total()),
            info.backend.name(),
            found.fingerprint()
        );
    }
    if choice.backend != Backend::All {
        return Ok(());
    }
    engines::compared(&engines)
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

/// A line for each point. `{:?}` writes the fewest digits that read back to the same bits.
fn write_points(manifold: &Manifold, out: &mut dyn Write) -> std::io::Result<()> {
    let (a, b, kind, depth) = (manifold.a(), manifold.b(), word(manifold.kind()), manifold.depth());
    let [nx, ny, nz] = manifold.normal().to_array();
    for point in manifold.points() {
        let [px, py, pz] = point.on_b.to_array();
        let (point_depth, feature) = (point.depth, point.feature.0);
        writeln!(out, "{a},{b},{nx:?},{ny:?},{nz:?},{depth:?},{kind},{px:?},{py:?},{pz:?},{point_depth:?},{feature}")?;
    }
    Ok(())
}

fn as_json(manifold: &Manifold) -> serde_json::Value {
    let points = manifold
        .points()
        .map(|point| json!({"position": point.on_b.to_array(), "depth": point.depth, "feature": point.feature.0}));
    json!({
        "a": manifold.a(), "b": manifold.b(), "normal": manifold.normal().to_array(), "depth": manifold.depth(),
        "kind": word(manifold.kind()), "points": points.collect::<Vec<_>>(),
    })
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
            write_points(manifold, &mut text).unwrap();
            let text = String::from_utf8(text).unwrap();
            assert_eq!(text.lines().count(), manifold.points().len());
            for (line, point) in text.lines().zip(manifold.points()) {
                let cells: Vec<&str> = line.split(',').collect();
                assert_eq!(cells.len(), HEADER.split(',').count());
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
