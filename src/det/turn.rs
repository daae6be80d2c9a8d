//! How far a turn by an angle takes a vector.

use glam::Vec3;

use super::{add, mul, neg, sub};

/// 2/π; and π/2 as a sum of three numbers, of which the first two have so few bits that their products with up to 2¹³ quarter turns are exact.
const QUARTERS: f32 = f32::from_bits(0x3f22_f983);
const QUARTER: [f32; 3] = [f32::from_bits(0x3fc9_0000), f32::from_bits(0x39fd_a000), f32::from_bits(0x33a2_2169)];
/// A number in whose last bits a sum has its whole part: 1.5 · 2²³.
const SHIFT: f32 = 12_582_912.0;
/// sin x = x − x³ (S₀ + S₁ x² + S₂ x⁴) and 1 − cos x = x² (½ − x² (C₀ + C₁ x² + C₂ x⁴)), up to an eighth of a turn: fitted for the least error,
/// which is 1.3·10⁻⁸ of the sine, and a tenth of that of the other.
const SINE: [f32; 3] = [f32::from_bits(0x3e2a_aaa9), f32::from_bits(0xbc08_8615), f32::from_bits(0x394d_6507)];
const COSINE: [f32; 3] = [f32::from_bits(0x3d2a_aaaa), f32::from_bits(0xbab6_096a), f32::from_bits(0x37cd_ec68)];

fn polynomial([a, b, c]: [f32; 3], x: f32) -> f32 {
    add(a, mul(x, add(b, mul(x, c))))
}

/// Cosine, sine and versine (1 − cosine) of an angle, in this order. Domain: magnitudes up to 2¹⁰.
///
/// Absolute error at most 3 u; below an eighth of a turn the sine and the versine have a relative error of at most 4 u.
pub(crate) fn turn(angle: f32) -> Vec3 {
    let shifted = add(mul(angle, QUARTERS), SHIFT);
    let quarters = sub(shifted, SHIFT);
    let [first, second, third] = QUARTER.map(|part| mul(quarters, part));
    let x = sub(sub(sub(angle, first), second), third);
    let square = mul(x, x);
    let sine = sub(x, mul(mul(x, square), polynomial(SINE, square)));
    let versine = mul(square, sub(0.5, mul(square, polynomial(COSINE, square))));
    let cosine = sub(1.0, versine);
    match shifted.to_bits() & 3 {
        0 => Vec3::new(cosine, sine, versine),
        1 => Vec3::new(neg(sine), cosine, add(1.0, sine)),
        2 => Vec3::new(neg(cosine), neg(sine), add(1.0, cosine)),
        _ => Vec3::new(sine, neg(cosine), sub(1.0, sine)),
    }
}
