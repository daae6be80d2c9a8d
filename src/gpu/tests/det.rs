//! The deterministic functions have the same bits on every adapter as in Rust.

use wgpu::util::DeviceExt;

use super::super::abi::Abilities;
use super::super::abi::module::{Read, Write, kernels};
use super::super::device::Device;
use super::det_kernel::kernel;
use super::{AdapterTest, on_every_adapter, within_patience};
use crate::det::cases::arguments;
use crate::det::list::{ARGUMENT_WORDS, FUNCTIONS, Kind, RESULT_WORDS};

/// The environment variable with the number of cases for each function.
const CASES: &str = "TANGENCY_TEST_DET_CASES";
/// The default number of cases, and that on slow adapters.
const MANY: u64 = 1 << 17;
const FEW: u64 = 1 << 15;
/// Cases of each function in one dispatch: the arguments of all functions take 49 MB, within the default limits.
const AT_ONCE: u64 = 1 << 16;
/// Threads in a workgroup.
const GROUP: u32 = 64;

kernels! {
    /// The test kernel, except for the part that is generated from the list of functions.
    #[allow(dead_code, reason = "it is bound and run without a recording")]
    det_cases in "lib/det" {
        params {
            /// Always 0, which compilers cannot know; one test sets it to 1.
            zero: u32,
            /// Cases of each function.
            cases: u32,
        }
        buffers {
            inputs: Read<u32>,
            outputs: Write<u32>,
        }
    }
}

use det_cases::MODULE;

/// The test kernel, with the functions of the list.
pub(super) fn source() -> String {
    MODULE.source(Abilities::default()) + &kernel()
}

#[test]
fn equal_bits_on_every_adapter() {
    on_every_adapter("gpu::tests::det::one_adapter");
}

/// The comparison on one adapter, in a process of its own.
#[test]
#[ignore = "started by equal_bits_on_every_adapter, once for each"]
fn one_adapter() {
    let Some(AdapterTest { gpu, portable, brief, .. }) = AdapterTest::open() else { return };
    let start = std::time::Instant::now();
    let chosen = std::env::var(CASES).ok().map(|cases| cases.parse::<u64>().expect("a number of cases"));
    let cases = chosen.unwrap_or(if brief { FEW } else { MANY });
    assert!(cases > 0, "{CASES}: at least one");
    let runner = Runner::new(&gpu.device);
    within_patience("the kernel of deterministic functions", || runner.every_function_is_hidden());
    let mut inputs = 0;
    let mut differences = vec![0_u64; FUNCTIONS.len()];
    let mut first = None;
    for from in (0..cases).step_by(AT_ONCE as usize) {
        let batch = Batch::new(from..cases.min(from + AT_ONCE));
        let outputs = runner.run(&batch, 0);
        inputs += batch.expected.len() / RESULT_WORDS;
        for (at, number) in batch.differences(&outputs) {
            differences[number] += 1;
            first = first.or_else(|| Some(batch.describe(at, &outputs)));
        }
    }
    println!(
        "deterministic functions on {:?}{}: {} functions, {inputs} inputs, {} differences, {:.1} s",
        gpu.adapter(),
        if portable { ", default limits" } else { "" },
        FUNCTIONS.len(),
        differences.iter().sum::<u64>(),
        start.elapsed().as_secs_f64()
    );
    let of: Vec<(&str, u64)> = FUNCTIONS.iter().map(|f| f.name).zip(differences).filter(|(_, n)| *n > 0).collect();
    assert!(of.is_empty(), "{of:?} differ; the first: {}", first.unwrap_or_default());
}

/// Cases of every function, function by function, and the results in Rust.
struct Batch {
    cases: usize,
    inputs: Vec<u32>,
    expected: Vec<u32>,
}

impl Batch {
    fn new(range: std::ops::Range<u64>) -> Self {
        let cases = (range.end - range.start) as usize;
        let mut batch = Self { cases, inputs: Vec::new(), expected: Vec::new() };
        for function in FUNCTIONS {
            for case in range.clone() {
                let words = arguments(function, case);
                batch.expected.extend((function.evaluate)(&words));
                batch.inputs.extend(words);
            }
        }
        batch
    }

