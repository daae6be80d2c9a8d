//! Timestamps of dispatches, by the device's clock.

use crate::gpu::device::Device;

/// The timestamps at which each dispatch begins and ends.
pub(super) struct Timestamps {
    set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    pub(super) readable: wgpu::Buffer,
    count: u32,
}

impl Timestamps {
    pub(super) fn new(device: &Device, count: u32) -> Self {
        let buffer = |usage| {
            device.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("timestamps"),
                size: u64::from(count) * 8,
                usage,
                mapped_at_creation: false,
            })
        };
        Self {
            set: device.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: None,
                ty: wgpu::QueryType::Timestamp,
                count,
            }),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            readable: buffer(wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ),
            count,
        }
    }

    pub(super) fn writes(&self, at: u32) -> wgpu::ComputePassTimestampWrites<'_> {
        wgpu::ComputePassTimestampWrites {
            query_set: &self.set,
            beginning_of_pass_write_index: Some(at),
            end_of_pass_write_index: Some(at + 1),
        }
    }

    pub(super) fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.resolve_query_set(&self.set, 0..self.count, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.readable, 0, u64::from(self.count) * 8);
    }
}
