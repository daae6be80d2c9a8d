//! GJK in integers: the distance of two cores as the root of a fraction, against a sum of lengths.
//!
//! Every step decides by exact signs, and the distance strictly falls: no simplex comes twice, so the search ends.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::Core;
use super::interior::Cone;
use crate::Relation;
use crate::exact::int::{Int, Scale, approximated};
use crate::exact::rotation::IntQuaternion;
use crate::exact::segment::{Vector, cross, minus, plus};
use crate::exact::sphere::from_squares;

/// The relation of two cores against a sum of lengths, from some pairs of corners on.
pub(super) fn relation(a: &Core<'_>, b: &Core<'_>, lengths: [f32; 5], simplex: &[[usize; 2]]) -> Relation {
    let exact = Differences::new(a, b, lengths);
    let mut points: Vec<Vector> = simplex.iter().map(|corners| exact.point(*corners)).collect();
    let zero = BigInt::zero();
    loop {
        let (kept, direction) = nearest_to_origin(&points);
        points = kept.into_iter().map(|k| points[k].clone()).collect();
        let square = BigInt::dot(&direction, &direction);
        if square == zero {
            let inside = exact.limit > zero || points.len() == 4 || exact.has_inside(&points);
            return if inside { Relation::Overlapping } else { Relation::Touching };
        }
        // All points of the simplex that are nearest to the origin are as high along the direction to them.
        let height = BigInt::dot(&direction, &points[0]);
        let limit = Int::mul(&exact.limit, &square);
        let order = Int::mul(&height, &height).cmp(&limit);
        if order == Ordering::Less {
            return Relation::Overlapping;
        }
        let next = exact.lowest(&direction);
        let low = BigInt::dot(&direction, &next);
        if low > zero && Int::mul(&low, &low) > limit {
            return Relation::Separate;
        }
        if low >= height {
            return from_squares(order);
        }
        points.push(next);
    }
}

/// The squared distance of two cores without their radii, in units of the square of a scale: a fraction. From some pairs of corners on.
pub(super) fn square_distance(a: &Core<'_>, b: &Core<'_>, scale: Scale, simplex: &[[usize; 2]]) -> (BigInt, BigInt) {
    let exact = Differences::in_units(a, b, [0.0; 5], scale);
    let mut points: Vec<Vector> = simplex.iter().map(|corners| exact.point(*corners)).collect();
    loop {
        let (kept, direction) = nearest_to_origin(&points);
        points = kept.into_iter().map(|k| points[k].clone()).collect();
        let square = BigInt::dot(&direction, &direction);
        if square == BigInt::zero() {
            return (square, BigInt::from(1));
        }
        let height = BigInt::dot(&direction, &points[0]);
        let next = exact.lowest(&direction);
        if BigInt::dot(&direction, &next) >= height {
            let unit = Int::mul(&exact.unit, &exact.unit);
            return (Int::mul(&height, &height), Int::mul(&square, &unit));
        }
        points.push(next);
    }
}

/// The differences of two cores, in units of a power of two over the squared lengths of both quaternions.
pub(super) struct Differences<'a> {
    sides: [Side<'a>; 2],
    offset: Vector,
    /// The square of all lengths together.
    limit: BigInt,
    scale: Scale,
    /// The squared lengths of both quaternions, multiplied.
    unit: BigInt,
}

/// A core, and the images of the unit vectors in the unit of the differences; of the second core their opposites.
struct Side<'a> {
    core: &'a Core<'a>,
    columns: [Vector; 3],
}

impl<'a> Differences<'a> {
    pub(super) fn new(a: &'a Core<'a>, b: &'a Core<'a>, lengths: [f32; 5]) -> Self {
        let numbers = [a, b].into_iter().flat_map(Core::numbers);
        Self::in_units(a, b, lengths, Scale::of(numbers.chain(lengths)))
    }

    fn in_units(a: &'a Core<'a>, b: &'a Core<'a>, lengths: [f32; 5], scale: Scale) -> Self {
        let [of_a, of_b] = [a, b].map(|core| IntQuaternion::new(core.pose.rotation_array()).matrix::<BigInt>());
        let unit = Int::mul(&of_a.n, &of_b.n);
        let times = |columns: [Vector; 3], factor: &BigInt| columns.map(|column| column.map(|x| Int::mul(&x, factor)));
        let columns = [times(of_a.columns, &of_b.n), times(of_b.columns, &Int::sub(&BigInt::zero(), &of_a.n))];
        let [p, q]: [Vector; 2] = [a, b].map(|core| scale.apply_all(core.position()));
        let reach = lengths.into_iter().fold(BigInt::zero(), |sum, x| Int::add(&sum, &scale.apply(x)));
        let reach = Int::mul(&reach, &unit);
        let [columns_a, columns_b] = columns;
        Self {
            sides: [Side { core: a, columns: columns_a }, Side { core: b, columns: columns_b }],
            offset: minus(&p, &q).map(|x| Int::mul(&x, &unit)),
            limit: Int::mul(&reach, &reach),
            scale,
            unit,
        }
    }

