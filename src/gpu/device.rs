//! A device with the library's kernels on it.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::params::Params;
use super::run::MOST_GROUPS;
use super::stages::{self, Abilities, Binding, Module, Stage};
use super::{adapters, doubles};
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

/// A compiled stage.
pub(crate) struct Kernel {
    pub pipeline: wgpu::ComputePipeline,
    pub layout: wgpu::BindGroupLayout,
}

/// A parsed module, and how its kernels are bound.
struct Built {
    module: wgpu::ShaderModule,
    layout: wgpu::BindGroupLayout,
    pipeline_layout: wgpu::PipelineLayout,
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

    /// The kernel of a stage, compiled when it is first asked for.
    ///
    /// # Errors
    /// [`Device`](Error::Device) says why the device does not take it.
    pub(crate) fn kernel(&self, stage: &'static Stage) -> Result<&Kernel> {
        let kernel = self.kernels[stages::number_of(stage)].get_or_init(|| {
            let kernel = self.validated(|| Ok(self.build(stage)));
            self.built.fetch_add(1, Ordering::Relaxed);
            kernel
        });
        kernel.as_ref().map_err(Clone::clone)
    }

    /// Compiles the kernels of these stages, on several cores if there are several to compile.
    pub(crate) fn compile(&self, stages: impl Iterator<Item = &'static Stage>) {
        let mut missing: Vec<&'static Stage> =
            stages.filter(|stage| self.kernels[stages::number_of(stage)].get().is_none()).collect();
        missing.sort_unstable_by_key(|stage| stages::number_of(stage));
        missing.dedup_by_key(|stage| stages::number_of(stage));
        if missing.len() < 2 {
            return;
        }
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(missing.len());
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                // Who gets no thread has the others do it, or compiles when a kernel is used.
                let work = || {
                    while let Some(stage) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                        // An error is kept, and told to whoever uses the kernel.
                        drop(self.kernel(stage));
                    }
                };
                drop(std::thread::Builder::new().name("tangency".to_owned()).spawn_scoped(scope, work));
            }
        });
    }

    /// Groups of 32 threads that search side by side in one workgroup.
    pub(crate) fn teams(&self) -> u32 {
        if self.abilities.subgroups { TEAMS } else { 1 }
    }

    /// How many kernels have been compiled.
    pub(crate) fn kernels_built(&self) -> usize {
        self.built.load(Ordering::Relaxed)
    }

    /// What the kernels of a module may use: `f64` only if it can be trusted.
    fn abilities_of(&self, module: &Module) -> Abilities {
        let asked = self.abilities.doubles && module.uses_doubles();
        let doubles = asked && *self.doubles.get_or_init(|| doubles::can_be_trusted(&self.device, &self.queue));
        Abilities { doubles, ..self.abilities }
    }

    /// The module of a stage, parsed when it is first asked for.
    fn built(&self, stage: &Stage) -> &Built {
        let first = stages::ALL.iter().position(|other| std::ptr::eq(other.module, stage.module)).unwrap_or_default();
        self.modules[first].get_or_init(|| {
            let name = Some(stage.module.name);
            let source = stage.module.source(self.abilities_of(stage.module));
            let layout = self.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: name,
                entries: &stage.module.entries(),
            });
            let pipeline_layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: name,
                bind_group_layouts: &[Some(&layout)],
                immediate_size: 0,
            });
            Built { module: self.module(name, source), layout, pipeline_layout }
        })
    }

    fn build(&self, stage: &Stage) -> Kernel {
        let built = self.built(stage);
        Kernel { pipeline: self.pipeline(stage, &built.module, built), layout: built.layout.clone() }
    }

    fn pipeline(&self, stage: &Stage, module: &wgpu::ShaderModule, built: &Built) -> wgpu::ComputePipeline {
        self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(stage.name),
            layout: Some(&built.pipeline_layout),
            module,
            entry_point: Some(stage.name),
            // Kernels clear what they count with, all threads together. Some drivers take minutes to compile what would clear all
            // of it in one thread.
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        })
    }

    /// Replaces the kernel of a stage by one that is made from an altered source.
    #[cfg(test)]
    pub(crate) fn sabotage(&mut self, stage: &'static Stage, alter: impl Fn(&str) -> String) {
        let source = alter(&stage.module.source(self.abilities_of(stage.module)));
        let built = self.built(stage);
        let module = self.module(Some("altered"), source);
        let kernel = Kernel { pipeline: self.pipeline(stage, &module, built), layout: built.layout.clone() };
        self.kernels[stages::number_of(stage)] = OnceLock::from(Ok(kernel));
    }

    /// Makes the kernel of a stage anew.
    #[cfg(test)]
    pub(crate) fn repair(&mut self, stage: &'static Stage) {
        self.kernels[stages::number_of(stage)] = OnceLock::new();
    }

    /// A module of kernels. Indices are checked; loops are not counted, which would cost each of their iterations some instructions.
    #[allow(unsafe_code)]
    pub(super) fn module(&self, label: Option<&str>, source: String) -> wgpu::ShaderModule {
        let descriptor = wgpu::ShaderModuleDescriptor { label, source: wgpu::ShaderSource::Wgsl(source.into()) };
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

/// Whether a device grants what the kernels need.
fn check_limits(granted: &wgpu::Limits) -> Result<()> {
    let storage = stages::ALL.iter().map(|stage| stage.module.storage_buffers()).max().unwrap_or_default();
    let bindings = stages::ALL.iter().map(|stage| stage.module.bindings.len() as u32 + 1).max().unwrap_or_default();
    let needs = [
        ("max_bind_groups", granted.max_bind_groups, 1),
        ("max_bindings_per_bind_group", granted.max_bindings_per_bind_group, bindings),
        ("max_storage_buffers_per_shader_stage", granted.max_storage_buffers_per_shader_stage, storage),
        ("max_uniform_buffers_per_shader_stage", granted.max_uniform_buffers_per_shader_stage, 2),
        (
            "max_buffers_and_acceleration_structures_per_shader_stage",
            // Browsers do not say.
            match granted.max_buffers_and_acceleration_structures_per_shader_stage {
                0 => bindings,
                granted => granted,
            },
            bindings,
        ),
        (
            "max_uniform_buffer_binding_size",
            granted.max_uniform_buffer_binding_size.min(u64::from(u32::MAX)) as u32,
            size_of::<Params>() as u32,
        ),
        ("max_compute_workgroup_storage_size", granted.max_compute_workgroup_storage_size, 16384),
        ("max_compute_invocations_per_workgroup", granted.max_compute_invocations_per_workgroup, 256),
        ("max_compute_workgroup_size_x", granted.max_compute_workgroup_size_x, 256),
        ("max_compute_workgroup_size_y", granted.max_compute_workgroup_size_y, 1),
        ("max_compute_workgroup_size_z", granted.max_compute_workgroup_size_z, 1),
        ("max_compute_workgroups_per_dimension", granted.max_compute_workgroups_per_dimension, MOST_GROUPS),
    ];
    match needs.into_iter().find(|(_, granted, needed)| granted < needed) {
        None => Ok(()),
        Some((limit, granted, needed)) => {
            let advice = "ask for wgpu::Limits::default() when you make the device";
            Err(unavailable(format!("kernels need a {limit} of {needed}, and the device grants {granted}; {advice}")))
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
