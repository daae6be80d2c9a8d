//! How far bodies are from half-spaces.

use glam::Vec3;

use super::{Clearance, ERROR, EXPONENTS, Verdict, exponent};
use crate::det::{Double, abs, add, add3, clean, mul, neg, scale3, sub, sub_double, sub3};
use crate::exact::Margin;
use crate::manifold::{Frame, Over};

/// What is wrong with a height, as a share of all that it is computed from.
const HEIGHT_ERROR: f32 = 1.0 / (1_u64 << 40) as f32;

/// An axis that is nearer than this to the border is along it: of such an edge the middle is taken.
const LEVEL: f32 = 1.0 / (1 << 20) as f32;

/// What is certain of a half-space and another body. `None` outside the domain.
pub(super) fn verdict(half_space: &Frame, body: &Frame, margin: Margin) -> Option<Verdict> {
    let largest = margin.0.iter().fold(0, |largest, x| largest.max(exponent(*x)));
    let size = largest.max(body.exponent());
    if !body.has_size_in_domain() || !EXPONENTS.contains(&size) {
        return None;
    }
    let over = Over::of(half_space, body, size)?;
    let scale = f32::from_bits((254 - size) << 23);
    let [m, n, o] = margin.0.map(|x| mul(clean(x), scale));
    let reach = add(add(add(m, n), o), over.body.radius);
    let error = add(mul(ERROR, add(reach, over.sizes())), mul(HEIGHT_ERROR, over.far));
    let gap = over.lowest().high;
    Some(if sub(gap, error) > reach {
        Verdict::Miss
    } else if add(gap, error) < reach {
        Verdict::Hit
    } else {
        Verdict::Open
    })
}

/// How far a body is from a half-space, and where it is nearest: the point of the body, and that of the half-space. `None` outside the domain.
pub(super) fn clearance(half_space: &Frame, body: &Frame) -> Option<(Vec3, f32, Vec3)> {
    let size = body.exponent().max(body.reach()).max(half_space.reach());
    if !body.has_size_in_domain() || !EXPONENTS.contains(&size) {
        return None;
    }
    let over = Over::of(half_space, body, size)?;
    let radius = Double { high: over.body.radius, low: 0.0 };
    let sizes = add(add(over.sizes(), over.body.radius), over.far);
    let gap = sub_double(sub_double(over.lowest(), radius), Double { high: mul(HEIGHT_ERROR, sizes), low: 0.0 });
    let back = f32::from_bits(size << 23);
    // Rounded down.
    let distance = if gap.high > 0.0 { f32::from_bits(gap.high.to_bits() - u32::from(gap.low < 0.0)) } else { 0.0 };
    let distance = mul(distance, back);
    let mut lowest = scale3(over.normal, neg(over.body.radius));
    for k in 0..over.body.extents {
        let (cosine, half) = (over.cosines[k].high, over.body.half[k].high);
        if !(abs(cosine) < LEVEL) {
            let axis = Vec3::from(over.body.axes[k].map(|x| x.high));
            lowest = add3(lowest, scale3(axis, if cosine < 0.0 { half } else { neg(half) }));
        }
    }
    let on_body = add3(body.center(), scale3(lowest, back));
    Some((on_body, distance, sub3(on_body, scale3(over.normal, distance))))
}

/// The clearance of two bodies of which at least one is a half-space.
pub(super) fn clearance_of_frames(a: &Frame, b: &Frame) -> Option<Clearance> {
    match (a.is_half_space(), b.is_half_space()) {
        (true, true) => None,
        (true, false) => clearance(a, b).map(|(on_b, distance, on_a)| Clearance::of(on_a, distance, on_b)),
        _ => clearance(b, a).map(|(on_a, distance, on_b)| Clearance::of(on_a, distance, on_b)),
    }
}
