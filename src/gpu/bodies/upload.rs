//! Large uploads: memory that the host fills on all cores, and that the device copies from.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::gpu::buffer::{GrowBuffer, SizedBy};
use crate::gpu::device::Device;

/// A copy to a buffer on the device: from which byte, to which, and how many.
pub(crate) type Copy<'a> = (u64, &'a wgpu::Buffer, u64, u64);

/// It takes at most this part of what is left of the device's budget, so that the query itself has room.
const SHARE: u64 = 8;

/// A buffer that is the host's between two uploads. It only saves time: whoever gets none uploads through the queue.
pub(crate) struct Upload {
    staging: GrowBuffer,
    /// Set once the buffer is the host's; none if that was not asked for.
    mapped: Option<Arc<AtomicBool>>,
    /// Uploads so far.
    pub count: u64,
}

impl Upload {
    pub(crate) fn new() -> Self {
        let usage = wgpu::BufferUsages::MAP_WRITE | wgpu::BufferUsages::COPY_SRC;
        Self { staging: GrowBuffer::new("upload", usage, SizedBy::Input), mapped: None, count: 0 }
    }

    /// This many bytes to be filled, unless memory is scarce or the device has not done with the last upload.
    pub(crate) async fn view(&mut self, device: &Device, bytes: u64) -> Option<wgpu::BufferViewMut> {
        if !self.staging.holds(bytes) {
            self.mapped = None;
            if bytes > device.budget_left() / SHARE {
                self.staging.release();
                return None;
            }
            self.staging.reserve(device, bytes).await.ok()?;
        }
        if self.mapped.is_none() {
            // A new buffer: nobody uses it, and asking the device once will do.
            self.map();
            device.device.poll(wgpu::PollType::Poll).ok()?;
        }
        let mapped = self.mapped.as_ref().is_some_and(|mapped| mapped.load(Ordering::Acquire));
        if mapped { self.staging.buffer().get_mapped_range_mut(0..bytes).ok() } else { None }
    }

    fn map(&mut self) {
        let mapped = Arc::new(AtomicBool::new(false));
        let signal = Arc::clone(&mapped);
        self.staging.buffer().map_async(wgpu::MapMode::Write, .., move |result| {
            signal.store(result.is_ok(), Ordering::Release);
        });
        self.mapped = Some(mapped);
    }

    /// Lets the device copy what was filled in, whose view must be gone. When it has, the buffer is the host's again.
    pub(crate) fn submit<'a>(&mut self, device: &Device, copies: impl IntoIterator<Item = Copy<'a>>) {
        let buffer = self.staging.buffer();
        buffer.unmap();
        let mut encoder = device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for (from, to, at, bytes) in copies {
            encoder.copy_buffer_to_buffer(buffer, from, to, at, bytes);
        }
        device.queue.submit([encoder.finish()]);
        self.count += 1;
        self.map();
    }

    pub(crate) fn release(&mut self) {
        self.staging.release();
        self.mapped = None;
    }
}
