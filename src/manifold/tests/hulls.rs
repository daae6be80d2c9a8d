//! Contacts of hulls against the scalar function in `f64`: how many there are, and how far off they are.

use glam::{DVec3, Quat, Vec3};

use super::super::{Frame, Known, Manifold};
use crate::hash::mix;
use crate::near::hull::{self, Body};
use crate::query::{Polyhedron, closest_point, contact, intersect};
use crate::scenes::{SEED, Scene};
use crate::shape::kinds::{BodyShape, encode};
use crate::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Pose, Shape, Sphere};
use crate::{Bodies, Relation};

/// Errors in parts of the tolerance; how many contacts are left to the scalar function, how many there are of each kind, and how many have fewer points than it
/// finds.
#[derive(Default)]
struct Errors {
    along: Vec<f64>,
    above: Vec<f64>,
    points: Vec<f64>,
    open: usize,
    kinds: [usize; 6],
    fewer: usize,
}

fn corners(shape: &Shape) -> (Vec<DVec3>, f64) {
    match shape {
        Shape::Sphere(ball) => (vec![ball.center().as_dvec3()], f64::from(ball.radius())),
        Shape::Capsule(capsule) => (vec![capsule.a().as_dvec3(), capsule.b().as_dvec3()], f64::from(capsule.radius())),
        Shape::Aabb(aabb) => (aabb.corners_f64(), 0.0),
        Shape::Obb(obb) => (obb.corners_f64(), 0.0),
        Shape::ConvexHull(hull) => (hull.corners_f64(), 0.0),
        _ => unreachable!("it has corners"),
    }
}

/// How deep two shapes are in each other along a direction.
fn depth_along(a: &Shape, b: &Shape, normal: DVec3) -> f64 {
    if let Shape::Plane(plane) = b {
        let n = plane.normal().as_dvec3();
        let below = corners(a).0.iter().map(|p| n.dot(*p)).fold(f64::INFINITY, f64::min);
        return (f64::from(plane.offset()) - below) / n.length();
    }
    let ((a, of_a), (b, of_b)) = (corners(a), corners(b));
    let high = a.iter().map(|p| p.dot(normal)).fold(f64::NEG_INFINITY, f64::max);
    let low = b.iter().map(|p| p.dot(normal)).fold(f64::INFINITY, f64::min);
    (high - low) / normal.length() + of_a + of_b
}

fn tolerance(a: &Shape, b: &Shape) -> f64 {
    let size = |shape: &Shape| {
        if let Shape::Plane(plane) = shape {
            return (0.0, f64::from(plane.offset().abs()));
        }
        let (corners, radius) = corners(shape);
        let [low, high] = [DVec3::min, DVec3::max].map(|f| corners.iter().copied().reduce(f).expect("corners"));
        ((high - low).max_element() / 2.0 + radius, low.abs().max_element().max(high.abs().max_element()))
    };
    let ((size_a, far_a), (size_b, far_b)) = (size(a), size(b));
    4e-6 * (size_a + size_b) + f64::exp2(far_a.max(far_b).max(1e-38).log2().floor() - 23.0)
}

fn found(a: &BodyShape<'_>, b: &BodyShape<'_>, known: Known) -> Option<Manifold> {
    let [of_a, of_b] = [a, b].map(|shape| {
        let (kind, record) = encode(shape);
        Frame::of(kind, &record)
    });
    hull::manifold((0, &Body::of(&of_a, a)), (1, &Body::of(&of_b, b)), known, 4)
}

impl Errors {
    fn look(&mut self, a: &Shape, b: &Shape) {
        let relation = intersect(a, b).expect("shapes");
        if relation == Relation::Separate {
            return;
        }
        let [first, second] = [a, b].map(|shape| BodyShape::of(shape).expect("a body"));
        let Some(contact_of) = found(&first, &second, Known::Meet(relation)) else {
            self.open += 1;
            return;
        };
        let exact = contact(a, b).expect("shapes").expect("they meet");
        let tolerance = tolerance(a, b);
        let depth = f64::from(contact_of.depth());
        let what = || format!("{a:?} {b:?}: {contact_of:?} {exact:?}");
        assert!(relation == Relation::Overlapping || depth == 0.0, "{}", what());
        self.along.push((depth - depth_along(a, b, contact_of.normal().as_dvec3()).max(0.0)).abs() / tolerance);
        self.above.push((depth - f64::from(exact.depth())).abs() / tolerance);
        let errors = [self.along.last(), self.above.last()];
        assert!(errors.into_iter().flatten().all(|error| *error < 1.0), "{errors:?}: {}", what());
        assert!(contact_of.points().len() > 0, "{}", what());
        for point in contact_of.points() {
            for (shape, at) in [(a, point.on_a), (b, point.on_b)] {
                let off = match shape {
                    Shape::Plane(plane) => {
                        let n = plane.normal().as_dvec3();
                        ((n.dot(at.as_dvec3()) - f64::from(plane.offset())) / n.length()).max(0.0)
                    }
                    _ => f64::from(closest_point(shape, at).expect("a shape").distance),
                };
                self.points.push(off / tolerance);
                assert!(off <= tolerance, "a point is off by {} of the tolerance: {}", off / tolerance, what());
            }
        }
        self.kinds[contact_of.kind() as usize] += 1;
        self.fewer += usize::from(contact_of.points().len() < exact.points().len());
    }

