//! Hulls in poses: one local form however often it moves, exact verdicts, and the answers of the hull that is built where it lies.

use crate::properties::properties;
use crate::{rational, support};
use std::cmp::Ordering;

use crate::rational::{Q, height, hull_contains, placed};
use crate::support::sampled::{Sampled, check_turning};
use crate::support::{aabb, capsule, hull, obb, plane, point, ray, rotation, sphere, triangle};
use glam::{DVec3, Quat, Vec3};
use proptest::prelude::*;
use tangency::query::{self, Motion, Polyhedron, Support};
use tangency::shape::{Aabb, ConvexHull, Plane, Pose, Ray, Segment, Shape};
use tangency::{Relation, Side};

fn pose() -> impl Strategy<Value = Pose> {
    (point(), rotation(), 0.1f32..9.0).prop_map(|(p, q, length)| Pose::new(p, q * length).unwrap())
}

/// The hull of the corners where they are, rounded.
fn built(hull: &ConvexHull) -> ConvexHull {
    ConvexHull::from_points(hull.vertices()).unwrap()
}

/// What answers depend on, to within rounding of the corners: numbers of size 20 and coordinates of size 10.
fn near(a: f32, b: f32) -> bool {
    (a - b).abs() < 1e-4
}

/// Hulls of every dimension whose corners, in a pose of whole numbers, lie at whole numbers: local coordinates are multiples of |q|².
fn lattice() -> impl Strategy<Value = ConvexHull> {
    let corner = prop::array::uniform3(-3i8..=3);
    let flat = prop::sample::select(vec![[1.0f32, 1.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0; 3]]);
    let turn = prop::array::uniform4(-3i8..=3).prop_filter("no rotation", |q| *q != [0; 4]);
    (prop::collection::vec(corner, 1..10), flat, turn, prop::array::uniform3(-9i8..=9)).prop_map(
        |(corners, flat, turn, place)| {
            let (turn, place) = (Quat::from_array(turn.map(f32::from)), Vec3::from_array(place.map(f32::from)));
            let scaled = corners.into_iter().map(|c| Vec3::from_array(c.map(f32::from)) * Vec3::from_array(flat));
            let hull = ConvexHull::from_points(scaled.map(|c| c * turn.length_squared())).unwrap();
            hull.with_pose(Pose::new(place, turn).unwrap())
        },
    )
}

fn exact_corners(hull: &ConvexHull) -> Vec<[Q; 3]> {
    hull.local_vertices().iter().map(|v| placed(&hull.pose(), *v)).collect()
}

/// The next number up or down, or the same.
fn nudged(x: f32, way: i8) -> f32 {
    match way {
        1 => x.next_up(),
        -1 => x.next_down(),
        _ => x,
    }
}

