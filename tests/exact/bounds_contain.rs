//! Bounds contain what they are bounds of, by rational arithmetic: no number here is rounded but those under test.
//!
//! The shapes are thin rods and plates near quarter turns, with extents of zero, and numbers from 2⁻¹⁴⁹ to 2¹²⁷: where an entry
//! of a rotation cancels, nothing of its size tells how wrong it is. A side at ±`f32::MAX` counts as unbounded.

use crate::properties::properties;
use crate::rational;
use crate::rational::{Q, RationalBox, ball_in_ball, hull_contains, placed, q, squared_distance, vec3};
use glam::{Quat, Vec2, Vec3};
use proptest::prelude::*;
use tangency::d2::{Circle, Obb2};
use tangency::shape::{Aabb, Capsule, ConvexHull, Obb, Parallelogram, Pose, Segment, Shape, Sphere, Triangle, fit};
use tangency::{BackendKind, Bodies, Engine, Relation, query};

/// Any finite number: mostly of an everyday size, else of any, with zero and both ends.
fn number() -> impl Strategy<Value = f32> {
    let any = (any::<u32>(), any::<bool>()).prop_map(|(bits, negative)| {
        let x = f32::from_bits(bits % f32::INFINITY.to_bits());
        if negative { -x } else { x }
    });
    let ends =
        prop::sample::select(vec![f32::from_bits(1), -f32::from_bits(1), f32::MAX, -f32::MAX, f32::MIN_POSITIVE]);
    prop_oneof![4 => -10.0f32..10.0, 2 => Just(0.0), 1 => -1e-6f32..1e-6, 3 => any, 1 => ends]
}

fn point() -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(number()).prop_map(Vec3::from_array)
}

fn length() -> impl Strategy<Value = f32> {
    number().prop_map(f32::abs)
}

/// Rods, plates and boxes: extents of zero are common.
fn extents() -> impl Strategy<Value = Vec3> {
    let thin = (0..3usize, 0..3usize, length()).prop_map(|(i, j, size)| {
        let mut half = Vec3::ZERO;
        (half[i], half[j]) = (size, size);
        half
    });
    prop_oneof![2 => thin, 1 => prop::array::uniform3(length()).prop_map(Vec3::from_array)]
}

/// Rotations near those that map the coordinate axes to each other: one, two or four components of equal size, of any length, and
/// a little of the others; and any rotations.
fn turn() -> impl Strategy<Value = Quat> {
    let near =
        (prop::array::uniform4(-1..=1i8), 1.0f32..2.0, -20..20i32, prop::array::uniform4((-1.0f32..1.0, 0..46i32)))
            .prop_map(|(base, size, exponent, off)| {
                let component =
                    |k: usize| (f32::from(base[k]) + off[k].0 * 10f32.powi(-off[k].1)) * size * 2f32.powi(exponent);
                [0, 1, 2, 3].map(component)
            });
    let by_units = (prop::array::uniform4(-1..=1i8), 1.0f32..2.0, prop::array::uniform4(-3..=3i32)).prop_map(
        |(base, size, units)| {
            [0, 1, 2, 3].map(|k| {
                let x = f32::from(base[k]) * size;
                if x == 0.0 { x } else { f32::from_bits((x.to_bits() as i32 + units[k]) as u32) }
            })
        },
    );
    let any = prop::array::uniform4(number());
    prop_oneof![4 => near, 2 => by_units, 1 => any]
        .prop_filter("no rotation", |q| *q != [0.0; 4])
        .prop_map(Quat::from_array)
}

