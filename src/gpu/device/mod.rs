//! A device with the library's kernels on it.

mod doubles;
mod kernels;
mod open;

use kernels::{Built, Kernel};
use open::check_limits;

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::abi::{Abilities, SUBGROUP_TEAMS};
use super::stages;
use crate::{Adapter, Error, Result};

/// What a device is asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wish {
    /// Which adapter, by its index in [`adapters`](crate::adapters); the best hardware one if not said.
    pub adapter: Option<usize>,
    /// Whether only hardware will do.
    pub hardware: bool,
    /// A device of the caller's.
    pub device: Option<(wgpu::Device, wgpu::Queue)>,
    /// The limits that every WebGPU device has, and no feature: to test that they suffice.
    pub portable: bool,
    /// The most device memory to use, in bytes.
    pub memory: Option<u64>,
}

#[expect(clippy::struct_field_names, reason = "that is what wgpu calls it")]
pub(crate) struct Device {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub adapter: Option<Adapter>,
    pub limits: wgpu::Limits,
    /// Nanoseconds of a tick, where the device has timestamps.
    pub tick: Option<f32>,
    /// What its kernels may use.
    pub abilities: Abilities,
    budget: u64,
    used: Arc<AtomicU64>,
    /// By stage.
    kernels: Vec<OnceLock<Result<Kernel>>>,
    /// By the first stage of each.
    modules: Vec<OnceLock<Built>>,
    built: AtomicUsize,
    /// Whether its `f64` can be trusted, once that was asked.
    doubles: OnceLock<bool>,
    /// What the device complained about.
    failure: Arc<Mutex<Option<String>>>,
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Device").field("adapter", &self.adapter).finish_non_exhaustive()
    }
}

/// A buffer that counts against the device's budget as long as it is held: also when a query is dropped half way.
pub(crate) struct Held {
    pub buffer: wgpu::Buffer,
    used: Arc<AtomicU64>,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.used.fetch_sub(self.buffer.size(), Ordering::Relaxed);
        self.buffer.destroy();
    }
}

impl Device {
    fn new(
        device: wgpu::Device,
        queue: wgpu::Queue,
        adapter: Option<Adapter>,
        limits: wgpu::Limits,
        timestamps: bool,
        abilities: Abilities,
        budget: u64,
    ) -> Result<Self> {
        check_limits(&limits)?;
        let failure: Arc<Mutex<Option<String>>> = Arc::default();
        if adapter.is_some() {
            // Our own device: what it says is returned as an error instead of ending the program.
            let slot = Arc::clone(&failure);
            device.on_uncaptured_error(Arc::new(move |error| {
                slot.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| error.to_string());
            }));
        }
        // Kernels reckon in 32 bits.
        let mut limits = limits;
        limits.max_storage_buffer_binding_size = limits.max_storage_buffer_binding_size.min((1 << 31) - 16);
        let tick = timestamps.then(|| queue.get_timestamp_period());
        Ok(Self {
            device,
            queue,
            adapter,
            limits,
            tick,
            abilities,
            budget,
            used: Arc::default(),
            kernels: stages::ALL.iter().map(|_| OnceLock::new()).collect(),
            modules: stages::ALL.iter().map(|_| OnceLock::new()).collect(),
            built: AtomicUsize::new(0),
            doubles: OnceLock::new(),
            failure,
        })
    }

    /// Groups of 32 threads that search side by side in one workgroup.
    pub(crate) fn teams(&self) -> u32 {
        if self.abilities.subgroups { SUBGROUP_TEAMS } else { 1 }
    }

    /// A buffer of this many bytes.
    pub(crate) fn buffer(&self, label: &'static str, bytes: u64, usage: wgpu::BufferUsages) -> Result<Held> {
        let limit = if usage.contains(wgpu::BufferUsages::STORAGE) {
            self.limits.max_buffer_size.min(self.limits.max_storage_buffer_binding_size)
        } else {
            self.limits.max_buffer_size
        };
        if bytes > limit {
            return Err(Error::DeviceMemory { what: label, needed: bytes, limit });
        }
        let (bytes, left) = (bytes.max(16).next_multiple_of(16), self.left());
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
        if pollster::block_on(scope.pop()).is_some() {
            return Err(Error::DeviceMemory { what: label, needed: bytes, limit: 0 });
        }
        self.used.fetch_add(buffer.size(), Ordering::Relaxed);
        Ok(Held { buffer, used: Arc::clone(&self.used) })
    }

    /// Does what makes or submits things on the device; what the device finds invalid in it is an error.
    pub(crate) fn validated<R>(&self, work: impl FnOnce() -> Result<R>) -> Result<R> {
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let result = work();
        match pollster::block_on(scope.pop()) {
            Some(error) => Err(Error::Device { reason: error.to_string() }),
            None => result,
        }
    }

    /// What is left of the budget, in bytes.
    pub(crate) fn left(&self) -> u64 {
        self.budget.saturating_sub(self.used.load(Ordering::Relaxed))
    }

    /// What the device complained about since it was last asked, as an error.
    pub(crate) fn check(&self) -> Result<()> {
        match self.failure.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(reason) => Err(Error::Device { reason }),
            None => Ok(()),
        }
    }
}
