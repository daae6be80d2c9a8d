//! Sweeps about pivots: doors, arms and balls on strings, never late and never missed.

use crate::properties::properties;
use std::f64::consts::{FRAC_PI_2, PI};

use crate::support::sampled::{Sampled, check_turning};
use crate::support::{capsule, hull, obb, plane, point, sphere};
use glam::{DQuat, DVec3, Quat, Vec3};
use proptest::prelude::*;
use tangency::query::{self, ClassifySide, Motion, Support};
use tangency::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Segment, Shape, Sphere};
use tangency::{Error, Side};

fn about(turn: [f32; 3], pivot: impl Into<Vec3>) -> Motion {
    Motion::new([0.0; 3], turn).unwrap().about(pivot).unwrap()
}

/// Any motion about any pivot near the shapes.
fn motion() -> impl Strategy<Value = Motion> {
    (point(), point(), point()).prop_map(|(way, turn, pivot)| Motion::new(way, turn).unwrap().about(pivot).unwrap())
}

properties! {
    #![proptest_config(crate::support::config(200))]

    #[test]
    fn shapes_on_pivots_are_never_missed(
        a in hull(), b in hull(), k in capsule(), s in sphere(), m in motion(), still in motion(),
    ) {
        let turning = Motion::new([0.0; 3], still.rotation_vector()).unwrap().about(still.pivot().unwrap()).unwrap();
        check_turning((&a, &b), (&m, &turning), |time| {
            Sampled::of_hull(&a, &m, time).distance(&Sampled::of_hull(&b, &turning, time))
        })?;
        check_turning((&k, &b), (&m, &turning), |time| {
            Sampled::of_capsule(&k, &m, time).distance(&Sampled::of_hull(&b, &turning, time))
        })?;
        check_turning((&s, &k), (&m, &turning), |time| {
            Sampled::of_sphere(&s, &m, time).distance(&Sampled::of_capsule(&k, &turning, time))
        })?;
        let o = Obb::new(s.center(), [0.5, 0.25, 1.0], Quat::IDENTITY).unwrap();
        check_turning((&o, &b), (&m, &Motion::REST), |time| {
            Sampled::of_obb(&o, &m, time).distance(&Sampled::of_hull(&b, &Motion::REST, time))
        })?;
    }

    #[test]
    fn balls_on_strings_meet_when_they_are_near_enough(a in sphere(), b in sphere(), m in motion(), n in motion()) {
        let apart = |time: f64| Sampled::of_sphere(&a, &m, time).distance(&Sampled::of_sphere(&b, &n, time));
        let time = query::sweep_sphere_sphere(&a, &m, &b, &n);
        prop_assert_eq!(time, query::sweep(&a, &m, &b, &n).map(|impact| impact.time));
        let first = (0..=1000).map(|i| f64::from(i) / 1000.0).find(|&time| apart(time) <= 0.0);
        prop_assert!(first.is_none_or(|first| time.is_some_and(|time| time <= first)), "{:?} {:?}", first, time);
        if let Some(time) = time.filter(|time| *time > 0.0) {
            prop_assert!(apart(time).abs() < 1e-5, "{}", apart(time));
        }
    }

    #[test]
    fn a_pivot_at_the_centre_is_none(a in sphere(), b in obb(), c in hull(), way in point(), turn in point()) {
        let none = Motion::new(way, turn).unwrap();
        let own = none.about(a.center()).unwrap();
        prop_assert_eq!(query::sweep(&a, &own, &c, &Motion::REST), query::sweep(&a, &none, &c, &Motion::REST));
        let other = Sphere::new(b.center(), 0.5).unwrap();
        prop_assert_eq!(query::sweep_sphere_sphere(&a, &own, &other, &Motion::REST), query::sweep_sphere_sphere(&a, &none, &other, &Motion::REST));
        let own = none.about(b.center()).unwrap();
        prop_assert_eq!(query::sweep(&b, &own, &c, &Motion::REST), query::sweep(&b, &none, &c, &Motion::REST));
        prop_assert_eq!(query::swept_bounds(&b, &own), query::swept_bounds(&b, &none));
    }

    #[test]
    fn without_a_turn_a_pivot_is_nothing(a in obb(), b in hull(), way in point(), far in point()) {
        let (plain, pivoted) = (Motion::translation(way).unwrap(), Motion::translation(way).unwrap().about(far * 1e6).unwrap());
        prop_assert_eq!(query::sweep(&a, &plain, &b, &Motion::REST), query::sweep(&a, &pivoted, &b, &Motion::REST));
        prop_assert_eq!(query::swept_bounds(&a, &plain), query::swept_bounds(&a, &pivoted));
        let s = Sphere::new(a.center(), 0.5).unwrap();
        let ball = Sphere::new(Support::center(&b).as_vec3(), 0.5).unwrap();
        prop_assert_eq!(query::sweep_sphere_sphere(&s, &plain, &ball, &plain), query::sweep_sphere_sphere(&s, &pivoted, &ball, &pivoted));
    }

    #[test]
    fn planes_are_met_when_the_lowest_point_is_down(a in hull(), k in capsule(), s in sphere(), m in motion(), f in plane(), p in motion()) {
        falls(&a, &m, &f, |time| Sampled::of_hull(&a, &m, time))?;
        falls(&k, &m, &f, |time| Sampled::of_capsule(&k, &m, time))?;
        falls(&s, &m, &f, |time| Sampled::of_sphere(&s, &m, time))?;
        // A plane that turns and moves too.
        let found = query::sweep(&Shape::from(k), &m, &Shape::from(f), &p).unwrap();
        let low = |time: f64| above(&Sampled::of_capsule(&k, &m, time), &f, &p, time);
        let first = (0..=400).map(|i| f64::from(i) / 400.0).find(|&time| low(time) <= -1e-9);
        prop_assert!(first.is_none_or(|first| found.is_some_and(|hit| hit.time <= first)), "{:?} {:?}", first, found);
        if let Some(hit) = found {
            prop_assert!(hit.converged && (hit.time == 0.0 || low(hit.time).abs() < 1e-5), "{} {:?}", low(hit.time), hit);
            let normal = turned(&p, hit.time) * f.normal().as_dvec3().normalize();
            prop_assert!(hit.normal.as_dvec3().distance(-normal) < 1e-6);
            let back = query::sweep(&Shape::from(f), &p, &Shape::from(k), &m).unwrap().unwrap();
            prop_assert!(back.time == hit.time && back.normal == -hit.normal);
            prop_assert!(hit.time == 0.0 || back.point.distance(hit.point) < 1e-4);
        }
    }

    #[test]
    fn bounds_of_a_motion_contain_every_position(a in hull(), k in capsule(), s in sphere(), m in motion(), times in 0.1f32..30.0) {
        // Up to many turns.
        let m = Motion::new(m.translation_vector(), m.rotation_vector() * times).unwrap().about(m.pivot().unwrap()).unwrap();
        let centered = Motion::new(m.translation_vector(), m.rotation_vector()).unwrap();
        for m in [&m, &centered] {
            contained(&query::swept_bounds(&a, m).unwrap(), |time| Sampled::of_hull(&a, m, time))?;
            contained(&query::swept_bounds(&k, m).unwrap(), |time| Sampled::of_capsule(&k, m, time))?;
            contained(&query::swept_bounds(&s, m).unwrap(), |time| Sampled::of_sphere(&s, m, time))?;
        }
    }

    #[test]
    fn bounds_of_less_than_a_turn_are_tight(a in hull(), m in motion()) {
        prop_assume!(m.rotation_vector().length() < 6.2);
        let found = query::swept_bounds(&a, &m).unwrap();
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for i in 0..=4000 {
            for c in Sampled::of_hull(&a, &m, f64::from(i) / 4000.0).corners {
                (low, high) = (low.min(c), high.max(c));
            }
        }
        // A part in 3000 of an arm of at most 20, and what sampling leaves out.
        prop_assert!((found.max().as_dvec3() - high).max_element() < 8e-3, "{} {}", found.max(), high);
        prop_assert!((low - found.min().as_dvec3()).max_element() < 8e-3, "{} {}", found.min(), low);
    }

    #[test]
    fn numbers_of_every_size_give_an_answer(
        c in prop::array::uniform3(crate::support::sizes()), u in prop::array::uniform3(crate::support::sizes()), w in prop::array::uniform3(crate::support::sizes()),
        p in prop::array::uniform3(crate::support::sizes()), f in plane(),
    ) {
        let ball = Sphere::new(c, 0.5).unwrap();
        let bar = Obb::new(u, [1.0, 2.0, 0.0], Quat::from_xyzw(0.1, 0.2, 0.3, 0.9)).unwrap();
        let motion = Motion::new(u, w).unwrap().about(p).unwrap();
        let found = [query::sweep(&ball, &motion, &bar, &Motion::REST), query::sweep(&bar, &Motion::REST, &ball, &motion), query::sweep_plane(&bar, &motion, &f)];
        for hit in found.into_iter().flatten() {
            prop_assert!((0.0..=1.0).contains(&hit.time) && hit.point.is_finite() && (hit.normal.length() - 1.0).abs() < 1e-5, "{:?}", hit);
        }
        let bounds = query::swept_bounds(&bar, &motion).unwrap();
        prop_assert!(bounds.validate().is_ok() && bounds.contains_point(bar.center()), "{:?}", bounds);
    }
}

