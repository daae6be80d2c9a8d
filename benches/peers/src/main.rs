//! This library beside others on the standard scene: what `run.sh` runs.
//!
//! On the CPU this program measures both itself, in turn. What was measured on a GPU, by `tangency bench --json` and by the program for
//! cuBQL, it reads from files, and writes one table of all. Rays and points it measures on a GPU itself (`--on-gpu`).

mod near;
mod parry;
mod probes;
#[cfg(feature = "gpu")]
mod recorded;

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Parser;
use probes::{Counts, Probes};
use serde_json::{Value, json};
use tangency::shape::Obb;
use tangency::{BackendKind, Bodies, Engine, Overlaps};

#[derive(Parser)]
#[command(name = "tangency-peers", about = "This library beside others on the standard scene")]
struct Args {
    /// How many bodies: numbers such as 100k or 1M
    #[arg(long, default_value = "100k,1M", value_delimiter = ',', value_parser = count)]
    bodies: Vec<usize>,
    /// Threads of each library; all cores unless given
    #[arg(long)]
    threads: Option<usize>,
    /// Runs of each measurement after two that do not count; the median is shown
    #[arg(long, default_value_t = 9)]
    runs: usize,
    /// Rows that were measured on a GPU: what `tangency bench --backend gpu --json` printed
    #[arg(long)]
    gpu: Vec<PathBuf>,
    /// Rows of others: what the programs for cuBQL printed, or what this program wrote
    #[arg(long)]
    rows: Vec<PathBuf>,
    /// Where to write all rows as JSON, with the machine and this command
    #[arg(long)]
    out: Option<PathBuf>,
    /// Only write the bounds of the bodies to this file, six floats each, for the program for cuBQL
    #[arg(long)]
    boxes: Option<PathBuf>,
    /// Also find the nearest hits of so many rays, from all over the scene in all directions
    #[arg(long, value_parser = count)]
    rays: Option<usize>,
    /// Also find the nearest hits of the rays of a picture of the scene, with so many pixels along each side
    #[arg(long, value_name = "SIDE", value_parser = count)]
    picture: Option<usize>,
    /// Also find the nearest bodies of so many points, all over the scene
    #[arg(long, value_parser = count)]
    points: Option<usize>,
    /// Find no pairs: only what rays and points find
    #[arg(long)]
    no_pairs: bool,
    /// Rays and points on a GPU, by this library alone, instead of all on the CPU
    #[arg(long)]
    on_gpu: bool,
    /// Only write the bodies, the rays and the points to files in this folder, for the program for cuBQL
    #[arg(long, value_name = "FOLDER")]
    near: Option<PathBuf>,
}

/// A number with k for thousands or M for millions.
fn count(text: &str) -> Result<usize, String> {
    let (digits, factor) = match text.strip_suffix(['k', 'M']) {
        Some(digits) if text.ends_with('k') => (digits, 1_000),
        Some(digits) => (digits, 1_000_000),
        None => (text, 1),
    };
    let number: usize = digits.parse().map_err(|_| format!("{text}: not a number such as 100k"))?;
    Ok(number * factor)
}

/// The seed of the standard scene.
const SEED: u64 = tangency::scenes::SEED;

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, Duration::as_secs_f64) * 1e3
}

/// One line of the table.
fn row(system: &str, on: &str, bodies: usize, what: &str, ms: f64, pairs: usize) -> Value {
    json!({ "system": system, "on": on, "bodies": bodies, "what": what, "ms": ms, "pairs": pairs })
}

/// Both libraries on the CPU, in turn.
fn measure(boxes: &[Obb], threads: usize, runs: usize) -> Result<Vec<Value>, Box<dyn Error>> {
    let mut bodies = Bodies::new();
    bodies.extend(boxes.iter().copied())?;
    let engine = Engine::builder().backend(BackendKind::Cpu).threads(threads).build()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let peer = parry::Boxes::new(boxes);
    let (mut out, mut own, mut stages, mut theirs) = (Overlaps::new(), Vec::new(), Vec::new(), Vec::new());
    for run in 0..runs + 2 {
        let start = Instant::now();
        engine.overlaps(&bodies).run_into(&mut out)?;
        let time = start.elapsed();
        let answer = pool.install(|| peer.overlaps());
        if run >= 2 {
            own.push(time);
            stages.push(out.stats().stages.clone());
            theirs.push(answer);
        }
    }
    let Some(last) = theirs.last() else { return Ok(Vec::new()) };
    let (n, on) = (boxes.len(), format!("{threads} threads"));
    let of_parry = |what: &str, time: fn(&parry::Answer) -> Duration, pairs: usize| {
        row("parry 0.31", &on, n, what, median(theirs.iter().map(time).collect()), pairs)
    };
    let ours = row("tangency", &on, n, "all: exact pairs in canonical order", median(own), out.len());
    let of_stage = |(name, _): &(&'static str, Duration)| {
        let times = stages.iter().flatten().filter(|(other, _)| other == name).map(|(_, time)| *time).collect();
        row("tangency", &on, n, &format!("of that: {name}"), median(times), out.len())
    };
    let mut rows = vec![ours];
    rows.extend(out.stats().stages.iter().map(of_stage));
    rows.extend([
        of_parry("all: pairs in any order, f32", parry::Answer::total, last.hits),
        of_parry("of that: bounds", |answer| answer.bounds, n),
        of_parry("of that: build, by one thread", |answer| answer.build, n),
        of_parry("of that: pairs", |answer| answer.pairs, last.candidates),
        of_parry("of that: test", |answer| answer.test, last.hits),
        of_parry("all but build", parry::Answer::without_build, last.hits),
        of_parry("instead of build, where the tree is kept: refit", |answer| answer.refit, n),
    ]);
    Ok(rows)
}

