//! A frustum decides what is drawn, and the host never learns which bodies these are: the sides of all balls are found, a shader lists those that are
//! not outside as instances of an indirect draw, and a render pass draws them as points, all in one encoder. In the end the number of instances is
//! compared with the CPU's, and the picture with what the instances must have drawn.
//!
//! `cargo run --release --example culling [BODIES]`

use tangency::glam::camera::rh::proj::directx::perspective;
use tangency::glam::camera::rh::view::look_at_mat4;
use tangency::glam::{Mat4, Vec3, Vec4};
use tangency::shape::{Plane, Sphere};
use tangency::{BackendKind, Bodies, Engine, Side, wgpu};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Pixels of the picture, in each direction.
const SIZE: u32 = 256;
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

const SHADERS: &str = "
struct Camera { view: mat4x4f }
struct Draw { vertices: u32, instances: atomic<u32>, first_vertex: u32, first_instance: u32 }

@group(0) @binding(0) var<storage, read> sides: array<u32>;
@group(0) @binding(1) var<storage, read> summary: array<u32>;
@group(0) @binding(2) var<storage, read_write> draw: Draw;
@group(0) @binding(3) var<storage, read_write> shown: array<u32>;

// One thread for each body: those that are inside (0), that cross the border (1), or of which only the host could tell (3).
@compute @workgroup_size(64)
fn list(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let body = id.x + 64u * groups.x * id.y;
    if body < summary[3] && sides[body] != 2u {
        shown[atomicAdd(&draw.instances, 1u)] = body;
    }
}

@group(0) @binding(0) var<uniform> camera: Camera;
@group(0) @binding(1) var<storage, read> balls: array<vec4f>;
@group(0) @binding(2) var<storage, read> instances: array<u32>;

@vertex
fn place(@builtin(instance_index) instance: u32) -> @builtin(position) vec4f {
    return camera.view * vec4f(balls[instances[instance]].xyz, 1.0);
}

@fragment
fn colour() -> @location(0) vec4f {
    return vec4f(1.0, 0.6, 0.1, 1.0);
}
";

/// The half-spaces of a frustum, from the matrix that takes it to the cube from -1 to 1 (from 0 to 1 along z).
fn frustum(view: Mat4) -> Outcome<Vec<Plane>> {
    let [x, y, z, w] = [view.row(0), view.row(1), view.row(2), view.row(3)];
    let rows = [w + x, w - x, w + y, w - y, z, w - z];
    // A point is inside if its product with each row is not negative.
    let planes = rows.map(|row: Vec4| Plane::new(-row.truncate(), row.w));
    Ok(planes.into_iter().collect::<tangency::Result<_>>()?)
}

/// Where a ball is: anywhere in a cube.
fn place(ball: u32) -> Vec3 {
    let along = |factor: u32| f32::from((ball.wrapping_mul(factor) >> 16) as u16) / 65_536.0 * 80.0 - 40.0;
    Vec3::new(along(2_654_435_769), along(2_246_822_519), along(3_266_489_917))
}

/// The shader that lists instances, and the pass that draws them.
fn pipelines(device: &wgpu::Device) -> (wgpu::ComputePipeline, wgpu::RenderPipeline) {
    let source = wgpu::ShaderSource::Wgsl(SHADERS.into());
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
    let list = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: Some("list"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let points = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("place"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::PointList,
            ..wgpu::PrimitiveState::default()
        },
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("colour"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(FORMAT.into())],
        }),
        multiview_mask: None,
        cache: None,
    });
    (list, points)
}

fn picture(device: &wgpu::Device) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: SIZE, height: SIZE, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}

/// How many pixels have the middle of a ball. (Rounding may move some to the next.)
fn pixels(view: Mat4, count: u32) -> usize {
    let mut pixels: Vec<(i32, i32)> = (0..count)
        .map(|ball| view.project_point3(place(ball)))
        .filter(|at| at.x.abs() < 1.0 && at.y.abs() < 1.0 && (0.0..1.0).contains(&at.z))
        .map(|at| (((at.x + 1.0) * 128.0) as i32, ((at.y + 1.0) * 128.0) as i32))
        .collect();
    pixels.sort_unstable();
    pixels.dedup();
    pixels.len()
}

