//! The shapes: their forms and measures, and that what bounds really contains.

use crate::properties::properties;
use glam::{DVec3, Quat, Vec3, vec3};
use proptest::prelude::*;
use tangency::shape::{Aabb, Obb, Plane, Sphere};

fn vector(size: f32) -> impl Strategy<Value = Vec3> {
    [-size..size, -size..size, -size..size].prop_map(Vec3::from)
}

fn rotation() -> impl Strategy<Value = Quat> {
    [-1.0_f32..1.0, -1.0..1.0, -1.0..1.0, -1.0..1.0]
        .prop_filter("a rotation", |q| q.iter().any(|x| x.abs() > 0.01))
        .prop_map(Quat::from_array)
}

fn obb() -> impl Strategy<Value = Obb> {
    (vector(100.0), vector(9.0), rotation()).prop_map(|(c, e, q)| Obb::new(c, e.abs(), q).unwrap())
}

/// Whether the box with these axes contains the point, up to `slack` in f64.
fn holds(b: &Obb, p: DVec3, slack: f64) -> bool {
    let t = p - b.center().as_dvec3();
    (0..3).all(|k| t.dot(b.axes()[k]).abs() <= f64::from(b.half_extents()[k]) + slack)
}

fn corners_f64(b: &Obb) -> [DVec3; 8] {
    std::array::from_fn(|i| {
        let side = |k: usize| if i >> k & 1 == 1 { 1.0 } else { -1.0 } * f64::from(b.half_extents()[k]);
        b.center().as_dvec3() + b.axes()[0] * side(0) + b.axes()[1] * side(1) + b.axes()[2] * side(2)
    })
}

properties! {
    #[test]
    fn bounds_contain_the_shape_and_are_tight(b in obb(), c in vector(50.0), r in 0.0_f32..9.0) {
        let bounds = b.aabb();
        let exact = corners_f64(&b);
        for p in exact {
            prop_assert!(bounds.min().as_dvec3().cmple(p + 1e-12).all() && bounds.max().as_dvec3().cmpge(p - 1e-12).all());
        }
        let low = exact.iter().copied().reduce(DVec3::min).unwrap();
        prop_assert!((low - bounds.min().as_dvec3()).abs().max_element() < 2e-5);
        let ball = Sphere::new(c, r).unwrap();
        let (min, max) = (ball.aabb().min().as_dvec3(), ball.aabb().max().as_dvec3());
        prop_assert!(min.cmple(c.as_dvec3() - f64::from(r)).all() && max.cmpge(c.as_dvec3() + f64::from(r)).all());
    }

    #[test]
    fn corners_are_the_corners(b in obb()) {
        for (corner, exact) in b.corners().into_iter().zip(corners_f64(&b)) {
            prop_assert!((corner.as_dvec3() - exact).abs().max_element() < 1e-5);
        }
    }

    #[test]
    fn merged_boxes_contain_both(a in obb(), b in obb()) {
        let both = a.merge(&b).unwrap();
        prop_assert_eq!(both.rotation(), a.rotation());
        for p in corners_f64(&a).into_iter().chain(corners_f64(&b)) {
            prop_assert!(holds(&both, p, 1e-12));
        }
        let aligned = a.aabb().merge(&b.aabb());
        prop_assert!(aligned.contains(&a.aabb()) && aligned.contains(&b.aabb()));
    }

    #[test]
    fn merged_balls_contain_both(a in vector(9.0), b in vector(9.0), r in 0.0_f32..9.0, s in 0.0_f32..9.0) {
        let (a, b) = (Sphere::new(a, r).unwrap(), Sphere::new(b, s).unwrap());
        let both = a.merge(&b).unwrap();
        for ball in [a, b] {
            let distance = both.center().as_dvec3().distance(ball.center().as_dvec3());
            prop_assert!(distance + f64::from(ball.radius()) <= f64::from(both.radius()));
        }
        let least = (a.center().as_dvec3().distance(b.center().as_dvec3()) + f64::from(r) + f64::from(s)) / 2.0;
        prop_assert!(f64::from(both.radius()) <= least.max(f64::from(r.max(s))) * 1.000001 + 1e-6);
    }

    #[test]
    fn turned_boxes_stay_inside_their_bounds(a in vector(9.0), b in vector(9.0), q in rotation()) {
        let aligned = Aabb::from_points([a, b]).unwrap();
        let turned = aligned.rotate(q).unwrap();
        let m = glam::DMat3::from_quat(q.as_dquat().normalize());
        for p in aligned.corners() {
            let image = m * p.as_dvec3();
            prop_assert!(turned.min().as_dvec3().cmple(image + 1e-9).all());
            prop_assert!(turned.max().as_dvec3().cmpge(image - 1e-9).all());
        }
        // Bounds of the turned points themselves are never larger.
        let points = Aabb::from_points(aligned.corners().map(|p| (m * p.as_dvec3()).as_vec3())).unwrap();
        prop_assert!((turned.size() - points.size()).min_element() > -1e-4);
    }

    #[test]
    fn turning_a_box_turns_its_corners(b in obb(), q in rotation()) {
        let turned = b.rotate(q).unwrap();
        let m = glam::DMat3::from_quat(q.as_dquat().normalize());
        for (x, y) in corners_f64(&b).into_iter().zip(corners_f64(&turned)) {
            prop_assert!((m * x - y).abs().max_element() < 1e-4);
        }
    }
}

