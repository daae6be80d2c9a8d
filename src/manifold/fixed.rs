//! Fixed pairs on which an adapter shows that it computes the same bits as the CPU.

use glam::{Quat, Vec3};

use crate::hash::mix;
use crate::shape::kinds::BodyShape;
use crate::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Pose, Shape, Sphere};

/// How many pairs there are.
const PAIRS: u64 = 768;
/// How many there are of a hull and another body.
const HULL_PAIRS: u64 = 160;

/// Pairs of all kinds that meet or nearly do: of every size, flat and thin ones too, deep and shallow, turned by much, by little, by nothing
/// and about one axis, with centres near the origin and far from it.
pub(crate) fn fixed_pairs() -> Vec<[BodyShape<'static>; 2]> {
    (0..PAIRS).filter_map(pair).collect()
}

/// Pairs of a hull and a body of any kind that meet or nearly do, among them flat hulls and half-spaces.
pub(crate) fn fixed_hull_pairs() -> Vec<[Shape; 2]> {
    (0..HULL_PAIRS).filter_map(hull_pair).collect()
}

fn hull_pair(number: u64) -> Option<[Shape; 2]> {
    let random = |k: u64| (mix((number << 32) + k) >> 40) as f32 / (1 << 23) as f32 - 1.0;
    let vector = |k: u64| Vec3::new(random(k), random(k + 1), random(k + 2));
    let [first, second] = pair(number)?;
    let hull = |shape: &BodyShape<'_>, seed: u64| {
        let (bounds, corners) = (shape.aabb(), 4 + mix((number << 32) + seed) % 17);
        let turn = Quat::from_array([random(seed + 1), random(seed + 2), random(seed + 3), random(seed + 4)]);
        let local = (0..corners).map(|k| vector(seed + 10 + 3 * k) * bounds.half_extents());
        Some(ConvexHull::from_points(local).ok()?.with_pose(Pose::new(bounds.center(), turn).ok()?))
    };
    let other: Shape = match number % 8 {
        0 | 1 => hull(&second, 200)?.into(),
        2 => Plane::from_point_normal(second.aabb().center(), vector(300)).ok()?.into(),
        _ => Shape::from(second),
    };
    let first = Shape::from(hull(&first, 100)?);
    Some(if number.is_multiple_of(2) { [first, other] } else { [other, first] })
}

fn pair(number: u64) -> Option<[BodyShape<'static>; 2]> {
    // A number from −1 to 1; the same each time.
    let random = |k: u64| (mix(number * 64 + k) >> 40) as f32 / (1 << 23) as f32 - 1.0;
    let vector = |k: u64| Vec3::new(random(k), random(k + 1), random(k + 2));
    let choice = |k: u64, of: u64| (mix(number * 64 + k) >> 8) % of;
    let size = 2.0_f32.powi(choice(40, 41) as i32 - 20);
    let far = [0.0, 0.0, 100.0, 5000.0][choice(41, 4) as usize];
    let place = vector(0) * far * size;
    let shape = |first: u64, center: Vec3| {
        let thick = match choice(first + 9, 8) {
            0 => Vec3::new(1.0, 1.0, 0.0),
            1 => Vec3::X,
            _ => Vec3::ONE,
        };
        let half = (vector(first).abs() + Vec3::splat(0.05)) * size * thick;
        let turn = match choice(first + 8, 5) {
            0 => Quat::IDENTITY,
            1 => Quat::from_rotation_y(random(first + 3) * 3.0),
            2 => Quat::from_rotation_z(random(first + 3) * 1e-4),
            _ => Quat::from_array([random(first + 3), random(first + 4), random(first + 5), random(first + 6)]),
        };
        let way = turn.normalize() * Vec3::X * half.y;
        Some(match choice(first + 7, 8) {
            0 => BodyShape::Sphere(Sphere::new(center, half.x).ok()?),
            1 => BodyShape::Aabb(Aabb::new(center - half, center + half).ok()?),
            2 | 3 => BodyShape::Capsule(Capsule::new(center - way, center + way, half.x / 2.0).ok()?),
            _ => BodyShape::Obb(Obb::new(center, half, turn).ok()?),
        })
    };
    let apart = vector(30) * size * [0.2, 0.6, 1.0][choice(42, 3) as usize];
    Some([shape(10, place)?, shape(20, place + apart)?])
}
