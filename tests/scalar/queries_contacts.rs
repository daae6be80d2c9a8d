//! Contacts: they exist exactly when the shapes meet, they part them, and nothing shorter does.

use crate::common::{FILES, Kind, read};
use crate::properties::properties;
use crate::support::{Motion, Moved, aabb, capsule, direction, motion, obb, plane, sphere};
use glam::{Quat, Vec3};
use proptest::prelude::*;
use tangency::query::{
    Contact, ContactKind, ContactWith, Intersect, closest_point, contact, contact_two_sided, intersect, meets, side,
    signed_distance, touches_plane,
};
use tangency::shape::{Aabb, Capsule, Obb, Plane, Sphere};
use tangency::{Relation, Side};

/// Coordinates are below 16, results are rounded to `f32`: a few units in the last place.
const TOLERANCE: f32 = 1e-5;

/// What every contact keeps, whatever the shapes.
fn check_sane(found: &Contact) {
    assert!(found.normal().is_finite() && (found.normal().length() - 1.0).abs() < 1e-5, "{found:?}");
    assert!(found.depth().is_finite() && found.depth() >= 0.0, "{found:?}");
    assert!((1..=4).contains(&found.points().len()), "{found:?}");
    for point in found.points() {
        assert!(point.on_a.is_finite() && point.on_b.is_finite(), "{found:?}");
        assert!(point.depth >= 0.0 && point.depth <= found.depth(), "{found:?}");
    }
}

fn check_exists<A: ContactWith<B, Answer = Option<Contact>> + Intersect<B, Answer = Relation>, B>(a: &A, b: &B) {
    let (found, relation) = (contact(a, b), intersect(a, b));
    assert_eq!(found.is_some(), relation.is_hit());
    if let Some(found) = found {
        check_sane(&found);
        assert!(relation != Relation::Touching || found.depth() == 0.0, "{found:?}");
    }
}

#[test]
fn contacts_exist_exactly_when_the_exact_vectors_hit() {
    for (name, a, b) in FILES {
        for row in read(name) {
            let (x, y) = row.numbers.split_at(a.width());
            match (a, b) {
                (Kind::Obb, Kind::Obb) => check_exists(&crate::common::obb(x), &crate::common::obb(y)),
                (Kind::Sphere, Kind::Obb) => check_exists(&crate::common::sphere(x), &crate::common::obb(y)),
                (Kind::Aabb, Kind::Obb) => check_exists(&crate::common::aabb(x), &crate::common::obb(y)),
                (Kind::Sphere, Kind::Sphere) => check_exists(&crate::common::sphere(x), &crate::common::sphere(y)),
                (Kind::Sphere, Kind::Aabb) => check_exists(&crate::common::sphere(x), &crate::common::aabb(y)),
                _ => unreachable!("no such file"),
            }
        }
    }
}

/// A shape that can be shifted.
trait Shift: Sized {
    fn shift(&self, by: Vec3) -> Self;
}

macro_rules! shift {
    ($($shape:ident),*) => {$(
        impl Shift for $shape {
            fn shift(&self, by: Vec3) -> Self {
                self.translate(by).unwrap()
            }
        }
    )*};
}

shift!(Sphere, Aabb, Obb, Capsule);

/// The shift along the normal parts them, a little less does not, and less in another direction does not either.
fn check_depth<A, B: Shift>(
    a: &A,
    b: &B,
    found: &Contact,
    aside: Vec3,
    hit: impl Fn(&A, &B) -> bool,
) -> Result<(), TestCaseError> {
    check_sane(found);
    let (n, depth) = (found.normal(), found.depth());
    prop_assert!(!hit(a, &b.shift(n * (depth + TOLERANCE))), "not parted: {found:?}");
    if depth > TOLERANCE {
        prop_assert!(hit(a, &b.shift(n * (depth - TOLERANCE))), "too deep: {found:?}");
        prop_assert!(hit(a, &b.shift(aside.normalize() * (depth - TOLERANCE))), "not the shortest: {found:?}");
    }
    let deepest = found.points().iter().map(|p| p.depth).fold(0.0, f32::max);
    for p in found.points() {
        prop_assert!(((p.on_a - p.on_b).dot(n) - p.depth).abs() < TOLERANCE, "{p:?} of {found:?}");
    }
    // The depth is reached at a point, except where the deepest corner lies beside the face that decides.
    prop_assert!(
        deepest <= depth && (matches!(found.kind(), ContactKind::FaceA | ContactKind::FaceB) || deepest == depth)
    );
    Ok(())
}

