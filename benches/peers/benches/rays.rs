//! The nearest hits of rays at boxes, beside parry's BVH on the same threads, and on a GPU if there is one.
//!
//! `cargo bench -p tangency-peers --features gpu --bench rays -- [BODIES] [RAYS]`: rays with a uniform origin in the cube and a uniform direction, and as many of a pinhole
//! camera that looks along z. An index is built before; times are from rays on the host to hits on the host, and those of the stages of
//! the last run are by the device's clock.

use std::time::{Duration, Instant};

use parry3d::bounding_volume::Aabb;
use parry3d::math::Pose;
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::RayCast;
use parry3d::shape::Cuboid;
use rayon::prelude::*;
use tangency::glam::Vec3;
use tangency::scenes::{SEED, Scene};
use tangency::shape::{Ray, Shape};
use tangency::{BackendKind, Bodies, Engine, NearestHits};

/// Runs of which the median counts.
const RUNS: usize = 7;

fn median(mut work: impl FnMut() -> Duration) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS).map(|_| work()).collect();
    times.sort_unstable();
    times[RUNS / 2]
}

/// A stream of numbers from 0 to 1.
fn numbers() -> impl FnMut() -> f32 {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1 << 24) as f32
    }
}

fn uniform(count: usize, low: Vec3, high: Vec3) -> Vec<Ray> {
    let mut next = numbers();
    (0..count)
        .map(|_| {
            let origin = low + (high - low) * Vec3::new(next(), next(), next());
            let way = loop {
                let way = 2.0 * Vec3::new(next(), next(), next()) - Vec3::ONE;
                if (0.01..1.0).contains(&way.length_squared()) {
                    break way.normalize();
                }
            };
            Ray::new(origin, way).expect("a ray")
        })
        .collect()
}

fn pinhole(count: usize, low: Vec3, high: Vec3) -> Vec<Ray> {
    let side = (count as f64).sqrt() as usize;
    let eye = (low + high) / 2.0 - Vec3::Z * (high.z - low.z);
    let pixel = |k: usize| {
        let place = |k: usize| (k as f32 + 0.5) / side as f32 - 0.5;
        Ray::new(eye, [place(k % side), place(k / side), 1.0]).expect("a ray")
    };
    (0..side * side).map(pixel).collect()
}

/// The boxes in parry's types, and its tree over them.
struct Parry(Vec<(Pose, Cuboid)>, Bvh);

impl Parry {
    fn new(bodies: &Bodies) -> Self {
        let boxes: Vec<(Pose, Cuboid)> = bodies
            .iter()
            .filter_map(|body| match body.shape {
                Shape::Obb(obb) => {
                    Some((Pose::from_parts(obb.center(), obb.rotation().normalize()), Cuboid::new(obb.half_extents())))
                }
                _ => None,
            })
            .collect();
        let bounds: Vec<Aabb> = boxes.iter().map(|(pose, cuboid)| cuboid.aabb(pose)).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &bounds);
        Self(boxes, tree)
    }

    fn cast(&self, ray: &Ray) -> Option<(u32, f32)> {
        let ray = parry3d::query::Ray::new(ray.origin(), ray.direction());
        self.1.cast_ray(&ray, f32::MAX, |leaf, best| {
            let (pose, cuboid) = &self.0[leaf as usize];
            cuboid.cast_ray(pose, &ray, best, true)
        })
    }
}

fn main() {
    let sizes: Vec<usize> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let (count, rays) = (sizes.first().copied().unwrap_or(100_000), sizes.get(1).copied().unwrap_or(100_000));
    let bodies = Scene::Uniform.build(count, SEED).expect("a scene");
    let bounds = bodies.iter().filter_map(|body| body.shape.aabb());
    let (low, high) = bounds.fold((Vec3::MAX, Vec3::MIN), |(low, high), b| (low.min(b.min()), high.max(b.max())));
    let parry = Parry::new(&bodies);
    for (name, list) in [("uniform", uniform(rays, low, high)), ("pinhole", pinhole(rays, low, high))] {
        let per = |time: Duration| list.len() as f64 / time.as_secs_f64() / 1e6;
        let mut hits = 0;
        let peer = median(|| {
            let start = Instant::now();
            hits = list.par_iter().filter(|ray| parry.cast(ray).is_some()).count();
            start.elapsed()
        });
        println!("{name}, {count} boxes, {} rays: parry {:.2} million rays/s, {hits} hits", list.len(), per(peer));
        for kind in [BackendKind::Cpu, BackendKind::Gpu] {
            let Ok(engine) = Engine::builder().backend(kind).profile(true).build() else { continue };
            let index = engine.index(&bodies).expect("an index");
            let mut found = NearestHits::new();
            engine.cast_rays(&index, &list).run_into(&mut found).expect("hits");
            let time = median(|| {
                let start = Instant::now();
                engine.cast_rays(&index, &list).run_into(&mut found).expect("hits");
                start.elapsed()
            });
            let hits = found.iter().flatten().count();
            println!(
                "  {}: {:.2} million rays/s, {:.2} times parry, {hits} hits, {} undecided; {:?}",
                kind.name(),
                per(time),
                peer.as_secs_f64() / time.as_secs_f64(),
                found.stats().undecided,
                found.stats().stages
            );
        }
    }
}
