//! Response: energy and momentum, walls, and what already parts.

use crate::properties::properties;
use crate::support::sizes;
use glam::{DVec3, Mat3, Vec3};
use proptest::prelude::*;
use tangency::Error;
use tangency::response::{Body, collide, collide_at, positional_correction, reflect};

fn vector(reach: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-reach..reach).prop_map(Vec3::from_array)
}

fn normal() -> impl Strategy<Value = Vec3> {
    vector(1.0).prop_filter("has a direction", |v| v.length() > 0.05)
}

fn momentum(body: &Body, mass: f32) -> DVec3 {
    body.velocity().as_dvec3() * f64::from(mass)
}

fn energy(body: &Body, mass: f32, inertia: f64) -> f64 {
    let (v, w) = (body.velocity().as_dvec3(), body.angular_velocity().as_dvec3());
    0.5 * f64::from(mass) * v.length_squared() + 0.5 * inertia * w.length_squared()
}

properties! {
    #[test]
    fn reflection_keeps_the_speed_and_leaves_the_wall(v in vector(10.0), n in normal()) {
        let out = reflect(v, n);
        let n = n.normalize();
        prop_assert!((out.length() - v.length()).abs() < 1e-4);
        prop_assert!(out.dot(n) >= -1e-5);
        prop_assert!((out.dot(n) - v.dot(n).abs()).abs() < 1e-4);
        // Along the wall nothing changes; and once is enough.
        prop_assert!((out - n * out.dot(n)).abs_diff_eq(v - n * v.dot(n), 1e-4));
        prop_assert!(reflect(out, n).abs_diff_eq(out, 1e-4));
    }

    #[test]
    fn elastic_collisions_keep_momentum_and_energy(ma in 0.1f32..10.0, mb in 0.1f32..10.0, u in vector(5.0), v in vector(5.0), n in normal()) {
        let (a, b) = (Body::new(ma, u).unwrap(), Body::new(mb, v).unwrap());
        let (x, y) = collide(&a, &b, n, 1.0);
        let before = momentum(&a, ma) + momentum(&b, mb);
        prop_assert!((momentum(&x, ma) + momentum(&y, mb)).abs_diff_eq(before, 1e-4));
        let kept = energy(&a, ma, 0.0) + energy(&b, mb, 0.0);
        prop_assert!((energy(&x, ma, 0.0) + energy(&y, mb, 0.0) - kept).abs() < 1e-3);
        // They do not approach any more.
        prop_assert!((x.velocity() - y.velocity()).dot(n.normalize()) < 1e-4);
    }

    #[test]
    fn restitution_is_the_ratio_of_the_speeds(ma in 0.1f32..10.0, u in vector(5.0), v in vector(5.0), n in normal(), e in 0.0f32..1.0) {
        let (a, b) = (Body::new(ma, u).unwrap(), Body::new(2.0, v).unwrap());
        let (x, y) = collide(&a, &b, n, e);
        let n = n.normalize();
        let (before, after) = ((u - v).dot(n), (x.velocity() - y.velocity()).dot(n));
        if before > 0.0 {
            prop_assert!((after + e * before).abs() < 1e-4);
        } else {
            prop_assert_eq!((x, y), (a, b));
        }
    }

    #[test]
    fn turning_bodies_keep_momentum_and_energy(
        ma in 0.1f32..10.0, mb in 0.1f32..10.0, ia in 0.1f32..5.0, ib in 0.1f32..5.0, u in vector(3.0), v in vector(3.0),
        wa in vector(3.0), wb in vector(3.0), ca in vector(1.0), cb in vector(1.0), at in vector(1.0), n in normal(),
    ) {
        let inverse = |i: f32| Mat3::from_diagonal(Vec3::splat(1.0 / i));
        let a = Body::new(ma, u).unwrap().turning(ca, inverse(ia), wa).unwrap();
        let b = Body::new(mb, v).unwrap().turning(cb, inverse(ib), wb).unwrap();
        let (x, y) = collide_at(&a, &b, at, n, 1.0);
        let kept = energy(&a, ma, f64::from(ia)) + energy(&b, mb, f64::from(ib));
        let now = energy(&x, ma, f64::from(ia)) + energy(&y, mb, f64::from(ib));
        prop_assert!((kept - now).abs() < 1e-4 * kept.max(1.0), "{kept} {now}");
        let before = momentum(&a, ma) + momentum(&b, mb);
        prop_assert!((momentum(&x, ma) + momentum(&y, mb)).abs_diff_eq(before, 1e-3));
        let angular = |body: &Body, m: f32, i: f32, c: Vec3| {
            c.as_dvec3().cross(momentum(body, m)) + body.angular_velocity().as_dvec3() * f64::from(i)
        };
        let before = angular(&a, ma, ia, ca) + angular(&b, mb, ib, cb);
        prop_assert!((angular(&x, ma, ia, ca) + angular(&y, mb, ib, cb)).abs_diff_eq(before, 1e-3));
        let point = |body: &Body, c: Vec3| body.velocity() + body.angular_velocity().cross(at - c);
        prop_assert!((point(&x, ca) - point(&y, cb)).dot(n.normalize()) < 1e-3);
        // Through both centres, turning plays no part.
        let central = |body: &Body| body.turning([0.0; 3], inverse(1.0), [0.0; 3]).unwrap();
        let (p, q) = collide_at(&central(&a), &central(&b), n, n, 1.0);
        let (r, s) = collide(&a, &b, n, 1.0);
        prop_assert!(p.velocity().abs_diff_eq(r.velocity(), 1e-4) && q.velocity().abs_diff_eq(s.velocity(), 1e-4));
    }

    #[test]
    fn a_wall_reflects(v in vector(5.0), n in normal(), mass in 0.1f32..10.0) {
        let wall = Body::new(f32::INFINITY, [0.0; 3]).unwrap();
        let (pushed, still) = collide(&Body::new(mass, v).unwrap(), &wall, -n, 1.0);
        prop_assert!(pushed.velocity().abs_diff_eq(reflect(v, n), 1e-4));
        prop_assert_eq!(still, wall);
    }

    #[test]
    fn corrections_part_by_the_depth(ma in 0.1f32..10.0, mb in 0.1f32..10.0, n in normal(), depth in 0.0f32..2.0) {
        let (a, b) = (Body::new(ma, [0.0; 3]).unwrap(), Body::new(mb, [0.0; 3]).unwrap());
        let (x, y) = positional_correction(&a, &b, n, depth);
        prop_assert!((y - x).abs_diff_eq(n.normalize() * depth, 1e-5));
        prop_assert!((x * ma + y * mb).abs_diff_eq(Vec3::ZERO, 1e-4), "the common centre of mass stays");
    }

    #[test]
    fn numbers_of_every_size(
        m in prop::array::uniform2(sizes()), v in prop::array::uniform2(prop::array::uniform3(sizes())), n in prop::array::uniform3(sizes()),
        p in prop::array::uniform3(sizes()), i in prop::array::uniform9(sizes()), e in sizes(),
    ) {
        let [Ok(a), Ok(b)] = [Body::new(m[0].abs(), v[0]), Body::new(m[1].abs(), v[1])] else { return Ok(()) };
        let a = a.turning(p, Mat3::from_cols_array(&i), v[1]).unwrap();
        let (x, y) = collide_at(&a, &b, v[1], n, e);
        let (r, s) = collide(&a, &b, n, e);
        for body in [x, y, r, s] {
            prop_assert!(body.velocity().is_finite() && body.angular_velocity().is_finite());
        }
        let (c, d) = positional_correction(&a, &b, n, e);
        prop_assert!(c.is_finite() && d.is_finite() && reflect(v[0], n).is_finite());
    }
}

