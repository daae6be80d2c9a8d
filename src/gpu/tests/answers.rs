//! All queries on one scene, compared with brute force.

use glam::Vec3;

use super::super::Floats;
use super::super::Gpu;
use super::super::abi::{HIT, MISS, SIDE_OPEN, SIDE_OUTSIDE, TOUCH, UNDECIDED};
use super::super::stages;
use super::super::workspace::Workspace;
use super::capsule_pairs::{self, FAMILIES, KINDS};
use super::queries::{
    Sets, brute_force, candidates, clearances, clearances_by_brute_force, closest, contacts, contacts_by_brute_force,
    near, near_by_brute_force, overlaps, points_of, sides, sweeps, sweeps_of, verdicts,
};
use super::rays::{check_picture, check_rays};
use crate::hash::mix;
use crate::parallel::Pool;
use crate::scenes::{SEED, Scene, random, random_rays};
use crate::shape::kinds::Kind;
use crate::shape::{Aabb, Capsule, Obb, Plane, Shape, Sphere};
use crate::{Bodies, Error, Overlaps, Points, Relation, Side, Traits, query};

pub(super) fn assert_same(found: &Overlaps, expected: &Overlaps, what: &str) {
    if found != expected || found.offsets() != expected.offsets() {
        let missing = expected.iter().find(|pair| !found.iter().any(|other| other == *pair));
        let surplus = found.iter().find(|pair| !expected.iter().any(|other| other == *pair));
        let rows = found.offsets().iter().zip(expected.offsets()).position(|(a, b)| a != b);
        let rows = (rows, found.offsets().len(), expected.offsets().len());
        panic!(
            "{what}: {} pairs, not {}; missing {missing:?}, surplus {surplus:?}, rows {rows:?}",
            found.len(),
            expected.len()
        );
    }
}

pub(super) fn planes() -> [Plane; 3] {
    [([1.0, 0.2, 0.0], 2.0), ([-0.3, -1.0, 0.5], 1.0), ([0.0, 0.0, 1.0], 4.0)]
        .map(|(normal, offset)| Plane::new(normal, offset).expect("a plane"))
}

