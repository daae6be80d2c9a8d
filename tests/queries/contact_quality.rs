//! Contacts in batch against exact arithmetic: moving b by the depth parts the bodies, and by less it does not.
//!
//! `cargo test --test contact_quality -- --nocapture` prints the errors of each family of vectors and of each named scene.

use crate::common::{FILES, Kind, Row, aabb, obb, read, sphere};
use crate::polytopes::relation_shifted;
use crate::rational::{
    Q, RationalBox, box_box, core, half_space_shifted, q, sphere_box, sphere_shifted, squared_distance,
};
use crate::{capsule_pairs, half_space_pairs, hull_pairs};
use glam::{DVec3, Vec3};
use tangency::query::contact;
use tangency::scenes::Scene;
use tangency::shape::Shape;
use tangency::{BackendKind, Bodies, Contacts, Engine, Manifold, Relation, Traits};

fn engine() -> Engine {
    Engine::builder().backend(BackendKind::Cpu).build().unwrap()
}

/// The largest half extent, or the radius, and the largest coordinate.
fn sizes(shape: &Shape) -> (f64, f64) {
    let largest = |v: Vec3| f64::from(v.abs().max_element());
    match shape {
        Shape::Sphere(ball) => (f64::from(ball.radius()), largest(ball.center()) + f64::from(ball.radius())),
        Shape::Aabb(aabb) => {
            let half = (aabb.max().as_dvec3() - aabb.min().as_dvec3()) / 2.0;
            (half.max_element(), largest(aabb.min()).max(largest(aabb.max())))
        }
        Shape::Obb(obb) => {
            let half = largest(obb.half_extents());
            (half, largest(obb.center()) + half)
        }
        Shape::Capsule(capsule) => {
            let far = largest(capsule.a()).max(largest(capsule.b()));
            (capsule.diagonal() / 2.0, far + f64::from(capsule.radius()))
        }
        Shape::Plane(plane) => (0.0, f64::from(plane.offset().abs()) / plane.normal().as_dvec3().length()),
        Shape::ConvexHull(hull) => {
            let bounds = hull.aabb();
            let far = largest(bounds.min()).max(largest(bounds.max())).max(largest(hull.pose().position().to_vec3()));
            (f64::from(bounds.half_extents().max_element()), far)
        }
        _ => unreachable!("no body has another shape"),
    }
}

/// What a contact may be wrong by: 4·10⁻⁶ of the sizes, and a unit in the last place of the largest coordinate.
fn tolerance(a: &Shape, b: &Shape) -> f64 {
    let ((size_a, far_a), (size_b, far_b)) = (sizes(a), sizes(b));
    let unit = f64::exp2(far_a.max(far_b).max(f64::from(f32::MIN_POSITIVE)).log2().floor() - 23.0);
    4e-6 * (size_a + size_b) + unit
}

/// The relation when b is shifted along the normal, exactly.
fn shifted(a: &Shape, b: &Shape, normal: Vec3, by: f64) -> Relation {
    let by = Q::from_float(by).unwrap();
    let shift = normal.to_array().map(|n| q(n) * &by);
    let back = shift.clone().map(|x| -x);
    let cuboid = |shape: &Shape| match shape {
        Shape::Aabb(aabb) => RationalBox::from(aabb),
        Shape::Obb(obb) => RationalBox::from(obb),
        _ => unreachable!("it is no box"),
    };
    match (a, b) {
        (Shape::Plane(plane), body) => half_space_shifted(plane, body, &q(0.0), &shift),
        (body, Shape::Plane(plane)) => half_space_shifted(plane, body, &q(0.0), &back),
        (Shape::ConvexHull(_), _) | (_, Shape::ConvexHull(_)) => relation_shifted(a, b, &shift),
        (Shape::Capsule(_), _) | (_, Shape::Capsule(_)) => {
            let ((core_a, radius_a), (core_b, radius_b)) = (core(a), core(b));
            let (square, reach) = (squared_distance(&core_a, &core_b.shifted(&shift)), radius_a + radius_b);
            if square > &reach * &reach { Relation::Separate } else { Relation::Overlapping }
        }
        (Shape::Sphere(a), Shape::Sphere(b)) => sphere_shifted(a, b, &shift),
        (Shape::Sphere(ball), cube) => sphere_box(ball, &cuboid(cube).shifted(&shift)),
        (cube, Shape::Sphere(ball)) => sphere_box(ball, &cuboid(cube).shifted(&back)),
        (a, b) => box_box(&cuboid(a), &cuboid(b).shifted(&shift)),
    }
}

/// Shifting b by the depth and the tolerance parts the bodies; by the depth less twice the tolerance it does not.
fn check_shift(a: &Shape, b: &Shape, found: &Manifold, what: &str) {
    let (tolerance, depth) = (tolerance(a, b), f64::from(found.depth()));
    assert_eq!(shifted(a, b, found.normal(), depth + tolerance), Relation::Separate, "{what}: {found:?}");
    let less = depth - 2.0 * tolerance;
    if less > 0.0 {
        assert_ne!(shifted(a, b, found.normal(), less), Relation::Separate, "{what}: {found:?}");
    }
}

