//! Kernels must not rely on zero-initialised workgroup memory: here it begins with rubbish.

use super::super::Gpu;
use super::super::abi::Module;
use super::super::device::DeviceRequest;
use super::super::stages::{self, Stage};
use super::super::workspace::Workspace;
use super::{check_queries, long};
use crate::parallel::Pool;

/// The source of a kernel that first fills all workgroup memory of its module with rubbish.
fn poisoned(source: &str, stage: &Stage) -> String {
    let start = source.find(&format!("fn {}(", stage.name)).expect("the kernel");
    let at = start + source[start..].find(") {").expect("its body") + 3;
    let builtin = "@builtin(local_invocation_index) ";
    let thread = start + source[start..].find(builtin).expect("its thread") + builtin.len();
    let thread = &source[thread..thread + source[thread..].find(':').expect("a type")];
    let mut rubbish = String::from("\n");
    for line in source.lines().filter_map(|line| line.strip_prefix("var<workgroup> ")) {
        let (name, kind) = line.trim_end_matches(';').split_once(": ").expect("a name and a type");
        let inner = kind.strip_prefix("array<").and_then(|inner| inner.strip_suffix('>'));
        let (each, count) = inner.map_or((kind, None), |inner| {
            let (each, count) = inner.rsplit_once(", ").expect("a type and a size");
            (each, Some(count))
        });
        let place = if count.is_some() { format!("{name}[poison_at]") } else { name.to_owned() };
        let write = match each {
            "atomic<u32>" => format!("atomicStore(&{place}, 0xdeadbeefu);"),
            "u32" => format!("{place} = 0xdeadbeefu;"),
            "f32" => format!("{place} = -12345.0;"),
            "vec2u" => format!("{place} = vec2u(0xdeadbeefu);"),
            "vec3f" => format!("{place} = vec3f(-12345.0);"),
            "vec4u" => format!("{place} = vec4u(0xdeadbeefu);"),
            other => panic!("{name} is of the type {other}"),
        };
        let count = count.unwrap_or("1");
        let head = format!("for (var poison_at = {thread}; poison_at < u32({count}); poison_at += 32u)");
        rubbish.extend(["    ", &head, " { ", &write, " }\n"]);
    }
    rubbish.push_str("    workgroupBarrier();\n");
    let mut source = source.to_owned();
    source.insert_str(at, &rubbish);
    source
}

/// All kernels of a module poisoned.
pub(super) fn poison(module: &Module, source: String) -> String {
    let stages = stages::ALL.iter().filter(|stage| std::ptr::eq(stage.module, module));
    stages.fold(source, |source, stage| poisoned(&source, stage))
}

/// All kinds of queries with all kernels poisoned.
pub(super) fn kernels_clear_what_they_count_with(index: usize, pool: &Pool, rounds: u64) {
    let request = DeviceRequest { adapter: Some(index), ..DeviceRequest::default() };
    let mut gpu = pollster::block_on(Gpu::new(request, false, &[])).expect("a device");
    gpu.device.alter = Some(poison);
    for seed in 0..rounds {
        let mut workspace = if seed % 2 == 0 { Workspace::new() } else { Workspace::new().frugal().limited(400, 1000) };
        check_queries(&gpu, pool, &mut workspace, 800 + seed, 800);
    }
    long::long_rows(&gpu, pool);
}
