//! `tangency sweep`: which moving bodies of a scene meet, and when.

use std::path::{Path, PathBuf};

use clap::Parser;
use serde_json::json;
use tangency::query::Motion;
use tangency::{Engine, SweepHit, SweepHits};

use crate::engines::{self, Backend, Choice, Labelled};
use crate::failure::{Failure, Result};
use crate::files::table::{self, Cell, Column, Kind, Type};
use crate::files::{self, Input, Lines, PairNames};
use crate::output::Target;
use crate::{messages, numbers, output, progress};

#[derive(Parser)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// How the bodies move from time 0 to time 1: a line of column names, then one body a line, in the order of the scene. vx,vy,vz: its
    /// way; optionally rx,ry,rz: its turn, a vector along the axis, as long as the angle in radians; optionally px,py,pz: the point that it
    /// turns about, empty for its centre (of a half-space, for the point of its border that is nearest to zero)
    #[arg(long, value_name = "MOTIONS.csv")]
    motions: PathBuf,
    /// Where to write the pairs: a, b, the time before which they do not touch, the time at which they do, and the normal from a to b. As
    /// CSV, or as .json or .npy if the name ends so; - is standard output
    #[arg(long, value_name = "PAIRS.csv")]
    out: Option<PathBuf>,
    /// Exit with 4 if there are pairs
    #[arg(long)]
    fail_on_hits: bool,
    #[command(flatten)]
    pub choice: Choice,
}

const NAMES: [&str; 9] = ["vx", "vy", "vz", "rx", "ry", "rz", "px", "py", "pz"];
const COLUMNS: [Column; 7] = [
    ("a", Type::Whole),
    ("b", Type::Whole),
    ("from", Type::Double),
    ("to", Type::Double),
    ("nx", Type::Real),
    ("ny", Type::Real),
    ("nz", Type::Real),
];

/// The places of the columns that a line of names says.
fn places(line: &str) -> Result<[Option<usize>; 9], String> {
    let names: Vec<&str> = line.split(',').map(str::trim).collect();
    if let Some(other) = names.iter().find(|name| !NAMES.contains(name)) {
        return Err(format!("there is no column {other:?}; the columns are {}", NAMES.join(",")));
    }
    let places = NAMES.map(|name| names.iter().position(|other| *other == name));
    for group in [0..3, 3..6, 6..9] {
        let here = group.clone().filter(|k| places[*k].is_some()).count();
        if let Some(missing) = group.clone().find(|k| places[*k].is_none() && (here > 0 || *k == 0)) {
            return Err(format!("the column {} is missing", NAMES[missing]));
        }
    }
    Ok(places)
}

fn parse(line: &str, places: &[Option<usize>; 9]) -> Result<Motion, String> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let field = |k: usize| places[k].and_then(|place| fields.get(place)).copied().unwrap_or_default();
    let number =
        |k: usize| field(k).parse::<f32>().map_err(|_| format!("{} is {:?}, which is no number", NAMES[k], field(k)));
    let vector = |first: usize| Ok::<_, String>([number(first)?, number(first + 1)?, number(first + 2)?]);
    let absent = |first: usize| (first..first + 3).all(|k| field(k).is_empty());
    let turn = if absent(3) { [0.0; 3] } else { vector(3)? };
    let motion = Motion::new(vector(0)?, turn).map_err(|error| error.to_string())?;
    if absent(6) { Ok(motion) } else { motion.about(vector(6)?).map_err(|error| error.to_string()) }
}

fn read(path: &Path) -> Result<Vec<Motion>> {
    let (from, bar) = files::open(path)?;
    let mut lines = Lines::new(from, path);
    let (mut columns, mut motions) = (None, Vec::new());
    while let Some((number, line)) = lines.next()? {
        let fail = |reason: String| Failure::line(path, number, reason);
        match &columns {
            None => columns = Some(places(line).map_err(fail)?),
            Some(_) if line.trim().is_empty() => {}
            Some(places) => motions.push(parse(line, places).map_err(fail)?),
        }
    }
    bar.finish_and_clear();
    Ok(motions)
}

fn row((a, b, hit): (u32, u32, &SweepHit)) -> [Cell<'static>; COLUMNS.len()] {
    let [x, y, z] = hit.normal().to_array().map(Cell::Real);
    [Cell::Whole(a), Cell::Whole(b), Cell::Double(hit.from()), Cell::Double(hit.to()), x, y, z]
}