fn turned(motion: &Motion, time: f64) -> DQuat {
    DQuat::from_scaled_axis(motion.rotation_vector().as_dvec3() * time)
}

/// How high the lowest point is over a plane that moves.
fn above(shape: &Sampled, plane: &Plane, motion: &Motion, time: f64) -> f64 {
    let (normal, length) = (plane.normal().as_dvec3(), plane.normal().as_dvec3().length());
    let pivot = motion.pivot().unwrap_or_default().as_dvec3();
    // The plane's points are turned back and compared with where it was.
    let back = turned(motion, time).inverse();
    let place = |p: DVec3| pivot + back * (p - pivot - motion.translation_vector().as_dvec3() * time);
    let height = |p: DVec3| (normal.dot(place(p)) - f64::from(plane.offset())) / length;
    shape.corners.iter().map(|p| height(*p)).fold(f64::INFINITY, f64::min) - shape.radius
}

fn falls<S: Support + ClassifySide>(
    shape: &S,
    motion: &Motion,
    plane: &Plane,
    at: impl Fn(f64) -> Sampled,
) -> Result<(), TestCaseError> {
    let found = query::sweep_plane(shape, motion, plane);
    let low = |time: f64| above(&at(time), plane, &Motion::REST, time);
    if query::side(shape, plane) != Side::Outside {
        prop_assert!(found.is_some_and(|hit| hit.time == 0.0));
        return Ok(());
    }
    let first = (0..=400).map(|i| f64::from(i) / 400.0).find(|&time| low(time) <= -1e-9);
    prop_assert!(first.is_none_or(|first| found.is_some_and(|hit| hit.time <= first)), "{first:?} {found:?}");
    if let Some(hit) = found {
        prop_assert!(hit.converged && low(hit.time).abs() < 1e-5, "{} of {hit:?}", low(hit.time));
    }
    Ok(())
}