    /// Prints the largest errors, and those that 99.9 % do not exceed. Few contacts are left to the scalar function.
    fn end(mut self, what: &str) {
        let count = self.along.len();
        let all = [&mut self.along, &mut self.above, &mut self.points].map(|errors| {
            errors.sort_by(f64::total_cmp);
            let at = |part: f64| errors.get((errors.len() as f64 * part) as usize).or(errors.last()).copied();
            [at(1.0), at(0.999)].map(Option::unwrap_or_default)
        });
        let Self { open, kinds, fewer, .. } = self;
        println!(
            "{what}: {count} contacts, {open} open, kinds {kinds:?}, {fewer} with fewer points; in parts of the tolerance: depths along normals {:.3?}, \
            against the scalar function {:.3?}, points {:.3?}",
            all[0], all[1], all[2]
        );
        assert!(count > 100 && open * 100 < count && fewer * 10 < count, "{what}");
    }
}

fn random(seed: u64) -> f32 {
    (mix(seed) >> 40) as f32 / (1 << 23) as f32 - 1.0
}

fn vector(seed: u64) -> Vec3 {
    Vec3::new(random(3 * seed), random(3 * seed + 1), random(3 * seed + 2))
}

fn turn(seed: u64) -> Quat {
    Quat::from_vec4(vector(seed).extend(random(seed + 999)))
}

/// A hull of points on a ball, in a ball, or of a box.
fn hull(seed: u64, corners: u64) -> ConvexHull {
    let pose = Pose::new(Vec3::ZERO, turn(seed + 500)).expect("a turn");
    let points = (0..corners).map(|k| {
        let at = vector(seed + k);
        if seed.is_multiple_of(3) { at } else { at.normalize_or(Vec3::X) }
    });
    let cube = Aabb::new([-0.6; 3], [0.6, 0.5, 0.7]).expect("a box");
    if seed.is_multiple_of(5) {
        return ConvexHull::from_points(cube.corners()).expect("corners").with_pose(pose);
    }
    ConvexHull::from_points(points).expect("corners").with_pose(pose)
}

fn pair(number: u64, reach: f32) -> [Shape; 2] {
    let seed = 1000 * number;
    let place = vector(seed + 700).normalize_or(Vec3::X) * reach * (0.6 + 0.4 * random(seed + 800));
    let own = hull(number, 4 + number * 7 % 61);
    let own = own.with_pose(Pose::new(place, own.pose().rotation()).expect("a pose"));
    let other: Shape = match number % 6 {
        0 => Sphere::new(Vec3::ZERO, 0.7).expect("a ball").into(),
        1 => Aabb::new([-0.5, -0.6, -0.7], [0.6; 3]).expect("a box").into(),
        2 => Obb::new(Vec3::ZERO, [0.9, 0.5, 0.2], turn(seed + 600)).expect("a box").into(),
        3 => Capsule::new([-0.5, 0.0, 0.0], [0.5, 0.2, 0.1], 0.3).expect("a capsule").into(),
        4 => Plane::new(vector(seed + 900), -0.2).expect("a half-space").into(),
        _ => hull(number + 70_000, 64).into(),
    };
    if number % 6 == 4 { [own.into(), other] } else { [other, own.into()] }
}

#[test]
fn contacts_of_hulls_are_those_of_the_scalar_function() {
    for (kind, other) in ["ball", "AABB", "OBB", "capsule", "half-space", "hull"].into_iter().enumerate() {
        for (name, reach) in [("deep", 0.2), ("shallow", 1.5)] {
            let mut errors = Errors::default();
            for number in (0..1200).filter(|number| number % 6 == kind as u64) {
                let [a, b] = pair(number, reach);
                errors.look(&a, &b);
            }
            errors.end(&format!("{other}, {name}"));
        }
    }
    let bodies: Bodies = Scene::Hulls.build(1000, SEED).expect("a scene");
    let mut errors = Errors::default();
    let engine = crate::Engine::builder().backend(crate::BackendKind::Cpu).build().expect("an engine");
    for (a, b) in engine.overlaps(&bodies).run().expect("pairs").pairs() {
        errors.look(&bodies.shape(a).expect("a body"), &bodies.shape(b).expect("a body"));
    }
    errors.end("hulls");
}
