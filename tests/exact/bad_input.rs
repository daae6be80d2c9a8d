//! Input that makes no shape: a clear error, or the right answer; never a panic, never a NaN out.

use glam::{Quat, Vec3};
use tangency::query::{intersect, side};
use tangency::shape::{Aabb, Obb, Plane, Sphere};
use tangency::{Error, Relation, Side};

const BAD: [f32; 3] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

/// The error, with the field it names.
fn field(result: Result<impl Sized, Error>) -> &'static str {
    match result.err().expect("must be refused") {
        Error::NotFinite { field, .. } | Error::Negative { field, .. } => field,
        other => panic!("{other}"),
    }
}

#[test]
fn numbers_that_are_not_finite_are_named() {
    for bad in BAD {
        for k in 0..3 {
            let mut v = Vec3::ONE;
            v[k] = bad;
            let name = |stem: &str| format!("{stem}.{}", ['x', 'y', 'z'][k]);
            assert_eq!(field(Sphere::new(v, 1.0)), name("center"));
            assert_eq!(field(Aabb::new(v, [2.0; 3])), name("min"));
            assert_eq!(field(Aabb::new([0.0; 3], v)), name("max"));
            assert_eq!(field(Aabb::from_position_size(v, [1.0; 3])), name("position"));
            assert_eq!(field(Aabb::from_position_size([0.0; 3], v)), name("size"));
            assert_eq!(field(Aabb::from_center_half_extents(v, [1.0; 3])), name("center"));
            assert_eq!(field(Aabb::from_center_half_extents([0.0; 3], v)), name("half_extents"));
            assert_eq!(field(Aabb::from_points([Vec3::ZERO, v])), name("point"));
            assert_eq!(field(Obb::new(v, [1.0; 3], Quat::IDENTITY)), name("center"));
            assert_eq!(field(Obb::new([0.0; 3], v, Quat::IDENTITY)), name("half_extents"));
            assert_eq!(field(Plane::new(v, 0.0)), name("normal"));
            assert_eq!(field(Plane::from_point_normal(v, [1.0, 0.0, 0.0])), name("point"));
            assert_eq!(field(Plane::from_points([0.0; 3], v, [1.0, 0.0, 0.0])), name("point"));
            assert_eq!(field(Aabb::new([0.0; 3], [1.0; 3]).unwrap().translate(v)), name("offset"));
            assert!(Sphere::new([0.0; 3], 1.0).unwrap().translate(v).is_err());
            assert!(Obb::new([0.0; 3], [1.0; 3], Quat::IDENTITY).unwrap().translate(v).is_err());
        }
        assert_eq!(field(Sphere::new([0.0; 3], bad)), "radius");
        assert_eq!(field(Plane::new([1.0, 0.0, 0.0], bad)), "offset");
        for k in 0..4 {
            let mut q = [0.5; 4];
            q[k] = bad;
            let name = format!("rotation.{}", ['x', 'y', 'z', 'w'][k]);
            assert_eq!(field(Obb::new([0.0; 3], [1.0; 3], Quat::from_array(q))), name);
            assert_eq!(field(Obb::default().rotate(Quat::from_array(q))), name);
            assert_eq!(field(Aabb::default().rotate(Quat::from_array(q))), name);
            assert_eq!(field(Sphere::default().rotate(Quat::from_array(q))), name);
        }
    }
}

