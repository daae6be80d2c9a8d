//! Contacts through GJK and EPA: those of hulls, triangles, segments, and capsules with boxes.
//!
//! Shapes lie within 6 of the origin, and a motion takes them no farther than 18: moving them rounds every coordinate by up
//! to 10⁻⁶, and the depth changes by a few of that.

use crate::properties::properties;
use crate::support::{Motion, Moved, aabb, capsule, config, hull, motion, obb, segment, sphere, triangle};
use glam::{DVec3, Quat, Vec3, vec3};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use tangency::query::{ClosestPoint, Contact, ContactKind, ContactWith, Support, closest_surface_point, contact, epa};
use tangency::shape::{Aabb, Capsule, ConvexHull, Obb, Segment, Triangle};

const TOLERANCE: f32 = 1e-5;

/// How far `b` must go along the unit vector `normal` to leave `a`.
fn way_out<A: Support, B: Support>(a: &A, b: &B, normal: Vec3) -> f32 {
    let n: DVec3 = normal.as_dvec3().normalize();
    let cores = a.core_support(n).dot(n) - b.core_support(-n).dot(n);
    (cores + a.rounding() + b.rounding()) as f32
}

/// The depth stays, the turned normal is the new one or as good, and the new points are the moved ones' depth apart.
fn check_moved<A, B>(a: &A, b: &B, by: &Motion) -> Result<(), TestCaseError>
where
    A: ContactWith<B, Answer = Option<Contact>> + Moved + Support,
    B: Moved + Support,
{
    let (there_a, there_b) = (a.moved(by), b.moved(by));
    match (contact(a, b), contact(&there_a, &there_b)) {
        (Some(x), Some(y)) => {
            prop_assert!((x.depth() - y.depth()).abs() < TOLERANCE, "{x:?} {y:?}");
            let turned = by.direction(x.normal());
            let as_good = (way_out(&there_a, &there_b, turned) - y.depth()).abs() < TOLERANCE;
            prop_assert!(as_good, "{turned:?} is no normal of {y:?}");
            prop_assert!((way_out(a, b, x.normal()) - x.depth()).abs() < TOLERANCE, "{x:?}");
            let (p, q) = (&x.points()[0], &y.points()[0]);
            prop_assert!(((p.on_a - p.on_b).dot(x.normal()) - (q.on_a - q.on_b).dot(y.normal())).abs() < TOLERANCE);
        }
        (Some(x), None) | (None, Some(x)) => prop_assert!(x.depth() < TOLERANCE, "{x:?}"),
        (None, None) => {}
    }
    Ok(())
}

properties! {
    #![proptest_config(config(1000))]

    #[test]
    fn contacts_move_with_the_shapes(
        by in motion(), a in sphere(), b in obb(), k in capsule(), s in segment(), r in segment(),
        (t, u) in (triangle(), triangle()), (h, i) in (hull(), hull()),
    ) {
        check_moved(&k, &b, &by)?;
        check_moved(&s, &a, &by)?;
        check_moved(&s, &k, &by)?;
        check_moved(&s, &b, &by)?;
        check_moved(&s, &r, &by)?;
        check_moved(&t, &a, &by)?;
        check_moved(&t, &k, &by)?;
        check_moved(&t, &b, &by)?;
        check_moved(&t, &s, &by)?;
        check_moved(&t, &u, &by)?;
        check_moved(&h, &a, &by)?;
        check_moved(&h, &k, &by)?;
        check_moved(&h, &b, &by)?;
        check_moved(&h, &s, &by)?;
        check_moved(&h, &t, &by)?;
        check_moved(&h, &i, &by)?;
        // And the other way round.
        check_moved(&b, &k, &by)?;
        check_moved(&a, &t, &by)?;
        check_moved(&b, &h, &by)?;
        check_moved(&s, &h, &by)?;
    }
}

/// Where shapes only touch, points are off by a little more than their rounding.
fn check_points<A, B>(a: &A, b: &B) -> Result<usize, TestCaseError>
where
    A: ContactWith<B, Answer = Option<Contact>> + ClosestPoint + Support,
    B: ClosestPoint + Support,
{
    let Some(found) = contact(a, b) else { return Ok(0) };
    let points = found.points();
    prop_assert!((1..=4).contains(&points.len()));
    prop_assert!((points[0].depth - found.depth()).abs() < TOLERANCE, "the deepest is the first: {found:?}");
    prop_assert_eq!(found.depth(), epa(a, b).map_or(0.0, |way_out| way_out.depth));
    for (i, point) in points.iter().enumerate() {
        prop_assert!(closest_surface_point(a, point.on_a).unwrap().distance.abs() < TOLERANCE, "{i} of {found:?}");
        prop_assert!(closest_surface_point(b, point.on_b).unwrap().distance.abs() < TOLERANCE, "{i} of {found:?}");
        prop_assert!((0.0..=found.depth()).contains(&point.depth));
        let apart = point.on_a - point.on_b;
        prop_assert!(apart.distance(found.normal() * point.depth) < TOLERANCE, "{i} of {found:?}");
        prop_assert!(points[..i].iter().all(|other| other.feature != point.feature && other.on_b != point.on_b));
    }
    Ok(points.len())
}

