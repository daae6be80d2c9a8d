//! Half-spaces in integers: the signs of the least and the greatest of n·x − d over a shape.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::int::{Int, Scale};
use super::rotation::IntQuaternion;
use crate::Side;
use crate::shape::{Aabb, Obb, Plane, Pose, Sphere};

/// The side from the signs of the least and the greatest value of n·x − d.
fn side(least: Ordering, greatest: Ordering) -> Side {
    if least == Ordering::Greater {
        Side::Outside
    } else if greatest == Ordering::Greater {
        Side::Crossing
    } else {
        Side::Inside
    }
}

/// The plane with n, d and a shape's coordinates as integers: n in units of 2^a, coordinates in units of 2^b, d in 2^(a+b).
///
/// These are rare and settled once per body, so big integers serve throughout.
pub(super) struct Scales {
    place: Scale,
    pub(super) normal_and_offset: ([BigInt; 3], BigInt),
}

impl Scales {
    fn new(plane: &Plane, coordinates: impl Iterator<Item = f32> + Clone) -> Self {
        Self::of(plane, Scale::of(coordinates))
    }

    /// For coordinates in units of this scale.
    pub(super) fn of(plane: &Plane, of_place: Scale) -> Self {
        let normal = plane.normal().to_array();
        let of_normal = Scale::of(normal);
        let of_offset = Scale::of([plane.offset()]);
        // n·x comes in units of 2^(a+b): bring d to that unit, or, where d is finer, coarsen nothing and refine n instead.
        let (n, d) = (of_normal.apply_all(normal), of_offset.apply(plane.offset()));
        let gap = of_offset.exponent() - of_normal.exponent() - of_place.exponent();
        let (n, d): ([BigInt; 3], BigInt) = if plane.offset() == 0.0 {
            (n, d)
        } else if gap >= 0 {
            (n, d.shl(gap as u32))
        } else {
            (n.map(|x: BigInt| x.shl(gap.unsigned_abs())), d)
        };
        Self { place: of_place, normal_and_offset: (n, d) }
    }
}

pub(super) fn sphere_plane(sphere: &Sphere, plane: &Plane) -> Side {
    let scales = Scales::new(plane, sphere.center().to_array().into_iter().chain([sphere.radius()]));
    let (n, d) = &scales.normal_and_offset;
    let v = Int::dot(n, &scales.place.apply_all(sphere.center().to_array())).sub(d);
    let r: BigInt = scales.place.apply(sphere.radius());
    // v ± r|n|: its sign is v's, unless r²|n|² is larger than v².
    let zero = BigInt::zero();
    let reach = v.mul(&v).cmp(&r.mul(&r).mul(&Int::dot(n, n)));
    let shifted = |way: Ordering| match reach {
        Ordering::Greater => v.cmp(&zero),
        Ordering::Equal if v.cmp(&zero) == way => way,
        Ordering::Equal => Ordering::Equal,
        Ordering::Less => way,
    };
    side(shifted(Ordering::Less), shifted(Ordering::Greater))
}

pub(super) fn aabb_plane(aabb: &Aabb, plane: &Plane) -> Side {
    let (min, max) = (aabb.min().to_array(), aabb.max().to_array());
    let scales = Scales::new(plane, min.into_iter().chain(max));
    let (n, d) = &scales.normal_and_offset;
    let sign = |nearest: bool| {
        let corner = [0, 1, 2].map(|k| if (plane.normal()[k] > 0.0) == nearest { min[k] } else { max[k] });
        Int::dot(n, &scales.place.apply_all(corner)).cmp(d)
    };
    side(sign(true), sign(false))
}

pub(super) fn obb_plane(obb: &Obb, plane: &Plane) -> Side {
    let (center, half) = (obb.center().to_array(), obb.half_extents().to_array());
    let scales = Scales::new(plane, center.into_iter().chain(half));
    let (n, d) = &scales.normal_and_offset;
    let m = IntQuaternion::new(obb.rotation_array()).matrix::<BigInt>();
    let v = Int::dot(n, &scales.place.apply_all(center)).sub(d).mul(&m.n);
    let half: [BigInt; 3] = scales.place.apply_all(half);
    let reach = [0, 1, 2].map(|j| Int::dot(n, &m.columns[j]).abs());
    let r = Int::dot(&half, &reach);
    let zero = BigInt::zero();
    side(v.sub(&r).cmp(&zero), v.add(&r).cmp(&zero))
}

/// The order of n·(p + R x) and d for one point of a shape in a pose.
pub(super) fn placed_point(local: [f32; 3], pose: &Pose, plane: &Plane) -> Ordering {
    let position = pose.position().to_vec3().to_array();
    let scales = Scales::new(plane, position.into_iter().chain(local));
    let (n, d) = &scales.normal_and_offset;
    let m = IntQuaternion::new(pose.rotation_array()).matrix::<BigInt>();
    let base = Int::dot(n, &scales.place.apply_all(position)).sub(d).mul(&m.n);
    let along = [0, 1, 2].map(|j| Int::dot(n, &m.columns[j]));
    base.add(&Int::dot(&along, &scales.place.apply_all(local))).cmp(&BigInt::zero())
}