pub fn run(args: &Args, choice: &Choice) -> Result<()> {
    let mut inputs = args.input.paths(None);
    inputs.push(&args.motions);
    let target = Target::open(args.out.as_deref(), &inputs)?;
    let (scene, _) = args.input.read(None)?;
    let (bodies, motions) = (&scene.bodies, read(&args.motions)?);
    let spinner = progress::spinner("moving bodies".to_owned());
    let (engines, found) = choice
        .agreed(bodies.len(), "pairs or times", &spinner, |engine: &Engine| engine.sweep(bodies, &motions).run())?;
    spinner.finish_and_clear();
    let printed = target.is_stdout() && choice.json;
    let names = PairNames::new(&scene, None);
    if !printed {
        let (kind, count, rows) = (Kind::of(args.out.as_deref()), found.len(), || found.iter().map(row));
        target.write(|out| {
            if names.is_empty() {
                return table::write(kind, COLUMNS, count, rows, out);
            }
            let columns = PairNames::columns::<7, 9>(COLUMNS);
            table::write(kind, columns, count, || rows().map(|row| names.row::<7, 9>(row)), out)
        })?;
    }
    let (info, stats) = (engines[engines.len() - 1].engine.info(), found.stats());
    if choice.json {
        let compared = if engines::different(&engines) < 2 { &[][..] } else { &engines };
        let mut summary = json!({
            "backend": info.backend.name(), "adapter": info.adapter, "bodies": bodies.len(),
            "candidates": stats.candidates, "hits": found.len(), "computed_on_host": found.computed_on_host(),
            "hash": format!("{:016x}", found.pairs().pairs_fingerprint()),
            "fingerprint": format!("{:016x}", found.fingerprint()), "total_ms": stats.total().as_secs_f64() * 1e3,
            "compared": compared.iter().map(Labelled::name).collect::<Vec<_>>(),
        });
        scene.describe(&mut summary);
        if printed {
            summary["pairs"] = found.iter().map(|pair| as_json(pair, &names)).collect();
        }
        output::json(&summary)?;
    } else {
        messages::note(format_args!(
            "{} pairs of {} moving bodies meet, in {} ms on {} (fingerprint {:016x})",
            numbers::grouped(found.len() as u64),
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

fn as_json((a, b, hit): (u32, u32, &SweepHit), names: &PairNames<'_>) -> serde_json::Value {
    let mut pair = json!({ "a": a, "b": b, "from": hit.from(), "to": hit.to(), "normal": hit.normal().to_array() });
    if !names.is_empty() {
        let [name_a, name_b] = names.of(a, b);
        (pair["name_a"], pair["name_b"]) = (name_a.into(), name_b.into());
    }
    pair
}

/// The first difference between two answers, if there is one.
pub fn difference(found: &SweepHits, expected: &SweepHits) -> Option<String> {
    if found == expected && found.pairs().offsets() == expected.pairs().offsets() {
        return None;
    }
    let first = found.iter().zip(expected.iter()).find(|(x, y)| x != y);
    Some(format!("{} hits, not {}; the first difference is {first:?}", found.len(), expected.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motions_are_read_by_the_names_of_columns() {
        let columns = places("vz,vy,vx").unwrap();
        assert_eq!(parse("3,2,1", &columns), Ok(Motion::translation([1.0, 2.0, 3.0]).unwrap()));
        let columns = places("vx,vy,vz,rx,ry,rz,px,py,pz").unwrap();
        let turning = Motion::new([1.0, 0.0, 0.0], [0.0, 2.0, 0.0]).unwrap();
        assert_eq!(parse("1,0,0,0,2,0,,,", &columns), Ok(turning));
        assert_eq!(parse("1,0,0,0,2,0,5,6,7", &columns), Ok(turning.about([5.0, 6.0, 7.0]).unwrap()));
        assert_eq!(parse("1,0,0", &columns), Ok(Motion::translation([1.0, 0.0, 0.0]).unwrap()));
        for (names, reason) in [
            ("vx,vy", "vz is missing"),
            ("rx,ry,rz", "vx is missing"),
            ("vx,vy,vz,rx", "ry is missing"),
            ("speed", "no column"),
        ] {
            assert!(places(names).unwrap_err().contains(reason), "{names}");
        }
        for (line, reason) in
            [("1,0", "vz is \"\""), ("1,0,x", "no number"), ("1,0,inf", "translation.z"), ("1,0,0,1", "ry is")]
        {
            assert!(parse(line, &columns).unwrap_err().contains(reason), "{line}: {:?}", parse(line, &columns));
        }
    }

    #[test]
    fn differences_are_told() {
        let hits = |speed: f32| {
            let mut bodies = tangency::Bodies::new();
            for x in [0.0, 4.0] {
                bodies.push(tangency::shape::Sphere::new([x, 0.0, 0.0], 1.0).unwrap()).unwrap();
            }
            let motions = [Motion::translation([speed, 0.0, 0.0]).unwrap(), Motion::REST];
            let engine = Engine::builder().backend(tangency::BackendKind::Cpu).build().unwrap();
            engine.sweep(&bodies, &motions).run().unwrap()
        };
        assert_eq!(difference(&hits(3.0), &hits(3.0)), None);
        assert!(difference(&hits(3.0), &hits(3.5)).expect("other times").contains("1 hits, not 1; the first"));
        assert!(difference(&hits(1.0), &hits(3.5)).expect("none").starts_with("0 hits, not 1"));
    }
}
