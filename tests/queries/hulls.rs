//! Hulls on every backend: relations, margins, contacts, distances, rays, points, sides and sweeps.

use tangency::glam::{Quat, Vec3, vec3};
use tangency::query::{Motion, intersect};
use tangency::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Pose, Ray, Shape, Sphere};
use tangency::{Bodies, Points, Relation, Side, Traits};

use crate::capsule_pairs::Dice;
use crate::engines::{ENGINES, brute, is_long};
use crate::families::{self, Worlds};
use crate::hull_pairs::{BODIES, FAMILIES, any_hull, apart, pairs};
use crate::mesh_hulls;
use crate::polytopes::{any_relation, square_from};
use crate::rational::{height, hull_contains, placed, q, vec3 as exact};

/// All pairs of all families: hulls with every kind of body.
fn all_pairs(count: usize) -> Worlds {
    let all = families::all(FAMILIES.len(), &BODIES, |family, kind| pairs(family, kind, count));
    Worlds::of(all, |[hull, other]| any_relation(hull, other, 0.0))
}

#[test]
fn every_engine_has_the_exact_relation_of_every_pair() {
    all_pairs(if is_long() { 1000 } else { 4 }).check_relations();
}

/// Margins that are the gap to the last bit, or a unit more or less, on the hull or on the other body.
#[test]
fn margins_are_exact() {
    let (mut bodies, mut expected) = (Bodies::new(), Vec::new());
    for kind in BODIES {
        for (number, (pair, gap)) in apart(kind, if is_long() { 300 } else { 8 }).into_iter().enumerate() {
            for (margin, relation) in [
                (gap.next_down(), Relation::Separate),
                (gap, Relation::Touching),
                (gap.next_up(), Relation::Overlapping),
            ] {
                let world = Traits::new().world(bodies.len() as u32);
                let [hull, other] = pair.clone().map(|shape| bodies.push_with(shape, world).unwrap());
                bodies.set_margin(if number % 2 == 0 { hull } else { other }, margin).unwrap();
                expected.extend(relation.is_hit().then_some((hull, other, relation)));
            }
        }
    }
    for (name, engine) in &*ENGINES {
        let found: Vec<_> = engine.overlaps(&bodies).margin(0.0).run().unwrap().iter().collect();
        assert!(found == expected, "{name}: {} of {}", found.len(), expected.len());
    }
}

/// How long all are together that a distance is computed from: bodies, and the way between them.
fn all_lengths(shapes: &[Shape]) -> f32 {
    let bounds = shapes.iter().filter_map(Shape::aabb).reduce(|all, bounds| all.merge(&bounds)).unwrap();
    (bounds.max() - bounds.min()).length()
}

/// Distances are those of whole numbers, never more, and less by rounding and what is taken off for errors; and the nearest points are as far apart.
#[test]
fn distances_are_those_of_whole_numbers() {
    let all: Vec<_> = BODIES.iter().flat_map(|kind| apart(*kind, if is_long() { 300 } else { 12 })).collect();
    let worlds = Worlds::of(all.iter().map(|(pair, _)| pair.clone()), |_| Relation::Separate);
    let expected = brute().clearances(&worlds.bodies, 1000.0).run().unwrap();
    assert_eq!(expected.len(), all.len());
    for ((a, b, found), (_, gap)) in expected.iter().zip(&all) {
        let shapes = || [a, b].map(|id| worlds.bodies.shape(id).unwrap());
        // (docs/distances.md: 2⁻³² of the largest length; here all of them are twice as much at most.)
        let least = gap - gap / 4_194_304.0 - all_lengths(&shapes()) * 0.5_f32.powi(31);
        assert!((least..=*gap).contains(&found.distance()), "{found:?}, {gap}: {:?}", shapes());
        let between = (found.on_a() - found.on_b()).length();
        // Coordinates are up to some hundreds, and those of half-spaces are not used.
        assert!((between - gap).abs() <= 1e-3, "{found:?}, {gap}: {:?}", shapes());
    }
    for (name, engine) in &*ENGINES {
        let found = engine.clearances(&worlds.bodies, 1000.0).run().unwrap();
        assert!(found == expected && found.fingerprint() == expected.fingerprint(), "{name}");
    }
}