properties! {
    #![proptest_config(support::config(2000))]

    #[test]
    fn containing_is_exact(hull in lattice(), picks in prop::array::uniform3(any::<prop::sample::Index>()), share in 0..4usize, by in prop::array::uniform3(-1i8..=1)) {
        let v = hull.vertices();
        let [a, b, c] = picks.map(|pick| v[pick.index(v.len())]);
        // Corners, middles of edges and sides, places inside; and their neighbours.
        let at = [a, (a + b) / 2.0, (a + a + b + c) / 4.0, (a + b + c) / 3.0][share];
        for at in [at, Vec3::from_array([0, 1, 2].map(|k| nudged(at[k], by[k])))] {
            let exact = hull_contains(&exact_corners(&hull), hull.faces(), hull.dimension(), &rational::vec3(at));
            prop_assert_eq!(hull.contains_point(at), exact, "{:?} in {:?}", at, hull);
            prop_assert!(!exact || hull.aabb().contains_point(at));
        }
    }

    #[test]
    fn containing_is_exact_for_numbers_of_every_size(
        points in prop::collection::vec(prop::array::uniform3(support::sizes()), 1..6), q in prop::array::uniform4(support::sizes()),
        place in prop::array::uniform3(support::sizes()), pick in any::<prop::sample::Index>(), by in prop::array::uniform3(-1i8..=1),
    ) {
        prop_assume!(q != [0.0; 4]);
        let hull = ConvexHull::from_points(points).unwrap().with_pose(Pose::new(place, Quat::from_array(q)).unwrap());
        let corner = hull.vertices()[pick.index(hull.vertices().len())];
        let at = Vec3::from_array([0, 1, 2].map(|k| nudged(corner[k], by[k]))).clamp(Vec3::MIN, Vec3::MAX);
        let exact = hull_contains(&exact_corners(&hull), hull.faces(), hull.dimension(), &rational::vec3(at));
        prop_assert_eq!(hull.contains_point(at), exact, "{:?} in {:?}", at, hull);
    }

    #[test]
    fn sides_are_exact(hull in lattice(), n in prop::array::uniform3(-4i8..=4), pick in any::<prop::sample::Index>(), by in -1i8..=1, tilt in -1i8..=1) {
        prop_assume!(n != [0; 3]);
        let n = Vec3::from_array(n.map(f32::from));
        // Planes through a corner, and their neighbours.
        let through = hull.vertices()[pick.index(hull.vertices().len())];
        let plane = Plane::new([nudged(n.x, tilt), n.y, n.z], nudged(n.dot(through), by));
        prop_assume!(plane.is_ok());
        let plane = plane.unwrap();
        let heights: Vec<Ordering> = exact_corners(&hull).iter().map(|c| height(plane.normal(), c, plane.offset())).collect();
        let exact = if heights.iter().all(|h| *h == Ordering::Greater) {
            Side::Outside
        } else if heights.contains(&Ordering::Greater) {
            Side::Crossing
        } else {
            Side::Inside
        };
        prop_assert_eq!(query::side(&hull, &plane), exact, "{:?} to {:?}", hull, plane);
    }

    #[test]
    fn sides_are_exact_for_numbers_of_every_size(
        points in prop::collection::vec(prop::array::uniform3(support::sizes()), 1..6), q in prop::array::uniform4(support::sizes()),
        place in prop::array::uniform3(support::sizes()), n in prop::array::uniform3(support::sizes()), d in support::sizes(),
    ) {
        prop_assume!(q != [0.0; 4] && n != [0.0; 3]);
        let hull = ConvexHull::from_points(points).unwrap().with_pose(Pose::new(place, Quat::from_array(q)).unwrap());
        let through = Vec3::from_array(n).as_dvec3().dot(hull.vertices()[0].as_dvec3()) as f32;
        for offset in [d, through].into_iter().filter(|d| d.is_finite()) {
            let plane = Plane::new(n, offset).unwrap();
            let outside = exact_corners(&hull).iter().filter(|c| height(plane.normal(), c, offset) == Ordering::Greater).count();
            let exact = match outside {
                0 => Side::Inside,
                all if all == hull.local_vertices().len() => Side::Outside,
                _ => Side::Crossing,
            };
            prop_assert_eq!(query::side(&hull, &plane), exact, "{:?} to {:?}", hull, plane);
        }
    }

    // A corner as far from the plane as `f64` is wrong with it: the offset takes the height to 2⁻²⁴ of what it was, each coordinate of the place to as much again.
    #[test]
    fn sides_are_exact_where_f64_is_not(
        x in prop::array::uniform3(-1f32..1.0), q in prop::array::uniform4(-1f32..1.0), n in prop::array::uniform3(0.5f32..1.0), small in prop::array::uniform4(0..3i32),
    ) {
        prop_assume!(Quat::from_array(q).length_squared() > 0.01);
        let [x, n] = [x, n].map(Vec3::from_array);
        let [a, b, c, d] = small.map(|tenths| 0.001f32.powi(tenths));
        let (x, n) = (x * Vec3::new(1.0, a, b), n * Vec3::new(1.0, c, d));
        let turned = Quat::from_array(q).as_dquat().normalize() * x.as_dvec3();
        let offset = n.as_dvec3().dot(turned) as f32;
        let mut rest = f64::from(offset) - n.as_dvec3().dot(turned);
        let place = [0, 1, 2].map(|k| {
            let step = (rest / f64::from(n[k])) as f32;
            rest -= f64::from(n[k]) * f64::from(step);
            step
        });
        let hull = ConvexHull::from_points([x]).unwrap().with_pose(Pose::new(place, Quat::from_array(q)).unwrap());
        let plane = Plane::new(n, offset).unwrap();
        let exact = height(plane.normal(), &exact_corners(&hull)[0], offset);
        let expected = if exact == Ordering::Greater { Side::Outside } else { Side::Inside };
        prop_assert_eq!(query::side(&hull, &plane), expected, "{:?} to {:?}", hull, plane);
    }
}