fn check_swapped<A: ContactWith<B, Answer = Option<Contact>>, B: ContactWith<A, Answer = Option<Contact>>>(
    a: &A,
    b: &B,
) -> Result<(), TestCaseError> {
    match (contact(a, b), contact(b, a)) {
        (Some(x), Some(y)) => {
            prop_assert!((x.depth() - y.depth()).abs() < 1e-6);
            // One normal may be exchanged for another of the same depth.
            prop_assert!(x.normal().distance(-y.normal()) < 1e-4 || x.depth() == y.depth());
            prop_assert_eq!(x.swap().swap(), x);
        }
        (x, y) => prop_assert!(x.is_none() && y.is_none()),
    }
    Ok(())
}

fn check_moved<A: ContactWith<B, Answer = Option<Contact>> + Moved, B: Moved>(
    a: &A,
    b: &B,
    by: &Motion,
) -> Result<(), TestCaseError> {
    match (contact(a, b), contact(&a.moved(by), &b.moved(by))) {
        (Some(x), Some(y)) => {
            prop_assert!((x.depth() - y.depth()).abs() < 2.0 * TOLERANCE, "{x:?} {y:?}");
        }
        (Some(x), None) | (None, Some(x)) => prop_assert!(x.depth() < 2.0 * TOLERANCE, "{x:?}"),
        (None, None) => {}
    }
    Ok(())
}

/// Points of a box manifold lie on the boxes.
fn check_on_boxes(a: &Obb, b: &Obb, found: &Contact) -> Result<(), TestCaseError> {
    for p in found.points() {
        prop_assert!(closest_point(a, p.on_a).unwrap().distance < TOLERANCE, "{p:?} of {found:?}");
        prop_assert!(closest_point(b, p.on_b).unwrap().distance < TOLERANCE, "{p:?} of {found:?}");
    }
    let ids: std::collections::HashSet<_> = found.points().iter().map(|p| p.feature).collect();
    prop_assert_eq!(ids.len(), found.points().len(), "{:?}", found);
    Ok(())
}

