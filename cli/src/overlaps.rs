//! `tangency overlaps`: the pairs of a scene.

use std::path::PathBuf;

use clap::Parser;
use serde_json::json;
use tangency::Engine;

use crate::engines::{self, Backend, Choice, Labelled};
use crate::failure::{Failure, Result};
use crate::files::table::{self, Cell, Column, Kind, Type};
use crate::files::{Input, PairNames};
use crate::output::Target;
use crate::report::scene::{self, SceneReport, Set};
use crate::requests::filtered;
use crate::{messages, numbers, output, progress};

#[derive(Parser)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// Find pairs between the scene and this one instead of within the scene
    #[arg(long, value_name = "SCENE")]
    with: Option<PathBuf>,
    /// Find all pairs that are at most so far apart, instead of those that touch or overlap; margins of bodies (column `margin`) are added
    #[arg(long, value_name = "DISTANCE")]
    margin: Option<f32>,
    /// Leave out pairs that merely touch
    #[arg(long)]
    overlapping_only: bool,
    /// Where to write the pairs: a,b,relation; 1 touching, 2 overlapping. As CSV, or as .json or .npy if the name ends so; - is
    /// standard output [default: -, unless --report is given]
    #[arg(long, value_name = "PAIRS.csv")]
    out: Option<PathBuf>,
    /// Write a page for a browser: the scene in 3D, its pairs beside it; it opens without a network
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Exit with 4 if there are pairs
    #[arg(long)]
    fail_on_hits: bool,
    #[command(flatten)]
    pub choice: Choice,
}

const COLUMNS: [Column; 3] = [("a", Type::Whole), ("b", Type::Whole), ("relation", Type::Whole)];

pub fn run(args: &Args, choice: &Choice) -> Result<()> {
    let inputs = args.input.paths(args.with.as_deref());
    let target = Target::open(args.out.as_deref(), &inputs)?;
    let report = Target::page(args.report.as_deref(), &inputs)?;
    let (scene, other) = args.input.read(args.with.as_deref())?;
    let bodies = &scene.bodies;
    let spinner = progress::spinner("finding pairs".to_owned());
    let searched = bodies.len() + other.as_ref().map_or(0, |other| other.bodies.len());
    let (engines, found) = choice.agreed(searched, "pairs or relations", &spinner, |engine: &Engine| {
        let request = engine.overlaps(bodies);
        let request = if let Some(other) = &other { request.against(&other.bodies) } else { request };
        let request = if let Some(margin) = args.margin { request.margin(margin) } else { request };
        filtered(request, args.overlapping_only).run()
    })?;
    spinner.finish_and_clear();
    let printed = target.is_stdout() && choice.json;
    let names = PairNames::new(&scene, other.as_ref());
    if !printed && (args.out.is_some() || report.is_none()) {
        let kind = Kind::of(args.out.as_deref());
        let rows = || found.iter().map(|(a, b, relation)| [a, b, relation as u32].map(Cell::Whole));
        target.write(|out| {
            if names.is_empty() {
                return table::write(kind, COLUMNS, found.len(), rows, out);
            }
            table::write(
                kind,
                PairNames::columns::<3, 5>(COLUMNS),
                found.len(),
                || rows().map(|row| names.row::<3, 5>(row)),
                out,
            )
        })?;
    }
    let (info, stats) = (engines[engines.len() - 1].engine.info(), found.stats());
    if let Some(report) = report {
        let mut facts = scene::facts(searched, &engines, stats);
        facts.push(("fingerprint", format!("{:016x}", found.fingerprint())));
        let page = SceneReport {
            title: scene::title("Pairs", &inputs),
            facts,
            first: Set::of(&scene),
            second: other.as_ref().map(Set::of),
            pairs: &found,
            contacts: None,
        };
        page.write(report)?;
    }
    let compared = if engines::different(&engines) < 2 { &[][..] } else { &engines };
    if choice.json {
        let mut summary = json!({
            "backend": info.backend.name(), "adapter": info.adapter, "bodies": bodies.len(),
            "candidates": stats.candidates, "undecided": stats.undecided, "hits": found.len(),
            "hash": format!("{:016x}", found.pairs_fingerprint()), "fingerprint": format!("{:016x}", found.fingerprint()),
            "total_ms": stats.total().as_secs_f64() * 1e3,
            "compared": compared.iter().map(Labelled::name).collect::<Vec<_>>(),
        });
        scene.describe(&mut summary);
        if printed {
            let pair = |(a, b, relation): (u32, u32, tangency::Relation)| {
                let [name_a, name_b] = names.of(a, b);
                if names.is_empty() {
                    json!([a, b, relation as u8])
                } else {
                    json!([a, b, relation as u8, name_a, name_b])
                }
            };
            summary["pairs"] = found.iter().map(pair).collect();
        }
        output::json(&summary)?;
    } else {
        messages::note(format_args!(
            "{} pairs of {} bodies in {} ms on {} (hash {:016x})",
            numbers::grouped(found.len() as u64),
            numbers::grouped(bodies.len() as u64),
            numbers::milliseconds(stats.total()),
            info.backend.name(),
            found.pairs_fingerprint()
        ));
    }
    if choice.backend == Backend::All {
        engines::compared(&engines)?;
    }
    if args.fail_on_hits && !found.is_empty() { Err(Failure::Hits(found.len())) } else { Ok(()) }
}