/// A rod near a quarter turn, and the rotation's diagonal entry along it cancelled as far as `f32` can make it. The large squares lie just
/// above a power of two and the small ones make the sums with them inexact, so that the entry is off by up to u = ε / 2.
fn needle() -> impl Strategy<Value = Obb> {
    (0..3usize, 1.0f32..1.02, -1e-3f32..1e-3, -140..120i32).prop_map(|(k, w, own, exponent)| {
        let square = |x: f32| f64::from(x) * f64::from(x);
        let sum = square(w) + square(own);
        let next = (sum.sqrt() as f32).next_down();
        let (mut turn, mut half) = ([w; 4], Vec3::ZERO);
        (turn[k], turn[(k + 1) % 3], turn[(k + 2) % 3]) = (own, next, (sum - square(next)).sqrt() as f32);
        half[k] = 2f64.powi(exponent) as f32;
        Obb::new([0.0; 3], half, Quat::from_array(turn)).unwrap()
    })
}

fn cuboid() -> impl Strategy<Value = Obb> {
    (point(), extents(), turn()).prop_map(|(c, e, t)| Obb::new(c, e, t).unwrap())
}

/// A box near the origin, where its own place hides nothing.
fn central() -> impl Strategy<Value = Obb> {
    (extents(), turn()).prop_map(|(e, t)| Obb::new(Vec3::ZERO, e, t).unwrap())
}

fn aligned() -> impl Strategy<Value = Aabb> {
    (point(), point()).prop_map(|(a, b)| Aabb::from_points([a, b]).unwrap())
}

fn ball() -> impl Strategy<Value = Sphere> {
    (point(), length()).prop_map(|(c, r)| Sphere::new(c, r).unwrap())
}

/// Whether the interval lies between the sides, of which those at the ends of the numbers are unbounded.
fn between(low: &Q, high: &Q, min: f32, max: f32) -> bool {
    (min == f32::MIN || q(min) <= *low) && (max == f32::MAX || *high <= q(max))
}

fn within(inner: &[(Q, Q); 3], outer: &Aabb) -> bool {
    (0..3).all(|k| between(&inner[k].0, &inner[k].1, outer.min()[k], outer.max()[k]))
}

fn round(centers: &[Vec3], radius: f32) -> [(Q, Q); 3] {
    let along = |k: usize| centers.iter().map(move |c| q(c[k]));
    [0, 1, 2].map(|k| (along(k).min().unwrap() - q(radius), along(k).max().unwrap() + q(radius)))
}

/// Points on a plate or a rod that is turned, rounded to `f32`; or any.
fn cloud() -> impl Strategy<Value = Vec<Vec3>> {
    let turned =
        (cuboid(), prop::collection::vec(prop::array::uniform3(-1.0f64..1.0), 1..12)).prop_map(|(b, places)| {
            let [x, y, z] = b.axes();
            let e = b.half_extents().as_dvec3();
            let limit = f64::from(f32::MAX);
            let at = |p: [f64; 3]| b.center().as_dvec3() + x * e.x * p[0] + y * e.y * p[1] + z * e.z * p[2];
            places
                .into_iter()
                .map(|p| at(p).clamp(glam::DVec3::splat(-limit), glam::DVec3::splat(limit)).as_vec3())
                .collect()
        });
    prop_oneof![turned, prop::collection::vec(point(), 1..12)]
}

/// More with `./test.sh --long`.
fn cases() -> u32 {
    if std::env::var_os("TANGENCY_TEST_LONG").is_some_and(|value| value == "1") { 1500 } else { 300 }
}