fn contained(bounds: &Aabb, at: impl Fn(f64) -> Sampled) -> Result<(), TestCaseError> {
    for i in 0..=300 {
        let sampled = at(f64::from(i) / 300.0);
        for c in &sampled.corners {
            let (low, high) = (*c - sampled.radius, *c + sampled.radius);
            prop_assert!(
                low.cmpge(bounds.min().as_dvec3() - 1e-12).all() && high.cmple(bounds.max().as_dvec3() + 1e-12).all(),
                "{c} {bounds:?}"
            );
        }
    }
    Ok(())
}

#[test]
fn a_door_meets_a_ball_at_the_time_computed_by_hand() {
    // One wide and without thickness, in the plane of x and y, its hinge the y axis. After a turn by θ it points to (cos θ, 0, −sin θ).
    let door = Obb::new([0.5, 1.0, 0.0], [0.5, 1.0, 0.0], Quat::IDENTITY).unwrap();
    let opens = about([0.0, FRAC_PI_2 as f32, 0.0], [0.0; 3]);
    // 0.8 from the hinge, 60° away: the door touches it asin(0.1 / 0.8) before it would go through its centre.
    let (distance, radius, angle) = (0.8_f32, 0.1_f32, PI / 3.0);
    let ball =
        Sphere::new(Vec3::new(angle.cos() as f32, 0.0, -angle.sin() as f32) * distance + Vec3::Y, radius).unwrap();
    let expected = (angle - (f64::from(radius) / f64::from(distance)).asin()) / FRAC_PI_2;
    for hit in [query::sweep(&door, &opens, &ball, &Motion::REST), query::sweep(&ball, &Motion::REST, &door, &opens)] {
        let hit = hit.expect("the ball is in the way");
        assert!(hit.converged && hit.time <= expected + 1e-7 && expected - hit.time < 1e-6, "{} {expected}", hit.time);
    }
    let hit = query::sweep(&door, &opens, &ball, &Motion::REST).unwrap();
    let to = angle - hit.time * FRAC_PI_2;
    assert!(
        (f64::from(hit.point.length_squared() - hit.point.y * hit.point.y).sqrt() - f64::from(distance) * to.cos())
            .abs()
            < 1e-4
    );
    // About its own centre it would not.
    let spins = Motion::new([0.0; 3], opens.rotation_vector()).unwrap();
    assert!(query::sweep(&door, &spins, &ball, &Motion::REST).is_none());
    // The same door as a hull and as a hull in a pose.
    let leaf = ConvexHull::from_points(door.corners()).unwrap();
    let hung = ConvexHull::from_points([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [1.0, 2.0, 0.0]]).unwrap();
    for leaf in [&leaf, &hung.translate([1.0, 0.0, 0.0]).unwrap().translate([-1.0, 0.0, 0.0]).unwrap()] {
        let hit = query::sweep(leaf, &opens, &ball, &Motion::REST).unwrap();
        assert!((hit.time - expected).abs() < 1e-6);
    }
}

