//! A device with the library's kernels on it.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::adapters;
use super::params::Params;
use super::stages::{self, Abilities, Binding, Module, Stage};
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
    kernels: Vec<OnceLock<Kernel>>,
    built: AtomicUsize,
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

/// A compiled stage.
pub(crate) struct Kernel {
    pub pipeline: wgpu::ComputePipeline,
    pub layout: wgpu::BindGroupLayout,
}

/// Groups of 32 threads in a workgroup of the kernels for subgroups.
pub(super) const TEAMS: u32 = 4;

/// What the kernels for subgroups use.
const SUBGROUPS: wgpu::Features = wgpu::Features::SUBGROUP.union(wgpu::Features::SUBGROUP_BARRIER);

fn unavailable(reason: impl Into<String>) -> Error {
    Error::BackendUnavailable { backend: "gpu", reason: reason.into() }
}

impl Device {
    pub(crate) fn open(wish: Wish) -> Result<Self> {
        let budget = wish.memory.unwrap_or(u64::MAX);
        if let Some((device, queue)) = wish.device {
            let limits = device.limits();
            let timestamps = device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
            // The size of its subgroups is not known.
            let doubles = device.features().contains(wgpu::Features::SHADER_F64);
            let abilities = Abilities { subgroups: false, doubles };
            return Self::new(device, queue, None, limits, timestamps, abilities, budget);
        }
        let (adapter, description) = match wish.adapter {
            Some(index) => {
                let found = adapters::enumerate(wgpu::Backends::PRIMARY | wgpu::Backends::GL);
                let count = found.len();
                found
                    .into_iter()
                    .nth(index)
                    .ok_or_else(|| unavailable(format!("there is no adapter {index}: this machine has {count}")))?
            }
            None => adapters::best().ok_or_else(|| unavailable("no adapter that can compute was found"))?,
        };
        if wish.hardware && !description.hardware {
            let Adapter { name, backend, .. } = &description;
            return Err(unavailable(format!("{name} ({backend}) is not hardware; ask for it to use it")));
        }
        if !description.compute {
            return Err(unavailable(format!("{} has no compute shaders", description.name)));
        }
        let (limits, features) = if wish.portable {
            (wgpu::Limits::default(), wgpu::Features::empty())
        } else {
            let wanted = wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::SHADER_F64 | SUBGROUPS;
            (adapter.limits(), adapter.features() & wanted)
        };
        let info = adapter.get_info();
        let sized = (info.subgroup_min_size, info.subgroup_max_size) == (32, 32);
        let request = adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("tangency"),
            required_features: features,
            required_limits: limits.clone(),
            memory_hints: wgpu::MemoryHints::Performance,
            ..Default::default()
        });
        let (device, queue) = pollster::block_on(request)
            .map_err(|error| unavailable(format!("{} refuses a device: {error}", description.name)))?;
        let abilities = Abilities {
            subgroups: sized && features.contains(SUBGROUPS),
            doubles: features.contains(wgpu::Features::SHADER_F64),
        };
        let timestamps = features.contains(wgpu::Features::TIMESTAMP_QUERY);
        Self::new(device, queue, Some(description), limits, timestamps, abilities, budget)
    }

    fn new(
        device: wgpu::Device,
        queue: wgpu::Queue,
        adapter: Option<Adapter>,
        limits: wgpu::Limits,
        timestamps: bool,
        abilities: Abilities,
        budget: u64,
    ) -> Result<Self> {
        let needed = stages::ALL.iter().map(|stage| stage.module.storage_buffers()).max().unwrap_or_default();
        if limits.max_storage_buffers_per_shader_stage < needed {
            let granted = limits.max_storage_buffers_per_shader_stage;
            return Err(unavailable(format!("kernels need {needed} storage buffers, and the device grants {granted}")));
        }
        if limits.max_compute_invocations_per_workgroup < 256 || limits.max_compute_workgroup_storage_size < 16384 {
            return Err(unavailable("kernels need workgroups of 256 threads with 16 KiB of memory"));
        }
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
        let kernels = stages::ALL.iter().map(|_| OnceLock::new()).collect();
        let (used, built) = (Arc::default(), AtomicUsize::new(0));
        Ok(Self { device, queue, adapter, limits, tick, abilities, budget, used, kernels, built, failure })
    }

    /// The kernel of a stage, compiled when it is first asked for.
    pub(crate) fn kernel(&self, stage: &'static Stage) -> &Kernel {
        let at = stages::ALL.iter().position(|other| std::ptr::eq(*other, stage)).unwrap_or_default();
        self.kernels[at].get_or_init(|| {
            self.built.fetch_add(1, Ordering::Relaxed);
            self.build(stage)
        })
    }

    /// Groups of 32 threads that search side by side in one workgroup.
    pub(crate) fn teams(&self) -> u32 {
        if self.abilities.subgroups { TEAMS } else { 1 }
    }

    /// How many kernels have been compiled.
    #[cfg(test)]
    pub(crate) fn kernels_built(&self) -> usize {
        self.built.load(Ordering::Relaxed)
    }

    fn build(&self, stage: &Stage) -> Kernel {
        let module = self.module(wgpu::ShaderModuleDescriptor {
            label: Some(stage.module.name),
            source: wgpu::ShaderSource::Wgsl(stage.module.source(self.abilities).into()),
        });
        let layout = self.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some(stage.module.name),
            entries: &stage.module.entries(),
        });
        let pipeline_layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(stage.module.name),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(stage.name),
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some(stage.name),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        Kernel { pipeline, layout }
    }

    /// A module of kernels. Indices are checked; loops are not counted, which would cost each of their iterations some instructions.
    #[allow(unsafe_code)]
    fn module(&self, descriptor: wgpu::ShaderModuleDescriptor<'_>) -> wgpu::ShaderModule {
        let checks = wgpu::ShaderRuntimeChecks { force_loop_bounding: false, ..wgpu::ShaderRuntimeChecks::checked() };
        // SAFETY: every loop of the kernels ends. They count up or down to a limit that does not change, or clear the lowest or the
        // highest bit of a word until none is left, or halve a range.
        unsafe { self.device.create_shader_module_trusted(descriptor, checks) }
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

impl Module {
    fn entries(&self) -> Vec<wgpu::BindGroupLayoutEntry> {
        let entry = |binding: usize, ty: wgpu::BufferBindingType, size: u64| wgpu::BindGroupLayoutEntry {
            binding: binding as u32,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty,
                has_dynamic_offset: false,
                min_binding_size: std::num::NonZeroU64::new(size),
            },
            count: None,
        };
        let mut entries = vec![entry(0, wgpu::BufferBindingType::Uniform, size_of::<Params>() as u64)];
        for (k, binding) in self.bindings.iter().enumerate() {
            entries.push(match binding {
                Binding::Step => entry(k + 1, wgpu::BufferBindingType::Uniform, 16),
                Binding::Read => entry(k + 1, wgpu::BufferBindingType::Storage { read_only: true }, 0),
                Binding::Write => entry(k + 1, wgpu::BufferBindingType::Storage { read_only: false }, 0),
            });
        }
        entries
    }
}