properties! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn boxes_of_boxes(obb in prop_oneof![cuboid(), central()]) {
        prop_assert!(within(&RationalBox::from(&obb).bounds(), &obb.aabb()), "{:?}: {:?}", obb, obb.aabb());
    }

    #[test]
    fn boxes_of_needles(needle in needle()) {
        prop_assert!(within(&RationalBox::from(&needle).bounds(), &needle.aabb()), "{:?}: {:?}", needle, needle.aabb());
    }

    #[test]
    fn boxes_of_turned_boxes(aabb in aligned(), turn in turn()) {
        let turned = aabb.rotate(turn).unwrap();
        let exact = RationalBox::carried(&aabb, turn, Vec3::ZERO);
        prop_assert!(within(&exact.bounds(), &turned), "{:?} by {:?}: {:?}", aabb, turn, turned);
    }

    #[test]
    fn boxes_of_the_other_shapes(points in prop::array::uniform3(point()), radius in length()) {
        let [a, b, c] = points;
        let (ball, capsule) = (Sphere::new(a, radius).unwrap(), Capsule::new(a, b, radius).unwrap());
        prop_assert!(within(&round(&[a], radius), &ball.aabb()));
        prop_assert!(within(&round(&[a, b], radius), &capsule.aabb()));
        prop_assert!(within(&round(&[a, b], 0.0), &Segment::new(a, b).unwrap().aabb()));
        prop_assert!(within(&round(&points, 0.0), &ConvexHull::from_points(points).unwrap().aabb()));
        if let Ok(triangle) = Triangle::new(a, b, c) {
            prop_assert!(within(&round(&points, 0.0), &triangle.aabb()));
        }
        prop_assert_eq!(Shape::from(ball).aabb(), Some(ball.aabb()));
        if let Ok(sheet) = Parallelogram::new(a, b, c) {
            let corners = |k: usize| [q(a[k]), q(a[k]) + q(b[k]), q(a[k]) + q(c[k]), q(a[k]) + q(b[k]) + q(c[k])];
            let exact = [0, 1, 2].map(|k| (corners(k).into_iter().min().unwrap(), corners(k).into_iter().max().unwrap()));
            prop_assert!(within(&exact, &sheet.aabb()), "{:?}: {:?}", sheet, sheet.aabb());
        }
    }

    #[test]
    fn boxes_of_hulls_in_poses(points in prop::collection::vec(point(), 1..8), place in point(), turn in turn(), still in any::<bool>()) {
        let turn = if still { Quat::from_xyzw(0.0, 0.0, 0.0, turn.length() + 0.1) } else { turn };
        prop_assume!(turn.is_finite());
        let hull = ConvexHull::from_points(points).unwrap().with_pose(Pose::new(place, turn).unwrap());
        let corners: Vec<[Q; 3]> = hull.local_vertices().iter().map(|v| placed(&hull.pose(), *v)).collect();
        let along = |k: usize| corners.iter().map(move |c| c[k].clone());
        let exact = [0, 1, 2].map(|k| (along(k).min().unwrap(), along(k).max().unwrap()));
        let found = hull.aabb();
        prop_assert!(within(&exact, &found), "{:?}: {:?}", hull, found);
        // Where nothing turns, no box of f32 numbers is smaller.
        for k in (0..3).filter(|_| still) {
            prop_assert!(found.min()[k] == f32::MAX || q(found.min()[k].next_up()) > exact[k].0, "{:?}: {:?}", hull, found);
            prop_assert!(found.max()[k] == f32::MIN || q(found.max()[k].next_down()) < exact[k].1, "{:?}: {:?}", hull, found);
        }
    }

    #[test]
    fn boxes_of_needles_in_poses(needle in needle()) {
        let k = needle.half_extents().to_array().iter().position(|x| *x > 0.0).unwrap();
        let tip = Vec3::AXES[k] * needle.half_extents()[k];
        let hull = ConvexHull::from_points([-tip, tip]).unwrap().with_pose(needle.pose());
        prop_assert!(within(&RationalBox::from(&needle).bounds(), &hull.aabb()), "{:?}: {:?}", needle, hull.aabb());
    }

    #[test]
    fn merged_boxes(a in cuboid(), b in cuboid(), same in any::<bool>()) {
        // Of the same rotation now and then, where extents do not blur it.
        let b = if same { Obb::new(b.center(), b.half_extents(), a.rotation()).unwrap() } else { b };
        if let Ok(both) = a.merge(&b) {
            let exact = RationalBox::from(&both);
            prop_assert!(exact.contains(&RationalBox::from(&a)), "{:?} and {:?}: {:?} loses the first", a, b, both);
            prop_assert!(exact.contains(&RationalBox::from(&b)), "{:?} and {:?}: {:?} loses the second", a, b, both);
        }
    }

    #[test]
    fn merged_needles(needle in needle(), turn in turn()) {
        // A point, so that the needle's reach along its axes is all there is. The product of two rotations cancels like one.
        for point in [Quat::IDENTITY, turn].map(|turn| Obb::new([0.0; 3], [0.0; 3], turn).unwrap()) {
            let both = point.merge(&needle).unwrap();
            prop_assert!(RationalBox::from(&both).contains(&RationalBox::from(&needle)), "{:?}: {:?}", needle, both);
        }
    }

    #[test]
    fn merged_balls_and_swept_ones(a in ball(), b in ball()) {
        if let Ok(both) = a.merge(&b) {
            prop_assert!(ball_in_ball(&a, &both) && ball_in_ball(&b, &both), "{:?} and {:?}: {:?}", a, b, both);
        }
        if let Ok(way) = query::swept_sphere(&a, &b) {
            prop_assert!(ball_in_ball(&a, &way) && ball_in_ball(&b, &way), "{:?} to {:?}: {:?}", a, b, way);
        }
    }

    #[test]
    fn merged_and_swept_aligned_boxes(a in aligned(), b in aligned(), way in point()) {
        let both = a.merge(&b);
        let swept = query::swept_aabb(&a, way).unwrap();
        for k in 0..3 {
            prop_assert!(between(&q(a.min()[k]), &q(a.max()[k]), both.min()[k], both.max()[k]));
            prop_assert!(between(&q(b.min()[k]), &q(b.max()[k]), both.min()[k], both.max()[k]));
            let (low, high) = (q(a.min()[k]) + q(way[k].min(0.0)), q(a.max()[k]) + q(way[k].max(0.0)));
            prop_assert!(between(&low, &high, swept.min()[k], swept.max()[k]), "{:?} by {:?}: {:?}", a, way, swept);
        }
    }

    #[test]
    fn fitted_balls_and_boxes(points in cloud(), starts in 1usize..4) {
        for fitted in [fit::ritter(&points), fit::ritter_multi_start(&points, starts)].into_iter().flatten() {
            let lost = points.iter().find(|p| !ball_in_ball(&Sphere::new(**p, 0.0).unwrap(), &fitted));
            prop_assert!(lost.is_none(), "{:?} loses {:?}", fitted, lost);
        }
        if let Ok(fitted) = fit::pca_obb(&points) {
            let exact = RationalBox::from(&fitted);
            let lost = points.iter().find(|p| !exact.contains_point(&vec3(**p)));
            prop_assert!(lost.is_none(), "{:?} loses {:?}", fitted, lost);
        }
    }

    #[test]
    fn fitted_boxes_on_faces_and_capsules(points in cloud()) {
        if let Ok(fitted) = fit::calipers_obb(&points) {
            let exact = RationalBox::from(&fitted);
            let lost = points.iter().find(|p| !exact.contains_point(&vec3(**p)));
            prop_assert!(lost.is_none(), "{:?} loses {:?}", fitted, lost);
        }
        if let Ok(fitted) = fit::capsule(&points) {
            let (exact, radius) = (RationalBox::from(&fitted), q(fitted.radius()));
            let lost = points.iter().find(|p| squared_distance(&RationalBox::point(**p), &exact) > &radius * &radius);
            prop_assert!(lost.is_none(), "{:?} loses {:?}", fitted, lost);
        }
    }

    #[test]
    fn carried_boxes(local in aligned(), turn in turn(), by in point()) {
        if let Ok(world) = fit::carried_obb(&local, turn, by) {
            let exact = RationalBox::carried(&local, turn, by);
            prop_assert!(RationalBox::from(&world).contains(&exact), "{:?} by {:?}, {:?}: {:?}", local, turn, by, world);
        }
    }

    #[test]
    fn shapes_of_the_plane(points in prop::collection::vec(point(), 1..12), radius in length(), turn in turn()) {
        let circle = Circle::new(points[0].truncate(), radius).unwrap();
        let bounds = circle.aabb();
        for k in 0..2 {
            let (c, r) = (q(circle.center()[k]), q(radius));
            prop_assert!(between(&(&c - &r), &(c + r), bounds.min()[k], bounds.max()[k]), "{:?}: {:?}", circle, bounds);
        }
        if let Ok(sheet) = Obb2::from_half_angle(points[0].truncate(), [radius, radius * 0.5], [turn.w, turn.z]) {
            let exact = RationalBox::from(&flat(&sheet)).bounds();
            let bounds = sheet.aabb();
            let inside = (0..2).all(|k| between(&exact[k].0, &exact[k].1, bounds.min()[k], bounds.max()[k]));
            prop_assert!(inside, "{:?}: {:?}", sheet, bounds);
        }
        let flat_points: Vec<Vec2> = points.iter().map(|p| p.truncate()).collect();
        if let Ok(fitted) = tangency::d2::min_area_rectangle(&flat_points) {
            let exact = RationalBox::from(&flat(&fitted));
            let lost = flat_points.iter().find(|p| !exact.contains_point(&vec3(p.extend(0.0))));
            prop_assert!(lost.is_none(), "{:?} loses {:?}", fitted, lost);
        }
    }
}

