//! Hulls of few points against every bounded shape.
//!
//! Two hulls meet if their difference, the hull of all a − b, contains 0, and they overlap if it has 0 inside. Each face of the difference is along
//! two edges of the hulls, whichever of their lines are edges: so all planes along two lines through points of one hull are tried. A difference that is
//! flat has no inside, and is bounded by the lines across its edges.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use tangency::Relation;

use super::{Cuboid, Stick, Vector, by_order, cross, dot, integer, is_null, stick_stick, turned_axes};
use crate::attack::form::{Form, Kind};

/// The hull of points, with lengths in half units times `stretch`.
struct Points {
    at: Vec<Vector>,
    /// The directions that its edges may have.
    ways: Vec<Vector>,
    stretch: BigInt,
    /// How far everything around it belongs to the shape, in half units.
    radius: BigInt,
}

fn difference(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|k| &a[k] - &b[k])
}

fn times(v: &Vector, factor: &BigInt) -> Vector {
    [0, 1, 2].map(|k| &v[k] * factor)
}

fn sum(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|k| &a[k] + &b[k])
}

impl Points {
    fn new(form: &Form, unit: i32) -> Self {
        match form.kind {
            Kind::Sphere | Kind::Capsule => {
                let Stick { from, way, radius } = Stick::new(form, unit);
                let at = if is_null(&way) { vec![from] } else { vec![sum(&from, &way), from] };
                Self { at, ways: vec![way], stretch: BigInt::from(1), radius }
            }
            Kind::ConvexHull => {
                let twice = |x: f32| integer(x, unit - 1);
                let (axes, stretch) = turned_axes(form.rotation());
                let place = times(&[0, 1, 2].map(|k| twice(form.v[k])), &stretch);
                let turned =
                    |point: [f32; 3]| (0..3).fold(place.clone(), |at, k| sum(&at, &times(&axes[k], &twice(point[k]))));
                let at = form.points().map(turned).to_vec();
                let ways = (0..at.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
                let ways = ways.map(|(i, j)| difference(&at[i], &at[j])).collect();
                Self { at, ways, stretch, radius: BigInt::default() }
            }
            Kind::Aabb | Kind::Obb | Kind::Plane => {
                let Cuboid { center, half, axes, stretch } = Cuboid::new(form, unit);
                let ways = [0, 1, 2].map(|k| times(&axes[k], &half[k])).to_vec();
                let center = times(&center, &stretch);
                let corner = |signs: usize| {
                    (0..3).fold(center.clone(), |at, k| {
                        if signs >> k & 1 == 1 { sum(&at, &ways[k]) } else { difference(&at, &ways[k]) }
                    })
                };
                Self { at: (0..8).map(corner).collect(), ways, stretch, radius: BigInt::default() }
            }
        }
    }

    /// The same with all lengths times a factor.
    fn stretched(self, factor: &BigInt) -> Self {
        let larger = |all: Vec<Vector>| all.iter().map(|v| times(v, factor)).collect();
        Self { at: larger(self.at), ways: larger(self.ways), stretch: self.stretch * factor, radius: self.radius }
    }
}

/// The exact relation of two bounded shapes, of which one is a hull.
pub fn relation(a: &Form, b: &Form, unit: i32) -> Relation {
    let (a, b) = (Points::new(a, unit), Points::new(b, unit));
    let (of_a, of_b) = (b.stretch.clone(), a.stretch.clone());
    let (a, b) = (a.stretched(&of_a), b.stretched(&of_b));
    let order = order(&a, &b);
    // At most one of them has a radius: the other is a hull.
    let (round, hull) = if b.radius.sign() == Sign::NoSign { (&a, &b) } else { (&b, &a) };
    match order {
        _ if round.radius.sign() == Sign::NoSign => by_order(order),
        Ordering::Greater => around(round, hull),
        Ordering::Equal | Ordering::Less => Relation::Overlapping,
    }
}

/// Greater if 0 is outside of the difference of two hulls, less if it is inside.
fn order(a: &Points, b: &Points) -> Ordering {
    let ways: Vec<&Vector> = a.ways.iter().chain(&b.ways).filter(|way| !is_null(way)).collect();
    let crossed = (0..ways.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let mut axes: Vec<Vector> = crossed.map(|(i, j)| cross(ways[i], ways[j])).filter(|axis| !is_null(axis)).collect();
    let mut is_flat = false;
    if let Some(first) = axes.first().cloned() {
        if axes.iter().all(|axis| is_null(&cross(axis, &first))) {
            is_flat = true;
            axes = ways.iter().map(|way| cross(way, &first)).collect();
            axes.push(first);
        }
    } else {
        // On one line, or in one place.
        let apart = difference(&a.at[0], &b.at[0]);
        is_flat = true;
        let Some(way) = ways.first() else {
            return if is_null(&apart) { Ordering::Equal } else { Ordering::Greater };
        };
        if !is_null(&cross(&apart, way)) {
            return Ordering::Greater;
        }
        axes.push((*way).clone());
    }
    let mut found = if is_flat { Ordering::Equal } else { Ordering::Less };
    for axis in &axes {
        let [(a_low, a_high), (b_low, b_high)] = [a, b].map(|points| range(points, axis));
        match (b_low - a_high).max(a_low - b_high).sign() {
            Sign::Plus => return Ordering::Greater,
            Sign::NoSign => found = Ordering::Equal,
            Sign::Minus => {}
        }
    }
    found
}

/// The least and the greatest height of points.
fn range(points: &Points, axis: &Vector) -> (BigInt, BigInt) {
    let heights: Vec<BigInt> = points.at.iter().map(|at| dot(at, axis)).collect();
    let least = heights.iter().min().cloned().unwrap_or_default();
    (least, heights.into_iter().max().unwrap_or_default())
}

/// Compares the distance of a point or a segment from a hull that it does not meet with its radius: that from all segments between points of the
/// hull, and of the ends from all triangles.
fn around(round: &Points, hull: &Points) -> Relation {
    let stick =
        |from: &Vector, to: &Vector, radius: BigInt| Stick { from: from.clone(), way: difference(to, from), radius };
    let ends = (&round.at[0], &round.at[round.at.len() - 1]);
    let radius = &round.radius * &round.stretch;
    let own = stick(ends.0, ends.1, radius.clone());
    let mut found = Relation::Separate;
    let mut nearer = |relation: Relation| {
        if relation as u8 > found as u8 {
            found = relation;
        }
    };
    for (i, a) in hull.at.iter().enumerate() {
        for (j, b) in hull.at.iter().enumerate().skip(i + 1) {
            nearer(stick_stick(&own, &stick(a, b, BigInt::default())));
            for c in hull.at.iter().skip(j + 1) {
                round.at.iter().for_each(|end| nearer(from_triangle(end, [a, b, c], &radius)));
            }
        }
    }
    found
}

/// Compares the distance of a point from a triangle with a radius, if the nearest point is inside.
fn from_triangle(point: &Vector, corners: [&Vector; 3], radius: &BigInt) -> Relation {
    let normal = cross(&difference(corners[1], corners[0]), &difference(corners[2], corners[0]));
    let is_above = |k: usize| {
        let side = difference(corners[(k + 1) % 3], corners[k]);
        dot(&cross(&side, &difference(point, corners[k])), &normal).sign() != Sign::Minus
    };
    if is_null(&normal) || !(0..3).all(is_above) {
        return Relation::Separate;
    }
    let height = dot(&normal, &difference(point, corners[0]));
    by_order((&height * &height).cmp(&(radius * radius * dot(&normal, &normal))))
}

/// The orders of n · x − d and 0 where it is least and where it is greatest on a hull; n and d are in units that go with half units of length.
pub fn heights(form: &Form, unit: i32, (normal, offset): (&Vector, &BigInt)) -> [Ordering; 2] {
    let points = Points::new(form, unit);
    let (low, high) = range(&points, normal);
    let offset = offset * &points.stretch;
    [low.cmp(&offset), high.cmp(&offset)]
}
