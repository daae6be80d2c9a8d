//! A building of a million parts with names: which of them clash?
//!
//! Names are the caller's: a list by id, since ids never change. Parts that merely touch, such as a brick on a brick, are no clash.

use std::time::Instant;

use tangency::glam::Quat;
use tangency::shape::{Obb, Pose};
use tangency::{Bodies, Engine, Result};

const SIDE: u32 = 100;
const DUCTS: u32 = 200;

fn main() -> Result<()> {
    let engine = Engine::new()?;
    let mut bodies = Bodies::with_capacity((SIDE * SIDE * SIDE + DUCTS) as usize);
    let mut names = Vec::with_capacity(bodies.id_bound());
    // Bricks that touch their neighbours: 100 × 100 × 100 of them, with exact coordinates.
    let brick = bodies.share(Obb::new([0.0; 3], [0.125, 0.0625, 0.0625], Quat::IDENTITY)?)?;
    let places = (0..SIDE * SIDE * SIDE).map(|k| [k % SIDE, k / SIDE % SIDE, k / (SIDE * SIDE)]);
    let poses = places.clone().map(|[x, y, z]| Pose::at([x as f32 * 0.25, y as f32 * 0.125, z as f32 * 0.125]));
    bodies.extend_shared(brick, poses.collect::<Result<Vec<_>>>()?)?;
    names.extend(places.map(|[x, y, z]| format!("brick {x}/{y}/{z}")));
    // Ducts that somebody drew through the walls.
    for k in 0..DUCTS {
        let turn = Quat::from_rotation_y(k as f32 * 0.37) * Quat::from_rotation_z(k as f32 * 0.21);
        let at = [k as f32 % 25.0, (k * 7 % 125) as f32 / 10.0, (k * 13 % 125) as f32 / 10.0];
        let id = bodies.push(Obb::new(at, [1.5, 0.02, 0.02], turn)?)?;
        assert_eq!(id as usize, names.len());
        names.push(format!("duct {k}"));
    }

    let start = Instant::now();
    let clashes = engine.overlaps(&bodies).overlapping_only().run()?;
    println!(
        "{} parts, {} clashes in {:.1?}, found by {}",
        bodies.len(),
        clashes.len(),
        start.elapsed(),
        engine.info().backend.name()
    );
    let first = SIDE * SIDE * SIDE;
    let duct = (first..first + DUCTS).max_by_key(|id| clashes.neighbours(*id).len()).unwrap_or(first);
    let through: Vec<&str> = clashes.neighbours(duct).take(3).map(|id| &names[id as usize][..]).collect();
    println!(
        "{} runs through {} parts: {}, …",
        names[duct as usize],
        clashes.neighbours(duct).len(),
        through.join(", ")
    );
    // Bricks touch, and do not clash; so every clash has a duct in it, which comes last.
    assert!(clashes.pairs().all(|(_, b)| b >= first));

    // The worst duct is taken out: its clashes are gone, and nothing else changes.
    bodies.remove(duct)?;
    let changes = engine.overlaps(&bodies).overlapping_only().run()?.changes_from(&clashes);
    println!("without it, {} clashes are gone, and {} stay", changes.ended.len(), changes.stayed.len());
    assert!(changes.begun.is_empty() && changes.ended.len() == clashes.neighbours(duct).len());
    assert!(changes.ended.iter().all(|(a, b, _)| *a == duct || *b == duct));
    Ok(())
}
