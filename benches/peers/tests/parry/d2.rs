//! The shapes in the plane.

use glam::Vec2;
use proptest::prelude::*;
use tangency::Relation;
use tangency::d2::{self, Circle, Obb2};

fn vector(reach: f32) -> impl Strategy<Value = Vec2> {
    prop::array::uniform2(-reach..reach).prop_map(Vec2::from_array)
}

fn circle() -> impl Strategy<Value = Circle> {
    (vector(1.5), prop_oneof![5 => 0.01f32..1.0, 1 => Just(0.0)]).prop_map(|(c, r)| Circle::new(c, r).unwrap())
}

proptest! {
    #![proptest_config(crate::support::config(300))]

    #[test]
    fn parry_agrees(a in (vector(1.0), prop::array::uniform2(0.05f32..1.0), -3.0f32..3.0), b in (vector(1.0), prop::array::uniform2(0.05f32..1.0), -3.0f32..3.0), c in circle()) {
        use parry2d::math::{Pose, Vector};
        use parry2d::query::distance;
        use parry2d::shape::{Ball, Cuboid};
        let (x, y) = (Obb2::new(a.0, a.1, a.2).unwrap(), Obb2::new(b.0, b.1, b.2).unwrap());
        let theirs = |s: &(Vec2, [f32; 2], f32)| (Pose::new(Vector::from_array(s.0.to_array()), s.2), Cuboid::new(Vector::from_array(s.1)));
        let ((px, sx), (py, sy)) = (theirs(&a), theirs(&b));
        if d2::sat_obb2_obb2(&x, &y).unwrap().overlap.abs() > 1e-4 {
            let apart = distance(&px, &sx, &py, &sy).unwrap().distance;
            prop_assert_eq!(apart <= 0.0, d2::intersect(&x, &y).is_hit(), "{}", apart);
        }
        let ball = Pose::new(Vector::from_array(c.center().to_array()), 0.0);
        let apart = distance(&ball, &Ball::new(c.radius()), &px, &sx).unwrap().distance;
        match d2::intersect(&c, &x) {
            Relation::Separate => prop_assert!(apart > -1e-5),
            _ => prop_assert!(apart < 1e-4),
        }
    }
}
