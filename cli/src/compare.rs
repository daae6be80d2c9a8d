//! `tangency compare`: all backends on one scene, side by side.

use std::time::Duration;

use clap::Parser;
use serde_json::json;
use tangency::scenes::{SEED, Scene};
use tangency::{BackendKind, Bodies, Engine, Options, Overlaps};

use crate::engines::{Backend, Choice, Labelled, Missing};
use crate::failure::{Failure, Result};
use crate::numbers::{grouped, milliseconds};
use crate::{numbers, output};

#[derive(Parser)]
pub struct Args {
    /// Which scene
    #[arg(long, default_value = "uniform", value_parser = crate::scene::kind)]
    scene: Scene,
    /// How many bodies
    #[arg(long, default_value_t = 100_000)]
    bodies: u32,
    /// The seed
    #[arg(long, default_value_t = SEED, value_parser = numbers::seed)]
    seed: u64,
}

/// Above this, brute force would take longer than anybody waits.
pub const BRUTE_FORCE: usize = 5000;
/// Runs of each engine; the fastest is shown, the first one warms up.
const RUNS: usize = 3;

/// One row of the table.
struct Row {
    label: String,
    adapter: String,
    found: Overlaps,
    total: Duration,
}

fn measure(labelled: &Labelled, bodies: &Bodies) -> Result<Row> {
    let info = labelled.engine.info().clone();
    let runs = if info.backend == BackendKind::BruteForce { 1 } else { RUNS };
    let mut best: Option<Row> = None;
    for _ in 0..runs {
        // A copy is a new set: nothing is left over from the run before.
        let found = labelled.engine.overlaps_with(&bodies.clone(), &Options::new())?;
        let total = found.stats().total();
        if best.as_ref().is_none_or(|row| total < row.total) {
            let threads = if info.threads == 1 { "1 thread".to_owned() } else { format!("{} threads", info.threads) };
            let adapter = info.adapter.clone().unwrap_or(threads);
            best = Some(Row { label: labelled.label.clone(), adapter, found, total });
        }
    }
    best.ok_or_else(|| Failure::Usage("nothing was run".to_owned()))
}

/// The engines to compare: those of the options, one thread for scale, and brute force where it is bearable.
fn engines(choice: &Choice, bodies: usize) -> Result<(Vec<Labelled>, Vec<Missing>)> {
    let (mut engines, mut missing) = choice.engines()?;
    let many = engines.iter().any(|labelled| labelled.engine.info().threads > 1);
    if choice.backend != Backend::Gpu && many {
        let engine = Engine::builder().backend(BackendKind::Cpu).threads(1).build()?;
        engines.insert(0, Labelled { label: "cpu".to_owned(), engine });
    }
    let brute = BackendKind::BruteForce.name().to_owned();
    if bodies <= BRUTE_FORCE {
        let engine = Engine::builder().backend(BackendKind::BruteForce).build()?;
        engines.insert(0, Labelled { label: brute, engine });
    } else {
        let why = format!("all pairs one by one; only up to {} bodies", grouped(BRUTE_FORCE as u64));
        missing.push(Missing { what: brute, why });
    }
    Ok((engines, missing))
}

pub fn run(args: &Args, choice: &Choice) -> Result<()> {
    let spinner = crate::progress::spinner("making the scene".to_owned());
    let bodies = args.scene.build(args.bodies as usize, args.seed)?;
    let (engines, missing) = engines(choice, bodies.len())?;
    let mut rows = Vec::new();
    for labelled in engines {
        spinner.set_message(format!("running {}", labelled.label));
        rows.push(measure(&labelled, &bodies)?);
    }
    spinner.finish_and_clear();
    let first = &rows[0];
    let different: Vec<&str> =
        rows.iter().filter(|row| row.found != first.found).map(|row| row.label.as_str()).collect();
    if choice.json {
        output::json(&as_json(args, &rows, &missing, different.is_empty()))?;
    } else {
        print(args, &rows, &missing, different.is_empty())?;
    }
    if different.is_empty() {
        return Ok(());
    }
    Err(Failure::Wrong(format!("{} found other pairs or relations than {}", different.join(", "), first.label)))
}

