//! Properties of the exact relations: equal to the naive rational oracle, symmetric, indifferent to exact translations and
//! scalings.

use crate::properties::properties;
use crate::rational;
use crate::rational::RationalBox;
use glam::{Quat, Vec3};
use proptest::prelude::*;
use tangency::query::{intersect, side};
use tangency::shape::{Aabb, Obb, Plane, Sphere};
use tangency::{Relation, Side};

/// Numbers as people type them: small multiples of a power of two, where ties are common.
fn round_number() -> impl Strategy<Value = f32> {
    (-12_i16..=12, 0..4_i32).prop_map(|(k, e)| f32::from(k) / 2f32.powi(e))
}

/// Any finite number, in bits: subnormal to huge.
fn any_number() -> impl Strategy<Value = f32> {
    any::<u32>().prop_map(f32::from_bits).prop_filter("finite", |x| x.is_finite())
}

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![6 => round_number(), 3 => -4.0_f32..4.0, 1 => any_number()]
}

pub fn length() -> impl Strategy<Value = f32> {
    number().prop_map(f32::abs)
}

fn triple(s: impl Strategy<Value = f32> + Clone) -> impl Strategy<Value = Vec3> {
    [s.clone(), s.clone(), s].prop_map(Vec3::from)
}

/// Small integer quaternions, aligned ones, unit-like ones and wild ones.
fn rotation() -> impl Strategy<Value = Quat> {
    let small = [-3_i8..=3, -3..=3, -3..=3, -3..=3].prop_map(|q| q.map(f32::from));
    let wild = [any_number(), any_number(), any_number(), any_number()];
    let unit = [-1.0_f32..1.0, -1.0..1.0, -1.0..1.0, -1.0..1.0];
    prop_oneof![4 => small, 3 => unit, 1 => wild]
        .prop_filter("a rotation", |q| *q != [0.0; 4])
        .prop_map(Quat::from_array)
}

pub fn obb() -> impl Strategy<Value = Obb> {
    (triple(number().boxed()), triple(length().boxed()), rotation()).prop_map(|(c, e, q)| Obb::new(c, e, q).unwrap())
}

pub fn aabb() -> impl Strategy<Value = Aabb> {
    (triple(number().boxed()), triple(number().boxed())).prop_map(|(a, b)| Aabb::from_points([a, b]).unwrap())
}

pub fn sphere() -> impl Strategy<Value = Sphere> {
    (triple(number().boxed()), length()).prop_map(|(c, r)| Sphere::new(c, r).unwrap())
}

fn plane() -> impl Strategy<Value = Plane> {
    (triple(number().boxed()), number())
        .prop_filter("a normal", |(n, _)| *n != Vec3::ZERO)
        .prop_map(|(n, d)| Plane::new(n, d).unwrap())
}

/// A second box that often shares axes or a face plane with the first.
fn related() -> impl Strategy<Value = (Obb, Obb)> {
    (obb(), obb(), any::<[bool; 3]>()).prop_map(|(a, b, [same_rotation, same_height, same_size])| {
        let q = if same_rotation { a.rotation() } else { b.rotation() };
        let e = if same_size { a.half_extents() } else { b.half_extents() };
        let c = if same_height { Vec3::new(b.center().x, a.center().y, b.center().z) } else { b.center() };
        (a, Obb::new(c, e, q).unwrap())
    })
}

/// More with `./test.sh --long`.
fn cases() -> u32 {
    if std::env::var_os("TANGENCY_TEST_LONG").is_some_and(|value| value == "1") { 3000 } else { 400 }
}

