//! Balls, boxes and capsules against the closed half-space n·x ≤ d.

use super::{Cuboid, Real, dot};
use crate::Side;
#[cfg(any(test, feature = "gpu"))]
use crate::shape::Capsule;
use crate::shape::{Aabb, Plane, Sphere};

/// Error of n·c − d ± Σ eⱼ |n·bⱼ| for an oriented box, in u: `OBB_C Σ|nₖ cₖ| + OBB_D |d| + OBB_E |n|₁ Σ e`. Eight
/// flattened terms and the bound itself. The same for a corner x of a hull, n·c − d + Σ xⱼ (n·bⱼ), with |x|₁ in place of Σ e.
pub(crate) const OBB_C: f64 = 8.5;
pub(crate) const OBB_D: f64 = 7.5;
pub(crate) const OBB_E: f64 = 26.0;
/// The same for the corner of an axis-aligned box that is nearest or farthest along n: four terms and the bound.
pub(crate) const AABB_C: f64 = 5.5;
pub(crate) const AABB_D: f64 = 5.5;
/// The same for a ball, n·c − d ± r |n|: five terms and the bound; |n| carries up to 6 of its own.
pub(crate) const BALL_C: f64 = 6.5;
pub(crate) const BALL_D: f64 = 6.5;
pub(crate) const BALL_R: f64 = 13.5;
/// Corners of hulls may lack coordinates of less than 2⁻¹⁰⁰: with so much more in |x|₁ the error is greater by 2⁻⁸⁸ |n|₁.
#[cfg(any(test, feature = "gpu"))]
pub(crate) const HULL_LEAST_SUM: f64 = 1.0 / (1u128 << 70) as f64;
/// Error of aᵢ bⱼ − aⱼ bᵢ for two normals, in u: `NORMALS (|aᵢ bⱼ| + |aⱼ bᵢ|)`. Two terms and the bound itself.
#[cfg(any(test, feature = "gpu"))]
pub(crate) const NORMALS: f64 = 3.5;

/// Bounds of the least and the greatest of n·x − d over a shape.
pub(crate) struct Extent<F> {
    /// (least − bound, −least − bound).
    pub least: (F, F),
    /// (greatest − bound, −greatest − bound).
    pub greatest: (F, F),
}

impl<F: Real> Extent<F> {
    /// The side, or `None` when the bounds leave it open.
    #[inline(always)]
    fn side(&self) -> Option<Side> {
        let zero = F::zero();
        if self.least.0 > zero {
            Some(Side::Outside)
        } else if self.greatest.1 > zero {
            Some(Side::Inside)
        } else if self.least.1 > zero && self.greatest.0 > zero {
            Some(Side::Crossing)
        } else {
            None
        }
    }
}

fn normal_and_offset<F: Real>(plane: &Plane) -> ([F; 3], F) {
    (plane.normal().to_array().map(F::from_f32), F::from_f32(plane.offset()))
}

/// An oriented box in the filter's domain.
#[inline(always)]
pub(crate) fn obb_plane<F: Real>(obb: &Cuboid<F>, plane: &Plane) -> Option<Side> {
    obb_extent(obb, plane).side()
}

#[inline(always)]
pub(crate) fn obb_extent<F: Real>(obb: &Cuboid<F>, plane: &Plane) -> Extent<F> {
    let (n, d) = normal_and_offset::<F>(plane);
    let (c, e, one) = (&obb.center, &obb.half, F::one());
    let reach = [0, 1, 2].map(|j| dot(&n, &obb.axes[j]).abs());
    let bound = turned_bound(&n, d, c, F::sum([(e[0], one), (e[1], one), (e[2], one)]));
    let terms = |sign: F| {
        [
            (n[0], c[0]),
            (n[1], c[1]),
            (n[2], c[2]),
            (-d, one),
            (sign * e[0], reach[0]),
            (sign * e[1], reach[1]),
            (sign * e[2], reach[2]),
        ]
    };
    Extent { least: F::margins(terms(-one), bound), greatest: F::margins(terms(one), bound) }
}

/// The error bound of what turns: an oriented box with the sum of its half extents, or a hull with the largest sum of a corner's coordinates.
#[inline(always)]
fn turned_bound<F: Real>(n: &[F; 3], d: F, c: &[F; 3], sizes: F) -> F {
    let one = F::one();
    let across = F::sum([(n[0].abs(), one), (n[1].abs(), one), (n[2].abs(), one)]);
    F::sum([
        (F::constant(OBB_C * F::U), magnitude(n, c)),
        (F::constant(OBB_D * F::U), d.abs()),
        (F::constant(OBB_E * F::U) * across, sizes),
        (F::constant(F::TINY), one),
    ])
}

/// A hull in the filter's domain: a box around all corners, with the hull's place and axes, and the corners and the largest sum of a
/// corner's coordinates as the hull sees them.
#[cfg(any(test, feature = "gpu"))]
pub(crate) fn hull_plane<F: Real>(around: &Cuboid<F>, corners: &[[F; 3]], largest: F, plane: &Plane) -> Option<Side> {
    let side = obb_plane(around, plane);
    if matches!(side, Some(Side::Outside | Side::Inside)) {
        return side;
    }
    hull_extent(around, corners, largest, plane).side()
}