/// Something on a table: both turned and moved alike.
fn on_table<S: Moved>(shape: &S, by: &Motion) -> (S, Obb) {
    let table = Obb::new([0.0, -0.5, 0.0], [3.0, 0.5, 2.0], Quat::IDENTITY).unwrap();
    (shape.moved(by), table.moved(by))
}

properties! {
    #![proptest_config(config(1000))]

    #[test]
    fn points_lie_on_both_surfaces(
        c in aabb(), b in obb(), k in capsule(), s in segment(), (t, u) in (triangle(), triangle()), (h, i) in (hull(), hull()),
    ) {
        check_points(&k, &b)?;
        check_points(&k, &c)?;
        check_points(&s, &b)?;
        check_points(&s, &k)?;
        check_points(&t, &b)?;
        check_points(&t, &k)?;
        check_points(&t, &u)?;
        check_points(&h, &b)?;
        check_points(&h, &c)?;
        check_points(&h, &k)?;
        check_points(&h, &s)?;
        check_points(&h, &t)?;
        check_points(&h, &i)?;
        check_points(&b, &h)?;
        check_points(&c, &t)?;
    }

    #[test]
    fn what_lies_on_a_table_has_all_its_points(
        by in motion(), turn in -3.0_f32..3.0, sunk in 0.01_f32..0.1, tilt in -0.01_f32..0.01, r in 0.05_f32..0.5, length in 0.5_f32..2.0,
    ) {
        let along = Quat::from_rotation_y(turn) * vec3(length / 2.0, 0.0, 0.0);
        let tilted = vec3(0.0, tilt * sunk, 0.0);
        let ends = (along + tilted, -along - tilted);
        let capsule = Capsule::new(ends.0 + Vec3::Y * (r - sunk), ends.1 + Vec3::Y * (r - sunk), r).unwrap();
        let (capsule, table) = on_table(&capsule, &by);
        prop_assert_eq!(check_points(&capsule, &table)?, 2);
        let segment = Segment::new(ends.0 - Vec3::Y * sunk, ends.1 - Vec3::Y * sunk).unwrap();
        let (segment, _) = on_table(&segment, &by);
        prop_assert_eq!(check_points(&segment, &table)?, 2);
        let corner = Quat::from_rotation_y(turn) * vec3(0.0, 0.0, 1.0);
        let triangle = Triangle::new(ends.0 - Vec3::Y * sunk, ends.1 - Vec3::Y * sunk, corner - Vec3::Y * sunk).unwrap();
        let (triangle, _) = on_table(&triangle, &by);
        prop_assert_eq!(check_points(&triangle, &table)?, 3);
        let crate_ = Obb::new([0.0, 0.3 - sunk, 0.0], [length / 2.0, 0.3, 0.4], Quat::from_rotation_y(turn)).unwrap();
        let (hull, _) = on_table(&ConvexHull::from_points(crate_.corners()).unwrap(), &by);
        prop_assert_eq!(check_points(&hull, &table)?, 4);
        prop_assert_eq!(check_points(&table, &hull)?, 4);
        // The same on a table that is a hull.
        let table = ConvexHull::from_points(table.corners()).unwrap();
        prop_assert_eq!(check_points(&table, &capsule)?, 2);
        prop_assert_eq!(check_points(&table, &hull)?, 4);
    }
}

/// The points of the first shape, in order.
fn on_a(found: &Contact) -> Vec<[f32; 3]> {
    let mut points: Vec<[f32; 3]> = found.points().iter().map(|point| point.on_a.to_array()).collect();
    points.sort_by(|p, q| p.partial_cmp(q).unwrap());
    points
}

