//! Relations of convex hulls, triangles and segments with all kinds, against whole numbers: random pairs, and those that touch or nearly do.

use tangency::Relation;
use tangency::glam::{Quat, Vec3};
use tangency::query::intersect;
use tangency::shape::{Aabb, Capsule, ConvexHull, Obb, Pose, Segment, Shape, Sphere, Triangle};

use crate::hull_pairs::{FAMILIES, KINDS, pairs};
use crate::{capsule_pairs, families, hull_pairs, polytopes};

#[test]
fn every_family_agrees_with_the_oracle() {
    let count = if crate::support::is_long() { 1000 } else { 12 };
    let enough = count / 25;
    let oracle = |[hull, other]: &[Shape; 2]| polytopes::any_relation(hull, other, 0.0);
    families::check(
        &FAMILIES,
        &KINDS,
        |family, kind| pairs(family, kind, count),
        oracle,
        |found| match found.family {
            "faces" | "edges" | "corners" => found.touching == count,
            "flips" => found.separate.min(found.touching).min(found.overlapping) >= enough,
            "thin" => found.separate.min(found.touching) >= enough,
            _ => found.separate.min(found.overlapping) >= enough,
        },
    );
}

/// Shapes that are a whole number apart are so to the last bit: their relations when they are moved or grown by that, or by a unit more or less.
#[test]
fn whole_distances_are_what_the_oracle_says() {
    for (kind, name) in KINDS.iter().enumerate() {
        for ([hull, other], gap) in hull_pairs::apart(kind, if crate::support::is_long() { 200 } else { 6 }) {
            assert_eq!(intersect(&hull, &other), Ok(Relation::Separate), "{name}: {hull:?} {other:?}");
            for (margin, expected) in [
                (gap.next_down(), Relation::Separate),
                (gap, Relation::Touching),
                (gap.next_up(), Relation::Overlapping),
            ] {
                let found = polytopes::any_relation(&hull, &other, margin);
                assert_eq!(found, expected, "{name} within {margin}: {hull:?} {other:?}");
            }
        }
    }
}

/// The hull of a shape's corners where they are exact, and the shape itself.
fn hull_of(shape: &Shape) -> Option<ConvexHull> {
    Some(match shape {
        Shape::Aabb(aabb) => ConvexHull::from_points(aabb.corners()).unwrap(),
        Shape::Obb(obb) => {
            let local = Obb::new(Vec3::ZERO, obb.half_extents(), Quat::IDENTITY).unwrap().corners();
            ConvexHull::from_points(local).unwrap().with_pose(Pose::new(obb.center(), obb.rotation()).unwrap())
        }
        Shape::Capsule(capsule) if capsule.radius() == 0.0 => {
            ConvexHull::from_points([capsule.a(), capsule.b()]).unwrap()
        }
        Shape::Sphere(ball) if ball.radius() == 0.0 => ConvexHull::from_points([ball.center()]).unwrap(),
        _ => return None,
    })
}