/// Contacts, clearances and sweeps have the same bits everywhere. There is a contact of all pairs that meet, and of no other.
#[test]
fn details_have_the_same_bits_everywhere() {
    let worlds = all_pairs(if is_long() { 60 } else { 3 });
    let contacts = worlds.check_details();
    let hits: Vec<_> = worlds.hits().into_iter().map(|(a, b, _)| (a, b)).collect();
    assert!(contacts.pairs().pairs().eq(hits), "contacts are of the pairs that meet");
    for found in contacts.manifolds() {
        let shapes = || [found.a(), found.b()].map(|id| worlds.bodies.shape(id).unwrap());
        assert!((found.normal().length() - 1.0).abs() < 1e-5, "{found:?}: {:?}", shapes());
        assert!(found.points().len() > 0 && found.depth().is_finite(), "{found:?}: {:?}", shapes());
    }
}

/// Hulls of every dimension and of few and many corners, in poses, among bodies of all kinds.
fn yard() -> Bodies {
    let mut dice = Dice(4);
    let cube = ConvexHull::from_points(Aabb::new([-0.5; 3], [0.5; 3]).unwrap().corners()).unwrap();
    let beside = ConvexHull::from_points([[3.0, 0.0, 0.0], [4.0, 0.0, 0.0], [3.0, 1.0, 0.0], [3.0, 0.0, 1.0]]).unwrap();
    let plate = ConvexHull::from_points([[0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0]]).unwrap();
    let rod = ConvexHull::from_points([[-1.0, 0.0, 0.5], [1.0, 0.25, 0.0]]).unwrap();
    let point = ConvexHull::from_points([[0.0, 0.5, 0.0]]).unwrap();
    let round = any_hull(&mut dice, Vec3::ZERO, 0.75, 24).unwrap();
    let forms = [cube, beside, plate, rod, point, round];
    let mut bodies = Bodies::new();
    bodies.push(Plane::new([0.0, 1.0, 0.0], 0.0).unwrap()).unwrap();
    for k in 0..240_usize {
        let at = dice.vector() * vec3(5.0, 2.0, 5.0) + Vec3::Y;
        let turn = if k % 3 == 0 { Quat::IDENTITY } else { dice.turn() };
        let shape: Shape = match k % 8 {
            0 => Sphere::new(at, 0.5).unwrap().into(),
            1 => Aabb::new(at, at + Vec3::splat(0.5)).unwrap().into(),
            2 => Obb::new(at, [0.25, 0.5, 0.5], turn).unwrap().into(),
            3 => Capsule::new(at, at + Vec3::Y, 0.25).unwrap().into(),
            _ => forms[k % 6].with_pose(Pose::new(at, turn).unwrap()).into(),
        };
        bodies.push(shape).unwrap();
    }
    bodies
}

/// The hulls of a set.
fn hulls(bodies: &Bodies) -> Vec<(u32, ConvexHull)> {
    let hull = |shape: Shape| if let Shape::ConvexHull(hull) = shape { Some(hull) } else { None };
    bodies.iter().filter_map(|body| Some((body.id, hull(body.shape)?))).collect()
}

/// Points in the yard: corners and middles of hulls, and any.
fn places(bodies: &Bodies) -> Vec<Vec3> {
    let mut dice = Dice(5);
    let place = |(k, (_, hull)): (usize, (u32, ConvexHull))| match (k % 3, hull.vertices()) {
        (0, corners) => corners[0],
        (1, corners) => corners.iter().sum::<Vec3>() / corners.len() as f32,
        _ => dice.vector() * 5.0,
    };
    hulls(bodies).into_iter().enumerate().map(place).collect()
}

