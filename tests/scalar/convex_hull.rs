//! The convex hull of points in space: what it contains, its surface, and degenerate clouds.

use crate::properties::properties;
use std::collections::HashMap;

use glam::{Quat, Vec3};
use proptest::prelude::*;
use tangency::Error;
use tangency::shape::ConvexHull;

fn cloud(reach: f32) -> impl Strategy<Value = Vec<Vec3>> {
    prop::collection::vec(prop::array::uniform3(-reach..reach).prop_map(Vec3::from_array), 1..60)
}

/// Points of a small grid: many in one plane, on one line, or equal.
fn grid() -> impl Strategy<Value = Vec<Vec3>> {
    prop::collection::vec(prop::array::uniform3(0u8..4).prop_map(|p| Vec3::from_array(p.map(f32::from))), 1..40)
}

/// Finite numbers of every size.
fn any_finite() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<f32>().prop_filter("finite", |x| x.is_finite()),
        Just(0.0),
        Just(f32::MAX),
        Just(-f32::MAX),
        -1.0f32..1.0
    ]
}

fn check(points: &[Vec3]) -> ConvexHull {
    let hull = ConvexHull::from_points(points.iter().copied()).unwrap();
    for &p in points {
        assert!(hull.contains_point(p), "{p} of {points:?}");
    }
    for v in hull.vertices() {
        assert!(points.contains(&v), "{v} was not given");
    }
    // Every directed edge has one triangle on its left, and its reverse another.
    let mut sides: HashMap<(u32, u32), usize> = HashMap::new();
    for &[a, b, c] in hull.faces() {
        for edge in [(a, b), (b, c), (c, a)] {
            *sides.entry(edge).or_default() += 1;
        }
    }
    if hull.dimension() == 3 {
        assert!(sides.iter().all(|(&(u, v), &n)| n == 1 && sides.contains_key(&(v, u))), "the surface is closed");
        assert_eq!(hull.vertices().len() + hull.faces().len(), sides.len() / 2 + 2, "Euler");
        assert!(hull.volume() >= 0.0);
    } else {
        assert_eq!(hull.volume(), 0.0);
    }
    assert!(hull.volume().is_finite() && hull.area().is_finite());
    hull
}

properties! {
    #[test]
    fn contains_every_point_and_has_a_closed_surface(points in cloud(1.0)) {
        check(&points);
    }

    #[test]
    fn planes_lines_and_duplicates_are_no_trouble(points in grid()) {
        let hull = check(&points);
        // The order of the points does not matter.
        let reversed = ConvexHull::from_points(points.iter().rev().copied()).unwrap();
        prop_assert_eq!(reversed.dimension(), hull.dimension());
        prop_assert!((reversed.volume() - hull.volume()).abs() < 1e-9);
        // Its own corners have the same hull.
        let again = ConvexHull::from_points(hull.vertices().iter().copied()).unwrap();
        prop_assert!((again.volume() - hull.volume()).abs() < 1e-9);
        prop_assert!((again.area() - hull.area()).abs() < 1e-9);
    }

    #[test]
    fn numbers_of_every_size(points in prop::collection::vec(prop::array::uniform3(any_finite()), 1..12)) {
        check(&points.into_iter().map(Vec3::from_array).collect::<Vec<_>>());
    }

    #[test]
    fn volume_survives_rigid_motion(points in cloud(1.0), q in prop::array::uniform4(-1.0f32..1.0), by in -5.0f32..5.0) {
        prop_assume!(q.iter().map(|x| x * x).sum::<f32>() > 0.01);
        let turn = Quat::from_array(q).normalize();
        let moved: Vec<Vec3> = points.iter().map(|&p| turn * p + Vec3::splat(by)).collect();
        let (a, b) = (ConvexHull::from_points(points).unwrap(), ConvexHull::from_points(moved).unwrap());
        prop_assert!((a.volume() - b.volume()).abs() < 1e-4);
    }

    #[test]
    fn support_is_the_farthest_and_beyond_it_is_outside(points in cloud(1.0), d in prop::array::uniform3(-1.0f32..1.0)) {
        let d = Vec3::from_array(d);
        prop_assume!(d.length() > 0.1);
        let hull = ConvexHull::from_points(points.iter().copied()).unwrap();
        let far = hull.support(d);
        prop_assert!(points.iter().all(|p| p.as_dvec3().dot(d.as_dvec3()) <= far.as_dvec3().dot(d.as_dvec3())));
        prop_assert!(!hull.contains_point(far + d * 1e-3));
        prop_assert!(hull.aabb().contains_point(far));
    }
}

#[test]
fn degenerate_clouds_have_their_dimension() {
    let dimension = |points: &[[f32; 3]]| ConvexHull::from_points(points.iter().copied()).unwrap().dimension();
    assert_eq!(dimension(&[[1.0, 2.0, 3.0]; 5]), 0);
    assert_eq!(dimension(&[[0.0, 0.0, 0.0], [-0.0, 0.0, -0.0]]), 0);
    assert_eq!(dimension(&[[0.0; 3], [1.0; 3], [0.5; 3], [0.25; 3]]), 1);
    assert_eq!(dimension(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.5, 0.5, 0.0]]), 2);
    assert_eq!(dimension(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1e-40]]), 3);
}

#[test]
fn bad_points_are_refused() {
    assert_eq!(ConvexHull::from_points(Vec::<Vec3>::new()).unwrap_err(), Error::NoPoints);
    let bad = ConvexHull::from_points([[0.0, f32::NAN, 0.0]]).unwrap_err();
    assert!(matches!(bad, Error::NotFinite { field: "point.y", .. }));
}

#[cfg(feature = "serde")]
#[test]
fn serde_keeps_the_corners_and_builds_the_rest() {
    let hull =
        ConvexHull::from_points([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.1; 3]]).unwrap();
    let text = serde_json::to_string(&hull).unwrap();
    assert_eq!(serde_json::from_str::<ConvexHull>(&text).unwrap(), hull);
    assert!(serde_json::from_str::<ConvexHull>(r#"{"vertices":[]}"#).is_err());
}