    /// The cases whose results differ, each with the index of its function.
    fn differences(&self, outputs: &[u32]) -> impl Iterator<Item = (usize, usize)> {
        assert_eq!(outputs.len(), self.expected.len());
        let pairs = outputs.chunks_exact(RESULT_WORDS).zip(self.expected.chunks_exact(RESULT_WORDS));
        pairs.enumerate().filter(|(_, (found, expected))| found != expected).map(|(at, _)| (at, at / self.cases))
    }

    fn describe(&self, at: usize, outputs: &[u32]) -> String {
        let numbers = |words: &[u32]| words.iter().map(|word| f32::from_bits(*word)).collect::<Vec<_>>();
        let function = &FUNCTIONS[at / self.cases];
        let inputs = &self.inputs[at * ARGUMENT_WORDS..][..function.argument_words()];
        let result = at * RESULT_WORDS..at * RESULT_WORDS + function.result.words();
        let (found, expected) = (&outputs[result.clone()], &self.expected[result]);
        format!(
            "{} of {inputs:08x?} {:?} is {found:08x?} {:?}, not {expected:08x?} {:?}",
            function.name,
            numbers(inputs),
            numbers(found),
            numbers(expected)
        )
    }
}

/// The test kernel on a device.
struct Runner<'a> {
    device: &'a Device,
    pipeline: wgpu::ComputePipeline,
}

impl<'a> Runner<'a> {
    fn new(device: &'a Device) -> Self {
        // Compiled like the library's own kernels.
        let module = device.module(Some(MODULE.name), source());
        let pipeline = device.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(MODULE.name),
            layout: None,
            module: &module,
            entry_point: Some(MODULE.name),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        Self { device, pipeline }
    }

    /// The results of the kernel when its uniform `zero` has this value.
    fn run(&self, batch: &Batch, zero: u32) -> Vec<u32> {
        let Device { device, queue, .. } = self.device;
        let buffer = |contents: &[u8], usage| {
            device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: Some(MODULE.name), contents, usage })
        };
        let params = det_cases::Params { zero, cases: batch.cases as u32 };
        let params = buffer(bytemuck::bytes_of(&params), wgpu::BufferUsages::UNIFORM);
        let inputs = buffer(bytemuck::cast_slice(&batch.inputs), wgpu::BufferUsages::STORAGE);
        let size = 4 * batch.expected.len() as u64;
        let room = |usage| {
            let label = Some(MODULE.name);
            device.create_buffer(&wgpu::BufferDescriptor { label, size, usage, mapped_at_creation: false })
        };
        let outputs = room(wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
        let readable = room(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
        let buffers = [&params, &inputs, &outputs];
        let entries: Vec<wgpu::BindGroupEntry<'_>> = (0..)
            .zip(buffers)
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(MODULE.name),
            layout: &self.pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &bindings, &[]);
            pass.dispatch_workgroups((batch.cases as u32).div_ceil(GROUP), FUNCTIONS.len() as u32, 1);
        }
        encoder.copy_buffer_to_buffer(&outputs, 0, &readable, 0, size);
        queue.submit([encoder.finish()]);
        readable.map_async(wgpu::MapMode::Read, .., |_| ());
        device.poll(wgpu::PollType::wait_indefinitely()).expect("the kernel ends");
        let view = readable.get_mapped_range(..).expect("the results");
        bytemuck::pod_collect_to_vec(&view[..])
    }

    /// With a uniform that is not 0, every function gives other results: sums have other bits, and all products count as too small. That
    /// shows that all results pass through it, and that differences are noticed.
    fn every_function_is_hidden(&self) {
        let batch = Batch::new(0..256);
        let mut differ = vec![0; FUNCTIONS.len()];
        batch.differences(&self.run(&batch, 0x7200_0000)).for_each(|(_, number)| differ[number] += 1);
        for (function, differ) in FUNCTIONS.iter().zip(differ) {
            // Comparisons return no float, so that nothing passes through the uniform. (Many of the cases of `clean` are too small as it is.)
            assert!(differ > 64 || function.result == Kind::Bool, "{}: {differ} of 256 differ", function.name);
        }
    }
}
