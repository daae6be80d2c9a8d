//! Which parts of a machine come too near each other: hot parts keep others further away than cold ones.
//!
//! `cargo run --release --example clearances`

use tangency::glam::{Quat, Vec3};
use tangency::shape::{Obb, Sphere};
use tangency::{Bodies, Engine, Result};

fn main() -> Result<()> {
    let (mut parts, mut names) = (Bodies::new(), Vec::new());
    // Pipes side by side, a few of them hot, and a row of balls above.
    for k in 0..12_u16 {
        let at = Vec3::new(f32::from(k) * 0.25, 0.0, 0.0);
        let pipe = parts.push(Obb::new(at, [0.1, 0.1, 2.0], Quat::from_rotation_z(f32::from(k) * 0.1))?)?;
        names.push(format!("pipe {k}"));
        if k % 4 == 1 {
            parts.set_margin(pipe, 0.0625)?;
        }
        parts.push(Sphere::new(at + Vec3::new(0.0, 0.25, 0.0), 0.0625)?)?;
        names.push(format!("ball {k}"));
    }
    let engine = Engine::new()?;
    // At least 1/64 everywhere, and as much more as the margins of both parts say.
    let least = 0.015_625;
    let near = engine.clearances(&parts, least).run()?;
    for (a, b, found) in &near {
        let needed = least + parts.margin(a)? + parts.margin(b)?;
        println!(
            "{} and {}: {:.4} free, {needed:.4} needed, at {:.3}",
            names[a as usize],
            names[b as usize],
            found.distance(),
            found.on_a()
        );
        assert!(found.distance() <= needed);
    }
    let cold = engine.overlaps(&parts).margin(0.0).run()?.len();
    println!(
        "{} of {} pairs are too near; {cold} by their own margins alone",
        near.len(),
        parts.len() * (parts.len() - 1) / 2
    );
    Ok(())
}
