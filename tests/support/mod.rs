//! What the query tests share: random shapes, and a rigid motion to move them by.
#![allow(dead_code, reason = "each test file uses its part")]

pub mod sampled;

use glam::{Quat, Vec3, Vec3Swizzles};
use proptest::prelude::*;
use tangency::shape::{Aabb, Capsule, ConvexHull, Obb, Parallelogram, Plane, Ray, Segment, Sphere, Triangle};

/// So many cases, or a third of them unless there is time ([`is_long`]); and no file of past failures: a failure belongs into a test of
/// its own.
pub fn config(cases: u32) -> ProptestConfig {
    let cases = if is_long() { cases } else { cases / 3 };
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

/// Whether there is time for many cases (`./test.sh --long`).
pub fn is_long() -> bool {
    std::env::var_os("TANGENCY_TEST_LONG").is_some_and(|value| value == "1")
}

/// Numbers of every size, and the ones at which things break.
pub fn sizes() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<f32>().prop_filter("finite", |x| x.is_finite()),
        Just(0.0),
        Just(f32::MAX),
        Just(-f32::MAX),
        Just(f32::from_bits(1)),
        -1.0_f32..1.0,
        -1e-30_f32..1e-30,
        -1e10_f32..1e10,
    ]
}

pub fn point() -> impl Strategy<Value = Vec3> {
    (-4.0_f32..4.0, -4.0_f32..4.0, -4.0_f32..4.0).prop_map(Vec3::from)
}

pub fn direction() -> impl Strategy<Value = Vec3> {
    point().prop_filter("a direction", |v| v.length() > 0.2)
}

pub fn rotation() -> impl Strategy<Value = Quat> {
    (-1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0)
        .prop_map(|(x, y, z, w)| Quat::from_xyzw(x, y, z, w))
        .prop_filter("a rotation", |q| q.length() > 0.1)
        .prop_map(Quat::normalize)
}

pub fn extents() -> impl Strategy<Value = Vec3> {
    (0.2_f32..2.0, 0.2_f32..2.0, 0.2_f32..2.0).prop_map(Vec3::from)
}

prop_compose! {
    pub fn sphere()(c in point(), r in 0.1_f32..2.0) -> Sphere { Sphere::new(c, r).unwrap() }
}

prop_compose! {
    pub fn aabb()(c in point(), e in extents()) -> Aabb { Aabb::from_center_half_extents(c, e).unwrap() }
}

prop_compose! {
    pub fn obb()(c in point(), e in extents(), q in rotation()) -> Obb { Obb::new(c, e, q).unwrap() }
}

prop_compose! {
    pub fn capsule()(a in point(), b in point(), r in 0.1_f32..1.5) -> Capsule { Capsule::new(a, b, r).unwrap() }
}

prop_compose! {
    pub fn segment()(a in point(), b in point()) -> Segment { Segment::new(a, b).unwrap() }
}

prop_compose! {
    pub fn ray()(o in point(), d in direction()) -> Ray { Ray::new(o, d).unwrap() }
}

prop_compose! {
    pub fn plane()(p in point(), n in direction()) -> Plane { Plane::from_point_normal(p, n).unwrap() }
}

pub fn triangle() -> impl Strategy<Value = Triangle> {
    (point(), point(), point())
        .prop_map(|(a, b, c)| Triangle::new(a, b, c).unwrap())
        .prop_filter("no sliver", |t| t.area() > 0.3)
}

pub fn parallelogram() -> impl Strategy<Value = Parallelogram> {
    (point(), direction(), direction())
        .prop_filter("no sliver", |(_, u, v)| u.cross(*v).length() > 0.3)
        .prop_map(|(c, u, v)| Parallelogram::new(c, u, v).unwrap())
}

/// A solid hull of up to eleven corners, within 6 of the origin.
pub fn hull() -> impl Strategy<Value = ConvexHull> {
    (point(), prop::collection::vec(point(), 4..12))
        .prop_map(|(by, points)| ConvexHull::from_points(points.into_iter().map(|p| p * 0.4 + by)).unwrap())
        .prop_filter("no sheet", |hull| hull.volume() > 0.1)
}

/// A turn about the origin, then a shift.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    pub turn: Quat,
    pub shift: Vec3,
}

prop_compose! {
    pub fn motion()(turn in rotation(), shift in point()) -> Motion { Motion { turn, shift } }
}

impl Motion {
    pub fn point(&self, p: Vec3) -> Vec3 {
        (self.turn.as_dquat() * p.as_dvec3()).as_vec3() + self.shift
    }

    pub fn direction(&self, d: Vec3) -> Vec3 {
        (self.turn.as_dquat() * d.as_dvec3()).as_vec3()
    }
}

/// A shape that a rigid motion takes to one of its kind.
pub trait Moved {
    fn moved(&self, motion: &Motion) -> Self;
}

macro_rules! moved {
    ($($shape:ident),*) => {$(
        impl Moved for $shape {
            fn moved(&self, motion: &Motion) -> Self {
                self.rotate(motion.turn).unwrap().translate(motion.shift).unwrap()
            }
        }
    )*};
}

moved!(Sphere, Obb, Capsule, Segment, Triangle, Ray, Parallelogram, ConvexHull);

impl Moved for Plane {
    fn moved(&self, motion: &Motion) -> Self {
        let n = self.normal();
        let on = n * (self.offset() / n.length_squared());
        Plane::from_point_normal(motion.point(on), motion.direction(n)).unwrap()
    }
}

/// Points of a shape, spread by three numbers in [0, 1].
pub trait Spread {
    fn spread(&self, u: Vec3) -> Vec3;
}

impl Spread for Sphere {
    fn spread(&self, u: Vec3) -> Vec3 {
        self.center() + (u * 2.0 - 1.0).clamp_length_max(1.0) * self.radius()
    }
}

impl Spread for Aabb {
    fn spread(&self, u: Vec3) -> Vec3 {
        self.min() + self.size() * u
    }
}

impl Spread for Obb {
    fn spread(&self, u: Vec3) -> Vec3 {
        self.center() + self.rotation().normalize() * (self.half_extents() * (u * 2.0 - 1.0))
    }
}

impl Spread for Segment {
    fn spread(&self, u: Vec3) -> Vec3 {
        self.at(u.x)
    }
}

impl Spread for Capsule {
    fn spread(&self, u: Vec3) -> Vec3 {
        self.segment().at(u.x) + (u.zyx() * 2.0 - 1.0).clamp_length_max(1.0) * self.radius()
    }
}

impl Spread for Triangle {
    fn spread(&self, u: Vec3) -> Vec3 {
        let [a, b, c] = self.corners();
        let (s, t) = if u.x + u.y > 1.0 { (1.0 - u.x, 1.0 - u.y) } else { (u.x, u.y) };
        a + (b - a) * s + (c - a) * t
    }
}

impl Spread for Parallelogram {
    fn spread(&self, u: Vec3) -> Vec3 {
        self.corner() + self.u() * u.x + self.v() * u.y
    }
}

pub fn unit_cube() -> impl Strategy<Value = Vec3> {
    (0.0_f32..=1.0, 0.0_f32..=1.0, 0.0_f32..=1.0).prop_map(Vec3::from)
}