/// The rows of a file that `tangency bench --json` wrote.
fn gpu_rows(text: &str) -> Result<Vec<Value>, Box<dyn Error>> {
    let record: Value = serde_json::from_str(text)?;
    let rows = record["rows"].as_array().ok_or("there are no rows")?;
    let wanted = |row: &&Value| row["backend"] != "cpu" && row["scene"] == "uniform";
    Ok(rows
        .iter()
        .filter(wanted)
        .map(|row| {
            let what = row["what"].as_str().unwrap_or_default();
            let pairs = if what.contains("candidates") { &row["candidates"] } else { &row["hits"] };
            json!({ "system": "tangency", "on": row["adapter"], "bodies": row["bodies"], "what": what,
                    "ms": row["total_ms"], "pairs": pairs })
        })
        .collect())
}

/// The processor, where the system tells.
fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    model.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.to_owned())
}

fn table(rows: &[Value]) -> String {
    let line = |row: &Value| {
        let of = |key: &str| row[key].as_str().unwrap_or_default();
        let number = |key: &str| row[key].as_u64().map_or_else(String::new, |number| number.to_string());
        let ms = row["ms"].as_f64().unwrap_or(0.0);
        let ms = if ms < 10.0 { format!("{ms:.2}") } else { format!("{ms:.1}") };
        let sum = row["sum"].as_f64().map_or_else(String::new, |sum| format!("{sum:.1}"));
        let (bodies, pairs, at_zero) = (number("bodies"), number("pairs"), number("at_zero"));
        let [system, on, what] = ["system", "on", "what"].map(of);
        format!("| {bodies} | {system} | {on} | {what} | {ms} | {pairs} | {at_zero} | {sum} |\n")
    };
    let head = "| bodies | system | on | what | ms | found | of that at 0 | sum |\n|---|---|---|---|---|---|---|---|\n";
    head.to_owned() + &rows.iter().map(line).collect::<String>()
}

/// How many times as fast as parry this library is on the CPU, for each number of bodies.
fn ratios(rows: &[Value]) -> String {
    let of = |system: &str, n: u64, what: &str| {
        let same = |row: &&Value| row["system"] == system && row["bodies"] == n && row["what"] == what;
        rows.iter().find(same).and_then(|row| row["ms"].as_f64())
    };
    let mut sizes: Vec<u64> = rows.iter().filter_map(|row| row["bodies"].as_u64()).collect();
    sizes.dedup();
    let pairs = |n: u64| {
        let own = of("tangency", n, "all: exact pairs in canonical order")?;
        let all = of("parry 0.31", n, "all: pairs in any order, f32")? / own;
        let rest = of("parry 0.31", n, "all but build")? / own;
        Some(format!(
            "{n} bodies: {all:.2} times as fast as parry, {rest:.2} times as fast as parry without its build\n"
        ))
    };
    // Rays and points have rows of the same name, which say how many are at 0.
    let near = |row: &Value| {
        row.get("at_zero")?;
        let (n, what) = (row["bodies"].as_u64()?, row["what"].as_str()?);
        let ratio = row["ms"].as_f64()? / of("tangency", n, what)?;
        (row["system"] == "parry 0.31")
            .then(|| format!("{n} bodies, {what}: {ratio:.2} times as fast as parry, whose tree is there already\n"))
    };
    sizes.into_iter().filter_map(pairs).chain(rows.iter().filter_map(near)).collect()
}

/// The rows of a file that another program wrote: a list, or a record with one.
fn rows_of_others(text: &str) -> Result<Vec<Value>, Box<dyn Error>> {
    let mut value: Value = serde_json::from_str(text)?;
    let rows = value.get_mut("rows").map(Value::take).unwrap_or(value);
    Ok(serde_json::from_value(rows)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let threads = args.threads.unwrap_or_else(rayon::current_num_threads);
    if let Some(path) = &args.boxes {
        let n = args.bodies.first().copied().unwrap_or(0);
        let bounds = parry::Boxes::new(&tangency::scenes::uniform(n, SEED)?).bounds();
        let corners = bounds.iter().flat_map(|b| [b.mins, b.maxs].into_iter().flat_map(|v| v.to_array()));
        fs::write(path, corners.flat_map(f32::to_le_bytes).collect::<Vec<u8>>())?;
        return Ok(());
    }
    let counts = Counts { rays: args.rays, picture: args.picture, points: args.points };
    if let Some(folder) = &args.near {
        let boxes = tangency::scenes::uniform(args.bodies.first().copied().unwrap_or(0), SEED)?;
        return Probes::new(&boxes, counts)?.write(&boxes, folder);
    }
    let mut rows = Vec::new();
    for n in &args.bodies {
        let boxes = tangency::scenes::uniform(*n, SEED)?;
        if !args.no_pairs && !args.on_gpu {
            rows.extend(measure(&boxes, threads, args.runs)?);
        }
        if counts.any() {
            let probes = Probes::new(&boxes, counts)?;
            let measure = if args.on_gpu { near::on_gpu } else { near::on_cpu };
            rows.extend(measure(&boxes, &probes, threads, args.runs)?);
        }
    }
    for path in &args.gpu {
        rows.extend(gpu_rows(&fs::read_to_string(path)?)?);
    }
    for path in &args.rows {
        rows.extend(rows_of_others(&fs::read_to_string(path)?)?);
    }
    rows.sort_by_key(|row| row["bodies"].as_u64());
    print!("{}\n{}", table(&rows), ratios(&rows));
    if let Some(path) = &args.out {
        let record = json!({
            "cpu": processor(), "threads": threads, "runs": args.runs,
            "command": std::env::args().collect::<Vec<_>>().join(" "), "rows": rows,
        });
        fs::write(path, format!("{record:#}\n"))?;
    }
    Ok(())
}
