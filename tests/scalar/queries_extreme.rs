//! Huge, tiny and zero numbers: nothing panics, and no answer contains a NaN or an infinity.

use crate::properties::properties;
use glam::{Quat, Vec3};
use proptest::prelude::*;
use tangency::query::{
    Approach, CastRay, Closest, ClosestPoint, ClosestPoints, ClosestTo, Contact, ContactWith, Crossing, Motion, RayHit,
    cast_ray, closest_point, closest_points, closest_surface_point, contact, contact_two_sided, contains_point,
    crossing_line_line, crossing_plane, crossing_ray_ray, intersect, meets, side, side_of_point, signed_distance,
    sweep_plane, swept_aabb,
};
use tangency::shape::{Aabb, BoundedLine, Capsule, Obb, Parallelogram, Plane, Ray, Segment, Sphere, Triangle};
use tangency::{Result, Side};

/// Every size of number that there is, zero often, with either sign.
fn number() -> BoxedStrategy<f32> {
    let size = prop_oneof![
        3 => Just(0.0_f32),
        1 => Just(f32::MAX),
        1 => Just(f32::MIN_POSITIVE),
        1 => Just(f32::from_bits(1)),
        2 => Just(1.0_f32),
        3 => -4.0_f32..4.0,
        3 => (-126_i32..127, -2.0_f32..2.0).prop_map(|(e, m)| m * 2.0_f32.powi(e)),
    ];
    (size, any::<bool>()).prop_map(|(x, minus)| if minus { -x } else { x }.clamp(f32::MIN, f32::MAX)).boxed()
}

fn vector() -> BoxedStrategy<Vec3> {
    (number(), number(), number()).prop_map(Vec3::from).boxed()
}

fn length() -> impl Strategy<Value = f32> {
    number().prop_map(f32::abs)
}

prop_compose! {
    fn obb()(c in vector(), e in vector(), q in (number(), number(), number(), number())) -> Obb {
        let q = Quat::from_xyzw(q.0, q.1, q.2, q.3);
        Obb::new(c, e.abs(), q).unwrap_or(Obb::new(c, e.abs(), Quat::IDENTITY).unwrap())
    }
}

prop_compose! {
    fn aabb()(a in vector(), b in vector()) -> Aabb { Aabb::new(a.min(b), a.max(b)).unwrap() }
}

prop_compose! {
    fn sphere()(c in vector(), r in length()) -> Sphere { Sphere::new(c, r).unwrap() }
}

prop_compose! {
    fn capsule()(a in vector(), b in vector(), r in length()) -> Capsule { Capsule::new(a, b, r).unwrap() }
}

prop_compose! {
    fn segment()(a in vector(), b in vector()) -> Segment { Segment::new(a, b).unwrap() }
}

prop_compose! {
    fn triangle()(a in vector(), b in vector(), c in vector()) -> Triangle { Triangle::new(a, b, c).unwrap() }
}

prop_compose! {
    fn plane()(n in vector(), offset in number()) -> Plane {
        Plane::new(n, offset).unwrap_or(Plane::new([0.0, 1.0, 0.0], offset).unwrap())
    }
}

prop_compose! {
    fn ray()(o in vector(), d in vector()) -> Ray { Ray::new(o, d).unwrap_or(Ray::new(o, [1.0, 0.0, 0.0]).unwrap()) }
}

fn closest_is_finite(found: Result<Closest>) {
    let found = found.unwrap();
    assert!(found.point.is_finite() && found.distance.is_finite(), "{found:?}");
}

fn check_point(shape: &impl ClosestPoint, p: Vec3) {
    closest_is_finite(closest_point(shape, p));
    closest_is_finite(closest_surface_point(shape, p));
}

fn check_pair<A: ClosestTo<B>, B>(a: &A, b: &B) {
    let ClosestPoints { on_a, on_b, distance } = closest_points(a, b).unwrap();
    assert!(on_a.is_finite() && on_b.is_finite() && distance.is_finite() && distance >= 0.0);
}

