//! Fits contain every point they were given, exactly, and are as tight as they say.

use glam::{DVec2, DVec3, Quat, Vec2, Vec3};
use proptest::prelude::*;
use tangency::d2::Circle;
use tangency::query;
use tangency::shape::{Aabb, Obb, Sphere, fit};
use tangency::{Error, d2};

fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![4 => -10.0f32..10.0, 1 => Just(0.0), 1 => -1e-20f32..1e-20, 1 => -1e20f32..1e20]
}

fn cloud() -> impl Strategy<Value = Vec<Vec3>> {
    let any = prop::collection::vec(prop::array::uniform3(coordinate()).prop_map(Vec3::from_array), 1..40);
    let line = (prop::array::uniform3(-5.0f32..5.0), prop::collection::vec(-3.0f32..3.0, 1..20))
        .prop_map(|(d, t)| t.into_iter().map(|t| Vec3::from_array(d) * t).collect());
    let plane = prop::collection::vec(
        prop::array::uniform2(-5.0f32..5.0).prop_map(|p| Vec3::new(p[0], p[1], p[0] - p[1])),
        1..20,
    );
    prop_oneof![any, line, plane]
}

fn cloud2() -> impl Strategy<Value = Vec<Vec2>> {
    let any = prop::collection::vec(prop::array::uniform2(coordinate()).prop_map(Vec2::from_array), 1..40);
    let grid =
        prop::collection::vec(prop::array::uniform2(0u8..5).prop_map(|p| Vec2::from_array(p.map(f32::from))), 1..30);
    prop_oneof![any, grid]
}

/// Exactly: a ball without radius at the point meets the shape.
fn in_box(b: &Obb, p: Vec3) -> bool {
    query::intersect(b, &Sphere::new(p, 0.0).unwrap()).is_hit()
}

fn in_ball(s: &Sphere, p: Vec3) -> bool {
    query::intersect(s, &Sphere::new(p, 0.0).unwrap()).is_hit()
}

proptest! {
    #[test]
    fn balls_contain_their_points(points in cloud(), starts in 0usize..8) {
        let (one, many) = (fit::ritter(&points).unwrap(), fit::ritter_multi_start(&points, starts).unwrap());
        prop_assert!(points.iter().all(|&p| in_ball(&one, p) && in_ball(&many, p)));
        prop_assert!(many.radius() <= one.radius());
        // No ball is smaller than half the farthest pair, and Ritter's is not twice the smallest.
        let far = points.iter().flat_map(|p| points.iter().map(|q| p.as_dvec3().distance(q.as_dvec3()))).fold(0.0, f64::max);
        prop_assert!(f64::from(one.radius()) * (1.0 + 1e-6) >= far / 2.0);
        prop_assert!(f64::from(one.radius()) <= far * 1.01 + 1e-30);
    }

    #[test]
    fn principal_boxes_contain_their_points(points in cloud()) {
        let fitted = fit::pca_obb(&points).unwrap();
        prop_assert!(points.iter().all(|&p| in_box(&fitted, p)), "{fitted:?}");
        let [x, y, z] = fitted.axes();
        prop_assert!((x.cross(y).dot(z) - 1.0).abs() < 1e-12, "right-handed");
    }

    #[test]
    fn carried_boxes_contain_the_moved_mesh(
        points in prop::collection::vec(prop::array::uniform3(-5.0f32..5.0), 1..20),
        q in prop::array::uniform4(-1.0f32..1.0), by in prop::array::uniform3(-1e4f32..1e4), t in prop::array::uniform3(0.0f64..1.0),
    ) {
        prop_assume!(q.iter().any(|x| x.abs() > 0.1));
        let local = Aabb::from_points(points.iter().copied()).unwrap();
        let world = fit::carried_obb(&local, Quat::from_array(q), by).unwrap();
        // A point of the local box, moved in f64, lies in the world box.
        let p = local.min().as_dvec3() + (local.max().as_dvec3() - local.min().as_dvec3()) * DVec3::from_array(t);
        let turned = Obb::new([0.0; 3], [1.0; 3], Quat::from_array(q)).unwrap().axes();
        let moved = turned[0] * p.x + turned[1] * p.y + turned[2] * p.z + Vec3::from_array(by).as_dvec3();
        let offset = moved - world.center().as_dvec3();
        for (axis, half) in world.axes().into_iter().zip(world.half_extents().to_array()) {
            prop_assert!(axis.dot(offset).abs() <= f64::from(half) + 1e-11);
        }
        prop_assert!((world.half_extents() - local.half_extents()).max_element() < 2e-3, "and is not much larger");
    }

    #[test]
    fn planar_hulls_are_convex_and_contain_their_points(points in cloud2()) {
        let hull = fit::convex_hull_2d(&points).unwrap();
        let polygon = d2::ConvexPolygon::from_points(points.iter().copied()).unwrap();
        prop_assert_eq!(polygon.vertices(), &hull[..]);
        prop_assert!(points.iter().all(|&p| polygon.contains_point(p)));
        prop_assert!(hull.iter().all(|v| points.contains(v)));
    }

    #[test]
    fn least_rectangles_contain_their_points_and_no_turned_one_is_smaller(points in cloud2(), angle in 0.0f64..3.2) {
        let fitted = d2::min_area_rectangle(&points).unwrap();
        for &p in &points {
            prop_assert!(d2::intersect(&fitted, &Circle::new(p, 0.0).unwrap()).is_hit(), "{p} {fitted:?}");
        }
        // Any other direction needs at least that area, but for the rounding outward.
        let x = DVec2::from_angle(angle);
        let side = |d: DVec2| {
            let along = points.iter().map(|p| p.as_dvec2().dot(d));
            along.clone().fold(f64::NEG_INFINITY, f64::max) - along.fold(f64::INFINITY, f64::min)
        };
        let (w, h) = (side(x), side(x.perp()));
        let slack = 1e-5 * (w + h) * (w + h);
        prop_assert!(fitted.area() <= w * h + slack, "{} {}", fitted.area(), w * h);
    }
}