#[cfg(any(test, feature = "gpu"))]
pub(crate) fn hull_extent<F: Real>(around: &Cuboid<F>, corners: &[[F; 3]], largest: F, plane: &Plane) -> Extent<F> {
    let (n, d) = normal_and_offset::<F>(plane);
    let (c, one) = (&around.center, F::one());
    let m = [0, 1, 2].map(|j| dot(&n, &around.axes[j]));
    let bound = turned_bound(&n, d, c, largest + F::constant(HULL_LEAST_SUM));
    let height = |x: &[F; 3]| {
        let terms = [(n[0], c[0]), (n[1], c[1]), (n[2], c[2]), (-d, one), (m[0], x[0]), (m[1], x[1]), (m[2], x[2])];
        F::margins(terms, bound)
    };
    let (low, high) = height(&corners[0]);
    let first = Extent { least: (low, high), greatest: (low, high) };
    corners[1..].iter().map(height).fold(first, |all, (low, high)| Extent {
        least: (all.least.0.min(low), all.least.1.max(high)),
        greatest: (all.greatest.0.max(low), all.greatest.1.min(high)),
    })
}

/// A half-space in the filter's domain: across the plane, unless the normals may be parallel.
#[cfg(any(test, feature = "gpu"))]
pub(crate) fn half_space_plane<F: Real>(own: &Plane, plane: &Plane) -> Option<Side> {
    let ((a, _), (b, _)) = (normal_and_offset::<F>(own), normal_and_offset::<F>(plane));
    let turns = (0..3).map(|i| (i, (i + 1) % 3)).any(|(i, j)| {
        let (low, high) = minor(&a, &b, i, j);
        low > F::zero() || high > F::zero()
    });
    turns.then_some(Side::Crossing)
}

/// The margins of aᵢ bⱼ − aⱼ bᵢ.
#[cfg(any(test, feature = "gpu"))]
pub(crate) fn minor<F: Real>(a: &[F; 3], b: &[F; 3], i: usize, j: usize) -> (F, F) {
    let sizes = F::sum([(a[i].abs(), b[j].abs()), (a[j].abs(), b[i].abs())]);
    let bound = F::sum([(F::constant(NORMALS * F::U), sizes), (F::constant(F::TINY), F::one())]);
    F::margins([(a[i], b[j]), (-a[j], b[i])], bound)
}

/// An axis-aligned box in the filter's domain.
#[inline(always)]
pub(crate) fn aabb_plane<F: Real>(aabb: &Aabb, plane: &Plane) -> Option<Side> {
    aabb_extent::<F>(aabb, plane).side()
}

#[inline(always)]
pub(crate) fn aabb_extent<F: Real>(aabb: &Aabb, plane: &Plane) -> Extent<F> {
    let (n, d) = normal_and_offset::<F>(plane);
    let (min, max) = (aabb.min().to_array().map(F::from_f32), aabb.max().to_array().map(F::from_f32));
    let one = F::one();
    let corner = |nearest: bool| [0, 1, 2].map(|k| if (n[k] > F::zero()) == nearest { min[k] } else { max[k] });
    let margins = |x: [F; 3]| {
        let bound = F::sum([
            (F::constant(AABB_C * F::U), magnitude(&n, &x)),
            (F::constant(AABB_D * F::U), d.abs()),
            (F::constant(F::TINY), one),
        ]);
        F::margins([(n[0], x[0]), (n[1], x[1]), (n[2], x[2]), (-d, one)], bound)
    };
    Extent { least: margins(corner(true)), greatest: margins(corner(false)) }
}

/// A ball in the filter's domain.
#[inline(always)]
pub(crate) fn sphere_plane<F: Real>(sphere: &Sphere, plane: &Plane) -> Option<Side> {
    sphere_extent::<F>(sphere, plane).side()
}

#[inline(always)]
pub(crate) fn sphere_extent<F: Real>(sphere: &Sphere, plane: &Plane) -> Extent<F> {
    balls_extent([sphere.center().to_array(); 2], sphere.radius(), plane)
}

/// Of two balls of one radius, and what is between them.
#[inline(always)]
fn balls_extent<F: Real>(centers: [[f32; 3]; 2], radius: f32, plane: &Plane) -> Extent<F> {
    let (n, d) = normal_and_offset::<F>(plane);
    let ([a, b], r, one) = (centers.map(|center| center.map(F::from_f32)), F::from_f32(radius), F::one());
    let length = dot(&n, &n).sqrt();
    let bound = F::sum([
        (F::constant(BALL_C * F::U), magnitude(&n, &a).max(magnitude(&n, &b))),
        (F::constant(BALL_D * F::U), d.abs()),
        (F::constant(BALL_R * F::U) * length, r),
        (F::constant(F::TINY), one),
    ]);
    let end = |c: &[F; 3], sign: F| {
        F::margins([(n[0], c[0]), (n[1], c[1]), (n[2], c[2]), (-d, one), (sign * r, length)], bound)
    };
    let ((low_a, high_a), (low_b, high_b)) = ((end(&a, -one), end(&a, one)), (end(&b, -one), end(&b, one)));
    Extent {
        least: (low_a.0.min(low_b.0), low_a.1.max(low_b.1)),
        greatest: (high_a.0.max(high_b.0), high_a.1.min(high_b.1)),
    }
}

/// A capsule in the filter's domain.
#[cfg(any(test, feature = "gpu"))]
#[inline(always)]
pub(crate) fn capsule_plane<F: Real>(capsule: &Capsule, plane: &Plane) -> Option<Side> {
    capsule_extent::<F>(capsule, plane).side()
}

#[cfg(any(test, feature = "gpu"))]
#[inline(always)]
pub(crate) fn capsule_extent<F: Real>(capsule: &Capsule, plane: &Plane) -> Extent<F> {
    balls_extent([capsule.a(), capsule.b()].map(|end| end.to_array()), capsule.radius(), plane)
}

/// Σ |aₖ bₖ|.
#[inline(always)]
fn magnitude<F: Real>(a: &[F; 3], b: &[F; 3]) -> F {
    F::sum([(a[0].abs(), b[0].abs()), (a[1].abs(), b[1].abs()), (a[2].abs(), b[2].abs())])
}