    pub(super) fn point(&self, corners: [usize; 2]) -> Vector {
        let mut sum = self.offset.clone();
        for (side, corner) in self.sides.iter().zip(corners) {
            let local: Vector = self.scale.apply_all(side.core.corner(corner));
            for (column, x) in side.columns.iter().zip(&local) {
                sum = plus(&sum, &column.clone().map(|y| Int::mul(&y, x)));
            }
        }
        sum
    }

    /// A difference of corners that none is below, along a direction that is not zero.
    pub(super) fn lowest(&self, direction: &Vector) -> Vector {
        let corner = |side: &Side<'_>| {
            let local = side.columns.each_ref().map(|column| BigInt::dot(column, direction));
            self.lowest_corner(side.core, &local)
        };
        self.point([corner(&self.sides[0]), corner(&self.sides[1])])
    }

    /// Most corners are far above the lowest already in `f64`.
    ///
    /// With u = ε / 2, components of the direction are off by at most 2⁻⁵⁹ of the largest, D, and u of themselves. Products with a
    /// coordinate, at most m, and their sums round three times more: less than 13 u D m for three, and 16 u is taken for each of two heights.
    fn lowest_corner(&self, core: &Core<'_>, direction: &Vector) -> usize {
        let [x, y, z] = core.columns();
        let [dx, dy, dz] = approximated(direction);
        let height = |i: usize| f64::from(x[i]) * dx + f64::from(y[i]) * dy + f64::from(z[i]) * dz;
        let least = (0..core.count()).map(height).fold(f64::INFINITY, f64::min);
        let largest = dx.abs().max(dy.abs()).max(dz.abs());
        let limit = least + 16.0 * f64::EPSILON * largest * core.largest;
        let mut low = (0..core.count()).filter(|i| height(*i) <= limit);
        let first = low.next().unwrap_or_default();
        let Some(second) = low.next() else { return first };
        let exact = |i: usize| BigInt::dot(direction, &self.scale.apply_all(core.corner(i)));
        let mut best = (first, exact(first));
        for i in [second].into_iter().chain(low) {
            let height = exact(i);
            if height < best.1 {
                best = (i, height);
            }
        }
        best.0
    }

    /// Whether the origin, which is among the differences of these corners, is inside all differences and not on their surface.
    fn has_inside(&self, points: &[Vector]) -> bool {
        let mut cone = Cone::new(points);
        while let Some(normal) = cone.normal() {
            let next = self.lowest(&normal);
            if BigInt::dot(&normal, &next) >= BigInt::zero() {
                return false;
            }
            cone.add(next);
        }
        true
    }
}

/// The corners whose hull has the point that is nearest to the origin strictly inside, and the direction to that point: zero if it is
/// the origin.
///
/// Of one to four corners. Of each corner, edge and triangle: is the foot of the origin strictly inside, and no other corner lower
/// along it? One of them is so, unless the origin is inside of a tetrahedron.
fn nearest_to_origin(points: &[Vector]) -> (Vec<usize>, Vector) {
    let zero = BigInt::zero();
    let products: Vec<Vec<BigInt>> =
        points.iter().map(|p| points.iter().map(|q| BigInt::dot(p, q)).collect()).collect();
    let all = 0..points.len();
    for i in all.clone() {
        if all.clone().all(|k| products[i][k] >= products[i][i]) {
            return (vec![i], points[i].clone());
        }
    }
    for i in all.clone() {
        for j in i + 1..points.len() {
            let (of_i, of_j) = (Int::sub(&products[j][j], &products[i][j]), Int::sub(&products[i][i], &products[i][j]));
            if of_i <= zero || of_j <= zero {
                continue;
            }
            let height = |k: usize| Int::add(&Int::mul(&of_i, &products[i][k]), &Int::mul(&of_j, &products[j][k]));
            let own = height(i);
            if all.clone().all(|k| k == i || k == j || height(k) >= own) {
                let foot = |k: usize| Int::add(&Int::mul(&of_i, &points[i][k]), &Int::mul(&of_j, &points[j][k]));
                return (vec![i, j], [foot(0), foot(1), foot(2)]);
            }
        }
    }
    for i in all.clone() {
        for j in i + 1..points.len() {
            for k in j + 1..points.len() {
                if let Some(direction) = over_triangle([&points[i], &points[j], &points[k]], points) {
                    return (vec![i, j, k], direction);
                }
            }
        }
    }
    (all.collect(), [zero.clone(), zero.clone(), zero])
}

/// The direction from the origin to a triangle, if the foot is strictly inside and no point is lower.
fn over_triangle([a, b, c]: [&Vector; 3], points: &[Vector]) -> Option<Vector> {
    let zero = BigInt::zero();
    let [bc, ca, ab] = [cross(b, c), cross(c, a), cross(a, b)];
    let normal = plus(&plus(&bc, &ca), &ab);
    let strictly = |across: &Vector| BigInt::dot(&normal, across) > zero;
    if !(strictly(&bc) && strictly(&ca) && strictly(&ab)) {
        return None;
    }
    let height = BigInt::dot(&normal, a);
    let direction = match height.cmp(&zero) {
        Ordering::Equal => return Some([zero.clone(), zero.clone(), zero]),
        Ordering::Less => normal.map(|x| Int::sub(&zero, &x)),
        Ordering::Greater => normal,
    };
    let height = Int::abs(&height);
    points.iter().all(|point| BigInt::dot(&direction, point) >= height).then_some(direction)
}
