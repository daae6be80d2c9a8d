//! `tangency doctor`: the adapters of this machine, and a self-test.

use clap::Parser;
use serde_json::json;
use tangency::scenes::{SEED, Scene};
use tangency::{Adapter, BackendKind, Engine};

use crate::engines::{Backend, Choice, Labelled, Missing};
use crate::failure::{Failure, Result};
use crate::{machine, messages, numbers, output, progress};

#[derive(Parser)]
pub struct Args {
    /// Test every adapter, and print a line for each as in README's table of adapters
    #[arg(long)]
    share: bool,
    #[command(flatten)]
    pub choice: Choice,
}

/// Bodies of the self-test: few enough for brute force.
const BODIES: usize = 2000;

/// The result of the self-test on one scene.
struct Outcome {
    scene: &'static str,
    hits: usize,
    passed: bool,
}

/// A tested engine, and its results.
struct Tested {
    labelled: Labelled,
    outcomes: Vec<Outcome>,
}

impl Tested {
    fn passed(&self) -> bool {
        self.outcomes.iter().all(|outcome| outcome.passed)
    }
}

/// Compares each engine with brute force on every scene.
fn self_test(engines: Vec<Labelled>) -> Result<Vec<Tested>> {
    let bar = progress::bar((Scene::ALL.len() * engines.len()) as u64, "testing");
    let reference = Engine::builder().backend(BackendKind::BruteForce).build()?;
    let mut tested: Vec<Tested> =
        engines.into_iter().map(|labelled| Tested { labelled, outcomes: Vec::new() }).collect();
    for scene in Scene::ALL {
        let bodies = scene.build(BODIES, SEED)?;
        let expected = reference.overlaps(&bodies).run()?;
        for one in &mut tested {
            bar.set_message(format!("testing {} on {}", one.labelled.name(), scene.name()));
            let ask = || one.labelled.engine.overlaps(&bodies).run();
            let passed = progress::watched(&bar, &one.labelled, ask)? == expected;
            bar.inc(1);
            one.outcomes.push(Outcome { scene: scene.name(), hits: expected.len(), passed });
        }
    }
    bar.finish_and_clear();
    Ok(tested)
}

pub fn run(args: &Args, choice: &Choice) -> Result<()> {
    if args.share {
        return share(choice);
    }
    let adapters = tangency::adapters();
    let engine = choice.engine()?;
    let info = engine.info();
    let (engines, missing) = choice.checked()?;
    let tested = self_test(engines)?;
    let chosen = info.adapter.clone().unwrap_or_else(|| info.backend.name().to_owned());
    if choice.json {
        output::json(&json!({
            "version": env!("CARGO_PKG_VERSION"),
            "adapters": adapters.iter().map(adapter_json).collect::<Vec<_>>(),
            "chosen": chosen, "why": info.why, "threads": info.threads, "cpu_up_to": info.cpu_up_to,
            "subgroups": info.subgroups, "doubles": info.doubles,
            "self_test": test_json(&tested, &missing),
        }))?;
    } else {
        output::stdout(|out| {
            writeln!(out, "tangency {}", env!("CARGO_PKG_VERSION"))?;
            writeln!(out, "adapters: {}", if adapters.is_empty() { "none found" } else { "" })?;
            for a in &adapters {
                let kind = if a.hardware { "hardware" } else { "software" };
                let compute = if a.compute { "" } else { ", no compute shaders" };
                writeln!(out, "  {}  {}:{} ({kind}{compute}; {})", a.index, a.backend, a.name, a.driver)?;
                let mib = |bytes: u64| bytes >> 20;
                writeln!(
                    out,
                    "     buffers up to {} MiB, bindings up to {} MiB, {} invocations, {} KiB of workgroup memory",
                    mib(a.limits.max_buffer_size),
                    mib(a.limits.max_storage_buffer_binding_size),
                    a.limits.max_compute_invocations_per_workgroup,
                    a.limits.max_compute_workgroup_storage_size >> 10
                )?;
            }
            writeln!(out, "chosen: {chosen}, {} threads ({})", info.threads, info.why)?;
            if let Some(bodies) = info.cpu_up_to {
                let used = |used| if used { "with" } else { "without" };
                writeln!(out, "kernels: {} subgroups, {} f64", used(info.subgroups), used(info.doubles))?;
                match bodies {
                    0 => writeln!(out, "left to the CPU: nothing")?,
                    _ => writeln!(out, "left to the CPU: up to {} bodies or pairs", numbers::grouped(bodies as u64))?,
                }
            }
            for one in &tested {
                let name = one.labelled.name();
                for Outcome { scene, hits, passed } in &one.outcomes {
                    let passed = if *passed { "ok" } else { "WRONG" };
                    writeln!(
                        out,
                        "self-test: {name} against brute-force: {scene}, {BODIES} bodies, {hits} pairs: {passed}"
                    )?;
                }
            }
            missing.iter().try_for_each(|m| writeln!(out, "not tested: {}: {}", m.what, m.why))
        })?;
    }
    verdict(&tested)
}

