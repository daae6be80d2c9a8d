//! GJK, EPA and the polyhedron SAT against each other, and against the exact relation.
//!
//! Shapes have sizes up to 1 and lie within 2 of the origin; `CLOSE` is what two answers in `f32` may differ by.

use crate::common::Kind;
use crate::properties::properties;
use crate::support::sizes;
use glam::{Quat, Vec3};
use proptest::prelude::*;
use tangency::Relation;
use tangency::query::{self, Gap, Penetration, Polyhedron, Support};
use tangency::shape::{Aabb, ConvexHull, Obb, Sphere};

const CLOSE: f32 = 2e-6;

fn vector(reach: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-reach..reach).prop_map(Vec3::from_array)
}

fn rotation() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0f32..1.0)
        .prop_filter("not near zero", |q| q.iter().map(|x| x * x).sum::<f32>() > 0.01)
        .prop_map(Quat::from_array)
}

/// Extents with a zero now and then: plates, needles, points.
fn extents() -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(prop_oneof![4 => 0.05f32..1.0, 1 => Just(0.0)]).prop_map(Vec3::from_array)
}

fn obb() -> impl Strategy<Value = Obb> {
    (vector(1.0), extents(), rotation()).prop_map(|(c, e, q)| Obb::new(c, e, q).unwrap())
}

fn aabb() -> impl Strategy<Value = Aabb> {
    (vector(1.0), extents()).prop_map(|(c, e)| Aabb::new(c - e, c + e).unwrap())
}

fn sphere() -> impl Strategy<Value = Sphere> {
    (vector(1.5), prop_oneof![4 => 0.05f32..1.0, 1 => Just(0.0)]).prop_map(|(c, r)| Sphere::new(c, r).unwrap())
}

fn hull() -> impl Strategy<Value = ConvexHull> {
    let solid = prop::collection::vec(vector(0.8), 1..14);
    let flat = prop::collection::vec(vector(0.8).prop_map(|v| Vec3::new(v.x, v.y, 0.25)), 1..8);
    (prop_oneof![3 => solid, 1 => flat], vector(1.0), rotation(), any::<bool>()).prop_map(
        |(points, by, turn, turned)| {
            let turn = if turned { turn.normalize() } else { Quat::IDENTITY };
            ConvexHull::from_points(points.into_iter().map(|p| turn * p + by)).unwrap()
        },
    )
}

fn point(p: Vec3) -> Sphere {
    Sphere::new(p, 0.0).unwrap()
}

fn near(a: &impl Support, p: Vec3) -> bool {
    query::gjk(a, &point(p)).unwrap().distance < CLOSE
}

/// What every answer about a pair has to fulfil, whatever the shapes.
fn consistent<A: Support, B: Support>(a: &A, b: &B) -> Result<(), TestCaseError> {
    let gap = query::gjk(a, b).unwrap();
    let back = query::gjk(b, a).unwrap();
    prop_assert!((gap.distance - back.distance).abs() < CLOSE, "symmetric: {gap:?} {back:?}");
    prop_assert!(near(a, gap.point_a) && near(b, gap.point_b), "witnesses lie on their shapes: {gap:?}");
    prop_assert!((gap.point_a.distance(gap.point_b) - gap.distance).abs() < CLOSE);
    let deep = query::epa(a, b);
    prop_assert_eq!(deep.is_some(), query::gjk_hit(a, b));
    if let Some(normal) = gap.normal {
        prop_assert!((normal.length() - 1.0).abs() < CLOSE);
        // The plane across the normal at the witness has each shape on its side.
        let n = normal.as_dvec3();
        let (top, bottom) = (a.core_support(n).dot(n) + a.rounding(), b.core_support(-n).dot(n) - b.rounding());
        prop_assert!((bottom - top - f64::from(gap.distance)).abs() < 1e-5);
    }
    if let Some(Penetration { depth, normal, point_a, point_b }) = deep {
        prop_assert!(depth >= 0.0 && (normal.length() - 1.0).abs() < CLOSE);
        prop_assert!(near(a, point_a) && near(b, point_b), "{deep:?}");
        prop_assert!((point_a - point_b).abs_diff_eq(normal * depth, 2.0 * CLOSE), "{deep:?}");
        let other = query::epa(b, a).unwrap();
        prop_assert!((depth - other.depth).abs() < CLOSE, "symmetric: {deep:?} {other:?}");
        // No direction is a shorter way out than the depth.
        let n = normal.as_dvec3();
        let out = a.core_support(n).dot(n) + a.rounding() - b.core_support(-n).dot(n) + b.rounding();
        prop_assert!((out - f64::from(depth)).abs() < 1e-5, "{out} {deep:?}");
    }
    Ok(())
}