fn as_json(args: &Args, rows: &[Row], missing: &[Missing], identical: bool) -> serde_json::Value {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let row = |row: &Row| {
        let stats = row.found.stats();
        let stages: serde_json::Map<_, _> =
            stats.stages.iter().map(|(name, time)| ((*name).to_owned(), json!(milliseconds(*time)))).collect();
        json!({
            "backend": row.label, "adapter": row.adapter, "scene": args.scene.name(), "bodies": args.bodies,
            "stages_ms": stages, "total_ms": milliseconds(row.total), "candidates": stats.candidates,
            "undecided": stats.undecided, "hits": row.found.len(), "hash": format!("{:016x}", row.found.hash()),
            "fingerprint": format!("{:016x}", row.found.fingerprint()),
        })
    };
    json!({
        "rows": rows.iter().map(row).collect::<Vec<_>>(),
        "missing": missing.iter().map(|m| json!({"what": m.what, "why": m.why})).collect::<Vec<_>>(),
        "identical": identical,
    })
}

/// The lines of the table, the header first; numbers are set to the right.
fn print(args: &Args, rows: &[Row], missing: &[Missing], identical: bool) -> Result<()> {
    // The stages of all rows, each once.
    let mut stages: Vec<&str> = Vec::new();
    for (name, _) in rows.iter().flat_map(|row| &row.found.stats().stages) {
        if !stages.contains(name) {
            stages.push(name);
        }
    }
    let mut table: Vec<Vec<String>> = vec![["backend", "adapter"].map(str::to_owned).to_vec()];
    table[0].extend(stages.iter().map(|stage| (*stage).to_owned()));
    let figures = ["total ms", "bodies/s", "candidates", "undecided", "hits", "hash", "fingerprint", "speed-up"];
    table[0].extend(figures.map(str::to_owned));
    let slowest = rows.iter().map(|row| row.total).max().unwrap_or_default();
    for row in rows {
        let stats = row.found.stats();
        let mut line = vec![row.label.clone(), row.adapter.clone()];
        for stage in &stages {
            let time = stats.stages.iter().find(|(name, _)| name == stage).map(|(_, time)| *time);
            line.push(time.map_or_else(|| "-".to_owned(), milliseconds));
        }
        let seconds = row.total.as_secs_f64().max(1e-9);
        line.extend([
            milliseconds(row.total),
            grouped((f64::from(args.bodies) / seconds) as u64),
            grouped(stats.candidates),
            grouped(stats.undecided),
            grouped(row.found.len() as u64),
            format!("{:016x}", row.found.hash()),
            format!("{:016x}", row.found.fingerprint()),
            format!("{:.2}×", slowest.as_secs_f64() / seconds),
        ]);
        table.push(line);
    }
    let widths: Vec<usize> =
        (0..table[0].len()).map(|k| table.iter().map(|line| line[k].chars().count()).max().unwrap_or(0)).collect();
    output::stdout(|out| {
        writeln!(
            out,
            "{}, {} bodies, seed {:#x}; times in ms, the best of {RUNS}",
            args.scene.name(),
            grouped(u64::from(args.bodies)),
            args.seed
        )?;
        for line in &table {
            let cells = line.iter().zip(&widths).enumerate();
            let cells = cells
                .map(|(k, (cell, &width))| if k < 2 { format!("{cell:<width$}") } else { format!("{cell:>width$}") });
            writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        for m in missing {
            writeln!(out, "not run: {}: {}", m.what, m.why)?;
        }
        writeln!(out, "{}", if identical { "all answers are identical" } else { "THE ANSWERS DIFFER" })
    })
}
