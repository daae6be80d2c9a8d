//! Half-spaces to each other, exactly: `side` and `meets` of two planes, by rational arithmetic.

use crate::properties::properties;
use crate::rational::half_space_side;
use crate::support::{config, sizes};
use glam::Vec3;
use proptest::prelude::*;
use tangency::Side;
use tangency::query::{closest_points, contains_point, meets, side, touches_plane};
use tangency::shape::{Plane, Shape};

/// Small whole numbers and those of every size.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![3 => (-3_i8..=3).prop_map(f32::from), 2 => sizes(), 1 => (0_u32..0x90_0000).prop_map(f32::from_bits)]
}

fn plane() -> impl Strategy<Value = Plane> {
    ([number(), number(), number()], number()).prop_filter_map("a normal", |(n, d)| Plane::new(n, d).ok())
}

/// One unit up or down, or as it is.
fn nudged(x: f32, by: i8) -> f32 {
    match by {
        0 => x,
        1 => x.next_up(),
        _ => x.next_down(),
    }
}

/// Two planes, of which the second is the first times a number, often to the last bit; then some numbers are off by one unit.
fn parallel() -> impl Strategy<Value = (Plane, Plane)> {
    let factor = prop_oneof![
        2 => (-3_i8..=3).prop_map(f32::from),
        2 => (-280..280_i32, any::<bool>()).prop_map(|(e, flip)| 2f32.powi(e / 2) * if flip { -1.0 } else { 1.0 }),
        1 => sizes(),
    ];
    let units = prop_oneof![
        2 => Just([0_i8; 4]),
        1 => (-1_i8..=1).prop_map(|by| [0, 0, 0, by]),
        1 => [-1_i8..=1, -1..=1, -1..=1, -1..=1],
    ];
    (plane(), factor, units, prop_oneof![3 => Just(None), 1 => number().prop_map(Some)]).prop_filter_map(
        "a normal",
        |(a, factor, units, offset)| {
            let normal = (a.normal() * factor).to_array();
            let normal = [0, 1, 2].map(|k| if normal[k] == 0.0 { normal[k] } else { nudged(normal[k], units[k]) });
            let offset = offset.unwrap_or(nudged(a.offset() * factor, units[3]));
            Some((a, Plane::new(normal, offset).ok()?))
        },
    )
}

fn check(a: &Plane, b: &Plane) -> Result<Side, TestCaseError> {
    let of = |plane: &Plane| (plane.normal(), plane.offset());
    let expected = half_space_side(of(a), of(b));
    prop_assert_eq!((side(a, b), side(&Shape::from(*a), b)), (expected, expected), "{:?} {:?}", a, b);
    let hit = expected != Side::Outside;
    let (s, t) = (Shape::from(*a), Shape::from(*b));
    prop_assert_eq!([meets(a, b), meets(b, a), meets(&s, &t), meets(&t, &s)], [hit; 4], "{:?} {:?}", a, b);
    // The sheet of b is met unless a lies on one side of it.
    let beyond = half_space_side(of(a), of(&b.flip()));
    prop_assert_eq!(touches_plane(a, b), hit && beyond != Side::Outside);
    Ok(expected)
}

properties! {
    #![proptest_config(config(20_000))]

    #[test]
    fn half_spaces_lie_as_the_oracle_says(a in plane(), b in plane(), (c, d) in parallel()) {
        check(&a, &b)?;
        for (c, d) in [(c, d), (d, c), (c, d.flip()), (c.flip(), d)] {
            check(&c, &d)?;
        }
    }

    /// A plane contains the points of its half-space.
    #[test]
    fn containing_is_exact(a in plane(), p in [number(), number(), number()]) {
        let p = Vec3::from_array(p);
        let expected = crate::rational::height(a.normal(), &crate::rational::vec3(p), a.offset()).is_le();
        prop_assert_eq!((contains_point(&a, p), contains_point(&Shape::from(a), p)), (expected, expected));
    }
}

