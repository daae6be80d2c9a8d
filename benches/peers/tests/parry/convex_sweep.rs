//! Times of impact.

use glam::{Quat, Vec3};
use proptest::prelude::*;
use tangency::query::{self, Motion};
use tangency::shape::Obb;

fn vector(reach: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-reach..reach).prop_map(Vec3::from_array)
}

fn obb() -> impl Strategy<Value = Obb> {
    let rotation =
        prop::array::uniform4(-1.0f32..1.0).prop_filter("not zero", |q| q.iter().map(|x| x * x).sum::<f32>() > 0.01);
    (vector(2.0), prop::array::uniform3(0.01f32..1.0), rotation)
        .prop_map(|(c, e, q)| Obb::new(c, e, Quat::from_array(q)).unwrap())
}

proptest! {
    #![proptest_config(crate::support::config(300))]

    #[test]
    fn parry_sees_the_same_impact(a in obb(), b in obb(), u in vector(20.0)) {
        use parry3d::math::{Pose, Rotation, Vector};
        use parry3d::query::{ShapeCastOptions, cast_shapes};
        use parry3d::shape::Cuboid;
        let pose = |o: &Obb| {
            let turn = Rotation::from_array(o.rotation().normalize().to_array());
            Pose::from_parts(Vector::from_array(o.center().to_array()), turn)
        };
        let cuboid = |o: &Obb| Cuboid::new(Vector::from_array(o.half_extents().to_array()));
        if query::gjk_hit(&a, &b) {
            return Ok(());
        }
        let theirs = cast_shapes(&pose(&a), Vector::from_array(u.to_array()), &cuboid(&a), &pose(&b), Vector::ZERO, &cuboid(&b),
            ShapeCastOptions::with_max_time_of_impact(1.0)).unwrap();
        let ours = query::sweep(&a, &Motion::translation(u).unwrap(), &b, &Motion::REST);
        if let (Some(theirs), Some(ours)) = (theirs, ours) {
            prop_assert!((f64::from(theirs.time_of_impact) - ours.time).abs() < 1e-2, "{theirs:?} {ours:?}");
        }
    }
}
