//! Exact relations, in agreement with parry away from touching.

use glam::Vec3;
use tangency::query::intersect;
use tangency::shape::{Obb, Sphere};

/// A box as parry knows it, shrunk or grown by `margin`.
fn peer(b: &Obb, margin: f32) -> (parry3d::math::Pose, parry3d::shape::Cuboid) {
    let pose = parry3d::math::Pose::from_parts(b.center(), b.rotation().normalize());
    (pose, parry3d::shape::Cuboid::new((b.half_extents() + margin).max(Vec3::ZERO)))
}

fn peers_meet(a: &Obb, b: &Obb, margin: f32) -> bool {
    let ((pa, a), (pb, b)) = (peer(a, margin), peer(b, margin));
    parry3d::query::intersection_test(&pa, &a, &pb, &b).unwrap().intersecting
}

#[test]
fn parry_agrees_away_from_touching() {
    let bodies = tangency::scenes::uniform(600, 7).unwrap();
    let (mut agreed, mut close) = (0, 0);
    for (i, a) in bodies.iter().enumerate() {
        for b in &bodies[i + 1..] {
            // Where parry changes its mind within ±1e-4, it is too close to touching for floats.
            let (shrunk, grown) = (peers_meet(a, b, -1e-4), peers_meet(a, b, 1e-4));
            if shrunk == grown {
                assert_eq!(intersect(a, b).is_hit(), shrunk, "{a:?} {b:?}");
                agreed += 1;
            } else {
                close += 1;
            }
            let ball = Sphere::new(a.center(), a.half_extents().x).unwrap();
            let meets = |margin: f32| {
                let (pose, cuboid) = peer(b, margin);
                let round = parry3d::shape::Ball::new((ball.radius() + margin).max(0.0));
                let at = parry3d::math::Pose::from_translation(ball.center());
                parry3d::query::intersection_test(&at, &round, &pose, &cuboid).unwrap().intersecting
            };
            if meets(-1e-4) == meets(1e-4) {
                assert_eq!(intersect(&ball, b).is_hit(), meets(0.0), "{ball:?} {b:?}");
                agreed += 1;
            }
        }
    }
    println!("{agreed} pairs agreed with parry, {close} box pairs were too close to touching");
    assert!(agreed > 100_000 && close < agreed / 100);
}
