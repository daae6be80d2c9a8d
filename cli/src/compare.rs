//! `tangency compare`: all backends on one scene, of one size or several, side by side.

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use serde_json::json;
use tangency::scenes::{SEED, Scene};
use tangency::{BackendKind, Bodies, Contacts, Engine, Overlaps, Stats};

use crate::engines::{Backend, Choice, Labelled, Missing};
use crate::failure::{Failure, Result};
use crate::numbers::{grouped, milliseconds};
use crate::output::Target;
use crate::report::{self, record::Record};
use crate::{engines, machine, numbers, output, progress};

#[derive(Parser)]
pub struct Args {
    /// Which scene
    #[arg(long, default_value = "uniform", value_parser = crate::scene::kind())]
    scene: Scene,
    /// How many bodies: one number or several, such as 10k,100k,1M
    #[arg(long, default_value = "100k", value_delimiter = ',', value_parser = numbers::count::<u32>)]
    bodies: Vec<u32>,
    /// The seed
    #[arg(long, default_value_t = SEED, value_parser = numbers::seed)]
    seed: u64,
    /// Write a page for a browser as well: time by stage and over bodies, agreement, undecided pairs, the machine. (For several machines
    /// in one page, keep what --json prints of each, and give all of them to `tangency report`.)
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Measure each stage of a GPU by its own clock
    #[arg(long)]
    profile: bool,
    #[command(flatten)]
    pub choice: Choice,
}

/// The most bodies for which brute force takes an acceptable time.
pub const BRUTE_FORCE: usize = 5000;
/// Runs of each engine. The fastest is shown; the first one warms up.
const RUNS: usize = 3;

/// One row of the table.
struct Row {
    label: String,
    adapter: String,
    found: Overlaps,
    total: Duration,
    contacts: Met,
}

/// What is kept of an engine's contacts, which would take much memory for all engines.
struct Met {
    count: u64,
    fingerprint: u64,
    on_host: u64,
    total: Duration,
}

/// The fastest of some runs, each with bodies that are new to the engine, so that nothing is left over from the run before.
fn fastest<T>(
    runs: usize,
    bodies: &mut Bodies,
    ask: impl Fn(&Bodies) -> tangency::Result<T>,
    stats: impl Fn(&T) -> &Stats,
) -> Result<T> {
    let mut best: Option<T> = None;
    for _ in 0..runs {
        crate::bench::renew(bodies)?;
        let found = ask(bodies)?;
        if best.as_ref().is_none_or(|best| stats(&found).total() < stats(best).total()) {
            best = Some(found);
        }
    }
    best.ok_or_else(|| Failure::Usage("nothing was run".to_owned()))
}

fn measure(labelled: &Labelled, bodies: &Bodies) -> Result<Row> {
    let (engine, mut bodies) = (&labelled.engine, bodies.clone());
    let runs = if engine.info().backend == BackendKind::BruteForce { 1 } else { RUNS };
    let found = fastest(runs, &mut bodies, |bodies| engine.overlaps(bodies).run(), Overlaps::stats)?;
    let contacts = fastest(runs, &mut bodies, |bodies| engine.contacts(bodies).run(), Contacts::stats)?;
    if *contacts.pairs() != found {
        let name = labelled.name();
        return Err(Failure::Wrong(format!("{name} found contacts of other pairs or relations than it found pairs")));
    }
    let met = Met {
        count: contacts.len() as u64,
        fingerprint: contacts.fingerprint(),
        on_host: contacts.computed_on_host(),
        total: contacts.stats().total(),
    };
    let total = found.stats().total();
    Ok(Row { label: labelled.label.clone(), adapter: labelled.runs_on(), found, total, contacts: met })
}

/// The engines to compare: those of the options, the CPU with one thread for scale, and, first, brute force if few bodies are among the sizes.
fn chosen(choice: &Choice, sizes: &[u32]) -> Result<(Vec<Labelled>, Vec<Missing>)> {
    let (mut engines, mut missing) = choice.engines()?;
    let many = engines.iter().any(|labelled| labelled.engine.info().threads > 1);
    if choice.backend != Backend::Gpu && many {
        let engine = Engine::builder().backend(BackendKind::Cpu).threads(1).build()?;
        engines.insert(0, Labelled::new("cpu", engine));
    }
    let brute = BackendKind::BruteForce.name().to_owned();
    if sizes.iter().any(|bodies| *bodies as usize > BRUTE_FORCE) {
        let why = format!("all pairs one by one; only up to {} bodies", grouped(BRUTE_FORCE as u64));
        missing.push(Missing { what: brute.clone(), why });
    }
    if sizes.iter().any(|bodies| *bodies as usize <= BRUTE_FORCE) {
        let engine = Engine::builder().backend(BackendKind::BruteForce).build()?;
        engines.insert(0, Labelled::new(brute, engine));
    }
    Ok((engines, missing))
}

