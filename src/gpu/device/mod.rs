//! A wgpu device with the library's kernels and a memory budget.

mod doubles;
mod kernels;
mod open;

use kernels::{Built, Kernel};
pub(crate) use open::FEATURES;

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::abi::{Abilities, SUBGROUP_WARPS};
use super::failure::Attempt;
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

#[expect(clippy::struct_field_names, reason = "that is what wgpu calls it")]
pub(crate) struct Device {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    /// The adapter of the device, whoever has opened it.
    pub adapter: wgpu::AdapterInfo,
    pub limits: wgpu::Limits,
    /// Nanoseconds per timestamp tick; absent where the device has no timestamps.
    pub tick: Option<f32>,
    /// The optional features that kernels may use.
    pub abilities: Abilities,
    budget: u64,
    used: Arc<AtomicU64>,
    /// The compiled kernels, by the index of their stage.
    kernels: Vec<OnceLock<Result<Kernel>>>,
    /// The shader modules, by the index of the first stage of each.
    modules: Vec<OnceLock<Built>>,
    built: AtomicUsize,
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Device").field("adapter", &self.adapter.name).finish_non_exhaustive()
    }
}

/// A buffer that counts against the device's memory budget until it is dropped, also if that happens because a query is
/// cancelled.
pub(crate) struct CountedBuffer {
    pub buffer: wgpu::Buffer,
    used: Arc<AtomicU64>,
}

impl Drop for CountedBuffer {
    fn drop(&mut self) {
        self.used.fetch_sub(self.buffer.size(), Ordering::Relaxed);
        self.buffer.destroy();
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
        let limit = if usage.contains(wgpu::BufferUsages::STORAGE) {
            self.limits.max_buffer_size.min(self.limits.max_storage_buffer_binding_size)
        } else {
            self.limits.max_buffer_size
        };
        if bytes > limit {
            return Err(Error::DeviceMemory { what: label, needed: bytes, limit });
        }
        let (bytes, left) = (bytes.max(16).next_multiple_of(16), self.budget_left());
        if bytes > left {
            return Err(Error::DeviceMemory { what: label, needed: bytes, limit: left });
        }
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: bytes,
            usage,
            mapped_at_creation: false,
        });
        if scope.pop().await.is_some() {
            return Err(Error::DeviceMemory { what: label, needed: bytes, limit: 0 });
        }
        self.used.fetch_add(buffer.size(), Ordering::Relaxed);
        Ok(CountedBuffer { buffer, used: Arc::clone(&self.used) })
    }

    /// Runs `work`, which creates or submits objects on the device, and returns an error that the device reports about them.
    ///
    /// Error scopes are per thread, so that queries that run at the same time do not get each other's errors.
    pub(crate) async fn validated<R>(&self, work: impl FnOnce() -> Attempt<R>) -> Attempt<R> {
        let [memory, validation, internal] = ERROR_FILTERS.map(|filter| self.device.push_error_scope(filter));
        let result = work();
        // Scopes must be closed in reverse order, and before this task yields to another.
        let [internal, validation, memory] = [internal.pop(), validation.pop(), memory.pop()];
        let errors = [internal.await, validation.await, memory.await];
        match errors.into_iter().flatten().next() {
            Some(error) => Err(Error::Device { reason: error.to_string() }.into()),
            None => result,
        }
    }

    /// The rest of the memory budget, in bytes.
    pub(crate) fn budget_left(&self) -> u64 {
        self.budget.saturating_sub(self.used.load(Ordering::Relaxed))
    }
}
