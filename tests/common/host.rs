//! A program with a device of its own, on which queries are recorded.
#![allow(dead_code, reason = "each test file uses its part")]

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use tangency::{BackendKind, Engine, Overlaps, RecordedPairs, Relation, Result, wgpu};

/// A device of the caller's, and an engine on it.
pub struct Host {
    pub instance: wgpu::Instance,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub engine: Engine,
}

/// A device of the first adapter that computes, but for OpenGL.
pub fn device() -> Option<Host> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
    let required = std::env::var("TANGENCY_REQUIRE_GPU").is_ok_and(|value| value == "1");
    assert!(!required || !adapters.is_empty(), "there is no adapter");
    let adapter = adapters.into_iter().next()?;
    let descriptor = wgpu::DeviceDescriptor { required_limits: adapter.limits(), ..Default::default() };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).unwrap();
    let engine = Engine::builder().device(device.clone(), queue.clone()).build().unwrap();
    Some(Host { instance, device, queue, engine })
}

/// The same for tests that take turns, so that kernels are compiled once. (What was learned of rooms and what was made is not theirs alone.)
pub fn shared_device() -> Option<MutexGuard<'static, Host>> {
    static HOST: LazyLock<Option<Mutex<Host>>> = LazyLock::new(|| device().map(Mutex::new));
    Some(HOST.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner))
}

impl Host {
    pub fn encoder(&self) -> wgpu::CommandEncoder {
        self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    pub fn submit(&self, encoder: wgpu::CommandEncoder) {
        self.queue.submit([encoder.finish()]);
    }

    /// The first words of a buffer.
    pub fn words(&self, buffer: &wgpu::Buffer, words: usize) -> Vec<u32> {
        let size = 4 * words.max(1) as u64;
        let readable = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = self.encoder();
        encoder.copy_buffer_to_buffer(buffer, 0, &readable, 0, size);
        self.submit(encoder);
        readable.map_async(wgpu::MapMode::Read, .., |result| result.unwrap());
        self.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        bytemuck::cast_slice(&readable.get_mapped_range(..).unwrap()[..])[..words].to_vec()
    }

    /// A buffer with these numbers, which shaders might have written.
    pub fn buffer(&self, numbers: &[f32]) -> wgpu::Buffer {
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 4 * numbers.len().max(4) as u64,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(numbers));
        buffer
    }

    /// Records with `record` and submits until there is room, and settles what is undecided.
    pub fn settled(&self, record: impl Fn(&mut wgpu::CommandEncoder) -> Result<RecordedPairs>) -> RecordedPairs {
        for _ in 0..20 {
            let mut encoder = self.encoder();
            let mut recorded = record(&mut encoder).unwrap();
            self.submit(encoder);
            if recorded.ended().unwrap().needed.is_none() {
                recorded.settle().unwrap();
                return recorded;
            }
        }
        panic!("there is never enough room");
    }

    /// The pairs of a result, read from the device.
    pub fn pairs(&self, recorded: &mut RecordedPairs) -> Vec<(u32, u32, Relation)> {
        let count = recorded.ended().unwrap().results as usize;
        let offsets = self.words(recorded.offsets(), recorded.rows() as usize + 1);
        let partners = self.words(recorded.partners(), count);
        assert_eq!(*offsets.last().unwrap() as usize, count);
        let mut pairs = Vec::new();
        for row in 0..recorded.rows() as usize {
            for word in &partners[offsets[row] as usize..offsets[row + 1] as usize] {
                let relation = match word >> 30 {
                    0 => Relation::Overlapping,
                    1 => Relation::Touching,
                    2 => panic!("undecided"),
                    _ => Relation::Separate,
                };
                pairs.push((row as u32, word << 2 >> 2, relation));
            }
        }
        pairs.retain(|(_, _, relation)| *relation != Relation::Separate);
        pairs
    }
}

pub fn cpu() -> Engine {
    Engine::builder().backend(BackendKind::Cpu).build().unwrap()
}

pub fn listed(found: &Overlaps) -> Vec<(u32, u32, Relation)> {
    found.iter().collect()
}
