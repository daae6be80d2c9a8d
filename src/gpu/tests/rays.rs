//! Rays on the device against brute force.

use glam::Vec3;

use super::super::Gpu;
use super::super::abi::BUNDLE_SIDE;
use super::super::bundles::row_of_bundles;
use super::super::workspace::Workspace;
use super::super::{RaySearch, attempt};
use crate::batch::plans::{RayMode, rays_both_ways};
use crate::hash::mix;
use crate::parallel::Pool;
use crate::scenes::{RandomRay, SEED, Scene, random, random_rays};
use crate::shape::{Aabb, Ray, Sphere};
use crate::{Bodies, Traits};

/// All kinds of answers for these rays.
pub(super) const MODES: [RayMode; 3] = [RayMode::Nearest, RayMode::Any, RayMode::All];

/// Asserts that rays meet what brute force finds. Returns how many pairs were left to the host.
pub(super) fn check_rays(
    gpu: &Gpu,
    pool: &Pool,
    workspace: &mut Workspace,
    bodies: &Bodies,
    shots: &[RandomRay],
    what: &str,
) -> u64 {
    let mut left = 0;
    for mode in MODES {
        let before = workspace.runner.dispatched;
        let run =
            |mut plan: RaySearch<'_>| pollster::block_on(attempt::answer(&mut plan, workspace, &mut gpu.context(pool)));
        let ([found, expected], undecided) = rays_both_ways(pool, bodies, shots, mode, run).expect("an answer");
        let at = found.iter().zip(&expected).position(|(a, b)| a != b);
        let near = |words: &[u32]| words[at.map_or(0, |at| at & !1)..].iter().take(2).copied().collect::<Vec<_>>();
        let shot = at.filter(|_| mode != RayMode::All).map(|at| shots[at / 2]);
        let shapes = [&found, &expected].map(|words| {
            near(words)
                .first()
                .filter(|body| (**body as usize) < bodies.id_bound())
                .map(|body| bodies.get(*body as usize))
        });
        let both = (near(&found), near(&expected));
        assert!(found == expected, "{what}, {mode:?}: word {at:?}: {both:?}, {shot:?}, {shapes:?}");
        let nothing = bodies.is_empty() || shots.is_empty();
        assert!(workspace.runner.dispatched > before || nothing, "{what}: nothing ran on the device");
        left += undecided;
    }
    left
}

/// All bodies that rays meet, which must be those of brute force, unless there is an error.
pub(super) fn try_rays(
    gpu: &Gpu,
    pool: &Pool,
    workspace: &mut Workspace,
    bodies: &Bodies,
    shots: &[RandomRay],
) -> crate::Result<()> {
    let run =
        |mut plan: RaySearch<'_>| pollster::block_on(attempt::answer(&mut plan, workspace, &mut gpu.context(pool)));
    let ([found, expected], _) = rays_both_ways(pool, bodies, shots, RayMode::All, run)?;
    assert!(found == expected, "rays");
    Ok(())
}

/// The rays of a picture of bodies, row by row, from so far away that rays of neighbouring pixels go nearly the same way, or from their middle.
fn picture(bodies: &Bodies, [width, height]: [u16; 2], from_inside: bool, traits: Traits) -> Vec<RandomRay> {
    let origin = Aabb::from_bounds(Vec3::ZERO, Vec3::ZERO);
    let is_near = |bounds: &Aabb| bounds.min().length().max(bounds.max().length()) < 1e6;
    let bounds = bodies.iter().filter_map(|body| body.shape.aabb()).filter(is_near);
    let all = bounds.reduce(|all, bounds| all.merge(&bounds)).unwrap_or(origin);
    let (middle, size) = ((all.min() + all.max()) / 2.0, (all.max() - all.min()).length().max(1.0));
    let ahead = Vec3::new(0.25, -0.5, 1.0);
    let (right, up) = (Vec3::new(1.0, 0.5, 0.0), Vec3::new(-0.25, 0.5, 0.3125));
    // A square of pixels is 1 / 80 of the way wide.
    let pixel = 1.0 / 80.0 / BUNDLE_SIDE as f32;
    let far = size / (pixel * f32::from(width.max(height)));
    let eye = if from_inside { middle } else { middle - ahead * far };
    let place = |k: u16, of: u16| (f32::from(k) - f32::from(of - 1) / 2.0) * pixel;
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let ray = |(x, y)| {
        let ray = Ray::new(eye, ahead + right * place(x, width) + up * place(y, height)).expect("a ray");
        let until = if (x + y) % 7 == 0 { far } else { f32::INFINITY };
        RandomRay { ray, until, traits }
    };
    pixels.map(ray).collect()
}