properties! {
    #![proptest_config(crate::support::config(2000))]

    #[test]
    fn box_contacts_are_the_shortest_way_out(a in obb(), b in obb(), c in aabb(), d in aabb(), u in direction()) {
        let hit = |x: &Obb, y: &Obb| intersect(x, y).is_hit();
        prop_assert_eq!(contact(&a, &b).is_some(), hit(&a, &b));
        if let Some(found) = contact(&a, &b) {
            check_depth(&a, &b, &found, u, hit)?;
            check_on_boxes(&a, &b, &found)?;
        }
        if let Some(found) = contact(&c, &a) {
            check_depth(&c, &a, &found, u, |x: &Aabb, y: &Obb| intersect(x, y).is_hit())?;
            check_on_boxes(&c.to_obb().unwrap(), &a, &found)?;
        }
        if let Some(found) = contact(&c, &d) {
            check_depth(&c, &d, &found, u, |x: &Aabb, y: &Aabb| intersect(x, y).is_hit())?;
            let way = (c.max() - d.min()).min(d.max() - c.min()).min_element();
            prop_assert!((found.depth() - way).abs() < TOLERANCE);
        }
        check_swapped(&a, &b)?;
        check_swapped(&c, &b)?;
        check_swapped(&c, &d)?;
    }

    #[test]
    fn round_contacts_are_the_shortest_way_out(
        a in sphere(), b in sphere(), c in aabb(), d in obb(), k in capsule(), m in capsule(), u in direction(),
    ) {
        if let Some(found) = contact(&a, &b) {
            check_depth(&a, &b, &found, u, |x: &Sphere, y: &Sphere| intersect(x, y).is_hit())?;
        }
        if let Some(found) = contact(&c, &a) {
            check_depth(&c, &a, &found, u, |x: &Aabb, y: &Sphere| intersect(x, y).is_hit())?;
        }
        if let Some(found) = contact(&d, &a) {
            check_depth(&d, &a, &found, u, |x: &Obb, y: &Sphere| intersect(x, y).is_hit())?;
        }
        prop_assert_eq!(contact(&k, &a).is_some(), meets(&k, &a));
        if let Some(found) = contact(&k, &a) {
            check_depth(&k, &a, &found, u, |x: &Capsule, y: &Sphere| meets(x, y))?;
        }
        prop_assert_eq!(contact(&k, &m).is_some(), meets(&k, &m));
        if let Some(found) = contact(&k, &m) {
            check_depth(&k, &m, &found, u, |x: &Capsule, y: &Capsule| meets(x, y))?;
        }
        check_swapped(&a, &b)?;
        check_swapped(&a, &c)?;
        check_swapped(&a, &d)?;
        check_swapped(&a, &k)?;
        check_swapped(&k, &m)?;
    }

    #[test]
    fn plane_contacts_are_the_deepest_points(h in plane(), a in sphere(), b in aabb(), d in obb(), k in capsule()) {
        let lowest = |points: &[Vec3]| points.iter().map(|p| signed_distance(&h, *p).unwrap()).fold(f32::INFINITY, f32::min);
        let check = |found: Option<Contact>, side: Side, lowest: f32| {
            found.is_some() == (side != Side::Outside) && found.is_none_or(|c| {
                check_sane(&c);
                (c.depth() + lowest).abs() < TOLERANCE && c.points()[0].depth == c.depth()
                    && (c.normal() + h.normal().normalize()).length() < 1e-5
            })
        };
        prop_assert!(check(contact(&a, &h), side(&a, &h), lowest(&[a.center()]) - a.radius()));
        prop_assert!(check(contact(&b, &h), side(&b, &h), lowest(&b.corners())));
        prop_assert!(check(contact(&d, &h), side(&d, &h), lowest(&d.corners())));
        prop_assert!(check(contact(&k, &h), side(&k, &h), lowest(&[k.a(), k.b()]) - k.radius()));
        check_swapped(&a, &h)?;
        check_swapped(&k, &h)?;
        let two_sided = contact_two_sided(&a, &h);
        prop_assert_eq!(two_sided.is_some(), touches_plane(&a, &h));
        if let Some(found) = two_sided {
            let distance = signed_distance(&h, a.center()).unwrap().abs();
            prop_assert!((found.depth() - (a.radius() - distance)).abs() < TOLERANCE);
        }
    }

    #[test]
    fn contacts_move_with_the_shapes(
        by in motion(), a in sphere(), b in sphere(), c in obb(), d in obb(), k in capsule(), m in capsule(),
    ) {
        check_moved(&a, &b, &by)?;
        check_moved(&a, &c, &by)?;
        check_moved(&c, &d, &by)?;
        check_moved(&k, &a, &by)?;
        check_moved(&k, &m, &by)?;
    }
}

