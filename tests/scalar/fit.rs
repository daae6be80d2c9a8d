//! Fits contain every point they were given, exactly, and are as tight as they say.

use crate::properties::properties;
use glam::{DVec2, DVec3, Quat, Vec2, Vec3};
use proptest::prelude::*;
use tangency::d2::Circle;
use tangency::query;
use tangency::shape::{Aabb, Capsule, ConvexHull, Obb, Sphere, fit};
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

/// More with `./test.sh --long`.
fn cases() -> u32 {
    if std::env::var_os("TANGENCY_TEST_LONG").is_some_and(|value| value == "1") { 2000 } else { 64 }
}

/// Exactly: a ball without radius at the point meets the shape.
fn in_box(b: &Obb, p: Vec3) -> bool {
    query::intersect(b, &Sphere::new(p, 0.0).unwrap()).is_hit()
}

fn in_capsule(c: &Capsule, p: Vec3) -> bool {
    query::intersect(c, &Sphere::new(p, 0.0).unwrap()).is_hit()
}

/// Volume, or of points in one plane surface, or of points on one line length: what [`fit::calipers_obb`] compares.
fn size(points: &[Vec3], b: &Obb) -> f64 {
    match ConvexHull::from_points(points.iter().copied()).unwrap().dimension() {
        3 => b.volume(),
        2 => b.area(),
        _ => b.half_extents().as_dvec3().element_sum(),
    }
}

/// Of one size, with corners on the surface of a ball, a cylinder or a brick, and some inside.
fn lump() -> impl Strategy<Value = Vec<Vec3>> {
    let unit = prop::collection::vec(prop::array::uniform3(-1.0f32..1.0).prop_map(Vec3::from_array), 12..60);
    (unit, 0..4u8, prop::array::uniform3(0.05f32..4.0)).prop_map(|(points, form, scale)| {
        let formed = points.into_iter().map(|p| match form {
            0 => p.normalize_or(Vec3::X),
            1 => p.truncate().normalize_or(Vec2::X).extend(p.z.signum()),
            2 => p / p.abs().max_element().max(1e-3),
            _ => p,
        });
        formed.map(|p| p * Vec3::from_array(scale)).collect()
    })
}

fn in_ball(s: &Sphere, p: Vec3) -> bool {
    query::intersect(s, &Sphere::new(p, 0.0).unwrap()).is_hit()
}