#[test]
fn lengths_below_zero_are_refused_and_minus_zero_is_zero() {
    let tiny = -f32::from_bits(1);
    assert_eq!(Sphere::new([0.0; 3], tiny), Err(Error::Negative { field: "radius", value: tiny }));
    assert_eq!(field(Obb::new([0.0; 3], [1.0, tiny, 1.0], Quat::IDENTITY)), "half_extents.y");
    assert_eq!(field(Aabb::from_center_half_extents([0.0; 3], [1.0, 1.0, -2.0])), "half_extents.z");
    assert_eq!(field(Aabb::from_position_size([0.0; 3], [-1.0, 1.0, 1.0])), "size.x");
    let (minus, plus) = (Sphere::new([-0.0; 3], -0.0).unwrap(), Sphere::new([0.0; 3], 0.0).unwrap());
    assert_eq!(intersect(&minus, &plus), Relation::Touching);
    let flat =
        |zero: f32| Obb::new([0.0, zero, 0.0], [1.0, zero, 1.0], Quat::from_xyzw(zero, zero, zero, 1.0)).unwrap();
    assert_eq!(intersect(&flat(-0.0), &flat(0.0)), Relation::Touching);
    let aligned = |zero: f32| Aabb::new([zero; 3], [1.0; 3]).unwrap();
    assert_eq!(intersect(&aligned(-0.0), &Aabb::new([-1.0; 3], [0.0; 3]).unwrap()), Relation::Touching);
    assert_eq!(intersect(&aligned(0.0), &Aabb::new([-1.0; 3], [-0.0; 3]).unwrap()), Relation::Touching);
    assert!(Aabb::new([0.0; 3], [-0.0; 3]).is_ok());
}

#[test]
fn what_is_no_rotation_no_box_or_no_plane_is_refused() {
    assert_eq!(Obb::new([0.0; 3], [1.0; 3], Quat::from_xyzw(0.0, -0.0, 0.0, 0.0)), Err(Error::ZeroRotation));
    assert_eq!(Obb::default().rotate(Quat::from_array([0.0; 4])), Err(Error::ZeroRotation));
    assert_eq!(Aabb::new([0.0, 2.0, 0.0], [1.0; 3]), Err(Error::Reversed { axis: 'y', min: 2.0, max: 1.0 }));
    assert_eq!(Aabb::from_points([[0.0_f32; 3]; 0]), Err(Error::NoPoints));
    assert_eq!(Plane::new([0.0, -0.0, 0.0], 1.0), Err(Error::ZeroNormal));
    assert_eq!(Plane::from_points([0.0; 3], [1.0; 3], [2.0; 3]), Err(Error::CollinearPoints));
    assert_eq!(Plane::from_points([1.0; 3], [1.0; 3], [2.0; 3]), Err(Error::CollinearPoints));
    assert!(Aabb::new(Vec3::INFINITY, Vec3::NEG_INFINITY).is_err(), "the empty box by hand");
    assert_eq!(Aabb::EMPTY.validate(), Err(Error::EmptyBox));
    assert_eq!(Aabb::EMPTY.to_obb(), Err(Error::EmptyBox));
}

#[test]
fn sums_beyond_f32_are_refused_and_measures_stay_finite() {
    assert!(Aabb::from_position_size([f32::MAX; 3], [f32::MAX; 3]).is_err());
    assert!(Aabb::from_center_half_extents([-f32::MAX; 3], [f32::MAX; 3]).is_err());
    assert!(Sphere::new([f32::MAX; 3], 1.0).unwrap().translate([f32::MAX; 3]).is_err());
    assert!(Plane::from_point_normal([f32::MAX; 3], [f32::MAX; 3]).is_err());
    let whole = Aabb::new([-f32::MAX; 3], [f32::MAX; 3]).unwrap();
    assert!(whole.volume().is_finite() && whole.area().is_finite() && whole.diagonal().is_finite());
    assert!(whole.size().is_finite() && whole.center() == Vec3::ZERO && whole.half_extents().is_finite());
    let turned = Obb::new([f32::MAX; 3], [f32::MAX; 3], Quat::from_xyzw(1.0, 2.0, 3.0, 4.0)).unwrap();
    assert!(turned.corners().iter().all(|c| c.is_finite()) && turned.aabb().validate().is_ok());
    assert!(turned.volume().is_finite() && turned.axes().iter().all(|a| a.is_finite()));
    let ball = Sphere::new([f32::MAX; 3], f32::MAX).unwrap();
    assert!(ball.volume().is_finite() && ball.aabb().validate().is_ok());
    assert!(ball.merge(&Sphere::new([-f32::MAX; 3], f32::MAX).unwrap()).is_err());
    assert_eq!(ball.merge(&ball), Ok(ball));
    for tiny in [1e-45, 1e-38] {
        let turned = Obb::new([tiny; 3], [tiny; 3], Quat::from_xyzw(tiny, tiny, 0.0, tiny)).unwrap();
        assert!(turned.axes().iter().all(|a| (a.length() - 1.0).abs() < 1e-12));
        assert!(turned.rotate(turned.rotation()).is_ok());
    }
}

