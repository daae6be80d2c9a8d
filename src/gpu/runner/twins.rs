//! Stages that run as their serial twins, between what runs on the device.

use super::read_all;
use super::recording::Dispatch;
use crate::Result;
use crate::gpu::device::Device;

/// Submits the commands encoded so far, so that buffers can be read and written between dispatches.
pub(super) fn submit_so_far(device: &Device, encoder: &mut wgpu::CommandEncoder) {
    let next = device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    device.queue.submit([std::mem::replace(encoder, next).finish()]);
}

/// The contents of these buffers.
pub(super) fn contents(device: &Device, buffers: &[&wgpu::Buffer]) -> Result<Vec<Vec<u32>>> {
    buffers.iter().map(|buffer| pollster::block_on(read_all(device, buffer))).collect()
}

/// Runs the twin of a stage on copies of its buffers, and uploads those that the kernel may write.
pub(super) fn run_twin(device: &Device, params: &[u8], dispatch: &Dispatch<'_>) -> Result<()> {
    let Dispatch { stage, units, buffers, .. } = dispatch;
    let mut contents = contents(device, buffers)?;
    stage.run_twin(params, units.clone(), &mut contents);
    for ((info, buffer), words) in stage.module.buffers.iter().zip(buffers).zip(&contents) {
        if info.writes {
            device.queue.write_buffer(buffer, 0, bytemuck::cast_slice(words));
        }
    }
    Ok(())
}