/// Every query has an answer, the same on every engine, and hulls are in it.
#[test]
fn a_yard_is_the_same_everywhere() {
    let bodies = yard();
    let is_hull = |id: u32| matches!(bodies.shape(id), Ok(Shape::ConvexHull(_)));
    let places = places(&bodies);
    let rays: Vec<Ray> = places.iter().map(|at| Ray::new(*at * 1.5, vec3(0.1, 0.5, 0.0) - *at).unwrap()).collect();
    let points = Points::of(places).unwrap();
    let motions: Vec<Motion> = (0..bodies.id_bound())
        .map(|k| match k % 3 {
            0 => Motion::REST,
            1 => Motion::translation([0.5, 0.0, -1.0]).unwrap(),
            _ => Motion::new([0.0, -0.5, 0.0], [0.5, 1.0, 0.0]).unwrap(),
        })
        .collect();
    let brute = brute();
    let overlaps = brute.overlaps(&bodies).run().unwrap();
    let within = brute.overlaps(&bodies).margin(0.25).run().unwrap();
    let near = brute.closest(&bodies, &points).count(4).run().unwrap();
    let contained = brute.containing(&bodies, &points).run().unwrap();
    let hits = brute.cast_rays(&bodies, &rays).all().run().unwrap();
    let contacts = brute.contacts(&bodies).run().unwrap();
    let swept = brute.sweep(&bodies, &motions).run().unwrap();
    let of_hulls = [
        overlaps.iter().filter(|(a, b, _)| is_hull(*a) && is_hull(*b)).count(),
        within.len() - overlaps.len(),
        near.iter().filter(|(_, near)| is_hull(near.body)).count(),
        contained.iter().filter(|(_, body, _)| is_hull(*body)).count(),
        hits.iter().flatten().filter(|hit| is_hull(hit.body)).count(),
        swept.iter().filter(|(a, b, _)| is_hull(*a) && is_hull(*b)).count(),
    ];
    println!("{of_hulls:?}");
    assert!(of_hulls.iter().all(|count| *count > 20), "{of_hulls:?}");
    for (name, engine) in &*ENGINES {
        assert!(engine.overlaps(&bodies).run().unwrap() == overlaps, "{name}: overlaps");
        assert!(engine.overlaps(&bodies).margin(0.25).run().unwrap() == within, "{name}: within a margin");
        assert!(engine.closest(&bodies, &points).count(4).run().unwrap() == near, "{name}: closest");
        assert!(engine.containing(&bodies, &points).run().unwrap() == contained, "{name}: containing");
        assert!(engine.cast_rays(&bodies, &rays).all().run().unwrap() == hits, "{name}: rays");
        assert!(engine.contacts(&bodies).run().unwrap() == contacts, "{name}: contacts");
        assert!(engine.sweep(&bodies, &motions).run().unwrap() == swept, "{name}: sweeps");
        let candidates = engine.candidates(&bodies).run().unwrap();
        assert!(overlaps.pairs().all(|(a, b)| candidates.pairs().any(|pair| pair == (a, b))), "{name}: candidates");
    }
}

/// Which hulls contain a point, and how far the others are, in rational numbers.
#[test]
fn points_are_where_they_are_in_rational_numbers() {
    let bodies = yard();
    let hulls = hulls(&bodies);
    let places: Vec<Vec3> = places(&bodies).into_iter().step_by(if is_long() { 1 } else { 13 }).collect();
    let points = Points::of(places.iter().copied()).unwrap();
    let contained = brute().containing(&bodies, &points).run().unwrap();
    let near = brute().closest(&bodies, &points).count(bodies.len() as u32).run().unwrap();
    let mut inside = 0;
    for (id, hull) in &hulls {
        let corners: Vec<_> = hull.local_vertices().iter().map(|corner| placed(&hull.pose(), *corner)).collect();
        for (point, place) in (0..).zip(&places) {
            let is_inside = hull_contains(&corners, hull.faces(), hull.dimension(), &exact(*place));
            let found = contained.relation(point, *id);
            assert_eq!(found.is_hit(), is_inside, "{place} in {hull:?}");
            inside += usize::from(is_inside);
            let distance = near.of_point(point).iter().find(|near| near.body == *id).unwrap().distance;
            let square = square_from(hull, &exact(*place));
            assert!(distance == 0.0 || !is_inside, "{place} in {hull:?}");
            // Never more than it is; and the search in single precision is to end so near the nearest edge or face that it is hardly less.
            let reach = hull.local_vertices().iter().map(|corner| corner.length()).fold(0.0, f32::max);
            let less = (reach + (*place - hull.pose().position().to_vec3()).length()) / 1_048_576.0;
            let high = q(distance) + q(less);
            assert!(q(distance) * q(distance) <= square, "{distance} of {place} and {hull:?}");
            assert!(square <= &high * &high, "{distance} of {place} and {hull:?}");
        }
    }
    assert!(inside * 3 > places.len(), "{inside} of {}", places.len());
}

