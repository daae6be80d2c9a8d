//! Deterministic contacts against the scalar function in `f64`.

mod hulls;
mod lanes;
mod polygons;

use glam::{DVec3, Quat, Vec3};
use proptest::prelude::*;

use super::{Frame, Known, Manifold, manifold};
use crate::Relation;
use crate::query::near::{Core, Cuboid, near, near_point_segment};
use crate::query::{ContactKind, intersect};
use crate::shape::kinds::{BodyShape, encode};
use crate::shape::{Aabb, Capsule, Obb, Plane, Sphere};

/// What is measured of a shape in `f64`.
enum Solid {
    Ball(DVec3, f64),
    Box(Cuboid),
    Capsule(Capsule),
}

fn solid(shape: &BodyShape<'_>) -> Solid {
    match shape {
        BodyShape::Sphere(ball) => Solid::Ball(ball.center().as_dvec3(), f64::from(ball.radius())),
        BodyShape::Aabb(aabb) => Solid::Box(Cuboid::of_aabb(aabb).expect("a box")),
        BodyShape::Obb(obb) => Solid::Box(Cuboid::of_obb(obb).expect("a box")),
        BodyShape::Capsule(capsule) => Solid::Capsule(*capsule),
        BodyShape::Plane(_) | BodyShape::ConvexHull(_) => unreachable!("it has no middle"),
    }
}

impl Solid {
    fn center(&self) -> DVec3 {
        match self {
            Self::Ball(center, _) => *center,
            Self::Box(cuboid) => cuboid.center,
            Self::Capsule(capsule) => (capsule.a().as_dvec3() + capsule.b().as_dvec3()) / 2.0,
        }
    }

    fn reach(&self, direction: DVec3) -> f64 {
        match self {
            Self::Ball(_, radius) => *radius,
            Self::Box(cuboid) => cuboid.reach(direction),
            Self::Capsule(capsule) => {
                let half = (capsule.b().as_dvec3() - capsule.a().as_dvec3()) / 2.0;
                half.dot(direction).abs() + f64::from(capsule.radius())
            }
        }
    }

    /// Without its radius.
    fn core(&self) -> Core {
        match self {
            Self::Ball(center, _) => Core::Point(*center),
            Self::Box(cuboid) => Core::Cuboid(*cuboid),
            Self::Capsule(capsule) => Core::Segment((capsule.a().as_dvec3(), capsule.b().as_dvec3())),
        }
    }

    /// The directions of its edges.
    fn edges(&self) -> Vec<DVec3> {
        match self {
            Self::Ball(..) => Vec::new(),
            Self::Box(cuboid) => (0..3).map(|k| cuboid.axes.col(k)).collect(),
            Self::Capsule(capsule) => {
                (capsule.b().as_dvec3() - capsule.a().as_dvec3()).try_normalize().into_iter().collect()
            }
        }
    }

    /// The largest half extent.
    fn size(&self) -> f64 {
        match self {
            Self::Ball(_, radius) => *radius,
            Self::Box(cuboid) => cuboid.half.max_element(),
            Self::Capsule(capsule) => capsule.diagonal() / 2.0,
        }
    }

    /// How far a point is outside.
    fn distance(&self, point: DVec3) -> f64 {
        match self {
            Self::Ball(center, radius) => (point.distance(*center) - radius).max(0.0),
            Self::Box(cuboid) => cuboid.nearest(point).distance(point),
            Self::Capsule(capsule) => {
                let (a, b) = (capsule.a().as_dvec3(), capsule.b().as_dvec3());
                let away = near_point_segment(point, (a, b)).1.distance(point);
                (away - f64::from(capsule.radius())).max(0.0)
            }
        }
    }
}

/// The least depth of all axes.
fn least_depth(a: &Solid, b: &Solid) -> f64 {
    let between = b.center() - a.center();
    let depth = |n: DVec3| a.reach(n) + b.reach(n) - between.dot(n).abs();
    match (a, b) {
        (Solid::Ball(..), Solid::Ball(..)) => depth(between.try_normalize().unwrap_or(DVec3::X)),
        (Solid::Ball(center, radius), Solid::Box(cuboid)) | (Solid::Box(cuboid), Solid::Ball(center, radius)) => {
            let local = cuboid.to_local(*center);
            let outside = local.distance(local.clamp(-cuboid.half, cuboid.half));
            if outside > 0.0 { radius - outside } else { radius + cuboid.nearest_face(local).1 }
        }
        (Solid::Box(p), Solid::Box(q)) => {
            let mut axes: Vec<DVec3> = (0..3).flat_map(|k| [p.axes.col(k), q.axes.col(k)]).collect();
            for (i, j) in (0..9).map(|k| (k / 3, k % 3)) {
                let cross = p.axes.col(i).cross(q.axes.col(j));
                if cross.length() > 1e-8 {
                    axes.push(cross.normalize());
                }
            }
            axes.into_iter().map(depth).fold(f64::INFINITY, f64::min)
        }
        (Solid::Capsule(_), _) | (_, Solid::Capsule(_)) => {
            let (p, q) = near(&a.core(), &b.core());
            if p.distance(q) > 1e-12 {
                return depth((q - p).normalize());
            }
            // Through a face of all differences.
            let edges: Vec<DVec3> = a.edges().into_iter().chain(b.edges()).collect();
            let pairs = edges.iter().flat_map(|e| edges.iter().map(|f| e.cross(*f)));
            let mut normals: Vec<DVec3> = pairs.filter(|n| n.length() > 1e-8).map(DVec3::normalize).collect();
            if normals.is_empty() {
                normals.push(edges.first().map_or(DVec3::X, |edge| edge.any_orthonormal_vector()));
            }
            normals.into_iter().map(depth).fold(f64::INFINITY, f64::min)
        }
    }
}