fn shapes_of(row: &Row, first: Kind, second: Kind) -> [Shape; 2] {
    let shape = |kind: Kind, v: &[f32]| match kind {
        Kind::Sphere => Shape::from(sphere(v)),
        Kind::Aabb => Shape::from(aabb(v)),
        Kind::Obb => Shape::from(obb(v)),
    };
    let (x, y) = row.numbers.split_at(first.width());
    [shape(first, x), shape(second, y)]
}

/// Each pair in a world of its own.
fn in_worlds(pairs: impl IntoIterator<Item = [Shape; 2]>) -> Bodies {
    let mut bodies = Bodies::new();
    for (world, pair) in (0..).zip(pairs) {
        for shape in pair {
            bodies.push_with(shape, Traits::new().world(world)).unwrap();
        }
    }
    bodies
}

/// Every pair of the vectors that touches or overlaps has a contact, and the depth of each is right.
#[test]
fn vectors_are_parted_by_their_depth() {
    for (name, first, second) in FILES {
        let rows = read(name);
        let bodies = in_worlds(rows.iter().map(|row| shapes_of(row, first, second)));
        let contacts = engine().contacts(&bodies).run().unwrap();
        assert_eq!(contacts.len(), rows.iter().filter(|row| row.expected != 0).count(), "{name}");
        let mut deepest = 0;
        // Rationals are slow: some of them, or all if there is time.
        let step = if std::env::var("TANGENCY_TEST_LONG").as_deref() == Ok("1") { 1 } else { 48 };
        for found in contacts.manifolds().iter().step_by(step) {
            let [a, b] = [found.a(), found.b()].map(|id| bodies.shape(id).unwrap());
            let row = &rows[found.a() as usize / 2];
            assert_eq!(
                row.expected == 1,
                found.depth() == 0.0 && contacts.pairs().relation(found.a(), found.b()) == Relation::Touching
            );
            check_shift(&a, &b, found, &format!("{name}, {}", row.family));
            deepest += usize::from(found.depth() > 0.0);
        }
        let (text, beyond) = errors(&bodies, &contacts, true);
        println!("{name}: {deepest} deeper than 0 were shifted; {text}");
        assert_eq!(beyond, 0, "{name}: {text}");
    }
}

/// The same of capsules with all bodies, in every family of theirs but that of extreme sizes.
#[test]
fn capsules_are_parted_by_their_depth() {
    let long = std::env::var("TANGENCY_TEST_LONG").as_deref() == Ok("1");
    for (family, name) in capsule_pairs::FAMILIES.iter().enumerate().filter(|(_, name)| **name != "extreme") {
        for (kind, other) in capsule_pairs::KINDS.iter().enumerate() {
            let bodies = in_worlds(capsule_pairs::pairs(family, kind, if long { 1000 } else { 60 }));
            let contacts = engine().contacts(&bodies).run().unwrap();
            for found in contacts.manifolds().iter().step_by(if long { 1 } else { 10 }) {
                let [a, b] = [found.a(), found.b()].map(|id| bodies.shape(id).unwrap());
                check_shift(&a, &b, found, &format!("{name}, {other}"));
            }
            println!("{name}, {other}: {}", errors(&bodies, &contacts, false).0);
        }
    }
}

/// The same of half-spaces.
#[test]
fn half_spaces_are_parted_by_their_depth() {
    let long = std::env::var("TANGENCY_TEST_LONG").as_deref() == Ok("1");
    for (family, name) in half_space_pairs::FAMILIES.iter().enumerate().filter(|(_, name)| **name != "extreme") {
        for (kind, other) in half_space_pairs::KINDS.iter().enumerate().filter(|(_, other)| **other != "plane") {
            let bodies = in_worlds(half_space_pairs::pairs(family, kind, if long { 1000 } else { 20 }));
            let contacts = engine().contacts(&bodies).run().unwrap();
            for found in contacts.manifolds() {
                let [a, b] = [found.a(), found.b()].map(|id| bodies.shape(id).unwrap());
                check_shift(&a, &b, found, &format!("{name} {other}"));
            }
            let text = errors(&bodies, &contacts, false).0;
            println!("{name} {other}: {} contacts, {text}", contacts.len());
        }
    }
}

/// Contacts of named scenes: some of them in rationals, all of them against the scalar function.
#[test]
fn scenes_are_right() {
    // (Hulls have a test of their own: those of a scene have too many corners for rationals.)
    for scene in Scene::ALL.into_iter().filter(|scene| *scene != Scene::Hulls) {
        let bodies = scene.build(3000, 7).unwrap();
        let contacts: Contacts = engine().contacts(&bodies).run().unwrap();
        for found in contacts.manifolds().iter().step_by(contacts.len() / 20 + 1) {
            let [a, b] = [found.a(), found.b()].map(|id| bodies.shape(id).unwrap());
            check_shift(&a, &b, found, &format!("{scene:?}"));
        }
        println!("{scene:?}: {}", errors(&bodies, &contacts, false).0);
    }
}

