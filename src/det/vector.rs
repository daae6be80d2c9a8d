//! Vectors of three numbers. Sums go from x to z.

use glam::Vec3;

use super::{add, mul, neg, rsqrt, sqrt, sub};

/// a + b, each component as [`add`].
pub(crate) fn add3(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(add(a.x, b.x), add(a.y, b.y), add(a.z, b.z))
}

/// a − b, each component as [`sub`].
pub(crate) fn sub3(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(sub(a.x, b.x), sub(a.y, b.y), sub(a.z, b.z))
}

/// −v, each component as [`neg`].
pub(crate) fn neg3(v: Vec3) -> Vec3 {
    Vec3::new(neg(v.x), neg(v.y), neg(v.z))
}

/// s · v, each component as [`mul`].
pub(crate) fn scale3(v: Vec3, s: f32) -> Vec3 {
    Vec3::new(mul(v.x, s), mul(v.y, s), mul(v.z, s))
}

/// a · b. Error at most 3 u (|a.x b.x| + |a.y b.y| + |a.z b.z|) + 3·2⁻¹⁰⁰, to first order in u. Domain: magnitudes up to 2⁶².
pub(crate) fn dot3(a: Vec3, b: Vec3) -> f32 {
    add(add(mul(a.x, b.x), mul(a.y, b.y)), mul(a.z, b.z))
}

/// a × b. Error of x at most 2 u (|a.y b.z| + |a.z b.y|) + 2·2⁻¹⁰⁰, to first order in u, and likewise for y and z. Domain:
/// magnitudes up to 2⁶².
pub(crate) fn cross3(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(sub(mul(a.y, b.z), mul(a.z, b.y)), sub(mul(a.z, b.x), mul(a.x, b.z)), sub(mul(a.x, b.y), mul(a.y, b.x)))
}

/// v · v. Relative error at most 3.2 u for lengths of at least 2⁻³⁶, where squares that become 0 are u/8 of the sum. Domain:
/// magnitudes up to 2⁶².
pub(crate) fn length_squared3(v: Vec3) -> f32 {
    dot3(v, v)
}

/// The length of v, and 0 if its square is below 2⁻⁹⁰. Relative error at most 4.2 u for lengths of at least 2⁻³⁶: half of the
/// square's, and that of [`sqrt`]. Domain: magnitudes up to 2⁴⁴.
pub(crate) fn length3(v: Vec3) -> f32 {
    sqrt(length_squared3(v))
}

/// v divided by its length, and 0 if the square of that is below 2⁻⁹⁰. Each component has an error of at most 4.6 u for lengths
/// of at least 2⁻³⁶: half of the square's, that of [`rsqrt`], and a product's. Domain: magnitudes up to 2⁴⁴.
pub(crate) fn normalize3(v: Vec3) -> Vec3 {
    scale3(v, rsqrt(length_squared3(v)))
}