/// All queries on one scene, compared with brute force.
pub(super) fn check_queries(gpu: &Gpu, pool: &Pool, workspace: &mut Workspace, seed: u64, most: usize) {
    let bodies = random(seed, most).expect("a scene");
    let expected = brute_force((None, &bodies));
    let found = overlaps(gpu, workspace, pool, (None, &bodies));
    assert_same(&found, &expected, &format!("seed {seed}, one set"));
    let searching = random(seed + 5000, most / 2).expect("a scene");
    let expected = brute_force((Some(&searching), &bodies));
    let found = overlaps(gpu, workspace, pool, (Some(&searching), &bodies));
    assert_same(&found, &expected, &format!("seed {seed}, two sets"));
    // Again, with the searched set prepared by the query before.
    let found = overlaps(gpu, workspace, pool, (Some(&searching), &bodies));
    assert_same(&found, &expected, &format!("seed {seed}, two sets again"));

    for sets in [(None, &bodies), (Some(&searching), &bodies)] {
        // From less than the size of most bodies to more than that of the scene.
        let distance = margin_for(&bodies, seed);
        let found = near(gpu, workspace, pool, sets, distance).expect("near pairs");
        let expected = clearances_by_brute_force(sets, distance);
        assert_same(&found, expected.pairs(), &format!("seed {seed}, within {distance}"));
        let found = clearances(gpu, workspace, pool, sets, distance).expect("clearances");
        assert_same(found.pairs(), expected.pairs(), &format!("seed {seed}, clearances"));
        let other = found.iter().zip(expected.clearances()).find(|((_, _, found), expected)| found != expected);
        assert!(found == expected, "seed {seed}, clearances: {other:?}");
    }

    for sets in [(None, &bodies), (Some(&searching), &bodies)] {
        let [found, expected] = sweeps(gpu, workspace, pool, sets, seed).expect("hits");
        let other = found.iter().zip(expected.iter()).find(|(found, expected)| found != expected);
        assert!(found == expected, "seed {seed}: {} meet, not {}: {other:?}", found.len(), expected.len());
    }

    let limits = [f32::INFINITY, margin_for(&bodies, seed)];
    for (points, count) in [(&searching, 3), (&bodies, 1)] {
        let (points, within) = (points_of(points), limits[seed as usize % 2]);
        let [found, expected] =
            closest(gpu, workspace, pool, (&points, &bodies), (count, within)).expect("the nearest bodies");
        assert!(found == expected, "seed {seed}, the nearest {count} within {within}");
    }

    let margin = Some(margin_for(&bodies, seed));
    for (sets, most, within) in [
        ((None, &bodies), 4, None),
        ((Some(&searching), &bodies), 4, None),
        ((None, &bodies), 1, None),
        ((None, &bodies), 4, margin),
        ((Some(&searching), &bodies), 1, margin),
    ] {
        let expected = contacts_by_brute_force(sets, (most, within));
        let found = contacts(gpu, workspace, pool, sets, (most, within)).expect("contacts");
        assert_same(found.pairs(), expected.pairs(), &format!("seed {seed}, contacts"));
        let other = found.manifolds().iter().zip(expected.manifolds()).find(|(a, b)| a != b);
        assert!(found == expected, "seed {seed}, contacts of at most {most} points within {within:?}: {other:?}");
    }

    let candidates = candidates(gpu, workspace, pool, (None, &bodies)).expect("candidates");
    let (offsets, partners) = (candidates.offsets(), candidates.partners());
    let mut pairs: Vec<[u32; 2]> = (0..bodies.id_bound())
        .flat_map(|a| {
            let row = offsets[a] as usize..offsets[a + 1] as usize;
            partners[row].iter().map(move |b| [a as u32, *b])
        })
        .collect();
    drop(candidates);
    assert!(pairs.is_sorted() && pairs.iter().all(|[a, b]| a < b));
    let all = brute_force((None, &bodies));
    assert!(all.to_vec().iter().all(|pair| pairs.binary_search(pair).is_ok()), "seed {seed}: a hit is no candidate");

    // Listed pairs in any order, also of disabled bodies and of a body with itself.
    pairs.truncate(3000);
    pairs.reverse();
    let n = bodies.id_bound() as u32;
    pairs.extend((0..200_u32).map(|k| [k.wrapping_mul(7919) % n, k.wrapping_mul(104_729) % n]));
    let verdicts = verdicts(gpu, workspace, pool, &bodies, &pairs).expect("verdicts");
    for (pair, verdict) in pairs.iter().zip(verdicts) {
        let exact = query::intersect(&bodies.get(pair[0] as usize), &bodies.get(pair[1] as usize));
        check_verdict(verdict, exact, &format!("seed {seed}, pair {pair:?}"));
    }
    check_sides(gpu, pool, workspace, (&bodies, &planes()), &format!("seed {seed}"));
    let shots = random_rays(&bodies, 100, seed);
    check_rays(gpu, pool, workspace, &bodies, &shots, &format!("seed {seed}"));
    check_picture(gpu, pool, workspace, &bodies, [34, 20], &format!("seed {seed}"));
}

/// A distance in proportion to the bodies of a scene.
fn margin_for(bodies: &Bodies, seed: u64) -> f32 {
    // (But for half-spaces, which have no size.)
    let size = (0..bodies.id_bound()).filter(|id| bodies.kind(*id) != Kind::Plane).map(|id| {
        let bounds = bodies.get(id).aabb();
        (bounds.max() - bounds.min()).max_element()
    });
    let largest = size.fold(0.0, f32::max).clamp(f32::MIN_POSITIVE, 1e30);
    largest * [0.01, 0.3, 1e-6, 3.0][seed as usize % 4]
}

