//! Hulls as what is common to half-spaces, and rays that pass through them.
//!
//! A solid hull is behind the planes of its triangles. A flat one is on its plane and behind its edges, a segment on its line and between
//! its ends, and a point is where it is: those too are half-spaces, some of which come in opposite pairs.

use std::cmp::Ordering;

use glam::{DVec3, Vec3};
use num_bigint::BigInt;

use super::int::{Int, Scale};
use super::ray::ray_in;
use super::rotation::IntQuaternion;
use super::segment::{Vector, cross, minus};
use crate::shape::{PlacedHull, Ray};

/// The half-spaces n·x ≤ n·corner in local coordinates, in units of a scale.
fn half_spaces(hull: &PlacedHull<'_>, corners: &[Vector]) -> Vec<(Vector, usize)> {
    let zero = BigInt::zero();
    let minus_one = |v: &Vector| v.clone().map(|x| Int::sub(&zero, &x));
    let way = |a: usize, b: usize| minus(&corners[b], &corners[a]);
    let both = |n: Vector| [(minus_one(&n), 0), (n, 0)];
    let unit = |k: usize| -> Vector { std::array::from_fn(|i| BigInt::from(u32::from(i == k))) };
    match hull.dimension() {
        0 => (0..3).flat_map(|k| both(unit(k))).collect(),
        1 => {
            let last = corners.len() - 1;
            let axis = way(0, last);
            let least = (0..3).min_by_key(|k| Int::abs(&axis[*k])).unwrap_or_default();
            let across = cross(&axis, &unit(least));
            let ends = [(minus_one(&axis), 0), (axis.clone(), last)];
            both(cross(&axis, &across)).into_iter().chain(both(across)).chain(ends).collect()
        }
        2 => {
            let normal = cross(&way(0, 1), &way(0, 2));
            let next = |k: usize| (k + 1) % corners.len();
            let edges = (0..corners.len()).map(|k| (cross(&way(k, next(k)), &normal), k));
            edges.chain(both(normal.clone())).collect()
        }
        _ => {
            let face = |[a, b, c]: [usize; 3]| (cross(&way(a, b), &way(a, c)), a);
            hull.faces().iter().map(|corners| face(corners.map(|i| i as usize))).collect()
        }
    }
}

/// The half-spaces n·x ≤ d of a hull in local coordinates: unit normals off by a few units in the last place, however thin the triangles
/// are, since they are computed from integers.
pub(crate) fn local_planes(hull: &PlacedHull<'_>) -> Vec<(DVec3, f64)> {
    let all = hull.local_vertices();
    let scale = Scale::of(all.iter().flat_map(Vec3::to_array));
    let corners: Vec<Vector> = all.iter().map(|corner| scale.apply_all(corner.to_array())).collect();
    let plane = |(normal, corner): (Vector, usize)| {
        let normal = DVec3::from(super::int::approximated(&normal)).normalize();
        (normal, normal.dot(all[corner].as_dvec3()))
    };
    half_spaces(hull, &corners).into_iter().map(plane).collect()
}

/// Whether a valid ray meets a hull at a time from 0 to `limit`, which may be infinite: whether there is a time at which it is in all half-spaces.
///
/// The hull's frame has n times the coordinates, as the columns of M = n R give them.
pub(super) fn ray_hull(ray: &Ray, limit: f32, hull: &PlacedHull<'_>) -> bool {
    let position = hull.pose().position().to_vec3();
    let numbers = hull.local_vertices().iter().flat_map(Vec3::to_array);
    let places = ray.origin().to_array().into_iter().chain(position.to_array());
    let (path, units) = ray_in::<BigInt>(ray, limit, Scale::of(places.chain(numbers)));
    let corners: Vec<Vector> = hull.local_vertices().iter().map(|corner| units.apply(corner.to_array())).collect();
    let m = IntQuaternion::new(hull.pose().rotation_array()).matrix::<BigInt>();
    let seen = |v: &Vector| [0, 1, 2].map(|k| BigInt::dot(&m.columns[k], v));
    let from = seen(&minus(&path.origin, &units.apply(position.to_array())));
    let way = seen(&path.direction);
    let zero = BigInt::zero();
    // Fractions: after this time, and before that one if there is one.
    let mut first = (zero.clone(), BigInt::from(1));
    let mut last = path.is_segment.then(|| (BigInt::from(1), BigInt::from(1)));
    for (normal, corner) in half_spaces(hull, &corners) {
        let edge = Int::mul(&BigInt::dot(&normal, &corners[corner]), &m.n);
        let (outside, rate) = (Int::sub(&BigInt::dot(&normal, &from), &edge), BigInt::dot(&normal, &way));
        let is_later = |a: &(BigInt, BigInt), b: &(BigInt, BigInt)| Int::mul(&a.0, &b.1) > Int::mul(&b.0, &a.1);
        match rate.cmp(&zero) {
            Ordering::Equal if outside > zero => return false,
            Ordering::Equal => {}
            Ordering::Less => {
                let enters = (outside, Int::sub(&zero, &rate));
                if is_later(&enters, &first) {
                    first = enters;
                }
            }
            Ordering::Greater => {
                let leaves = (Int::sub(&zero, &outside), rate);
                if last.as_ref().is_none_or(|last| is_later(last, &leaves)) {
                    last = Some(leaves);
                }
            }
        }
        if last.as_ref().is_some_and(|last| is_later(&first, last)) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::shape::{ConvexHull, Pose};

    /// Rays across the line of a segment, also turned and moved: they meet it between its ends, and at them.
    #[test]
    fn segments_end() {
        let segment = ConvexHull::from_points([[0.0; 3], [5.0, 0.0, 0.0]]).expect("corners");
        // To (3, 4, 0) from 0.
        let turned = Pose::new([0.0, 1.0, 0.0], Quat::from_xyzw(0.0, 0.0, 1.0, 2.0)).expect("a pose");
        for (at, meets) in [(-0.25, false), (0.0, true), (0.5, true), (1.0, true), (1.25, false)] {
            for (pose, place) in [(Pose::IDENTITY, [5.0 * at, 0.0]), (turned, [3.0 * at, 1.0 + 4.0 * at])] {
                let ray = Ray::new([place[0], place[1], -2.0], [0.0, 0.0, 1.0]).expect("a ray");
                let hull = segment.with_pose(pose);
                assert_eq!(ray_hull(&ray, f32::INFINITY, &hull.as_placed()), meets, "{at} {pose:?}");
                assert!(!ray_hull(&ray, 1.75, &hull.as_placed()), "{at}: it is too far");
            }
        }
    }
}
