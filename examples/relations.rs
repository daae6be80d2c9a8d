//! The exact relation of chosen pairs: a box that is lowered onto another, one float at a time.
//!
//! `cargo run --release --example relations`

use tangency::glam::Quat;
use tangency::shape::Obb;
use tangency::{Bodies, Engine, Result};

fn main() -> Result<()> {
    let mut bodies = Bodies::new();
    let turn = Quat::from_rotation_y(0.7);
    let below = bodies.push(Obb::new([0.0, 0.0, 0.0], [1.0, 0.1, 1.0], Quat::IDENTITY)?)?;
    // Half extents 0.1 and 0.1 as f32 add up to exactly this height.
    let mut height = 0.1_f32 + 0.1_f32;
    height = height.next_up().next_up();
    let mut pairs = Vec::new();
    for _ in 0..5 {
        let above = bodies.push(Obb::new([0.3, height, 0.2], [0.5, 0.1, 0.5], turn)?)?;
        pairs.push([below, above]);
        height = height.next_down();
    }
    for (pair, relation) in pairs.iter().zip(Engine::new()?.relations(&bodies, &pairs).run()?) {
        println!("{:?} {relation:?}", bodies.pose(pair[1])?.position().to_vec3().y);
    }
    Ok(())
}
