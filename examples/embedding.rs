//! Bodies and results that never leave the device: a shader moves the bodies, the pairs are found, and another shader counts the partners of each
//! body, in one encoder and with two frames in flight. In the end the counts are compared with those of the CPU.
//!
//! `cargo run --release --example embedding`

use std::collections::VecDeque;

use tangency::shape::Sphere;
use tangency::{BackendKind, Bodies, BodySource, Engine, RecordOptions, wgpu};

const BODIES: u32 = 5000;
const FRAMES: u32 = 120;
const RADIUS: f32 = 0.6;

/// Where a ball is in a frame. The shader below does the same, in integers and products that every device rounds alike.
fn place(ball: u32, frame: u32) -> [f32; 3] {
    let along =
        |k: u32| ((ball * (3 + 2 * k) * 2_654_435_761_u32.rotate_left(k) + frame * (1 + ball % 7)) >> 8 & 1023) as f32;
    [along(0) * 0.03125, along(1) * 0.03125, along(2) * 0.03125]
}

const SHADERS: &str = "
struct Frame { number: u32 }
@group(0) @binding(0) var<storage, read> frame: Frame;
@group(0) @binding(1) var<storage, read_write> balls: array<vec4f>;

fn turned(x: u32, by: u32) -> u32 { return select((x << by) | (x >> (32u - by)), x, by == 0u); }

fn along(ball: u32, k: u32) -> f32 {
    let mixed = ball * (3u + 2u * k) * turned(2654435761u, k) + frame.number * (1u + ball % 7u);
    return f32((mixed >> 8u) & 1023u) * 0.03125;
}

@compute @workgroup_size(64)
fn move_balls(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&balls) {
        balls[id.x] = vec4f(along(id.x, 0u), along(id.x, 1u), along(id.x, 2u), 0.6);
    }
}

@group(1) @binding(0) var<storage, read> offsets: array<u32>;
@group(1) @binding(1) var<storage, read> partners: array<u32>;
@group(1) @binding(2) var<storage, read> summary: array<u32>;
@group(1) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;

@compute @workgroup_size(64)
fn clear(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&counts) { atomicStore(&counts[id.x], 0u); }
}

// One thread for each pair: its row is found by halving.
@compute @workgroup_size(64)
fn count(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let pair = id.x + 64u * groups.x * id.y;
    if pair >= summary[3] { return; }
    var low = 0u;
    var high = arrayLength(&counts);
    while high - low > 1u {
        let middle = (low + high) / 2u;
        if offsets[middle] <= pair { low = middle; } else { high = middle; }
    }
    atomicAdd(&counts[low], 1u);
    atomicAdd(&counts[partners[pair] & 0x3fffffffu], 1u);
}
";

/// The words of a buffer.
fn words(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    buffer: &wgpu::Buffer,
) -> Result<Vec<u32>, Box<dyn std::error::Error>> {
    let readable = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: buffer.size(),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_buffer_to_buffer(buffer, 0, &readable, 0, buffer.size());
    queue.submit([encoder.finish()]);
    readable.map_async(wgpu::MapMode::Read, .., |result| result.expect("mapped"));
    device.poll(wgpu::PollType::wait_indefinitely())?;
    Ok(bytemuck::cast_slice(&readable.get_mapped_range(..)?[..]).to_vec())
}

