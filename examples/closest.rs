//! A map of how far it is to the nearest building: a point for each character.
//!
//! `cargo run --release --example closest`

use tangency::scenes::{SEED, Scene};
use tangency::{Engine, Points, Result};

const WIDE: usize = 100;
const HIGH: usize = 40;

fn main() -> Result<()> {
    let bodies = Scene::City.build(500, SEED)?;
    let bounds = bodies.iter().filter_map(|body| body.shape.aabb()).reduce(|all, one| all.merge(&one));
    let (low, high) = bounds.map_or_else(Default::default, |bounds| (bounds.min(), bounds.max()));
    let mut points = Points::new();
    for row in 0..HIGH {
        for column in 0..WIDE {
            let (x, z) = (column as f32 / WIDE as f32, row as f32 / HIGH as f32);
            let height = 0.75 * low.y + 0.25 * high.y;
            points.push([low.x + x * (high.x - low.x), height, low.z + z * (high.z - low.z)])?;
        }
    }
    let engine = Engine::new()?;
    let found = engine.closest(&bodies, &points).run()?;
    let size = (high - low).max_element();
    let shades = b"#%*+=-:. ";
    for row in 0..HIGH {
        let shade = |column: usize| match found.nearest((row * WIDE + column) as u32) {
            Some(near) => shades[((near.distance / size * 160.0).ceil() as usize).min(8)] as char,
            None => '?',
        };
        println!("{}", (0..WIDE).map(shade).collect::<String>());
    }
    // Where a point is in a building, that building is the nearest.
    let inside = engine.containing(&bodies, &points).run()?;
    let at_home = found.iter().filter(|(_, near)| near.distance == 0.0).count();
    let rows = (0..points.len() as u32).filter(|point| !inside.row(*point).is_empty()).count();
    assert!(at_home >= rows);
    println!("{rows} of {} points are in a building", points.len());
    Ok(())
}
