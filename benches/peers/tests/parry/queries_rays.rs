//! Rays.

use crate::in_parry::InParry;
use crate::support::{aabb, capsule, hull, obb, point, ray, sphere, triangle};
use glam::Vec3;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use tangency::query::{CastRay, cast_ray};
use tangency::shape::Ray;

fn check_parry<S: CastRay + InParry>(ray: &Ray, shape: &S) -> Result<(), TestCaseError> {
    let (pose, theirs) = shape.in_parry();
    let theirs =
        theirs.cast_ray_and_get_normal(&pose, &parry3d::query::Ray::new(ray.origin(), ray.direction()), f32::MAX, true);
    match (cast_ray(ray, shape), theirs) {
        (Some(a), Some(b)) => {
            let steep = a.normal.dot(ray.direction().normalize()).abs();
            prop_assert!((a.t - b.time_of_impact).abs() * steep < 1e-3, "{a:?} {b:?}");
        }
        // Only at the rim may one see it and the other not.
        (Some(a), None) => prop_assert!((a.t_exit - a.t) * ray.direction().length() < 0.05, "{a:?}"),
        (None, Some(b)) => prop_assert!(b.normal.dot(ray.direction().normalize()).abs() < 0.1, "{b:?}"),
        (None, None) => {}
    }
    Ok(())
}

proptest! {
    #![proptest_config(crate::support::config(2000))]

    #[test]
    fn parry_sees_the_same_hits(r in ray(), a in sphere(), b in aabb(), c in obb(), d in capsule(), f in triangle()) {
        check_parry(&r, &a)?;
        check_parry(&r, &b)?;
        check_parry(&r, &c)?;
        check_parry(&r, &d)?;
        check_parry(&r, &f)?;
    }
}

/// Counted, as parry goes through GJK for hulls: hits that only one of the two sees, or at another time, and those with another
/// normal. Each ray is aimed near the shape's middle, so that most of them hit.
#[test]
fn parry_sees_the_same_hits_of_triangles_and_hulls_almost_always() {
    /// Whether the hit is another, and whether only its normal is.
    fn differs<S: CastRay + InParry>(ray: &Ray, shape: &S, hits: &mut u32) -> (bool, bool) {
        let (pose, theirs) = shape.in_parry();
        let line = parry3d::query::Ray::new(ray.origin(), ray.direction());
        match (cast_ray(ray, shape), theirs.cast_ray_and_get_normal(&pose, &line, f32::MAX, true)) {
            (Some(a), Some(b)) => {
                *hits += 1;
                let steep = a.normal.dot(ray.direction().normalize()).abs();
                let other_face = a.normal.distance(b.normal) > 1e-2;
                let other_time = (a.t - b.time_of_impact).abs() * steep > 1e-3;
                (other_time, !other_time && !a.inside && other_face && steep > 1e-2)
            }
            (None, None) => (false, false),
            _ => (true, false),
        }
    }
    let mut runner = TestRunner::deterministic();
    let (mut hits, mut others, mut normals) = (0, 0, 0);
    for _ in 0..5000 {
        let (o, aside, t, h) = (point(), point(), triangle(), hull()).new_tree(&mut runner).unwrap().current();
        let aimed = |middle: Vec3| Ray::new(o, middle + aside * 0.2 - o).unwrap();
        assert_eq!(differs(&aimed(t.centroid()), &t, &mut hits), (false, false));
        let (other, normal) = differs(&aimed(h.aabb().center()), &h, &mut hits);
        others += u32::from(other);
        normals += u32::from(normal);
    }
    println!("{others} hits of hulls differ, and {normals} only in their normal, of {hits} hits");
    assert!(hits > 5000 && others * 1000 < hits && normals * 500 < hits, "{others} {normals} {hits}");
}