/// The rays of a picture of parallel rays, each from a place of its own in a plane.
fn parallel_picture([width, height]: [u16; 2], way: Vec3) -> Vec<RandomRay> {
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let ray = |(x, y)| {
        let origin = Vec3::new(f32::from(x), f32::from(y), 0.0);
        RandomRay { ray: Ray::new(origin, way).expect("a ray"), until: f32::INFINITY, traits: Traits::new() }
    };
    pixels.map(ray).collect()
}

/// Balls in the ways of rays, so small that each meets only one of rays that are `spacing` apart after a time of 1. Of every fifth there are six, so that
/// bodies which come at the same time are not tested together.
fn dust(rays: &[RandomRay], count: u64, spacing: impl Fn(f32) -> f32) -> Bodies {
    let mut bodies = Bodies::new();
    for k in 0..count {
        let unit = |n: u64| (mix(4 * k + n) >> 40) as f32 / (1_u64 << 24) as f32;
        let (ray, time) = (rays[mix(4 * k) as usize % rays.len()].ray, 300.0 + 600.0 * unit(1));
        let ball = Sphere::new(ray.origin() + ray.direction() * time, 0.3 * spacing(time)).expect("a ball");
        for _ in 0..if k % 5 == 0 { 6 } else { 1 } {
            bodies.push(ball).expect("room");
        }
    }
    bodies
}

/// Asserts that rays which are cast together meet what brute force finds.
pub(super) fn check_picture(
    gpu: &Gpu,
    pool: &Pool,
    workspace: &mut Workspace,
    bodies: &Bodies,
    pixels: [u16; 2],
    what: &str,
) {
    workspace.memory.least_bundled = 1;
    for world in [Traits::EVERY_WORLD, bodies.all_traits().first().map_or(0, |traits| traits.world)] {
        for from_inside in [false, true] {
            let rays = picture(bodies, pixels, from_inside, Traits::new().world(world));
            check_rays(gpu, pool, workspace, bodies, &rays, &format!("{what}, a picture, {from_inside}"));
        }
    }
}

