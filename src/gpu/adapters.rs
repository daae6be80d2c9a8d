//! The adapters of this machine.

use super::guard::Guarded;

/// An adapter: a GPU, or a software rasterizer on the CPU, seen through one of the system's graphics interfaces.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Adapter {
    /// Its index in [`adapters`], by which [`Builder::adapter`](crate::Builder::adapter) selects it.
    pub index: usize,
    /// The name that the driver reports. Two adapters may report the same name.
    pub name: String,
    /// The graphics interface: `vulkan`, `metal`, `dx12` or `gl`.
    pub backend: String,
    /// The driver, with its version.
    pub driver: String,
    /// Whether it is a GPU, and not a software rasterizer.
    pub hardware: bool,
    /// Whether it can run compute shaders at all.
    pub compute: bool,
    /// Its limits.
    pub limits: AdapterLimits,
}

/// The limits that matter to this library.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AdapterLimits {
    /// The largest buffer, in bytes.
    pub max_buffer_size: u64,
    /// The largest part of a buffer that can be bound to a kernel, in bytes.
    pub max_storage_buffer_binding_size: u64,
    /// The most storage buffers that can be bound to a kernel.
    pub max_storage_buffers_per_shader_stage: u32,
    /// Workgroup memory, in bytes.
    pub max_compute_workgroup_storage_size: u32,
    /// The most threads of a workgroup.
    pub max_compute_invocations_per_workgroup: u32,
    /// The most workgroups in one dimension of a dispatch.
    pub max_compute_workgroups_per_dimension: u32,
}

/// All adapters of this machine, hardware first, then in the order the system lists them.
///
/// ```
/// for adapter in tangency::adapters() {
///     println!("{}: {} ({})", adapter.index, adapter.name, adapter.backend);
/// }
/// ```
pub fn adapters() -> Vec<Adapter> {
    let found = Guarded::new(async { Ok(enumerate(wgpu::Backends::PRIMARY | wgpu::Backends::GL).await) });
    // A driver that cannot say what it has, has nothing.
    let found = pollster::block_on(found).unwrap_or_default();
    found.into_iter().map(|(_, description)| description).collect()
}

/// The adapters of these interfaces with their descriptions, in the order of [`adapters`].
pub(super) async fn enumerate(backends: wgpu::Backends) -> Vec<(wgpu::Adapter, Adapter)> {
    // Only the requested interfaces are initialised: some drivers write to standard error when they are.
    let descriptor = wgpu::InstanceDescriptor { backends, ..wgpu::InstanceDescriptor::new_without_display_handle() };
    let instance = wgpu::Instance::new(descriptor);
    let mut found: Vec<(wgpu::Adapter, Adapter)> = instance
        .enumerate_adapters(backends)
        .await
        .into_iter()
        .map(|adapter| {
            let description = describe(&adapter);
            (adapter, description)
        })
        .collect();
    found.sort_by_key(|(_, description)| !description.hardware);
    for (index, (_, description)) in found.iter_mut().enumerate() {
        description.index = index;
    }
    found
}

fn describe(adapter: &wgpu::Adapter) -> Adapter {
    let (info, limits) = (adapter.get_info(), adapter.limits());
    let compute = adapter.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS);
    Adapter {
        index: 0,
        backend: info.backend.to_string(),
        driver: [info.driver.as_str(), &info.driver_info].join(" ").trim().to_owned(),
        hardware: is_hardware(&info),
        compute,
        limits: AdapterLimits {
            max_buffer_size: limits.max_buffer_size,
            max_storage_buffer_binding_size: limits.max_storage_buffer_binding_size,
            max_storage_buffers_per_shader_stage: limits.max_storage_buffers_per_shader_stage,
            max_compute_workgroup_storage_size: limits.max_compute_workgroup_storage_size,
            max_compute_invocations_per_workgroup: limits.max_compute_invocations_per_workgroup,
            max_compute_workgroups_per_dimension: limits.max_compute_workgroups_per_dimension,
        },
        name: info.name,
    }
}

/// Whether an adapter is a GPU, and not a software rasterizer.
pub(super) fn is_hardware(info: &wgpu::AdapterInfo) -> bool {
    info.device_type != wgpu::DeviceType::Cpu
}

/// The best adapter with compute shaders: hardware if there is any. OpenGL is tried only if no other interface has one.
pub(super) async fn best() -> Option<(wgpu::Adapter, Adapter)> {
    for backends in [wgpu::Backends::PRIMARY, wgpu::Backends::GL] {
        let able = enumerate(backends).await.into_iter().find(|(_, description)| description.compute);
        if able.is_some() {
            return able;
        }
    }
    None
}