/// What was found for one number of bodies.
struct Outcome<'a> {
    bodies: u32,
    engines: &'a [Labelled],
    rows: Vec<Row>,
    verdict: Verdict,
}

pub fn run(args: &Args, choice: &Choice) -> Result<()> {
    let choice = &Choice { profile: args.profile, ..choice.clone() };
    let report = Target::page(args.report.as_deref(), &[])?;
    let spinner = progress::spinner("making the scene".to_owned());
    let (engines, missing) = chosen(choice, &args.bodies)?;
    let table = Table::new(&engines);
    let mut outcomes: Vec<Outcome<'_>> = Vec::new();
    for bodies in &args.bodies {
        let engines = match engines.split_first() {
            Some((first, rest)) if is_brute_force(first) && *bodies as usize > BRUTE_FORCE => rest,
            _ => &engines,
        };
        let scene = args.scene.build(*bodies as usize, args.seed)?;
        let mut rows: Vec<Row> = Vec::new();
        if !choice.json {
            spinner.suspend(|| table.header(args, *bodies))?;
        }
        for labelled in engines {
            spinner.set_message(format!("running {}", labelled.name()));
            let row = progress::watched(&spinner, labelled, || measure(labelled, &scene))?;
            if !choice.json {
                let first = rows.first().map_or(row.total, |first| first.total);
                spinner.suspend(|| table.row(&row, first, *bodies))?;
            }
            rows.push(row);
        }
        let verdict = verdict(engines, &rows);
        outcomes.push(Outcome { bodies: *bodies, engines, rows, verdict });
    }
    spinner.finish_and_clear();
    if choice.json || report.is_some() {
        let record = as_json(args, &engines, &outcomes, &missing);
        if choice.json {
            output::json(&record)?;
        }
        if let Some(target) = report {
            let record = Record::parse("this machine".to_owned(), record).map_err(Failure::Wrong)?;
            report::comparison::write(target, &[record])?;
        }
    }
    if !choice.json {
        print_verdict(&engines, &missing, &outcomes)?;
    }
    conclusion(&outcomes)
}

fn is_brute_force(labelled: &Labelled) -> bool {
    labelled.engine.info().backend == BackendKind::BruteForce
}

/// A failure unless something was compared for every number of bodies, and was identical.
fn conclusion(outcomes: &[Outcome<'_>]) -> Result<()> {
    let at = |outcome: &Outcome<'_>| match outcomes.len() {
        1 => String::new(),
        _ => format!("{} bodies: ", grouped(u64::from(outcome.bodies))),
    };
    let told = |outcome: &Outcome<'_>| match &outcome.verdict {
        Verdict::Different(what) => Some(format!("{}{what}", at(outcome))),
        _ => None,
    };
    let different: Vec<String> = outcomes.iter().filter_map(told).collect();
    if !different.is_empty() {
        return Err(Failure::Wrong(different.join("; ")));
    }
    match outcomes.iter().find(|outcome| matches!(outcome.verdict, Verdict::OneBackend)) {
        Some(outcome) => Err(Failure::Unchecked(format!(
            "{}nothing was compared: only one backend answered; give it a GPU, or at most {} bodies for brute force",
            at(outcome),
            grouped(BRUTE_FORCE as u64)
        ))),
        None => Ok(()),
    }
}

/// Whether all rows are those of the first engine.
fn verdict(engines: &[Labelled], rows: &[Row]) -> Verdict {
    let different: Vec<String> = [
        ("pairs or relations", differing(engines, rows, |row, first| row.found != first.found)),
        ("contacts", differing(engines, rows, |row, first| row.contacts.fingerprint != first.contacts.fingerprint)),
    ]
    .into_iter()
    .filter(|(_, names)| !names.is_empty())
    .map(|(what, names)| format!("{names} found other {what} than {}", engines[0].name()))
    .collect();
    if !different.is_empty() {
        Verdict::Different(different.join("; "))
    } else if engines::different(engines) < 2 {
        Verdict::OneBackend
    } else {
        Verdict::Identical
    }
}