/// The number of pairs of a frame, and how many each ball has, as the CPU finds them.
fn on_the_cpu(frame: u32) -> tangency::Result<(usize, Vec<u32>)> {
    let mut bodies = Bodies::new();
    for ball in 0..BODIES {
        bodies.push(Sphere::new(place(ball, frame), RADIUS)?)?;
    }
    let pairs = Engine::builder().backend(BackendKind::Cpu).build()?.overlaps(&bodies).run()?;
    let mut counts = vec![0; BODIES as usize];
    for (a, b) in pairs.pairs() {
        counts[a as usize] += 1;
        counts[b as usize] += 1;
    }
    Ok((pairs.len(), counts))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let options = wgpu::RequestAdapterOptions::default();
    let Ok(adapter) = pollster::block_on(instance.request_adapter(&options)) else {
        println!("there is no GPU here, and no software in its place");
        return Ok(());
    };
    let limits = adapter.limits();
    let (device, queue) = pollster::block_on(
        adapter.request_device(&wgpu::DeviceDescriptor { required_limits: limits, ..Default::default() }),
    )?;
    // The engine works on this device; what it finds can be used here.
    let engine = Engine::builder().device(device.clone(), queue.clone()).build()?;

    let buffer = |size: u64, usage: wgpu::BufferUsages| {
        let usage = usage | wgpu::BufferUsages::STORAGE;
        device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
    };
    let frame_number = buffer(16, wgpu::BufferUsages::COPY_DST);
    let balls = buffer(16 * u64::from(BODIES), wgpu::BufferUsages::empty());
    let counts = buffer(4 * u64::from(BODIES), wgpu::BufferUsages::COPY_SRC);
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(SHADERS.into()),
    });
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
    let (move_balls, clear, count) = (pipeline("move_balls"), pipeline("clear"), pipeline("count"));
    let group = |pipeline: &wgpu::ComputePipeline, index: u32, bindings: &[(u32, &wgpu::Buffer)]| {
        let entries: Vec<_> = bindings
            .iter()
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding: *binding, resource: buffer.as_entire_binding() })
            .collect();
        let layout = &pipeline.get_bind_group_layout(index);
        device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
    };
    let moved = group(&move_balls, 0, &[(0, &frame_number), (1, &balls)]);
    let cleared = group(&clear, 1, &[(3, &counts)]);

    // The host knows what the bodies are, and the device where: a position and a radius, 16 bytes each.
    let mut bodies = Bodies::new();
    bodies.extend(vec![Sphere::new([0.0; 3], RADIUS)?; BODIES as usize])?;
    let sources = [BodySource::new(&balls, 0..BODIES, 16).position_at(0).extents_at(12)];
    let options = RecordOptions::new().sources(&sources);
    // One frame, to learn how much room there has to be.
    let frame = |number: u32| -> tangency::Result<_> {
        queue.write_buffer(&frame_number, 0, &number.to_ne_bytes());
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&move_balls);
        pass.set_bind_group(0, &moved, &[]);
        pass.dispatch_workgroups(BODIES.div_ceil(64), 1, 1);
        drop(pass);
        let recorded = engine.overlaps(&bodies).record_with(&options, &mut encoder)?;
        let buffers = [(0, recorded.offsets()), (1, recorded.partners()), (2, recorded.summary()), (3, &counts)];
        let counted = group(&count, 1, &buffers);
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&clear);
        pass.set_bind_group(1, &cleared, &[]);
        pass.dispatch_workgroups(BODIES.div_ceil(64), 1, 1);
        pass.set_pipeline(&count);
        pass.set_bind_group(1, &counted, &[]);
        pass.dispatch_workgroups_indirect(recorded.summary(), 0);
        drop(pass);
        queue.submit([encoder.finish()]);
        Ok(recorded)
    };
    while frame(0)?.ended()?.needed.is_some() {}

    // Two frames in flight: before a third begins, the first must have ended.
    let (mut flying, mut pairs, mut again) = (VecDeque::new(), 0_u64, 0);
    for number in 0..FRAMES {
        flying.push_back(frame(number)?);
        if flying.len() > 2 {
            let ended = flying.pop_front().expect("there are three").ended()?;
            pairs += u64::from(ended.pairs);
            again += u32::from(ended.needed.is_some());
        }
    }
    for mut recorded in flying {
        pairs += u64::from(recorded.ended()?.pairs);
    }
    // A frame that had too little room was empty. A simulation would step back; here only the last one counts.
    while frame(FRAMES - 1)?.ended()?.needed.is_some() {}

    let found = words(&device, &queue, &counts)?;
    let (expected, counted) = on_the_cpu(FRAMES - 1)?;
    assert!(found == counted, "the device has counted other pairs than the CPU");
    println!(
        "{}: {FRAMES} frames of {BODIES} balls, {pairs} pairs in all, {again} frames had too little room; in the last one {expected} pairs, as on the CPU",
        adapter.get_info().name
    );
    Ok(())
}
