//! `tangency bench`: benchmarks on this machine.

use std::time::{Duration, Instant};

use clap::Parser;
use serde_json::json;
use tangency::scenes::{SEED, Scene};
use tangency::{BackendKind, Bodies, Contacts, Index, Overlaps, Until};

use crate::engines::{Choice, Labelled};
use crate::failure::Result;
use crate::numbers::{grouped, milliseconds};
use crate::probes::{self, Probed};
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
    /// Also measure the search for all pairs that are at most so far apart
    #[arg(long, value_name = "DISTANCE")]
    margin: Option<f32>,
    /// Also measure so many rays, from all over the scene in all directions, at an index of it
    #[arg(long, value_name = "COUNT", value_parser = numbers::count::<u32>)]
    rays: Option<u32>,
    /// Also measure the search for the nearest bodies of so many points
    #[arg(long, value_name = "COUNT", value_parser = numbers::count::<u32>)]
    points: Option<u32>,
    /// Also move all bodies by so many times their size, and find which meet
    #[arg(long, value_name = "SIZES")]
    sweep: Option<f32>,
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

fn measure(labelled: &Labelled, scene: Scene, bodies: &Bodies, args: &Args) -> Result<Vec<Row>> {
    let (runs, margin) = (usize::from(args.runs), args.margin);
    let (engine, info) = (&labelled.engine, labelled.engine.info());
    let threads = format!("{} threads", info.threads);
    let adapter = info.adapter.clone().unwrap_or(threads);
    let (mut out, mut work) = (Overlaps::new(), Work::new(labelled)?);
    let (start, mut queries) = (Instant::now(), Vec::new());
    while start.elapsed() < WARM {
        engine.overlaps(bodies).run_into(&mut out)?;
    }
    let mut renewed = bodies.clone();
    for _ in 0..runs {
        // Everything is uploaded and prepared again. The CPU keeps nothing from query to query.
        if info.backend == BackendKind::Gpu {
            work.change(labelled, || renew(&mut renewed))?;
        }
        let start = Instant::now();
        engine.overlaps(&renewed).run_into(&mut out)?;
        queries.push((start.elapsed(), out.stats().stages.clone()));
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
    let (total, stages) = middle(queries);
    let mut rows = vec![row("host to host", total, stages)];
    if info.backend == BackendKind::Gpu {
        let (total, stages) = middle(update(labelled, bodies, runs, &mut work)?);
        rows.push(row("host to host, 1 % changed", total, stages));
        if let Some((queries, uploaded)) = moved(labelled, bodies, runs, &mut work)? {
            let (total, stages) = middle(queries);
            let each = uploaded as f64 / bodies.len() as f64;
            rows.push(row(&format!("host to host, all moved ({each:.1} bytes each)"), total, stages));
        }
    }
    for (what, until) in [
        ("resident, to candidates", Until::Candidates),
        ("resident, to sorted hits", Until::Pairs),
        ("resident, to contacts", Until::Contacts),
    ] {
        if until == Until::Contacts {
            let (queries, undecided) = contacts(labelled, bodies, runs, &mut work)?;
            let (total, stages) = middle(queries);
            rows.push(Row { undecided, ..row(CONTACTS, total, stages) });
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
    if let Some(margin) = margin {
        let found = near(labelled, bodies, (runs, margin), &mut work)?;
        for (what, total, stages) in found.times {
            let Found { candidates, undecided, hits } = found.counts;
            rows.push(Row { candidates, undecided, hits, ..row(&what, total, stages) });
        }
    }
    let probed = [
        args.rays.map(|count| probes::rays(labelled, bodies, (count, runs), WARM).map(|found| vec![found])),
        args.points.map(|count| probes::points(labelled, bodies, (count, runs), WARM).map(|found| vec![found])),
        args.sweep.map(|share| probes::sweep(labelled, bodies, (share, runs), WARM)),
    ];
    for found in probed.into_iter().flatten() {
        for Probed { what, runs, candidates, undecided, hits } in found? {
            let (total, stages) = middle(runs);
            rows.push(Row { candidates, undecided, hits, ..row(&what, total, stages) });
        }
    }
    Ok(rows)
}

/// Queries for pairs that may be some way apart.
struct Near {
    times: Vec<(String, Duration, Stages)>,
    counts: Found,
}

struct Found {
    candidates: u64,
    undecided: u64,
    hits: u64,
}

fn near(labelled: &Labelled, bodies: &Bodies, (runs, margin): (usize, f32), work: &mut Work) -> Result<Near> {
    let (mut bodies, mut out) = (bodies.clone(), Overlaps::new());
    let (start, mut queries) = (Instant::now(), Vec::new());
    while start.elapsed() < WARM {
        labelled.engine.overlaps(&bodies).margin(margin).run_into(&mut out)?;
    }
    for _ in 0..runs {
        if labelled.is_gpu() {
            work.change(labelled, || renew(&mut bodies))?;
        }
        let start = Instant::now();
        labelled.engine.overlaps(&bodies).margin(margin).run_into(&mut out)?;
        queries.push((start.elapsed(), out.stats().stages.clone()));
    }
    let (total, stages) = middle(queries);
    let mut times = vec![(format!("host to host, within {margin}"), total, stages)];
    let untils = [
        ("resident", Until::Near { margin }),
        ("resident, clearances", Until::Clearances { distance: margin }),
        ("resident, contacts", Until::Approaches { margin }),
    ];
    for (what, until) in untils {
        if labelled.engine.measure(&bodies, until, 20)?.is_some()
            && let Some(measured) = labelled.engine.measure(&bodies, until, runs)?
        {
            let mut stages = vec![("encoding", median(measured.encoding))];
            stages.extend(measured.stages);
            times.push((format!("{what} within {margin}"), median(measured.times), stages));
        }
    }
    let stats = out.stats();
    let counts = Found { candidates: stats.candidates, undecided: stats.undecided, hits: out.len() as u64 };
    Ok(Near { times, counts })
}

/// What a device works at between the queries that are measured. (An index has memory of its own on the device.)
struct Work {
    index: Index,
    out: Overlaps,
}

impl Work {
    fn new(labelled: &Labelled) -> Result<Self> {
        Ok(Self { index: labelled.engine.index(&Scene::Uniform.build(50_000, 1)?)?, out: Overlaps::new() })
    }

    /// Has the host change bodies, and then the device search another set for as long as that took: devices that idle reduce their clocks,
    /// and would then be measured instead of the query.
    fn change(&mut self, labelled: &Labelled, change: impl FnOnce() -> Result<()>) -> Result<()> {
        let start = Instant::now();
        change()?;
        let taken = start.elapsed();
        while labelled.is_gpu() && start.elapsed() < 2 * taken {
            labelled.engine.overlaps(&self.index).run_into(&mut self.out)?;
        }
        Ok(())
    }
}

/// Replaces every body by an equal one, so that an engine that knows the set has to take all of it anew.
pub fn renew(bodies: &mut Bodies) -> Result<()> {
    let shapes = (0..bodies.len() as u32).map(|i| bodies.shape(i)).collect::<tangency::Result<Vec<_>>>()?;
    bodies.set_shapes(0, shapes)?;
    Ok(())
}

/// What the row of contacts measures.
const CONTACTS: &str = "host to host, contacts";

/// Queries for the contacts of a set that is new to the engine each time, as those for pairs. Returns them, and how many pairs were
/// undecided.
fn contacts(labelled: &Labelled, bodies: &Bodies, runs: usize, work: &mut Work) -> Result<(Vec<Query>, u64)> {
    let (mut bodies, mut out) = (bodies.clone(), Contacts::new());
    let (start, mut queries) = (Instant::now(), Vec::new());
    while start.elapsed() < WARM {
        labelled.engine.contacts(&bodies).run_into(&mut out)?;
    }
    for _ in 0..runs {
        if labelled.is_gpu() {
            work.change(labelled, || renew(&mut bodies))?;
        }
        let start = Instant::now();
        labelled.engine.contacts(&bodies).run_into(&mut out)?;
        queries.push((start.elapsed(), out.stats().stages.clone()));
    }
    Ok((queries, out.stats().undecided))
}

/// The times of stages, by name.
type Stages = Vec<(&'static str, Duration)>;

/// The time of a query, and of its stages.
type Query = (Duration, Stages);

/// The query of median time.
fn middle(mut queries: Vec<Query>) -> Query {
    queries.sort_unstable_by_key(|(time, _)| *time);
    let at = queries.len() / 2;
    if queries.is_empty() { Query::default() } else { queries.swap_remove(at) }
}

/// Queries of a set in which every hundredth body is changed before each query (to an equal shape).
fn update(labelled: &Labelled, bodies: &Bodies, runs: usize, work: &mut Work) -> Result<Vec<Query>> {
    let (mut bodies, mut out) = (bodies.clone(), Overlaps::new());
    let (warm, mut queries) = (Instant::now(), Vec::new());
    while queries.len() < runs {
        work.change(labelled, || {
            for i in (0..bodies.len() as u32).step_by(100) {
                bodies.set_shape(i, bodies.shape(i)?)?;
            }
            Ok(())
        })?;
        let start = Instant::now();
        labelled.engine.overlaps(&bodies).run_into(&mut out)?;
        if warm.elapsed() > WARM {
            queries.push((start.elapsed(), out.stats().stages.clone()));
        }
    }
    Ok(queries)
}

/// Queries of a set in which every body gets a pose before each query (an equal one). Returns them, and how many bytes each has uploaded;
/// absent if not all bodies have poses.
fn moved(labelled: &Labelled, bodies: &Bodies, runs: usize, work: &mut Work) -> Result<Option<(Vec<Query>, u64)>> {
    let (mut bodies, mut out) = (bodies.clone(), Overlaps::new());
    let Ok(poses) = (0..bodies.id_bound() as u32).map(|id| bodies.pose(id)).collect::<tangency::Result<Vec<_>>>()
    else {
        return Ok(None);
    };
    labelled.engine.overlaps(&bodies).run_into(&mut out)?;
    let mut queries = Vec::new();
    for _ in 0..runs {
        work.change(labelled, || Ok(bodies.set_poses(0, &poses)?))?;
        let start = Instant::now();
        labelled.engine.overlaps(&bodies).run_into(&mut out)?;
        queries.push((start.elapsed(), out.stats().stages.clone()));
    }
    Ok(Some((queries, out.stats().uploaded)))
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
                rows.extend(measure(labelled, *scene, &bodies, args)?);
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
