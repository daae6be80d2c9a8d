//! Half-spaces and other bodies: whether they meet, or are as near as a margin.
//!
//! What counts is the lowest point of the other body over the border of the half-space, of which `f64` mostly tells the side, and integers
//! the rest.

use std::cmp::Ordering;

use glam::{DVec3, Vec3};
use num_bigint::BigInt;

use super::int::{Int, Scale};
use super::near::Margin;
use super::plane::Scales;
use super::rotation::IntQuaternion;
use super::sphere::from_squares;
use crate::Relation;
use crate::filter::Cuboid;
use crate::shape::kinds::BodyShape;
use crate::shape::{PlacedHull, Plane};

/// Far more than all rounding in `f64` adds up to, as a share of the sum of all products. With u = 2⁻⁵³, products of coordinates are exact, and their sums have
/// errors of 3 u; an entry of an axis, and of a normal as a hull sees it, has one of 10 u and 20 u, and heights along them of 15 u and 25 u; the length of the
/// normal adds 4 u of the reach. Less than 50 u together; 512 u are taken.
const SLACK: f64 = 1.0 / (1_u64 << 44) as f64;

/// The relation of a half-space and another body of which one is grown by a margin. Both must be valid.
pub(super) fn relation(plane: &Plane, other: &BodyShape<'_>, margin: Margin) -> Relation {
    if let BodyShape::Plane(other) = other {
        return half_spaces(plane, other, margin);
    }
    in_f64(plane, other, margin).unwrap_or_else(|| in_integers(plane, other, margin))
}

fn sum(v: DVec3) -> f64 {
    v.abs().element_sum()
}

/// What is certain of n·x − d at the lowest point of a body, which is grown by its radius and a margin.
fn in_f64(plane: &Plane, other: &BodyShape<'_>, margin: Margin) -> Option<Relation> {
    let (n, d) = (plane.normal().as_dvec3(), f64::from(plane.offset()));
    // The lowest point of what is not round, the sum of its products with n, and the radius.
    let (low, size, radius) = match other {
        BodyShape::Sphere(ball) => {
            let center = ball.center().as_dvec3();
            (n.dot(center), sum(n * center), ball.radius())
        }
        BodyShape::Capsule(capsule) => {
            let (a, b) = (capsule.a().as_dvec3(), capsule.b().as_dvec3());
            (n.dot(a).min(n.dot(b)), sum(n * a).max(sum(n * b)), capsule.radius())
        }
        BodyShape::Aabb(aabb) => {
            let low = DVec3::select(n.cmpgt(DVec3::ZERO), aabb.min().as_dvec3(), aabb.max().as_dvec3());
            (n.dot(low), sum(n * low), 0.0)
        }
        BodyShape::Obb(obb) => {
            let Cuboid { center, half, axes } = Cuboid::<f64>::new(obb);
            let (center, half) = (DVec3::from(center), DVec3::from(half));
            let reach = DVec3::from(axes.map(|axis| n.dot(axis.into()).abs()));
            (n.dot(center) - reach.dot(half), sum(n * center) + sum(n) * sum(half), 0.0)
        }
        BodyShape::ConvexHull(hull) => {
            let (placement, size) = (hull.placement(), 3.0 * hull.local_reach());
            let (center, way) = (placement.position(), placement.to_local(n));
            let low = hull.local_vertices().iter().map(|corner| way.dot(corner.as_dvec3()));
            (n.dot(center) + low.fold(f64::INFINITY, f64::min), sum(n * center) + sum(n) * size, 0.0)
        }
        BodyShape::Plane(_) => return None,
    };
    let reach = f64::from(radius) + margin.0.iter().map(|x| f64::from(*x)).sum::<f64>();
    let reach = reach * n.length();
    let (height, slack) = (low - d - reach, SLACK * (size + d.abs() + reach));
    if height > slack {
        Some(Relation::Separate)
    } else if height < -slack {
        Some(Relation::Overlapping)
    } else {
        without_rounding(plane, other, margin)
    }
}

