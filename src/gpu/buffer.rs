//! Buffers that grow and are kept.

use super::device::{Device, Held};
use crate::Result;

/// Memory on the device, made when it is first needed and made anew when it is too small. What was in it is then lost.
pub(crate) struct GrowBuffer {
    label: &'static str,
    usage: wgpu::BufferUsages,
    held: Option<Held>,
}

impl GrowBuffer {
    pub(crate) fn new(label: &'static str, usage: wgpu::BufferUsages) -> Self {
        Self { label, usage, held: None }
    }

    /// For kernels.
    pub(crate) fn storage(label: &'static str) -> Self {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        Self::new(label, usage)
    }

    /// Whether there is room for this many bytes.
    pub(crate) fn holds(&self, bytes: u64) -> bool {
        self.held.as_ref().is_some_and(|held| held.buffer.size() >= bytes)
    }

    /// Makes room for this many bytes; whether the buffer is a new one.
    pub(crate) fn reserve(&mut self, device: &Device, bytes: u64) -> Result<bool> {
        if self.holds(bytes) {
            return Ok(false);
        }
        let grown = self.held.is_some();
        self.release();
        // What has grown once will grow again: a quarter more, where there is room for it.
        let wanted = if grown { bytes + bytes / 4 } else { bytes };
        let held = match device.buffer(self.label, wanted, self.usage) {
            Err(_) if wanted > bytes => device.buffer(self.label, bytes, self.usage)?,
            result => result?,
        };
        self.held = Some(held);
        Ok(true)
    }

    /// The buffer; there must have been a [`reserve`](Self::reserve).
    pub(crate) fn buffer(&self) -> &wgpu::Buffer {
        &self.held.as_ref().expect("room is made before it is used").buffer
    }

    /// Gives the memory back.
    pub(crate) fn release(&mut self) {
        self.held = None;
    }
}