/// The names of the engines whose rows differ from the first one.
fn differing(engines: &[Labelled], rows: &[Row], differ: impl Fn(&Row, &Row) -> bool) -> String {
    let different = engines.iter().zip(rows).filter(|(_, row)| differ(row, &rows[0]));
    different.map(|(labelled, _)| labelled.name()).collect::<Vec<_>>().join(", ")
}

/// The result of the comparison.
enum Verdict {
    Identical,
    /// Only one backend ran, with whatever numbers of threads, so that nothing was compared.
    OneBackend,
    Different(String),
}

/// The record of a comparison, which `tangency report` reads.
fn as_json(args: &Args, engines: &[Labelled], outcomes: &[Outcome<'_>], missing: &[Missing]) -> serde_json::Value {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let row = |bodies: u32, row: &Row| {
        let stats = row.found.stats();
        let stages: serde_json::Map<_, _> =
            stats.stages.iter().map(|(name, time)| ((*name).to_owned(), json!(milliseconds(*time)))).collect();
        json!({
            "backend": row.label, "adapter": row.adapter, "scene": args.scene.name(), "bodies": bodies,
            "stages_ms": stages, "stage_order": stats.stages.iter().map(|(name, _)| name).collect::<Vec<_>>(),
            "total_ms": milliseconds(row.total), "candidates": stats.candidates,
            "undecided": stats.undecided, "hits": row.found.len(), "hash": format!("{:016x}", row.found.pairs_fingerprint()),
            "fingerprint": format!("{:016x}", row.found.fingerprint()),
            "contacts": {
                "count": row.contacts.count, "fingerprint": format!("{:016x}", row.contacts.fingerprint),
                "computed_on_host": row.contacts.on_host, "total_ms": milliseconds(row.contacts.total),
            },
        })
    };
    // Null, not true, if nothing was compared.
    let identical = |verdict: &Verdict| match verdict {
        Verdict::Identical => Some(true),
        Verdict::OneBackend => None,
        Verdict::Different(_) => Some(false),
    };
    let compared = |outcome: &Outcome<'_>| match outcome.verdict {
        Verdict::OneBackend => Vec::new(),
        _ => outcome.engines.iter().map(Labelled::name).collect::<Vec<_>>(),
    };
    let all: Vec<Option<bool>> = outcomes.iter().map(|outcome| identical(&outcome.verdict)).collect();
    let whole = if all.contains(&Some(false)) {
        Some(false)
    } else {
        all.iter().copied().collect::<Option<Vec<_>>>().map(|_| true)
    };
    // What was compared for every number of bodies.
    let mut common = outcomes.first().map(compared).unwrap_or_default();
    common.retain(|name| outcomes.iter().all(|outcome| compared(outcome).contains(name)));
    json!({
        "rows": outcomes.iter().flat_map(|outcome| outcome.rows.iter().map(|one| row(outcome.bodies, one))).collect::<Vec<_>>(),
        "missing": missing.iter().map(|m| json!({"what": m.what, "why": m.why})).collect::<Vec<_>>(),
        "identical": whole,
        "compared": common,
        "sizes": outcomes.iter().map(|outcome| json!({
            "bodies": outcome.bodies, "identical": identical(&outcome.verdict), "compared": compared(outcome),
        })).collect::<Vec<_>>(),
        "seed": args.seed, "version": env!("CARGO_PKG_VERSION"), "date": machine::today(), "machine": machine::as_json(engines),
    })
}

/// The columns after backend and adapter, with fixed widths, because a row is printed before the next one is known.
const COLUMNS: [(&str, usize); 8] = [
    ("total ms", 8),
    ("bodies/s", 13),
    ("candidates", 13),
    ("undecided", 11),
    ("hits", 13),
    ("hash", 16),
    ("fingerprint", 16),
    ("speed-up", 9),
];

/// The table, printed row by row. Numbers are aligned to the right; the stages come last because they differ between backends.
struct Table {
    /// The widths of the first two columns.
    backend: usize,
    adapter: usize,
}

impl Table {
    fn new(engines: &[Labelled]) -> Self {
        let widest = |cell: fn(&Labelled) -> String| engines.iter().map(|l| cell(l).chars().count()).max().unwrap_or(0);
        Self { backend: widest(|l| l.label.clone()).max(7), adapter: widest(Labelled::runs_on).max(7) }
    }