/// Sides of planes through corners of hulls, and beside them.
#[test]
fn sides_are_those_of_the_corners() {
    let bodies = yard();
    let corners_of =
        |hull: &ConvexHull| hull.local_vertices().iter().map(|corner| placed(&hull.pose(), *corner)).collect();
    let all: Vec<(u32, ConvexHull, Vec<_>)> =
        hulls(&bodies).into_iter().map(|(id, hull)| (id, hull.clone(), corners_of(&hull))).collect();
    let mut seen = [0; 3];
    for (k, (_, through, _)) in all.iter().enumerate().step_by(if is_long() { 1 } else { 20 }) {
        let normal = [vec3(0.0, 1.0, 0.0), vec3(1.0, -2.0, 0.5), vec3(-0.3, 0.1, 0.7)][k % 3];
        let plane = Plane::from_point_normal(through.vertices()[0], normal).unwrap();
        let expected = brute().cull(&bodies, &[plane]).run().unwrap();
        for (id, hull, corners) in &all {
            let above: Vec<bool> =
                corners.iter().map(|corner| height(plane.normal(), corner, plane.offset()).is_gt()).collect();
            let side = match (above.contains(&true), above.contains(&false)) {
                (false, _) => Side::Inside,
                (true, true) => Side::Crossing,
                (true, false) => Side::Outside,
            };
            assert_eq!(expected[*id as usize], side, "{hull:?} {plane:?}");
            seen[side as usize] += 1;
        }
        for (name, engine) in &*ENGINES {
            assert!(engine.cull(&bodies, &[plane]).run().unwrap() == expected, "{name}");
        }
    }
    assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
}

/// Hulls as small and as large as numbers can be: what kernels do not compute with is left to the host. (`cull` had taken the largest for points.)
#[test]
fn hulls_of_all_sizes_have_the_same_answers() {
    for exponent in [-126, -60, 0, 30, 39, 40, 41, 42, 60, 100, 111, 112, 118, 119, 120, 121, 122, 125, 127] {
        let size = (2.0_f64.powi(exponent) * 1.999_999) as f32;
        let corners = [[0.0; 3], [size, -size, -size], [-size, -size, size], [-size, size, 0.0], [0.0, 0.0, -size]];
        let mut bodies = Bodies::new();
        let hull = ConvexHull::from_points(corners).unwrap();
        for turn in [Quat::IDENTITY, Quat::from_xyzw(0.0, 1e15, 0.0, 0.0), Quat::from_xyzw(0.5, -0.5, 0.5, 0.5)] {
            bodies.push(hull.with_pose(Pose::new(Vec3::ZERO, turn).unwrap())).unwrap();
        }
        bodies.push(Sphere::new([1.0, 2.0, 3.0], 0.25).unwrap()).unwrap();
        let planes = [[0.0, 1.0, 0.0], [1.0, -0.5, 0.25], [0.0, 0.0, -1.0]]
            .map(|normal| [-1.0, 0.0, 2.0, -size / 2.0, size].map(|offset| Plane::new(normal, offset).unwrap()));
        let points = Points::of([[0.0; 3], [1.0, 2.0, 3.0], [size / 4.0, -size / 2.0, -size / 2.0]]).unwrap();
        let rays = [[1.0, 0.5, 0.25], [-1.0, 2.0, 0.0]].map(|way| Ray::new([0.0, -2.0, 5.0], way).unwrap());
        let brute = brute();
        let overlaps = brute.overlaps(&bodies).run().unwrap();
        let contained = brute.containing(&bodies, &points).run().unwrap();
        let hits = brute.cast_rays(&bodies, &rays).run().unwrap();
        for (name, engine) in &*ENGINES {
            for plane in planes.iter().flatten() {
                let expected = brute.cull(&bodies, &[*plane]).run().unwrap();
                assert_eq!(engine.cull(&bodies, &[*plane]).run().unwrap(), expected, "{name}, {exponent}: {plane:?}");
            }
            assert!(engine.overlaps(&bodies).run().unwrap() == overlaps, "{name}, {exponent}: overlaps");
            assert!(engine.containing(&bodies, &points).run().unwrap() == contained, "{name}, {exponent}: containing");
            assert!(engine.cast_rays(&bodies, &rays).run().unwrap() == hits, "{name}, {exponent}: rays");
        }
    }
}

