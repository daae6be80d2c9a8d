//! Orientation signs of `f32` points: an `f64` filter, then integers. The signs are exact for every finite input.

use std::cmp::Ordering;

use glam::{DVec2, DVec3, Vec2, Vec3};
use num_bigint::BigInt;

/// A finite `f32` times 2¹⁴⁹, which is an integer.
pub(super) fn scaled(x: f32) -> BigInt {
    let bits = x.to_bits();
    let (exponent, fraction) = (bits >> 23 & 0xff, bits & 0x007f_ffff);
    let magnitude =
        if exponent == 0 { BigInt::from(fraction) } else { BigInt::from(fraction | 0x0080_0000) << (exponent - 1) };
    if x.is_sign_negative() { -magnitude } else { magnitude }
}

pub(super) fn sign(x: &BigInt) -> Ordering {
    x.cmp(&BigInt::ZERO)
}

fn det2(a: &[BigInt; 2], b: &[BigInt; 2]) -> BigInt {
    &a[0] * &b[1] - &a[1] * &b[0]
}

/// The sign of `(b − a) × (c − a)`: greater when a, b, c run counter-clockwise, equal when they lie on one line.
pub(crate) fn orient2d(a: Vec2, b: Vec2, c: Vec2) -> Ordering {
    let (u, v): (DVec2, DVec2) = (b.as_dvec2() - a.as_dvec2(), c.as_dvec2() - a.as_dvec2());
    let (left, right) = (u.x * v.y, u.y * v.x);
    let det = left - right;
    // Each product carries three roundings and the difference one more.
    if det.abs() > 8.0 * f64::EPSILON * (left.abs() + right.abs()) {
        return if det > 0.0 { Ordering::Greater } else { Ordering::Less };
    }
    let from_a = |p: Vec2| [scaled(p.x) - scaled(a.x), scaled(p.y) - scaled(a.y)];
    sign(&det2(&from_a(b), &from_a(c)))
}

/// The sign of `((b − a) × (c − a)) · (d − a)`: greater when d lies on the side from which a, b, c run counter-clockwise.
pub(crate) fn orient3d(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> Ordering {
    let origin = a.as_dvec3();
    let [u, v, w]: [DVec3; 3] = [b, c, d].map(|p| p.as_dvec3() - origin);
    let det = u.cross(v).dot(w);
    let permanent = (u.y * v.z).abs().max((u.z * v.y).abs()) * w.x.abs()
        + (u.z * v.x).abs().max((u.x * v.z).abs()) * w.y.abs()
        + (u.x * v.y).abs().max((u.y * v.x).abs()) * w.z.abs();
    // Every term carries at most eight roundings, and each pair of terms is at most twice its larger one.
    if det.abs() > 32.0 * f64::EPSILON * permanent {
        return if det > 0.0 { Ordering::Greater } else { Ordering::Less };
    }
    let from_a = |p: Vec3| [0, 1, 2].map(|i| scaled(p[i]) - scaled(a[i]));
    let (u, v, w) = (from_a(b), from_a(c), from_a(d));
    let minor = |i: usize, j: usize| &u[i] * &v[j] - &u[j] * &v[i];
    sign(&(minor(1, 2) * &w[0] + minor(2, 0) * &w[1] + minor(0, 1) * &w[2]))
}

/// Whether three points lie on one line.
pub(crate) fn collinear(a: Vec3, b: Vec3, c: Vec3) -> bool {
    let flat = |i: usize, j: usize| {
        let drop = |p: Vec3| Vec2::new(p[i], p[j]);
        orient2d(drop(a), drop(b), drop(c)) == Ordering::Equal
    };
    flat(0, 1) && flat(1, 2) && flat(2, 0)
}

/// The sign of `u × v`, exact: both products are exact in `f64`.
pub(crate) fn cross_sign(u: Vec2, v: Vec2) -> Ordering {
    let (left, right) = (f64::from(u.x) * f64::from(v.y), f64::from(u.y) * f64::from(v.x));
    left.partial_cmp(&right).unwrap_or(Ordering::Equal)
}

/// Whether `p + t d` passes through `q` for some t, exactly, for a non-zero `d`.
pub(crate) fn on_line(p: Vec2, d: Vec2, q: Vec2) -> bool {
    let offset = [scaled(q.x) - scaled(p.x), scaled(q.y) - scaled(p.y)];
    sign(&det2(&[scaled(d.x), scaled(d.y)], &offset)) == Ordering::Equal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_bit_decides() {
        let tiny = f32::from_bits(1);
        assert_eq!(orient2d(Vec2::ZERO, Vec2::new(1e30, 1e30), Vec2::new(2e30, 2e30)), Ordering::Equal);
        assert_eq!(orient2d(Vec2::new(0.0, tiny), Vec2::splat(f32::MAX), Vec2::splat(1.0)), Ordering::Less);
        let [a, b, c] = [Vec3::ZERO, Vec3::new(f32::MAX, 0.0, 0.0), Vec3::new(0.0, f32::MAX, 0.0)];
        assert_eq!(orient3d(a, b, c, Vec3::new(1e30, 1e30, tiny)), Ordering::Greater);
        assert_eq!(orient3d(a, b, c, Vec3::new(1e30, 1e30, 0.0)), Ordering::Equal);
        assert!(collinear(Vec3::ZERO, Vec3::ONE, Vec3::splat(-3.0)));
        assert!(!collinear(Vec3::ZERO, Vec3::ONE, Vec3::new(2.0, 2.0, 2.0000002)));
    }

    #[test]
    fn parallel_directions_are_told_exactly() {
        assert_eq!(cross_sign(Vec2::new(0.0, -1.0), Vec2::new(-0.0, 2.0)), Ordering::Equal);
        assert_eq!(cross_sign(Vec2::new(0.1, 0.3), Vec2::new(0.2, 0.6)), Ordering::Equal);
        assert_eq!(cross_sign(Vec2::X, Vec2::Y), Ordering::Greater);
        assert!(on_line(Vec2::ZERO, Vec2::ONE, Vec2::splat(1e-40)));
        assert!(!on_line(Vec2::splat(1e30), Vec2::ONE, Vec2::new(0.0, 1e-40)));
    }
}
