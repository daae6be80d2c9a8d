//! Opening a device: the choice of the adapter, its limits and its features.

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, OnceLock};

use super::{Budget, Device, DeviceRequest, Turns, doubles};
use crate::gpu::abi::Abilities;
use crate::gpu::adapters::{self, is_hardware};
use crate::gpu::guard::DroppedWithCare;
use crate::gpu::runner::MAX_WORKGROUPS_PER_DIMENSION;
use crate::gpu::stages;
use crate::{Adapter, Error, Result};

/// The features that the kernels for subgroups use.
const SUBGROUPS: wgpu::Features = wgpu::Features::SUBGROUP.union(wgpu::Features::SUBGROUP_BARRIER);

/// All features that are used where a device has them.
pub(crate) const FEATURES: wgpu::Features =
    SUBGROUPS.union(wgpu::Features::SHADER_F64).union(wgpu::Features::TIMESTAMP_QUERY);

fn unavailable(reason: impl Into<String>) -> Error {
    Error::BackendUnavailable { backend: "gpu", reason: reason.into() }
}

/// What kernels may use on a device with these features and limits.
fn abilities(features: wgpu::Features, limits: &wgpu::Limits, adapter: &wgpu::AdapterInfo) -> Abilities {
    // Other sizes, or sizes that the driver chooses for each kernel, are of no use to the kernels.
    let sized = (adapter.subgroup_min_size, adapter.subgroup_max_size) == (32, 32);
    Abilities {
        subgroups: sized && features.contains(SUBGROUPS),
        doubles: features.contains(wgpu::Features::SHADER_F64),
        // (To be measured.)
        quick_doubles: false,
        // llvmpipe puts the values of uniforms into the code of a kernel, which it then compiles again in every query, for tens of
        // milliseconds, and never forgets.
        params_in_storage_below: if (adapter.backend, adapter.driver.as_str()) == (wgpu::Backend::Vulkan, "llvmpipe") {
            limits.max_storage_buffers_per_shader_stage as usize
        } else {
            0
        },
    }
}

impl Device {
    /// Opens a device, or takes the caller's: what is decided from the adapter, the features and the limits is the same for both.
    pub(crate) async fn open(request: DeviceRequest) -> Result<Self> {
        let (portable, budget) = (request.portable, request.memory.unwrap_or(u64::MAX));
        let (device, queue, adapter) = match request.device.clone() {
            Some((device, queue)) => {
                let adapter = device.adapter_info();
                (device, queue, adapter)
            }
            None => open_own(&request).await?,
        };
        let lost: Arc<OnceLock<String>> = Arc::default();
        if request.device.is_none() {
            let lost = Arc::clone(&lost);
            device.set_device_lost_callback(move |reason, message| {
                lost.get_or_init(|| if message.is_empty() { format!("{reason:?}") } else { message });
            });
        }
        let (mut limits, mut features) = (device.limits(), device.features());
        if portable {
            limits = wgpu::Limits::default().or_worse_values_from(&limits);
            features = wgpu::Features::empty();
        }
        check_limits(&limits)?;
        // Kernels compute byte offsets in 32 bits.
        limits.max_storage_buffer_binding_size = limits.max_storage_buffer_binding_size.min((1 << 31) - 16);
        let tick = features.contains(wgpu::Features::TIMESTAMP_QUERY).then(|| queue.get_timestamp_period());
        let device = Self {
            abilities: abilities(features, &limits, &adapter),
            device,
            queue: DroppedWithCare::new(queue),
            turns: Arc::new(Turns::of(adapter.backend)),
            adapter,
            limits,
            tick,
            budget: Budget::new(budget),
            in_use: Arc::default(),
            kernels: stages::ALL.iter().map(|_| OnceLock::new()).collect(),
            modules: stages::ALL.iter().map(|_| OnceLock::new()).collect(),
            built: AtomicUsize::new(0),
            #[cfg(test)]
            alter: None,
            #[cfg(test)]
            made: std::sync::atomic::AtomicU64::new(0),
            lost,
        };
        let device = device.without_untrusted_abilities().await;
        match device.lost() {
            Some(lost) => Err(unavailable(format!("the device was lost as soon as it was opened: {lost}"))),
            None => Ok(device),
        }
    }

    /// Disables the abilities that fail their self-test: `f64` must round correctly, and takes the place of what is not `f64` only where that is faster.
    async fn without_untrusted_abilities(mut self) -> Self {
        let tested = (&self.device, &*self.queue, &self.turns);
        let doubles = self.abilities.doubles && doubles::can_be_trusted(tested).await;
        // (Processors compute `f64` at half of the rate; there is nothing to wait for.)
        let quick = doubles && (!is_hardware(&self.adapter) || doubles::are_quick(tested).await);
        (self.abilities.doubles, self.abilities.quick_doubles) = (doubles, quick);
        self
    }
}

