//! Which inputs the `f32` filters may be used on. The `f64` filters take every finite `f32`.
//!
//! So far only oriented boxes go through them here; the tests hold what kernels will need for the other shapes.
//!
//! Tested on the bits, before any arithmetic. Within these limits no square overflows, and all flushed subnormals
//! together stay below [`Arithmetic::TINY`](super::Arithmetic::TINY).

use crate::shape::Obb;
#[cfg(test)]
use crate::shape::{Aabb, Plane, Sphere};

/// Coordinates, extents and radii: at most 2⁴⁰.
pub(crate) const LARGEST_LENGTH: f32 = (1u64 << 40) as f32;
/// The largest component of a quaternion, and every non-zero one of a normal: 2⁻³⁰ to 2³⁰.
pub(crate) const LARGEST_COMPONENT: f32 = (1u64 << 30) as f32;
pub(crate) const SMALLEST_COMPONENT: f32 = 1.0 / LARGEST_COMPONENT;
/// A plane's offset: at most 2⁸⁰.
#[cfg(test)]
pub(crate) const LARGEST_OFFSET: f32 = (1u128 << 80) as f32;

/// |x| ≤ limit, by the order of the bits.
fn within(x: f32, limit: f32) -> bool {
    x.to_bits() & 0x7fff_ffff <= limit.to_bits()
}

fn all_within(v: glam::Vec3) -> bool {
    v.to_array().into_iter().all(|x| within(x, LARGEST_LENGTH))
}

#[cfg(test)]
pub(crate) fn sphere(sphere: &Sphere) -> bool {
    all_within(sphere.center()) && within(sphere.radius(), LARGEST_LENGTH)
}

#[cfg(test)]
pub(crate) fn aabb(aabb: &Aabb) -> bool {
    all_within(aabb.min()) && all_within(aabb.max())
}

pub(crate) fn obb(obb: &Obb) -> bool {
    let q = obb.rotation_array();
    all_within(obb.center())
        && all_within(obb.half_extents())
        && q.into_iter().all(|x| within(x, LARGEST_COMPONENT))
        && q.into_iter().any(|x| !within(x, SMALLEST_COMPONENT.next_down()))
}

#[cfg(test)]
pub(crate) fn plane(plane: &Plane) -> bool {
    plane
        .normal()
        .to_array()
        .into_iter()
        .all(|x| x == 0.0 || within(x, LARGEST_COMPONENT) && !within(x, SMALLEST_COMPONENT.next_down()))
        && within(plane.offset(), LARGEST_OFFSET)
}