properties! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn obb_obb_equals_the_oracle((a, b) in related()) {
        let expected = rational::box_box(&RationalBox::from(&a), &RationalBox::from(&b));
        prop_assert_eq!(intersect(&a, &b), expected);
        prop_assert_eq!(intersect(&b, &a), expected);
    }

    #[test]
    fn aabb_obb_equals_the_oracle(a in aabb(), b in obb()) {
        let expected = rational::box_box(&RationalBox::from(&a), &RationalBox::from(&b));
        prop_assert_eq!(intersect(&a, &b), expected);
        prop_assert_eq!(intersect(&b, &a), expected);
    }

    #[test]
    fn aabb_aabb_equals_the_oracle(a in aabb(), b in aabb()) {
        let expected = rational::box_box(&RationalBox::from(&a), &RationalBox::from(&b));
        prop_assert_eq!(intersect(&a, &b), expected);
        prop_assert_eq!(intersect(&b, &a), expected);
    }

    #[test]
    fn spheres_equal_the_oracle(s in sphere(), t in sphere(), a in aabb(), b in obb()) {
        let expected = rational::sphere_sphere(&s, &t);
        prop_assert_eq!([intersect(&s, &t), intersect(&t, &s)], [expected; 2]);
        let expected = rational::sphere_box(&s, &RationalBox::from(&a));
        prop_assert_eq!([intersect(&s, &a), intersect(&a, &s)], [expected; 2]);
        let expected = rational::sphere_box(&s, &RationalBox::from(&b));
        prop_assert_eq!([intersect(&s, &b), intersect(&b, &s)], [expected; 2]);
    }

    #[test]
    fn sides_equal_the_oracle(p in plane(), s in sphere(), a in aabb(), b in obb()) {
        prop_assert_eq!(side(&s, &p), rational::sphere_side(&s, p.normal(), p.offset()));
        prop_assert_eq!(side(&a, &p), rational::box_side(&RationalBox::from(&a), p.normal(), p.offset()));
        prop_assert_eq!(side(&b, &p), rational::box_side(&RationalBox::from(&b), p.normal(), p.offset()));
    }

    /// Round numbers stay exact under a shift and a scaling by powers of two, and so does the answer.
    #[test]
    fn exact_motions_change_nothing(
        c in [triple(round_number().boxed()), triple(round_number().boxed())],
        e in [triple(round_number().boxed()), triple(round_number().boxed())],
        q in [rotation(), rotation()],
        shift in -18_i32..18, direction in 0_usize..3, scale in -60_i32..60,
    ) {
        let make = |k: usize, offset: Vec3, factor: f32| {
            let factor_of_q = 2f32.powi(scale / 3);
            let q = q[k] * factor_of_q;
            let q = if q.to_array() == [0.0; 4] || !q.is_finite() { None } else { Some(q) };
            Obb::new((c[k] + offset) * factor, e[k].abs() * factor, q?).ok()
        };
        // A shift by 2^k is exact as long as no bit of a round number falls off.
        let mut offset = Vec3::ZERO;
        offset[direction] = 2f32.powi(shift.max(-3));
        let plain = (make(0, Vec3::ZERO, 1.0), make(1, Vec3::ZERO, 1.0));
        let moved = (make(0, offset, 2f32.powi(scale)), make(1, offset, 2f32.powi(scale)));
        if let ((Some(a), Some(b)), (Some(c), Some(d))) = (plain, moved) {
            prop_assert_eq!(intersect(&a, &b), intersect(&c, &d));
        }
    }

    /// A quaternion and its multiples by powers of two and by −1 are the same rotation.
    #[test]
    fn the_length_of_a_quaternion_does_not_matter((a, b) in related(), power in -20_i32..20) {
        let scaled = b.rotation() * -(2f32.powi(power));
        let exact = scaled.to_array().iter().zip(b.rotation().to_array())
            .all(|(x, y)| f64::from(*x) == -f64::from(y) * 2f64.powi(power));
        if let Ok(same) = Obb::new(b.center(), b.half_extents(), scaled) && exact {
            prop_assert_eq!(intersect(&a, &b), intersect(&a, &same));
        }
    }
}

#[test]
fn degenerate_boxes_are_sets_of_points_like_any_other() {
    let point = |x: f32| Obb::new([x, 0.0, 0.0], [0.0; 3], Quat::IDENTITY).unwrap();
    let unit = Obb::new([0.0; 3], [1.0; 3], Quat::IDENTITY).unwrap();
    assert_eq!(intersect(&point(0.0), &point(0.0)), Relation::Touching);
    assert_eq!(intersect(&point(0.0), &point(f32::from_bits(1))), Relation::Separate);
    assert_eq!(intersect(&unit, &point(0.5)), Relation::Overlapping);
    assert_eq!(intersect(&unit, &point(1.0)), Relation::Touching);
    assert_eq!(intersect(&unit, &point(1.0_f32.next_up())), Relation::Separate);
    // Two needles that cross have a flat difference body.
    let along_x = Obb::new([0.0; 3], [1.0, 0.0, 0.0], Quat::IDENTITY).unwrap();
    let leaning = Obb::new([0.0; 3], [1.0, 0.0, 0.0], Quat::from_xyzw(0.0, 0.0, 1.0, 3.0)).unwrap();
    assert_eq!(intersect(&along_x, &leaning), Relation::Touching);
    let ball = |r: f32| Sphere::new([0.0; 3], r).unwrap();
    assert_eq!(intersect(&ball(0.0), &ball(0.0)), Relation::Touching);
    assert_eq!(intersect(&ball(0.0), &unit), Relation::Overlapping);
    assert_eq!(intersect(&ball(f32::from_bits(1)), &along_x), Relation::Overlapping);
}