    fn line(&self, backend: &str, adapter: &str, cells: &[String; COLUMNS.len()], stages: &str) -> Result<()> {
        let (first, second) = (self.backend, self.adapter);
        let cells = cells.iter().zip(COLUMNS).map(|(cell, (_, width))| format!("  {cell:>width$}"));
        let cells = cells.collect::<String>();
        output::stdout(|out| {
            writeln!(out, "{}", format!("{backend:<first$}  {adapter:<second$}{cells}  {stages}").trim_end())
        })
    }

    fn header(&self, args: &Args, bodies: u32) -> Result<()> {
        let (scene, bodies, seed) = (args.scene.name(), grouped(u64::from(bodies)), args.seed);
        output::stdout(|out| {
            writeln!(
                out,
                "{scene}, {bodies} bodies, seed {seed:#x}; times in ms, the best of {RUNS}; speed-up over the first row"
            )
        })?;
        self.line("backend", "adapter", &COLUMNS.map(|(name, _)| name.to_owned()), "stages")
    }

    fn row(&self, row: &Row, first: Duration, bodies: u32) -> Result<()> {
        let (stats, seconds) = (row.found.stats(), row.total.as_secs_f64().max(1e-9));
        let cells = [
            milliseconds(row.total),
            grouped((f64::from(bodies) / seconds) as u64),
            grouped(stats.candidates),
            grouped(stats.undecided),
            grouped(row.found.len() as u64),
            format!("{:016x}", row.found.pairs_fingerprint()),
            format!("{:016x}", row.found.fingerprint()),
            format!("{:.2}×", first.as_secs_f64() / seconds),
        ];
        let stages = stats.stages.iter().map(|(name, time)| format!("{name} {}", milliseconds(*time)));
        self.line(&row.label, &row.adapter, &cells, &stages.collect::<Vec<_>>().join(", "))?;
        let Met { count, fingerprint, on_host, total } = row.contacts;
        output::stdout(|out| {
            writeln!(
                out,
                "           {} contacts in {} ms, {} computed on the host, fingerprint {fingerprint:016x}",
                grouped(count),
                milliseconds(total),
                grouped(on_host)
            )
        })
    }
}

fn print_verdict(engines: &[Labelled], missing: &[Missing], outcomes: &[Outcome<'_>]) -> Result<()> {
    output::stdout(|out| {
        for labelled in engines.iter().filter(|labelled| labelled.is_software()) {
            let (name, why) = (labelled.name(), "a program on the CPU that acts as a GPU; its time is not a GPU's");
            writeln!(out, "note: {name} is {why}")?;
        }
        for m in missing {
            writeln!(out, "not run: {}: {}", m.what, m.why)?;
        }
        for Outcome { bodies, engines, verdict, .. } in outcomes {
            if outcomes.len() > 1 {
                write!(out, "{} bodies: ", grouped(u64::from(*bodies)))?;
            }
            match verdict {
                Verdict::Identical => writeln!(out, "all answers are identical: {}", engines::names(engines))?,
                Verdict::OneBackend => {
                    writeln!(out, "only {} answered: no second backend to compare with", engines::names(engines))?;
                }
                Verdict::Different(_) => writeln!(out, "THE ANSWERS DIFFER")?,
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_and_contacts_that_differ_are_named() {
        let bodies = Scene::Uniform.build(100, 1).unwrap();
        let engines = [BackendKind::BruteForce, BackendKind::Cpu]
            .map(|kind| Labelled::new(kind.name(), Engine::builder().backend(kind).threads(1).build().unwrap()));
        let rows = || engines.each_ref().map(|labelled| measure(labelled, &bodies).unwrap());
        assert!(matches!(verdict(&engines, &rows()), Verdict::Identical));
        assert!(matches!(verdict(&engines[1..], &rows()[1..]), Verdict::OneBackend));
        let told = |rows: &[Row]| match verdict(&engines, rows) {
            Verdict::Different(what) => what,
            _ => panic!("they differ"),
        };
        let mut wrong = rows();
        wrong[1].contacts.fingerprint ^= 1;
        assert_eq!(told(&wrong), "cpu (1 thread) found other contacts than brute-force (1 thread)");
        wrong[1].found = Overlaps::new();
        let both = "cpu (1 thread) found other pairs or relations than brute-force (1 thread); \
                    cpu (1 thread) found other contacts than brute-force (1 thread)";
        assert_eq!(told(&wrong), both);
    }
}