/// Asserts that the sides of all bodies are exact unless they are left open. Returns how many are.
pub(super) fn check_sides(
    gpu: &Gpu,
    pool: &Pool,
    workspace: &mut Workspace,
    (bodies, planes): (&Bodies, &[Plane]),
    what: &str,
) -> usize {
    let found = sides(gpu, workspace, pool, bodies, planes).expect("sides");
    for (i, side) in found.iter().copied().enumerate() {
        let enabled = bodies.enabled_flags()[i];
        let exact = planes.iter().map(|plane| query::side(&bodies.get(i), plane) as u32).max().unwrap_or(0);
        let expected = if enabled { exact } else { SIDE_OUTSIDE };
        assert!(side == SIDE_OPEN && enabled || side == expected, "{what}, body {i}: {side}");
    }
    found.iter().filter(|side| **side == SIDE_OPEN).count()
}

/// Asserts that a verdict is exact unless it is undecided.
pub(super) fn check_verdict(verdict: u32, exact: Relation, what: &str) {
    let right = match verdict {
        MISS => exact == Relation::Separate,
        HIT => exact == Relation::Overlapping,
        UNDECIDED => true,
        TOUCH => exact == Relation::Touching,
        _ => false,
    };
    assert!(right, "{what}: verdict {verdict}, and it is {exact:?}");
}

/// Queries about one set leave nothing behind that a query about another set takes for its own: two sets in turn in one workspace.
pub(super) fn sets_in_turn(gpu: &Gpu, pool: &Pool) {
    let mut workspace = Workspace::new().frugal();
    let [large, small] = [700, 90].map(|n| Scene::Mixed.build(n, SEED).expect("a scene"));
    let expected = [&large, &small].map(|bodies| brute_force((None, bodies)));
    let pairs: Vec<[u32; 2]> = (0..small.len() as u32 - 1).map(|k| [k, k + 1]).collect();
    for round in 0..2 {
        let found = overlaps(gpu, &mut workspace, pool, (None, &large));
        assert_same(&found, &expected[0], &format!("round {round}, the large set"));
        verdicts(gpu, &mut workspace, pool, &small, &pairs).expect("verdicts");
        let found = overlaps(gpu, &mut workspace, pool, (None, &large));
        assert_same(&found, &expected[0], &format!("round {round}, after pairs of the small set"));
        // (In parts, if the set is the large one.)
        check_sides(gpu, pool, &mut workspace, (&large, &planes()), &format!("round {round}, the large set"));
        check_sides(gpu, pool, &mut workspace, (&small, &planes()), &format!("round {round}, the small set"));
        // More planes than a dispatch takes: those of the first decide, and those of the second.
        let middle = small.get(45).aabb().center();
        let across = |axis: Vec3| Plane::new(axis, axis.dot(middle)).expect("a plane");
        let many: Vec<Plane> =
            std::iter::repeat_n(across(Vec3::X), 4096).chain([across(Vec3::Y), across(Vec3::Z)]).collect();
        let outside = |planes: &[Plane]| {
            let is_outside =
                |id: &usize| planes.iter().any(|plane| query::side(&small.get(*id), plane) == Side::Outside);
            (0..small.id_bound()).filter(is_outside).count()
        };
        assert!(outside(&many[..1]) < outside(&many[4095..]) && outside(&many[4096..]) < outside(&many[4095..]));
        check_sides(gpu, pool, &mut workspace, (&small, &many), &format!("round {round}, many planes"));
        verdicts(gpu, &mut workspace, pool, &large, &pairs).expect("verdicts");
        let found = overlaps(gpu, &mut workspace, pool, (None, &large));
        assert_same(&found, &expected[0], &format!("round {round}, after sides of the small set"));
        let found = overlaps(gpu, &mut workspace, pool, (None, &small));
        assert_same(&found, &expected[1], &format!("round {round}, the small set"));
        verdicts(gpu, &mut workspace, pool, &large, &pairs).expect("verdicts");
        let found = overlaps(gpu, &mut workspace, pool, (None, &small));
        assert_same(&found, &expected[1], &format!("round {round}, after pairs of the large set"));
    }
}

pub(super) fn whole_queries(gpu: &Gpu, pool: &Pool, scenes: u64) {
    let mut workspace = Workspace::new();
    for seed in 0..scenes {
        check_queries(gpu, pool, &mut workspace, 700 + seed, 1500);
    }
}

