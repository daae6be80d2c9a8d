//! A robot in a room: the room is an index that is prepared once and queried for many configurations of the robot.
//!
//! `cargo run --release --example two_sets`

use tangency::glam::{Quat, Vec3};
use tangency::scenes::{SEED, Scene};
use tangency::shape::Obb;
use tangency::{Bodies, Engine, Overlaps, Result};

/// An arm of five links that turns about the vertical.
fn arm(angle: f32) -> Result<Bodies> {
    let turn = Quat::from_rotation_y(angle);
    let mut bodies = Bodies::new();
    for link in 0..5_u8 {
        let reach = f32::from(link) * 2.0 + 1.0;
        let center = Vec3::new(60.0, 1.5, 60.0) + turn * Vec3::new(reach, 0.0, 0.0);
        bodies.push(Obb::new(center, [1.0, 0.2, 0.2], turn)?)?;
    }
    Ok(bodies)
}

fn main() -> Result<()> {
    let engine = Engine::new()?;
    let city = engine.index(&Scene::City.build(2000, SEED)?)?;
    let mut hits = Overlaps::new();
    for step in 0..12_u8 {
        let angle = f32::from(step) * std::f32::consts::TAU / 12.0;
        engine.overlaps(&arm(angle)?).against(&city).run_into(&mut hits)?;
        let links: Vec<String> = hits.pairs().map(|(link, house)| format!("link {link} in house {house}")).collect();
        println!(
            "{:3}°: {}",
            u16::from(step) * 30,
            if links.is_empty() { "free".to_owned() } else { links.join(", ") }
        );
    }
    Ok(())
}
