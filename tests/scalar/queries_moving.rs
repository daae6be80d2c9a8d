//! Swept bounds, and motion against planes.

use crate::properties::properties;
use crate::support::{aabb, capsule, obb, plane, point, segment, sphere, triangle};
use glam::Vec3;
use proptest::prelude::*;
use tangency::query::{ClassifySide, Motion, Support, side, sweep_plane, swept_aabb, touches_plane};
use tangency::shape::{Aabb, Obb, Plane, Sphere};
use tangency::{Relation, Side};

/// Before the impact the shape is outside; after it, for sure, in.
fn check<S: Support + ClassifySide>(
    shape: &S,
    d: Vec3,
    h: &Plane,
    at: impl Fn(Vec3) -> S,
) -> Result<(), TestCaseError> {
    let found = sweep_plane(shape, &Motion::translation(d).unwrap(), h);
    let Some(impact) = found else {
        for step in 0_u8..=16 {
            prop_assert_eq!(side(&at(d * (f32::from(step) / 16.0)), h), Side::Outside);
        }
        return Ok(());
    };
    let time = impact.time as f32;
    prop_assert!((0.0..=1.0).contains(&impact.time) && impact.point.is_finite());
    if side(shape, h) == Side::Outside {
        let rate = d.dot(h.normal().normalize());
        prop_assert!(rate < 0.0);
        // A little earlier, by far more than the rounding of the shifted shape, and a little later.
        let margin = 2e-5 / -rate;
        let early = time - margin;
        if early > 0.0 {
            prop_assert_eq!(side(&at(d * early), h), Side::Outside);
        }
        prop_assert_ne!(side(&at(d * (time + margin)), h), Side::Outside);
        prop_assert!(impact.point.dot(h.normal()) - h.offset() < 1e-4 * h.normal().length());
    } else {
        prop_assert_eq!(impact.time, 0.0);
    }
    Ok(())
}

/// The sides are those of the parts.
fn check_side(shape: &impl ClassifySide, heights: &[f32], h: &Plane) -> Result<(), TestCaseError> {
    let (low, high) = heights.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(l, m), x| (l.min(*x), m.max(*x)));
    let found = side(shape, h);
    if low.abs() > 1e-5 && high.abs() > 1e-5 {
        let expected = if high < 0.0 {
            Side::Inside
        } else if low > 0.0 {
            Side::Outside
        } else {
            Side::Crossing
        };
        prop_assert_eq!(found, expected);
        prop_assert_eq!(touches_plane(shape, h), expected == Side::Crossing);
    }
    Ok(())
}

properties! {
    #![proptest_config(crate::support::config(2000))]

    #[test]
    fn impacts_come_at_their_time(h in plane(), d in point(), a in sphere(), b in aabb(), c in obb(), k in capsule()) {
        check(&a, d, &h, |x| a.translate(x).unwrap())?;
        check(&b, d, &h, |x| b.translate(x).unwrap())?;
        check(&c, d, &h, |x| c.translate(x).unwrap())?;
        check(&k, d, &h, |x| k.translate(x).unwrap())?;
    }

    #[test]
    fn swept_bounds_contain_the_way(b in aabb(), d in point(), t in 0.0_f32..=1.0) {
        let swept = swept_aabb(&b, d).unwrap();
        prop_assert!(swept.contains(&b) && swept.contains(&b.translate(d).unwrap()));
        let grown = |x: f32| x + x.abs() * f32::EPSILON + 1e-6;
        let between = b.translate(d * t).unwrap();
        prop_assert!(between.max().cmple(swept.max().map(grown)).all());
        prop_assert!((-between.min()).cmple((-swept.min()).map(grown)).all());
    }

    #[test]
    fn sides_of_hulls_are_those_of_their_parts(h in plane(), k in capsule(), s in segment(), f in triangle()) {
        let height = |p: Vec3| tangency::query::signed_distance(&h, p).unwrap();
        let r = k.radius();
        check_side(&k, &[height(k.a()) - r, height(k.a()) + r, height(k.b()) - r, height(k.b()) + r], &h)?;
        check_side(&s, &[height(s.a()), height(s.b())], &h)?;
        check_side(&f, &f.corners().map(height), &h)?;
    }
}

#[test]
fn a_bullet_does_not_tunnel() {
    let wall = Plane::new([1.0, 0.0, 0.0], 0.0).unwrap();
    let bullet = Sphere::new([1e6, 0.0, 0.0], 1e-3).unwrap();
    let way = |x: f32, y: f32| Motion::translation([x, y, 0.0]).unwrap();
    let impact = sweep_plane(&bullet, &way(-1e30, 0.0), &wall).unwrap();
    assert!(impact.time > 0.0 && impact.time < 1.1e-24);
    assert_eq!(sweep_plane(&bullet, &way(1e30, 0.0), &wall), None);
    // One that ends exactly on the wall touches it.
    let box_ = Aabb::new([2.0, 0.0, 0.0], [3.0, 1.0, 1.0]).unwrap();
    let end = sweep_plane(&box_, &way(-2.0, 5.0), &wall).unwrap().time;
    assert!((1.0 - 1e-13..=1.0).contains(&end));
}

#[test]
fn swept_bounds_round_outward() {
    let b = Aabb::new([1.0; 3], [2.0; 3]).unwrap();
    let swept = swept_aabb(&b, [-1e-40, 1e-40, 0.0]).unwrap();
    assert!(swept.min().x < 1.0 && swept.max().y > 2.0 && swept.min().z == 1.0);
    assert_eq!(tangency::query::intersect(&swept, &b), Relation::Overlapping);
    assert_eq!(swept_aabb(&Aabb::EMPTY, [1.0; 3]), Ok(Aabb::EMPTY));
    assert!(swept_aabb(&b, [f32::NAN; 3]).is_err());
    let _: Obb = b.to_obb().unwrap();
}