properties! {
    #![proptest_config(ProptestConfig::with_cases(cases() / 4))]

    #[test]
    fn simplified_hulls(points in cloud(), corners in 4usize..12, pose in (point(), turn())) {
        // Of more corners than asked for, mostly.
        let corners = corners.min(points.len().max(5) - 1);
        let hull = ConvexHull::from_points(points.iter().copied()).unwrap();
        if let Ok(simple) = fit::simplified_hull(&hull, corners) {
            prop_assert!(simple.local_vertices().len() <= corners);
            let exact: Vec<_> = simple.local_vertices().iter().map(|v| vec3(*v)).collect();
            let lost = points.iter().find(|p| !hull_contains(&exact, simple.faces(), simple.dimension(), &vec3(**p)));
            prop_assert!(lost.is_none(), "{:?} loses {:?}", simple, lost);
        }
        // The same, in any pose.
        let pose = Pose::new(pose.0, pose.1).unwrap();
        let there = fit::simplified_hull(&hull.with_pose(pose), corners);
        prop_assert_eq!(there, fit::simplified_hull(&hull, corners).map(|simple| simple.with_pose(pose)));
    }
}

/// The flat box in space.
fn flat(sheet: &Obb2) -> Obb {
    let turn = Quat::from_xyzw(0.0, 0.0, sheet.half_angle().y, sheet.half_angle().x);
    Obb::new(sheet.center().extend(0.0), sheet.half_extents().extend(0.0), turn).unwrap()
}

/// A rod after nearly a quarter turn, just within a box: it hardly reaches along its old direction, and what it does is all that
/// overlaps.
#[test]
fn a_rod_after_a_quarter_turn_is_not_lost() {
    let rod = Obb::new([0.0; 3], [0.0, 1.0, 0.0], Quat::from_xyzw(0.707_106_77, 1e-9, 0.0, 0.707_106_77)).unwrap();
    let above = Aabb::new([-1.0, 1e-19, -2.0], [1.0, 1.0, 2.0]).unwrap();
    assert_eq!(rational::box_box(&(&rod).into(), &(&above).into()), Relation::Overlapping);
    let mut bodies = Bodies::new();
    bodies.push(rod).unwrap();
    bodies.push(above).unwrap();
    for backend in [BackendKind::BruteForce, BackendKind::Cpu] {
        let found = Engine::builder().backend(backend).build().unwrap().overlaps(&bodies).run().unwrap();
        assert_eq!(found.iter().collect::<Vec<_>>(), [(0, 1, Relation::Overlapping)], "{backend:?}");
    }
}
