//! Balls against balls and boxes.

use super::{Arithmetic, AxisSet, Cuboid, Lanes, Real, Verdict, dot};
use crate::lanes::Number;
use crate::shape::{Aabb, Sphere};

/// Error of a coordinate in the box's frame, in u: `LOCAL_T · |t|₁ + LOCAL_E · e` (14 + 4 + 1 + 1, and the difference).
pub(crate) const LOCAL_T: f64 = 21.0;
pub(crate) const LOCAL_E: f64 = 3.0;
/// Relative error of either side of the comparison of squares, in u: 3 + 1 + 2 roundings on each.
pub(crate) const SQUARES: f64 = 12.0;

/// The squares that decide: a miss when `distance_low > limit_high`, a hit when `distance_high < limit_low`.
pub(crate) struct Squares<F> {
    pub distance_low: F,
    pub limit_high: F,
    pub distance_high: F,
    pub limit_low: F,
}

impl<F: Arithmetic> Squares<F> {
    /// For a distance squared between Σ low² and Σ high², and a radius.
    #[inline(always)]
    pub(crate) fn new(low: [F; 3], high: [F; 3], radius: F) -> Self {
        let widen =
            |square: F| F::sum([(square, F::constant(1.0 + SQUARES * F::U)), (F::constant(F::TINY_SQUARED), F::one())]);
        let limit = radius * radius;
        Self {
            distance_low: dot(&low, &low),
            limit_high: widen(limit),
            distance_high: widen(dot(&high, &high)),
            limit_low: limit,
        }
    }
}

impl<F: Real> Squares<F> {
    #[inline(always)]
    fn verdict(&self) -> Verdict {
        if self.distance_low > self.limit_high {
            Verdict::Miss
        } else if self.distance_high < self.limit_low {
            Verdict::Hit
        } else {
            Verdict::Undecided(AxisSet::ALL)
        }
    }
}

/// Two balls in the filter's domain.
#[inline(always)]
pub(crate) fn sphere_sphere<F: Real>(a: &Sphere, b: &Sphere) -> Verdict {
    squares_of_spheres::<F>(a, b).verdict()
}

#[inline(always)]
pub(crate) fn squares_of_spheres<F: Arithmetic>(a: &Sphere, b: &Sphere) -> Squares<F> {
    let (ca, cb) = (a.center().to_array().map(F::from_f32), b.center().to_array().map(F::from_f32));
    let t = [cb[0] - ca[0], cb[1] - ca[1], cb[2] - ca[2]];
    Squares::new(t, t, F::from_f32(a.radius()) + F::from_f32(b.radius()))
}

/// A ball and an axis-aligned box in the filter's domain.
///
/// Which side of the box the centre lies on is decided on the inputs themselves (a kernel compares their order-preserving
/// integers), so each distance is one exact-sided difference.
#[inline(always)]
pub(crate) fn sphere_aabb<F: Real>(sphere: &Sphere, aabb: &Aabb) -> Verdict {
    let (c, min, max) = (sphere.center().to_array(), aabb.min().to_array(), aabb.max().to_array());
    let mut strictly_inside = true;
    let outside = [0, 1, 2].map(|k| {
        strictly_inside &= min[k] < c[k] && c[k] < max[k];
        if c[k] < min[k] {
            F::from_f32(min[k]) - F::from_f32(c[k])
        } else if c[k] > max[k] {
            F::from_f32(c[k]) - F::from_f32(max[k])
        } else {
            F::zero()
        }
    });
    if strictly_inside { Verdict::Hit } else { Squares::new(outside, outside, F::from_f32(sphere.radius())).verdict() }
}

/// A ball and an oriented box in the filter's domain.
#[inline(always)]
pub(crate) fn sphere_obb<F: Real>(sphere: &Sphere, obb: &Cuboid<F>) -> Verdict {
    let c = sphere.center().to_array().map(F::from_f32);
    let t = [c[0] - obb.center[0], c[1] - obb.center[1], c[2] - obb.center[2]];
    let one = F::one();
    let zero = F::zero();
    let distance = F::sum([(t[0].abs(), one), (t[1].abs(), one), (t[2].abs(), one)]);
    let mut inside = true;
    let mut low = [zero; 3];
    let mut high = [zero; 3];
    for i in 0..3 {
        let (lower, upper) = outside(dot(&obb.axes[i], &t), obb.half[i], distance);
        inside &= upper < zero;
        low[i] = lower.max(zero);
        high[i] = upper.max(zero);
    }
    if inside { Verdict::Hit } else { Squares::new(low, high, F::from_f32(sphere.radius())).verdict() }
}

/// Between which numbers the distances of points from oriented boxes certainly are, several side by side; both are 0 if a point is certainly inside.
///
/// The squares carry 6 u each, of which a root leaves half and adds 4.5; a square that is flushed is less than `TINY_SQUARED`.
#[inline(always)]
pub(crate) fn points_and_obbs<T: Number>(point: &[Lanes<T>; 3], obb: &Cuboid<Lanes<T>>) -> (T, T) {
    let (zero, one) = (Lanes::zero(), Lanes::one());
    let t = [point[0] - obb.center[0], point[1] - obb.center[1], point[2] - obb.center[2]];
    let distance = Lanes::sum([(t[0].abs(), one), (t[1].abs(), one), (t[2].abs(), one)]);
    let x = outside(dot(&obb.axes[0], &t), obb.half[0], distance);
    let y = outside(dot(&obb.axes[1], &t), obb.half[1], distance);
    let z = outside(dot(&obb.axes[2], &t), obb.half[2], distance);
    let low = [x.0.max(zero), y.0.max(zero), z.0.max(zero)];
    let high = [x.1.max(zero), y.1.max(zero), z.1.max(zero)];
    let (least, tiny) = (dot(&low, &low).sqrt(), Lanes::constant(<Lanes<T> as Arithmetic>::TINY_SQUARED));
    let most = Lanes::sum([(high[0], high[0]), (high[1], high[1]), (high[2], high[2]), (tiny, one)]).sqrt();
    let error = 16.0 * <Lanes<T> as Arithmetic>::U;
    let is_inside = high[0].max(high[1]).max(high[2]).0.equals(zero.0);
    ((least * Lanes::constant(1.0 - error)).0, (most * Lanes::constant(1.0 + error)).0.unless(is_inside))
}

/// Bounds of |x| − e, x being a coordinate in the box's frame.
#[inline(always)]
pub(crate) fn outside<F: Arithmetic>(x: F, half: F, distance: F) -> (F, F) {
    let one = F::one();
    let bound = F::sum([
        (F::constant(LOCAL_T * F::U), distance),
        (F::constant(LOCAL_E * F::U), half),
        (F::constant(F::TINY), one),
    ]);
    let (low, minus_high) = F::margins([(x.abs(), one), (-half, one)], bound);
    (low, -minus_high)
}