/// What stands or lies on the border: often nothing is rounded where heights are computed from corners or, over a border at right angles to an axis, from
/// centres and radii. (Products of two `f32` are exact in `f64`.)
fn without_rounding(plane: &Plane, other: &BodyShape<'_>, margin: Margin) -> Option<Relation> {
    let (n, d) = (plane.normal().as_dvec3(), f64::from(plane.offset()));
    let is_along_axis = n.to_array().iter().filter(|x| **x != 0.0).count() == 1;
    let sign_at = |point: DVec3, radius: f32| {
        let [x, y, z] = (n * point).to_array();
        let growth = [radius, margin.0[0], margin.0[1], margin.0[2]].map(|x| -f64::from(x) * sum(n));
        let is_grown = growth.iter().any(|x| *x != 0.0);
        let terms = [x, y, z, -d, growth[0], growth[1], growth[2], growth[3]];
        if is_grown && !is_along_axis { None } else { exact_sum(&terms).map(|height| height.partial_cmp(&0.0)) }
    };
    let sign = match other {
        BodyShape::Sphere(ball) => sign_at(ball.center().as_dvec3(), ball.radius())?,
        BodyShape::Capsule(capsule) => {
            let [a, b] = [capsule.a(), capsule.b()].map(|end| sign_at(end.as_dvec3(), capsule.radius()));
            a?.min(b?)
        }
        BodyShape::Aabb(aabb) => {
            let low = DVec3::select(n.cmpgt(DVec3::ZERO), aabb.min().as_dvec3(), aabb.max().as_dvec3());
            sign_at(low, 0.0)?
        }
        BodyShape::Obb(_) | BodyShape::ConvexHull(_) | BodyShape::Plane(_) => return None,
    };
    sign.map(from_squares)
}

/// The sum of numbers, if none of the additions rounds (Knuth).
fn exact_sum(terms: &[f64]) -> Option<f64> {
    terms.iter().try_fold(0.0, |sum: f64, term| {
        let next = sum + term;
        let from_term = next - sum;
        let lost = (sum - (next - from_term)) + (term - from_term);
        (lost == 0.0).then_some(next)
    })
}

/// From n·x − d at the lowest point of a body, and from what it is grown by, over one denominator.
fn from_height(height: &BigInt, reach: &BigInt, n: &[BigInt; 3]) -> Relation {
    let zero = BigInt::zero();
    if *reach == zero {
        return from_squares(height.cmp(&zero));
    }
    if *height <= zero {
        return Relation::Overlapping;
    }
    from_squares(Int::mul(height, height).cmp(&Int::mul(&Int::mul(reach, reach), &BigInt::dot(n, n))))
}

fn in_integers(plane: &Plane, other: &BodyShape<'_>, margin: Margin) -> Relation {
    let (first, second, radius) = match other {
        BodyShape::Sphere(ball) => (ball.center(), ball.center(), ball.radius()),
        BodyShape::Capsule(capsule) => (capsule.a(), capsule.b(), capsule.radius()),
        BodyShape::Aabb(aabb) => (aabb.min(), aabb.max(), 0.0),
        BodyShape::Obb(obb) => (obb.center(), obb.half_extents(), 0.0),
        BodyShape::ConvexHull(hull) => return hull_in_integers(plane, hull, margin),
        BodyShape::Plane(other) => return half_spaces(plane, other, margin),
    };
    let lengths = [radius, margin.0[0], margin.0[1], margin.0[2]];
    let place = Scale::of(first.to_array().into_iter().chain(second.to_array()).chain(lengths));
    let Scales { normal_and_offset: (n, d), .. } = Scales::of(plane, place);
    let reach = lengths.iter().fold(BigInt::zero(), |sum, x| Int::add(&sum, &place.apply(*x)));
    let [first, second]: [[BigInt; 3]; 2] = [first, second].map(|v| place.apply_all(v.to_array()));
    if let BodyShape::Obb(obb) = other {
        let m = IntQuaternion::new(obb.rotation_array()).matrix::<BigInt>();
        let across = [0, 1, 2].map(|k| Int::abs(&BigInt::dot(&n, &m.columns[k])));
        let middle = Int::mul(&Int::sub(&BigInt::dot(&n, &first), &d), &m.n);
        return from_height(&Int::sub(&middle, &BigInt::dot(&across, &second)), &Int::mul(&reach, &m.n), &n);
    }
    let low = if let BodyShape::Aabb(_) = other {
        let zero = BigInt::zero();
        let corner = [0, 1, 2].map(|k| if n[k] > zero { first[k].clone() } else { second[k].clone() });
        BigInt::dot(&n, &corner)
    } else {
        BigInt::dot(&n, &first).min(BigInt::dot(&n, &second))
    };
    from_height(&Int::sub(&low, &d), &reach, &n)
}

