//! Benchmarks of the batch queries of the CPU backend on 100,000 bodies, with all threads: overlaps of every scene, overlaps
//! between two sets, repeated queries of an index, listed pairs, culling.
//!
//! `cargo bench -p tangency-peers --bench engine`

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tangency::scenes::{SEED, Scene};
use tangency::shape::Plane;
use tangency::{BackendKind, Bodies, Engine, Overlaps};

const BODIES: usize = 100_000;

fn engine() -> Engine {
    Engine::builder().backend(BackendKind::Cpu).build().expect("an engine")
}

fn build(scene: Scene, bodies: usize, seed: u64) -> Bodies {
    scene.build(bodies, seed).expect("a scene")
}

/// The overlaps of each scene. `stacks` and `city` have many ties, which only the exact tests decide.
fn overlaps(criterion: &mut Criterion) {
    let (engine, mut out) = (engine(), Overlaps::new());
    let mut group = criterion.benchmark_group("overlaps_100k");
    group.throughput(Throughput::Elements(BODIES as u64));
    for scene in Scene::ALL {
        let bodies = build(scene, BODIES, SEED);
        group.bench_function(scene.name(), |bencher| {
            bencher.iter(|| engine.overlaps(&bodies).run_into(&mut out).expect("an answer"));
        });
    }
    group.finish();
}

/// Other queries on the standard scene.
fn queries(criterion: &mut Criterion) {
    let (engine, mut out) = (engine(), Overlaps::new());
    let bodies = build(Scene::Uniform, BODIES, SEED);
    // Some bodies of another scene of the same size, so that they lie among the others: as many as a robot or a brush may have.
    let all = build(Scene::Uniform, BODIES, SEED + 1);
    let mut few = Bodies::new();
    few.extend((0..1000).map(|i| all.shape(i * 100).expect("it exists"))).expect("room");
    let mut group = criterion.benchmark_group("uniform_100k");

    group.bench_function("overlaps_of_1k_against_all", |bencher| {
        bencher.iter(|| engine.overlaps(&few).against(&bodies).run_into(&mut out).expect("an answer"));
    });
    group.bench_function("index", |bencher| bencher.iter(|| engine.index(&bodies).expect("an index")));
    let index = engine.index(&bodies).expect("an index");
    group.bench_function("overlaps_of_the_index", |bencher| {
        bencher.iter(|| engine.overlaps(&index).run_into(&mut out).expect("an answer"));
    });
    group.bench_function("overlaps_of_1k_against_the_index", |bencher| {
        bencher.iter(|| engine.overlaps(&few).against(&index).run_into(&mut out).expect("an answer"));
    });
    group.bench_function("candidates", |bencher| bencher.iter(|| engine.candidates(&bodies).run().expect("an answer")));

    let (pairs, mut relations) = (engine.candidates(&bodies).run().expect("an answer"), Vec::new());
    group.bench_function("relations_of_all_candidates", |bencher| {
        bencher.iter(|| engine.relations(&bodies, &pairs.to_vec()).run_into(&mut relations).expect("an answer"));
    });

    // A frustum that contains a corner of the scene.
    let normals = [[1.0, 0.25, 0.0], [-0.25, 1.0, 0.0], [0.0, 0.25, 1.0], [0.5, -1.0, 0.5], [1.0; 3], [-1.0; 3]];
    let planes = normals.map(|normal| Plane::new(normal, 20.0).expect("a plane"));
    let mut sides = Vec::new();
    group.bench_function("cull_by_6_planes", |bencher| {
        bencher.iter(|| engine.cull(&bodies, &planes).run_into(&mut sides).expect("an answer"));
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(15)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1500));
    targets = overlaps, queries
}
criterion_main!(benches);
