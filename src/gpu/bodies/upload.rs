//! Large uploads: a staging buffer that the host fills on all cores and the device copies from.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::gpu::buffer::{GrowBuffer, SizedBy};
use crate::gpu::device::Device;
use crate::gpu::failure::Attempt;

/// A copy from the staging buffer: the first byte there, the destination, the first byte in it, and the number of bytes.
pub(crate) type Copy<'a> = (u64, &'a wgpu::Buffer, u64, u64);

/// The staging buffer takes at most one part in this many of the rest of the memory budget, so that the query itself has room.
const SHARE: u64 = 8;

/// A staging buffer that stays mapped between uploads. It only saves time: without it, uploads go through the queue.
pub(crate) struct Upload {
    staging: GrowBuffer,
    /// Becomes true once the buffer is mapped; absent before mapping was requested.
    mapped: Option<Arc<AtomicBool>>,
    /// Uploads so far.
    pub count: u64,
}

impl Upload {
    pub(crate) fn new() -> Self {
        let usage = wgpu::BufferUsages::MAP_WRITE | wgpu::BufferUsages::COPY_SRC;
        Self { staging: GrowBuffer::new("upload", usage, SizedBy::Input), mapped: None, count: 0 }
    }

    /// A view of this many bytes to fill; absent if memory is scarce or the device still copies from the last upload.
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
            // The device does not use a new buffer, so that one poll suffices to map it.
            let mapping = device.validated(|| {
                self.map();
                Ok(())
            });
            mapping.await.ok()?;
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

    /// Submits copies of the bytes that were filled in; the view must have been dropped. The buffer is mapped again when the
    /// device has copied them.
    pub(crate) async fn submit<'a>(
        &mut self,
        device: &Device,
        copies: impl IntoIterator<Item = Copy<'a>>,
    ) -> Attempt<()> {
        device
            .validated(|| {
                let buffer = self.staging.buffer();
                buffer.unmap();
                let mut encoder = device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
                for (from, to, at, bytes) in copies {
                    encoder.copy_buffer_to_buffer(buffer, from, to, at, bytes);
                }
                device.queue.submit([encoder.finish()]);
                self.count += 1;
                self.map();
                Ok(())
            })
            .await
    }

    pub(crate) fn release(&mut self) {
        self.staging.release();
        self.mapped = None;
    }
}