/// Queries on small scenes, with each dispatch compared with its twin. Returns the number of dispatches.
pub(super) fn checked_scenes(gpu: &Gpu, pool: &Pool, scenes: u64) -> u64 {
    let (mut dispatched, mut in_two_pieces) = (0, 0);
    for seed in 0..scenes {
        // Some scenes without a tree.
        let mut workspace = if seed % 4 == 3 { Workspace::new() } else { Workspace::new().frugal() };
        workspace.runner.checked = true;
        check_queries(gpu, pool, &mut workspace, 900 + seed, 400);
        dispatched += workspace.runner.dispatched;
        in_two_pieces += workspace.runner.in_two_pieces;
    }
    assert!(in_two_pieces > 0, "no rows were read in two pieces");
    dispatched + margins_beside_distances(gpu, pool) + capsules_and_ties(gpu, pool) + nearly_equal_distances(gpu, pool)
}

/// Capsules that touch other bodies or nearly do; boxes whose nearest points are not the only ones; and points that may meet few of the
/// bodies around them. Returns the number of dispatches.
fn capsules_and_ties(gpu: &Gpu, pool: &Pool) -> u64 {
    let mut workspace = Workspace::new().frugal();
    workspace.runner.checked = true;
    let (mut bodies, mut pairs) = (Bodies::new(), Vec::new());
    for (family, kind) in (0..FAMILIES.len()).flat_map(|family| (0..KINDS.len()).map(move |kind| (family, kind))) {
        for pair in capsule_pairs::pairs(family, kind, 6) {
            let world = Traits::new().world(pairs.len() as u32);
            pairs.push(pair.map(|shape| bodies.push_with(shape, world).expect("room")));
        }
    }
    let found = verdicts(gpu, &mut workspace, pool, &bodies, &pairs).expect("verdicts");
    for ([a, b], verdict) in pairs.iter().zip(found) {
        let exact = query::intersect(&bodies.get(*a as usize), &bodies.get(*b as usize));
        check_verdict(verdict, exact, &format!("capsules, pair {a}"));
    }
    let sets = (None, &bodies);
    assert_same(&overlaps(gpu, &mut workspace, pool, sets), &brute_force(sets), "capsules");
    check_sides(gpu, pool, &mut workspace, (&bodies, &planes()), "capsules");
    let (stacks, worlds) = (Scene::Stacks.build(60, SEED), Scene::Worlds.build(300, SEED));
    let (stacks, worlds) = (stacks.expect("a scene"), worlds.expect("a scene"));
    let found = clearances(gpu, &mut workspace, pool, (None, &stacks), 1.5).expect("clearances");
    assert!(found == clearances_by_brute_force((None, &stacks), 1.5), "clearances of stacks");
    let points = points_of(&worlds);
    let [found, expected] =
        closest(gpu, &mut workspace, pool, (&points, &worlds), (1, f32::INFINITY)).expect("the nearest bodies");
    assert!(found == expected, "the nearest bodies in their worlds");
    // Balls of two layers; each point may meet those of one, and is in a corner of the bounds of a ball, too far from that.
    let (mut balls, mut corners) = (Bodies::new(), Points::new());
    for k in 0..120_u16 {
        let layer = |k: u16| Traits::new().layer(1 + u32::from(k % 2)).mask(1 + u32::from(k % 2));
        let at = [f32::from(k % 5), f32::from(k / 5 % 5), f32::from(k / 25)].map(|x| 3.0 * x);
        balls.push_with(Sphere::new(at, 1.0).expect("a ball"), layer(k)).expect("room");
        corners.push_with(at.map(|x| x + 0.95), layer(k + k / 2)).expect("a point");
    }
    for within in [0.25, f32::INFINITY] {
        let sets = (&corners, &balls);
        let [found, expected] = closest(gpu, &mut workspace, pool, sets, (1, within)).expect("the nearest bodies");
        assert!(found == expected, "the nearest balls of a layer within {within}");
    }
    workspace.runner.dispatched
}

