//! Pairs of a hull and another shape: random ones, and those that touch or nearly do. Nothing here asks the library what they are to each
//! other.
#![allow(dead_code, reason = "each test file uses its part")]

use tangency::glam::{Quat, Vec3};
use tangency::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Pose, Segment, Shape, Sphere, Triangle};

use crate::capsule_pairs::{self, Dice, across, any_power, collect, corners_behind, turned_box};

pub const FAMILIES: [&str; 8] = ["random", "faces", "edges", "corners", "flips", "parallel", "extreme", "thin"];
pub const KINDS: [&str; 8] = ["hull", "sphere", "aabb", "obb", "capsule", "triangle", "segment", "plane"];
/// Which of these are bodies.
pub const BODIES: [usize; 6] = [0, 1, 2, 3, 4, 7];

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

/// Points behind a plane through the origin, some of them on it: with the origin as a corner, inside an edge or inside a face.
fn against_plane(dice: &mut Dice, feature: &str, n: Vec3) -> Vec<Vec3> {
    let mut points = match feature {
        "faces" => {
            let (e, f) = (across(dice, n, 3), across(dice, n, 3));
            vec![e, -e, f, -f, e + f]
        }
        "edges" => {
            let e = across(dice, n, 3);
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
    let corners = corners_behind(dice, place, n, times);
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
        2 => Aabb::new(corners[0].min(corners[1]), corners[0].max(corners[1])).ok()?.into(),
        3 => turned_box(dice, corners)?,
        7 => {
            let length = dice.pick(&[0.25, 1.0, 8.0]);
            Plane::new(n * -length, -n.dot(place) * length).ok()?.into()
        }
        _ => {
            let share = if kind == 4 { dice.pick(&[0.0, 1.0, 2.0]) * times } else { 0.0 };
            let (from, side) = (place + n * share, across(dice, n, 3) * times);
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

/// A hull and another shape on either side of a plane, which they touch at the origin; moved, scaled and in poses of whole numbers. The other
/// one is then moved away so many times along the plane's normal, which is how far they are apart.
fn at_whole_distance(dice: &mut Dice, feature: &str, kind: usize, apart: f32) -> Option<([Shape; 2], f32)> {
    let (way, length) = dice.pick(&WHOLE);
    let n = Vec3::from(way) * Vec3::from([0; 3].map(|_| dice.pick(&[-1.0, 1.0])));
    // All coordinates are multiples of the squared lengths of both quaternions.
    let (turn, place) = (dice.whole_turn(), dice.whole_up_to(100));
    let state = Dice(dice.below(1 << 32));
    let probe = |times: f32| beyond(&mut Dice(state.0), kind, feature, (n, length), times, place + n * apart);
    let other_length = match probe(1.0)? {
        Shape::ConvexHull(hull) => hull.pose().rotation().length_squared(),
        _ => 1.0,
    };
    let times = turn.length_squared() * other_length;
    let own = placed(&against_plane(dice, feature, n), turn, times, place)?;
    Some(([own.into(), probe(times)?], length * apart))
}

/// A hull and another shape that touch.
fn touching(dice: &mut Dice, family: usize, kind: usize) -> Option<[Shape; 2]> {
    let feature = match FAMILIES[family] {
        "flips" => dice.pick(&["faces", "edges", "corners"]),
        feature => feature,
    };
    Some(at_whole_distance(dice, feature, kind, 0.0)?.0)
}

/// So many pairs of a hull and a shape of this kind, and how far they are apart, which is a whole number.
pub fn apart(kind: usize, count: usize) -> Vec<([Shape; 2], f32)> {
    let mut dice = Dice(9000 + kind as u64);
    let pair = || {
        let (feature, apart) = (dice.pick(&["faces", "edges", "corners"]), dice.pick(&[1.0, 2.0, 7.0, 100.0]));
        at_whole_distance(&mut dice, feature, kind, apart)
    };
    std::iter::repeat_with(pair).flatten().take(count).collect()
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
    Some(match kind {
        0 => {
            let corners = 4 + dice.below(8);
            any_hull(dice, center, size, corners)?.into()
        }
        5 => {
            let [a, b, c] = [0; 3].map(|_| center + dice.vector() * size);
            Triangle::new(a, b, c).ok()?.into()
        }
        6 => {
            let way = dice.vector() * size;
            Segment::new(center - way, center + way).ok()?.into()
        }
        7 => Plane::from_point_normal(center, dice.vector()).ok()?.into(),
        _ => capsule_pairs::any_shape(dice, kind - 1, center, size)?,
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
        6 => Segment::new(at(-0.5, 0.1, gap), at(0.5, 0.0, gap + small(dice))).ok()?.into(),
        _ => Plane::new(-at(small(dice), small(dice), 1.0), -gap).ok()?.into(),
    };
    Some([own.into(), other])
}

fn extreme(dice: &mut Dice, kind: usize) -> Option<[Shape; 2]> {
    let (a, b) = (any_power(dice), any_power(dice));
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
        6 => Segment::new(place, dice.whole_up_to(2) * times).ok()?.into(),
        _ => {
            let normal = dice.whole_up_to(2);
            Plane::new(normal, normal.dot(place)).ok()?.into()
        }
    };
    Some([own.into(), other])
}

/// So many pairs of a family: a hull, and a shape of this kind.
pub fn pairs(family: usize, kind: usize, count: usize) -> Vec<[Shape; 2]> {
    collect(1000 * family as u64 + kind as u64, count, |dice| match FAMILIES[family] {
        "random" => {
            let (center, corners) = (dice.vector() * 0.8, 4 + dice.below(8));
            let own = any_hull(dice, center, 1.0, corners)?;
            Some([own.into(), any_shape(dice, kind, Vec3::ZERO, 0.8)?])
        }
        "parallel" => nearly_parallel(dice, kind),
        "extreme" => extreme(dice, kind),
        "thin" => thin(dice, kind),
        "flips" => flipped(dice, family, kind),
        _ => touching(dice, family, kind),
    })
}
