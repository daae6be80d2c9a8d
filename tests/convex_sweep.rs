//! Sweeps: never late, never missed, and not far too early.

mod support;

use glam::{DQuat, DVec3, Quat, Vec3};
use proptest::prelude::*;
use support::sizes;
use tangency::query::{self, Motion, Support};
use tangency::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Sphere};

fn vector(reach: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-reach..reach).prop_map(Vec3::from_array)
}

fn obb() -> impl Strategy<Value = Obb> {
    let rotation =
        prop::array::uniform4(-1.0f32..1.0).prop_filter("not zero", |q| q.iter().map(|x| x * x).sum::<f32>() > 0.01);
    (vector(2.0), prop::array::uniform3(0.01f32..1.0), rotation)
        .prop_map(|(c, e, q)| Obb::new(c, e, Quat::from_array(q)).unwrap())
}

/// A hull or capsule under way, written out in `f64`, apart from what the library computes with.
struct Sampled {
    corners: Vec<DVec3>,
    faces: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
    radius: f64,
}

impl Sampled {
    /// Turned about the middle of its bounds and shifted, each by its part of the motion.
    fn new(corners: &[Vec3], motion: &Motion, time: f64) -> Self {
        let corners: Vec<DVec3> = corners.iter().map(|c| c.as_dvec3()).collect();
        let low = corners.iter().copied().reduce(DVec3::min).unwrap();
        let high = corners.iter().copied().reduce(DVec3::max).unwrap();
        let middle = (low + high) / 2.0;
        let turn = DQuat::from_scaled_axis(motion.rotation_vector().as_dvec3() * time);
        let place = middle + motion.translation_vector().as_dvec3() * time;
        let corners = corners.into_iter().map(|c| place + turn * (c - middle)).collect();
        Self { corners, faces: Vec::new(), edges: Vec::new(), radius: 0.0 }
    }

    fn of_capsule(capsule: &Capsule, motion: &Motion, time: f64) -> Self {
        let radius = f64::from(capsule.radius());
        Self { edges: vec![[0, 1]], radius, ..Self::new(&[capsule.a(), capsule.b()], motion, time) }
    }

    fn of_hull(hull: &ConvexHull, motion: &Motion, time: f64) -> Self {
        let (faces, edges) = (hull.faces().to_vec(), hull.edges().to_vec());
        Self { faces, edges, ..Self::new(hull.vertices(), motion, time) }
    }

    fn edges(&self) -> impl Iterator<Item = [DVec3; 2]> {
        self.edges.iter().map(|edge| edge.map(|i| self.corners[i as usize]))
    }

    fn faces(&self) -> impl Iterator<Item = [DVec3; 3]> {
        self.faces.iter().map(|face| face.map(|i| self.corners[i as usize]))
    }

    /// The distance of the two surfaces' nearest points: between two edges, or a corner and a face. Negative when
    /// they are nearer than the radii, zero or less when an edge goes through a face; a shape all inside the other is not seen.
    fn distance(&self, other: &Self) -> f64 {
        let edges = self.edges().flat_map(|e| other.edges().map(move |f| segment_segment(e, f)));
        let mine = self.corners.iter().flat_map(|&c| other.faces().map(move |f| point_face(c, f)));
        let theirs = other.corners.iter().flat_map(|&c| self.faces().map(move |f| point_face(c, f)));
        let pierced = self.edges().any(|e| other.faces().any(|f| pierces(e, f)))
            || other.edges().any(|e| self.faces().any(|f| pierces(e, f)));
        let apart = edges.chain(mine).chain(theirs).fold(f64::INFINITY, f64::min);
        if pierced { -self.radius - other.radius } else { apart - self.radius - other.radius }
    }
}

