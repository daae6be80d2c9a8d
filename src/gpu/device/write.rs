//! Writing to buffers through the queue, which copies to memory of its own first.

use std::borrow::Cow;

use super::{Device, Share};
use crate::gpu::failure::Attempt;
use crate::gpu::lock;
use crate::{Error, Result};

/// What to write: a buffer, the first byte in it, and the bytes.
type Write<'a> = (&'a wgpu::Buffer, u64, Cow<'a, [u8]>);

/// The most bytes that are written in one go where there is a memory budget: the queue's copy of them counts.
const PIECE: usize = 1 << 18;
/// Drivers allocate memory in multiples of a few bytes; none that is known of more than this.
const GRAIN: u64 = 256;

impl Device {
    /// Writes bytes to a buffer.
    pub(crate) async fn write(&self, buffer: &wgpu::Buffer, at: u64, bytes: &[u8]) -> Attempt<()> {
        self.write_all(std::iter::once((buffer, at, Cow::Borrowed(bytes)))).await
    }

    /// Writes to buffers, one after the other.
    ///
    /// # Errors
    /// [`Device`](Error::Device) if the queue has no memory for its copy, which must not go unnoticed: the buffers would keep what they
    /// had. [`DeviceMemory`](Error::DeviceMemory) if the budget has none.
    pub(crate) async fn write_all<'a>(&self, writes: impl Iterator<Item = Write<'a>>) -> Attempt<()> {
        if !self.budget.is_limited() {
            return self
                .validated(|| {
                    for (buffer, at, bytes) in writes {
                        self.queue.write_buffer(buffer, at, &bytes);
                    }
                    Ok(())
                })
                .await;
        }
        for (buffer, at, bytes) in writes {
            for (k, piece) in bytes.chunks(PIECE).enumerate() {
                let share = self.share("upload", piece.len() as u64)?;
                let at = at + (k * PIECE) as u64;
                self.validated(|| {
                    self.queue.write_buffer(buffer, at, piece);
                    Ok(())
                })
                .await?;
                self.keep(share);
            }
        }
        Ok(())
    }

    /// Takes bytes of the budget. If there are too few, the device is waited for until it has done with what nobody else uses.
    pub(in crate::gpu) fn share(&self, what: &'static str, bytes: u64) -> Result<Share> {
        let bytes = bytes.next_multiple_of(GRAIN);
        if let Ok(share) = self.budget.take(bytes) {
            return Ok(share);
        }
        let done = self.used_so_far();
        if !done.is_empty() {
            let _turn = self.turn();
            self.queue.submit([]);
            // (In a browser nobody can wait here; copies there are made in memory of the browser's.)
            #[cfg(not(target_family = "wasm"))]
            self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| self.failed(&error))?;
            drop(done);
        }
        self.budget.take(bytes).map_err(|limit| Error::DeviceMemory { what, needed: bytes, limit })
    }

    /// Keeps a share until the device has done with what it is for.
    pub(in crate::gpu) fn keep(&self, share: Share) {
        if share.is_limited() {
            lock(&self.in_use).push(share);
        }
    }

    /// The shares that nobody uses but the device. They may be dropped when a submission that follows this call is done.
    pub(in crate::gpu) fn used_so_far(&self) -> Vec<Share> {
        std::mem::take(&mut *lock(&self.in_use))
    }
}
