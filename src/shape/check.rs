//! The checks that all constructors share.

use glam::{DVec3, Vec3};

use crate::{Error, Result};

/// The names of a vector field's components, for error messages.
pub(crate) type Names = [&'static str; 3];

pub(crate) const CENTER: Names = ["center.x", "center.y", "center.z"];
pub(crate) const HALF_EXTENTS: Names = ["half_extents.x", "half_extents.y", "half_extents.z"];
pub(crate) const MIN: Names = ["min.x", "min.y", "min.z"];
pub(crate) const MAX: Names = ["max.x", "max.y", "max.z"];
pub(crate) const NORMAL: Names = ["normal.x", "normal.y", "normal.z"];
pub(crate) const POINT: Names = ["point.x", "point.y", "point.z"];
pub(crate) const ROTATION: [&str; 4] = ["rotation.x", "rotation.y", "rotation.z", "rotation.w"];

pub(crate) fn finite(field: &'static str, value: f32) -> Result<()> {
    if value.is_finite() { Ok(()) } else { Err(Error::NotFinite { field, value }) }
}

pub(crate) fn finite_vec(names: &Names, v: Vec3) -> Result<()> {
    for (name, value) in names.iter().zip(v.to_array()) {
        finite(name, value)?;
    }
    Ok(())
}

pub(crate) fn finite_length(field: &'static str, value: f32) -> Result<()> {
    finite(field, value)?;
    if value < 0.0 { Err(Error::Negative { field, value }) } else { Ok(()) }
}

pub(crate) fn finite_lengths(names: &Names, v: Vec3) -> Result<()> {
    for (name, value) in names.iter().zip(v.to_array()) {
        finite_length(name, value)?;
    }
    Ok(())
}

/// A non-zero, finite quaternion, given as its components.
pub(crate) fn rotation(q: [f32; 4]) -> Result<()> {
    for (name, value) in ROTATION.iter().zip(q) {
        finite(name, value)?;
    }
    if q == [0.0; 4] { Err(Error::ZeroRotation) } else { Ok(()) }
}

/// Rounds to `f32`, keeping what lies beyond its range at the largest finite number.
pub(crate) fn saturate(v: DVec3) -> Vec3 {
    let limit = f64::from(f32::MAX);
    v.clamp(DVec3::splat(-limit), DVec3::splat(limit)).as_vec3()
}

/// The largest `f32`, infinities included, that is not above `x`.
pub(crate) fn round_down(x: f64) -> f32 {
    let nearest = x as f32;
    if f64::from(nearest) > x { nearest.next_down() } else { nearest }
}

/// The smallest `f32`, infinities included, that is not below `x`.
pub(crate) fn round_up(x: f64) -> f32 {
    -round_down(-x)
}

/// The largest finite `f32` that is not above the exact a + b; `f32::MIN` if there is none.
pub(crate) fn sum_down(a: f64, b: f64) -> f32 {
    any_sum_down(a, b).max(f32::MIN)
}

/// The smallest `f32`, infinity included, that is not below the exact a + b.
pub(crate) fn sum_up(a: f64, b: f64) -> f32 {
    -any_sum_down(-a, -b)
}

/// The largest `f32`, infinities included, that is not above the exact a + b.
fn any_sum_down(a: f64, b: f64) -> f32 {
    let sum = a + b;
    // Knuth's TwoSum: what the rounding of the sum lost.
    let from_b = sum - a;
    let lost = (a - (sum - from_b)) + (b - from_b);
    let rounded = round_down(sum);
    if lost < 0.0 && f64::from(rounded) == sum { rounded.next_down() } else { rounded }
}

/// As [`saturate`], of one number.
pub(crate) fn saturate_f32(x: f64) -> f32 {
    let limit = f64::from(f32::MAX);
    x.clamp(-limit, limit) as f32
}

/// A finite, non-zero direction.
pub(crate) fn direction(v: Vec3) -> Result<()> {
    finite_vec(&["direction.x", "direction.y", "direction.z"], v)?;
    if v == Vec3::ZERO { Err(Error::ZeroDirection) } else { Ok(()) }
}

/// A sum, and a bound of its rounding error that is zero exactly when there is none (Knuth), and that moves the sum when it
/// is not.
pub(crate) fn sum_and_slack(a: DVec3, b: DVec3) -> (DVec3, DVec3) {
    let sum = a + b;
    let b_part = sum - a;
    let error = (a - (sum - b_part)) + (b - b_part);
    (sum, DVec3::select(error.cmpeq(DVec3::ZERO), DVec3::ZERO, sum.abs() * f64::EPSILON))
}
