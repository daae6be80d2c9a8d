//! The checks and roundings that the shapes in the plane share.

use glam::{DVec2, Vec2};

use crate::Result;
use crate::shape::check::{finite, finite_length};

pub(super) fn finite_vec(names: [&'static str; 2], v: Vec2) -> Result<()> {
    finite(names[0], v.x)?;
    finite(names[1], v.y)
}

pub(super) fn finite_lengths(names: [&'static str; 2], v: Vec2) -> Result<()> {
    finite_length(names[0], v.x)?;
    finite_length(names[1], v.y)
}

/// Rounds to `f32`, keeping what lies beyond its range at the largest finite number.
pub(super) fn saturate(v: DVec2) -> Vec2 {
    let limit = DVec2::splat(f64::from(f32::MAX));
    v.clamp(-limit, limit).as_vec2()
}