/// The distance of two segments: that of the lines where it lies in both, or else of an end from the other.
fn segment_segment([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> f64 {
    let to_segment = |p: DVec3, q: DVec3, r: DVec3| {
        let along = r - q;
        p.distance(q + along * ((p - q).dot(along) / along.length_squared().max(1e-300)).clamp(0.0, 1.0))
    };
    let ends = [to_segment(a, c, d), to_segment(b, c, d), to_segment(c, a, b), to_segment(d, a, b)];
    let (u, v) = (b - a, d - c);
    let n = u.cross(v);
    let (s, t) = ((c - a).cross(v).dot(n) / n.length_squared(), (c - a).cross(u).dot(n) / n.length_squared());
    let within = (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t);
    let lines = if within { (a + u * s).distance(c + v * t) } else { f64::INFINITY };
    ends.into_iter().fold(lines, f64::min)
}

/// The distance of a point from a triangle's plane where its foot is in the triangle, and else infinite.
fn point_face(p: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let Some(n) = (b - a).cross(c - a).try_normalize() else { return f64::INFINITY };
    let inside = [(a, b), (b, c), (c, a)].into_iter().all(|(q, r)| n.dot((r - q).cross(p - q)) >= 0.0);
    if inside { n.dot(p - a).abs() } else { f64::INFINITY }
}

/// Whether a segment goes through a triangle.
fn pierces([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> bool {
    let n = (b - a).cross(c - a);
    let (from, to) = (n.dot(p - a), n.dot(q - a));
    let at = p + (q - p) * (from / (from - to));
    from * to < 0.0 && [(a, b), (b, c), (c, a)].into_iter().all(|(r, s)| n.dot((s - r).cross(at - r)) > 0.0)
}

/// No sample shows a contact before the impact, and at the impact there is one. A
/// contact shorter than the step between samples goes unseen by them, not by the sweep.
fn check_turning<A: Support, B: Support>(
    (a, b): (&A, &B),
    (ma, mb): (&Motion, &Motion),
    distance: impl Fn(f64) -> f64,
) -> Result<(), TestCaseError> {
    let hit = query::sweep(a, ma, b, mb);
    if query::gjk_hit(a, b) {
        prop_assert!(hit.is_some_and(|hit| hit.time == 0.0), "they start in contact: {hit:?}");
        return Ok(());
    }
    let first = (0..=400).map(|i| f64::from(i) / 400.0).find(|&time| distance(time) <= 0.0);
    if let Some(time) = first {
        prop_assert!(hit.is_some_and(|hit| hit.time <= time), "contact at {time}, {hit:?}");
    }
    if let Some(hit) = hit {
        prop_assert!(hit.converged && distance(hit.time).abs() < 1e-5, "{} of {hit:?}", distance(hit.time));
    }
    Ok(())
}

proptest! {
    #![proptest_config(support::config(300))]

    #[test]
    fn turning_capsules_are_never_missed(
        a in support::capsule(), b in support::capsule(), u in vector(8.0), wu in vector(8.0), wv in vector(8.0),
    ) {
        let (mu, mv) = (Motion::new(u, wu).unwrap(), Motion::new([0.0; 3], wv).unwrap());
        check_turning((&a, &b), (&mu, &mv), |time| {
            Sampled::of_capsule(&a, &mu, time).distance(&Sampled::of_capsule(&b, &mv, time))
        })?;
    }

    #[test]
    fn turning_hulls_are_never_missed(
        a in support::hull(), b in support::hull(), k in support::capsule(), u in vector(8.0), wu in vector(8.0), wv in vector(8.0),
    ) {
        let (mu, mv) = (Motion::new(u, wu).unwrap(), Motion::new([0.0; 3], wv).unwrap());
        check_turning((&a, &b), (&mu, &mv), |time| {
            Sampled::of_hull(&a, &mu, time).distance(&Sampled::of_hull(&b, &mv, time))
        })?;
        check_turning((&a, &k), (&mu, &mv), |time| {
            Sampled::of_hull(&a, &mu, time).distance(&Sampled::of_capsule(&k, &mv, time))
        })?;
        check_turning((&k, &b), (&mu, &mv), |time| {
            Sampled::of_capsule(&k, &mu, time).distance(&Sampled::of_hull(&b, &mv, time))
        })?;
    }
}

proptest! {
    #[test]
    fn balls_agree_with_the_closed_form(
        a in (vector(3.0), 0.0f32..1.0), b in (vector(3.0), 0.0f32..1.0), u in vector(10.0), v in vector(10.0),
    ) {
        let (a, b) = (Sphere::new(a.0, a.1).unwrap(), Sphere::new(b.0, b.1).unwrap());
        let (u, v) = (Motion::translation(u).unwrap(), Motion::translation(v).unwrap());
        let closed = query::sweep_sphere_sphere(&a, &u, &b, &v);
        match (closed, query::sweep(&a, &u, &b, &v)) {
            (Some(closed), Some(hit)) => prop_assert!(hit.time <= closed + 1e-12 && hit.time > closed - 1e-2, "{closed} {hit:?}"),
            (None, None) => {}
            // Reported though they pass: only within the tolerance.
            (None, Some(hit)) => prop_assert!(hit.converged),
            (Some(closed), None) => prop_assert!(false, "missed {closed}"),
        }
    }

    #[test]
    fn at_the_time_of_impact_boxes_are_just_apart(a in obb(), b in obb(), u in vector(20.0), v in vector(20.0)) {
        let (u, v) = (Motion::translation(u).unwrap(), Motion::translation(v).unwrap());
        let hit = query::sweep(&a, &u, &b, &v);
        let at = |o: &Obb, m: &Motion, t: f64| {
            o.translate((m.translation_vector().as_dvec3() * t).as_vec3()).unwrap()
        };
        // Sampling sees no contact that the sweep has not seen before.
        for i in 0..=64 {
            let time = f64::from(i) / 64.0;
            if query::epa(&at(&a, &u, time), &at(&b, &v, time)).is_some_and(|deep| deep.depth > 1e-5) {
                prop_assert!(hit.is_some_and(|hit| hit.time <= time), "contact at {time}, {hit:?}");
                break;
            }
        }
        if let Some(hit) = hit {
            prop_assert!(hit.converged && (hit.normal.length() - 1.0).abs() < 1e-5);
            let (a, b) = (at(&a, &u, hit.time), at(&b, &v, hit.time));
            prop_assert!(query::gjk(&a, &b).unwrap().distance < 1e-5);
            if hit.time > 0.0 {
                prop_assert!(query::epa(&a, &b).is_none_or(|deep| deep.depth < 1e-5));
            }
        }
        // The same from the other's side.
        let other = query::sweep(&b, &v, &a, &u);
        prop_assert_eq!(hit.is_some(), other.is_some());
        if let (Some(hit), Some(other)) = (hit, other) {
            prop_assert!((hit.time - other.time).abs() < 1e-4);
        }
    }

    #[test]
    fn turning_boxes_are_never_missed(
        a in obb(), b in obb(), u in vector(5.0), wu in vector(8.0), wv in vector(8.0),
    ) {
        let (mu, mv) = (Motion::new(u, wu).unwrap(), Motion::new([0.0; 3], wv).unwrap());
        let hit = query::sweep(&a, &mu, &b, &mv);
        let at = |o: &Obb, m: &Motion, t: f32| {
            let turn = Quat::from_scaled_axis(m.rotation_vector() * t);
            Obb::new(o.center() + m.translation_vector() * t, o.half_extents(), turn * o.rotation().normalize()).unwrap()
        };
        for i in 0..=64 {
            let time = i as f32 / 64.0;
            if query::epa(&at(&a, &mu, time), &at(&b, &mv, time)).is_some_and(|deep| deep.depth > 1e-4) {
                prop_assert!(hit.is_some_and(|hit| hit.time <= f64::from(time)), "contact at {time}, {hit:?}");
                break;
            }
        }
        if let Some(hit) = hit.filter(|hit| hit.converged) {
            let (a, b) = (at(&a, &mu, hit.time as f32), at(&b, &mv, hit.time as f32));
            prop_assert!(query::gjk(&a, &b).unwrap().distance < 1e-4);
        }
    }

    #[test]
    fn a_turn_of_nothing_is_the_same_as_none(a in obb(), b in obb(), u in vector(20.0)) {
        let plain = query::sweep(&a, &Motion::translation(u).unwrap(), &b, &Motion::REST);
        let turning = query::sweep(&a, &Motion::new(u, [1e-12, 0.0, 0.0]).unwrap(), &b, &Motion::REST);
        prop_assert_eq!(plain.is_some(), turning.is_some());
        if let (Some(p), Some(t)) = (plain, turning) {
            prop_assert!((p.time - t.time).abs() < 1e-4, "{p:?} {t:?}");
        }
    }

    #[test]
    fn parry_sees_the_same_impact(a in obb(), b in obb(), u in vector(20.0)) {
        use parry3d::math::{Pose, Rotation, Vector};
        use parry3d::query::{ShapeCastOptions, cast_shapes};
        use parry3d::shape::Cuboid;
        let pose = |o: &Obb| {
            let turn = Rotation::from_array(o.rotation().normalize().to_array());
            Pose::from_parts(Vector::from_array(o.center().to_array()), turn)
        };
        let cuboid = |o: &Obb| Cuboid::new(Vector::from_array(o.half_extents().to_array()));
        if query::gjk_hit(&a, &b) {
            return Ok(());
        }
        let theirs = cast_shapes(&pose(&a), Vector::from_array(u.to_array()), &cuboid(&a), &pose(&b), Vector::ZERO, &cuboid(&b),
            ShapeCastOptions::with_max_time_of_impact(1.0)).unwrap();
        let ours = query::sweep(&a, &Motion::translation(u).unwrap(), &b, &Motion::REST);
        if let (Some(theirs), Some(ours)) = (theirs, ours) {
            prop_assert!((f64::from(theirs.time_of_impact) - ours.time).abs() < 1e-2, "{theirs:?} {ours:?}");
        }
    }

    #[test]
    fn bounds_of_a_motion_contain_it(a in (vector(3.0), 0.0f32..1.0), b in (vector(3.0), 0.0f32..1.0), t in 0.0f64..1.0) {
        let (start, end) = (Sphere::new(a.0, a.1).unwrap(), Sphere::new(b.0, b.1).unwrap());
        let way = query::swept_sphere(&start, &end).unwrap();
        let center = a.0.as_dvec3().lerp(b.0.as_dvec3(), t);
        let radius = f64::from(a.1) * (1.0 - t) + f64::from(b.1) * t;
        prop_assert!(center.distance(way.center().as_dvec3()) + radius <= f64::from(way.radius()) + 1e-12);
        let aabb = Aabb::new(a.0, a.0 + a.1).unwrap();
        let swept = query::swept_aabb(&aabb, b.0).unwrap();
        prop_assert!(swept.contains(&aabb) && swept.contains(&aabb.translate(b.0).unwrap()));
    }

    #[test]
    fn numbers_of_every_size_give_an_answer(
        c in prop::array::uniform3(sizes()), e in prop::array::uniform3(sizes()),
        u in prop::array::uniform3(sizes()), w in prop::array::uniform3(sizes()), p in prop::collection::vec(prop::array::uniform3(sizes()), 1..5),
    ) {
        let obb = Obb::new(c, e.map(f32::abs), Quat::from_xyzw(0.1, 0.2, 0.3, 0.9)).unwrap();
        let hull = ConvexHull::from_points(p).unwrap();
        for motion in [Motion::translation(u).unwrap(), Motion::new(u, w).unwrap()] {
            let (forth, back) = (query::sweep(&obb, &motion, &hull, &Motion::REST), query::sweep(&hull, &Motion::REST, &obb, &motion));
            for hit in [forth, back].into_iter().flatten() {
                prop_assert!((0.0..=1.0).contains(&hit.time) && hit.point.is_finite(), "{hit:?}");
                prop_assert!((hit.normal.length() - 1.0).abs() < 1e-5, "{hit:?}");
            }
        }
    }
}

#[test]
fn a_sheet_without_thickness_stops_a_point_at_any_speed() {
    let sheet = Aabb::new([7.0, -1.0, -1.0], [7.0, 1.0, 1.0]).unwrap();
    let point = Sphere::new([0.0; 3], 0.0).unwrap();
    for exponent in 1..30 {
        let speed = 10f32.powi(exponent);
        let motion = Motion::translation([speed, 0.0, 0.0]).unwrap();
        let hit = query::sweep(&point, &motion, &sheet, &Motion::REST).expect("stopped");
        assert!(hit.time <= 7.0 / f64::from(speed) && hit.converged);
        assert_eq!(hit.normal, Vec3::X);
    }
    let short = Motion::translation([6.9, 0.0, 0.0]).unwrap();
    assert!(query::sweep(&point, &short, &sheet, &Motion::REST).is_none());
}

#[test]
fn a_blade_that_turns_many_times_hits_what_it_passes_only_for_a_moment() {
    // At time 0 and at time 1 the blade points along x; the target sits a quarter turn away.
    let blade = Obb::new([0.0; 3], [1.0, 0.01, 0.01], Quat::IDENTITY).unwrap();
    let target = Sphere::new([0.0, 0.9, 0.0], 0.02).unwrap();
    let turns = Motion::new([0.0; 3], [0.0, 0.0, std::f32::consts::TAU * 3.0]).unwrap();
    let hit = query::sweep(&blade, &turns, &target, &Motion::REST).unwrap();
    let angle = hit.time * std::f64::consts::TAU * 3.0;
    assert!(hit.converged && angle < std::f64::consts::FRAC_PI_2 && angle > 1.5, "{angle}");
}

#[test]
fn a_box_meets_a_plane_from_either_side() {
    let plane = Plane::new([0.0, 0.0, 2.0], 10.0).unwrap();
    let below = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    let time = |from: &Aabb, way: [f32; 3], plane: &Plane| {
        query::sweep_plane(from, &Motion::translation(way).unwrap(), plane).map(|hit| hit.time as f32)
    };
    assert_eq!(time(&below, [0.0, 0.0, 8.0], &plane.flip()), Some(0.5));
    assert_eq!(time(&below, [9.0, 0.0, -8.0], &plane.flip()), None);
    assert_eq!(time(&below, [0.0, 0.0, 8.0], &plane), Some(0.0)); // it is in the half-space
    let above = below.translate([0.0, 0.0, 9.0]).unwrap();
    assert_eq!(time(&above, [0.0, 0.0, -4.0], &plane), Some(1.0));
}

#[test]
fn a_turning_blade_meets_a_plane_when_its_tip_is_down() {
    // Upright after a quarter turn, its tip reaches 1 under its centre; the plane lies at cos 30° of that.
    let ground = Plane::new([0.0, 1.0, 0.0], -(0.75_f32.sqrt())).unwrap();
    let blade = Obb::new([0.0; 3], [1.0, 0.0, 0.0], Quat::IDENTITY).unwrap();
    let turn = Motion::new([0.0; 3], [0.0, 0.0, std::f32::consts::PI]).unwrap();
    let hit = query::sweep_plane(&blade, &turn, &ground).unwrap();
    assert!(hit.converged && hit.time <= 1.0 / 3.0 && 1.0 / 3.0 - hit.time < 1e-6, "{}", hit.time);
    assert_eq!(hit.normal, -Vec3::Y);
    assert!((hit.point.y + 0.75_f32.sqrt()).abs() < 1e-5 && (hit.point.x.abs() - 0.5).abs() < 1e-5);
    let short = Motion::new([0.0; 3], [0.0, 0.0, 1.0]).unwrap();
    assert_eq!(query::sweep_plane(&blade, &short, &ground), None);
}