#[test]
fn degenerate_clouds_fit_flat() {
    let p = Vec3::new(1.0, 2.0, 3.0);
    let point = fit::pca_obb(&[p, p, p]).unwrap();
    assert_eq!((point.center(), point.half_extents()), (p, Vec3::ZERO));
    assert_eq!(fit::ritter(&[p, p]).unwrap(), Sphere::new(p, 0.0).unwrap());
    let line: Vec<Vec3> = (0..10).map(|i| Vec3::new(i as f32, 0.0, 0.0)).collect();
    let needle = fit::pca_obb(&line).unwrap();
    assert!(needle.half_extents().x >= 4.5 && needle.half_extents().y < 1e-5 && needle.half_extents().z < 1e-5);
    let plane: Vec<Vec3> = (0..100).map(|i| Vec3::new((i % 10) as f32 * 2.0, (i / 10) as f32, 5.0)).collect();
    let plate = fit::pca_obb(&plane).unwrap();
    assert!(plate.half_extents().z < 1e-5 && (plate.half_extents().x - 9.0).abs() < 1e-4);
    let dot = d2::min_area_rectangle(&[Vec2::ONE; 3]).unwrap();
    assert_eq!((dot.center(), dot.area()), (Vec2::ONE, 0.0));
}

#[test]
fn a_turned_brick_is_found() {
    let brick = Obb::new([3.0, -1.0, 2.0], [4.0, 2.0, 1.0], Quat::from_xyzw(0.1, 0.5, -0.3, 0.8)).unwrap();
    let fitted = fit::pca_obb(&brick.corners()).unwrap();
    assert!((fitted.volume() / brick.volume() - 1.0).abs() < 1e-4);
    assert!(fitted.center().abs_diff_eq(brick.center(), 1e-5));
    assert!(fitted.half_extents().abs_diff_eq(brick.half_extents(), 1e-4));
}

#[test]
fn bad_points_are_refused() {
    assert_eq!(fit::ritter(&[]).unwrap_err(), Error::NoPoints);
    assert_eq!(fit::pca_obb(&[]).unwrap_err(), Error::NoPoints);
    assert_eq!(d2::min_area_rectangle(&[]).unwrap_err(), Error::NoPoints);
    assert!(fit::convex_hull_2d(&[Vec2::new(0.0, f32::INFINITY)]).is_err());
    assert!(fit::carried_obb(&Aabb::EMPTY, Quat::IDENTITY, [0.0; 3]).is_err());
}
