//! Benchmarks of the scalar queries, in nanoseconds per query on one thread, on consecutive boxes of the standard scene that are
//! moved close together.
//!
//! `cargo bench -p tangency-peers --bench queries`

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::Vec3;
use tangency::query::{Motion, cast_ray, closest_point, closest_points, contact, contains_point, epa, gjk, sat, sweep};
use tangency::scenes::{SEED, uniform};
use tangency::shape::{Obb, Ray};

const PAIRS: usize = 1000;

/// Pairs of boxes, moved until `part` of the distance between their middles is left: with 0 the middles coincide.
fn pairs(part: f32) -> Vec<(Obb, Obb)> {
    let boxes = uniform(PAIRS + 1, SEED).expect("a scene");
    boxes
        .windows(2)
        .map(|pair| {
            let [a, b] = [pair[0], pair[1]];
            let way = (b.center() - a.center()).normalize_or(Vec3::X);
            let reach = a.half_extents().length() + b.half_extents().length();
            let near = Obb::new(a.center() + way * reach * part, b.half_extents(), b.rotation());
            (a, near.expect("a box"))
        })
        .collect()
}

fn scalar(criterion: &mut Criterion) {
    let (apart, meeting) = (pairs(1.25), pairs(0.25));
    let sets = [("apart", &apart), ("meeting", &meeting)];
    let mut group = criterion.benchmark_group("obb");
    group.throughput(Throughput::Elements(PAIRS as u64));
    // Measures one function, by its name; it returns whether it found something.
    let mut measure = |name: &str, found: &dyn Fn(&Obb, &Obb) -> bool| {
        for (set, pairs) in sets {
            group.bench_function(format!("{name}/{set}"), |bencher| {
                bencher.iter(|| black_box(pairs).iter().filter(|(a, b)| found(a, b)).count());
            });
        }
    };
    measure("contains_point", &|a, b| contains_point(a, b.center()));
    measure("closest_point", &|a, b| closest_point(a, b.center()).is_ok_and(|found| found.distance > 0.0));
    measure("cast_ray", &|a, b| Ray::new(b.center(), Vec3::X).is_ok_and(|ray| cast_ray(&ray, a).is_some()));
    measure("closest_points", &|a, b| closest_points(a, b).is_ok_and(|found| found.distance > 0.0));
    measure("contact", &|a, b| contact(a, b).is_some());
    measure("sat", &|a, b| sat(a, b).is_some());
    measure("gjk", &|a, b| gjk(a, b).is_some());
    measure("epa", &|a, b| epa(a, b).is_some());
    let (rest, turn) = (Motion::default(), Motion::new([-3.0, 0.0, 1.0], [0.0, 0.5, 0.25]).expect("a motion"));
    measure("sweep_turning", &|a, b| sweep(a, &rest, b, &turn).is_some());
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(15)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1500));
    targets = scalar
}
criterion_main!(benches);
