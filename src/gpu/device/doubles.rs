//! A self-test of a device's `f64` arithmetic, before pairs are settled with it, and how fast that is.
//!
//! The filters' error bounds hold for arithmetic that rounds to one of the two neighbours of the exact result. Vulkan guarantees
//! that only where a device declares it, and wgpu does not expose the declaration. So every device computes sums, differences and
//! products whose results are known: ties, cancellation, carries over all bits. A device with one wrong result settles no pair in
//! `f64`.
//!
//! Many devices compute `f64` at a 64th of the rate of `f32`, and none tells. So both are measured, before `f64` takes the place of
//! arithmetic in double words, which takes some twenty operations for one.

use std::sync::Arc;
use std::time::Duration;

use wgpu::util::DeviceExt;

use super::Turns;
use crate::clock::Stopwatch;
use crate::gpu::runner::read;
use crate::hash::mix;

/// The device that is tested, its queue, and whose turn it is.
pub(super) type Tested<'a> = (&'a wgpu::Device, &'a wgpu::Queue, &'a Arc<Turns>);

/// How many times as long as `f32` an `f64` that is quick may take. Of those that are known it is twice, or 32 times and more.
const QUICK: u32 = 6;
/// How often each is measured, and the workgroups that compute: some 0.04 ms of `f32` on a large device, more than what a submission takes on a small one.
const MEASURED: u32 = 3;
const GROUPS: u32 = 4096;

/// A number with a mantissa of up to 53 bits, as two `f32` whose sum it is.
fn split_f64(mantissa: u64, exponent: i32, negative: bool) -> [f32; 2] {
    let scale = 2_f64.powi(exponent) * if negative { -1.0 } else { 1.0 };
    // Both parts have at most 24 bits; the other bits of the mantissa are dropped.
    let (high, low) = (mantissa >> 29 & 0xff_ffff, mantissa >> 5 & 0xff_ffff);
    [(high as f64 * 2_f64.powi(29) * scale) as f32, (low as f64 * 2_f64.powi(5) * scale) as f32]
}

/// Pairs of operands, each as two `f32`: random ones of similar size, ties, neighbours of ties, carries over all bits, and
/// differences that cancel to the last bits.
fn operands() -> Vec<[f32; 4]> {
    let mut pairs = Vec::new();
    let mut add = |a: [f32; 2], b: [f32; 2]| pairs.push([a[0], a[1], b[0], b[1]]);
    let unit = |k: i32| 2_f64.powi(k) as f32;
    for k in [-60, -54, -53, -52, -51, -30, 0] {
        for end in [0.0, unit(-23), unit(-47)] {
            for sign in [1.0, -1.0] {
                // An even and an odd mantissa, plus half a unit in the last place, and plus a little more than that.
                for a in [[1.0, 0.0], [1.0, unit(-47)], [1.0, unit(-24)], [unit(20), unit(-4)]] {
                    add(a, [sign * unit(k), sign * unit(k) * end]);
                    add([sign * unit(k), 0.0], a);
                }
            }
        }
    }
    for k in 0..900_u64 {
        let (a, b) = (mix(2 * k), mix(2 * k + 1));
        let difference = (mix(!k) % 61) as i32 - 30;
        let first = split_f64(a, -52, a >> 63 == 1);
        add(first, split_f64(b, -52 + difference, b >> 63 == 1));
        // Nearly the same number: their difference has few bits left.
        add(first, split_f64(a ^ (b & 0xfff) << 5, -52, a >> 63 == 1));
        // Mantissas of all ones: carries over all bits.
        add(split_f64(u64::MAX, -52, false), split_f64(u64::MAX >> (k % 40), -52 - (k % 7) as i32, k % 2 == 1));
    }
    pairs
}

/// Whether these are the correctly rounded results for these operands.
fn are_right(operands: &[[f32; 4]], results: &[f32]) -> bool {
    let sum = |words: &[f32]| words.iter().map(|word| f64::from(*word)).sum::<f64>();
    results.len() == 9 * operands.len()
        && operands.iter().zip(results.chunks_exact(9)).all(|(words, found)| {
            let (a, b) = (sum(&words[..2]), sum(&words[2..]));
            let found: Vec<f64> = found.chunks_exact(3).map(sum).collect();
            found == [a + b, a - b, a * b]
        })
}

/// Runs the self-test on a device with `f64`. Returns whether all results are correctly rounded.
pub(super) async fn can_be_trusted(tested: Tested<'_>) -> bool {
    let scope = tested.0.push_error_scope(wgpu::ErrorFilter::Validation);
    let operands = operands();
    let check = {
        let _turn = tested.2.take();
        let input = bytemuck::cast_slice(&operands);
        let check = Check::new(tested.0, "doubles", input, 36 * operands.len() as u64);
        check.submit(tested, operands.len().div_ceil(64) as u32);
        check
    };
    if scope.pop().await.is_some() {
        return false;
    }
    let size = check.readable.size();
    let words = read((tested.0, tested.2, Duration::ZERO), None, &check.readable, [size]).await;
    words.is_ok_and(|words| are_right(&operands, bytemuck::cast_slice(&words[0])))
}

