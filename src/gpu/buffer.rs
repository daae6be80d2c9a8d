//! Device buffers that grow on demand.

use super::device::{CountedBuffer, Device};
use super::failure::{Attempt, Failure};

/// What the size of a buffer depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SizedBy {
    /// Only the bodies, pairs or planes that a query is given.
    Input,
    /// Also what a query finds: a part of a query needs a smaller buffer.
    Findings,
}

/// A device buffer that is allocated when it is first needed, and allocated again when it is too small. Its contents are lost
/// then.
pub(crate) struct GrowBuffer {
    label: &'static str,
    usage: wgpu::BufferUsages,
    sized_by: SizedBy,
    allocation: Option<CountedBuffer>,
    /// Whether commands of the caller's may use the buffer after it was freed here.
    lent: bool,
}

impl GrowBuffer {
    pub(crate) fn new(label: &'static str, usage: wgpu::BufferUsages, sized_by: SizedBy) -> Self {
        Self { label, usage, sized_by, allocation: None, lent: false }
    }

    /// A storage buffer, which kernels can bind.
    pub(crate) fn storage(label: &'static str, sized_by: SizedBy) -> Self {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        Self::new(label, usage, sized_by)
    }

    /// A buffer of the caller's.
    pub(crate) fn of_caller(buffer: wgpu::Buffer) -> Self {
        let mut made = Self::new("of the caller", buffer.usage(), SizedBy::Input);
        made.allocation = Some(CountedBuffer::of_caller(buffer));
        made
    }

    /// From now on, commands of the caller's may use the buffer after it was freed here.
    pub(crate) fn lend(&mut self) {
        self.lent = true;
    }

    pub(crate) fn sized_by(&self) -> SizedBy {
        self.sized_by
    }

    /// Whether the buffer is allocated and has at least this many bytes.
    pub(crate) fn holds(&self, bytes: u64) -> bool {
        self.allocation.as_ref().is_some_and(|allocation| allocation.buffer.size() >= bytes)
    }

    /// Makes room for this many bytes. Returns whether the buffer was allocated anew, so that its contents are lost.
    pub(crate) async fn reserve(&mut self, device: &Device, bytes: u64) -> Attempt<bool> {
        if self.holds(bytes) {
            return Ok(false);
        }
        let grown = self.allocation.is_some();
        self.release();
        // A buffer that has grown once will probably grow again, so it gets a quarter more where the device allows it.
        let wanted = if grown { bytes + bytes / 4 } else { bytes };
        let mut made = device.buffer(self.label, wanted, self.usage).await;
        if made.is_err() && wanted > bytes {
            made = device.buffer(self.label, bytes, self.usage).await;
        }
        let splits = self.sized_by == SizedBy::Findings;
        let mut made = made.map_err(|error| Failure { error, splits })?;
        made.lent = self.lent;
        self.allocation = Some(made);
        Ok(true)
    }

    /// The underlying buffer. [`reserve`](Self::reserve) must have been called before.
    pub(crate) fn buffer(&self) -> &wgpu::Buffer {
        &self.allocation.as_ref().expect("room is made before it is used").buffer
    }

    /// Gives what was mapped of the buffer to the device.
    pub(crate) fn unmap(&self) {
        if let Some(allocation) = &self.allocation {
            allocation.unmap();
        }
    }

    /// Frees the buffer.
    pub(crate) fn release(&mut self) {
        self.allocation = None;
    }
}