#[test]
fn the_three_forms_of_a_box_agree() {
    let by_corners = Aabb::new([1.0, 2.0, 3.0], [3.0, 6.0, 9.0]).unwrap();
    assert_eq!(Aabb::from_position_size([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]).unwrap(), by_corners);
    assert_eq!(Aabb::from_center_half_extents([2.0, 4.0, 6.0], [1.0, 2.0, 3.0]).unwrap(), by_corners);
    assert_eq!((by_corners.center(), by_corners.half_extents()), (vec3(2.0, 4.0, 6.0), vec3(1.0, 2.0, 3.0)));
    assert_eq!(by_corners.size(), vec3(2.0, 4.0, 6.0));
    assert_eq!(by_corners.translate([1.0, 0.0, -1.0]).unwrap(), Aabb::new([2.0, 2.0, 2.0], [4.0, 6.0, 8.0]).unwrap());
    assert_eq!(by_corners.to_obb().unwrap().volume(), by_corners.volume());
    assert_eq!((by_corners.volume(), by_corners.area()), (48.0, 88.0));
    assert!(by_corners.contains_point([3.0, 6.0, 9.0]) && !by_corners.contains_point([3.0, 6.0, 9.000001]));
    let disjoint = Aabb::new([10.0; 3], [11.0; 3]).unwrap();
    assert_eq!(by_corners.intersection(&disjoint), None);
    assert!(by_corners.merge(&disjoint).contains(&disjoint));
}

#[test]
fn measures_of_a_turned_box_are_those_of_the_box() {
    let b = Obb::new([9.0; 3], [1.0, 2.0, 3.0], Quat::from_xyzw(1.0, -2.0, 0.5, 0.1)).unwrap();
    assert_eq!((b.volume(), b.area()), (48.0, 88.0));
    assert!((b.diagonal() - 2.0 * 14f64.sqrt()).abs() < 1e-12);
    let ball = Sphere::new([0.0; 3], 2.0).unwrap();
    assert!((ball.area() - 16.0 * std::f64::consts::PI).abs() < 1e-12 && ball.diagonal() == 4.0);
}

#[test]
fn shapes_are_plain_data() {
    assert_eq!((size_of::<Aabb>(), size_of::<Sphere>(), size_of::<Obb>(), size_of::<Plane>()), (24, 16, 40, 16));
    let b = Obb::new([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], Quat::from_xyzw(7.0, 8.0, 9.0, 10.0)).unwrap();
    let numbers: [f32; 10] = bytemuck::cast(b);
    assert_eq!(numbers, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]);
}

#[test]
fn the_standard_scene_has_its_input_hashes() {
    for (n, hash) in
        [(10_000, 0x2a1f_c70a_1e1e_2315), (100_000, 0x06ca_5c48_c836_55b1), (1_000_000, 0xfcc1_9c5f_8c50_c470)]
    {
        assert_eq!(
            tangency::scenes::input_hash(&tangency::scenes::uniform(n, tangency::scenes::SEED).unwrap()),
            hash,
            "{n}"
        );
    }
}

#[cfg(feature = "mint")]
#[test]
fn constructors_take_mint() {
    let point = mint::Point3 { x: 1.0_f32, y: 2.0, z: 3.0 };
    let half = mint::Vector3 { x: 1.0_f32, y: 1.0, z: 1.0 };
    let q = mint::Quaternion { v: mint::Vector3 { x: 0.0_f32, y: 0.0, z: 0.0 }, s: 1.0 };
    let b = Obb::new(point, half, q).unwrap();
    assert_eq!((b.center(), b.rotation()), (vec3(1.0, 2.0, 3.0), Quat::IDENTITY));
    assert!(Sphere::new(point, 1.0).is_ok() && Aabb::from_points([point]).is_ok() && Plane::new(half, 1.0).is_ok());
}

#[cfg(feature = "serde")]
#[test]
fn serde_round_trips_and_validates() {
    let b = Obb::new([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], Quat::from_xyzw(0.1, 0.2, 0.3, 0.4)).unwrap();
    let text = serde_json::to_string(&b).unwrap();
    assert_eq!(text, r#"{"center":[1.0,2.0,3.0],"half_extents":[4.0,5.0,6.0],"rotation":[0.1,0.2,0.3,0.4]}"#);
    assert_eq!(serde_json::from_str::<Obb>(&text).unwrap(), b);
    let ball = Sphere::new([1.0, 2.0, 3.0], 4.0).unwrap();
    assert_eq!(serde_json::from_str::<Sphere>(&serde_json::to_string(&ball).unwrap()).unwrap(), ball);
    let aligned = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    assert_eq!(serde_json::from_str::<Aabb>(&serde_json::to_string(&aligned).unwrap()).unwrap(), aligned);
    let plane = Plane::new([0.0, 1.0, 0.0], 2.0).unwrap();
    assert_eq!(serde_json::from_str::<Plane>(&serde_json::to_string(&plane).unwrap()).unwrap(), plane);
    for (bad, reason) in [
        (r#"{"center":[0,0,0],"radius":-1}"#, "radius is -1"),
        (r#"{"center":[0,0,1e39],"radius":1}"#, "center.z is inf"),
        (r#"{"center":[0,0,0],"radius":1,"size":2}"#, "unknown field"),
    ] {
        let error = serde_json::from_str::<Sphere>(bad).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    assert!(serde_json::from_str::<Aabb>(r#"{"min":[1,0,0],"max":[0,0,0]}"#).is_err());
    assert!(serde_json::from_str::<Obb>(r#"{"center":[0,0,0],"half_extents":[1,1,1],"rotation":[0,0,0,0]}"#).is_err());
    assert!(serde_json::from_str::<Plane>(r#"{"normal":[0,0,0],"offset":1}"#).is_err());
}
