//! Hulls, with every dispatch beside its twin.

use glam::{Quat, Vec3};

use super::super::Gpu;
use super::super::abi::UNDECIDED;
use super::super::workspace::Workspace;
use super::answers::{assert_same, check_sides, check_verdict, planes};
use super::queries::{
    Sets, brute_force, clearances, clearances_by_brute_force, closest, closest_rows, contacts, contacts_by_brute_force,
    near, near_by_brute_force, overlaps, sweeps, verdicts,
};
use crate::hash::mix;
use crate::parallel::Pool;
use crate::scenes::{SEED, Scene};
use crate::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Pose, Shape, Sphere};
use crate::{Bodies, Points, Relation, Traits, query};

/// A number from −1 to 1.
fn random(seed: u64) -> f32 {
    (mix(seed) >> 40) as f32 / (1 << 23) as f32 - 1.0
}

fn vector(seed: u64) -> Vec3 {
    Vec3::new(random(3 * seed), random(3 * seed + 1), random(3 * seed + 2))
}

fn pose(seed: u64) -> Pose {
    Pose::new(Vec3::ZERO, Quat::from_vec4(vector(seed).extend(random(seed + 999)))).expect("a turn")
}

/// A hull of points on a ball, or of a box; and another body.
fn pair(number: u64) -> [Shape; 2] {
    let seed = 1000 * number;
    let ball = |first: u64, count: u64| {
        let points = (0..count).map(|k| vector(first + k).normalize_or(Vec3::X));
        ConvexHull::from_points(points).expect("corners").with_pose(pose(first + 500))
    };
    let cube = Aabb::new([-0.6; 3], [0.6; 3]).expect("a box");
    let hull = if number.is_multiple_of(5) {
        ConvexHull::from_points(cube.corners()).expect("corners").with_pose(pose(seed + 501))
    } else {
        ball(seed, 4 + number % 40)
    };
    let other: Shape = match number % 6 {
        0 => Sphere::new(Vec3::ZERO, 0.7).expect("a ball").into(),
        1 => cube.into(),
        2 => Obb::new(Vec3::ZERO, [0.9, 0.5, 0.2], pose(seed + 600).rotation()).expect("a box").into(),
        3 => Capsule::new([-0.5, 0.0, 0.0], [0.5, 0.2, 0.1], 0.3).expect("a capsule").into(),
        _ => ball(seed + 700, 64).into(),
    };
    [other, hull.into()]
}

/// Pairs that nearly touch, either way, by about 1, 10⁻³, 10⁻⁵, 10⁻⁷ or nothing.
fn near_pairs() -> Vec<[Shape; 2]> {
    let near = |number: u64| {
        let [other, hull] = pair(number);
        let Shape::ConvexHull(hull) = hull else { unreachable!("it is one") };
        let way = vector(number + 77_000).normalize_or(Vec3::X).as_dvec3();
        let at = |far: f64| {
            let pose = Pose::new((way * far).as_vec3(), hull.pose().rotation()).expect("a pose");
            Shape::from(hull.with_pose(pose))
        };
        let (mut inside, mut outside) = (0.0, 5.0);
        for _ in 0..40 {
            let middle = f64::midpoint(inside, outside);
            let apart = query::intersect(&other, &at(middle)).expect("shapes") == Relation::Separate;
            *(if apart { &mut outside } else { &mut inside }) = middle;
        }
        let gap = [0.3, 1e-3, 1e-5, 1e-7, 0.0][(number / 6 % 5) as usize] * f64::from(random(number + 55_000));
        [other, at(outside + gap)]
    };
    (0..240).map(near).collect()
}

/// The contacts of all pairs that meet, or that are near, of which few are left to the host.
fn meetings(gpu: &Gpu, pool: &Pool, workspace: &mut Workspace, sets: Sets<'_>) {
    for asked in [(4, None), (1, None), (4, Some(0.25))] {
        let found = contacts(gpu, workspace, pool, sets, asked).expect("contacts");
        let expected = contacts_by_brute_force(sets, asked);
        let other = found.manifolds().iter().zip(expected.manifolds()).find(|(found, expected)| found != expected);
        assert!(found == expected, "contacts of hulls, {asked:?}: {other:#?}");
        // (Without a distance, those of pairs that are undecided are the host's too.)
        let (on_host, all) = (found.computed_on_host(), found.len());
        assert!(all > 50 && on_host * 3 < all as u64, "{on_host} of {all} are computed on the host");
        assert!(asked.1.is_none() || on_host * 20 < all as u64, "{on_host} of {all} are computed on the host");
    }
}

