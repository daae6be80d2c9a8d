//! Closest points against sampling, under rigid motion, and both ways round.

use crate::properties::properties;
use crate::support::{
    Motion, Moved, Spread, aabb, capsule, motion, obb, parallelogram, plane, point, segment, sphere, triangle,
    unit_cube,
};
use glam::Vec3;
use proptest::prelude::*;
use tangency::query::{
    ClosestPoint, ClosestTo, Meets, closest_point, closest_points, closest_surface_point, contains_point, intersect,
    meets, signed_distance,
};

/// Coordinates are below 16, results are rounded to `f32`: a few units in the last place.
const TOLERANCE: f32 = 1e-5;

/// The answer lies in the shape, its distance is right, and no point of the shape is nearer.
fn check_point<S: ClosestPoint + Spread>(shape: &S, p: Vec3, samples: &[Vec3]) -> Result<(), TestCaseError> {
    let found = closest_point(shape, p).unwrap();
    prop_assert!((found.point.distance(p) - found.distance).abs() < TOLERANCE);
    prop_assert!(closest_point(shape, found.point).unwrap().distance < TOLERANCE);
    for &u in samples {
        prop_assert!(shape.spread(u).distance(p) > found.distance - TOLERANCE);
    }
    let surface = closest_surface_point(shape, p).unwrap();
    prop_assert!((surface.point.distance(p) - surface.distance.abs()).abs() < TOLERANCE);
    prop_assert!(surface.distance <= found.distance);
    Ok(())
}

fn check_moved<S: ClosestPoint + Moved>(shape: &S, p: Vec3, by: &Motion) -> Result<(), TestCaseError> {
    let (here, there) = (closest_point(shape, p).unwrap(), closest_point(&shape.moved(by), by.point(p)).unwrap());
    prop_assert!((here.distance - there.distance).abs() < TOLERANCE);
    prop_assert!(by.point(here.point).distance(there.point) < 10.0 * TOLERANCE);
    let (here, there) =
        (closest_surface_point(shape, p).unwrap(), closest_surface_point(&shape.moved(by), by.point(p)).unwrap());
    prop_assert!((here.distance - there.distance).abs() < TOLERANCE);
    Ok(())
}

/// Symmetric, realised by its points, and not beaten by samples or by the nearest points of the points.
fn check_pair<A, B>(a: &A, b: &B, samples: &[Vec3]) -> Result<(), TestCaseError>
where
    A: ClosestTo<B> + ClosestPoint + Spread,
    B: ClosestTo<A> + ClosestPoint + Spread,
{
    let found = closest_points(a, b).unwrap();
    prop_assert!((found.on_a.distance(found.on_b) - found.distance).abs() < TOLERANCE);
    prop_assert!(closest_point(a, found.on_a).unwrap().distance < TOLERANCE);
    prop_assert!(closest_point(b, found.on_b).unwrap().distance < TOLERANCE);
    prop_assert!((closest_points(b, a).unwrap().distance - found.distance).abs() < TOLERANCE);
    for pair in samples.chunks(2) {
        prop_assert!(a.spread(pair[0]).distance(b.spread(pair[1])) > found.distance - TOLERANCE);
    }
    // Of convex shapes, two points that are each other's nearest are the nearest of all.
    prop_assert!(closest_point(a, found.on_b).unwrap().distance > found.distance - TOLERANCE);
    prop_assert!(closest_point(b, found.on_a).unwrap().distance > found.distance - TOLERANCE);
    Ok(())
}

fn check_meets<A, B>(a: &A, b: &B, by: &Motion) -> Result<(), TestCaseError>
where
    A: Meets<B> + ClosestTo<B> + Moved,
    B: Meets<A> + Moved,
{
    let distance = closest_points(a, b).unwrap().distance;
    prop_assert_eq!(meets(a, b), meets(b, a));
    prop_assert_eq!(meets(a, b), distance < 1e-11);
    if distance > TOLERANCE {
        prop_assert!(!meets(&a.moved(by), &b.moved(by)));
    }
    Ok(())
}

fn samples() -> impl Strategy<Value = Vec<Vec3>> {
    prop::collection::vec(unit_cube(), 16)
}

