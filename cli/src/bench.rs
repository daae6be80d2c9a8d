//! `tangency bench`: benchmarks on this machine.

use std::time::{Duration, Instant};

use clap::Parser;
use serde_json::json;
use tangency::scenes::{SEED, Scene};
use tangency::{BackendKind, Bodies, Contacts, Overlaps, Stats, Until};

use crate::engines::{Choice, Labelled};
use crate::failure::Result;
use crate::numbers::{grouped, milliseconds};
use crate::{numbers, output, progress};

#[derive(Parser)]
pub struct Args {
    /// Which scenes
    #[arg(long, default_value = "uniform", value_delimiter = ',', value_parser = crate::scene::kind())]
    scene: Vec<Scene>,
    /// How many bodies: numbers such as 10k or 1M
    #[arg(long, default_value = "10k,100k", value_delimiter = ',', value_parser = numbers::count::<u32>)]
    bodies: Vec<u32>,
    /// The seed
    #[arg(long, default_value_t = SEED, value_parser = numbers::seed)]
    seed: u64,
    /// Runs of each measurement after warming up; the median is shown
    #[arg(long, default_value_t = 15, value_parser = numbers::positive::<u16>)]
    runs: u16,
    /// Measure each stage of a GPU by its own clock
    #[arg(long)]
    profile: bool,
    #[command(flatten)]
    pub choice: Choice,
}