/// Pictures of named scenes, each kernel beside its twin.
pub(super) fn pictures(gpu: &Gpu, pool: &Pool, few: bool) {
    let scenes = if few { &[Scene::Mixed, Scene::Worlds][..] } else { &Scene::ALL };
    for scene in scenes {
        let bodies = scene.build(400, SEED).expect("a scene");
        let mut workspace = Workspace::new();
        workspace.runner.checked = true;
        check_picture(gpu, pool, &mut workspace, &bodies, [70, 45], scene.name());
        let pixel = |k: usize| picture(&bodies, [70, 45], false, Traits::new())[k].ray;
        let course = |k: usize| [pixel(k).origin().to_array(), pixel(k).direction().to_array()];
        assert_eq!(row_of_bundles(70 * 45, &course), Some(70), "{}", scene.name());
    }
    let mut workspace = Workspace::new();
    workspace.memory.least_bundled = 1;
    workspace.runner.checked = true;
    let ways = [[0.25, -0.5, 1.0], [0.0, 0.0, -1.0], [-1.0, 0.75, -0.5]].map(Vec3::from);
    for way in &ways[..if few { 1 } else { 3 }] {
        let mut rays = parallel_picture([1040, 16], *way);
        let mut bodies = dust(&rays, 150, |_| 1.0);
        // So many bodies between the rays of one bundle that it gives up; and one whose rays go all ways.
        for k in 0..600_u16 {
            let ray = rays[usize::from(1040 * (k / 15 % 15) + 48 + k % 15)].ray;
            let at = ray.origin() + Vec3::X / 2.0 + ray.direction() * (280.0 + f32::from(k) / 40.0);
            bodies.push(Sphere::new(at, 0.05).expect("a ball")).expect("room");
        }
        for k in 0..256_u16 {
            let ray = &mut rays[usize::from(1040 * (k / 16) + 160 + k % 16)].ray;
            let to = Vec3::new(f32::from(k % 16), f32::from(k / 16), 8.0) / 16.0 - 0.5;
            *ray = Ray::new(ray.origin(), ray.direction() + to).expect("a ray");
        }
        let course = |k: usize| [rays[k].ray.origin().to_array(), rays[k].ray.direction().to_array()];
        assert_eq!(row_of_bundles(rays.len(), &course), Some(1040), "along {way}");
        check_rays(gpu, pool, &mut workspace, &bodies, &rays, &format!("along {way}"));
    }
    // Straight ahead: some rays go up along an axis, and others down.
    let pixel = 1.0 / 80.0 / BUNDLE_SIDE as f32;
    let ahead = |k: u16| {
        let to = Vec3::new((f32::from(k % 70) - 34.5) * pixel, (f32::from(k / 70) - 22.0) * pixel, 1.0);
        RandomRay { ray: Ray::new(Vec3::ZERO, to).expect("a ray"), until: f32::INFINITY, traits: Traits::new() }
    };
    let rays: Vec<_> = (0..70 * 45).map(ahead).collect();
    let bodies = dust(&rays, 400, |time| pixel * time);
    check_rays(gpu, pool, &mut workspace, &bodies, &rays, "straight ahead");
}

/// Whether the pixels of a picture meet bodies, which must be what brute force says, unless there is an error.
pub(super) fn try_picture(gpu: &Gpu, pool: &Pool, workspace: &mut Workspace, bodies: &Bodies) -> crate::Result<()> {
    workspace.memory.least_bundled = 1;
    let run =
        |mut plan: RaySearch<'_>| pollster::block_on(attempt::answer(&mut plan, workspace, &mut gpu.context(pool)));
    // (So narrow that there is a bundle in each part of a query that is answered in parts.)
    let rays = picture(bodies, [20, 80], false, Traits::new());
    let ([found, expected], _) = rays_both_ways(pool, bodies, &rays, RayMode::Nearest, run)?;
    assert!(found == expected, "a picture");
    Ok(())
}

/// Rays at random scenes of every kind.
pub(super) fn random_scenes(gpu: &Gpu, pool: &Pool, scenes: u64) {
    let mut workspace = Workspace::new();
    // (In the last one bodies are further away than all times that kernels compute with.)
    for seed in (0..scenes).chain([20]) {
        let bodies = random(300 + seed, 900).expect("a scene");
        let shots = random_rays(&bodies, 200, seed);
        check_rays(gpu, pool, &mut workspace, &bodies, &shots, &format!("seed {seed}"));
        check_picture(gpu, pool, &mut workspace, &bodies, [40, 33], &format!("seed {seed}"));
    }
    pictures(gpu, pool, scenes < 5);
    // Bodies so far apart that bounds of several of them are too large to compute with.
    let mut vast = random(300, 900).expect("a scene");
    for (k, far) in (0..24_u16).zip([3e38_f32, -3e38, 1e30, -2e35].into_iter().cycle()) {
        let at = [far, f32::from(k), if k % 3 == 0 { far } else { 0.0 }];
        vast.push(Sphere::new(at, far.abs() * [0.0, 1e-3, 0.9][usize::from(k) % 3]).expect("a ball")).expect("room");
    }
    let shots = random_rays(&vast, 300, 1);
    check_rays(gpu, pool, &mut workspace, &vast, &shots, "vast bounds");
    beyond_all_times(gpu, pool, &mut workspace);
}