/// n·(p + R x) − d over all local corners x, times the denominator of R.
fn hull_in_integers(plane: &Plane, hull: &PlacedHull<'_>, margin: Margin) -> Relation {
    let position = hull.pose().position().to_vec3().to_array();
    let corners = hull.local_vertices().iter().flat_map(Vec3::to_array);
    let place = Scale::of(corners.chain(position).chain(margin.0));
    let Scales { normal_and_offset: (n, d), .. } = Scales::of(plane, place);
    let m = IntQuaternion::new(hull.pose().rotation_array()).matrix::<BigInt>();
    let way = [0, 1, 2].map(|k| BigInt::dot(&n, &m.columns[k]));
    let heights = hull.local_vertices().iter().map(|x| BigInt::dot(&way, &place.apply_all(x.to_array())));
    let base = Int::mul(&Int::sub(&BigInt::dot(&n, &place.apply_all(position)), &d), &m.n);
    let reach = margin.0.iter().fold(BigInt::zero(), |sum, x| Int::add(&sum, &place.apply(*x)));
    // (All hulls have corners.)
    let low = heights.min().unwrap_or_default();
    from_height(&Int::add(&base, &low), &Int::mul(&reach, &m.n), &n)
}

/// Two half-spaces: they meet, unless their normals are opposite and their borders apart.
///
/// With b = −k a the gap is −(e / k + d) / |a|, d and e being their offsets. k is |bᵢ| / |aᵢ| of any component that is not 0.
fn half_spaces(first: &Plane, second: &Plane, margin: Margin) -> Relation {
    let [a, b] = [first, second].map(|plane| plane.normal().to_array().map(f64::from));
    // (Products of two `f32` are exact in `f64`.)
    let are_parallel = (0..3).all(|i| a[i] * b[(i + 1) % 3] == a[(i + 1) % 3] * b[i]);
    let k = (0..3).find(|k| a[*k] != 0.0).unwrap_or_default();
    if !are_parallel || a[k] * b[k] > 0.0 {
        return Relation::Overlapping;
    }
    let (of_normals, of_margin) =
        (Scale::of(first.normal().to_array().into_iter().chain(second.normal().to_array())), Scale::of(margin.0));
    let of_offsets = Scale::of([first.offset(), second.offset()]);
    let [a, b]: [[BigInt; 3]; 2] = [first, second].map(|plane| of_normals.apply_all(plane.normal().to_array()));
    let [d, e] = [first, second].map(|plane| of_offsets.apply::<BigInt>(plane.offset()));
    // Times |a| |bᵢ|, in units of an offset and a normal; and the margin in units of a length and two normals.
    let (a_k, b_k) = (Int::abs(&a[k]), Int::abs(&b[k]));
    let gap = Int::sub(&BigInt::zero(), &Int::add(&Int::mul(&e, &a_k), &Int::mul(&d, &b_k)));
    let reach = margin.0.iter().fold(BigInt::zero(), |sum, x| Int::add(&sum, &of_margin.apply(*x)));
    let shift = of_offsets.exponent() - of_normals.exponent() - of_margin.exponent();
    let (gap, reach) = if reach == BigInt::zero() {
        (gap, reach)
    } else if shift >= 0 {
        (Int::shl(&gap, shift.unsigned_abs()), reach)
    } else {
        (gap, Int::shl(&reach, shift.unsigned_abs()))
    };
    from_height(&gap, &Int::mul(&reach, &b_k), &a)
}

/// The order of n·x − d and 0 at the end of a way that takes a time, from a point on.
pub(super) fn side_of_end(plane: &Plane, from: [f32; 3], direction: [f32; 3], time: f32) -> Ordering {
    let (normal, of_normal) = (plane.normal().to_array(), Scale::of(plane.normal().to_array()));
    let n: [BigInt; 3] = of_normal.apply_all(normal);
    let product = |v: [f32; 3]| {
        let scale = Scale::of(v);
        (BigInt::dot(&n, &scale.apply_all(v)), scale.exponent() + of_normal.exponent())
    };
    let (of_offset, of_time) = (Scale::of([plane.offset()]), Scale::of([time]));
    let (way, unit) = product(direction);
    let terms = [
        product(from),
        (Int::sub(&BigInt::zero(), &of_offset.apply::<BigInt>(plane.offset())), of_offset.exponent()),
        (Int::mul(&way, &of_time.apply::<BigInt>(time)), unit + of_time.exponent()),
    ];
    let least = terms.iter().map(|(_, unit)| *unit).min().unwrap_or_default();
    let all = terms.iter().fold(BigInt::zero(), |sum, (x, unit)| Int::add(&sum, &Int::shl(x, (unit - least) as u32)));
    all.cmp(&BigInt::zero())
}