/// What a contact may be wrong by: 4·10⁻⁶ of the size, and a unit in the last place of the largest coordinate.
fn tolerance(a: &Solid, b: &Solid) -> f64 {
    let largest = [a, b].map(|s| s.center().abs().max_element() + s.size()).into_iter().fold(0.0, f64::max);
    let unit = 2.0_f64.powi(largest.log2().floor() as i32 - 23);
    4e-6 * (a.size() + b.size()) + unit
}

/// The errors of a contact, in parts of the tolerance.
#[derive(Clone, Copy, Debug, Default)]
struct Errors {
    depth: f64,
    above_least: f64,
    on_a: f64,
    on_b: f64,
    normal: f64,
}

fn errors(shapes: [&BodyShape<'_>; 2], found: &Manifold, relation: Relation) -> Errors {
    let [a, b] = shapes.map(solid);
    let tolerance = tolerance(&a, &b);
    let normal = found.normal().as_dvec3();
    let unit = normal.normalize();
    let along = (b.center() - a.center()).dot(unit);
    let depth = a.reach(unit) + b.reach(unit) - along;
    let least = least_depth(&a, &b);
    let mut errors = Errors {
        depth: (f64::from(found.depth()) - depth).abs(),
        above_least: (f64::from(found.depth()) - least).max(0.0) / 2.0,
        normal: (normal.length() - 1.0).abs() * 4e6,
        ..Errors::default()
    };
    if relation == Relation::Touching {
        assert_eq!(found.depth().to_bits(), 0);
    }
    let mut deepest: f32 = 0.0;
    for point in found.points() {
        errors.on_a = errors.on_a.max(a.distance(point.on_a.as_dvec3()));
        errors.on_b = errors.on_b.max(b.distance(point.on_b.as_dvec3()));
        assert!(point.depth >= 0.0 && point.depth <= found.depth());
        deepest = deepest.max(point.depth);
    }
    errors.depth = errors.depth.max(f64::from(found.depth() - deepest));
    for error in [&mut errors.depth, &mut errors.above_least, &mut errors.on_a, &mut errors.on_b] {
        *error /= tolerance;
    }
    errors
}

fn of(shapes: [&BodyShape<'_>; 2]) -> Option<(Manifold, Relation)> {
    let relation = intersect(shapes[0], shapes[1]);
    let frames = shapes.map(|shape| {
        let (kind, record) = encode(shape);
        Frame::of(kind, &record)
    });
    relation.is_hit().then(|| {
        (manifold((0, &frames[0]), (1, &frames[1]), Known::Meet(relation), 4).expect("in the domain"), relation)
    })
}

fn check(shapes: [&BodyShape<'_>; 2]) -> Option<Errors> {
    let (found, relation) = of(shapes)?;
    let errors = errors(shapes, &found, relation);
    let worst = [errors.depth, errors.above_least, errors.on_a, errors.on_b, errors.normal];
    assert!(worst.iter().all(|error| *error <= 1.0), "{errors:?} {found:?} {shapes:?}");
    Some(errors)
}

fn shape() -> impl Strategy<Value = BodyShape<'static>> {
    let length = || prop_oneof![4 => 0.05_f32..2.0, 1 => Just(1.0_f32), 1 => Just(0.0_f32), 1 => 1e-4_f32..1e-2];
    let place = || prop_oneof![4 => -1.5_f32..1.5, 1 => Just(0.0_f32), 1 => Just(1.0_f32)];
    let center = (place(), place(), place()).prop_map(|(x, y, z)| Vec3::new(x, y, z));
    let angle = prop_oneof![3 => -3.2_f32..3.2, 1 => Just(0.0_f32), 2 => -1e-3_f32..1e-3, 1 => -1e-6_f32..1e-6];
    let axis = (-1.0_f32..1.0, -1.0_f32..1.0, 0.1_f32..1.0).prop_map(|(x, y, z)| Vec3::new(x, y, z).normalize());
    let half = (0.05_f32..2.0, length(), length()).prop_map(|(x, y, z)| Vec3::new(x, y, z));
    (0..6, center, half, axis, angle).prop_map(|(kind, center, half, axis, angle)| match kind {
        0 => BodyShape::Sphere(Sphere::new(center, half.x).expect("a ball")),
        1 => BodyShape::Aabb(Aabb::new(center - half, center + half).expect("a box")),
        2 | 3 => BodyShape::Obb(Obb::new(center, half, Quat::from_axis_angle(axis, angle)).expect("a box")),
        // Along any axis, or one of the world's, nearly.
        _ => {
            let way = if kind == 4 { axis } else { Quat::from_axis_angle(axis, angle) * Vec3::X } * half.y;
            BodyShape::Capsule(Capsule::new(center - way, center + way, half.x / 2.0).expect("a capsule"))
        }
    })
}

/// Boxes whose edges may be nearly parallel, near the origin, so that nearly all meet.
fn turned_box() -> impl Strategy<Value = BodyShape<'static>> {
    let (place, length) = (|| -0.7_f32..0.7, || prop_oneof![3 => 0.2_f32..1.0, 1 => 1e-3_f32..1e-2]);
    let angle = prop_oneof![3 => -3.2_f32..3.2, 1 => -1e-3_f32..1e-3, 1 => -1e-6_f32..1e-6];
    let axis = (-1.0_f32..1.0, -1.0_f32..1.0, 0.1_f32..1.0).prop_map(|(x, y, z)| Vec3::new(x, y, z).normalize());
    let three = |x: f32, y: f32, z: f32| Vec3::new(x, y, z);
    (place(), place(), place(), length(), length(), length(), axis, angle).prop_map(
        move |(x, y, z, a, b, c, axis, angle)| {
            BodyShape::Obb(Obb::new(three(x, y, z), three(a, b, c), Quat::from_axis_angle(axis, angle)).expect("a box"))
        },
    )
}

/// Many, where that is asked for.
fn cases() -> u32 {
    let asked = std::env::var("TANGENCY_CONTACT_CASES").ok().and_then(|cases| cases.parse().ok());
    asked.unwrap_or(if crate::is_long_test() { 200_000 } else { 20_000 })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn contacts_are_those_of_the_scalar_function_within_the_tolerance(a in shape(), b in shape()) {
        check([&a, &b]);
    }

    #[test]
    fn contacts_of_boxes_are_those_of_the_scalar_function(a in turned_box(), b in turned_box()) {
        check([&a, &b]);
    }

    /// A power of two times everything gives the same contact, times that; so does a turn of both kinds.
    #[test]
    fn scaled_pairs_have_scaled_contacts(a in shape(), b in shape(), power in -40_i32..40) {
        let scale = 2.0_f32.powi(power);
        let larger = |shape: &BodyShape<'_>| match shape {
            BodyShape::Sphere(ball) => BodyShape::Sphere(Sphere::new(ball.center() * scale, ball.radius() * scale).expect("a ball")),
            BodyShape::Aabb(aabb) => BodyShape::Aabb(Aabb::new(aabb.min() * scale, aabb.max() * scale).expect("a box")),
            BodyShape::Obb(obb) => BodyShape::Obb(Obb::new(obb.center() * scale, obb.half_extents() * scale, obb.rotation()).expect("a box")),
            BodyShape::Capsule(c) => BodyShape::Capsule(Capsule::new(c.a() * scale, c.b() * scale, c.radius() * scale).expect("a capsule")),
            BodyShape::Plane(p) => BodyShape::Plane(Plane::new(p.normal(), p.offset() * scale).expect("a plane")),
            BodyShape::ConvexHull(_) => unreachable!("there are none"),
        };
        if let Some((found, _)) = of([&a, &b]) {
            let (other, _) = of([&larger(&a), &larger(&b)]).expect("they meet too");
            prop_assert_eq!((found.normal(), found.depth() * scale, found.kind()), (other.normal(), other.depth(), other.kind()));
            for (p, q) in found.points().zip(other.points()) {
                prop_assert_eq!((p.on_b * scale, p.depth * scale, p.feature), (q.on_b, q.depth, q.feature));
            }
        }
    }

    #[test]
    fn swapped_pairs_have_swapped_kinds(a in shape(), b in shape()) {
        let kinds = encode(&a).0 != encode(&b).0;
        if let (true, Some((found, _)), Some((other, _))) = (kinds, of([&a, &b]), of([&b, &a])) {
            let kind = match found.kind() {
                ContactKind::FaceA => ContactKind::FaceB,
                ContactKind::FaceB => ContactKind::FaceA,
                kind => kind,
            };
            prop_assert_eq!((other.kind(), other.depth(), other.normal()), (kind, found.depth(), -found.normal()));
        }
    }
}
