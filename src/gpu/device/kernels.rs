//! Compilation of kernels, on first use.

#[cfg(test)]
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Device, ERROR_FILTERS};
use crate::Result;
use crate::gpu::abi::{Abilities, Module};
use crate::gpu::stages::{self, Stage};

/// A compiled stage.
pub(in crate::gpu) struct Kernel {
    pub pipeline: wgpu::ComputePipeline,
    pub layout: wgpu::BindGroupLayout,
}

/// A shader module, and the layouts that its kernels share.
pub(super) struct Built {
    module: wgpu::ShaderModule,
    layout: wgpu::BindGroupLayout,
    pipeline_layout: wgpu::PipelineLayout,
}

impl Device {
    /// The kernel of a stage, compiled on first use.
    ///
    /// # Errors
    /// [`Device`](crate::Error::Device) if the driver rejects the kernel.
    pub(in crate::gpu) fn kernel(&self, stage: &'static Stage) -> Result<&Kernel> {
        // (Before others may have to wait for this kernel: one of them might have the turn.)
        let _turn = self.turn();
        let kernel = self.kernels[stages::index_of(stage)].get_or_init(|| {
            let kernel = self.reporting_errors(|| self.build(stage));
            self.built.fetch_add(1, Ordering::Relaxed);
            kernel
        });
        kernel.as_ref().map_err(Clone::clone)
    }

    /// Creates a device object, and reports an error of it. Native devices report at once; browsers report later, so
    /// that the error surfaces when the object is used.
    fn reporting_errors<R>(&self, make: impl FnOnce() -> R) -> Result<R> {
        let mut scopes = ERROR_FILTERS.map(|filter| Some(self.device.push_error_scope(filter)));
        let made = make();
        let reported = scopes.iter_mut().rev().filter_map(|scope| {
            let mut error = std::pin::pin!(scope.take()?.pop());
            match error.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) {
                std::task::Poll::Ready(error) => error,
                std::task::Poll::Pending => None,
            }
        });
        // All scopes have to be closed.
        match reported.last() {
            Some(error) => Err(self.failed(&error)),
            None => Ok(made),
        }
    }

    /// Compiles the missing kernels of these stages in parallel, where that can be. A single one is left to [`kernel`](Self::kernel).
    pub(crate) fn compile(&self, stages: impl Iterator<Item = &'static Stage>) {
        let mut missing: Vec<&'static Stage> =
            stages.filter(|stage| self.kernels[stages::index_of(stage)].get().is_none()).collect();
        missing.sort_unstable_by_key(|stage| stages::index_of(stage));
        missing.dedup_by_key(|stage| stages::index_of(stage));
        // (OpenGL compiles one at a time: threads that wait for their turn for more than some seconds are given up, with a panic of wgpu's.)
        if missing.len() < 2 || self.adapter.backend == wgpu::Backend::Gl {
            return;
        }
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(missing.len());
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                // If a thread cannot be started, the others compile its share, or the kernel is compiled on first use.
                let work = || {
                    while let Some(stage) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                        // An error is stored with the kernel, and returned when the kernel is used.
                        drop(self.kernel(stage));
                    }
                };
                drop(std::thread::Builder::new().name("tangency".to_owned()).spawn_scoped(scope, work));
            }
        });
    }

    /// How many kernels have been compiled.
    pub(crate) fn kernels_built(&self) -> usize {
        self.built.load(Ordering::Relaxed)
    }

    /// The shader module of a stage, created on first use.
    fn built(&self, stage: &Stage) -> &Built {
        let first = stages::ALL.iter().position(|other| std::ptr::eq(other.module, stage.module)).unwrap_or_default();
        self.modules[first].get_or_init(|| {
            let name = Some(stage.module.name);
            let source = stage.module.source(self.abilities);
            #[cfg(test)]
            let source = match self.alter {
                Some(alter) => alter(stage.module, source),
                None => source,
            };
            let layout = self.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: name,
                entries: &stage.module.entries(self.abilities),
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
            // Kernels clear their own workgroup memory with all threads. Some drivers take minutes to compile the initialisation
            // of all of it by one thread.
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        })
    }

    /// Replaces the kernel of a stage by one that is compiled from an altered source.
    #[cfg(test)]
    pub(crate) fn sabotage(&mut self, stage: &'static Stage, alter: impl Fn(&str) -> String) {
        let source = alter(&stage.module.source(self.abilities));
        let built = self.built(stage);
        let module = self.module(Some("altered"), source);
        let kernel = Kernel { pipeline: self.pipeline(stage, &module, built), layout: built.layout.clone() };
        self.kernels[stages::index_of(stage)] = OnceLock::from(Ok(kernel));
    }

    /// Drops the altered kernel of a stage, so that it is compiled from its own source again.
    #[cfg(test)]
    pub(crate) fn repair(&mut self, stage: &'static Stage) {
        self.kernels[stages::index_of(stage)] = OnceLock::new();
    }

    /// Creates a shader module with bounds checks on indices, but without iteration counters in loops, which would cost
    /// instructions in every iteration.
    #[allow(unsafe_code)]
    pub(in crate::gpu) fn module(&self, label: Option<&str>, source: String) -> wgpu::ShaderModule {
        let descriptor = wgpu::ShaderModuleDescriptor { label, source: wgpu::ShaderSource::Wgsl(source.into()) };
        let checks = wgpu::ShaderRuntimeChecks { force_loop_bounding: false, ..wgpu::ShaderRuntimeChecks::checked() };
        // SAFETY: every loop of the kernels terminates. It counts up or down to a limit that does not change, or clears the
        // lowest or the highest bit of a word until the word is zero, or halves a range.
        unsafe { self.device.create_shader_module_trusted(descriptor, checks) }
    }
}

impl Module {
    fn entries(&self, abilities: Abilities) -> Vec<wgpu::BindGroupLayoutEntry> {
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
        let params = if self.has_params_in_storage(abilities) {
            wgpu::BufferBindingType::Storage { read_only: true }
        } else {
            wgpu::BufferBindingType::Uniform
        };
        let mut entries = vec![entry(0, params, self.uniform_size())];
        entries.extend(
            self.buffers
                .iter()
                .enumerate()
                .map(|(k, buffer)| entry(k + 1, wgpu::BufferBindingType::Storage { read_only: !buffer.writes }, 0)),
        );
        entries
    }
}
