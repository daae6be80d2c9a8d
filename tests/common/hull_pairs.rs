//! Pairs of a hull and another shape: random ones, and those that touch or nearly do. Nothing here asks the library what they are to each
//! other.
#![allow(dead_code, reason = "each test file uses its part")]

use tangency::glam::{Quat, Vec3};
use tangency::shape::{Aabb, Capsule, ConvexHull, Obb, Pose, Segment, Shape, Sphere, Triangle};

use crate::capsule_pairs::Dice;

pub const FAMILIES: [&str; 8] = ["random", "faces", "edges", "corners", "flips", "parallel", "extreme", "thin"];
pub const KINDS: [&str; 7] = ["hull", "sphere", "aabb", "obb", "capsule", "triangle", "segment"];

/// Vectors of whole numbers whose lengths are whole numbers, and those.
const WHOLE: [([f32; 3], f32); 8] = [
    ([1.0, 0.0, 0.0], 1.0),
    ([0.0, 0.0, 1.0], 1.0),
    ([3.0, 4.0, 0.0], 5.0),
    ([0.0, 3.0, 4.0], 5.0),
    ([1.0, 2.0, 2.0], 3.0),
    ([2.0, 3.0, 6.0], 7.0),
    ([4.0, 4.0, 7.0], 9.0),
    ([1.0, 4.0, 8.0], 9.0),
];

/// The hull of points in a pose: they lie at these points, times a whole number, beyond a place. All numbers are whole, and small
/// enough for `f32`.
fn placed(points: &[Vec3], turn: Quat, times: f32, place: Vec3) -> Option<ConvexHull> {
    let n = turn.length_squared();
    // n R⁻¹ of whole numbers has whole numbers; R makes n times the point of it.
    let (u, w) = (turn.xyz(), turn.w);
    let back = |v: Vec3| v * (w * w - u.dot(u)) + u * (2.0 * u.dot(v)) - u.cross(v) * (2.0 * w);
    let local = points.iter().map(|point| back(*point) * (times / n));
    Some(ConvexHull::from_points(local).ok()?.with_pose(Pose::new(place, turn).ok()?))
}

/// A vector of whole numbers at right angles to one.
fn across(dice: &mut Dice, n: Vec3) -> Vec3 {
    let found = n.cross(dice.whole_up_to(3));
    if found == Vec3::ZERO { n.cross(Vec3::new(3.0, 1.0, 2.0)) } else { found }
}

/// Points behind a plane through the origin, some of them on it: with the origin as a corner, inside an edge or inside a face.
fn against_plane(dice: &mut Dice, feature: &str, n: Vec3) -> Vec<Vec3> {
    let mut points = match feature {
        "faces" => {
            let (e, f) = (across(dice, n), across(dice, n));
            vec![e, -e, f, -f, e + f]
        }
        "edges" => {
            let e = across(dice, n);
            vec![e * dice.pick(&[1.0, 2.0]), -e]
        }
        _ => vec![Vec3::ZERO],
    };
    for _ in 0..3 + dice.below(6) {
        let point = dice.whole_up_to(9);
        points.push(if point.dot(n) > 0.0 { -point } else { point });
    }
    points
}

/// The shape of a kind that touches a plane at the origin from its upper side, times a whole number, beyond a place.
fn beyond(
    dice: &mut Dice,
    kind: usize,
    feature: &str,
    (n, length): (Vec3, f32),
    times: f32,
    place: Vec3,
) -> Option<Shape> {
    // Each number of a box's other corner lies on the side of n, or on any if n has nothing of it.
    let sizes = Vec3::from([0; 3].map(|_| dice.pick(&[0.0, 1.0, 2.0, 5.0]))) * times;
    let signs = Vec3::from([0, 1, 2].map(|k| if n[k] == 0.0 { dice.pick(&[-1.0, 1.0]) } else { n[k].signum() }));
    let beside =
        |dice: &mut Dice, k: usize| if n[k] == 0.0 { -dice.pick(&[0.0, 1.0, 3.0]) * signs[k] * times } else { 0.0 };
    let begin = place + Vec3::new(beside(dice, 0), beside(dice, 1), beside(dice, 2));
    let (low, high) = (begin.min(place + sizes * signs), begin.max(place + sizes * signs));
    let mirrored = |points: Vec<Vec3>| points.into_iter().map(|point| -point).collect::<Vec<_>>();
    Some(match kind {
        0 => {
            let feature = dice.pick(&["faces", "edges", "corners", feature]);
            let points = mirrored(against_plane(dice, feature, n));
            placed(&points, dice.whole_turn(), times, place)?.into()
        }
        1 => {
            let share = dice.pick(&[0.0, 1.0, 2.0]) * times;
            Sphere::new(place + n * share, length * share).ok()?.into()
        }
        2 => Aabb::new(low, high).ok()?.into(),
        // A quarter or a third of a turn, by a quaternion of any length.
        3 => {
            let (center, half) = ((low + high) / 2.0, (high - low) / 2.0);
            let (turn, half) = match dice.below(3) {
                0 => (Quat::from_xyzw(0.0, 0.0, 0.0, 3.0), half),
                1 => (Quat::from_xyzw(0.0, 0.0, 2.0, 2.0), Vec3::new(half.y, half.x, half.z)),
                _ => (Quat::from_xyzw(0.5, 0.5, 0.5, 0.5), Vec3::new(half.y, half.z, half.x)),
            };
            Obb::new(center, half, turn).ok()?.into()
        }
        _ => {
            let share = if kind == 4 { dice.pick(&[0.0, 1.0, 2.0]) * times } else { 0.0 };
            let (from, side) = (place + n * share, across(dice, n) * times);
            let to = match dice.below(3) {
                0 => from + n * (times * dice.pick(&[0.0, 1.0, 2.0])),
                1 => from + side,
                _ => from + side + n * times,
            };
            match kind {
                4 => Capsule::new(from, to, length * share).ok()?.into(),
                5 => {
                    Triangle::new(from, to, from - side * dice.pick(&[0.0, 1.0]) + n * (times * dice.pick(&[0.0, 1.0])))
                        .ok()?
                        .into()
                }
                _ => Segment::new(from, to).ok()?.into(),
            }
        }
    })
}