/// Hulls that are deep in each other and in half-spaces, or stand on them.
fn heap() -> Bodies {
    let mut heap = Bodies::new();
    for (k, [_, hull]) in near_pairs().into_iter().enumerate().take(40) {
        let Shape::ConvexHull(hull) = hull else { unreachable!("it is one") };
        let at = vector(k as u64 + 300) * 1.5;
        let pose = Pose::new(at, hull.pose().rotation()).expect("a pose");
        heap.push(hull.with_pose(pose)).expect("room");
    }
    let cube = Aabb::new([-1.0; 3], [1.0; 3]).expect("a box");
    for k in 0..4_u8 {
        // Face on face, also with a half-space whose border is the floor below them.
        let pose = Pose::new([2.0 * f32::from(k), -2.0, 0.5 * f32::from(k)], Quat::IDENTITY).expect("a pose");
        heap.push(ConvexHull::from_points(cube.corners()).expect("corners").with_pose(pose)).expect("room");
    }
    for (normal, offset) in [([0.0, 1.0, 0.0], -3.0), ([0.3, 1.0, -0.2], -0.7)] {
        heap.push(Plane::new(normal, offset).expect("a half-space")).expect("room");
    }
    heap
}

/// Pairs that nearly touch, each in a world of its own, and hulls that are deep in each other in another.
pub(super) fn near_pairs_and_a_heap() -> Bodies {
    let mut bodies = Bodies::new();
    for (world, pair) in (1..).zip(near_pairs()) {
        for shape in pair {
            bodies.push_with(shape, Traits::new().world(world)).expect("room");
        }
    }
    let heap = heap();
    for id in 0..heap.id_bound() {
        bodies.push(heap.shape(id as u32).expect("a body")).expect("room");
    }
    bodies
}

/// The distances of all pairs that are near, and when they meet, of which few are left to the host.
fn details(gpu: &Gpu, pool: &Pool, workspace: &mut Workspace, sets: Sets<'_>) {
    meetings(gpu, pool, workspace, sets);
    let found = clearances(gpu, workspace, pool, sets, 0.25).expect("clearances");
    let expected = clearances_by_brute_force(sets, 0.25);
    let other = found.iter().zip(expected.clearances()).find(|((_, _, found), expected)| found != expected);
    assert!(found == expected, "clearances of hulls: {other:?}");
    let (on_host, all) = (found.computed_on_host(), found.len());
    assert!(all > 100 && on_host * 20 < all as u64, "{on_host} of {all} are computed on the host");
    for seed in 0..2 {
        let [found, expected] = sweeps(gpu, workspace, pool, sets, seed).expect("hits");
        let other = found.iter().zip(expected.iter()).find(|(found, expected)| found != expected);
        assert!(found == expected, "sweeps of hulls: {} meet, not {}: {other:?}", found.len(), expected.len());
        let (on_host, all) = (found.computed_on_host(), found.len());
        assert!(all > 50 && on_host * 20 < all as u64, "{on_host} of {all} are computed on the host");
    }
}

/// Which are near each other, with margins of their own, also over half-spaces: few of them are left to the host.
fn with_margins(gpu: &Gpu, pool: &Pool, workspace: &mut Workspace) {
    let mut bodies = near_pairs_and_a_heap();
    for (margin, undecided_part) in [(0.0, 3), (0.1, 20)] {
        for id in 0..bodies.id_bound() as u32 {
            bodies.set_margin(id, [0.0, 0.5, 1.25][id as usize % 3] * margin).expect("a margin");
        }
        let sets = (None, &bodies);
        for distance in [0.0, margin] {
            let found = near(gpu, workspace, pool, sets, distance).expect("near pairs");
            assert_same(&found, &near_by_brute_force(sets, distance), "hulls with margins");
            let (undecided, all) = (found.stats().undecided, found.len() as u64);
            assert!(all > 300 && undecided * undecided_part < all, "{undecided} of {all} are left to the host");
        }
    }
    let heap = heap();
    let mut over = Bodies::new();
    over.push(heap.shape(heap.id_bound() as u32 - 1).expect("a half-space")).expect("room");
    let found = overlaps(gpu, workspace, pool, (Some(&over), &heap));
    assert_same(&found, &brute_force((Some(&over), &heap)), "hulls over a half-space");
    // (Two half-spaces are for the host.)
    assert!(found.stats().undecided <= 2, "{} of {} are left to the host", found.stats().undecided, found.len());
}