/// A hull in a pose and the one that is built there, asked the same of one other shape.
fn same_answers<S>(posed: &ConvexHull, other: &S) -> Result<(), TestCaseError>
where
    S: Support + Clone + Into<Shape>,
{
    let built = built(posed);
    let (a, b) = (query::gjk(posed, other).unwrap(), query::gjk(&built, other).unwrap());
    prop_assert!(near(a.distance, b.distance), "{a:?} {b:?}");
    let depth = |hull: &ConvexHull| query::epa(hull, other).map_or(0.0, |deep| deep.depth);
    prop_assert!(near(depth(posed), depth(&built)));
    let (mine, theirs): (Shape, Shape) = (posed.clone().into(), built.into());
    let other: Shape = other.clone().into();
    let contact = |hull: &Shape| query::contact(hull, &other).unwrap().map_or(0.0, |found| found.depth());
    prop_assert!(near(contact(&mine), contact(&theirs)));
    let apart = |hull: &Shape| query::closest_points(hull, &other).unwrap().distance;
    prop_assert!(near(apart(&mine), apart(&theirs)));
    Ok(())
}

properties! {
    #![proptest_config(support::config(400))]

    #[test]
    fn answers_are_those_of_the_hull_that_is_built_there(
        h in hull(), at in pose(), other in hull(), s in sphere(), b in obb(), k in capsule(), t in triangle(),
    ) {
        let posed = h.with_pose(at);
        same_answers(&posed, &other)?;
        same_answers(&posed, &s)?;
        same_answers(&posed, &b)?;
        same_answers(&posed, &k)?;
        same_answers(&posed, &t)?;
        let there = built(&posed);
        let overlap = |hull: &ConvexHull| query::sat(hull, &other).unwrap().overlap;
        prop_assert!(near(overlap(&posed), overlap(&there)));
        prop_assert!((posed.volume() - h.volume()).abs() == 0.0 && (posed.volume() - there.volume()).abs() < 1e-3);
        prop_assert!((posed.area() - there.area()).abs() < 1e-3);
    }

    #[test]
    fn points_rays_and_planes_are_those_of_the_hull_that_is_built_there(h in hull(), at in pose(), p in point(), r in ray(), f in plane(), d in point()) {
        let posed = h.with_pose(at);
        let there = built(&posed);
        let closest = |hull: &ConvexHull| query::closest_point(hull, p).unwrap();
        prop_assert!(near(closest(&posed).distance, closest(&there).distance));
        let surface = |hull: &ConvexHull| query::closest_surface_point(hull, p).unwrap().distance;
        prop_assert!(near(surface(&posed), surface(&there)));
        if surface(&there).abs() > 1e-4 {
            prop_assert_eq!(posed.contains_point(p), there.contains_point(p));
        }
        // Through the inside: a ray that grazes may hit one and miss the other.
        let inside = posed.vertices().iter().sum::<Vec3>() / posed.vertices().len() as f32;
        let through = Ray::new(r.origin(), inside - r.origin());
        if let Ok(through) = through {
            let (hit, same) = (query::cast_ray(&through, &posed), query::cast_ray(&through, &there));
            prop_assert_eq!(hit.is_some(), same.is_some());
            if let (Some(hit), Some(same)) = (hit, same) {
                prop_assert!(hit.point.distance(same.point) < 1e-2 && hit.inside == same.inside, "{:?} {:?}", hit, same);
            }
        }
        let low = |hull: &ConvexHull| query::closest_points(hull, &f).unwrap().distance;
        prop_assert!(near(low(&posed), low(&there)));
        let deep = |hull: &ConvexHull| query::contact(hull, &f).map_or(0.0, |found| found.depth());
        prop_assert!(near(deep(&posed), deep(&there)));
        prop_assert!(near(posed.support(d).dot(d), there.support(d).dot(d)));
        let (mine, theirs) = (posed.aabb(), there.aabb());
        prop_assert!(mine.min().abs_diff_eq(theirs.min(), 1e-5) && mine.max().abs_diff_eq(theirs.max(), 1e-5));
        let meets = query::meets(&posed, &Aabb::from_points([p, d]).unwrap());
        prop_assert!(!meets || query::intersect(&mine, &Aabb::from_points([p, d]).unwrap()) != Relation::Separate);
    }

    #[test]
    fn flat_hulls_and_rods_have_their_pose(t in triangle(), at in pose(), r in ray(), w in point()) {
        let sheet = ConvexHull::from_points(t.corners()).unwrap().with_pose(at);
        let there = built(&sheet);
        let aimed = Ray::new(r.origin(), sheet.vertices().iter().sum::<Vec3>() / 3.0 - r.origin()).unwrap();
        let (hit, same) = (query::cast_ray(&aimed, &sheet), query::cast_ray(&aimed, &there));
        if let (Some(hit), Some(same)) = (hit, same) {
            prop_assert!(hit.point.distance(same.point) < 1e-3 && hit.normal.dot(same.normal) > 0.999);
        }
        let normals = |hull: &ConvexHull| (hull.face_normals().len(), hull.edge_directions().len());
        prop_assert_eq!(normals(&sheet), normals(&there));
        let rod = ConvexHull::from_points([Vec3::ZERO, w]).unwrap().with_pose(at);
        let v = rod.vertices();
        let segment = Segment::new(v[0], v[v.len() - 1]).unwrap();
        let apart = query::closest_points(&rod, &segment).unwrap().distance;
        prop_assert!(apart < 1e-5);
    }

    #[test]
    fn sweeps_of_hulls_in_poses_are_never_missed(h in hull(), at in pose(), other in hull(), way in point(), turn in point(), pivot in point()) {
        let posed = h.with_pose(at);
        let motion = Motion::new(way, turn).unwrap().about(pivot).unwrap();
        check_turning((&posed, &other), (&motion, &Motion::REST), |time| {
            Sampled::of_hull(&posed, &motion, time).distance(&Sampled::of_hull(&other, &Motion::REST, time))
        })?;
    }

    #[test]
    fn turning_and_moving_are_those_of_the_corners(h in hull(), turn in rotation(), by in point(), turn_again in rotation()) {
        let moved = h.rotate(turn).unwrap().translate(by).unwrap().rotate(turn_again).unwrap();
        for (v, w) in h.vertices().into_iter().zip(moved.vertices()) {
            prop_assert!((turn_again * (turn * v + by)).distance(w) < 1e-5);
        }
        prop_assert_eq!(moved.local_vertices().as_ptr(), h.local_vertices().as_ptr());
    }

    #[test]
    fn in_the_identity_nothing_is_rounded(points in prop::collection::vec(point(), 1..20), d in point(), b in aabb(), w in point()) {
        let hull = ConvexHull::from_points(points.iter().copied()).unwrap();
        let plain = Corners(hull.local_vertices().to_vec());
        let bits = |v: &[Vec3]| v.iter().flat_map(Vec3::to_array).map(f32::to_bits).collect::<Vec<_>>();
        prop_assert_eq!(bits(&hull.vertices()), bits(hull.local_vertices()));
        prop_assert_eq!(hull.aabb(), Aabb::from_points(points).unwrap());
        prop_assert_eq!(hull.core_support(d.as_dvec3()), plain.core_support(d.as_dvec3()));
        prop_assert_eq!(hull.center(), plain.center());
        prop_assert_eq!(query::gjk(&hull, &b), query::gjk(&plain, &b));
        prop_assert_eq!(query::epa(&hull, &b), query::epa(&plain, &b));
        let motion = Motion::new(d, w).unwrap();
        prop_assert_eq!(query::sweep(&hull, &motion, &b, &Motion::REST), query::sweep(&plain, &motion, &b, &Motion::REST));
        // A rotation of another length along w turns nothing either.
        let longer = hull.with_pose(Pose::new([0.0; 3], Quat::from_xyzw(0.0, 0.0, 0.0, -0.3)).unwrap());
        prop_assert_eq!(bits(&longer.vertices()), bits(hull.local_vertices()));
        prop_assert_eq!(longer.aabb(), hull.aabb());
    }
}