/// One line of the table.
struct Row {
    backend: String,
    adapter: String,
    scene: Scene,
    bodies: u32,
    /// What was measured: from bodies on the host to pairs on the host, or with both on the device.
    what: String,
    total: Duration,
    stages: Stages,
    candidates: u64,
    undecided: u64,
    hits: u64,
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// The least time for warming up devices and caches.
const WARM: Duration = Duration::from_millis(300);

fn measure(labelled: &Labelled, scene: Scene, bodies: &Bodies, runs: usize) -> Result<Vec<Row>> {
    let (engine, info) = (&labelled.engine, labelled.engine.info());
    let threads = format!("{} threads", info.threads);
    let adapter = info.adapter.clone().unwrap_or(threads);
    let mut out = Overlaps::new();
    let (start, mut times) = (Instant::now(), Vec::new());
    while start.elapsed() < WARM {
        engine.overlaps(bodies).run_into(&mut out)?;
    }
    let mut renewed = bodies.clone();
    for _ in 0..runs {
        // Everything is uploaded and prepared again. The CPU keeps nothing from query to query.
        if info.backend == BackendKind::Gpu {
            renew(&mut renewed)?;
        }
        let start = Instant::now();
        engine.overlaps(&renewed).run_into(&mut out)?;
        times.push(start.elapsed());
    }
    let stats = out.stats();
    let row = |what: &str, total, stages| Row {
        backend: labelled.label.clone(),
        adapter: adapter.clone(),
        scene,
        bodies: bodies.len() as u32,
        what: what.to_owned(),
        total,
        stages,
        candidates: stats.candidates,
        undecided: stats.undecided,
        hits: out.len() as u64,
    };
    let mut rows = vec![row("host to host", median(times), stats.stages.clone())];
    if info.backend == BackendKind::Gpu {
        let (times, stages) = update(labelled, bodies, runs)?;
        rows.push(row("host to host, 1 % changed", median(times), stages));
        if let Some((times, stats)) = moved(labelled, bodies, runs)? {
            let each = stats.uploaded as f64 / bodies.len() as f64;
            rows.push(row(&format!("host to host, all moved ({each:.1} bytes each)"), median(times), stats.stages));
        }
    }
    for (what, until) in [
        ("resident, to candidates", Until::Candidates),
        ("resident, to sorted hits", Until::Pairs),
        ("resident, to contacts", Until::Contacts),
    ] {
        if until == Until::Contacts {
            let (times, met) = contacts(labelled, bodies, runs)?;
            rows.push(Row { undecided: met.undecided, ..row(CONTACTS, median(times), met.stages) });
        }
        // Devices reduce their clocks while they are idle, and take a while to return to full speed.
        let start = Instant::now();
        while start.elapsed() < WARM {
            if engine.measure(bodies, until, 20)?.is_none() {
                break;
            }
        }
        if let Some(measured) = engine.measure(bodies, until, runs)? {
            let mut stages = vec![("encoding", median(measured.encoding))];
            stages.extend(measured.stages);
            rows.push(row(what, median(measured.times), stages));
        }
    }
    Ok(rows)
}

/// Replaces every body by an equal one, so that an engine that knows the set has to take all of it anew.
pub fn renew(bodies: &mut Bodies) -> Result<()> {
    let shapes = (0..bodies.len() as u32).map(|i| bodies.shape(i)).collect::<tangency::Result<Vec<_>>>()?;
    bodies.set_shapes(0, shapes)?;
    Ok(())
}

/// What the row of contacts measures.
const CONTACTS: &str = "host to host, contacts";

/// Queries for the contacts of a set that is new to the engine each time, as those for pairs. Returns their times, and how the last went.
fn contacts(labelled: &Labelled, bodies: &Bodies, runs: usize) -> Result<(Vec<Duration>, Stats)> {
    let (mut bodies, mut out) = (bodies.clone(), Contacts::new());
    let (start, mut times) = (Instant::now(), Vec::new());
    while start.elapsed() < WARM {
        labelled.engine.contacts(&bodies).run_into(&mut out)?;
    }
    for _ in 0..runs {
        if labelled.is_gpu() {
            renew(&mut bodies)?;
        }
        let start = Instant::now();
        labelled.engine.contacts(&bodies).run_into(&mut out)?;
        times.push(start.elapsed());
    }
    Ok((times, out.stats().clone()))
}

/// The times of stages, by name.
type Stages = Vec<(&'static str, Duration)>;

/// Queries of a set in which every hundredth body is changed before each query (to an equal shape). Returns their times, and the
/// stages of the last one.
fn update(labelled: &Labelled, bodies: &Bodies, runs: usize) -> Result<(Vec<Duration>, Stages)> {
    let (mut bodies, mut out) = (bodies.clone(), Overlaps::new());
    let (warm, mut times) = (Instant::now(), Vec::new());
    while times.len() < runs {
        for i in (0..bodies.len() as u32).step_by(100) {
            bodies.set_shape(i, bodies.shape(i)?)?;
        }
        let start = Instant::now();
        labelled.engine.overlaps(&bodies).run_into(&mut out)?;
        if warm.elapsed() > WARM {
            times.push(start.elapsed());
        }
    }
    Ok((times, out.stats().stages.clone()))
}

/// Queries of a set in which every body gets a pose before each query (an equal one). Returns their times, and how the last went; absent
/// if not all bodies have poses.
fn moved(labelled: &Labelled, bodies: &Bodies, runs: usize) -> Result<Option<(Vec<Duration>, Stats)>> {
    let (mut bodies, mut out) = (bodies.clone(), Overlaps::new());
    let Ok(poses) = (0..bodies.id_bound() as u32).map(|id| bodies.pose(id)).collect::<tangency::Result<Vec<_>>>()
    else {
        return Ok(None);
    };
    labelled.engine.overlaps(&bodies).run_into(&mut out)?;
    let mut times = Vec::new();
    for _ in 0..runs {
        bodies.set_poses(0, &poses)?;
        let start = Instant::now();
        labelled.engine.overlaps(&bodies).run_into(&mut out)?;
        times.push(start.elapsed());
    }
    Ok(Some((times, out.stats().clone())))
}

pub fn run(args: &Args, choice: &Choice) -> Result<()> {
    let choice = &Choice { profile: args.profile, ..choice.clone() };
    let (engines, missing) = choice.engines()?;
    let steps = args.scene.len() * args.bodies.len() * engines.len();
    let bar = progress::bar(steps as u64, "measuring");
    let mut rows = Vec::new();
    for scene in &args.scene {
        for n in &args.bodies {
            let bodies = scene.build(*n as usize, args.seed)?;
            for labelled in &engines {
                bar.set_message(format!("{} on {}, {} bodies", labelled.name(), scene.name(), grouped(u64::from(*n))));
                rows.extend(measure(labelled, *scene, &bodies, usize::from(args.runs))?);
                bar.inc(1);
            }
        }
    }
    bar.finish_and_clear();
    if choice.json {
        let rows: Vec<_> = rows.iter().map(as_json).collect();
        let missing: Vec<_> = missing.iter().map(|m| json!({"what": m.what, "why": m.why})).collect();
        return output::json(&json!({ "rows": rows, "missing": missing }));
    }
    output::stdout(|out| {
        for row in &rows {
            let stages: Vec<String> =
                row.stages.iter().map(|(name, time)| format!("{name} {}", milliseconds(*time))).collect();
            writeln!(
                out,
                "{:<10} {:<28} {:<10} {:>10}  {:<25} {:>9} ms  {:>12} candidates {:>9} undecided {:>12} hits",
                row.backend,
                row.adapter,
                row.scene.name(),
                grouped(u64::from(row.bodies)),
                row.what,
                milliseconds(row.total),
                grouped(row.candidates),
                grouped(row.undecided),
                grouped(row.hits)
            )?;
            if !stages.is_empty() {
                writeln!(out, "           {}", stages.join(", "))?;
            }
        }
        for m in &missing {
            writeln!(out, "not run: {}: {}", m.what, m.why)?;
        }
        Ok(())
    })
}

fn as_json(row: &Row) -> serde_json::Value {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let stages: serde_json::Map<_, _> =
        row.stages.iter().map(|(name, time)| ((*name).to_owned(), json!(milliseconds(*time)))).collect();
    json!({
        "backend": row.backend, "adapter": row.adapter, "scene": row.scene.name(), "bodies": row.bodies, "what": row.what,
        "total_ms": milliseconds(row.total), "stages_ms": stages, "candidates": row.candidates,
        "undecided": row.undecided, "hits": row.hits,
    })
}
