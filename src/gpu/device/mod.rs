//! A wgpu device with the library's kernels and a memory budget.

mod budget;
mod doubles;
mod kernels;
mod open;
mod turns;
mod write;

use budget::{Budget, Share};
use kernels::{Built, Kernel};
pub(crate) use open::FEATURES;
pub(in crate::gpu) use turns::{Turn, Turns};

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, OnceLock};

use super::abi::{Abilities, SUBGROUP_WARPS};
use super::failure::Attempt;
use super::guard::DroppedWithCare;
use super::lock;
use crate::{Error, Result};

/// Which device to open, and how.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeviceRequest {
    /// The adapter, by its index in [`adapters`](crate::adapters); absent for the best one.
    pub adapter: Option<usize>,
    /// Whether software adapters are refused.
    pub hardware: bool,
    /// A device that the caller has opened.
    pub device: Option<(wgpu::Device, wgpu::Queue)>,
    /// Whether to use only WebGPU's default limits and no features: for tests that these suffice.
    pub portable: bool,
    /// The memory budget in bytes; absent for no limit.
    pub memory: Option<u64>,
}

/// What is done to the source of a module before it is compiled.
#[cfg(test)]
pub(crate) type Alter = fn(&super::abi::Module, String) -> String;

#[expect(clippy::struct_field_names, reason = "that is what wgpu calls it")]
pub(crate) struct Device {
    pub device: wgpu::Device,
    /// It is waited for when it is dropped, which may fail.
    pub queue: DroppedWithCare<wgpu::Queue>,
    /// The adapter of the device, whoever has opened it.
    pub adapter: wgpu::AdapterInfo,
    pub limits: wgpu::Limits,
    /// Nanoseconds per timestamp tick; absent where the device has no timestamps.
    pub tick: Option<f32>,
    /// The optional features that kernels may use.
    pub abilities: Abilities,
    pub(in crate::gpu) turns: Arc<Turns>,
    budget: Budget,
    /// Memory that nobody uses any more but the device: copies of what was written through the queue, and buffers that were dropped.
    in_use: Arc<Mutex<Vec<Share>>>,
    /// The compiled kernels, by the index of their stage.
    kernels: Vec<OnceLock<Result<Kernel>>>,
    /// The shader modules, by the index of the first stage of each.
    modules: Vec<OnceLock<Built>>,
    built: AtomicUsize,
    /// What is done to the source of a module before it is compiled.
    #[cfg(test)]
    pub alter: Option<Alter>,
    /// Buffers and bind groups made so far.
    #[cfg(test)]
    pub made: std::sync::atomic::AtomicU64,
    /// Why the device was lost, once it was. Absent for the caller's device, which has one such callback, and that is the caller's.
    lost: Arc<OnceLock<String>>,
}

impl Drop for Device {
    fn drop(&mut self) {
        // The queue of a lost device cannot be dropped safely: wgpu waits for it, panics if that fails for want of memory, panics again in
        // what it drops then, which ends the process, and frees a semaphore twice if the first submission had failed. What is left behind is
        // small: buffers are destroyed one by one.
        if self.lost().is_some() {
            self.queue.leave();
        }
    }
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Device").field("adapter", &self.adapter.name).finish_non_exhaustive()
    }
}

/// A buffer that counts against the device's memory budget until it is dropped, also if that happens because a query is
/// cancelled, and until the device has done with it.
pub(crate) struct CountedBuffer {
    pub buffer: wgpu::Buffer,
    share: Option<Share>,
    /// Where the share goes when the buffer is dropped.
    in_use: Arc<Mutex<Vec<Share>>>,
    turns: Arc<Turns>,
    /// Whether others may use the buffer after it is dropped here: the caller, or commands of the caller's that are not submitted yet.
    pub lent: bool,
}

impl CountedBuffer {
    /// A buffer of the caller's, which does not count.
    pub(super) fn of_caller(buffer: wgpu::Buffer) -> Self {
        Self { buffer, share: None, in_use: Arc::default(), turns: Arc::default(), lent: true }
    }

    /// Gives what was mapped to the device.
    pub(in crate::gpu) fn unmap(&self) {
        let _turn = self.turns.take();
        self.buffer.unmap();
    }
}