/// A hull that falls is stopped by what is below, on time; one that turns sweeps where its corners go.
#[test]
fn moving_hulls() {
    let cube = ConvexHull::from_points(Aabb::new([-0.5; 3], [0.5; 3]).unwrap().corners()).unwrap();
    let at = |x: f32, y: f32| cube.with_pose(Pose::at([x, y, 0.0]).unwrap());
    let mut bodies = Bodies::new();
    bodies.push(Plane::new([0.0, 1.0, 0.0], 0.0).unwrap()).unwrap();
    bodies.extend([at(0.0, 2.5), at(10.0, 4.0), at(11.25, 4.0)]).unwrap();
    bodies.push(Sphere::new([20.0, 2.0, 0.0], 0.5).unwrap()).unwrap();
    bodies.push(at(20.0, 6.0)).unwrap();
    let falling = Motion::translation([0.0, -4.0, 0.0]).unwrap();
    let turning = Motion::new([0.0; 3], [0.0, 0.0, std::f32::consts::FRAC_PI_4]).unwrap();
    let motions = [Motion::REST, falling, turning, turning, Motion::REST, falling];
    for (name, engine) in &*ENGINES {
        let hits = engine.sweep(&bodies, &motions).run().unwrap();
        let found: Vec<_> = hits.iter().map(|(a, b, hit)| (a, b, hit.from())).collect();
        assert_eq!(found.iter().map(|(a, b, _)| (*a, *b)).collect::<Vec<_>>(), [(0, 1), (2, 3), (4, 5)], "{name}");
        assert!((found[0].2 - 0.5).abs() < 1e-5 && (found[2].2 - 0.75).abs() < 1e-5, "{name}: {found:?}");
        assert!(found[1].2 > 0.1 && found[1].2 < 1.0, "{name}: {found:?}");
    }
}

/// Hulls of real meshes that nearly touch, as bodies: every engine has the relation that single shapes have, which `tests/exact/meshes.rs` proves.
#[test]
#[ignore = "needs a folder of meshes"]
fn hulls_of_meshes_that_nearly_touch() {
    let (hulls, count) = (mesh_hulls::hulls(), mesh_hulls::count());
    let mut dice = Dice(20);
    let pairs = (0..count).map(|_| {
        let (a, b, _) = mesh_hulls::near_pair(&mut dice, &hulls);
        [a.into(), b.into()]
    });
    let worlds = Worlds::of(pairs, |[a, b]| intersect(a, b).unwrap());
    for (name, engine) in &*ENGINES {
        let asked = engine.overlaps(&worlds.bodies).run().unwrap();
        assert!(asked.iter().eq(worlds.hits()), "{name}");
        println!("{name}: {} of {count} pairs meet, {} were left to the host", asked.len(), asked.stats().undecided);
        assert!(
            engine.relations(&worlds.bodies, &worlds.listed).run().unwrap() == worlds.expected,
            "{name}: relations"
        );
    }
}