#[test]
fn bad_bodies_are_refused() {
    assert_eq!(Body::new(0.0, [0.0; 3]).unwrap_err(), Error::NotPositive { field: "mass", value: 0.0 });
    assert!(Body::new(f32::NAN, [0.0; 3]).is_err() && Body::new(-1.0, [0.0; 3]).is_err());
    assert!(Body::new(1.0, [f32::INFINITY, 0.0, 0.0]).is_err());
    let body = Body::new(1.0, [0.0; 3]).unwrap();
    assert!(body.turning([0.0; 3], Mat3::NAN, [0.0; 3]).is_err());
}

#[test]
fn two_walls_and_no_normal_change_nothing() {
    let wall = Body::new(f32::INFINITY, [1.0, 0.0, 0.0]).unwrap();
    let still = Body::new(f32::INFINITY, [0.0; 3]).unwrap();
    assert_eq!(collide(&wall, &still, Vec3::X, 1.0), (wall, still));
    assert_eq!(positional_correction(&wall, &still, Vec3::X, 1.0), (Vec3::ZERO, Vec3::ZERO));
    let body = Body::new(1.0, [1.0, 0.0, 0.0]).unwrap();
    assert_eq!(collide(&body, &still, Vec3::ZERO, 1.0), (body, still));
    assert_eq!(collide(&body, &still, Vec3::NAN, 1.0), (body, still));
    assert_eq!(reflect(Vec3::X, Vec3::ZERO), Vec3::X);
}