impl Drop for CountedBuffer {
    fn drop(&mut self) {
        if !self.lent {
            self.turns.destroy(&self.buffer);
        }
        if let Some(share) = self.share.take().filter(Share::is_limited) {
            lock(&self.in_use).push(share);
        }
    }
}

/// The kinds of errors that wgpu reports.
const ERROR_FILTERS: [wgpu::ErrorFilter; 3] =
    [wgpu::ErrorFilter::OutOfMemory, wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::Internal];

impl Device {
    /// Warps of a workgroup of the search.
    pub(crate) fn warps(&self) -> u32 {
        if self.abilities.subgroups { SUBGROUP_WARPS } else { 1 }
    }

    /// Allocates a buffer of this many bytes.
    pub(crate) async fn buffer(
        &self,
        label: &'static str,
        bytes: u64,
        usage: wgpu::BufferUsages,
    ) -> Result<CountedBuffer> {
        self.allocate(label, bytes, usage, false).await
    }

    /// Allocates a buffer of this many bytes, which may be mapped already.
    pub(crate) async fn allocate(
        &self,
        label: &'static str,
        bytes: u64,
        usage: wgpu::BufferUsages,
        mapped: bool,
    ) -> Result<CountedBuffer> {
        let limit = if usage.contains(wgpu::BufferUsages::STORAGE) {
            self.limits.max_buffer_size.min(self.limits.max_storage_buffer_binding_size)
        } else {
            self.limits.max_buffer_size
        };
        if bytes > limit {
            return Err(Error::DeviceMemory { what: label, needed: bytes, limit });
        }
        let bytes = bytes.max(16).next_multiple_of(16);
        let share = self.share(label, bytes)?;
        #[cfg(test)]
        self.made.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let (buffer, error) = self
            .scoped(|| {
                self.device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some(label),
                    size: bytes,
                    usage,
                    mapped_at_creation: mapped,
                })
            })
            .await;
        match error {
            None => Ok(CountedBuffer {
                buffer,
                share: Some(share),
                in_use: Arc::clone(&self.in_use),
                turns: Arc::clone(&self.turns),
                lent: false,
            }),
            Some(wgpu::Error::OutOfMemory { .. }) => Err(Error::DeviceMemory { what: label, needed: bytes, limit: 0 }),
            Some(error) => Err(self.failed(&error)),
        }
    }

    /// Runs `work`, and returns the first error that the device reports about what it creates or submits.
    ///
    /// Error scopes are per thread, so that queries that run at the same time do not get each other's errors.
    async fn scoped<R>(&self, work: impl FnOnce() -> R) -> (R, Option<wgpu::Error>) {
        let [memory, validation, internal] = ERROR_FILTERS.map(|filter| self.device.push_error_scope(filter));
        let result = {
            let _turn = self.turn();
            work()
        };
        // Scopes must be closed in reverse order, and before this task yields to another.
        let [internal, validation, memory] = [internal.pop(), validation.pop(), memory.pop()];
        let errors = [memory.await, validation.await, internal.await];
        (result, errors.into_iter().flatten().next())
    }

    /// Waits until this thread may call what needs the device to itself.
    pub(in crate::gpu) fn turn(&self) -> Turn<'_> {
        self.turns.take()
    }

    /// The error of a device that has refused something, or was lost before that.
    pub(crate) fn failed(&self, reason: &impl std::fmt::Display) -> Error {
        let reason = self.lost().map_or_else(|| reason.to_string(), |lost| format!("it was lost: {lost}"));
        Error::Device { reason }
    }

    /// Why the device was lost, if it was and is known to be.
    pub(crate) fn lost(&self) -> Option<&str> {
        self.lost.get().map(String::as_str)
    }

    /// Runs `work`, which creates or submits objects on the device, and returns an error that the device reports about them.
    pub(crate) async fn validated<R>(&self, work: impl FnOnce() -> Attempt<R>) -> Attempt<R> {
        match self.scoped(work).await {
            // Memory that wgpu itself takes, to upload with, is not ours to split.
            (_, Some(error)) => Err(self.failed(&error).into()),
            (result, None) => match self.lost() {
                // Of a lost device no errors are reported.
                Some(lost) => Err(self.failed(&lost).into()),
                None => result,
            },
        }
    }

    /// The rest of the memory budget, in bytes.
    pub(crate) fn budget_left(&self) -> u64 {
        self.budget.left()
    }
}
