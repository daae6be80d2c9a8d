//! Contacts of all pairs of boxes of a scene on one thread and on all, beside parry's `contact_manifold` of the same pairs.
//!
//! `cargo bench -p tangency-peers --bench contacts [BODIES]`

use std::time::{Duration, Instant};

use parry3d::math::Pose;
use parry3d::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use parry3d::shape::Cuboid;
use rayon::prelude::*;
use tangency::scenes::{SEED, Scene};
use tangency::shape::{Obb, Shape};
use tangency::{BackendKind, Bodies, Contacts, Engine, query};

/// Runs of which the median counts.
const RUNS: usize = 7;

fn median(mut work: impl FnMut() -> Duration) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS).map(|_| work()).collect();
    times.sort_unstable();
    times[RUNS / 2]
}

/// The time that a query spends on contacts, after the pairs are known.
fn batch(engine: &Engine, bodies: &Bodies, deepest_only: bool) -> Duration {
    let mut contacts = Contacts::new();
    median(|| {
        let request = engine.contacts(bodies);
        let request = if deepest_only { request.deepest_point_only() } else { request };
        request.run_into(&mut contacts).expect("contacts");
        let stages = contacts.stats().stages.iter();
        stages.filter(|(name, _)| ["frames", "contacts"].contains(name)).map(|(_, time)| *time).sum()
    })
}

fn timed(work: impl FnOnce() -> usize) -> Duration {
    let start = Instant::now();
    assert!(std::hint::black_box(work()) > 0);
    start.elapsed()
}

/// How many points parry finds.
fn parry((a, b): &(Obb, Obb)) -> usize {
    let pose = |obb: &Obb| Pose::from_parts(obb.center(), obb.rotation().normalize());
    let cuboid = |obb: &Obb| Cuboid::new(obb.half_extents());
    let mut manifold: Vec<ContactManifold<(), ()>> = Vec::new();
    let relative = pose(a).inv_mul(&pose(b));
    let found =
        DefaultQueryDispatcher.contact_manifolds(&relative, &cuboid(a), &cuboid(b), 0.0, &mut manifold, &mut None);
    found.map_or(0, |()| manifold.iter().map(|manifold| manifold.points.len()).sum())
}

fn scalar((a, b): &(Obb, Obb)) -> usize {
    query::contact(a, b).map_or(0, |found| found.points().len())
}

fn main() {
    let bodies = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(100_000);
    for scene in [Scene::Uniform, Scene::Stacks] {
        let set = scene.build(bodies, SEED).expect("a scene");
        for threads in [1, rayon::current_num_threads()] {
            let engine = Engine::builder().backend(BackendKind::Cpu).threads(threads).build().expect("an engine");
            let pairs: Vec<(Obb, Obb)> = engine
                .overlaps(&set)
                .run()
                .expect("pairs")
                .pairs()
                .filter_map(|(a, b)| match (set.shape(a), set.shape(b)) {
                    (Ok(Shape::Obb(a)), Ok(Shape::Obb(b))) => Some((a, b)),
                    _ => None,
                })
                .collect();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let each = |name: &str, time: Duration| {
                let rate = pairs.len() as f64 / time.as_secs_f64() / 1e6;
                println!(
                    "{:8} {bodies:9} bodies {threads:3} threads  {name:28} {rate:8.3} million contacts a second",
                    scene.name()
                );
                rate
            };
            let four = each("batch, up to four points", batch(&engine, &set, false));
            let one = each("batch, the deepest point", batch(&engine, &set, true));
            let run =
                |work: fn(&(Obb, Obb)) -> usize| median(|| pool.install(|| timed(|| pairs.par_iter().map(work).sum())));
            each("query::contact", run(scalar));
            let peer = each("parry, contact_manifolds", run(parry));
            println!("  up to four points {:.2} times parry, one point {:.2} times", four / peer, one / peer);
        }
    }
}