fn check_ray(ray: &Ray, shape: &impl CastRay) {
    if let Some(RayHit { t, t_exit, point, normal, .. }) = cast_ray(ray, shape) {
        assert!(t.is_finite() && t_exit.is_finite() && point.is_finite() && normal.is_finite());
        assert!(t >= 0.0 && t_exit >= t && (normal.length() - 1.0).abs() < 1e-5);
    }
}

fn contact_is_finite(found: Option<Contact>) -> bool {
    if let Some(found) = found {
        assert!((found.normal().length() - 1.0).abs() < 1e-5, "{found:?}");
        assert!(found.depth().is_finite() && found.depth() >= 0.0 && !found.points().is_empty(), "{found:?}");
        for p in found.points() {
            assert!(p.on_a.is_finite() && p.on_b.is_finite() && p.depth.is_finite() && p.depth >= 0.0, "{found:?}");
        }
    }
    found.is_some()
}

fn check_contact<A: ContactWith<B, Answer = Option<Contact>>, B>(a: &A, b: &B) -> bool {
    contact_is_finite(contact(a, b))
}

fn approach_is_finite(found: Result<Approach>) {
    let found = found.unwrap();
    assert!(found.s.is_finite() && found.t.is_finite() && found.distance.is_finite(), "{found:?}");
    assert!(found.on_a.is_finite() && found.on_b.is_finite(), "{found:?}");
}

