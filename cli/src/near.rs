//! `tangency near`: how far apart the bodies of a scene are that are near each other.

use std::path::PathBuf;

use clap::Parser;
use serde_json::json;
use tangency::{Clearance, Clearances, Engine};

use crate::engines::{self, Backend, Choice, Labelled};
use crate::failure::{Failure, Result};
use crate::files::table::{self, Cell, Column, Kind, Type};
use crate::files::{Input, PairNames};
use crate::output::Target;
use crate::{messages, numbers, output, progress};

#[derive(Parser)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// How far apart bodies may be
    #[arg(long, value_name = "DISTANCE")]
    within: f32,
    /// Look between the scene and this one instead of within the scene
    #[arg(long, value_name = "SCENE")]
    with: Option<PathBuf>,
    /// Where to write the pairs: a, b, distance (never more than the true one), the point of a that is nearest to b, and that of b. As
    /// CSV, or as .json or .npy if the name ends so; - is standard output
    #[arg(long, value_name = "PAIRS.csv")]
    out: Option<PathBuf>,
    /// Exit with 4 if there are pairs
    #[arg(long)]
    fail_on_hits: bool,
    #[command(flatten)]
    pub choice: Choice,
}

const COLUMNS: [Column; 9] = [
    ("a", Type::Whole),
    ("b", Type::Whole),
    ("distance", Type::Real),
    ("ax", Type::Real),
    ("ay", Type::Real),
    ("az", Type::Real),
    ("bx", Type::Real),
    ("by", Type::Real),
    ("bz", Type::Real),
];

fn row((a, b, found): (u32, u32, &Clearance)) -> [Cell<'static>; COLUMNS.len()] {
    let [ax, ay, az] = found.on_a().to_array().map(Cell::Real);
    let [bx, by, bz] = found.on_b().to_array().map(Cell::Real);
    [Cell::Whole(a), Cell::Whole(b), Cell::Real(found.distance()), ax, ay, az, bx, by, bz]
}

pub fn run(args: &Args, choice: &Choice) -> Result<()> {
    let inputs = args.input.paths(args.with.as_deref());
    let target = Target::open(args.out.as_deref(), &inputs)?;
    let (scene, other) = args.input.read(args.with.as_deref())?;
    let bodies = &scene.bodies;
    let spinner = progress::spinner("finding distances".to_owned());
    let searched = bodies.len() + other.as_ref().map_or(0, |other| other.bodies.len());
    let (engines, found) = choice.agreed(searched, "pairs or distances", &spinner, |engine: &Engine| {
        let request = engine.clearances(bodies, args.within);
        if let Some(other) = &other { request.against(&other.bodies) } else { request }.run()
    })?;
    spinner.finish_and_clear();
    let printed = target.is_stdout() && choice.json;
    let names = PairNames::new(&scene, other.as_ref());
    if !printed {
        let (kind, count, rows) = (Kind::of(args.out.as_deref()), found.len(), || found.iter().map(row));
        target.write(|out| {
            if names.is_empty() {
                return table::write(kind, COLUMNS, count, rows, out);
            }
            let columns = PairNames::columns::<9, 11>(COLUMNS);
            table::write(kind, columns, count, || rows().map(|row| names.row::<9, 11>(row)), out)
        })?;
    }
    let (info, stats) = (engines[engines.len() - 1].engine.info(), found.stats());
    let least = found.clearances().iter().map(Clearance::distance).fold(f32::INFINITY, f32::min);
    let compared = if engines::different(&engines) < 2 { &[][..] } else { &engines };
    if choice.json {
        let mut summary = json!({
            "backend": info.backend.name(), "adapter": info.adapter, "bodies": bodies.len(),
            "candidates": stats.candidates, "undecided": stats.undecided, "hits": found.len(),
            "least": least.is_finite().then_some(least), "computed_on_host": found.computed_on_host(),
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
            "{} pairs of {} bodies are at most {} apart, in {} ms on {} (fingerprint {:016x})",
            numbers::grouped(found.len() as u64),
            numbers::grouped(bodies.len() as u64),
            args.within,
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

fn as_json((a, b, found): (u32, u32, &Clearance), names: &PairNames<'_>) -> serde_json::Value {
    let mut pair = json!({
        "a": a, "b": b, "distance": found.distance(), "on_a": found.on_a().to_array(), "on_b": found.on_b().to_array(),
    });
    if !names.is_empty() {
        let [name_a, name_b] = names.of(a, b);
        (pair["name_a"], pair["name_b"]) = (name_a.into(), name_b.into());
    }
    pair
}

/// The first difference between two answers, if there is one.
pub fn difference(found: &Clearances, expected: &Clearances) -> Option<String> {
    if found == expected && found.pairs().offsets() == expected.pairs().offsets() {
        return None;
    }
    let first = found.iter().zip(expected.iter()).find(|(x, y)| x != y);
    Some(match first {
        Some((here, right)) => {
            format!("{} clearances, not {}; {here:?} where {right:?} should be", found.len(), expected.len())
        }
        None => format!("{} clearances, not {}, or other relations or rows", found.len(), expected.len()),
    })
}