fn verdict(tested: &[Tested]) -> Result<()> {
    let wrong: Vec<_> = tested.iter().filter(|one| !one.passed()).map(|one| one.labelled.name()).collect();
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Wrong(format!("the self-test failed: {}", wrong.join(", ")))) }
}

/// Prints a line of README's table for each usable adapter, or for the one that was chosen.
fn share(choice: &Choice) -> Result<()> {
    if choice.backend == Backend::Cpu {
        return Err(Failure::Usage("--share is about adapters; it does not go with --backend cpu".to_owned()));
    }
    let all = Choice { backend: Backend::Gpu, require_gpu: true, ..choice.clone() };
    let (engines, missing) = all.engines()?;
    let tested = self_test(engines)?;
    let rows: Vec<String> = tested.iter().filter_map(row).collect();
    if choice.json {
        output::json(&json!({"rows": rows, "self_test": test_json(&tested, &missing)}))?;
    } else {
        output::stdout(|out| rows.iter().try_for_each(|row| writeln!(out, "{row}")))?;
        for m in &missing {
            messages::note(format_args!("not tested: {}: {}", m.what, m.why));
        }
    }
    verdict(&tested)
}

fn row(tested: &Tested) -> Option<String> {
    let adapter = tested.labelled.adapter.as_ref()?;
    let wrong: Vec<_> = tested.outcomes.iter().filter(|outcome| !outcome.passed).map(|o| o.scene).collect();
    let result = match (wrong.len(), tested.outcomes.len()) {
        (0, all) => format!("{all} of {all} scenes identical"),
        _ => format!("WRONG: {}", wrong.join(", ")),
    };
    let cells =
        [&adapter.name, &adapter.driver, &adapter.backend, &machine::system(), &result, env!("CARGO_PKG_VERSION")];
    Some(format!("| {} |", cells.map(|cell| cell.replace('|', "\\|")).join(" | ")))
}

fn test_json(tested: &[Tested], missing: &[Missing]) -> serde_json::Value {
    let engine = |one: &Tested| {
        let scene = |o: &Outcome| json!({"scene": o.scene, "bodies": BODIES, "hits": o.hits, "passed": o.passed});
        json!({
            "engine": one.labelled.name(), "passed": one.passed(),
            "scenes": one.outcomes.iter().map(scene).collect::<Vec<_>>(),
        })
    };
    json!({
        "passed": tested.iter().all(Tested::passed), "against": BackendKind::BruteForce.name(),
        "engines": tested.iter().map(engine).collect::<Vec<_>>(),
        "missing": missing.iter().map(|m| json!({"what": m.what, "why": m.why})).collect::<Vec<_>>(),
    })
}

fn adapter_json(adapter: &Adapter) -> serde_json::Value {
    let limits = &adapter.limits;
    json!({
        "index": adapter.index, "name": adapter.name, "backend": adapter.backend, "driver": adapter.driver,
        "hardware": adapter.hardware, "compute": adapter.compute,
        "limits": {
            "max_buffer_size": limits.max_buffer_size,
            "max_storage_buffer_binding_size": limits.max_storage_buffer_binding_size,
            "max_storage_buffers_per_shader_stage": limits.max_storage_buffers_per_shader_stage,
            "max_compute_workgroup_storage_size": limits.max_compute_workgroup_storage_size,
            "max_compute_invocations_per_workgroup": limits.max_compute_invocations_per_workgroup,
            "max_compute_workgroups_per_dimension": limits.max_compute_workgroups_per_dimension,
        },
    })
}