/// A hull and another shape that touch in the origin, on either side of a plane; moved, scaled and in poses of whole numbers.
fn touching(dice: &mut Dice, family: usize, kind: usize) -> Option<[Shape; 2]> {
    let feature = match FAMILIES[family] {
        "flips" => dice.pick(&["faces", "edges", "corners"]),
        feature => feature,
    };
    let (way, length) = dice.pick(&WHOLE);
    let n = Vec3::from(way) * Vec3::from([0; 3].map(|_| dice.pick(&[-1.0, 1.0])));
    // All coordinates are multiples of the squared lengths of both quaternions.
    let (turn, place) = (dice.whole_turn(), dice.whole_up_to(100));
    let state = Dice(dice.below(1 << 32));
    let probe = |times: f32| beyond(&mut Dice(state.0), kind, feature, (n, length), times, place);
    let other_length = match probe(1.0)? {
        Shape::ConvexHull(hull) => hull.pose().rotation().length_squared(),
        _ => 1.0,
    };
    let times = turn.length_squared() * other_length;
    let own = placed(&against_plane(dice, feature, n), turn, times, place)?;
    Some([own.into(), probe(times)?])
}

/// A hull whose position is one unit in the last place away from touching.
fn flipped(dice: &mut Dice, family: usize, kind: usize) -> Option<[Shape; 2]> {
    let [own, other] = touching(dice, family, kind)?;
    let Shape::ConvexHull(hull) = own else { return None };
    let mut position = hull.pose().position().to_vec3();
    let k = dice.below(3) as usize;
    position[k] = match dice.below(5) {
        0 | 1 => position[k].next_up(),
        2 | 3 => position[k].next_down(),
        _ => position[k],
    };
    Some([hull.with_pose(Pose::new(position, hull.pose().rotation()).ok()?).into(), other])
}

/// The hull of random points, in a random pose.
pub fn any_hull(dice: &mut Dice, center: Vec3, size: f32, corners: u64) -> Option<ConvexHull> {
    let points: Vec<Vec3> = (0..corners).map(|_| dice.vector().normalize_or_zero() * size).collect();
    Some(ConvexHull::from_points(points).ok()?.with_pose(Pose::new(center, dice.turn()).ok()?))
}

fn any_shape(dice: &mut Dice, kind: usize, center: Vec3, size: f32) -> Option<Shape> {
    let half = (dice.vector().abs() + Vec3::splat(0.05)) * size;
    Some(match kind {
        0 => {
            let corners = 4 + dice.below(8);
            any_hull(dice, center, size, corners)?.into()
        }
        1 => Sphere::new(center, half.x).ok()?.into(),
        2 => Aabb::new(center - half, center + half).ok()?.into(),
        3 => Obb::new(center, half, dice.turn()).ok()?.into(),
        4 => {
            let way = dice.vector() * size;
            Capsule::new(center - way, center + way, half.x * 0.5).ok()?.into()
        }
        5 => {
            let [a, b, c] = [0; 3].map(|_| center + dice.vector() * size);
            Triangle::new(a, b, c).ok()?.into()
        }
        _ => {
            let way = dice.vector() * size;
            Segment::new(center - way, center + way).ok()?.into()
        }
    })
}