/// Rays without an end at bodies that are further away than all times that kernels compute with, though not so far that bounds overflow.
fn beyond_all_times(gpu: &Gpu, pool: &Pool, workspace: &mut Workspace) {
    let mut bodies = Scene::Mixed.build(900, SEED).expect("a scene");
    let far = 2.0_f32.powi(60);
    let ways = [[1.0, 0.25, 0.0], [0.0, -1.0, 0.5], [-0.75, 1.0, 1.0], [0.0, 0.0, -1.0]].map(Vec3::from);
    let shots = ways.map(|way| {
        bodies.push(Sphere::new(way * far, far / 16.0).expect("a ball")).expect("room");
        let ray = Ray::new(way * 1e6, way).expect("a ray");
        RandomRay { ray, until: f32::INFINITY, traits: Traits::new() }
    });
    let left = check_rays(gpu, pool, workspace, &bodies, &shots, "beyond all times");
    assert!(left >= 12, "{left} of the four that are met in each mode");
}

/// Bodies half as far from a corner as those before, again and again: cut where cells of the curve end, the tree of rays would have too many levels.
fn nested() -> Bodies {
    let mut bodies = Bodies::new();
    for k in 0..900_u32 {
        let far = 0.5_f32.powi((k / 36) as i32);
        let at = [1, 7, 49].map(|n| far * (1.0 + (k * n % 36) as f32 / 128.0));
        bodies.push(Sphere::new(at, 0.01 * far).expect("a ball")).expect("room");
    }
    bodies
}

/// Rays at named scenes, each of which stops after few steps, in many parts, with room for one.
pub(super) fn nothing_is_lost(gpu: &Gpu, pool: &Pool, few: bool) {
    let scenes = if few { &[Scene::Mixed, Scene::Worlds][..] } else { &Scene::ALL };
    for scene in scenes {
        let bodies = scene.build(1000, SEED).expect("a scene");
        let shots = random_rays(&bodies, if few { 100 } else { 400 }, 7);
        let mut workspace = Workspace::new().frugal();
        workspace.memory.ray_steps = 9;
        check_rays(gpu, pool, &mut workspace, &bodies, &shots, scene.name());
    }
    let bodies = nested();
    let mut workspace = Workspace::new().frugal();
    workspace.memory.ray_steps = 9;
    check_rays(gpu, pool, &mut workspace, &bodies, &random_rays(&bodies, 200, 3), "nested cells");
}

/// Rays with usual numbers leave nothing to the host: double words decide all of them.
pub(super) fn little_is_left_to_the_host(gpu: &Gpu, pool: &Pool) {
    let bodies = Scene::Mixed.build(2000, SEED).expect("a scene");
    let numbers = (0..1200_u32).map(|k| f64::from(k.wrapping_mul(2_654_435_769)) / f64::from(u32::MAX));
    let numbers: Vec<f32> = numbers.map(|x| (x * 2.0 - 1.0) as f32).collect();
    let shots: Vec<_> = numbers
        .chunks_exact(6)
        .map(|n| RandomRay {
            ray: Ray::new([40.0 * n[0], 40.0 * n[1], 40.0 * n[2]], [n[3], n[4], n[5]]).expect("a ray"),
            until: f32::INFINITY,
            traits: Traits::new(),
        })
        .collect();
    let left = check_rays(gpu, pool, &mut Workspace::new(), &bodies, &shots, "usual rays");
    assert_eq!(left, 0);
    // (Of hulls a few are: rays that nearly graze an edge, or go along a face.)
    let hulls = Scene::Hulls.build(2000, SEED).expect("a scene");
    let left = check_rays(gpu, pool, &mut Workspace::new(), &hulls, &shots, "usual rays at hulls");
    assert!(left < 20, "{left}");
}
