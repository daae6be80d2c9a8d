//! Bodies and results that never leave the device: a shader moves the bodies, the pairs are found, and another shader counts the partners of each
//! body, in one encoder and with two frames in flight. In the end the counts are compared with those of the CPU.
//!
//! `cargo run --release --example embedding [BODIES [FRAMES]]` also says how long a frame takes, with the shader that uses the pairs and without it,
//! and how long it takes to record one.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use tangency::shape::Sphere;
use tangency::{BackendKind, Bodies, BodySource, Engine, RecordOptions, RecordedPairs, wgpu};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const RADIUS: f32 = 0.6;

/// Where a ball is in a frame. The shader below does the same, in integers and one product, which every device rounds alike.
fn place(ball: u32, frame: u32, spacing: f32) -> [f32; 3] {
    let along = |k: u32| {
        let mixed = ball.wrapping_mul(3 + 2 * k).wrapping_mul(2_654_435_761_u32.rotate_left(k));
        (mixed.wrapping_add((frame * (1 + ball % 7)) << 14) >> 8 & 0xffff) as f32 * spacing
    };
    [along(0), along(1), along(2)]
}

const SHADERS: &str = "
struct Frame { number: u32, spacing: f32 }
@group(0) @binding(0) var<storage, read> frame: Frame;
@group(0) @binding(1) var<storage, read_write> balls: array<vec4f>;

fn turned(x: u32, by: u32) -> u32 { return select((x << by) | (x >> (32u - by)), x, by == 0u); }

fn along(ball: u32, k: u32) -> f32 {
    let mixed = ball * (3u + 2u * k) * turned(2654435761u, k) + ((frame.number * (1u + ball % 7u)) << 14u);
    return f32((mixed >> 8u) & 0xffffu) * frame.spacing;
}

fn number(id: vec3u, groups: vec3u) -> u32 { return id.x + 64u * groups.x * id.y; }

@compute @workgroup_size(64)
fn move_balls(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let ball = number(id, groups);
    if ball < arrayLength(&balls) {
        balls[ball] = vec4f(along(ball, 0u), along(ball, 1u), along(ball, 2u), 0.6);
    }
}

@group(1) @binding(0) var<storage, read> offsets: array<u32>;
@group(1) @binding(1) var<storage, read> partners: array<u32>;
@group(1) @binding(2) var<storage, read> summary: array<u32>;
@group(1) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;

// One thread for each body, which has a row of partners. (If there was too little room, there are none.)
@compute @workgroup_size(64)
fn count(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let row = number(id, groups);
    if row >= arrayLength(&counts) || summary[5] == 0u { return; }
    let end = offsets[row + 1u];
    for (var k = offsets[row]; k < end; k++) {
        atomicAdd(&counts[partners[k] & 0x3fffffffu], 1u);
    }
    atomicAdd(&counts[row], end - offsets[row]);
}
";

/// A device of ours, an engine on it, and what our shaders need.
struct World {
    device: wgpu::Device,
    queue: wgpu::Queue,
    engine: Engine,
    frame: wgpu::Buffer,
    balls: wgpu::Buffer,
    counts: wgpu::Buffer,
    move_balls: wgpu::ComputePipeline,
    count: wgpu::ComputePipeline,
    moved: wgpu::BindGroup,
    spacing: f32,
    /// The host knows what the bodies are, and the device where.
    bodies: Bodies,
    /// The time that recordings took so far.
    recording: Duration,
}

fn group(
    device: &wgpu::Device,
    pipeline: &wgpu::ComputePipeline,
    index: u32,
    buffers: &[&wgpu::Buffer],
) -> wgpu::BindGroup {
    let entries: Vec<_> = (0..)
        .zip(buffers.iter().copied())
        .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
        .collect();
    let layout = &pipeline.get_bind_group_layout(index);
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
}

