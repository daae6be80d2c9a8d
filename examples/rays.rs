//! A picture of a scene: a ray for each character, the nearest hit of each.
//!
//! `cargo run --release --example rays`

use tangency::scenes::{SEED, Scene};
use tangency::shape::Ray;
use tangency::{Engine, Result};

const WIDE: usize = 100;
const HIGH: usize = 40;

fn main() -> Result<()> {
    let bodies = Scene::City.build(2000, SEED)?;
    let bounds = bodies.iter().filter_map(|body| body.shape.aabb()).reduce(|all, one| all.merge(&one));
    let (low, high) = bounds.map_or_else(Default::default, |bounds| (bounds.min(), bounds.max()));
    let (middle, size) = ((low + high) / 2.0, (high - low).max_element());
    let mut rays = Vec::new();
    for row in 0..HIGH {
        for column in 0..WIDE {
            let (x, y) = (column as f32 / WIDE as f32 - 0.5, 0.5 - row as f32 / HIGH as f32);
            rays.push(Ray::new([middle.x, high.y + 0.1 * size, low.z - 0.1 * size], [x, 0.5 * y - 0.3, 0.5])?);
        }
    }
    let hits = Engine::new()?.cast_rays(&bodies, &rays).run()?;
    let shades = b"@%#*+=-:. ";
    for row in 0..HIGH {
        let shade = |column: usize| match hits.get(row * WIDE + column) {
            Some(hit) => shades[((hit.time / size * 8.0) as usize).min(8)] as char,
            None => ' ',
        };
        println!("{}", (0..WIDE).map(shade).collect::<String>());
    }
    println!("{} of {} rays meet a body", hits.iter().flatten().count(), hits.len());
    Ok(())
}