properties! {
    #![proptest_config(crate::support::config(1000))]

    #[test]
    fn nothing_is_nearer_than_the_closest_point(
        p in point(), u in samples(), a in sphere(), b in aabb(), c in obb(), d in capsule(), e in segment(), f in triangle(),
        g in parallelogram(),
    ) {
        check_point(&a, p, &u)?;
        check_point(&b, p, &u)?;
        check_point(&c, p, &u)?;
        check_point(&d, p, &u)?;
        check_point(&e, p, &u)?;
        check_point(&f, p, &u)?;
        check_point(&g, p, &u)?;
    }

    #[test]
    fn closest_points_move_with_the_shape(
        p in point(), by in motion(), a in sphere(), c in obb(), d in capsule(), e in segment(), f in triangle(),
        g in parallelogram(), h in plane(),
    ) {
        check_moved(&a, p, &by)?;
        check_moved(&c, p, &by)?;
        check_moved(&d, p, &by)?;
        check_moved(&e, p, &by)?;
        check_moved(&f, p, &by)?;
        check_moved(&g, p, &by)?;
        let (here, there) = (signed_distance(&h, p).unwrap(), signed_distance(&h.moved(&by), by.point(p)).unwrap());
        prop_assert!((here - there).abs() < 10.0 * TOLERANCE);
    }

    #[test]
    fn nothing_is_nearer_than_the_closest_points(
        u in samples(), a in sphere(), b in aabb(), c in obb(), d in capsule(), e in segment(), f in triangle(),
        s in sphere(), k in obb(), m in capsule(), n in segment(), t in triangle(),
    ) {
        check_pair(&a, &s, &u)?;
        check_pair(&a, &b, &u)?;
        check_pair(&a, &c, &u)?;
        check_pair(&a, &d, &u)?;
        check_pair(&a, &e, &u)?;
        check_pair(&a, &f, &u)?;
        check_pair(&b, &c, &u)?;
        check_pair(&b, &d, &u)?;
        check_pair(&b, &e, &u)?;
        check_pair(&b, &f, &u)?;
        check_pair(&c, &k, &u)?;
        check_pair(&c, &d, &u)?;
        check_pair(&c, &e, &u)?;
        check_pair(&c, &f, &u)?;
        check_pair(&d, &m, &u)?;
        check_pair(&d, &e, &u)?;
        check_pair(&d, &f, &u)?;
        check_pair(&e, &n, &u)?;
        check_pair(&e, &f, &u)?;
        check_pair(&f, &t, &u)?;
    }

    #[test]
    fn meeting_agrees_with_the_distance(
        by in motion(), a in sphere(), c in obb(), d in capsule(), e in segment(), f in triangle(), m in capsule(),
        n in segment(), t in triangle(),
    ) {
        check_meets(&a, &d, &by)?;
        check_meets(&a, &f, &by)?;
        check_meets(&c, &d, &by)?;
        check_meets(&c, &e, &by)?;
        check_meets(&c, &f, &by)?;
        check_meets(&d, &m, &by)?;
        check_meets(&d, &f, &by)?;
        check_meets(&e, &n, &by)?;
        check_meets(&e, &f, &by)?;
        check_meets(&f, &t, &by)?;
    }

    #[test]
    fn the_distance_agrees_with_the_exact_relation(a in sphere(), s in sphere(), b in aabb(), c in obb(), k in obb()) {
        let check = |distance: f32, hit: bool| distance < TOLERANCE && (distance == 0.0) == hit || distance >= TOLERANCE && !hit;
        prop_assert!(check(closest_points(&a, &s).unwrap().distance, intersect(&a, &s).is_hit()));
        prop_assert!(check(closest_points(&a, &b).unwrap().distance, intersect(&a, &b).is_hit()));
        prop_assert!(check(closest_points(&a, &c).unwrap().distance, intersect(&a, &c).is_hit()));
        prop_assert_eq!(closest_points(&b, &c).unwrap().distance < 1e-11, intersect(&b, &c).is_hit());
        prop_assert_eq!(closest_points(&c, &k).unwrap().distance < 1e-11, intersect(&c, &k).is_hit());
    }

    #[test]
    fn containing_agrees_with_the_closest_point(
        p in point(), u in unit_cube(), a in sphere(), b in aabb(), c in obb(), d in capsule(), f in triangle(), g in parallelogram(),
    ) {
        prop_assert_eq!(contains_point(&a, p), closest_point(&a, p).unwrap().distance == 0.0);
        prop_assert_eq!(contains_point(&b, p), closest_point(&b, p).unwrap().distance == 0.0);
        prop_assert_eq!(contains_point(&c, p), closest_point(&c, p).unwrap().distance == 0.0);
        prop_assert_eq!(contains_point(&d, p), closest_point(&d, p).unwrap().distance == 0.0);
        for corner in f.corners() {
            prop_assert!(contains_point(&f, corner));
        }
        prop_assert!(contains_point(&g, g.corner()));
        // By barycentric coordinates, away from the border.
        let inside = f.spread(u);
        let weights = f.barycentric(inside).unwrap();
        if weights.iter().all(|w| *w > 1e-4) {
            prop_assert!(closest_point(&f, inside).unwrap().distance < TOLERANCE);
        }
        let [x, y, z] = weights.map(f64::from);
        let [i, j, k] = f.corners().map(Vec3::as_dvec3);
        prop_assert!((i * x + j * y + k * z).distance(inside.as_dvec3()) < 1e-4);
    }

    #[test]
    fn planes_stand_for_half_spaces_in_pairs(h in plane(), a in sphere(), c in obb(), d in capsule(), f in triangle()) {
        let lowest = |corners: &[Vec3]| corners.iter().map(|p| signed_distance(&h, *p).unwrap()).fold(f32::INFINITY, f32::min);
        let near = |found: f32, expected: f32| (found - expected.max(0.0)).abs() < TOLERANCE;
        prop_assert!(near(closest_points(&a, &h).unwrap().distance, lowest(&[a.center()]) - a.radius()));
        prop_assert!(near(closest_points(&c, &h).unwrap().distance, lowest(&c.corners())));
        prop_assert!(near(closest_points(&d, &h).unwrap().distance, lowest(&[d.a(), d.b()]) - d.radius()));
        prop_assert!(near(closest_points(&h, &f).unwrap().distance, lowest(&f.corners())));
    }
}