/// Points as they are: what a hull was to queries before it had a pose.
struct Corners(Vec<Vec3>);

impl Support for Corners {
    fn core_support(&self, direction: DVec3) -> DVec3 {
        let (mut best, mut height) = (self.0[0].as_dvec3(), f64::NEG_INFINITY);
        for corner in &self.0 {
            let along = corner.as_dvec3().dot(direction);
            if along > height {
                (best, height) = (corner.as_dvec3(), along);
            }
        }
        best
    }

    fn center(&self) -> DVec3 {
        let low = self.0.iter().copied().reduce(Vec3::min).unwrap();
        let high = self.0.iter().copied().reduce(Vec3::max).unwrap();
        (low.as_dvec3() + high.as_dvec3()) / 2.0
    }
}

#[test]
fn moving_shares_the_local_form() {
    let round = (0..200_u16).map(|i| {
        let (height, angle) = (f32::from(i) / 100.0 - 1.0, f32::from(i) * 2.4);
        let radius = (1.0 - height * height).max(0.0).sqrt();
        Vec3::new(radius * angle.cos(), radius * angle.sin(), height)
    });
    let hull = ConvexHull::from_points(round).unwrap();
    assert!(hull.local_vertices().len() > 150);
    let mut moved = hull.clone();
    for i in 0..10_000_u16 {
        let turn = Quat::from_rotation_y(f32::from(i) * 0.01);
        moved = moved.with_pose(Pose::new([f32::from(i), 0.0, 0.0], turn).unwrap());
        moved = moved.translate([0.0, 1.0, 0.0]).unwrap().rotate(Quat::from_rotation_z(0.1)).unwrap();
        assert_eq!(moved.local_vertices().as_ptr(), hull.local_vertices().as_ptr());
        assert_eq!(moved.faces().as_ptr(), hull.faces().as_ptr());
        assert_eq!(moved.edges().as_ptr(), hull.edges().as_ptr());
    }
    assert_ne!(moved, hull);
    assert_eq!(moved.with_pose(hull.pose()), hull);
    assert_eq!(hull, ConvexHull::from_points(hull.vertices()).unwrap());
}

