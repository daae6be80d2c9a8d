//! All pairs of a scene that touch or overlap, then only those that overlap.
//!
//! `cargo run --release --example overlaps`

use tangency::scenes::{SEED, Scene};
use tangency::{Engine, Relation, Result};

fn main() -> Result<()> {
    let engine = Engine::new()?;
    println!("running on {} with {} threads", engine.info().backend.name(), engine.info().threads);
    // A grid of boxes in which neighbours touch exactly, and one more box that lies across some of them.
    let mut bodies = Scene::Stacks.build(1000, SEED)?;
    let intruder = bodies.push(tangency::shape::Sphere::new([4.5, 4.5, 4.5], 0.75)?)?;
    let all = engine.overlaps(&bodies).run()?;
    let touching = all.iter().filter(|(_, _, relation)| *relation == Relation::Touching).count();
    println!("{} pairs, of which {touching} merely touch", all.len());
    let clashes = engine.overlaps(&bodies).overlapping_only().run()?;
    for (a, b) in clashes.pairs() {
        println!("clash: {a} and {b}{}", if b == intruder { " (the ball)" } else { "" });
    }
    Ok(())
}