#[test]
fn the_extremes_of_f32_are_answered() {
    let big = Obb::new([0.0; 3], [f32::MAX; 3], Quat::from_xyzw(1e-30, 2e-30, 3e-30, 1e30)).unwrap();
    let small = Obb::new([1e-45; 3], [1e-45; 3], Quat::from_xyzw(1e-45, 0.0, 0.0, 1e-45)).unwrap();
    assert_eq!(intersect(&big, &small), Relation::Overlapping);
    assert_eq!(intersect(&big, &big), Relation::Overlapping);
    let right = Aabb::new([f32::MAX, 0.0, 0.0], [f32::MAX; 3]).unwrap();
    let left = Aabb::new([-f32::MAX; 3], [f32::MAX, 0.0, 0.0]).unwrap();
    assert_eq!(intersect(&right, &left), Relation::Touching);
    let ball = Sphere::new([-f32::MAX, 0.0, 0.0], f32::MAX).unwrap();
    assert_eq!(intersect(&ball, &Sphere::new([0.0; 3], 0.0).unwrap()), Relation::Touching);
    assert_eq!(intersect(&ball, &Sphere::new([1e-45, 0.0, 0.0], 0.0).unwrap()), Relation::Separate);
    assert_eq!(intersect(&ball, &Sphere::new([1e-45, 0.0, 0.0], 1e-45).unwrap()), Relation::Touching);
    let plane = Plane::new([f32::MAX, 1e-45, 0.0], f32::MAX).unwrap();
    assert_eq!(side(&ball, &plane), Side::Inside);
    assert_eq!(side(&big, &plane), Side::Crossing);
}