/// The separating axis test agrees with GJK about the verdict and with EPA about the depth.
fn sat_agrees<A: Support + Polyhedron, B: Support + Polyhedron>(a: &A, b: &B) -> Result<(), TestCaseError> {
    let sat = query::sat(a, b).unwrap();
    if let Some(deep) = query::epa(a, b) {
        prop_assert!((sat.overlap - deep.depth).abs() < CLOSE, "{sat:?} {deep:?}");
    } else {
        // Along no axis are they farther apart than they are.
        let gap = query::gjk(a, b).unwrap();
        prop_assert!(sat.overlap < CLOSE && -sat.overlap <= gap.distance + CLOSE, "{sat:?} {gap:?}");
    }
    let back = query::sat(b, a).unwrap();
    prop_assert!((sat.overlap - back.overlap).abs() < CLOSE);
    Ok(())
}

/// GJK's verdict is the exact one outside the tolerance.
fn exact_agrees(relation: Relation, gap: &Gap, deep: Option<&Penetration>) -> Result<(), TestCaseError> {
    match relation {
        Relation::Separate => prop_assert!(deep.is_none_or(|d| d.depth < 1e-12), "{deep:?}"),
        Relation::Touching => prop_assert!(gap.distance < 1e-12 && deep.is_none_or(|d| d.depth < 1e-12)),
        Relation::Overlapping => prop_assert!(deep.is_some() || gap.distance < 1e-12),
    }
    Ok(())
}

macro_rules! pairs {
    ($($name:ident: $a:expr, $b:expr, exact;)*) => {properties! {$(
        #[test]
        fn $name(a in $a, b in $b) {
            consistent(&a, &b)?;
            exact_agrees(query::intersect(&a, &b), &query::gjk(&a, &b).unwrap(), query::epa(&a, &b).as_ref())?;
        }
    )*}};
    ($($name:ident: $a:expr, $b:expr;)*) => {properties! {$(
        #[test]
        fn $name(a in $a, b in $b) {
            consistent(&a, &b)?;
        }
    )*}};
}

pairs! {
    obb_obb: obb(), obb(), exact;
    aabb_obb: aabb(), obb(), exact;
    aabb_aabb: aabb(), aabb(), exact;
    sphere_sphere: sphere(), sphere(), exact;
    sphere_aabb: sphere(), aabb(), exact;
    sphere_obb: sphere(), obb(), exact;
}

pairs! {
    hull_hull: hull(), hull();
    hull_obb: hull(), obb();
    sphere_hull: sphere(), hull();
}

properties! {
    #[test]
    fn sat_obb_obb(a in obb(), b in obb()) { sat_agrees(&a, &b)?; }

    #[test]
    fn sat_aabb_obb(a in aabb(), b in obb()) { sat_agrees(&a, &b)?; }

    #[test]
    fn sat_hull_hull(a in hull(), b in hull()) { sat_agrees(&a, &b)?; }

    #[test]
    fn sat_hull_obb(a in hull(), b in obb()) { sat_agrees(&a, &b)?; }

    #[test]
    fn answers_survive_rigid_motion(
        a in prop::collection::vec(vector(0.8), 4..12), b in prop::collection::vec(vector(0.8), 4..12),
        turn in rotation(), by in vector(3.0),
    ) {
        let moved = |points: &[Vec3]| ConvexHull::from_points(points.iter().map(|&p| turn.normalize() * p + by)).unwrap();
        let still = |points: &[Vec3]| ConvexHull::from_points(points.iter().copied()).unwrap();
        let (x, y, moved_x, moved_y) = (still(&a), still(&b), moved(&a), moved(&b));
        let signed = |x: &ConvexHull, y: &ConvexHull| {
            query::epa(x, y).map_or_else(|| query::gjk(x, y).unwrap().distance, |deep| -deep.depth)
        };
        prop_assert!((signed(&x, &y) - signed(&moved_x, &moved_y)).abs() < 1e-5);
    }

    #[test]
    fn a_shift_by_the_depth_parts_boxes(a in obb(), b in obb()) {
        if let Some(deep) = query::epa(&a, &b) {
            let parted = b.translate(deep.normal * (deep.depth + 1e-5)).unwrap();
            prop_assert_eq!(query::intersect(&a, &parted), Relation::Separate);
            if deep.depth > 1e-4 {
                let not_yet = b.translate(deep.normal * (deep.depth - 1e-5)).unwrap();
                prop_assert_eq!(query::intersect(&a, &not_yet), Relation::Overlapping);
            }
        }
    }
}

