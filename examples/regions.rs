//! Region queries between queries of a large scene: the answers and the times before and after are equal.
//!
//! `cargo run --release --example regions [-- BALLS [BACKEND]]`, where the backend is `auto`, `cpu` or `gpu`.

use std::time::{Duration, Instant};

use tangency::shape::{Aabb, Sphere};
use tangency::{BackendKind, Bodies, Engine, Overlaps, Result};

/// Balls of radius 0.3 at random in a cube of side ∛n.
fn balls(n: usize) -> Result<Bodies> {
    let side = (n as f64).cbrt();
    let mut state = 0x5EED_u64;
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (((z ^ (z >> 31)) >> 40) as f64 / f64::from(1 << 24) * side) as f32
    };
    let mut bodies = Bodies::with_capacity(n);
    for _ in 0..n {
        bodies.push(Sphere::new([next(), next(), next()], 0.3)?)?;
    }
    Ok(bodies)
}

/// The median time of some queries, and the number and the fingerprint of the pairs that all of them found.
fn run_query(engine: &Engine, bodies: &Bodies, out: &mut Overlaps) -> Result<(Duration, usize, u64)> {
    let mut times = Vec::new();
    for _ in 0..7 {
        let start = Instant::now();
        engine.overlaps(bodies).run_into(out)?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    Ok((times[times.len() / 2], out.len(), out.pairs_fingerprint()))
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let n = arguments.first().and_then(|n| n.parse().ok()).unwrap_or(200_000);
    let backend = match arguments.get(1).map(String::as_str) {
        Some("cpu") => BackendKind::Cpu,
        Some("gpu") => BackendKind::Gpu,
        _ => BackendKind::Auto,
    };
    let engine = Engine::builder().backend(backend).build()?;
    println!("{n} balls on {}", engine.info().adapter.as_deref().unwrap_or("the CPU"));
    let bodies = balls(n)?;
    let side = (n as f32).cbrt();
    let mut out = Overlaps::new();
    let before = run_query(&engine, &bodies, &mut out)?;
    println!("before: {:9.3} ms, {} pairs, {:016x}", before.0.as_secs_f64() * 1e3, before.1, before.2);
    // Three regions: everything, eight giants, and a corner.
    let everything = vec![Aabb::new([-1.0; 3], [side + 1.0; 3])?];
    let giants =
        (0_u8..8).map(|k| Aabb::new([f32::from(k) * side / 16.0; 3], [side; 3])).collect::<Result<Vec<_>>>()?;
    for (what, boxes) in
        [("everything", everything), ("giants", giants), ("corner", vec![Aabb::new([0.0; 3], [2.0; 3])?])]
    {
        let mut region = Bodies::new();
        region.extend(boxes)?;
        for (a, b, side) in [(&region, &bodies, "asks"), (&bodies, &region, "is asked")] {
            let start = Instant::now();
            let found = engine.overlaps(a).against(b).run()?.len();
            println!("  {what} {side}: {:9.3} ms, {found} pairs", start.elapsed().as_secs_f64() * 1e3);
        }
    }
    let after = run_query(&engine, &bodies, &mut out)?;
    println!("after:  {:9.3} ms, {} pairs, {:016x}", after.0.as_secs_f64() * 1e3, after.1, after.2);
    assert_eq!((before.1, before.2), (after.1, after.2), "pairs were lost or found twice");
    println!("equal pairs; {:.2} times the time", after.0.as_secs_f64() / before.0.as_secs_f64());
    Ok(())
}