/// On which sides of planes they are, which kernels decide unless a plane goes through a corner, or there are too many to look at all corners.
fn culled(gpu: &Gpu, pool: &Pool, workspace: &mut Workspace) {
    // Half-spaces whose normals are parallel are the host's.
    let mut parallel = Bodies::new();
    for plane in planes() {
        let half_space = Plane::new(plane.normal() * 2.0, 2.0 * plane.offset() - 1.0).expect("a half-space");
        parallel.push(half_space).expect("room");
    }
    assert_eq!(check_sides(gpu, pool, workspace, (&parallel, &planes()[..1]), "half-spaces"), 1);
    let bodies = near_pairs_and_a_heap();
    let all = bodies.id_bound();
    let mut open = |planes: &[Plane]| check_sides(gpu, pool, workspace, (&bodies, planes), "hulls");
    assert_eq!(open(&planes()), 0);
    assert_eq!(planes().map(|plane| open(&[plane])), [0; 3]);
    for id in (1..all as u32).step_by(50) {
        let Ok(Shape::ConvexHull(hull)) = bodies.shape(id) else { continue };
        let plane = Plane::from_point_normal(hull.vertices()[0], vector(u64::from(id))).expect("a plane");
        assert!(open(&[plane]) < 10);
    }
    // (Those with the most corners.)
    let left = open(&planes().repeat(100));
    assert!(left > 20 && left * 2 < all, "{left} of {all} are left to the host");
    // From the largest that kernels compute with to the largest that there are, which they leave to the host.
    let mut large = Bodies::new();
    for exponent in [38, 39, 40, 41, 60, 111, 112, 119, 120, 121, 126, 127] {
        let size = (2.0_f64.powi(exponent) * 1.999_999) as f32;
        let corners = [[0.0; 3], [size, -size, -size], [-size, -size, size], [-size, size, 0.0], [0.0, 0.0, -size]];
        large.push(ConvexHull::from_points(corners).expect("a hull")).expect("room");
    }
    for plane in [[0.0, 1.0, 0.0], [1.0, -0.5, 0.25]].map(|normal| Plane::new(normal, 2.0).expect("a plane")) {
        assert!(check_sides(gpu, pool, workspace, (&large, &[plane]), "large hulls") >= 8);
    }
}

/// Which hulls are nearest to points, of which few are looked at.
fn nearest(gpu: &Gpu, pool: &Pool, workspace: &mut Workspace) {
    let bodies = Scene::Hulls.build(600, SEED).expect("a scene");
    let mut points = Points::new();
    for k in 0..200 {
        let at = bodies.get(3 * k).aabb().center() + 0.8 * vector(k as u64);
        points.push(at).expect("room");
    }
    for (count, most) in [(1, 10), (5, 30)] {
        let asked = (count, f32::INFINITY);
        let [found, expected] = closest(gpu, workspace, pool, (&points, &bodies), asked).expect("the nearest bodies");
        assert!(found == expected, "the nearest {count} hulls");
        let rows = closest_rows(gpu, workspace, pool, (&points, &bodies), asked).expect("rows");
        let listed = rows.partners().len();
        println!("    the nearest {count} hulls of {} points: {listed} are looked at", points.len());
        assert!(listed < most * points.len(), "{listed} hulls are looked at");
    }
}

/// Returns the number of dispatches.
pub(super) fn beside_twins(gpu: &Gpu, pool: &Pool) -> u64 {
    let mut workspace = Workspace::new().frugal();
    workspace.runner.checked = true;
    let (mut bodies, mut listed) = (Bodies::new(), Vec::new());
    for pair in near_pairs() {
        let world = Traits::new().world(listed.len() as u32);
        listed.push(pair.map(|shape| bodies.push_with(shape, world).expect("room")));
    }
    let found = verdicts(gpu, &mut workspace, pool, &bodies, &listed).expect("verdicts");
    for ([a, b], verdict) in listed.iter().zip(&found) {
        let exact = query::intersect(&bodies.get(*a as usize), &bodies.get(*b as usize));
        check_verdict(*verdict, exact, &format!("hulls, pair {a}"));
    }
    let open = found.iter().filter(|verdict| **verdict == UNDECIDED).count();
    assert!(open * 3 < listed.len(), "{open} of {} listed pairs are left to the host", listed.len());
    let sets = (None, &bodies);
    let found = overlaps(gpu, &mut workspace, pool, sets);
    assert_same(&found, &brute_force(sets), "hulls");
    let undecided = found.stats().undecided;
    assert!(undecided * 3 < listed.len() as u64, "{undecided} of {} are left to the host", listed.len());
    details(gpu, pool, &mut workspace, sets);
    meetings(gpu, pool, &mut workspace, (None, &heap()));
    with_margins(gpu, pool, &mut workspace);
    culled(gpu, pool, &mut workspace);
    nearest(gpu, pool, &mut workspace);
    // Two sets have forms of their own.
    let (mut first, mut second) = (Bodies::new(), Bodies::new());
    for (world, [a, b]) in (0..).zip(&listed) {
        let traits = Traits::new().world(world);
        first.push_with(bodies.shape(*b).expect("a body"), traits).expect("room");
        second.push_with(bodies.shape(*a).expect("a body"), traits).expect("room");
    }
    for sets in [(Some(&first), &second), (Some(&second), &first)] {
        assert_same(&overlaps(gpu, &mut workspace, pool, sets), &brute_force(sets), "hulls of two sets");
        details(gpu, pool, &mut workspace, sets);
    }
    workspace.runner.dispatched
}