#[test]
fn flat_single_and_duplicate_hulls_are_defined() {
    let hull = |points: &[[f32; 3]]| ConvexHull::from_points(points.iter().copied()).unwrap();
    let dot = hull(&[[0.5, 0.5, 0.0]; 4]);
    let needle = hull(&[[0.0, 0.5, 0.0], [1.0, 0.5, 0.0], [0.5, 0.5, 0.0]]);
    let plate = hull(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]);
    let solid = hull(&[[0.0, 0.0, -1.0], [1.0, 0.0, -1.0], [0.0, 1.0, -1.0], [1.0, 1.0, -1.0], [0.5, 0.5, 1.0]]);
    let all = [&dot, &needle, &plate, &solid];
    for a in all {
        for b in all {
            assert!(query::gjk_hit(a, b));
            let deep = query::epa(a, b).unwrap();
            let flat = a.dimension() < 3 && b.dimension() < 3;
            assert_eq!(deep.depth == 0.0, flat, "{deep:?}");
            assert!((query::sat(a, b).unwrap().overlap - deep.depth).abs() < 1e-6);
            let away = ConvexHull::from_points(b.vertices().iter().map(|&v| v + Vec3::new(0.0, 0.0, 3.0))).unwrap();
            let gap = query::gjk(a, &away).unwrap();
            let (top, bottom) = (a.aabb().max().z, away.aabb().min().z);
            assert!(gap.distance >= bottom - top && query::epa(a, &away).is_none());
            assert!(query::sat(a, &away).unwrap().overlap < 0.0);
        }
    }
    // A plate in its own plane, beside itself: only the axes in the plane tell.
    let beside = hull(&[[1.5, 0.0, 0.0], [2.5, 0.0, 0.0], [1.5, 1.0, 0.0]]);
    assert_eq!(query::sat(&plate, &beside).unwrap().overlap, -0.5);
    assert_eq!(query::gjk(&plate, &beside).unwrap().distance, 0.5);
}

#[test]
fn shapes_without_points_have_no_answers() {
    let unit = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    assert!(query::gjk(&unit, &Aabb::EMPTY).is_none() && query::epa(&Aabb::EMPTY, &unit).is_none());
    assert!(query::sat(&unit, &Aabb::EMPTY).is_none() && !query::gjk_hit(&unit, &Aabb::EMPTY));
    let zero: Obb = bytemuck::Zeroable::zeroed();
    assert!(query::gjk(&zero, &unit).is_none() && query::sat(&unit, &zero).is_none());
}

fn finite_result<A: Support + Polyhedron, B: Support + Polyhedron>(a: &A, b: &B) {
    let gap = query::gjk(a, b).unwrap();
    assert!(gap.distance.is_finite() && gap.point_a.is_finite() && gap.point_b.is_finite());
    assert!(gap.normal.is_none_or(|n| (n.length() - 1.0).abs() < 1e-5));
    if let Some(deep) = query::epa(a, b) {
        assert!(deep.depth.is_finite() && deep.point_a.is_finite() && deep.point_b.is_finite());
        assert!((deep.normal.length() - 1.0).abs() < 1e-5, "{deep:?}");
    }
    let sat = query::sat(a, b).unwrap();
    assert!(sat.overlap.is_finite() && (sat.normal.length() - 1.0).abs() < 1e-5);
}