fn main() -> Outcome<()> {
    let count: u32 = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(20_000);
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let Ok(adapter) = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default())) else {
        println!("there is no GPU here, and no software in its place");
        return Ok(());
    };
    let limits = adapter.limits();
    let descriptor = wgpu::DeviceDescriptor { required_limits: limits, ..Default::default() };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;
    let engine = Engine::builder().device(device.clone(), queue.clone()).build()?;
    let mut bodies = Bodies::new();
    let balls = (0..count).map(|ball| Sphere::new(place(ball), 0.5));
    bodies.extend(balls.collect::<tangency::Result<Vec<_>>>()?)?;
    let eye = Vec3::new(30.0, 20.0, 35.0);
    let view = perspective(0.9, 1.0, 0.1, 60.0) * look_at_mat4(eye, Vec3::ZERO, Vec3::Y);
    let planes = frustum(view)?;

    // What our shaders need.
    let buffer = |size: u64, usage: wgpu::BufferUsages| {
        let usage = usage | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
    };
    let draw = buffer(16, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::INDIRECT);
    let shown = buffer(4 * u64::from(count.max(1)), wgpu::BufferUsages::STORAGE);
    let positions = buffer(16 * u64::from(count.max(1)), wgpu::BufferUsages::STORAGE);
    let camera = buffer(64, wgpu::BufferUsages::UNIFORM);
    let places: Vec<[f32; 4]> = (0..count).map(|ball| place(ball).extend(1.0).to_array()).collect();
    queue.write_buffer(&positions, 0, bytemuck::cast_slice(&places));
    queue.write_buffer(&camera, 0, bytemuck::cast_slice(&view.to_cols_array()));
    let picture = picture(&device);
    let (list, points) = pipelines(&device);
    let group = |layout: &wgpu::BindGroupLayout, buffers: &[&wgpu::Buffer]| {
        let entries: Vec<_> = (0..)
            .zip(buffers.iter().copied())
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
    };

    // One frame: sides, list, picture.
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let mut recorded = engine.cull(&bodies, &planes).record(&mut encoder)?;
    queue.write_buffer(&draw, 0, bytemuck::cast_slice(&[1_u32, 0, 0, 0]));
    let listed = group(&list.get_bind_group_layout(0), &[recorded.sides(), recorded.summary(), &draw, &shown]);
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    pass.set_pipeline(&list);
    pass.set_bind_group(0, &listed, &[]);
    pass.dispatch_workgroups_indirect(recorded.summary(), 0);
    drop(pass);
    let drawn = group(&points.get_bind_group_layout(0), &[&camera, &positions, &shown]);
    let target = picture.create_view(&wgpu::TextureViewDescriptor::default());
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &target,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
        })],
        ..Default::default()
    });
    pass.set_pipeline(&points);
    pass.set_bind_group(0, &drawn, &[]);
    pass.draw_indirect(&draw, 0);
    drop(pass);

    // For the comparison alone: what was drawn comes back.
    let readable = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 16 + u64::from(4 * SIZE * SIZE),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let copy = buffer(u64::from(4 * SIZE * SIZE), wgpu::BufferUsages::empty());
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * SIZE), rows_per_image: None };
    let target = wgpu::TexelCopyBufferInfo { buffer: &copy, layout };
    encoder.copy_texture_to_buffer(picture.as_image_copy(), target, picture.size());
    encoder.copy_buffer_to_buffer(&draw, 0, &readable, 0, 16);
    encoder.copy_buffer_to_buffer(&copy, 0, &readable, 16, u64::from(4 * SIZE * SIZE));
    queue.submit([encoder.finish()]);
    let ended = recorded.ended()?;
    readable.map_async(wgpu::MapMode::Read, .., |result| result.expect("mapped"));
    device.poll(wgpu::PollType::wait_indefinitely())?;
    let bytes = readable.get_mapped_range(..)?.to_vec();
    let instances = u32::from_ne_bytes(bytes[4..8].try_into()?);
    let lit = bytes[16..].chunks_exact(4).filter(|pixel| pixel[0] > 0).count();

    let sides = Engine::builder().backend(BackendKind::Cpu).build()?.cull(&bodies, &planes).run()?;
    let expected = sides.iter().filter(|side| **side != Side::Outside).count();
    let extra = instances as usize - expected;
    assert!(extra <= ended.undecided as usize, "{instances} instances, {expected} expected");
    let pixels = pixels(view, count);
    assert!(pixels.abs_diff(lit) * 50 <= pixels, "{lit} pixels are lit, and there are balls in {pixels}");
    let (name, open) = (adapter.get_info().name, ended.undecided);
    println!("{name}: {instances} of {count} balls drawn ({open} undecided), as on the CPU; {lit} pixels");
    Ok(())
}