properties! {
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
    fn boxes_on_faces_contain_their_points_and_are_no_larger(points in cloud()) {
        let fitted = fit::calipers_obb(&points).unwrap();
        prop_assert!(points.iter().all(|&p| in_box(&fitted, p)), "{fitted:?}");
        prop_assert!(size(&points, &fitted) <= size(&points, &fit::pca_obb(&points).unwrap()));
        let aligned = Aabb::from_points(points.iter().copied()).unwrap();
        let centre = Vec3::from_array([0, 1, 2].map(|k| (f64::midpoint(aligned.min()[k].into(), aligned.max()[k].into())) as f32));
        let half = (aligned.max() - centre).max(centre - aligned.min()) * 1.000_000_2;
        prop_assert!(size(&points, &fitted) <= size(&points, &Obb::new(centre, half, Quat::IDENTITY).unwrap()));
    }

    #[test]
    fn capsules_contain_their_points_and_are_no_larger_than_the_ball(points in cloud()) {
        let fitted = fit::capsule(&points).unwrap();
        prop_assert!(points.iter().all(|&p| in_capsule(&fitted, p)), "{fitted:?}");
        prop_assert!(fitted.volume() <= fit::ritter(&points).unwrap().volume());
        // No capsule is shorter than the farthest pair.
        let far = points.iter().flat_map(|p| points.iter().map(|q| p.as_dvec3().distance(q.as_dvec3()))).fold(0.0, f64::max);
        prop_assert!(fitted.diagonal() * (1.0 + 1e-6) >= far);
    }

    #[test]
    fn fits_move_with_their_points(points in lump(), q in prop::array::uniform4(-1.0f32..1.0), by in prop::array::uniform3(-10.0f32..10.0)) {
        prop_assume!(q.iter().any(|x| x.abs() > 0.1));
        let frame = Obb::new(by, [1.0; 3], Quat::from_array(q)).unwrap();
        let [x, y, z] = frame.axes();
        let moved: Vec<Vec3> = points.iter().map(|p| p.as_dvec3()).map(|p| (x * p.x + y * p.y + z * p.z + frame.center().as_dvec3()).as_vec3()).collect();
        // What is tried first depends on the place of things; what is found at last, only a little.
        let (a, b) = (fit::capsule(&points).unwrap(), fit::capsule(&moved).unwrap());
        prop_assert!(b.volume() < 1.25 * a.volume() && a.volume() < 1.25 * b.volume(), "{} {}", a.volume(), b.volume());
        let (a, b) = (fit::calipers_obb(&points).unwrap(), fit::calipers_obb(&moved).unwrap());
        prop_assert!(b.volume() < 1.25 * a.volume() + 1e-4 && a.volume() < 1.25 * b.volume() + 1e-4, "{} {}", a.volume(), b.volume());
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

properties! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn simplified_hulls_contain_their_points(points in prop_oneof![cloud(), lump()], corners in 4usize..24) {
        let hull = ConvexHull::from_points(points.iter().copied()).unwrap();
        let simple = fit::simplified_hull(&hull, corners).unwrap();
        prop_assert!(points.iter().all(|&p| simple.contains_point(p)), "{simple:?}");
        prop_assert!(simple.vertices().len() <= corners);
        if hull.vertices().len() <= corners {
            prop_assert_eq!(&simple, &hull);
        }
    }

    #[test]
    fn simplified_hulls_are_no_larger_than_the_box(points in lump(), corners in 8usize..24) {
        let hull = ConvexHull::from_points(points.iter().copied()).unwrap();
        let simple = fit::simplified_hull(&hull, corners).unwrap();
        let fitted = fit::calipers_obb(&points).unwrap();
        prop_assert!(simple.volume() <= fitted.volume() * 1.000_1, "{} {}", simple.volume(), fitted.volume());
        prop_assert!(simple.volume() >= hull.volume() * (1.0 - 1e-9));
    }

    #[test]
    fn sizes_from_the_least_to_the_largest(points in lump(), exponent in -66..67i32, corners in 4usize..12) {
        // A power of two changes no digits, and so nothing at all.
        let scale = 2f32.powi(exponent);
        let scaled: Vec<Vec3> = points.iter().map(|p| *p * scale).collect();
        let volume = |a: f64, b: f64| (a / (b * f64::from(scale).powi(3)) - 1.0).abs() < 1e-3;
        let fitted = fit::calipers_obb(&scaled).unwrap();
        prop_assert!(scaled.iter().all(|&p| in_box(&fitted, p)));
        prop_assert!(volume(fitted.volume(), fit::calipers_obb(&points).unwrap().volume()));
        let fitted = fit::capsule(&scaled).unwrap();
        prop_assert!(scaled.iter().all(|&p| in_capsule(&fitted, p)));
        prop_assert!(volume(fitted.volume(), fit::capsule(&points).unwrap().volume()));
        let simple = |points: &[Vec3]| fit::simplified_hull(&ConvexHull::from_points(points.iter().copied()).unwrap(), corners).unwrap();
        let fitted = simple(&scaled);
        prop_assert!(scaled.iter().all(|&p| fitted.contains_point(p)));
        prop_assert!(volume(fitted.volume(), simple(&points).volume()));
    }
}

/// Points that are evenly spread over the ball of radius 1.
fn globe(count: usize) -> Vec<Vec3> {
    let place = |i: usize| {
        let z = 1.0 - 2.0 * (i as f64 + 0.5) / count as f64;
        let (sin, cos) = (i as f64 * 2.399_963_229_728_653).sin_cos();
        DVec3::new(cos * (1.0 - z * z).sqrt(), sin * (1.0 - z * z).sqrt(), z).as_vec3()
    };
    (0..count).map(place).collect()
}

/// Two rings of points: a cylinder of radius 1 with this half length.
fn drum(count: usize, half: f64) -> Vec<Vec3> {
    let angle = |i: usize| DVec2::from_angle(std::f64::consts::TAU * i as f64 / count as f64);
    (0..count).flat_map(|i| [-half, half].map(|z| angle(i).extend(z).as_vec3())).collect()
}

/// How good fits are, with `--nocapture` in figures.
#[test]
fn fits_of_known_shapes_are_close() {
    let turn = Quat::from_xyzw(0.1, 0.5, -0.3, 0.8).normalize();
    let cube = Obb::new([0.0; 3], [1.0; 3], turn).unwrap().corners().to_vec();
    let turned = |points: Vec<Vec3>| points.into_iter().map(|p| turn * p).collect::<Vec<_>>();
    let shapes = [
        ("cube", cube),
        ("drum", turned(drum(48, 3.0))),
        ("coin", turned(drum(48, 0.1))),
        ("globe", turned(globe(200))),
    ];
    // At most: the box against the aligned and the principal one, the capsule against the hull, and hulls of 8, 16, 32 corners against the hull.
    let limits = [
        [0.45, 1.0, 2.75, 1.01, 1.01, 1.01],
        [0.6, 1.01, 1.25, 1.28, 1.1, 1.03],
        [0.3, 1.01, 10.0, 1.28, 1.1, 1.03],
        [1.01, 1.01, 1.2, 2.0, 1.6, 1.25],
    ];
    for ((name, points), limits) in shapes.into_iter().zip(limits) {
        let hull = ConvexHull::from_points(points.iter().copied()).unwrap();
        let fitted = fit::calipers_obb(&points).unwrap().volume();
        let few = |corners: usize| fit::simplified_hull(&hull, corners).unwrap().volume() / hull.volume();
        let found = [
            fitted / Aabb::from_points(points.iter().copied()).unwrap().volume(),
            fitted / fit::pca_obb(&points).unwrap().volume(),
            fit::capsule(&points).unwrap().volume() / hull.volume(),
            few(8),
            few(16),
            few(32),
        ];
        println!("{name}: {found:.3?}; with 4 to 7 corners {:.3?}", [4, 5, 6, 7].map(few));
        assert!(found.iter().zip(limits).all(|(found, limit)| *found <= limit), "{name}: {found:?}, {limits:?}");
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
    let capsule = |a, b, radius| Capsule::new(a, b, radius).unwrap();
    assert_eq!(fit::capsule(&[p, p, p]).unwrap(), capsule(p, p, 0.0));
    assert_eq!(fit::capsule(&line).unwrap(), capsule(Vec3::ZERO, Vec3::X * 9.0, 0.0));
    assert!(fit::capsule(&plane).unwrap().radius() < 9.6);
    assert_eq!(fit::calipers_obb(&[p, p]).unwrap(), Obb::new(p, [0.0; 3], Quat::IDENTITY).unwrap());
    let exact = Obb::new([9.0, 4.5, 5.0], [9.0, 4.5, 0.0], Quat::IDENTITY).unwrap();
    assert_eq!(fit::calipers_obb(&plane).unwrap(), exact);
    // A diamond in a plane that is turned: its box is turned in that plane.
    let diamond: Vec<Vec3> = (0..4)
        .map(|i| Vec3::new([1.0, 0.0, -1.0, 0.0][i], [0.0, 1.0, 0.0, -1.0][i], [2.0, 1.0, 0.0, 1.0][i]))
        .collect();
    assert!(
        fit::calipers_obb(&diamond).unwrap().area()
            < fit::calipers_obb(&diamond).unwrap().diagonal().powi(2) * 1.000_01
    );
    let ring: Vec<Vec3> = (0..40).map(|i| Vec3::new((i as f32 * 0.157).sin(), (i as f32 * 0.157).cos(), 5.0)).collect();
    let ring = ConvexHull::from_points(ring).unwrap();
    let thin = fit::simplified_hull(&ring, 12).unwrap();
    assert!(thin.aabb().half_extents().z < 1e-5 && thin.area() < ring.area() * 1.3, "{} {}", thin.area(), ring.area());
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
    assert_eq!(fit::calipers_obb(&[]).unwrap_err(), Error::NoPoints);
    assert_eq!(fit::capsule(&[]).unwrap_err(), Error::NoPoints);
    assert!(fit::calipers_obb(&[Vec3::ZERO, Vec3::NAN]).is_err());
    let beyond = Vec3::new(0.0, f32::INFINITY, 0.0);
    assert_eq!(fit::capsule(&[beyond]).unwrap_err(), Error::NotFinite { field: "point.y", value: f32::INFINITY });
    let hull = ConvexHull::from_points(globe(20)).unwrap();
    assert_eq!(fit::simplified_hull(&hull, 3).unwrap_err(), Error::TooFewPoints { needed: 4, found: 3 });
    let largest = ConvexHull::from_points(globe(20).into_iter().map(|p| p * f32::MAX)).unwrap();
    assert!(matches!(fit::simplified_hull(&largest, 4), Err(Error::NotFinite { .. })));
    assert_eq!(d2::min_area_rectangle(&[]).unwrap_err(), Error::NoPoints);
    assert!(fit::convex_hull_2d(&[Vec2::new(0.0, f32::INFINITY)]).is_err());
    assert!(fit::carried_obb(&Aabb::EMPTY, Quat::IDENTITY, [0.0; 3]).is_err());
}
