//! `tangency overlaps`: the pairs of a scene.

use std::io::Write;
use std::path::PathBuf;

use clap::Parser;
use serde_json::json;
use tangency::{BackendKind, Bodies, Engine, Options, Overlaps};

use crate::compare::BRUTE_FORCE;
use crate::engines::{Backend, Choice, Labelled};
use crate::failure::{Failure, Result};
use crate::{numbers, output, scene_csv};

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
    /// Where to write the pairs (a,b,relation; 1 touching, 2 overlapping) [default: standard output]
    #[arg(long, value_name = "PAIRS.csv")]
    out: Option<PathBuf>,
}

pub fn run(args: &Args, choice: &Choice) -> Result<()> {
    let bodies = scene_csv::read(&args.scene)?;
    let other = args.with.as_deref().map(scene_csv::read).transpose()?;
    let options = Options::new().overlapping_only(args.overlapping_only);
    let spinner = crate::progress::spinner("finding pairs".to_owned());
    let (engine, found) = find(&bodies, other.as_ref(), &options, choice)?;
    spinner.finish_and_clear();
    let write = |out: &mut dyn Write| {
        writeln!(out, "a,b,relation")?;
        found.iter().try_for_each(|(a, b, relation)| writeln!(out, "{a},{b},{}", relation as u8))
    };
    if args.out.is_some() || !choice.json {
        output::write_to(args.out.as_deref(), write)?;
    }
    let (info, stats) = (engine.info(), found.stats());
    if choice.json {
        let mut summary = json!({
            "backend": info.backend.name(), "adapter": info.adapter, "bodies": bodies.len(),
            "candidates": stats.candidates, "undecided": stats.undecided, "hits": found.len(),
            "hash": format!("{:016x}", found.hash()), "fingerprint": format!("{:016x}", found.fingerprint()),
            "total_ms": stats.total().as_secs_f64() * 1e3,
        });
        if args.out.is_none() {
            summary["pairs"] = found.iter().map(|(a, b, relation)| json!([a, b, relation as u8])).collect();
        }
        return output::json(&summary);
    }
    eprintln!(
        "{} pairs of {} bodies in {} ms on {} (hash {:016x})",
        numbers::grouped(found.len() as u64),
        numbers::grouped(bodies.len() as u64),
        numbers::milliseconds(stats.total()),
        info.backend.name(),
        found.hash()
    );
    Ok(())
}

/// The pairs, by the engine chosen, or by all of them if all agree. Of few bodies brute force is the judge; of more, the first.
fn find(bodies: &Bodies, other: Option<&Bodies>, options: &Options, choice: &Choice) -> Result<(Engine, Overlaps)> {
    let ask = |engine: &Engine| match other {
        Some(other) => engine.overlaps_between_with(bodies, other, options),
        None => engine.overlaps_with(bodies, options),
    };
    if choice.backend != Backend::All {
        let engine = choice.engine()?;
        let found = ask(&engine)?;
        return Ok((engine, found));
    }
    let mut engines = choice.engines()?.0;
    if bodies.len() + other.map_or(0, Bodies::len) <= BRUTE_FORCE {
        let engine = Engine::builder().backend(BackendKind::BruteForce).build()?;
        engines.insert(0, Labelled { label: BackendKind::BruteForce.name().to_owned(), engine });
    }
    let mut judge: Option<(String, Overlaps)> = None;
    let mut last = None;
    for Labelled { label, engine } in engines {
        let found = ask(&engine)?;
        let (first, expected) = judge.get_or_insert_with(|| (label.clone(), found.clone()));
        if *expected != found {
            return Err(Failure::Wrong(format!("{label} found other pairs or relations than {first}")));
        }
        last = Some((engine, found));
    }
    last.ok_or_else(|| Failure::Usage("no backend is available".to_owned()))
}