/// Compares contacts with the scalar function. Returns the largest errors and those that 99.9 % do not exceed, in parts of the tolerance;
/// and how many exceed it, unless that is a failure.
fn errors(bodies: &Bodies, contacts: &Contacts, may_exceed: bool) -> (String, usize) {
    let mut exceeding = 0;
    let (mut depths, mut places) = (Vec::new(), Vec::new());
    for found in contacts.manifolds() {
        let [a, b] = [found.a(), found.b()].map(|id| bodies.shape(id).unwrap());
        if sizes(&a).1.max(sizes(&b).1) < f64::from(f32::MIN_POSITIVE) {
            // In subnormal numbers, of which one is as large as such bodies.
            continue;
        }
        let tolerance = tolerance(&a, &b);
        let exact = contact(&a, &b).unwrap().expect("they meet");
        // At most twice the tolerance above the least depth, and never below it by more than the tolerance.
        let above = f64::from(found.depth()) - f64::from(exact.depth());
        let right = above <= 2.0 * tolerance && above >= -tolerance;
        assert!(right || may_exceed, "{a:?} {b:?}: {found:?} {exact:?}");
        exceeding += usize::from(!right);
        depths.push(above.abs() / tolerance);
        for point in found.points() {
            let off = |shape: &Shape, at: Vec3| distance(shape, at.as_dvec3());
            let error = off(&a, point.on_a).max(off(&b, point.on_b));
            assert!(error <= tolerance || may_exceed, "{a:?} {b:?}: {point:?} is off by {error}: {found:?}");
            exceeding += usize::from(error > tolerance);
            places.push(error / tolerance);
        }
    }
    let ends = |errors: &mut Vec<f64>| {
        errors.sort_by(f64::total_cmp);
        let at =
            |part: f64| errors.get((errors.len() as f64 * part) as usize).or(errors.last()).copied().unwrap_or(0.0);
        format!("{:.3} (99.9 %: {:.3})", at(1.0), at(0.999))
    };
    let [depths, places] = [ends(&mut depths), ends(&mut places)];
    let count = contacts.len();
    let text =
        format!("{count} contacts; in parts of the tolerance: depths {depths}, points {places}; {exceeding} beyond it");
    (text, exceeding)
}

/// How far a point is outside a shape.
fn distance(shape: &Shape, point: DVec3) -> f64 {
    match shape {
        Shape::Sphere(ball) => (point.distance(ball.center().as_dvec3()) - f64::from(ball.radius())).max(0.0),
        Shape::Aabb(aabb) => point.distance(point.clamp(aabb.min().as_dvec3(), aabb.max().as_dvec3())),
        Shape::Obb(obb) => {
            let turn = obb.rotation().as_dquat().normalize().inverse();
            let local = turn * (point - obb.center().as_dvec3());
            let half = obb.half_extents().as_dvec3();
            local.distance(local.clamp(-half, half))
        }
        Shape::Capsule(capsule) => {
            let (a, b) = (capsule.a().as_dvec3(), capsule.b().as_dvec3());
            let share = ((point - a).dot(b - a) / (b - a).length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
            (point.distance(a + (b - a) * share) - f64::from(capsule.radius())).max(0.0)
        }
        Shape::Plane(plane) => {
            let normal = plane.normal().as_dvec3();
            ((normal.dot(point) - f64::from(plane.offset())) / normal.length()).max(0.0)
        }
        _ => unreachable!("no body has another shape"),
    }
}

/// The same of hulls with all bodies. There is a contact of every pair that meets, and it has no depth if they touch.
#[test]
fn hulls_are_parted_by_their_depth() {
    let long = std::env::var("TANGENCY_TEST_LONG").as_deref() == Ok("1");
    for (family, name) in hull_pairs::FAMILIES.iter().enumerate().filter(|(_, name)| **name != "extreme") {
        for (kind, other) in hull_pairs::BODIES.map(|kind| (kind, hull_pairs::KINDS[kind])) {
            let bodies = in_worlds(hull_pairs::pairs(family, kind, if long { 200 } else { 4 }));
            let contacts = engine().contacts(&bodies).run().unwrap();
            for (found, (.., relation)) in contacts.manifolds().iter().zip(contacts.pairs().iter()) {
                let [a, b] = [found.a(), found.b()].map(|id| bodies.shape(id).unwrap());
                let what = format!("{name} {other}: {a:?} {b:?}");
                let depths = [found.depth(), contact(&a, &b).unwrap().expect("they meet").depth()];
                assert!(relation == Relation::Overlapping || depths == [0.0; 2], "{what}: {depths:?}, {found:?}");
                check_shift(&a, &b, found, &what);
            }
            println!("{name} {other}: {} contacts", contacts.len());
        }
    }
}