#[test]
fn manifolds_by_hand() {
    let table = Aabb::new([-2.0, -1.0, -2.0], [2.0, 0.0, 2.0]).unwrap();
    // A capsule that reaches over the edge is clipped there.
    let lying = Capsule::new([-1.0, 0.25, 0.0], [5.0, 0.25, 0.0], 0.5).unwrap();
    let found = contact(&lying, &table).unwrap();
    assert_eq!((found.kind(), found.depth(), found.normal()), (ContactKind::FaceB, 0.25, -Vec3::Y));
    assert_eq!(on_a(&found), [[-1.0, -0.25, 0.0], [2.0, -0.25, 0.0]]);
    assert_eq!(contact(&table, &lying), Some(found.swap()));
    // One that stands has one point, and so has one whose other end is above the table.
    let standing = Capsule::new([0.0, 0.25, 0.0], [0.0, 5.0, 0.0], 0.5).unwrap();
    assert_eq!(contact(&standing, &table).unwrap().kind(), ContactKind::Deepest);
    let leaning = Capsule::new([0.0, 0.25, 0.0], [1.0, 5.0, 0.0], 0.5).unwrap();
    assert_eq!(contact(&leaning, &table).unwrap().points().len(), 1);
    // A hull that is a box has the points of the box.
    let crate_ = Aabb::new([-1.0, -0.125, -1.0], [3.0, 1.0, 1.0]).unwrap();
    let hull = ConvexHull::from_points(crate_.corners()).unwrap();
    let (boxes, hulls) = (contact(&crate_, &table).unwrap(), contact(&hull, &table).unwrap());
    assert_eq!((on_a(&boxes), boxes.normal()), (on_a(&hulls), hulls.normal()));
    // A triangle with one corner above the table.
    let roof = Triangle::new([0.0, -0.25, 0.0], [1.0, -0.125, 0.0], [0.0, 3.0, 1.0]).unwrap();
    let found = contact(&roof, &table).unwrap();
    assert_eq!(found.points().iter().map(|point| point.depth).collect::<Vec<_>>(), [0.25, 0.125]);
    // A keel whose ends look down more than its sides do: the whole keel is in contact.
    let keel = [[-1.0, -0.25, 0.0], [1.0, -0.25, 0.0]];
    let deck = [[-3.0, 1.75, -0.25], [-3.0, 1.75, 0.25], [3.0, 1.75, -0.25], [3.0, 1.75, 0.25]];
    let boat = ConvexHull::from_points(keel.into_iter().chain(deck)).unwrap();
    assert_eq!(on_a(&contact(&boat, &table).unwrap()), keel);
    // A needle has no faces: what lies along it has no points beyond its ends.
    let needle = Obb::new(Vec3::ZERO, [1.0, 0.0, 0.0], Quat::IDENTITY).unwrap();
    let beside = Capsule::new([-3.0, 0.25, 0.0], [3.0, 0.25, 0.0], 0.5).unwrap();
    let found = contact(&beside, &needle).unwrap();
    assert!(found.depth() == 0.25 && found.points().iter().all(|point| point.on_b.x.abs() <= 1.0), "{found:?}");
    // Ids last from step to step.
    let ids = |by: f32| {
        let found = contact(&hull.translate([by, -by, by]).unwrap(), &table).unwrap();
        let mut ids: Vec<u32> = found.points().iter().map(|point| point.feature.0).collect();
        ids.sort_unstable();
        ids
    };
    assert_eq!((ids(0.0).len(), ids(0.0)), (4, ids(0.03125)));
}

/// The turned normal itself is found, too, but where another is as good: counted over pairs that overlap clearly.
#[test]
fn normals_turn_with_the_shapes_almost_always() {
    fn count<A: ContactWith<B, Answer = Option<Contact>> + Moved, B: Moved>(
        a: &A,
        b: &B,
        by: &Motion,
        (all, differ): (&mut u32, &mut u32),
    ) {
        let (Some(x), Some(y)) = (contact(a, b), contact(&a.moved(by), &b.moved(by))) else { return };
        if x.depth() > 1e-2 {
            *all += 1;
            *differ += u32::from(by.direction(x.normal()).distance(y.normal()) > 1e-3);
        }
    }
    let mut runner = TestRunner::deterministic();
    let shapes = (motion(), obb(), capsule(), segment(), (triangle(), triangle()), (hull(), hull()));
    let (mut all, mut differ) = (0, 0);
    for _ in 0..3000 {
        let (by, b, k, s, (t, u), (h, i)) = shapes.new_tree(&mut runner).unwrap().current();
        count(&k, &b, &by, (&mut all, &mut differ));
        count(&s, &b, &by, (&mut all, &mut differ));
        count(&s, &k, &by, (&mut all, &mut differ));
        count(&t, &b, &by, (&mut all, &mut differ));
        count(&t, &u, &by, (&mut all, &mut differ));
        count(&h, &k, &by, (&mut all, &mut differ));
        count(&h, &t, &by, (&mut all, &mut differ));
        count(&h, &i, &by, (&mut all, &mut differ));
    }
    println!("{differ} of {all} normals differ");
    assert!(all > 1000 && differ * 1000 < all, "{differ} of {all}");
}
