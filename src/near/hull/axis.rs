//! Along which direction a hull and another body meet, or are apart, and how far.

use glam::Vec3;

use super::apart::{PrecisePair, at_least, scaled};
use super::polytope::deepest;
use super::{Found, dot_doubles, high, search};
use crate::det::{Double, dot3, length3, less_double, max, mul_double, neg_double, sub};
use crate::manifold::rsqrt_double;
use crate::near::precise::single;
use crate::near::simplex::Simplex;

/// How far apart bodies may be along any direction, beyond how far they are along the one that is taken, if they are in each other: 32 u of the pair's
/// largest length.
pub(crate) const CLOSE: f32 = 1.0 / (1 << 19) as f32;

/// The direction along which a hull and another body are furthest apart.
pub(crate) struct Axis {
    /// From the other body to the hull, of unit length, rounded.
    pub normal: Vec3,
    /// How far apart they are along it: against their depth if they are in each other.
    pub height: Double,
    /// A length that their distance is at least, as [`clearance`](super::clearance) has it.
    pub distance: f32,
}

impl Axis {
    /// The better one of two directions.
    fn along(precise: &PrecisePair<'_>, directions: [[Double; 3]; 2]) -> Option<Self> {
        let [rough, fine] = directions.map(|direction| Some((direction, precise.height(&direction)?)));
        let distance = |found: Option<([Double; 3], Double)>| found.map_or(0.0, |(_, height)| at_least(height));
        let distance = max(distance(rough), distance(fine));
        let (direction, height) = match (rough, fine) {
            (Some(rough), Some(fine)) if !less_double(rough.1, fine.1) => rough,
            (rough, fine) => fine.or(rough)?,
        };
        let n = scaled(&direction)?;
        let inverse = neg_double(rsqrt_double(dot_doubles(&n, &n)));
        Some(Self { normal: high(&n.map(|x| mul_double(x, inverse))), height, distance })
    }
}

/// `None` where the search has not come near enough to its end, or if all differences are nearly in a plane.
pub(crate) fn axis(precise: &PrecisePair<'_>) -> Option<Axis> {
    let (pair, radius) = (precise.pair, precise.bodies[0].radius);
    let found = search(pair, [-1.0, f32::MAX]);
    let Found { best, simplex, four, .. } = &found;
    if four.is_none() {
        let axis = Axis::along(precise, [best.to_array().map(single), precise.across(simplex)]);
        let length = length3(simplex.point());
        let beyond = sub(length, radius);
        // (What distances leave to the host is left to it here.)
        if sub(beyond, axis.as_ref().map_or(0.0, |axis| axis.distance)) > pair.error {
            return None;
        }
        let is_close = |axis: &Axis| axis.height.high > 0.0 || !(sub(beyond, axis.height.high) > CLOSE);
        if axis.as_ref().is_some_and(is_close) {
            return axis;
        }
        if length > pair.error {
            return None;
        }
    }
    let found = deepest(pair, &found)?;
    let rough = found.direction;
    let fine = precise.across(&Simplex::of_signs(found.corners));
    let fine = if dot3(high(&fine), rough) < 0.0 { fine.map(neg_double) } else { fine };
    let axis = Axis::along(precise, [rough.to_array().map(single), fine])?;
    (!(sub(sub(found.most, radius), axis.height.high) > CLOSE)).then_some(Axis { distance: 0.0, ..axis })
}
