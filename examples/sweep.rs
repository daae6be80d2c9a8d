//! Bullets and fans: which bullets hit a blade during one step, although each flies hundreds of times its own size.
//!
//! `cargo run --release --example sweep`

use tangency::glam::{Quat, Vec3};
use tangency::query::Motion;
use tangency::shape::{Obb, Sphere};
use tangency::{Bodies, Engine, Result};

fn main() -> Result<()> {
    // Fans in a row, of four blades each, which turn about their hubs.
    let (mut blades, mut turning) = (Bodies::new(), Vec::new());
    for fan in 0..5_u16 {
        let hub = Vec3::new(2.0 + f32::from(fan), 0.0, 0.0);
        let spin = Motion::new([0.0; 3], [0.5 + 0.25 * f32::from(fan), 0.0, 0.0])?.about(hub)?;
        for blade in 0..4_u16 {
            let turn = Quat::from_rotation_x(f32::from(blade) * std::f32::consts::FRAC_PI_2);
            blades.push(Obb::new(hub + turn * Vec3::new(0.0, 0.75, 0.0), [0.01, 0.5, 0.125], turn)?)?;
            turning.push(spin);
        }
    }
    // Bullets from the left, which are beyond all fans after the step.
    let (mut bullets, mut flying) = (Bodies::new(), Vec::new());
    for k in 0..400_u16 {
        let (y, z) = (f32::from(k % 20) * 0.15 - 1.425, f32::from(k / 20) * 0.15 - 1.425);
        bullets.push(Sphere::new([0.0, y, z], 0.02)?)?;
        flying.push(Motion::translation([10.0, 0.0, 0.0])?);
    }
    let engine = Engine::new()?;
    let hits = engine.sweep(&bullets, &flying).against(&blades, &turning).run()?;
    // The first blade that each bullet meets.
    let mut stopped = 0;
    for bullet in 0..bullets.len() as u32 {
        let row = hits.pairs().row(bullet);
        let meets = hits.iter().skip(row.start).take(row.len());
        if let Some((_, blade, hit)) = meets.min_by(|a, b| a.2.from().total_cmp(&b.2.from())) {
            stopped += 1;
            if stopped <= 5 {
                println!("bullet {bullet} hits blade {blade} at {:.4}, normal {:.2}", hit.from(), hit.normal());
            }
        }
    }
    let still = engine.overlaps(&bullets).against(&blades).run()?.len();
    println!("{stopped} of {} bullets are stopped; {still} touched a blade before they were fired", bullets.len());
    assert!(stopped > 100 && still == 0);
    Ok(())
}
