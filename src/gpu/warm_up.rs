//! Warming up: what the first query would otherwise wait for.

use super::Gpu;
use super::abi::STATUS_WORDS;
use super::buffer::{GrowBuffer, SizedBy};
use super::device::Device;
use super::runner::{Recording, Runner};
use super::stages::{self, Stage};
use crate::Result;

impl Gpu {
    /// Compiles every kernel that this device uses, and runs each once. Stages that run as their twins need none.
    pub(crate) async fn warm_up(&self) -> Result<()> {
        let on_device = |stage: &&&'static Stage| !self.twins.contains(&stage.name);
        let stages: Vec<&'static Stage> = stages::ALL.iter().filter(on_device).copied().collect();
        run_on_nothing(&self.device, &stages).await
    }
}

/// Compiles these kernels, several at a time, and runs each with one workgroup on params and buffers of zeros: an empty input.
/// Many drivers compile on the first run, and not before.
pub(super) async fn run_on_nothing(device: &Device, stages: &[&'static Stage]) -> Result<()> {
    let bytes = 4 * STATUS_WORDS as u64;
    let count = stages.iter().map(|stage| stage.module.buffers.len()).max().unwrap_or_default();
    let mut buffers = Vec::new();
    for _ in 0..count {
        let mut buffer = GrowBuffer::storage("empty input", SizedBy::Input);
        buffer.reserve(device, bytes).await?;
        buffers.push(buffer);
    }
    let mut recording = Recording::default();
    for stage in stages {
        let bindings: Vec<&wgpu::Buffer> =
            buffers[..stage.module.buffers.len()].iter().map(GrowBuffer::buffer).collect();
        // What the stage before has written would be input.
        for &buffer in &bindings {
            recording.clear(buffer, 0..bytes);
        }
        recording.push(stage, 1, 0..1, &vec![0; stage.module.params_size], bindings);
    }
    let readings: Vec<_> = buffers.first().map(|buffer| (buffer.buffer(), 4)).into_iter().collect();
    Runner::new().run(device, recording, &readings).await?;
    Ok(())
}