/// Points between two bodies each, whose distances differ by less and by more than the stated error of the search for the nearest: a kernel that takes
/// another error for granted takes the wrong one for the nearest.
fn nearly_equal_distances(gpu: &Gpu, pool: &Pool) -> u64 {
    let random = |k: u64| (mix(k) >> 40) as f32 / (1 << 23) as f32 - 1.0;
    let vector = |k: u64| Vec3::new(random(k), random(k + 1), random(k + 2));
    let (mut bodies, mut points) = (Bodies::new(), Points::new());
    for k in 0..240_u16 {
        let at = Vec3::new(f32::from(k % 16), f32::from(k / 16), 0.0) * 30.0 + vector(8 * u64::from(k));
        points.push(at).expect("a point");
        let direction = vector(8 * u64::from(k) + 3).normalize();
        let share = [0.0, 1e-7, 1e-6, 1e-5, 1e-4][usize::from(k % 5)];
        for (towards, distance) in [(direction, 4.0), (-direction, 4.0 * (1.0 + share))] {
            let center = at + towards * (distance + 1.0);
            let shape = match (k / 5 + u16::from(towards == direction)) % 4 {
                0 => Shape::from(Sphere::new(center, 1.0).expect("a ball")),
                1 => {
                    let away = Vec3::splat(1.0).copysign(towards);
                    let corners = [at + towards * distance, at + towards * distance + away];
                    Aabb::new(corners[0].min(corners[1]), corners[0].max(corners[1])).expect("a box").into()
                }
                2 => Capsule::new(center, center + towards, 1.0).expect("a capsule").into(),
                _ => {
                    let turn = glam::Quat::from_rotation_arc(Vec3::X, towards);
                    Obb::new(center, [1.0; 3], turn).expect("a box").into()
                }
            };
            bodies.push(shape).expect("room");
        }
    }
    let mut workspace = Workspace::new();
    workspace.runner.checked = true;
    let [found, expected] =
        closest(gpu, &mut workspace, pool, (&points, &bodies), (1, f32::INFINITY)).expect("the nearest bodies");
    let second = expected.iter().filter(|(point, near)| near.body != 2 * point).count();
    assert!(found == expected && (30..120).contains(&second), "the second body is nearer in {second} cases");
    workspace.runner.dispatched
}