/// A prism and another shape over one of its faces, nearly parallel to it and nearly touching, both turned in the same way.
fn nearly_parallel(dice: &mut Dice, kind: usize) -> Option<[Shape; 2]> {
    let small = |dice: &mut Dice| dice.signed() * 10.0_f32.powi(-(dice.below(9) as i32));
    let prism = |dice: &mut Dice, up: f32| {
        let ring: Vec<Vec3> = (0..5).map(|_| dice.vector() * Vec3::new(1.0, 1.0, 0.0)).collect();
        let shift = dice.vector() * 0.25;
        let top = ring.iter().map(|p| *p + shift * Vec3::new(1.0, 1.0, 0.0) + Vec3::Z * up).collect::<Vec<_>>();
        ConvexHull::from_points(ring.into_iter().chain(top)).ok()
    };
    let (turn, tilt) = (dice.turn(), Quat::from_xyzw(small(dice), small(dice), small(dice), 1.0));
    let gap = small(dice);
    let own = prism(dice, -1.0)?.with_pose(Pose::new(Vec3::ZERO, turn).ok()?);
    let both = turn.normalize() * tilt.normalize();
    let at = |x: f32, y: f32, z: f32| turn.normalize() * Vec3::new(x, y, z);
    let other = match kind {
        0 => prism(dice, 1.0)?.with_pose(Pose::new(at(0.0, 0.0, gap), both).ok()?).into(),
        1 => Sphere::new(at(0.2 * dice.signed(), 0.1, 0.5 + gap), 0.5).ok()?.into(),
        2 => {
            let own = own.with_pose(Pose::new([0.0, 0.0, -gap], tilt).ok()?);
            return Some([own.into(), Aabb::new([-0.5, -0.5, 0.0], [0.5, 0.5, 1.0]).ok()?.into()]);
        }
        3 => Obb::new(at(0.0, 0.0, 0.5 + gap), [0.3, 0.4, 0.5], both).ok()?.into(),
        4 => Capsule::new(at(-0.5, 0.1, 0.25 + gap), at(0.5, 0.0, 0.25 + gap + small(dice)), 0.25).ok()?.into(),
        5 => Triangle::new(at(-0.5, 0.1, gap), at(0.5, 0.0, gap + small(dice)), at(0.1, 0.5, gap + small(dice)))
            .ok()?
            .into(),
        _ => Segment::new(at(-0.5, 0.1, gap), at(0.5, 0.0, gap + small(dice))).ok()?.into(),
    };
    Some([own.into(), other])
}

fn extreme(dice: &mut Dice, kind: usize) -> Option<[Shape; 2]> {
    let size = |dice: &mut Dice| 2.0_f32.powi(dice.pick(&[-140, -100, -60, -20, 0, 0, 10, 60, 100, 120]));
    let (a, b) = (size(dice), size(dice));
    let center = dice.vector() * a.max(b) * dice.pick(&[0.0, 1.0, 50.0]);
    let corners = 4 + dice.below(8);
    let own = any_hull(dice, center, a, corners)?;
    let place = dice.vector() * a.max(b) * dice.pick(&[0.0, 0.5, 1.0]);
    Some([own.into(), any_shape(dice, kind, center + place, b)?])
}

/// A point, a rod or a plate of small whole numbers, and another shape of such numbers.
fn thin(dice: &mut Dice, kind: usize) -> Option<[Shape; 2]> {
    let flat = |dice: &mut Dice| {
        dice.pick(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0), Vec3::new(0.0, 1.0, 1.0)])
    };
    let (turn, keep) = (dice.whole_turn(), flat(dice));
    let times = turn.length_squared();
    let points: Vec<Vec3> = (0..=dice.below(6)).map(|_| dice.whole_up_to(2) * keep).collect();
    let own = placed(&points, turn, times, dice.whole_up_to(1) * times)?;
    let place = dice.whole_up_to(1) * times;
    let other = match kind {
        0 => {
            let (count, keep) = (1 + dice.below(6), dice.pick(&[Vec3::ONE, Vec3::ONE, keep]));
            let points: Vec<Vec3> = (0..count).map(|_| dice.whole_up_to(2) * keep).collect();
            placed(&points, turn, times, place)?.into()
        }
        1 => Sphere::new(place, times * dice.pick(&[0.0, 1.0, 2.0])).ok()?.into(),
        2 => Aabb::new(place, place + dice.whole_up_to(2).abs() * times).ok()?.into(),
        3 => Obb::new(place, dice.whole_up_to(2).abs() * times, Quat::from_xyzw(0.0, 0.0, 3.0, 3.0)).ok()?.into(),
        4 => Capsule::new(place, dice.whole_up_to(2) * times, times * dice.pick(&[0.0, 1.0])).ok()?.into(),
        5 => Triangle::new(place, dice.whole_up_to(2) * times, dice.whole_up_to(2) * times).ok()?.into(),
        _ => Segment::new(place, dice.whole_up_to(2) * times).ok()?.into(),
    };
    Some([own.into(), other])
}

/// So many pairs of a family: a hull, and a shape of this kind.
pub fn pairs(family: usize, kind: usize, count: usize) -> Vec<[Shape; 2]> {
    let mut dice = Dice(1000 * family as u64 + kind as u64);
    let mut found = Vec::new();
    while found.len() < count {
        let pair = match FAMILIES[family] {
            "random" => {
                let (center, corners) = (dice.vector() * 0.8, 4 + dice.below(8));
                any_hull(&mut dice, center, 1.0, corners)
                    .and_then(|own| Some([own.into(), any_shape(&mut dice, kind, Vec3::ZERO, 0.8)?]))
            }
            "parallel" => nearly_parallel(&mut dice, kind),
            "extreme" => extreme(&mut dice, kind),
            "thin" => thin(&mut dice, kind),
            "flips" => flipped(&mut dice, family, kind),
            _ => touching(&mut dice, family, kind),
        };
        found.extend(pair);
    }
    found
}
