//! Buffers that grow and are kept.

use super::device::{CountedBuffer, Device};
use super::failure::{Attempt, Failure};

/// What the size of a buffer depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SizedBy {
    /// The bodies, pairs or planes that a query is about.
    Input,
    /// Also what a query finds, of which there is less in a part of it.
    Findings,
}

/// Memory on the device, made when it is first needed and made anew when it is too small. What was in it is then lost.
pub(crate) struct GrowBuffer {
    label: &'static str,
    usage: wgpu::BufferUsages,
    sized_by: SizedBy,
    allocation: Option<CountedBuffer>,
}

impl GrowBuffer {
    pub(crate) fn new(label: &'static str, usage: wgpu::BufferUsages, sized_by: SizedBy) -> Self {
        Self { label, usage, sized_by, allocation: None }
    }

    /// For kernels.
    pub(crate) fn storage(label: &'static str, sized_by: SizedBy) -> Self {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        Self::new(label, usage, sized_by)
    }

    pub(crate) fn sized_by(&self) -> SizedBy {
        self.sized_by
    }

    /// Whether there is room for this many bytes.
    pub(crate) fn holds(&self, bytes: u64) -> bool {
        self.allocation.as_ref().is_some_and(|allocation| allocation.buffer.size() >= bytes)
    }

    /// Makes room for this many bytes; whether the buffer is a new one.
    pub(crate) async fn reserve(&mut self, device: &Device, bytes: u64) -> Attempt<bool> {
        if self.holds(bytes) {
            return Ok(false);
        }
        let grown = self.allocation.is_some();
        self.release();
        // What has grown once will grow again: a quarter more, where there is room for it.
        let wanted = if grown { bytes + bytes / 4 } else { bytes };
        let mut made = device.buffer(self.label, wanted, self.usage).await;
        if made.is_err() && wanted > bytes {
            made = device.buffer(self.label, bytes, self.usage).await;
        }
        let splits = self.sized_by == SizedBy::Findings;
        self.allocation = Some(made.map_err(|error| Failure { error, splits })?);
        Ok(true)
    }

    /// The buffer; there must have been a [`reserve`](Self::reserve).
    pub(crate) fn buffer(&self) -> &wgpu::Buffer {
        &self.allocation.as_ref().expect("room is made before it is used").buffer
    }

    /// Gives the memory back.
    pub(crate) fn release(&mut self) {
        self.allocation = None;
    }
}