properties! {
    #![proptest_config(crate::support::config(20_000))]

    #[test]
    fn closest_points_are_finite(
        p in vector(), a in sphere(), b in aabb(), c in obb(), d in capsule(), e in segment(), f in triangle(), h in plane(),
        r in ray(),
    ) {
        check_point(&a, p);
        check_point(&b, p);
        check_point(&c, p);
        check_point(&d, p);
        check_point(&e, p);
        check_point(&f, p);
        check_point(&h, p);
        check_point(&r, p);
        check_point(&r.line(), p);
        if let Ok(g) = Parallelogram::new(p, r.direction(), r.origin()) {
            check_point(&g, e.a());
            check_ray(&r, &g);
            prop_assert!(g.aabb().validate().is_ok());
        }
        prop_assert!(signed_distance(&h, p).unwrap().is_finite() && side_of_point(p, &h).is_ok());
        contains_point(&d, p);
        contains_point(&f, p);
        prop_assert!(contains_point(&f, f.corners()[1]) && contains_point(&d, d.a()));
        prop_assert!(d.aabb().validate().is_ok());
    }

    #[test]
    fn pairs_are_finite(
        a in sphere(), b in aabb(), c in obb(), d in capsule(), e in segment(), f in triangle(), h in plane(), k in obb(),
        m in capsule(), n in segment(), t in triangle(),
    ) {
        check_pair(&a, &b);
        check_pair(&a, &c);
        check_pair(&a, &d);
        check_pair(&a, &f);
        check_pair(&b, &c);
        check_pair(&c, &k);
        check_pair(&d, &m);
        check_pair(&c, &d);
        check_pair(&e, &n);
        check_pair(&e, &f);
        check_pair(&c, &f);
        check_pair(&f, &t);
        check_pair(&d, &h);
        check_pair(&c, &h);
        // Shapes that share a point meet.
        let [x, y, _] = f.corners();
        prop_assert!(meets(&f, &Segment::new(x, e.a()).unwrap()) && meets(&f, &Capsule::new(y, e.a(), 0.0).unwrap()));
        prop_assert!(meets(&d, &Triangle::new(d.a(), e.a(), e.b()).unwrap()));
        prop_assert!(meets(&c, &Segment::new(c.center(), e.a()).unwrap()));
    }

    #[test]
    fn rays_and_lines_are_finite(
        r in ray(), s in ray(), a in sphere(), b in aabb(), c in obb(), d in capsule(), e in segment(), f in triangle(), h in plane(),
    ) {
        check_ray(&r, &a);
        check_ray(&r, &b);
        check_ray(&r, &c);
        check_ray(&r, &d);
        check_ray(&r, &f);
        check_ray(&r, &h);
        approach_is_finite(crossing_ray_ray(&r, &s, 0.0));
        approach_is_finite(crossing_line_line(&r.line(), &s.line(), 0.0));
        let part = BoundedLine::new(r.line(), -1.0, 1.0).unwrap();
        for found in [crossing_plane(&r, &h), crossing_plane(&r.line(), &h), crossing_plane(&e, &h), crossing_plane(&part, &h)] {
            if let Crossing::At { t, point } = found {
                prop_assert!(t.is_finite() && point.is_finite());
            }
        }
    }

    #[test]
    fn contacts_are_finite_and_exist_when_they_must(
        a in sphere(), s in sphere(), b in aabb(), x in aabb(), c in obb(), k in obb(), d in capsule(), m in capsule(), h in plane(),
    ) {
        prop_assert_eq!(check_contact(&a, &s), intersect(&a, &s).is_hit());
        prop_assert_eq!(check_contact(&a, &b), intersect(&a, &b).is_hit());
        prop_assert_eq!(check_contact(&a, &c), intersect(&a, &c).is_hit());
        prop_assert_eq!(check_contact(&b, &x), intersect(&b, &x).is_hit());
        prop_assert_eq!(check_contact(&b, &c), intersect(&b, &c).is_hit());
        prop_assert_eq!(check_contact(&c, &k), intersect(&c, &k).is_hit());
        prop_assert_eq!(check_contact(&d, &a), meets(&d, &a));
        prop_assert_eq!(check_contact(&d, &m), meets(&d, &m));
        prop_assert_eq!(check_contact(&a, &h), side(&a, &h) != Side::Outside);
        prop_assert_eq!(check_contact(&b, &h), side(&b, &h) != Side::Outside);
        prop_assert_eq!(check_contact(&c, &h), side(&c, &h) != Side::Outside);
        prop_assert_eq!(check_contact(&d, &h), side(&d, &h) != Side::Outside);
        contact_is_finite(contact_two_sided(&a, &h));
    }

    #[test]
    fn motion_is_finite(d in vector(), a in sphere(), b in aabb(), c in obb(), h in plane()) {
        let way = Motion::translation(d).unwrap();
        let found = [sweep_plane(&a, &way, &h), sweep_plane(&b, &way, &h), sweep_plane(&c, &way, &h)];
        for impact in found.into_iter().flatten() {
            prop_assert!((0.0..=1.0).contains(&impact.time) && impact.point.is_finite());
            prop_assert!((impact.normal.length() - 1.0).abs() < 1e-5);
        }
        prop_assert!(swept_aabb(&b, d).unwrap().contains(&b));
    }
}

#[test]
fn shapes_without_points_are_refused_or_missed() {
    let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]).unwrap();
    let ball = Sphere::new([0.0; 3], 1.0).unwrap();
    assert!(closest_point(&Aabb::EMPTY, [0.0; 3]).is_err() && closest_surface_point(&Aabb::EMPTY, [0.0; 3]).is_err());
    assert!(closest_points(&Aabb::EMPTY, &ball).is_err() && closest_point(&ball, [f32::NAN; 3]).is_err());
    assert!(cast_ray(&ray, &Aabb::EMPTY).is_none() && contact(&Aabb::EMPTY, &ball).is_none());
    assert!(!meets(&Aabb::EMPTY, &Segment::default()) && !contains_point(&Aabb::EMPTY, [0.0; 3]));
    let none: Obb = bytemuck::Zeroable::zeroed();
    assert!(cast_ray(&ray, &none).is_none() && contact(&none, &ball).is_none() && !meets(&none, &Segment::default()));
    let no_ray: Ray = bytemuck::Zeroable::zeroed();
    assert!(cast_ray(&no_ray, &ball).is_none() && Ray::new([0.0; 3], [0.0; 3]).is_err());
}
