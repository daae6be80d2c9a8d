//! Along which direction a hull and another body meet, or are apart, and how far.
//!
//! The twins in WGSL are `shaders/queries/hull_ways.wgsl` and `shaders/queries/hull_directions.wgsl`.

use glam::Vec3;

use super::apart::{PrecisePair, at_least, scaled};
use super::polytope::{Deepest, deepest};
use super::{Found, Pair, dot_doubles, high, search};
use crate::det::{Double, dot3, length3, less_double, max, mul_double, neg_double, sub};
use crate::manifold::rsqrt_double;
use crate::near::precise::single;
use crate::near::simplex::Simplex;

/// How far apart bodies may be along any direction, beyond how far they are along the one that is taken, if they are in each other: 32 u of the pair's
/// largest length.
pub(crate) const CLOSE: f32 = 1.0 / (1 << 19) as f32;

/// The direction along which a hull and another body are furthest apart.
#[derive(Clone, Copy)]
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

/// Where the search for the nearest points has ended, in single words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    /// The direction along which all differences were furthest.
    pub best: Vec3,
    /// How long the way is to the nearest one.
    pub length: f32,
    /// How many corners are around it, and which.
    pub count: usize,
    pub signs: [u32; 3],
}

/// Both ways in which bodies may be moved apart.
#[cfg(feature = "gpu")]
pub(crate) struct Ways {
    /// Absent if the search has found four differences around 0.
    pub ended: Option<Ended>,
    /// The shortest way out of each other. Absent if there is none, or if the polytope has not grown in its room; bodies that are apart need none.
    pub out: Option<Deepest>,
}

/// Where the search has ended, what it has found, and whether there may be a way out.
fn search_ways(pair: &Pair<'_>) -> (Option<Ended>, Found, bool) {
    let found = search(pair, [-1.0, f32::MAX]);
    let Found { best, simplex, four, .. } = &found;
    let length = length3(simplex.point());
    let [a, b, c, _] = simplex.signs;
    let ended = four.is_none().then_some(Ended { best: *best, length, count: simplex.count, signs: [a, b, c] });
    let may_meet = ended.is_none() || !(length > pair.error);
    (ended, found, may_meet)
}

#[cfg(feature = "gpu")]
impl Ways {
    pub(crate) fn of(pair: &Pair<'_>) -> Self {
        let (ended, found, may_meet) = search_ways(pair);
        Self { ended, out: if may_meet { deepest(pair, &found) } else { None } }
    }
}

/// `None` where the search has not come near enough to its end, or if all differences are nearly in a plane.
pub(crate) fn axis(precise: &PrecisePair<'_>) -> Option<Axis> {
    let (ended, found, may_meet) = search_ways(precise.pair);
    axis_of(precise, ended.as_ref(), || if may_meet { deepest(precise.pair, &found) } else { None })
}

/// The same, given where the search has ended, and what is asked only if that does not do: the shortest way out.
pub(crate) fn axis_of(
    precise: &PrecisePair<'_>,
    ended: Option<&Ended>,
    out: impl FnOnce() -> Option<Deepest>,
) -> Option<Axis> {
    let (pair, radius) = (precise.pair, precise.bodies[0].radius);
    if let Some(ended) = ended {
        let across = precise.across(&Simplex::of_signs(ended.count, ended.signs));
        let axis = Axis::along(precise, [ended.best.to_array().map(single), across]);
        let beyond = sub(ended.length, radius);
        // (What distances leave to the host is left to it here.)
        if sub(beyond, axis.as_ref().map_or(0.0, |axis| axis.distance)) > pair.error {
            return None;
        }
        let is_close = |axis: &Axis| axis.height.high > 0.0 || !(sub(beyond, axis.height.high) > CLOSE);
        if axis.as_ref().is_some_and(is_close) {
            return axis;
        }
    }
    let found = out()?;
    let rough = found.direction;
    let fine = precise.across(&Simplex::of_signs(3, found.corners));
    let fine = if dot3(high(&fine), rough) < 0.0 { fine.map(neg_double) } else { fine };
    let axis = Axis::along(precise, [rough.to_array().map(single), fine])?;
    (!(sub(sub(found.most, radius), axis.height.high) > CLOSE)).then_some(Axis { distance: 0.0, ..axis })
}