/// Pairs whose distances differ from the margin by less and by more than the stated error of the search: a kernel that takes another error for
/// granted decides what its twin leaves open. Returns the number of dispatches.
fn margins_beside_distances(gpu: &Gpu, pool: &Pool) -> u64 {
    const EACH: u16 = 30;
    const STEP: f32 = 1.0 / 1_048_576.0;
    // All of them end at half a unit on both sides: balls, boxes, boxes turned about the axis on which they lie, and capsules across it.
    let row = |first: f32, step: f32| -> Bodies {
        let shapes = (0..EACH).map(|k| {
            let center = [first + step * f32::from(k), 0.0, 0.0];
            match k % 4 {
                0 => Shape::from(Sphere::new(center, 0.5).expect("a ball")),
                3 => {
                    let [x, ..] = center;
                    Capsule::new([x, -4.0, 0.0], [x, 4.0, 0.0], 0.5).expect("a capsule").into()
                }
                1 => Aabb::from_center_half_extents(center, [0.5; 3]).expect("a box").into(),
                _ => Obb::new(center, [0.5; 3], glam::Quat::from_rotation_x(0.3)).expect("a box").into(),
            }
        });
        let mut bodies = Bodies::new();
        bodies.extend(shapes).expect("room");
        bodies
    };
    let (left, right) = (row(0.0, -STEP), row(1.5, STEP));
    let mut workspace = Workspace::new();
    workspace.runner.checked = true;
    let (sets, margin) = ((Some(&left), &right), 0.5 + f32::from(EACH) * STEP);
    let found = near(gpu, &mut workspace, pool, sets, margin).expect("near pairs");
    assert_same(&found, &near_by_brute_force(sets, margin), "distances beside the margin");
    assert!(found.stats.undecided > 100, "{} undecided", found.stats.undecided);
    // Rods that pass each other, so that nothing but two of their edges tells how far apart they are.
    let rods = |seed: u64| -> Bodies {
        let random = |k: u64| (mix(seed * 4096 + k) >> 40) as f32 / (1 << 23) as f32 - 1.0;
        let rod = |k: u64| {
            let vector = |first: u64| Vec3::new(random(first), random(first + 1), random(first + 2));
            let turn = glam::Quat::from_xyzw(random(k + 3), random(k + 4), random(k + 5), random(k + 6));
            Obb::new(vector(k) * 0.5, [1.0, 0.02, 0.03], turn).expect("a rod")
        };
        let mut bodies = Bodies::new();
        bodies.extend((0..40).map(|k| rod(8 * k))).expect("room");
        bodies
    };
    let (first, second) = (rods(1), rods(2));
    // Corners so near each other that the squares of their distance have few bits.
    let corner = |x: f32, y: f32, z: f32, to: f32| -> Bodies {
        let shapes = [1.0, 3.0, 11.0, 64.0].map(|scale| {
            let (near, far) = (Vec3::new(x, y, z) * scale / (1 << 29) as f32, Vec3::splat(to));
            Aabb::new(near.min(far), near.max(far)).expect("a box")
        });
        let mut bodies = Bodies::new();
        bodies.extend(shapes).expect("room");
        bodies
    };
    let (below, above) = (corner(0.0, -1.0, -2.0, -1.0), corner(3.0, 5.0, 7.0, 1.0));
    let mut checked = |sets: Sets<'_>, margin: f32| {
        let found = clearances(gpu, &mut workspace, pool, sets, margin).expect("clearances");
        let expected = clearances_by_brute_force(sets, margin);
        assert!(found == expected, "{} clearances, not {}", found.len(), expected.len());
        found.clearances().iter().filter(|found| found.distance() > 0.0).count()
    };
    let apart = [1e-3, 0.1].map(|margin| checked((Some(&first), &second), margin));
    assert!(apart[0] > 0 && apart[1] > 20, "{apart:?} rods are apart");
    assert!(checked((Some(&below), &above), 1e-3) > 8);
    let near = [((Some(&first), &second), 0.1), ((Some(&below), &above), 1e-3), ((Some(&left), &right), margin)];
    contacts_before_bodies_meet(gpu, pool, &near);
    from_far_away(gpu, pool);
    workspace.runner.dispatched
}

/// Balls and turning boxes that fly towards each other from millions of their sizes away.
fn from_far_away(gpu: &Gpu, pool: &Pool) {
    let (mut bodies, mut motions) = (Bodies::new(), Vec::new());
    for k in 0..12_u16 {
        let (far, side) = (Vec3::new(4e6, 2.7e6, -1.9e6), f32::from(k % 2));
        let (at, way) = (far * side + Vec3::Z * f32::from(k / 4), far * (1.0 - 2.0 * side));
        let shape = if k % 3 == 0 {
            Shape::from(Sphere::new(at, 0.5).expect("a ball"))
        } else {
            Obb::new(at, [0.5, 0.25, 0.75], glam::Quat::from_rotation_x(0.3)).expect("a box").into()
        };
        bodies.push(shape).expect("room");
        let turn = Vec3::Y * f32::from(k % 5);
        motions.push(query::Motion::new(way, turn).expect("a motion"));
    }
    let mut workspace = Workspace::new();
    workspace.runner.checked = true;
    let [found, expected] = sweeps_of(gpu, &mut workspace, pool, (None, &bodies), [&motions, &motions]).expect("hits");
    assert!(found.len() > 8 && found == expected, "{} and {}", found.len(), expected.len());
}

/// Boxes, and others each of which has a corner over one of them, just beside its upper face: as far away as the face's plane but for what rounding hides, and cut off
/// where the face ends.
fn corners_beside_faces() -> [Bodies; 2] {
    let mut sets = [Bodies::new(), Bodies::new()];
    for k in 0..12_u16 {
        let (x, turn) = (8.0 * f32::from(k), 0.4 + 0.05 * f32::from(k));
        sets[0].push(Obb::new([x, 0.0, 0.0], [1.0; 3], glam::Quat::IDENTITY).expect("a box")).expect("room");
        let rotation = glam::Quat::from_rotation_z(turn) * glam::Quat::from_rotation_x(0.9 - turn);
        let lowest = [rotation * Vec3::X, rotation * Vec3::Y, rotation * Vec3::Z]
            .iter()
            .fold(Vec3::ZERO, |sum, axis| sum - *axis * axis.y.signum());
        let corner = Vec3::new(x + 1.0005, 1.5, 0.3);
        sets[1].push(Obb::new(corner - lowest, [1.0; 3], rotation).expect("a box")).expect("room");
    }
    sets
}