/// Opens a device on the adapter that was asked for, or on the best one.
async fn open_own(request: &DeviceRequest) -> Result<(wgpu::Device, wgpu::Queue, wgpu::AdapterInfo)> {
    let (adapter, description) = match request.adapter {
        Some(index) => {
            let found = adapters::enumerate(wgpu::Backends::PRIMARY | wgpu::Backends::GL).await;
            let count = found.len();
            found
                .into_iter()
                .nth(index)
                .ok_or_else(|| unavailable(format!("there is no adapter {index}: this machine has {count}")))?
        }
        None => adapters::best().await.ok_or_else(|| unavailable("no adapter with compute shaders was found"))?,
    };
    if request.hardware && !description.hardware {
        let Adapter { name, backend, .. } = &description;
        return Err(unavailable(format!("{name} ({backend}) is a software adapter; choose it by its index to use it")));
    }
    if !description.compute {
        return Err(unavailable(format!("{} has no compute shaders", description.name)));
    }
    let (limits, features) = if request.portable {
        (wgpu::Limits::default(), wgpu::Features::empty())
    } else {
        (adapter.limits(), adapter.features() & FEATURES)
    };
    let made = adapter.request_device(&wgpu::DeviceDescriptor {
        label: Some("tangency"),
        required_features: features,
        required_limits: limits,
        // Memory is taken in blocks, which are large unless there is a budget.
        memory_hints: match request.memory {
            None => wgpu::MemoryHints::Performance,
            Some(_) => wgpu::MemoryHints::MemoryUsage,
        },
        ..Default::default()
    });
    let (device, queue) =
        made.await.map_err(|error| unavailable(format!("{} refuses a device: {error}", description.name)))?;
    // On a device of our own, an error outside of all error scopes must not end the program, which is wgpu's default. Errors
    // inside of a query are returned by that query.
    device.on_uncaptured_error(Arc::new(|_| ()));
    Ok((device, queue, adapter.get_info()))
}

/// Checks that the device's limits suffice for the kernels.
fn check_limits(granted: &wgpu::Limits) -> Result<()> {
    let storage = stages::ALL.iter().map(|stage| stage.module.buffers.len() as u32).max().unwrap_or_default();
    // Each kernel binds one uniform in addition to its storage buffers.
    let bindings = storage + 1;
    let needs = [
        ("max_bind_groups", granted.max_bind_groups, 1),
        ("max_bindings_per_bind_group", granted.max_bindings_per_bind_group, bindings),
        ("max_storage_buffers_per_shader_stage", granted.max_storage_buffers_per_shader_stage, storage),
        ("max_uniform_buffers_per_shader_stage", granted.max_uniform_buffers_per_shader_stage, 1),
        (
            "max_buffers_and_acceleration_structures_per_shader_stage",
            // Browsers do not report this limit.
            match granted.max_buffers_and_acceleration_structures_per_shader_stage {
                0 => bindings,
                granted => granted,
            },
            bindings,
        ),
        (
            "max_uniform_buffer_binding_size",
            granted.max_uniform_buffer_binding_size.min(u64::from(u32::MAX)) as u32,
            stages::largest_uniform() as u32,
        ),
        ("max_compute_workgroup_storage_size", granted.max_compute_workgroup_storage_size, 16384),
        ("max_compute_invocations_per_workgroup", granted.max_compute_invocations_per_workgroup, 256),
        ("max_compute_workgroup_size_x", granted.max_compute_workgroup_size_x, 256),
        ("max_compute_workgroup_size_y", granted.max_compute_workgroup_size_y, 1),
        ("max_compute_workgroup_size_z", granted.max_compute_workgroup_size_z, 1),
        (
            "max_compute_workgroups_per_dimension",
            granted.max_compute_workgroups_per_dimension,
            MAX_WORKGROUPS_PER_DIMENSION,
        ),
    ];
    match needs.into_iter().find(|(_, granted, needed)| granted < needed) {
        None => Ok(()),
        Some((limit, granted, needed)) => {
            let advice = "request wgpu::Limits::default() when you create the device";
            Err(unavailable(format!("kernels need a {limit} of {needed}, and the device grants {granted}; {advice}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_use_subgroups_of_32_threads_and_no_others() {
        let adapter = |min, max| wgpu::AdapterInfo {
            subgroup_min_size: min,
            subgroup_max_size: max,
            ..wgpu::AdapterInfo::new(wgpu::DeviceType::DiscreteGpu, wgpu::Backend::Vulkan)
        };
        let none = Abilities::default();
        let abilities = |features, adapter: &_| abilities(features, &wgpu::Limits::default(), adapter);
        assert_eq!(abilities(FEATURES, &adapter(32, 32)), Abilities { subgroups: true, doubles: true, ..none });
        assert_eq!(abilities(SUBGROUPS, &adapter(32, 32)), Abilities { subgroups: true, ..none });
        for (min, max) in [(8, 8), (8, 32), (32, 64), (64, 64), (4, 128)] {
            assert_eq!(abilities(SUBGROUPS, &adapter(min, max)), none, "{min} to {max}");
        }
        for features in [wgpu::Features::SUBGROUP, wgpu::Features::SUBGROUP_BARRIER, wgpu::Features::empty()] {
            assert_eq!(abilities(features, &adapter(32, 32)), none, "{features:?}");
        }
    }

    #[test]
    fn params_are_in_storage_where_uniforms_become_code() {
        let limits = wgpu::Limits { max_storage_buffers_per_shader_stage: 8, ..wgpu::Limits::default() };
        for (backend, driver, expected) in [
            (wgpu::Backend::Vulkan, "llvmpipe", 8),
            (wgpu::Backend::Gl, "llvmpipe", 0),
            (wgpu::Backend::Vulkan, "NVIDIA", 0),
        ] {
            let adapter = wgpu::AdapterInfo {
                driver: driver.to_owned(),
                ..wgpu::AdapterInfo::new(wgpu::DeviceType::Cpu, backend)
            };
            let found = abilities(wgpu::Features::empty(), &limits, &adapter).params_in_storage_below;
            assert_eq!(found, expected, "{backend} {driver}");
        }
    }
}
