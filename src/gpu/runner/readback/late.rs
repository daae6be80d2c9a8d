//! The end of a large reading, which travels while the host is at work on what has come before.

use std::sync::{Arc, OnceLock, PoisonError};
use std::time::Duration;

use super::{Mapping, device_error};
use crate::Result;
use crate::gpu::device::{Device, Turns};

/// The end of the last of some readings, in a staging buffer of its own. The runner cannot run again until this is dropped.
pub(in crate::gpu::runner) struct Late {
    device: wgpu::Device,
    turns: Arc<Turns>,
    awake: Duration,
    submission: wgpu::SubmissionIndex,
    buffer: wgpu::Buffer,
    bytes: u64,
    mapping: Mapping,
    view: OnceLock<wgpu::BufferView>,
}

impl Late {
    /// Maps so many bytes of a staging buffer when the submission is done that copies them.
    pub(in crate::gpu::runner) fn new(
        device: &Device,
        submission: wgpu::SubmissionIndex,
        buffer: &wgpu::Buffer,
        bytes: u64,
    ) -> Self {
        // The error is that of the mapping: it is not one that nobody handles.
        let scope = device.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let mapping = Mapping::start(buffer, 0..bytes);
        drop(scope.pop());
        Self {
            device: device.device.clone(),
            turns: Arc::clone(&device.turns),
            awake: super::awake(&device.adapter),
            submission,
            buffer: buffer.clone(),
            bytes,
            mapping,
            view: OnceLock::new(),
        }
    }

    /// The words, once they have come.
    pub(super) fn words(&self) -> Result<&[u32]> {
        if self.view.get().is_none() {
            self.mapping.wait((&self.device, &self.turns, self.awake), Some(self.submission.clone()))?;
            let mapped = self.mapping.state.lock().unwrap_or_else(PoisonError::into_inner).result.take();
            mapped.unwrap_or(Err(wgpu::BufferAsyncError)).map_err(device_error)?;
            let view = self.buffer.get_mapped_range(0..self.bytes).map_err(device_error)?;
            // (Nobody else has set it: that would have needed the mapping's result.)
            let _ = self.view.set(view);
        }
        Ok(self.view.get().map_or(&[], |view| bytemuck::cast_slice(view)))
    }
}

impl Drop for Late {
    fn drop(&mut self) {
        drop(self.view.take());
        let _turn = self.turns.take();
        self.buffer.unmap();
    }
}
