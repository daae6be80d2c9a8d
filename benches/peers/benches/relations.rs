//! Benchmarks of the exact relation of oriented boxes, in nanoseconds per pair on one thread: on the candidate pairs of the
//! standard scene, beside parry's inexact test; on ties, by the width of their integers; and on every family of the public test
//! vectors.
//!
//! `cargo bench -p tangency-peers --bench relations`

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use glam::{Quat, Vec3};
use parry3d::math::Pose;
use parry3d::shape::Cuboid;
use tangency::query::intersect;
use tangency::{Relation, scenes, shape::Obb};

/// The pairs whose bounds overlap, by sort and sweep along x.
fn candidates(bodies: &[Obb]) -> Vec<(usize, usize)> {
    let bounds: Vec<_> = bodies.iter().map(Obb::aabb).collect();
    let mut order: Vec<usize> = (0..bodies.len()).collect();
    order.sort_by(|a, b| bounds[*a].min().x.total_cmp(&bounds[*b].min().x));
    let mut pairs = Vec::new();
    for (rank, &a) in order.iter().enumerate() {
        for &b in order[rank + 1..].iter().take_while(|b| bounds[**b].min().x <= bounds[a].max().x) {
            if bounds[a].intersection(&bounds[b]).is_some() {
                pairs.push((a.min(b), a.max(b)));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

fn obb(center: [f32; 3], half: [f32; 3], q: [f32; 4]) -> Obb {
    Obb::new(Vec3::from(center), Vec3::from(half), Quat::from_array(q)).expect("a valid box")
}

fn tally(pairs: &[(Obb, Obb)]) -> usize {
    pairs.iter().filter(|(a, b)| intersect(a, b).is_hit()).count()
}

fn measure(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, pairs: &[(Obb, Obb)]) {
    group.throughput(Throughput::Elements(pairs.len() as u64));
    group.bench_function(name, |bencher| bencher.iter(|| tally(black_box(pairs))));
}

fn standard_scene(criterion: &mut Criterion) {
    let bodies = scenes::uniform(100_000, scenes::SEED).expect("a scene");
    let pairs = candidates(&bodies);
    // Bounds in plain f32 give 339,320 pairs; ours are rounded outward.
    assert!((339_320..339_330).contains(&pairs.len()), "{} candidates", pairs.len());
    let boxes: Vec<(Obb, Obb)> = pairs.iter().map(|&(a, b)| (bodies[a], bodies[b])).collect();
    assert_eq!(tally(&boxes), 133_941, "the hits of the standard scene");
    let mut group = criterion.benchmark_group("standard_100k");
    measure(&mut group, "tangency_exact", &boxes);
    let convert = |b: &Obb| {
        let pose = Pose::from_parts(b.center(), b.rotation().normalize());
        (pose, Cuboid::new(b.half_extents()))
    };
    let peers: Vec<_> = boxes.iter().map(|(a, b)| (convert(a), convert(b))).collect();
    group.bench_function("parry_inexact", |bencher| {
        bencher.iter(|| {
            let hit = |((pa, a), (pb, b)): &&((Pose, Cuboid), (Pose, Cuboid))| {
                parry3d::query::intersection_test(pa, a, pb, b).is_ok_and(|found| found.intersecting)
            };
            black_box(&peers).iter().filter(hit).count()
        });
    });
    group.finish();
}

/// Exactly touching pairs, by the width of the integers that they need.
fn ties(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ties");
    let identity = [0.0, 0.0, 0.0, 1.0];
    let grid: Vec<_> = (0..1000_u16)
        .map(|i| {
            let at = f32::from(i) * 0.5;
            (obb([at, 0.0, 3.0], [0.25; 3], identity), obb([at + 0.5, 0.25, 3.0], [0.25; 3], identity))
        })
        .collect();
    // A leaning stack: all boxes have the same rotation, so that their axes are common, but are not the coordinate axes.
    let leaning: Vec<_> = (0..1000_u16)
        .map(|i| {
            let q = [1.0, 2.0, 2.0, 4.0];
            let at = Vec3::splat(f32::from(i) * 25.0);
            // n = 25, and the first column of n R is (9, 20, −12), so that both faces meet exactly.
            (obb(at.into(), [12.5; 3], q), obb((at + Vec3::new(9.0, 20.0, -12.0)).into(), [12.5; 3], q))
        })
        .collect();
    // The corner of a box turned by (1, 2, 2, 0) / 3 touches a face of an aligned one.
    let narrow: Vec<_> = (0..1000_u16)
        .map(|i| {
            let x = 1.0 + 1.0 + 4.0 + 8.0;
            (
                obb([0.0; 3], [1.0, 20.0, 20.0], identity),
                obb([x + 2.0, f32::from(i % 8), 0.0], [9.0; 3], [1.0, 2.0, 2.0, 0.0]),
            )
        })
        .collect();
    // A box spins on a table: quaternions with 24 bits, and a common vertical axis.
    let spinning: Vec<_> = (0..1000_u16)
        .map(|i| {
            let angle = 0.1 + f32::from(i) * 0.001;
            let q = [0.0, 0.0, angle.sin(), angle.cos()];
            (obb([0.1, 0.3, 0.5], [2.0, 3.0, 0.5], identity), obb([0.7, 0.9, 1.5], [1.1, 0.9, 0.5], q))
        })
        .collect();
    // Needles of any direction that cross in one point: a tie along the cross product of their edges, in big integers.
    let needles: Vec<_> = scenes::uniform(1000, 3)
        .expect("a scene")
        .chunks_exact(2)
        .map(|pair| {
            let needle = |b: &Obb| obb([0.1, 0.2, 0.3], [b.half_extents().x, 0.0, 0.0], b.rotation().to_array());
            (needle(&pair[0]), needle(&pair[1]))
        })
        .collect();
    let families = [
        ("grid_stack", grid),
        ("leaning_stack", leaning),
        ("fits_i128", narrow),
        ("standing_on_a_floor", spinning),
        ("wide", needles),
    ];
    for (name, pairs) in families {
        for (a, b) in &pairs {
            assert_eq!(intersect(a, b), Relation::Touching, "{name}: {a:?} {b:?}");
        }
        measure(&mut group, name, &pairs);
    }
    group.finish();
}

fn families(criterion: &mut Criterion) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/obb_obb.csv");
    let text = std::fs::read_to_string(path).expect("the public vectors");
    let mut families: BTreeMap<String, Vec<(Obb, Obb)>> = BTreeMap::new();
    for line in text.lines() {
        let mut fields = line.split(',');
        let family = fields.next().unwrap_or_default();
        let v: Vec<f32> =
            fields.take(20).map(|hex| f32::from_bits(u32::from_str_radix(hex, 16).expect("a hex word"))).collect();
        let read = |v: &[f32]| Obb::new(Vec3::from_slice(v), Vec3::from_slice(&v[3..]), Quat::from_slice(&v[6..]));
        let pair = (read(&v).expect("a box"), read(&v[10..]).expect("a box"));
        families.entry(family.to_owned()).or_default().push(pair);
    }
    let mut group = criterion.benchmark_group("families");
    for (name, pairs) in &families {
        measure(&mut group, name, pairs);
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(15)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1500));
    targets = standard_scene, ties, families
}
criterion_main!(benches);
