//! A game loop: 20,000 bodies move, some are removed and others come, and each step asks which pairs have begun and which have ended.
//!
//! Debris does not meet debris (layers), and a shot never meets the one who fired it (an excluded pair).

use tangency::glam::{Quat, Vec3};
use tangency::shape::{Aabb, Obb, Pose, Sphere};
use tangency::{Bodies, Engine, Overlaps, Result, Traits};

const BODIES: u32 = 20_000;
const STEPS: u32 = 20;
const DEBRIS: u32 = 0b01;
const ACTORS: u32 = 0b10;

/// Where body `k` is at a time: on a path of its own through a cube.
fn pose(k: u32, time: f32) -> Result<Pose> {
    let unit = |lane: u32| (k.wrapping_mul(2_654_435_761).rotate_left(8 * lane) % 10_007) as f32 / 10_007.0;
    let side = 60.0;
    let path = |lane: u32| (unit(lane) + time * (unit(lane + 3) - 0.5) * 0.02).rem_euclid(1.0) * side;
    let turn = Quat::from_axis_angle(Vec3::new(unit(1), unit(2), unit(3) + 0.1).normalize(), time * unit(4));
    Pose::new([path(0), path(1), path(2)], turn)
}

fn main() -> Result<()> {
    let engine = Engine::new()?;
    let mut bodies = Bodies::new();
    let ground = Aabb::new([-10.0, -1.0, -10.0], [70.0, 0.0, 70.0])?;
    let ground = bodies.push_with(ground, Traits::new().layer(ACTORS).fixed(true))?;
    // Crates are actors; chips are debris, which meets actors only.
    let crate_ = bodies.share(Obb::new([0.0; 3], [0.4, 0.3, 0.5], Quat::IDENTITY)?)?;
    let chip = bodies.share(Sphere::new([0.0; 3], 0.25)?)?;
    let poses = |range: std::ops::Range<u32>, time| range.map(|k| pose(k, time)).collect::<Result<Vec<_>>>();
    let actor = Traits::new().layer(ACTORS);
    let debris = Traits::new().layer(DEBRIS).mask(ACTORS);
    let half = BODIES / 2;
    let first = bodies.extend_shared_with(crate_, poses(0..half, 0.0)?.into_iter().map(|pose| (pose, actor)))?.start;
    bodies.extend_shared_with(chip, poses(half..BODIES, 0.0)?.into_iter().map(|pose| (pose, debris)))?;
    let last = first + BODIES;

    let (mut hits, mut before) = (Overlaps::new(), Overlaps::new());
    let (mut begun, mut ended, mut gone) = (0, 0, 0);
    for step in 0..STEPS {
        // All that moves gets a new pose, by slices between the ids that are free.
        let time = step as f32;
        let mut next = first;
        while next < last {
            let end = (next..last).find(|id| !bodies.contains(*id)).unwrap_or(last);
            bodies.set_poses(next, &poses(next - first..end - first, time)?)?;
            next = end + 1;
        }
        engine.overlaps(&bodies).run_into(&mut hits)?;
        let changes = hits.changes_from(&before);
        // Chips that have just come to lie on the ground are removed, and as many new ones take their ids.
        let landed: Vec<u32> = changes.begun.iter().filter(|(a, _, _)| *a == ground).map(|(_, b, _)| *b).collect();
        let landed: Vec<u32> = landed.into_iter().filter(|id| *id >= first + half).take(50).collect();
        for id in &landed {
            bodies.remove(*id)?;
        }
        for (id, k) in landed.iter().zip(1..) {
            if step.is_multiple_of(2) {
                let shot = bodies.push_with(Sphere::new(pose(*id + k, time)?.position().to_vec3(), 0.25)?, debris)?;
                bodies.exclude(shot, first)?;
            }
        }
        begun += changes.begun.len();
        ended += changes.ended.len();
        gone += landed.len();
        std::mem::swap(&mut hits, &mut before);
    }
    println!("{} bodies on {}, {STEPS} steps", bodies.len(), engine.info().backend.name());
    println!("{begun} pairs began, {ended} ended, {} are left, {gone} bodies were removed", before.len());

    // What the steps have left is what an answer from nothing finds, and what began and did not end is there.
    assert_eq!(begun - ended, before.len());
    engine.overlaps(&bodies).run_into(&mut hits)?;
    let rebuilt: Bodies = {
        let mut copy = Bodies::new();
        for body in &bodies {
            let id = copy.push_with(body.shape, body.traits)?;
            assert!(id <= body.id);
        }
        copy
    };
    let ids: Vec<u32> = bodies.iter().map(|body| body.id).collect();
    let fresh = engine.overlaps(&rebuilt).run()?;
    let renamed = fresh.pairs().map(|(a, b)| (ids[a as usize], ids[b as usize]));
    let excluded = bodies.excluded();
    assert!(hits.pairs().eq(renamed.filter(|pair| !excluded.contains(pair))));
    assert!(hits.pairs().all(|(a, b)| bodies.traits(a).is_ok_and(|a| bodies.traits(b).is_ok_and(|b| a.may_meet(&b)))));
    Ok(())
}