/// Contacts of these sets within these margins, and some more.
fn contacts_before_bodies_meet(gpu: &Gpu, pool: &Pool, near: &[(Sets<'_>, f32)]) {
    let ((Some(first), second), _) = near[0] else { panic!("two sets") };
    let mut with_margins = second.clone();
    for id in 0..40 {
        with_margins.set_margin(id, 0.01 * id as f32).expect("it exists");
    }
    // So far apart that distances are outside the domain, and contacts are not.
    let far = |x: f32| {
        let mut bodies = Bodies::new();
        bodies.extend([1e9, 3e9].map(|radius| Sphere::new([x, 0.0, radius], radius).expect("a ball"))).expect("room");
        bodies.push(Obb::new([x, 1e9, 0.0], [1e9; 3], glam::Quat::from_rotation_x(0.3)).expect("a box")).expect("room");
        bodies
    };
    let (here, there) = (far(0.0), far(1e19));
    let mut workspace = Workspace::new();
    workspace.runner.checked = true;
    let [boxes, corners] = corners_beside_faces();
    let more = [
        ((Some(first), &with_margins), 0.02),
        ((Some(&here), &there), 1e20),
        ((Some(&boxes), &corners), 0.7),
        ((Some(&corners), &boxes), 0.7),
    ];
    for (sets, margin) in near.iter().copied().chain(more) {
        let found = contacts(gpu, &mut workspace, pool, sets, (4, Some(margin))).expect("contacts");
        assert!(!found.is_empty() && found == contacts_by_brute_force(sets, (4, Some(margin))), "within {margin}");
    }
}

/// An adapter that computes other bits is noticed before it answers, and one that does not is left alone.
pub(super) fn other_bits_are_noticed(gpu: &mut Gpu, pool: &Pool, few: bool) {
    // A unit in the last place of every sum.
    let (from, to) = ("return det_hide(bitcast<u32>(a + b));", "return det_hide(bitcast<u32>(a + b) ^ 1u);");
    let (contacts, apart, rays) = (Floats::Contacts, Floats::Approaches, Floats::Rays);
    // And whether it is noticed by hulls.
    let kernels = [
        (&*stages::FRAMES, contacts, false),
        (&*stages::TIME_HITS, rays, false),
        (&*stages::HULL_HITS, rays, true),
        (&*stages::CONTACTS, contacts, false),
        (&*stages::APPROACHES, apart, false),
        (&*stages::HULL_CLEARANCES, Floats::Clearances, true),
        (&*stages::HULL_FEET, contacts, true),
        (&*stages::HULL_SWEEPS, Floats::Sweeps, true),
    ];
    // (The others take long to compile.)
    for (stage, floats, hulls) in kernels.into_iter().take(if few { 3 } else { 8 }) {
        gpu.device.sabotage(stage, |source| source.replace(from, to));
        gpu.equal_bits = Default::default();
        assert!(!hulls || pollster::block_on(gpu.check_bits(pool, floats, false)).is_ok(), "{}", stage.name);
        let result = pollster::block_on(gpu.check_bits(pool, floats, hulls));
        assert!(matches!(result, Err(Error::UnequalBits { .. })), "{}: {result:?}", stage.name);
        assert_eq!(gpu.equal_bits(), Some(false));
        gpu.device.repair(stage);
    }
    gpu.equal_bits = Default::default();
    for floats in Floats::ALL {
        pollster::block_on(gpu.check_bits(pool, floats, true)).expect("equal bits");
    }
    assert_eq!(gpu.equal_bits(), Some(true));
}