/// The random pairs above are of every sort often enough to mean something.
#[test]
fn every_side_is_seen() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut seen = [0; 3];
    for _ in 0..3000 {
        let (a, b) = parallel().new_tree(&mut runner).unwrap().current();
        seen[side(&a, &b) as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

#[test]
fn products_of_two_f32_are_exact_in_f64() {
    let tiny = f32::from_bits(1);
    assert_eq!(f64::from(tiny) * f64::from(tiny), 2f64.powi(-298));
    let odd = f32::from_bits(0x7f_ffff);
    let product = f64::from(odd) * f64::from(f32::MAX.next_down());
    assert_eq!(
        crate::rational::Q::from_float(product).unwrap(),
        crate::rational::q(odd) * crate::rational::q(f32::MAX.next_down())
    );
}

#[test]
fn half_spaces_by_hand() {
    let plane = |normal: [f32; 3], offset: f32| Plane::new(normal, offset).unwrap();
    let (tiny, huge) = (f32::from_bits(1), f32::MAX);
    let below = plane([0.0, 2.0, 0.0], 6.0); // y ≤ 3
    for (other, expected) in [
        (plane([0.0, 1.0, 0.0], 3.0), Side::Inside),                      // the same
        (plane([0.0, huge, 0.0], huge), Side::Crossing),                  // y ≤ 1
        (plane([0.0, tiny, 0.0], 3.0 * tiny), Side::Inside),              // y ≤ 3
        (plane([0.0, tiny, 0.0], 2.0 * tiny), Side::Crossing),            // y ≤ 2
        (plane([0.0, -1.0, 0.0], -3.0), Side::Crossing),                  // y ≥ 3: they touch
        (plane([0.0, -1.0, 0.0], (-3.0_f32).next_down()), Side::Outside), // just above
        (plane([0.0, -tiny, 0.0], -huge), Side::Outside),                 // far above
        (plane([0.0, -1.0, 0.0], 5.0), Side::Crossing),                   // y ≥ −5
        (plane([tiny, -huge, 0.0], -huge), Side::Crossing),               // not quite parallel
        (plane([tiny, huge, 0.0], huge), Side::Crossing),
    ] {
        assert_eq!(check(&below, &other).unwrap(), expected, "{other:?}");
    }
}

/// What is no plane has no points, and nothing lies in it: as with every other kind.
#[test]
fn planes_without_a_normal_are_outside() {
    let whole = Plane::new([0.0, 1.0, 0.0], 0.0).unwrap();
    for raw in [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, -1.0], [f32::NAN, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, f32::INFINITY]]
    {
        let none: Plane = bytemuck::cast(raw);
        assert_eq!([side(&whole, &none), side(&none, &whole), side(&none, &none)], [Side::Outside; 3], "{raw:?}");
        assert!(!meets(&whole, &none) && !meets(&Shape::from(none), &Shape::from(whole)));
        assert!(!contains_point(&none, [0.0; 3]));
    }
}

/// The nearest points of two half-spaces are on their borders; where they meet, one point of both.
#[test]
fn two_half_spaces_have_nearest_points() {
    let plane = |n: [f32; 3], d: f32| Plane::new(n, d).unwrap();
    let below = plane([0.0, 2.0, 0.0], 2.0);
    let apart = closest_points(&below, &plane([0.0, -1.0, 0.0], -4.0)).unwrap();
    assert_eq!((apart.on_a.y, apart.on_b.y, apart.distance), (1.0, 4.0, 3.0));
    for other in [
        plane([0.0, -1.0, 0.0], -1.0),
        plane([0.0, -1.0, 0.0], 3.0),
        plane([0.0, 1.0, 0.0], -7.0),
        plane([1.0, 0.0, 0.0], -50.0),
        plane([0.25, -1.0, 0.5], -9.0),
        plane([-3.0, 2.0, 0.0], -4.0),
    ] {
        let common = closest_points(&below, &other).unwrap();
        assert_eq!((common.on_a, common.distance), (common.on_b, 0.0), "{other:?}");
        let above = |plane: &Plane| plane.normal().dot(common.on_a) - plane.offset();
        assert!(above(&below) <= 1e-4 && above(&other) <= 1e-4, "{other:?}: {common:?}");
    }
}
