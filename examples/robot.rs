//! A robot of 12 links in 4,096 configurations at once: which are free of collisions with the obstacles, and of the robot with itself?
//!
//! Every configuration is a world of its own. The obstacles are in every world, stored once. Links that a joint connects always meet, and
//! those pairs are excluded.

use tangency::glam::{Quat, Vec3};
use tangency::shape::{Aabb, Obb, Pose};
use tangency::{Bodies, Engine, Relation, Result, Traits, query};

const LINKS: u32 = 12;
const CONFIGURATIONS: u32 = 4096;

/// The angle of a joint in a configuration, in radians.
fn angle(configuration: u32, joint: u32) -> f32 {
    let hash = (configuration * LINKS + joint).wrapping_mul(2_654_435_761);
    ((hash ^ hash >> 15).wrapping_mul(2_246_822_519) >> 8) as f32 / (1 << 24) as f32 * 3.0 - 1.5
}

/// The poses of the links of a configuration: each link begins where the one before it ends, turned by its joint.
fn poses(configuration: u32) -> Result<Vec<Pose>> {
    let (mut at, mut turn) = (Vec3::ZERO, Quat::IDENTITY);
    let link = |joint: u32| {
        let axis = if joint.is_multiple_of(2) { Vec3::Z } else { Vec3::Y };
        turn *= Quat::from_axis_angle(axis, angle(configuration, joint));
        let along = turn * Vec3::X;
        let middle = at + along * 0.25;
        at += along * 0.5;
        Pose::new(middle, turn)
    };
    (0..LINKS).map(link).collect()
}

fn obstacles() -> Result<Vec<Aabb>> {
    let pillar = |x: f32, z: f32| Aabb::new([x - 0.2, -3.0, z - 0.2], [x + 0.2, 3.0, z + 0.2]);
    let floor = Aabb::new([-9.0, -3.1, -9.0], [9.0, -3.0, 9.0])?;
    Ok(vec![floor, pillar(2.5, 1.0)?, pillar(-2.0, 2.0)?, pillar(1.0, -3.0)?, pillar(4.0, 0.0)?])
}

fn main() -> Result<()> {
    let engine = Engine::new()?;
    let mut bodies = Bodies::new();
    let walls = obstacles()?;
    let fixed = Traits::new().in_every_world().fixed(true);
    bodies.extend_with(walls.iter().map(|wall| (*wall, fixed)))?;
    let link = bodies.share(Obb::new([0.0; 3], [0.27, 0.06, 0.06], Quat::IDENTITY)?)?;
    for world in 0..CONFIGURATIONS {
        let own = Traits::new().world(world);
        let links = bodies.extend_shared_with(link, poses(world)?.into_iter().map(|pose| (pose, own)))?;
        for (a, b) in links.clone().zip(links.skip(1)) {
            bodies.exclude(a, b)?;
        }
    }
    let hits = engine.overlaps(&bodies).run()?;
    let by_world = hits.by_world(&bodies)?;
    let blocked = by_world.worlds();
    println!(
        "{} of {CONFIGURATIONS} configurations are free; {} pairs in the others, found by {}",
        CONFIGURATIONS as usize - blocked.len(),
        hits.len(),
        engine.info().backend.name()
    );

    // The same by hand, one pair after the other.
    for world in 0..CONFIGURATIONS {
        let links = poses(world)?.into_iter().map(|pose| Obb::default().with_pose(pose));
        let links: Vec<Obb> =
            links.map(|at| Obb::new(at.center(), [0.27, 0.06, 0.06], at.rotation())).collect::<Result<_>>()?;
        let with_walls = links.iter().flat_map(|link| walls.iter().map(|wall| query::intersect(link, wall)));
        let with_itself = (0..links.len()).flat_map(|a| (a + 2..links.len()).map(move |b| (a, b)));
        let with_itself = with_itself.map(|(a, b)| query::intersect(&links[a], &links[b]));
        let found = with_walls.chain(with_itself).filter(|relation| *relation != Relation::Separate).count();
        assert_eq!(by_world.pairs(world).len(), found, "configuration {world}");
        assert_eq!(blocked.binary_search(&world).is_ok(), found > 0);
    }
    println!("the same by hand");
    Ok(())
}