#[test]
fn a_stack_has_four_points_with_ids_that_last() {
    let below = Obb::new([0.0, 0.0, 0.0], [2.0, 1.0, 2.0], Quat::IDENTITY).unwrap();
    let at = |x: f32, angle: f32| Obb::new([x, 1.99, 0.0], [1.0, 1.0, 1.0], Quat::from_rotation_y(angle)).unwrap();
    let (first, next) = (contact(&below, &at(0.0, 0.1)).unwrap(), contact(&below, &at(0.01, 0.11)).unwrap());
    let ids = |c: &Contact| c.points().iter().map(|p| p.feature).collect::<Vec<_>>();
    assert_eq!((first.points().len(), ids(&first)), (4, ids(&next)));
    // Hanging over the edge, two of the corners are cut off, and have other ids.
    let hanging = contact(&below, &at(2.0, 0.0)).unwrap();
    assert_eq!(hanging.points().len(), 4);
    assert!(hanging.points().iter().all(|p| p.on_a.x <= 2.0 && (p.depth - 0.01).abs() < 1e-6));
    assert_ne!(ids(&hanging), ids(&first));
}

#[test]
fn crossed_edges_give_one_point_between_them() {
    let ridge = Quat::from_rotation_z(std::f32::consts::FRAC_PI_4);
    let low = Obb::new([0.0, 0.0, 0.0], [1.0, 1.0, 4.0], ridge).unwrap();
    let across = Quat::from_rotation_x(std::f32::consts::FRAC_PI_4);
    let high = Obb::new([0.3, 2.0 * 2.0_f32.sqrt() - 0.05, 0.2], [4.0, 1.0, 1.0], across).unwrap();
    let found = contact(&low, &high).unwrap();
    assert_eq!((found.kind(), found.points().len()), (ContactKind::Edges, 1));
    assert!(found.normal().abs_diff_eq(Vec3::Y, 1e-6) && (found.depth() - 0.05).abs() < 1e-6);
    let point = found.points()[0];
    assert!(point.on_a.abs_diff_eq(Vec3::new(0.0, 2.0_f32.sqrt(), 0.2), 1e-6), "{point:?}");
    assert!(point.on_b.abs_diff_eq(Vec3::new(0.0, 2.0_f32.sqrt() - 0.05, 0.2), 1e-6), "{point:?}");
}

#[test]
fn parallel_capsules_have_two_points_and_crossing_ones_a_perpendicular_normal() {
    let a = Capsule::new([0.0, 0.0, 0.0], [4.0, 0.0, 0.0], 1.0).unwrap();
    let beside = Capsule::new([1.0, 1.5, 0.0], [6.0, 1.5, 0.0], 1.0).unwrap();
    let found = contact(&a, &beside).unwrap();
    assert_eq!((found.normal(), found.depth(), found.points().len()), (Vec3::Y, 0.5, 2));
    let crossing = Capsule::new([2.0, 0.0, -3.0], [2.0, 0.0, 3.0], 0.5).unwrap();
    let found = contact(&a, &crossing).unwrap();
    assert_eq!((found.normal().abs(), found.depth()), (Vec3::Y, 1.5));
    let same_line = Capsule::new([3.0, 0.0, 0.0], [9.0, 0.0, 0.0], 0.5).unwrap();
    let found = contact(&a, &same_line).unwrap();
    assert_eq!((found.normal().x, found.depth()), (0.0, 1.5));
}

#[test]
fn flat_boxes_have_contacts_of_depth_zero() {
    let plate = Obb::new([0.0; 3], [1.0, 0.0, 1.0], Quat::IDENTITY).unwrap();
    let found = contact(&plate, &plate.translate([0.5, 0.0, 0.0]).unwrap()).unwrap();
    assert_eq!((found.depth(), found.normal().abs()), (0.0, Vec3::Y));
    let ground = Plane::new([0.0, 1.0, 0.0], 0.0).unwrap();
    let found = contact(&plate, &ground).unwrap();
    assert_eq!((found.depth(), found.points().len()), (0.0, 4));
    let needle = Obb::new([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], Quat::IDENTITY).unwrap();
    assert_eq!(contact(&needle, &ground).unwrap().points().len(), 2);
}