/// Boxes, points and rods as hulls have the relations that these kinds have by their own formulas.
#[test]
fn hulls_of_corners_are_as_the_shapes() {
    let mut seen = 0;
    for (family, name) in capsule_pairs::FAMILIES.iter().enumerate() {
        for kind in 0..capsule_pairs::KINDS.len() {
            for [rod, other] in capsule_pairs::pairs(family, kind, 40) {
                let Shape::Capsule(capsule) = rod else { panic!("the first is a capsule") };
                let bare = Shape::from(Capsule::new(capsule.a(), capsule.b(), 0.0).unwrap());
                for own in [rod, bare] {
                    let expected = intersect(&own, &other);
                    let hulls = [hull_of(&own), hull_of(&other)].map(|hull| hull.map(Shape::from));
                    for (a, b) in
                        [(&hulls[0], &Some(other.clone())), (&Some(own.clone()), &hulls[1]), (&hulls[0], &hulls[1])]
                    {
                        if let (Some(a), Some(b)) = (a, b) {
                            assert_eq!(intersect(a, b), expected, "{name}: {a:?} {b:?}");
                            seen += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(seen > 2000, "{seen}");
    // Boxes with boxes, in every relation.
    for family in 0..FAMILIES.len() {
        let boxes = [2, 3].into_iter().flat_map(|kind| pairs(family, kind, 12)).map(|[_, other]| other);
        let boxes: Vec<Shape> = boxes.collect();
        for a in &boxes {
            for b in &boxes {
                let hulls = [a, b].map(|shape| Shape::from(hull_of(shape).expect("a box")));
                assert_eq!(intersect(&hulls[0], &hulls[1]), intersect(a, b), "{a:?} {b:?}");
            }
        }
    }
}

/// What flat shapes are to each other: the differences of what lies in one plane have no inside.
#[test]
fn flat_shapes_by_hand() {
    let plate = ConvexHull::from_points([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]]).unwrap();
    let rod = |a: [f32; 3], b: [f32; 3]| Segment::new(a, b).unwrap();
    for (a, b, relation) in [
        ([1.0, 1.0, -1.0], [1.0, 1.0, 1.0], Relation::Overlapping),
        ([1.0, 1.0, 0.0], [1.0, 1.0, 1.0], Relation::Touching),
        ([1.0, 1.0, 0.0], [2.0, 3.0, 0.0], Relation::Touching),
        ([0.0, 1.0, -1.0], [0.0, 1.0, 1.0], Relation::Touching),
        ([-1.0, 1.0, -1.0], [1.0, 1.0, 1.0], Relation::Touching),
        ([-1.0, 1.0, -1.0], [1.5, 1.0, 1.0], Relation::Overlapping),
        ([1.0, 1.0, f32::from_bits(1)], [1.0, 1.0, 1.0], Relation::Separate),
        ([5.0, 1.0, 0.0], [9.0, 1.0, 0.0], Relation::Separate),
    ] {
        assert_eq!(intersect(&plate, &rod(a, b)), relation, "{a:?} {b:?}");
        assert_eq!(intersect(&rod(a, b), &plate), relation, "{a:?} {b:?}, swapped");
    }
    let sail = Triangle::new([1.0, 1.0, -1.0], [3.0, 1.0, -1.0], [2.0, 1.0, 1.0]).unwrap();
    assert_eq!((intersect(&plate, &sail), intersect(&plate, &plate)), (Relation::Overlapping, Relation::Touching));
    assert_eq!(
        intersect(&sail, &Triangle::new([2.0, 0.0, 1.0], [2.0, 5.0, 1.0], [2.0, 1.0, 9.0]).unwrap()),
        Relation::Touching
    );
    let point = ConvexHull::from_points([[1.0, 2.0, 0.0]]).unwrap();
    assert_eq!((intersect(&plate, &point), intersect(&point, &point)), (Relation::Touching, Relation::Touching));
    assert_eq!(intersect(&point, &Sphere::new([1.0, 2.0, 3.0], 3.0).unwrap()), Relation::Touching);
    assert_eq!(intersect(&point, &Sphere::new([1.0, 2.0, 3.0], 3.0_f32.next_up()).unwrap()), Relation::Overlapping);
    let cube = Aabb::new([0.0; 3], [4.0, 4.0, 4.0]).unwrap();
    assert_eq!((intersect(&point, &cube), intersect(&plate, &cube)), (Relation::Touching, Relation::Touching));
    assert_eq!(intersect(&plate.translate([0.0, 0.0, 1.0]).unwrap(), &cube), Relation::Overlapping);
}

#[test]
fn what_has_no_points_meets_nothing() {
    let hull = ConvexHull::from_points(Aabb::new([-9.0; 3], [9.0; 3]).unwrap().corners()).unwrap();
    assert_eq!(
        (intersect(&hull, &Aabb::EMPTY), intersect(&Aabb::EMPTY, &hull)),
        (Relation::Separate, Relation::Separate)
    );
    let raw: Capsule = bytemuck::cast([f32::NAN, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(intersect(&hull, &raw), Relation::Separate);
    let ball: Sphere = bytemuck::cast([0.0_f32, 0.0, 0.0, -1.0]);
    assert_eq!(
        (intersect(&ball, &hull), intersect(&Triangle::default(), &ball)),
        (Relation::Separate, Relation::Separate)
    );
    let plane = tangency::shape::Plane::new([0.0, 1.0, 0.0], 0.0).unwrap();
    let none: tangency::shape::Plane = bytemuck::cast([0.0_f32, 0.0, 0.0, 1.0]);
    assert_eq!((intersect(&hull, &plane), intersect(&hull, &none)), (Relation::Overlapping, Relation::Separate));
}