#[test]
fn the_empty_box_meets_nothing() {
    let unit = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    let turned = Obb::new([0.0; 3], [1.0; 3], Quat::from_xyzw(1.0, 2.0, 3.0, 4.0)).unwrap();
    let aligned = Obb::new([0.0; 3], [1.0; 3], Quat::IDENTITY).unwrap();
    let ball = Sphere::new([0.0; 3], 1.0).unwrap();
    assert_eq!(intersect(&Aabb::EMPTY, &unit), Relation::Separate);
    assert_eq!(intersect(&Aabb::EMPTY, &Aabb::EMPTY), Relation::Separate);
    assert_eq!(intersect(&Aabb::EMPTY, &turned), Relation::Separate);
    assert_eq!(intersect(&Aabb::EMPTY, &aligned), Relation::Separate);
    assert_eq!(intersect(&Aabb::EMPTY, &ball), Relation::Separate);
    assert_eq!(side(&Aabb::EMPTY, &Plane::new([1.0, 0.0, 0.0], 0.0).unwrap()), Side::Outside);
    assert_eq!(Aabb::EMPTY.translate([1.0; 3]), Ok(Aabb::EMPTY));
    assert_eq!(Aabb::EMPTY.rotate(Quat::from_xyzw(1.0, 2.0, 3.0, 4.0)), Ok(Aabb::EMPTY));
    assert!(unit.contains(&Aabb::EMPTY) && !Aabb::EMPTY.contains(&unit));
    assert_eq!((Aabb::EMPTY.size(), Aabb::EMPTY.center()), (Vec3::ZERO, Vec3::ZERO));
    assert_eq!((Aabb::EMPTY.volume(), Aabb::EMPTY.area(), Aabb::EMPTY.diagonal()), (0.0, 0.0, 0.0));
}

/// A cast skips the constructors, so every bit pattern can reach the queries.
#[test]
fn bits_from_outside_never_panic_and_what_is_no_shape_meets_nothing() {
    let words = [0_u32, 1, 0x8000_0000, 0x3f80_0000, 0xbf80_0000, 0x7f7f_ffff, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000];
    let mut state = 0x5EED_u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        words[(state >> 33) as usize % words.len()]
    };
    for _ in 0..200_000 {
        let a: Obb = bytemuck::cast([(); 10].map(|()| next()));
        let b: Obb = bytemuck::cast([(); 10].map(|()| next()));
        let s: Sphere = bytemuck::cast([(); 4].map(|()| next()));
        let t: Sphere = bytemuck::cast([(); 4].map(|()| next()));
        let c: Aabb = bytemuck::cast([(); 6].map(|()| next()));
        let d: Aabb = bytemuck::cast([(); 6].map(|()| next()));
        let p: Plane = bytemuck::cast([(); 4].map(|()| next()));
        let valid = [a.validate().is_ok(), b.validate().is_ok(), s.validate().is_ok(), t.validate().is_ok()];
        let [a_ok, b_ok, s_ok, t_ok] = valid;
        let (c_ok, d_ok, p_ok) = (c.validate().is_ok(), d.validate().is_ok(), p.validate().is_ok());
        for (relation, ok) in [
            (intersect(&a, &b), a_ok && b_ok),
            (intersect(&c, &a), c_ok && a_ok),
            (intersect(&c, &d), c_ok && d_ok),
            (intersect(&s, &a), s_ok && a_ok),
            (intersect(&s, &c), s_ok && c_ok),
            (intersect(&s, &t), s_ok && t_ok),
        ] {
            assert!(ok || relation == Relation::Separate, "{a:?} {b:?} {c:?} {d:?} {s:?} {t:?}");
        }
        for (side, ok) in [(side(&a, &p), a_ok), (side(&c, &p), c_ok), (side(&s, &p), s_ok)] {
            assert!(ok && p_ok || side == Side::Outside, "{a:?} {c:?} {s:?} {p:?}");
        }
    }
}