/// Whether `f64` is nearly as fast as `f32` on a device that has it.
pub(super) async fn are_quick(tested: Tested<'_>) -> bool {
    let scope = tested.0.push_error_scope(wgpu::ErrorFilter::Validation);
    let checks = {
        let _turn = tested.2.take();
        // The numbers stay as large as they are, which no compiler can know.
        let input = bytemuck::bytes_of(&[0.5_f32, 0.5, 0.25, 0.0]);
        ["time_singles", "time_doubles"].map(|name| Check::new(tested.0, name, input, 4))
    };
    if scope.pop().await.is_some() {
        return false;
    }
    let mut least = [Duration::MAX; 2];
    for _ in 0..MEASURED {
        for (check, least) in checks.iter().zip(&mut least) {
            let watch = Stopwatch::start();
            {
                let _turn = tested.2.take();
                check.submit(tested, GROUPS);
            }
            // (Awake, since to be woken takes longer than what is measured.)
            let words = read((tested.0, tested.2, Duration::from_millis(2)), None, &check.readable, [4]).await;
            if words.is_err() {
                return false;
            }
            *least = watch.elapsed().min(*least);
        }
    }
    least[1] < least[0] * QUICK
}

/// A kernel of `shaders/checks/doubles.wgsl`, and its buffers.
struct Check {
    pipeline: wgpu::ComputePipeline,
    bindings: wgpu::BindGroup,
    output: wgpu::Buffer,
    /// The staging buffer of its results.
    readable: wgpu::Buffer,
}

impl Check {
    fn new(device: &wgpu::Device, name: &str, input: &[u8], size: u64) -> Self {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("doubles"),
            source: wgpu::ShaderSource::Wgsl(include_str!("../../../shaders/checks/doubles.wgsl").into()),
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(name),
            layout: None,
            module: &module,
            entry_point: Some(name),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let input = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("operands"),
            contents: input,
            usage: wgpu::BufferUsages::STORAGE,
        });
        let buffer = |usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("results"),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let output = buffer(wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
        let readable = buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
        let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(name),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: input.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: output.as_entire_binding() },
            ],
        });
        Self { pipeline, bindings, output, readable }
    }

    fn submit(&self, (device, queue, _): Tested<'_>, groups: u32) {
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.bindings, &[]);
            pass.dispatch_workgroups(groups, 1, 1);
        }
        encoder.copy_buffer_to_buffer(&self.output, 0, &self.readable, 0, self.readable.size());
        queue.submit([encoder.finish()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The correctly rounded results, as a device writes them.
    fn right(operands: &[[f32; 4]]) -> Vec<f32> {
        let split = |x: f64| {
            let first = x as f32;
            let second = (x - f64::from(first)) as f32;
            [first, second, (x - f64::from(first) - f64::from(second)) as f32]
        };
        let sum = |words: &[f32]| f64::from(words[0]) + f64::from(words[1]);
        let results = |words: &[f32; 4]| {
            let (a, b) = (sum(&words[..2]), sum(&words[2..]));
            [a + b, a - b, a * b].into_iter().flat_map(split).collect::<Vec<_>>()
        };
        operands.iter().flat_map(results).collect()
    }

    #[test]
    fn wrong_results_are_noticed() {
        let operands = operands();
        assert!(are_right(&operands, &right(&operands)));
        assert!(!are_right(&operands, &[]));
        // One result that is off by one unit in the last place, then all results rounded to `f32`.
        let mut one_off = right(&operands);
        let last = f64::from(one_off[0]);
        one_off[2] += (last.next_up() - last) as f32;
        assert!(!are_right(&operands, &one_off));
        let single: Vec<f32> = right(&operands).chunks_exact(3).flat_map(|words| [words[0], 0.0, 0.0]).collect();
        assert!(!are_right(&operands, &single));
        // The operands contain many sums, of either sign, where rounding to nearest differs from rounding towards zero.
        let inexact = |words: &[f32; 4]| {
            let (a, b) = (f64::from(words[0]) + f64::from(words[1]), f64::from(words[2]) + f64::from(words[3]));
            let (large, small) = if a.abs() > b.abs() { (a, b) } else { (b, a) };
            small - ((a + b) - large)
        };
        let lost: Vec<f64> = operands.iter().map(inexact).collect();
        assert!(lost.iter().filter(|x| **x > 0.0).count() > 100 && lost.iter().filter(|x| **x < 0.0).count() > 100);
    }
}
