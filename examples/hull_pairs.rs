//! Exact verdicts on very many pairs of convex hulls that nearly touch: how long they take, and how many of them the device leaves to the host.
//!
//! Hulls of 64 corners in random poses, with gaps within ±10⁻³ of their size. A part of the verdicts is compared with those of single pairs.
//!
//! ```text
//! cargo run --release --example hull_pairs [PAIRS] [CORNERS]
//! ```

use std::time::Instant;

use tangency::glam::{DVec3, Quat};
use tangency::shape::{ConvexHull, Pose};
use tangency::{Bodies, Engine, Relation, Result, Traits, query};

const FORMS: u64 = 16;

/// A number from −1 to 1 that is the same on every machine: `SplitMix64`.
fn random(seed: u64) -> f64 {
    let z = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

fn vector(seed: u64) -> DVec3 {
    DVec3::new(random(3 * seed + 1), random(3 * seed + 2), random(3 * seed + 3))
}

fn form(number: u64, corners: u64) -> Result<ConvexHull> {
    let stretch = DVec3::ONE + 0.3 * vector(number + 77);
    let points = (0..corners).map(|k| (vector(1000 * (number + 1) + k).normalize_or(DVec3::X) * stretch).as_vec3());
    ConvexHull::from_points(points)
}

/// Two hulls with a gap along a random way.
fn pair(number: u64, forms: &[ConvexHull]) -> Result<[ConvexHull; 2]> {
    let seed = (number + 1) << 20;
    let pick = |k: u64| &forms[((random(seed + k) + 1.0) * FORMS as f64) as usize % FORMS as usize];
    let turn = |k: u64| {
        let v = vector(seed + k).as_vec3();
        Quat::from_xyzw(v.x, v.y, v.z, random(seed + k + 100) as f32)
    };
    let place = (vector(seed + 50) * 100.0).as_vec3();
    let first = pick(0).with_pose(Pose::new(place, turn(10))?);
    let way = vector(seed + 20).normalize_or(DVec3::X);
    let second = |far: f64| -> Result<ConvexHull> {
        Ok(pick(1).with_pose(Pose::new((place.as_dvec3() + way * far).as_vec3(), turn(11))?))
    };
    let (mut near, mut far) = (0.0, 6.0);
    for _ in 0..28 {
        let middle = f64::midpoint(near, far);
        let apart = query::intersect(&first, &second(middle)?) == Relation::Separate;
        *(if apart { &mut far } else { &mut near }) = middle;
    }
    let second = second(far + 2e-3 * random(seed + 30))?;
    Ok([first, second])
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>().expect("a number"));
    let (count, corners) = (arguments.next().unwrap_or(20_000), arguments.next().unwrap_or(64));
    let forms: Vec<ConvexHull> = (0..FORMS).map(|number| form(number, corners)).collect::<Result<_>>()?;
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    let part = |thread: u64| -> Result<Vec<[ConvexHull; 2]>> {
        (thread * count / threads..(thread + 1) * count / threads).map(|number| pair(number, &forms)).collect()
    };
    let part = &part;
    let pairs: Vec<[ConvexHull; 2]> = std::thread::scope(|scope| {
        let parts: Vec<_> = (0..threads).map(|thread| scope.spawn(move || part(thread))).collect();
        parts.into_iter().flat_map(|part| part.join().expect("it ends").expect("hulls")).collect()
    });
    // Each pair in a world of its own.
    let mut bodies = Bodies::new();
    let worlds = (0..).flat_map(|world| [Traits::new().world(world); 2]);
    bodies.extend_with(pairs.iter().flatten().cloned().zip(worlds))?;
    let ids: Vec<[u32; 2]> = (0..pairs.len() as u32).map(|k| [2 * k, 2 * k + 1]).collect();
    let engine = Engine::new()?;
    let index = engine.index(&bodies)?;
    let mut best = f64::INFINITY;
    let mut found = engine.relations(&index, &ids).run()?;
    for _ in 0..8 {
        let start = Instant::now();
        found = engine.relations(&index, &ids).run()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    let adapter = engine.info().adapter.unwrap_or_else(|| "CPU".to_owned());
    println!("{adapter}: {count} pairs of hulls with {corners} corners, relations in {:.2} ms", best * 1e3);
    let mut overlaps = engine.overlaps(&index).run()?;
    for _ in 0..4 {
        overlaps = engine.overlaps(&index).run()?;
    }
    let stats = overlaps.stats();
    println!("overlaps: {} of {} candidates, {} undecided", overlaps.len(), stats.candidates, stats.undecided);
    for (stage, time) in &stats.stages {
        println!("  {stage}: {:.3} ms", time.as_secs_f64() * 1e3);
    }
    let apart = found.iter().filter(|relation| **relation == Relation::Separate).count();
    assert_eq!(overlaps.len(), found.len() - apart);
    let step = (pairs.len() / 5000).max(1);
    for ([a, b], relation) in pairs.iter().zip(&found).step_by(step) {
        assert_eq!(query::intersect(a, b), *relation, "{a:?} {b:?}");
    }
    Ok(())
}
