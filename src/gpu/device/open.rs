//! Opening a device: the choice of the adapter, its limits and its features.

use super::{Device, DeviceRequest, doubles};
use crate::gpu::abi::Abilities;
use crate::gpu::adapters;
use crate::gpu::runner::MAX_WORKGROUPS_PER_DIMENSION;
use crate::gpu::stages;
use crate::{Adapter, Error, Result};

/// The features that the kernels for subgroups use.
const SUBGROUPS: wgpu::Features = wgpu::Features::SUBGROUP.union(wgpu::Features::SUBGROUP_BARRIER);

fn unavailable(reason: impl Into<String>) -> Error {
    Error::BackendUnavailable { backend: "gpu", reason: reason.into() }
}

impl Device {
    pub(crate) async fn open(request: DeviceRequest) -> Result<Self> {
        let budget = request.memory.unwrap_or(u64::MAX);
        if let Some((device, queue)) = request.device {
            let limits = device.limits();
            let timestamps = device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
            // The size of the subgroups of a caller's device is not known.
            let doubles = device.features().contains(wgpu::Features::SHADER_F64);
            let abilities = Abilities { subgroups: false, doubles };
            return Self::new(device, queue, None, limits, timestamps, abilities, budget)?
                .without_untrusted_abilities()
                .await;
        }
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
            return Err(unavailable(format!(
                "{name} ({backend}) is a software adapter; choose it by its index to use it"
            )));
        }
        if !description.compute {
            return Err(unavailable(format!("{} has no compute shaders", description.name)));
        }
        let (limits, features) = if request.portable {
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
        let (device, queue) =
            request.await.map_err(|error| unavailable(format!("{} refuses a device: {error}", description.name)))?;
        let abilities = Abilities {
            subgroups: sized && features.contains(SUBGROUPS),
            doubles: features.contains(wgpu::Features::SHADER_F64),
        };
        let timestamps = features.contains(wgpu::Features::TIMESTAMP_QUERY);
        Self::new(device, queue, Some(description), limits, timestamps, abilities, budget)?
            .without_untrusted_abilities()
            .await
    }

    /// Disables the abilities that fail their self-test: `f64` must round correctly.
    async fn without_untrusted_abilities(mut self) -> Result<Self> {
        self.abilities.doubles = self.abilities.doubles && doubles::can_be_trusted(&self.device, &self.queue).await;
        Ok(self)
    }
}

/// Checks that the device's limits suffice for the kernels.
pub(super) fn check_limits(granted: &wgpu::Limits) -> Result<()> {
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