properties! {
    #[test]
    fn numbers_of_every_size_give_finite_answers(
        a in prop::collection::vec(prop::array::uniform3(sizes()), 1..9), b in prop::collection::vec(prop::array::uniform3(sizes()), 1..9),
        c in prop::array::uniform3(sizes()), e in prop::array::uniform3(sizes()), q in prop::array::uniform4(sizes()),
    ) {
        let (a, b) = (ConvexHull::from_points(a).unwrap(), ConvexHull::from_points(b).unwrap());
        finite_result(&a, &b);
        if let Ok(obb) = Obb::new(c, e.map(f32::abs), Quat::from_array(q)) {
            finite_result(&a, &obb);
            finite_result(&obb, &obb);
        }
    }
}

/// The largest number of a row: what the tolerance is relative to.
fn scale(numbers: &[f32]) -> f32 {
    numbers.iter().fold(0.0, |m: f32, x| m.max(x.abs()))
}

fn against_vector<A: Support, B: Support>(a: &A, b: &B, row: &crate::common::Row) -> bool {
    let (gap, deep) = (query::gjk(a, b).unwrap(), query::epa(a, b));
    let tolerance = 1e-12 * scale(&row.numbers);
    let within = match row.expected {
        0 => deep.is_none_or(|d| d.depth <= tolerance),
        1 => gap.distance <= tolerance && deep.is_none_or(|d| d.depth <= tolerance),
        _ => gap.distance <= tolerance,
    };
    assert!(within, "{} {:?}: {gap:?} {deep:?}, exactly {}", row.family, row.numbers, row.expected);
    deep.is_some() == (row.expected > 0)
}

#[test]
fn hard_vectors_are_wrong_only_within_the_tolerance() {
    let (mut same, mut rows) = (0, 0);
    for (name, first, second) in crate::common::FILES {
        for row in crate::common::read(name) {
            let (v, w) = row.numbers.split_at(first.width());
            let right = match (first, second) {
                (Kind::Obb, _) => against_vector(&crate::common::obb(v), &crate::common::obb(w), &row),
                (Kind::Aabb, _) => against_vector(&crate::common::aabb(v), &crate::common::obb(w), &row),
                (Kind::Sphere, Kind::Sphere) => {
                    against_vector(&crate::common::sphere(v), &crate::common::sphere(w), &row)
                }
                (Kind::Sphere, Kind::Aabb) => against_vector(&crate::common::sphere(v), &crate::common::aabb(w), &row),
                (Kind::Sphere, Kind::Obb) => against_vector(&crate::common::sphere(v), &crate::common::obb(w), &row),
            };
            (same, rows) = (same + usize::from(right), rows + 1);
        }
    }
    assert!(rows > 1000);
    println!("{same} of {rows} verdicts are the exact ones, the others within 1e-12 of the largest number");
}

#[test]
fn round_hulls_with_many_corners() {
    let ball = |n: u32, by: Vec3| {
        // A spiral over the unit sphere: evenly spread, nothing symmetric.
        ConvexHull::from_points((0..n).map(|i| {
            let z = 1.0 - (2.0 * i as f32 + 1.0) / n as f32;
            let (sin, cos) = (i as f32 * 2.399_963).sin_cos();
            let r = (1.0 - z * z).sqrt();
            Vec3::new(r * cos, r * sin, z) + by
        }))
        .unwrap()
    };
    for (n, m, by) in [(60, 80, 0.3), (100, 60, 1.0), (80, 80, 0.0), (70, 90, 1.9)] {
        let (a, b) = (ball(n, Vec3::ZERO), ball(m, Vec3::new(by, by / 3.0, -by / 7.0)));
        let deep = query::epa(&a, &b);
        let sat = query::sat(&a, &b).unwrap();
        assert_eq!(deep.is_some(), sat.is_hit());
        if let Some(deep) = deep {
            assert!((deep.depth - sat.overlap).abs() < 1e-6, "{n} {m} {by}: {deep:?} {sat:?}");
        }
    }
    let (big, small) = (ball(3000, Vec3::ZERO), ball(500, Vec3::new(0.1, 0.0, 0.0)));
    let deep = query::epa(&big, &small).unwrap();
    assert!((deep.depth - 1.9).abs() < 1e-2, "{deep:?}");
}
