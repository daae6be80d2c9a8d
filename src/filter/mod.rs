//! The certified filters: hit, miss or undecided from floating point with a proven error bound.
//!
//! One source of formulas for every arithmetic they run in: `f64` (the first step of [`exact`](crate::exact)), `f32` (the
//! kernels' twin), `f32` side by side in the [lanes](crate::lanes) of a processor, and the adversarial `f32` of the tests, which rounds either way, reorders, fuses and flushes. The bounds
//! hold in all of them.
//!
//! The model: u is the unit roundoff ([`Arithmetic::U`]), every `+ - *` has relative error ≤ u, sums of products may be reordered
//! and fused, so that in a sum of m products every term meets at most m roundings; `abs`, `min`, `max` and comparisons are exact;
//! flushed subnormals cost less than [`Arithmetic::TINY`]. Each constant below cites the sum of roundings it covers; terms of
//! order u² are absorbed by rounding it up.

mod aabb_obb;
#[cfg(any(test, feature = "gpu"))]
pub(crate) mod bounds;
pub(crate) mod domain;
mod lanes;
mod obb_obb;
mod plane;
mod ray;
mod real;
mod rotation;
mod sat;
mod sphere;

#[cfg(test)]
pub(crate) mod adversarial;
#[cfg(test)]
mod tests;

pub(crate) use aabb_obb::aabb_obb;
#[cfg(any(test, feature = "gpu"))]
pub(crate) use aabb_obb::aabb_obb_within;
pub(crate) use lanes::Lanes;
#[cfg(any(test, feature = "gpu"))]
pub(crate) use obb_obb::obb_obb_within;
pub(crate) use obb_obb::{Boxes, obb_obb};
pub(crate) use plane::{aabb_plane, obb_plane, sphere_plane};
#[cfg(any(test, feature = "gpu"))]
pub(crate) use plane::{capsule_plane, half_space_plane, hull_plane};
#[cfg(any(test, feature = "gpu"))]
pub(crate) use ray::Slabs;
#[cfg(test)]
pub(crate) use ray::Spans;
pub(crate) use ray::{
    NODE_PAD, NODE_RATE, NODE_TINY, Path, SLACK, Span, VAST, behind_planes, ray_aabb, ray_capsule, ray_half_space,
    ray_obb, ray_sphere, rays_and_obbs,
};
pub(crate) use real::{Arithmetic, Real, dot};
pub(crate) use rotation::{Cuboid, rotation};
pub(crate) use sat::{Axes, Gap, common_axes};
pub(crate) use sphere::{points_and_obbs, sphere_aabb, sphere_obb, sphere_sphere};

/// What a filter can say about a pair. `Hit` is strict: the shapes certainly overlap, they do not merely touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Certainly separate.
    Miss,
    /// Certainly overlapping.
    Hit,
    /// For exact arithmetic to decide. For boxes, a bit for every axis whose gap is not certainly negative: A's faces 0 to 2,
    /// B's faces 3 to 5, then the edge pairs (i, j) at 6 + 3i + j.
    Undecided(AxisSet),
}

/// A set of the 15 axes of a pair of boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AxisSet(pub u16);

impl AxisSet {
    pub(crate) const ALL: Self = Self(0x7fff);
    /// The six face axes.
    pub(crate) const FACES: Self = Self(0x3f);

    pub(crate) fn contains(self, axis: usize) -> bool {
        self.0 >> axis & 1 == 1
    }
}

/// The constants of the bounds, for kernels.
#[cfg(feature = "gpu")]
pub(crate) mod constants {
    pub(crate) use super::aabb_obb::{AABB, SINE as AABB_SINE};
    pub(crate) use super::obb_obb::{EDGE_S, EDGE_T, FACE_S, FACE_T, SINE as OBB_SINE};
    pub(crate) use super::plane::{
        AABB_C, AABB_D, BALL_C, BALL_D, BALL_R, HULL_LEAST_SUM, NORMALS, OBB_C, OBB_D, OBB_E,
    };
    pub(crate) use super::ray::{
        NODE_PAD as RAY_NODE_PAD, NODE_RATE as RAY_NODE_RATE, SLACK as RAY_SLACK, VAST as RAY_VAST,
    };
    pub(crate) use super::sphere::{LOCAL_E, LOCAL_T, SQUARES};
}