#[test]
fn the_pivot_moves_with_the_translation() {
    // A wheel's spoke on a cart: after half of the way the hinge is at (3, 0, 0) and the spoke points up.
    let spoke = Segment::new([0.0; 3], [0.0, 0.0, -1.0]).unwrap();
    let rolls = Motion::new([6.0, 0.0, 0.0], [PI as f32, 0.0, 0.0]).unwrap().about([0.0; 3]).unwrap();
    let nail = Sphere::new([3.0, 0.9, 0.0], 0.01).unwrap();
    let hit = query::sweep(&spoke, &rolls, &nail, &Motion::REST).expect("it comes by");
    assert!(hit.time < 0.5 && hit.time > 0.49, "{}", hit.time);
    let above = Sphere::new([3.0, 1.1, 0.0], 0.01).unwrap();
    assert!(query::sweep(&spoke, &rolls, &above, &Motion::REST).is_none());
}

#[test]
fn a_robot_link_a_metre_from_its_joint() {
    let link = Obb::new([1.0, 0.0, 0.0], [0.25, 0.25, 0.25], Quat::IDENTITY).unwrap();
    let lifts = about([0.0, 0.0, PI as f32], [0.0; 3]);
    // A ceiling at height 1: the far upper corner, √1.625 from the joint and atan(0.25 / 1.25) ahead, is there first.
    let ceiling = Plane::new([0.0, -1.0, 0.0], -1.0).unwrap();
    let expected = ((1.0 / 1.625_f64.sqrt()).asin() - (0.2_f64).atan()) / PI;
    let hit = query::sweep_plane(&link, &lifts, &ceiling).expect("it reaches the ceiling");
    assert!(hit.converged && hit.time <= expected && expected - hit.time < 1e-6, "{} {expected}", hit.time);
    assert!((hit.point.y - 1.0).abs() < 1e-5 && hit.normal == Vec3::Y);
    // Behind the joint, half a turn away, a table: the inner corner of the leading side comes down on it first.
    let obstacle = Aabb::new([-1.5, -2.0, -0.5], [-0.5, 0.0, 0.5]).unwrap();
    let hit = query::sweep(&link, &lifts, &obstacle, &Motion::REST).expect("it comes down on it");
    let reach = |time: f64| {
        let corners = link.corners().map(|c| DQuat::from_rotation_z(time * PI) * c.as_dvec3());
        corners.into_iter().filter(|c| c.x < -0.5).map(|c| c.y).fold(f64::INFINITY, f64::min)
    };
    assert!(hit.converged && reach(hit.time).abs() < 1e-5, "{} {}", hit.time, reach(hit.time));
    // A short turn is not enough.
    let short = about([0.0, 0.0, 0.2], [0.0; 3]);
    assert_eq!(query::sweep_plane(&link, &short, &ceiling), None);
    let bounds = query::swept_bounds(&link, &lifts).unwrap();
    let outer = 1.625_f32.sqrt();
    assert!((bounds.max().y - outer).abs() < 1e-3 && (bounds.min().x + outer).abs() < 1e-3 && bounds.max().y >= outer);
}