#[test]
fn a_cube_turned_by_an_eighth_reaches_its_diagonal() {
    let cube = ConvexHull::from_points(Aabb::new([-1.0; 3], [1.0; 3]).unwrap().corners()).unwrap();
    let turned = cube.rotate(Quat::from_rotation_z(std::f32::consts::FRAC_PI_4)).unwrap();
    assert!((turned.aabb().max().x - 2f32.sqrt()).abs() < 1e-6 && turned.volume() == 8.0);
    assert_eq!((turned.face_normals().len(), turned.edge_directions().len()), (3, 3), "flat sides stay flat");
    assert!(turned.contains_point([1.414, 0.0, 1.0]) && !turned.contains_point([1.0, 1.0, 0.0]));
    // What is far in the local form and comes back by its pose is where it belongs.
    let far = ConvexHull::from_points(cube.vertices().into_iter().map(|v| v + Vec3::X * 1000.0)).unwrap();
    let back = far.with_pose(Pose::new([0.0, -1000.0, 0.0], Quat::from_xyzw(0.0, 0.0, 1.0, 1.0)).unwrap());
    assert!(back.contains_point([1.0, 1.0, 1.0]) && !back.contains_point([1.0, 1.0000001, 1.0]));
    let gap = query::gjk(&back, &Aabb::new([3.0, -1.0, -1.0], [4.0, 1.0, 1.0]).unwrap()).unwrap();
    assert!((gap.distance - 2.0).abs() < 1e-6);
    assert!(query::gjk_hit(&back, &Aabb::new([1.0, -1.0, -1.0], [4.0, 1.0, 1.0]).unwrap()));
}

#[test]
fn what_cannot_be_moved_says_why() {
    let hull = ConvexHull::from_points([[0.0; 3], [1.0; 3]]).unwrap();
    assert_eq!(hull.rotate(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)), Err(tangency::Error::ZeroRotation));
    let far = hull.translate([f32::MAX; 3]).unwrap();
    assert!(matches!(far.translate([f32::MAX; 3]), Err(tangency::Error::NotFinite { field: "position.x", .. })));
    assert!(hull.translate([f32::NAN, 0.0, 0.0]).is_err());
    // Corners beyond the numbers are kept at the largest.
    let wide = ConvexHull::from_points([[0.0; 3], [f32::MAX; 3]]).unwrap().translate([f32::MAX; 3]).unwrap();
    assert_eq!(wide.vertices(), [Vec3::splat(f32::MAX); 2]);
    assert_eq!(wide.aabb().max(), Vec3::splat(f32::MAX));
}
