//! A large scene in one query, and cut into slabs: the candidates and the hits are the same.
//!
//! `cargo run --release --example slabs -- 1000000 8 gpu`: bodies, slabs, backend.

use std::time::Instant;

use tangency::scenes::{SEED, uniform};
use tangency::{BackendKind, Bodies, Engine, Overlaps};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let n: usize = arguments.next().map_or(Ok(100_000), |text| text.parse())?;
    let slabs: usize = arguments.next().map_or(Ok(4), |text| text.parse())?;
    let backend = match arguments.next().as_deref() {
        Some("gpu") => BackendKind::Gpu,
        Some("cpu") => BackendKind::Cpu,
        _ => BackendKind::Auto,
    };
    let engine = Engine::builder().backend(backend).build()?;
    let mut boxes = uniform(n, SEED)?;
    boxes.sort_by(|a, b| a.center().x.total_cmp(&b.center().x));
    let mut out = Overlaps::new();
    let mut ask = |a: &Bodies, b: Option<&Bodies>| -> Result<(u64, usize), tangency::Error> {
        match b {
            Some(b) => engine.overlaps(a).against(b).run_into(&mut out)?,
            None => engine.overlaps(a).run_into(&mut out)?,
        }
        Ok((out.stats().candidates, out.len()))
    };

    let mut all = Bodies::with_capacity(n);
    all.extend(boxes.iter().copied())?;
    let start = Instant::now();
    let whole = ask(&all, None)?;
    println!(
        "{n} bodies on {:?}: {} candidates, {} hits in {:.1?}",
        engine.info().backend,
        whole.0,
        whole.1,
        start.elapsed()
    );
    drop(all);

    // Slabs are wider than bodies are long, so that a pair lies within one slab or in two neighbouring ones.
    let mut sum = (0, 0);
    let width = n.div_ceil(slabs);
    let (mut before, start) = (Bodies::new(), Instant::now());
    for slab in boxes.chunks(width) {
        let mut bodies = Bodies::with_capacity(slab.len());
        bodies.extend(slab.iter().copied())?;
        let found = [ask(&bodies, None)?, ask(&before, Some(&bodies))?];
        sum = found.iter().fold(sum, |sum, more| (sum.0 + more.0, sum.1 + more.1));
        before = bodies;
    }
    println!("{slabs} slabs: {} candidates, {} hits in {:.1?}", sum.0, sum.1, start.elapsed());
    assert_eq!(whole, sum);
    Ok(())
}
