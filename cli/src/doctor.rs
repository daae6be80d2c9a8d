//! `tangency doctor`: what this machine has, and whether it works.

use serde_json::json;
use tangency::scenes::{SEED, Scene};
use tangency::{Adapter, BackendKind, Engine};

use crate::engines::Choice;
use crate::failure::{Failure, Result};
use crate::output;

/// Bodies of the self-test, few enough for brute force.
const BODIES: usize = 2000;

/// Whether the chosen engine finds the same pairs as brute force on every scene.
fn self_test(engine: &Engine) -> Result<Vec<(&'static str, usize, bool)>> {
    let reference = Engine::builder().backend(BackendKind::BruteForce).build()?;
    let mut results = Vec::new();
    for scene in Scene::ALL {
        let bodies = scene.build(BODIES, SEED)?;
        let expected = reference.overlaps(&bodies)?;
        results.push((scene.name(), expected.len(), engine.overlaps(&bodies)? == expected));
    }
    Ok(results)
}

pub fn run(choice: &Choice) -> Result<()> {
    let adapters = tangency::adapters();
    choice.adapter(&adapters)?;
    let engine = choice.engine()?;
    let info = engine.info();
    let spinner = crate::progress::spinner("testing".to_owned());
    let tests = self_test(&engine)?;
    spinner.finish_and_clear();
    let passed = tests.iter().all(|(_, _, passed)| *passed);
    let chosen = info.adapter.clone().unwrap_or_else(|| info.backend.name().to_owned());
    if choice.json {
        let tests: Vec<_> = tests
            .iter()
            .map(|(scene, hits, passed)| json!({"scene": scene, "bodies": BODIES, "hits": hits, "passed": passed}))
            .collect();
        output::json(&json!({
            "version": env!("CARGO_PKG_VERSION"),
            "adapters": adapters.iter().map(adapter_json).collect::<Vec<_>>(),
            "chosen": chosen, "why": info.why, "threads": info.threads,
            "self_test": {"passed": passed, "scenes": tests},
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
            for (scene, hits, passed) in &tests {
                writeln!(
                    out,
                    "self-test: {scene}, {BODIES} bodies, {hits} pairs: {}",
                    if *passed { "ok" } else { "WRONG" }
                )?;
            }
            Ok(())
        })?;
    }
    if passed { Ok(()) } else { Err(Failure::Wrong("the self-test failed".to_owned())) }
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
