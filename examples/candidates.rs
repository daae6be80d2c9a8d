//! The broad phase alone, for a narrow phase of your own: here the common volume of the bounds of two bodies, as a share of the
//! larger bounds.
//!
//! `cargo run --release --example candidates`

use tangency::scenes::{SEED, Scene};
use tangency::{Engine, Result};

fn main() -> Result<()> {
    let bodies = Scene::Mixed.build(20_000, SEED)?;
    let pairs = Engine::new()?.candidates(&bodies).run()?;
    let mut largest = (0.0, [0, 0]);
    for (a, b) in pairs.pairs() {
        // (Only a plane has no box around it.)
        let (Some(first), Some(second)) = (bodies.shape(a)?.aabb(), bodies.shape(b)?.aabb()) else { continue };
        let common = first.intersection(&second).map_or(0.0, |both| both.volume());
        let share = common / first.volume().max(second.volume());
        if share > largest.0 {
            largest = (share, [a, b]);
        }
    }
    println!("{} candidates; {:?} share most of their bounds: {:.1} %", pairs.len(), largest.1, largest.0 * 100.0);
    Ok(())
}
