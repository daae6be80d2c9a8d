//! `tangency overlaps`: the pairs of a scene.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Parser;
use serde_json::json;
use tangency::{Bodies, Engine};

use crate::engines::{self, Backend, Choice, Labelled};
use crate::failure::Result;
use crate::report;
use crate::report::scene::{self, SceneReport, Set};
use crate::requests::filtered;
use crate::{numbers, output, progress, scene_csv};

#[derive(Parser)]
pub struct Args {
    /// The bodies, as CSV (see `tangency scene`)
    scene: PathBuf,
    /// Find pairs between the scene and this one instead of within the scene
    #[arg(long, value_name = "B.csv")]
    with: Option<PathBuf>,
    /// Leave out pairs that merely touch
    #[arg(long)]
    overlapping_only: bool,
    /// Where to write the pairs (a,b,relation; 1 touching, 2 overlapping) [default: standard output, unless --report is given]
    #[arg(long, value_name = "PAIRS.csv")]
    out: Option<PathBuf>,
    /// Write a page for a browser: the scene in 3D, its pairs beside it; it opens without a network
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
}

pub fn run(args: &Args, choice: &Choice) -> Result<()> {
    let inputs: Vec<&Path> = std::iter::once(&args.scene).chain(&args.with).map(PathBuf::as_path).collect();
    args.report.iter().try_for_each(|path| report::check_target(path, &inputs))?;
    let bodies = scene_csv::read(&args.scene)?;
    let other = args.with.as_deref().map(scene_csv::read).transpose()?;
    let spinner = progress::spinner("finding pairs".to_owned());
    let searched = bodies.len() + other.as_ref().map_or(0, Bodies::len);
    let (engines, found) = choice.agreed(searched, "pairs or relations", &spinner, |engine: &Engine| {
        let request = engine.overlaps(&bodies);
        let request = if let Some(other) = &other { request.against(other) } else { request };
        filtered(request, args.overlapping_only).run()
    })?;
    spinner.finish_and_clear();
    let write = |out: &mut dyn Write| {
        writeln!(out, "a,b,relation")?;
        found.iter().try_for_each(|(a, b, relation)| writeln!(out, "{a},{b},{}", relation as u8))
    };
    if args.out.is_some() || (!choice.json && args.report.is_none()) {
        output::write_to(args.out.as_deref(), write)?;
    }
    let (info, stats) = (engines[engines.len() - 1].engine.info(), found.stats());
    if let Some(path) = &args.report {
        let mut facts = scene::facts(searched, &engines, stats);
        facts.push(("fingerprint", format!("{:016x}", found.fingerprint())));
        let set = |bodies| Set { bodies, names: &[] };
        let report = SceneReport {
            title: scene::title("Pairs", &inputs),
            facts,
            first: set(&bodies),
            second: other.as_ref().map(set),
            pairs: &found,
            contacts: None,
        };
        report.write(path)?;
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
        if args.out.is_none() {
            summary["pairs"] = found.iter().map(|(a, b, relation)| json!([a, b, relation as u8])).collect();
        }
        output::json(&summary)?;
    } else {
        eprintln!(
            "{} pairs of {} bodies in {} ms on {} (hash {:016x})",
            numbers::grouped(found.len() as u64),
            numbers::grouped(bodies.len() as u64),
            numbers::milliseconds(stats.total()),
            info.backend.name(),
            found.pairs_fingerprint()
        );
    }
    if choice.backend != Backend::All {
        return Ok(());
    }
    engines::compared(&engines)
}
