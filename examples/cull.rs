//! Which bodies lie in a view frustum, given as planes whose normals point out of it.
//!
//! `cargo run --release --example cull`

use tangency::scenes::{SEED, Scene};
use tangency::shape::Plane;
use tangency::{Engine, Result, Side};

fn main() -> Result<()> {
    let bodies = Scene::Uniform.build(100_000, SEED)?;
    // From the corner of the cube along its diagonal in x and z, as high as wide.
    let frustum = [
        Plane::new([-1.0, 0.0, 0.5], 0.0)?,   // left: x ≥ z / 2
        Plane::new([0.5, 0.0, -1.0], 0.0)?,   // right: z ≥ x / 2
        Plane::new([-0.2, 1.0, -0.2], 0.0)?,  // top
        Plane::new([0.0, -1.0, 0.0], -1.0)?,  // bottom: y ≥ 1
        Plane::new([-1.0, 0.0, -1.0], -2.0)?, // near
        Plane::new([1.0, 0.0, 1.0], 60.0)?,   // far
    ];
    let sides = Engine::new()?.cull(&bodies, &frustum).run()?;
    for side in [Side::Inside, Side::Crossing, Side::Outside] {
        println!("{side:?}: {}", sides.iter().filter(|found| **found == side).count());
    }
    Ok(())
}