/// For each of the 15 axes, boxes that this axis alone decides: touching along it, overlapping along all others; and the same
/// boxes with one of them moved by one unit in the last place, which this axis alone sees as apart.
#[test]
fn each_axis_decides_alone() {
    // Quaternions of −1, 0 and 1, in a fixed order.
    let rotations: Vec<[i32; 4]> =
        (1..81).map(|k| [k % 3 - 1, k / 3 % 3 - 1, k / 9 % 3 - 1, k / 27 - 1]).filter(|q| *q != [0; 4]).collect();
    let columns = |[x, y, z, w]: [i32; 4]| {
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)],
            [2 * (x * y - w * z), w * w + y * y - x * x - z * z, 2 * (y * z + w * x)],
            [2 * (x * z + w * y), 2 * (y * z - w * x), w * w + z * z - x * x - y * y],
        ]
    };
    let dot = |a: [i32; 3], b: [i32; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let cross =
        |a: [i32; 3], b: [i32; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let mut found = [0; 15];
    let shapes = [[3, 5, 7], [7, 3, 5], [5, 7, 3], [1, 9, 9], [9, 1, 9], [9, 9, 1]];
    for (round, (qa, qb)) in rotations.iter().flat_map(|a| rotations.iter().map(move |b| (*a, *b))).enumerate() {
        let (a, b) = (columns(qa), columns(qb));
        let (na, nb) = (qa.iter().map(|x| x * x).sum::<i32>(), qb.iter().map(|x| x * x).sum::<i32>());
        let (ea, eb) = (shapes[round % 6], shapes[round / 6 % 6]);
        for axis in 0..15 {
            let l = match axis {
                0..3 => a[axis],
                3..6 => b[axis - 3],
                _ => cross(a[(axis - 6) / 3], b[(axis - 6) % 3]),
            };
            let square = dot(l, l);
            if square == 0 || found[axis] >= 20 {
                continue;
            }
            // The centre goes to t = L reach / |L|²; everything is multiplied by nA nB |L|² to stay an integer.
            let reach: i32 = (0..3).map(|k| ea[k] * dot(a[k], l).abs() * nb + eb[k] * dot(b[k], l).abs() * na).sum();
            let unit = na * nb * square;
            let exact = |x: i32| (x.abs() < 1 << 23).then_some(x as f32);
            let Some(t) = l.iter().map(|x| exact(x * reach)).collect::<Option<Vec<f32>>>() else { continue };
            let make = |c: Vec3, e: [i32; 3], q: [i32; 4]| {
                Obb::new(c, Vec3::from(e.map(|x| (x * unit) as f32)), Quat::from_array(q.map(|x| x as f32))).unwrap()
            };
            let (first, second) = (make(Vec3::ZERO, ea, qa), make(Vec3::from_slice(&t), eb, qb));
            let gaps = rational::gaps(&RationalBox::from(&first), &RationalBox::from(&second));
            let zero = rational::q(0.0);
            let alone =
                gaps.iter().enumerate().all(|(k, gap)| gap.as_ref().is_none_or(|gap| (k == axis) || *gap < zero));
            if !alone || gaps[axis] != Some(zero) {
                continue;
            }
            found[axis] += 1;
            assert_eq!(intersect(&first, &second), Relation::Touching, "axis {axis}: {first:?} {second:?}");
            let largest = (0..3).max_by_key(|k| l[*k].abs()).unwrap();
            let mut away = second.center();
            away[largest] = if away[largest] > 0.0 { away[largest].next_up() } else { away[largest].next_down() };
            let apart = make(away, eb, qb);
            assert_eq!(intersect(&first, &apart), Relation::Separate, "axis {axis}: {first:?} {apart:?}");
        }
    }
    println!("cases in which one axis alone decides: {found:?}");
    assert!(found.iter().all(|count| *count >= 5), "{found:?}");
}

/// A box turned about the vertical by any angle stands exactly on a table, and a ball lies exactly on the box: ties whose
/// quaternions have all their 24 bits.
#[test]
fn what_stands_on_a_table_touches_it() {
    let table = Aabb::new([-9.0, -9.0, -1.0], [9.0, 9.0, 0.3]).unwrap();
    let oriented = Obb::new([0.1, 0.3, -0.5], [9.0, 9.0, 0.75], Quat::IDENTITY).unwrap();
    for step in 1..200_u16 {
        let angle = f32::from(step) * 0.0157;
        let turn = Quat::from_xyzw(0.0, 0.0, angle.sin(), angle.cos());
        let half = 0.1 + f32::from(step) * 0.003;
        let block = |bottom: f32| {
            let center = bottom + half;
            // Keep only heights whose sum is exact.
            (f64::from(center) == f64::from(bottom) + f64::from(half))
                .then(|| Obb::new([0.7, -0.9, center], [1.1, 0.9, half], turn).unwrap())
        };
        for (bottom, relation) in
            [(0.3_f32, Relation::Touching), (0.3125, Relation::Separate), (0.2501, Relation::Overlapping)]
        {
            if let Some(block) = block(bottom) {
                assert_eq!(intersect(&table, &block), relation, "{block:?}");
            }
        }
        if let Some(block) = block(0.25) {
            assert_eq!(intersect(&oriented, &block), Relation::Touching, "{block:?}");
            let lifted = block.translate([0.0, 0.0, 1e-7]).unwrap();
            let expected = if lifted.center().z > block.center().z { Relation::Separate } else { Relation::Touching };
            assert_eq!(intersect(&oriented, &lifted), expected, "{block:?}");
            let (top, r) = (f64::from(block.center().z) + f64::from(half), 0.375_f32);
            let center = (top + f64::from(r)) as f32;
            if f64::from(center) == top + f64::from(r) {
                let ball = |z: f32| Sphere::new([0.7, -0.9, z], r).unwrap();
                assert_eq!(intersect(&ball(center), &block), Relation::Touching, "{block:?}");
                assert_eq!(intersect(&ball(center.next_up()), &block), Relation::Separate, "{block:?}");
                assert_eq!(intersect(&ball(center.next_down()), &block), Relation::Overlapping, "{block:?}");
            }
        }
    }
}

/// Boxes that share one axis, and whose numbers are too wide for 128 bits: a long tie along that axis.
#[test]
fn wide_numbers_touch_along_a_common_axis() {
    let turn = |angle: f32| Quat::from_xyzw(0.0, 0.0, angle.sin(), angle.cos());
    // Extents of 2⁶⁰ beside one of 2⁻³⁰.
    let big = 2_f32.powi(60);
    let below = Obb::new([0.0; 3], [2_f32.powi(-30), big, big], turn(1.1)).unwrap();
    let above = |z: f32| Obb::new([0.0, 0.0, z], [big, big, big], turn(0.6)).unwrap();
    assert_eq!(intersect(&below, &above(2.0 * big)), Relation::Touching);
    assert_eq!(intersect(&below, &above((2.0 * big).next_up())), Relation::Separate);
    assert_eq!(intersect(&below, &above((2.0 * big).next_down())), Relation::Overlapping);
}
