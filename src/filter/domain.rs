//! Which inputs the `f32` filters may be used on. The `f64` filters take every finite `f32`.
//!
//! Tested on the bits, before any arithmetic. Within these limits no square overflows, and all flushed subnormals
//! together stay below [`Arithmetic::TINY`](super::Arithmetic::TINY).

#[cfg(any(test, feature = "gpu"))]
use crate::shape::{Aabb, Capsule, Obb, Plane, Sphere};

/// Coordinates, extents and radii: at most 2⁴⁰.
pub(crate) const LARGEST_LENGTH: f32 = (1u64 << 40) as f32;
/// The largest component of a quaternion: 2⁻¹⁰⁰ to 2¹⁰⁰. It is scaled to one between 1 and 2 before use, which is exact apart
/// from what is 2¹⁰⁰ times smaller than that.
pub(crate) const LARGEST_TURN: f32 = (1u128 << 100) as f32;
pub(crate) const SMALLEST_TURN: f32 = 1.0 / LARGEST_TURN;
/// Every non-zero component of a normal: 2⁻³⁰ to 2³⁰.
#[cfg(any(test, feature = "gpu"))]
pub(crate) const LARGEST_COMPONENT: f32 = (1u64 << 30) as f32;
#[cfg(any(test, feature = "gpu"))]
pub(crate) const SMALLEST_COMPONENT: f32 = 1.0 / LARGEST_COMPONENT;
/// A plane's offset: at most 2⁸⁰.
#[cfg(any(test, feature = "gpu"))]
pub(crate) const LARGEST_OFFSET: f32 = (1u128 << 80) as f32;

/// |x| ≤ limit, by the order of the bits.
#[cfg(any(test, feature = "gpu"))]
fn within(x: f32, limit: f32) -> bool {
    x.to_bits() & 0x7fff_ffff <= limit.to_bits()
}

#[cfg(any(test, feature = "gpu"))]
fn all_within(v: glam::Vec3) -> bool {
    v.to_array().into_iter().all(|x| within(x, LARGEST_LENGTH))
}

/// Whether these lengths are in the domain.
#[cfg(feature = "gpu")]
pub(crate) fn lengths(v: [f32; 3]) -> bool {
    all_within(v.into())
}

#[cfg(any(test, feature = "gpu"))]
pub(crate) fn sphere(sphere: &Sphere) -> bool {
    all_within(sphere.center()) && within(sphere.radius(), LARGEST_LENGTH)
}

#[cfg(any(test, feature = "gpu"))]
pub(crate) fn aabb(aabb: &Aabb) -> bool {
    all_within(aabb.min()) && all_within(aabb.max())
}

#[cfg(any(test, feature = "gpu"))]
pub(crate) fn obb(obb: &Obb) -> bool {
    all_within(obb.center()) && all_within(obb.half_extents()) && quaternion(obb.rotation_array())
}

#[cfg(any(test, feature = "gpu"))]
pub(crate) fn capsule(capsule: &Capsule) -> bool {
    all_within(capsule.a()) && all_within(capsule.b()) && within(capsule.radius(), LARGEST_LENGTH)
}

/// The bits of the largest component's absolute value.
#[cfg(any(test, feature = "gpu"))]
fn largest_bits(q: [f32; 4]) -> u32 {
    q.into_iter().fold(0, |largest, x| largest.max(x.to_bits() & 0x7fff_ffff))
}

#[cfg(any(test, feature = "gpu"))]
pub(crate) fn quaternion(q: [f32; 4]) -> bool {
    (SMALLEST_TURN.to_bits()..=LARGEST_TURN.to_bits()).contains(&largest_bits(q))
}

/// A quaternion in the domain, times the power of two that brings its largest component to between 1 and 2.
#[cfg(any(test, feature = "gpu"))]
pub(crate) fn scaled(q: [f32; 4]) -> [f32; 4] {
    let exponent = largest_bits(q) & 0x7f80_0000;
    // 2 · 127, less the exponent, both biased.
    let factor = f32::from_bits(0x7f00_0000 - exponent);
    q.map(|x| x * factor)
}

#[cfg(any(test, feature = "gpu"))]
pub(crate) fn plane(plane: &Plane) -> bool {
    plane
        .normal()
        .to_array()
        .into_iter()
        .all(|x| x == 0.0 || within(x, LARGEST_COMPONENT) && !within(x, SMALLEST_COMPONENT.next_down()))
        && within(plane.offset(), LARGEST_OFFSET)
}
