//! GJK and EPA.

use glam::{Quat, Vec3};
use parry3d::math::{Pose, Rotation, Vector};
use parry3d::query::{contact, distance};
use parry3d::shape::{Ball, ConvexPolyhedron, Cuboid};
use proptest::prelude::*;
use tangency::Relation;
use tangency::query;
use tangency::shape::{ConvexHull, Obb, Sphere};

fn vector(reach: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-reach..reach).prop_map(Vec3::from_array)
}

fn rotation() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0f32..1.0)
        .prop_filter("not near zero", |q| q.iter().map(|x| x * x).sum::<f32>() > 0.01)
        .prop_map(Quat::from_array)
}

fn cuboid(b: &Obb) -> (Pose, Cuboid) {
    let turn = Rotation::from_array(b.rotation().normalize().to_array());
    let pose = Pose::from_parts(Vector::from_array(b.center().to_array()), turn);
    (pose, Cuboid::new(Vector::from_array(b.half_extents().to_array())))
}

proptest! {
    #[test]
    fn boxes(a in (vector(1.0), prop::array::uniform3(0.05f32..1.0), rotation()),
             b in (vector(1.0), prop::array::uniform3(0.05f32..1.0), rotation())) {
        let (a, b) = (Obb::new(a.0, a.1, a.2).unwrap(), Obb::new(b.0, b.1, b.2).unwrap());
        let ((pa, sa), (pb, sb)) = (cuboid(&a), cuboid(&b));
        let theirs = distance(&pa, &sa, &pb, &sb).unwrap().distance;
        prop_assert!((theirs - query::gjk(&a, &b).unwrap().distance).abs() < 1e-3);
        if let (Some(ours), Ok(Some(theirs))) = (query::epa(&a, &b), contact(&pa, &sa, &pb, &sb, 0.0)) {
            // Theirs is the depth of a contact point, in f32, and sometimes less than the way out: then the exact
            // relation says that a shift by it, along its own normal, does not part the boxes.
            if -theirs.dist < ours.depth - 1e-3 {
                let shift = Vec3::from_array(theirs.normal1.to_array()) * (-theirs.dist + 5e-4);
                prop_assert_eq!(query::intersect(&a, &b.translate(shift).unwrap()), Relation::Overlapping);
            }
        }
    }

    #[test]
    fn hulls_and_balls(points in prop::collection::vec(vector(0.8), 8..20), ball in (vector(1.5), 0.1f32..0.5)) {
        let hull = ConvexHull::from_points(points.iter().copied()).unwrap();
        let theirs: Vec<Vector> = points.iter().map(|p| Vector::from_array(p.to_array())).collect();
        let Some(polyhedron) = ConvexPolyhedron::from_convex_hull(&theirs) else { return Ok(()) };
        let own = Sphere::new(ball.0, ball.1).unwrap();
        let pose = Pose::from_parts(Vector::from_array(ball.0.to_array()), Rotation::IDENTITY);
        let theirs = distance(&pose, &Ball::new(ball.1), &Pose::IDENTITY, &polyhedron).unwrap().distance;
        let ours = query::gjk(&own, &hull).unwrap().distance;
        // Theirs drops corners that are nearly on a face, so its hull may lie a little farther away.
        prop_assert!(ours < theirs + 1e-3 && ours > theirs - 1e-2, "{theirs} {ours}");
    }
}