impl World {
    fn new(adapter: &wgpu::Adapter, count: u32) -> Outcome<Self> {
        let descriptor = wgpu::DeviceDescriptor {
            required_limits: adapter.limits(),
            // What the engine uses where it can.
            required_features: adapter.features() & (wgpu::Features::SUBGROUP | wgpu::Features::SHADER_F64),
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;
        // The engine works on this device; what it finds can be used here.
        let engine = Engine::builder().device(device.clone(), queue.clone()).build()?;
        let buffer = |size: u64, usage: wgpu::BufferUsages| {
            let usage = usage | wgpu::BufferUsages::STORAGE;
            device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
        };
        let frame = buffer(16, wgpu::BufferUsages::COPY_DST);
        let balls = buffer(16 * u64::from(count), wgpu::BufferUsages::empty());
        let counts = buffer(4 * u64::from(count), wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST);
        let source = wgpu::ShaderSource::Wgsl(SHADERS.into());
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
        let pipeline = |entry: &str| {
            device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(entry),
                layout: None,
                module: &module,
                entry_point: Some(entry),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            })
        };
        let (move_balls, count_pairs) = (pipeline("move_balls"), pipeline("count"));
        let moved = group(&device, &move_balls, 0, &[&frame, &balls]);
        let mut bodies = Bodies::new();
        bodies.extend(vec![Sphere::new([0.0; 3], RADIUS)?; count as usize])?;
        // As many balls in a unit of space, however many there are.
        let spacing = (f64::from(count) / 0.15).cbrt() as f32 / 65_536.0;
        let recording = Duration::ZERO;
        Ok(Self {
            device,
            queue,
            engine,
            frame,
            balls,
            counts,
            move_balls,
            count: count_pairs,
            moved,
            spacing,
            bodies,
            recording,
        })
    }

    /// Moves the balls, finds their pairs and, if they are to be counted, counts them.
    fn frame(&mut self, number: u32, counts: bool) -> tangency::Result<RecordedPairs> {
        let count = self.bodies.len() as u32;
        let numbers: [u32; 2] = [number, self.spacing.to_bits()];
        self.queue.write_buffer(&self.frame, 0, bytemuck::cast_slice(&numbers));
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&self.move_balls);
        pass.set_bind_group(0, &self.moved, &[]);
        let groups = count.div_ceil(64);
        pass.dispatch_workgroups(groups.min(65_535), groups.div_ceil(65_535), 1);
        drop(pass);
        // A position and a radius, 16 bytes each.
        let sources = [BodySource::new(&self.balls, 0..count, 16).position_at(0).extents_at(12)];
        let start = Instant::now();
        let recorded =
            self.engine.overlaps(&self.bodies).record_with(&RecordOptions::new().sources(&sources), &mut encoder)?;
        self.recording += start.elapsed();
        if counts {
            let buffers = [recorded.offsets(), recorded.partners(), recorded.summary(), &self.counts];
            let counted = group(&self.device, &self.count, 1, &buffers);
            encoder.clear_buffer(&self.counts, 0, None);
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&self.count);
            pass.set_bind_group(1, &counted, &[]);
            // (`dispatch_workgroups_indirect(recorded.summary(), 0)` would make a thread for each pair.)
            pass.dispatch_workgroups(groups.min(65_535), groups.div_ceil(65_535), 1);
        }
        self.queue.submit([encoder.finish()]);
        Ok(recorded)
    }

    /// Runs frames, two in flight: before a third begins, the first must have ended. Returns the mean time of a frame, that of recording
    /// one, all pairs, and how many frames had too little room, and so no pairs: a simulation would do these again.
    fn frames(&mut self, frames: u32, counts: bool) -> tangency::Result<(Duration, Duration, u64, u32)> {
        let (mut flying, mut pairs, mut again) = (VecDeque::<RecordedPairs>::new(), 0, 0);
        self.recording = Duration::ZERO;
        let start = Instant::now();
        for number in 0..frames + 2 {
            if flying.len() == 2 || number >= frames {
                let ended = flying.pop_front().expect("there are two").ended()?;
                pairs += u64::from(ended.results);
                again += u32::from(ended.needed.is_some());
            }
            if number < frames {
                flying.push_back(self.frame(number, counts)?);
            }
        }
        Ok((start.elapsed() / frames, self.recording / frames, pairs, again))
    }

    /// The counts of the last frame.
    fn counts(&self) -> Outcome<Vec<u32>> {
        let readable = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: self.counts.size(),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(&self.counts, 0, &readable, 0, self.counts.size());
        self.queue.submit([encoder.finish()]);
        readable.map_async(wgpu::MapMode::Read, .., |result| result.expect("mapped"));
        self.device.poll(wgpu::PollType::wait_indefinitely())?;
        Ok(bytemuck::cast_slice(&readable.get_mapped_range(..)?[..]).to_vec())
    }

    /// The number of pairs of a frame, and how many each ball has, as the CPU finds them.
    fn on_the_cpu(&self, frame: u32) -> tangency::Result<(usize, Vec<u32>)> {
        let mut bodies = Bodies::new();
        let balls = (0..self.bodies.len() as u32).map(|ball| Sphere::new(place(ball, frame, self.spacing), RADIUS));
        bodies.extend(balls.collect::<tangency::Result<Vec<_>>>()?)?;
        let pairs = Engine::builder().backend(BackendKind::Cpu).build()?.overlaps(&bodies).run()?;
        let mut counts = vec![0; bodies.len()];
        for (a, b) in pairs.pairs() {
            counts[a as usize] += 1;
            counts[b as usize] += 1;
        }
        Ok((pairs.len(), counts))
    }
}

fn main() -> Outcome<()> {
    let given: Vec<u32> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let (count, frames) = (given.first().copied().unwrap_or(5000), given.get(1).copied().unwrap_or(100));
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let Ok(adapter) = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default())) else {
        println!("there is no GPU here, and no software in its place");
        return Ok(());
    };
    let mut world = World::new(&adapter, count)?;
    // The first frames learn how much room there has to be.
    while world.frame(0, true)?.ended()?.needed.is_some() {}
    for counts in [true, false, true] {
        let (time, recording, pairs, again) = world.frames(frames, counts)?;
        let what = if counts { "with their counts" } else { "pairs alone" };
        println!(
            "{what}: {time:.2?} a frame, {recording:.1?} to record it; {pairs} pairs, {again} frames had too little room"
        );
    }
    // A frame with which there was room for all pairs, and none of which is undecided: of a few in a million only the host can tell.
    let mut last = frames;
    loop {
        let ended = world.frame(last, true)?.ended()?;
        if ended.needed.is_none() && ended.undecided == 0 {
            break;
        }
        last += u32::from(ended.needed.is_none());
    }
    let (expected, counted) = world.on_the_cpu(last)?;
    assert!(world.counts()? == counted, "the device has counted other pairs than the CPU");
    let name = adapter.get_info().name;
    println!("{name}: {count} balls, {frames} frames; in the last one {expected} pairs, as on the CPU");
    Ok(())
}
