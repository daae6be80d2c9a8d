//! The CPU backend beside parry, in one run on the same threads: bodies to pairs that meet.
//!
//! `cargo run --release --example versus_parry [THREADS] [BODIES…]`
//!
//! Both start from the boxes' centres, extents and rotations. parry builds its tree (binned), finds the pairs of leaves and
//! tests each pair of boxes in `f32`; Tangency does all of its pipeline, exact and sorted. Medians of nine runs.

use std::time::{Duration, Instant};

use parry3d::bounding_volume::Aabb;
use parry3d::math::Pose;
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::shape::{Cuboid, Shape};
use rayon::prelude::*;
use tangency::scenes::{SEED, uniform};
use tangency::shape::Obb;
use tangency::{BackendKind, Bodies, Engine, Options, Overlaps};

const RUNS: usize = 9;

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// parry's times: bounds and build, pairs, tests; and the number of hits.
fn parry(boxes: &[Obb]) -> ([Duration; 3], usize) {
    let mut laps = [Vec::new(), Vec::new(), Vec::new()];
    let mut hits = 0;
    for _ in 0..RUNS {
        let start = Instant::now();
        let shapes: Vec<(Pose, Cuboid)> = boxes
            .par_iter()
            .map(|b| (Pose::from_parts(b.center(), b.rotation()), Cuboid::new(b.half_extents())))
            .collect();
        let bounds: Vec<Aabb> = shapes.par_iter().map(|(pose, cuboid)| cuboid.compute_aabb(pose)).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &bounds);
        laps[0].push(start.elapsed());
        let start = Instant::now();
        let pairs = tree.traverse_bvtt_single_tree_parallel::<false>();
        laps[1].push(start.elapsed());
        let start = Instant::now();
        hits = pairs
            .par_iter()
            .filter(|(a, b)| {
                let ((pa, a), (pb, b)) = (&shapes[*a as usize], &shapes[*b as usize]);
                parry3d::query::intersection_test(pa, a, pb, b).is_ok_and(|found| found.intersecting)
            })
            .count();
        laps[2].push(start.elapsed());
    }
    (laps.map(median), hits)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<usize>());
    let threads = numbers.next().transpose()?.unwrap_or(2);
    let sizes: Vec<usize> = numbers.collect::<Result<_, _>>()?;
    let sizes = if sizes.is_empty() { vec![10_000, 100_000] } else { sizes };
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    println!("{threads} threads, standard scene, medians of {RUNS}, ms");
    for n in sizes {
        let boxes = uniform(n, SEED)?;
        let mut bodies = Bodies::new();
        bodies.extend(boxes.iter().copied())?;
        let engine = Engine::builder().backend(BackendKind::Cpu).build()?;
        let mut found = Overlaps::new();
        let mut times = Vec::new();
        for _ in 0..RUNS {
            let start = Instant::now();
            engine.overlaps_into(&bodies, &Options::new(), &mut found)?;
            times.push(start.elapsed());
        }
        let ours = median(times).as_secs_f64() * 1e3;
        let ([build, pairs, tests], hits) = parry(&boxes);
        let [build, pairs, tests] = [build, pairs, tests].map(|time| time.as_secs_f64() * 1e3);
        let theirs = build + pairs + tests;
        println!(
            "{n} bodies: parry {theirs:.1} (build {build:.1}, pairs {pairs:.1}, tests {tests:.1}; {hits} hits), \
             tangency {ours:.1} ({} hits, hash {:016x}): {:.2} times as fast",
            found.len(),
            found.hash(),
            theirs / ours
        );
    }
    Ok(())
}