#[test]
fn a_ball_on_a_string_is_not_at_rest() {
    let ball = Sphere::new([2.0, 0.0, 0.0], 0.5).unwrap();
    let swings = about([0.0, 0.0, PI as f32], [0.0; 3]);
    let other = Sphere::new([-2.0, 0.0, 0.0], 0.5).unwrap();
    // The centres are 1 apart, a chord of a circle of radius 2.
    let expected = (PI - 2.0 * (0.25_f64).asin()) / PI;
    let time = query::sweep_sphere_sphere(&ball, &swings, &other, &Motion::REST).expect("they meet");
    assert!(time <= expected && expected - time < 1e-6, "{time} {expected}");
    // On the axis, turning is nothing.
    let on_axis = swings.about([2.0, 0.0, -9.0]).unwrap();
    assert_eq!(query::sweep_sphere_sphere(&ball, &on_axis, &other, &Motion::REST), None);
    // The half-space x ≤ −1 is met when the centre is at x = −0.5.
    let wall = Plane::new([1.0, 0.0, 0.0], -1.0).unwrap();
    let expected = (-0.25_f64).acos() / PI;
    let time = query::sweep_plane(&ball, &swings, &wall).expect("it swings into the wall").time;
    assert!(time <= expected && expected - time < 1e-6, "{time} {expected}");
    assert_eq!(query::sweep_plane(&ball, &on_axis, &wall), None);
}

#[test]
fn a_gate_that_turns_meets_what_stands_before_it() {
    // The half-space behind the plane x = 0 turns about the z axis by a quarter: its surface comes to y = 0.
    let gate = Shape::from(Plane::new([1.0, 0.0, 0.0], 0.0).unwrap());
    let post = Shape::from(Capsule::new([1.0, 0.0, -1.0], [1.0, 0.0, 1.0], 0.5).unwrap());
    let turn = Motion::new([0.0; 3], [0.0, 0.0, FRAC_PI_2 as f32]).unwrap();
    let hit = query::sweep(&gate, &turn.about([0.0; 3]).unwrap(), &post, &Motion::REST).unwrap().expect("it is hit");
    // The height over the plane is cos θ.
    assert!((hit.time - (0.5_f64).acos() / FRAC_PI_2).abs() < 1e-6);
    assert!((hit.normal - Vec3::new(0.5, 0.75f32.sqrt(), 0.0)).length() < 1e-5, "{hit:?}");
    let refused = query::sweep(&gate, &turn, &post, &Motion::REST).unwrap_err();
    assert!(matches!(refused, Error::Unsupported { .. }));
}

#[test]
fn bad_pivots_are_refused() {
    let bad = Motion::REST.about([0.0, f32::NAN, 0.0]).unwrap_err();
    assert!(matches!(bad, Error::NotFinite { field: "pivot.y", .. }));
    assert_eq!(query::swept_bounds(&Aabb::EMPTY, &Motion::REST), None);
}
