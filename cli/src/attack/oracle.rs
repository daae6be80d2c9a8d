//! The oracle: relations by their definition, in big integers. It shares no code with the library: no formula, no filter, not
//! even the accessors of shapes.
//!
//! Every `f32` is an integer times a power of two. All lengths of a pair are multiples of one unit, which is halved so that the
//! middle of an axis-aligned box is an integer too; a quaternion has a unit of its own, because its length does not matter. So
//! every quantity is a sum of products of integers, and only its sign matters.
//!
//! The distance of a point from a box, or from a segment, is that of its coordinates from intervals. Along a segment it is therefore a
//! convex function of pieces that are squares, the least value of which is where one of the pieces has its least value, or at an end.
//!
//! Hulls are decided by all planes through their points and along their edges, in [`hulls`].
//!
//! A half-space n · x ≤ d meets what has a point with n · x − d of 0 or less, and overlaps what has one with less.

mod hulls;

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use tangency::{Relation, Side};

use super::form::{Form, Kind};

type Vector = [BigInt; 3];

/// `x` as an odd integer and the exponent of a power of two; absent for zero.
fn parts(x: f32) -> Option<(i64, i32)> {
    let bits = x.to_bits();
    let (field, fraction) = ((bits >> 23 & 0xff) as i32, i64::from(bits & 0x7f_ffff));
    let (magnitude, exponent) = if field == 0 { (fraction, -149) } else { (fraction | 1 << 23, field - 150) };
    if magnitude == 0 {
        return None;
    }
    let shift = magnitude.trailing_zeros();
    let odd = magnitude >> shift;
    Some((if bits >> 31 == 1 { -odd } else { odd }, exponent + shift as i32))
}

/// The exponent of the largest power of two that divides all these numbers.
fn unit<'a>(numbers: impl IntoIterator<Item = &'a f32>) -> i32 {
    numbers.into_iter().filter_map(|x| parts(*x)).map(|(_, exponent)| exponent).min().unwrap_or(0)
}

/// `x` as a multiple of 2^`unit`, which must divide it.
fn integer(x: f32, unit: i32) -> BigInt {
    parts(x).map_or_else(BigInt::default, |(odd, exponent)| BigInt::from(odd) << (exponent - unit))
}

fn dot(a: &Vector, b: &Vector) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [&a[1] * &b[2] - &a[2] * &b[1], &a[2] * &b[0] - &a[0] * &b[2], &a[0] * &b[1] - &a[1] * &b[0]]
}

fn abs(x: BigInt) -> BigInt {
    if x.sign() == Sign::Minus { -x } else { x }
}

fn is_null(v: &Vector) -> bool {
    v.iter().all(|x| x.sign() == Sign::NoSign)
}

/// A ball, with lengths in half units.
struct Ball {
    center: Vector,
    radius: BigInt,
}

/// A box, with lengths in half units, and axes of the common length `stretch`.
struct Cuboid {
    center: Vector,
    half: Vector,
    axes: [Vector; 3],
    stretch: BigInt,
}

/// All points at most `radius` from those of a segment, with lengths in half units. A ball has a way of zero.
struct Stick {
    from: Vector,
    way: Vector,
    radius: BigInt,
}

/// A coordinate along a segment, `start` + time · `rate` at times from 0 to 1, which costs nothing from −`free` to `free`.
struct Coordinate {
    start: BigInt,
    rate: BigInt,
    free: BigInt,
}

/// Hamilton's product of quaternions (x, y, z, w).
fn product(p: &[BigInt; 4], q: &[BigInt; 4]) -> [BigInt; 4] {
    [
        &p[3] * &q[0] + &p[0] * &q[3] + &p[1] * &q[2] - &p[2] * &q[1],
        &p[3] * &q[1] + &p[1] * &q[3] + &p[2] * &q[0] - &p[0] * &q[2],
        &p[3] * &q[2] + &p[2] * &q[3] + &p[0] * &q[1] - &p[1] * &q[0],
        &p[3] * &q[3] - &p[0] * &q[0] - &p[1] * &q[1] - &p[2] * &q[2],
    ]
}

fn unit_axes() -> [Vector; 3] {
    [0, 1, 2].map(|k| [0, 1, 2].map(|i| BigInt::from(i32::from(i == k))))
}

/// The coordinate axes, turned by a quaternion, times their common length, which is |q|².
fn turned_axes(rotation: [f32; 4]) -> ([Vector; 3], BigInt) {
    let scale = unit(&rotation);
    let q = rotation.map(|x| integer(x, scale));
    let conjugate = [-&q[0], -&q[1], -&q[2], q[3].clone()];
    // The image of an axis e is q e q* / |q|², whose numerator has the length |q|².
    let axes = unit_axes().map(|[x, y, z]| {
        let [x, y, z, _] = product(&product(&q, &[x, y, z, BigInt::default()]), &conjugate);
        [x, y, z]
    });
    (axes, q.iter().map(|x| x * x).sum())
}

impl Ball {
    fn new(form: &Form, unit: i32) -> Self {
        let twice = |k: usize| integer(form.v[k], unit - 1);
        Self { center: [0, 1, 2].map(twice), radius: twice(3) }
    }
}

impl Stick {
    fn new(form: &Form, unit: i32) -> Self {
        let twice = |k: usize| integer(form.v[k], unit - 1);
        if form.kind == Kind::Capsule {
            let [from, to] = [[0, 1, 2], [3, 4, 5]].map(|end| end.map(twice));
            let way = [0, 1, 2].map(|k| &to[k] - &from[k]);
            return Self { from, way, radius: twice(6) };
        }
        let Ball { center, radius } = Ball::new(form, unit);
        Self { from: center, way: Vector::default(), radius }
    }
}

impl Coordinate {
    /// By how much it leaves the interval at the time n / d, times d.
    fn excess(&self, n: &BigInt, d: &BigInt) -> BigInt {
        let beyond = abs(&self.start * d + &self.rate * n) - &self.free * d;
        if beyond.sign() == Sign::Plus { beyond } else { BigInt::default() }
    }
}

impl Cuboid {
    fn new(form: &Form, unit: i32) -> Self {
        let twice = |k: usize| integer(form.v[k], unit - 1);
        let once = |k: usize| integer(form.v[k], unit);
        if form.kind == Kind::Aabb {
            let center = [0, 1, 2].map(|k| once(k) + once(k + 3));
            let half = [0, 1, 2].map(|k| once(k + 3) - once(k));
            return Self { center, half, axes: unit_axes(), stretch: BigInt::from(1) };
        }
        let (axes, stretch) = turned_axes(form.rotation());
        Self { center: [0, 1, 2].map(twice), half: [3, 4, 5].map(twice), axes, stretch }
    }

    /// How far the box reaches from its centre along `axis`, times `stretch`.
    fn reach(&self, axis: &Vector) -> BigInt {
        (0..3).map(|k| &self.half[k] * abs(dot(&self.axes[k], axis))).sum()
    }
}

/// The exact relation of two shapes.
pub fn relation(a: &Form, b: &Form) -> Relation {
    match (a.kind, b.kind) {
        (_, Kind::Plane) => return by_order(heights(a, &b.plane())[0]),
        (Kind::Plane, _) => return by_order(heights(b, &a.plane())[0]),
        _ if far_apart(a, b) => return Relation::Separate,
        _ => {}
    }
    let unit = unit(a.lengths().iter().chain(b.lengths()));
    if [a.kind, b.kind].contains(&Kind::ConvexHull) {
        return hulls::relation(a, b, unit);
    }
    let (ball, cuboid) = (|form: &Form| Ball::new(form, unit), |form: &Form| Cuboid::new(form, unit));
    let stick = |form: &Form| Stick::new(form, unit);
    match (a.kind, b.kind) {
        (Kind::Sphere, Kind::Sphere) => ball_ball(&ball(a), &ball(b)),
        (Kind::Capsule, Kind::Aabb | Kind::Obb) => stick_cuboid(&stick(a), &cuboid(b)),
        (Kind::Aabb | Kind::Obb, Kind::Capsule) => stick_cuboid(&stick(b), &cuboid(a)),
        (Kind::Capsule, _) | (_, Kind::Capsule) => stick_stick(&stick(a), &stick(b)),
        (Kind::Sphere, _) => ball_cuboid(&ball(a), &cuboid(b)),
        (_, Kind::Sphere) => ball_cuboid(&ball(b), &cuboid(a)),
        _ => cuboid_cuboid(&cuboid(a), &cuboid(b)),
    }
}

/// Whether the shapes are so far apart that `f64` proves them separate, with a margin of orders of magnitude over its rounding.
/// This saves the integers for most pairs of a scene; a pair near contact never passes.
fn far_apart(a: &Form, b: &Form) -> bool {
    let middle = |form: &Form, k: usize| {
        let (x, y) = (f64::from(form.v[k]), f64::from(form.v[k + 3]));
        if matches!(form.kind, Kind::Aabb | Kind::Capsule) { x.midpoint(y) } else { x }
    };
    // No point of a box is farther from its centre than its three half extents together; a capsule is in one, and its radius around it. (Half-spaces
    // have no span, and are not asked for.)
    let span = |form: &Form| -> f64 {
        let v = form.v.map(f64::from);
        match form.kind {
            Kind::Sphere => v[3],
            Kind::Aabb => (0..3).map(|k| (v[k + 3] - v[k]) / 2.0).sum(),
            Kind::Obb => v[3..6].iter().sum(),
            Kind::Capsule => (0..3).map(|k| (v[k + 3] - v[k]).abs() / 2.0).sum::<f64>() + v[6],
            Kind::Plane => f64::INFINITY,
            Kind::ConvexHull => {
                let points = form.points().map(|at| at.iter().map(|x| f64::from(x.abs())).sum());
                points.into_iter().fold(0.0, f64::max)
            }
        }
    };
    let spans = span(a) + span(b);
    (0..3).any(|k| {
        let (x, y) = (middle(a, k), middle(b, k));
        (x - y).abs() > 1.01 * spans + 1e-9 * (x.abs() + y.abs())
    })
}

fn by_squares(distance_squared: &BigInt, radius: &BigInt) -> Relation {
    by_order(distance_squared.cmp(&(radius * radius)))
}

fn ball_ball(a: &Ball, b: &Ball) -> Relation {
    let t = [0, 1, 2].map(|k| &a.center[k] - &b.center[k]);
    by_squares(&dot(&t, &t), &(&a.radius + &b.radius))
}

/// Compares the squared distance of the centre from the box with the squared radius. A ball of radius zero overlaps a box if it
/// is strictly inside.
fn ball_cuboid(ball: &Ball, cuboid: &Cuboid) -> Relation {
    let t = [0, 1, 2].map(|k| &ball.center[k] - &cuboid.center[k]);
    let outside = [0, 1, 2].map(|k| abs(dot(&t, &cuboid.axes[k])) - &cuboid.half[k] * &cuboid.stretch);
    if outside.iter().all(|d| d.sign() == Sign::Minus) {
        return Relation::Overlapping;
    }
    let squared = outside.iter().filter(|d| d.sign() == Sign::Plus).map(|d| d * d).sum();
    by_squares(&squared, &(&ball.radius * &cuboid.stretch))
}

/// The separating axis theorem: the face normals of both, and the cross products of all pairs of edges that are not parallel.
fn cuboid_cuboid(a: &Cuboid, b: &Cuboid) -> Relation {
    let t = [0, 1, 2].map(|k| &b.center[k] - &a.center[k]);
    let stretch = &a.stretch * &b.stretch;
    let edges = a.axes.iter().flat_map(|x| b.axes.iter().map(move |y| cross(x, y))).filter(|axis| !is_null(axis));
    let mut touching = false;
    for axis in a.axes.iter().chain(&b.axes).cloned().chain(edges) {
        let gap = abs(dot(&t, &axis)) * &stretch - a.reach(&axis) * &b.stretch - b.reach(&axis) * &a.stretch;
        match gap.sign() {
            Sign::Plus => return Relation::Separate,
            Sign::NoSign => touching = true,
            Sign::Minus => {}
        }
    }
    if touching { Relation::Touching } else { Relation::Overlapping }
}

/// The least sum of the squares of all excesses along a segment, against a limit.
fn least(coordinates: &[Coordinate], limit: &BigInt) -> Ordering {
    let at = |n: &BigInt, d: &BigInt| {
        let squares: BigInt = coordinates.iter().map(|one| one.excess(n, d)).map(|x| &x * &x).sum();
        squares.cmp(&(limit * d * d))
    };
    let (zero, one) = (BigInt::default(), BigInt::from(1));
    let mut order = at(&zero, &one).min(at(&one, &one));
    // A piece: each coordinate above its interval, inside or below. At an interval of one point it is above or below, which is the same.
    let free: Vec<usize> = (0..coordinates.len()).filter(|k| coordinates[*k].free.sign() != Sign::NoSign).collect();
    for piece in 0..3_usize.pow(free.len() as u32) {
        let (mut n, mut d) = (BigInt::default(), BigInt::default());
        for (k, coordinate) in coordinates.iter().enumerate() {
            let place = free.iter().position(|other| *other == k);
            let beyond = match place.map_or(0, |place| piece / 3_usize.pow(place as u32) % 3) {
                0 => &coordinate.start - &coordinate.free,
                1 => &coordinate.start + &coordinate.free,
                _ => continue,
            };
            n -= &coordinate.rate * beyond;
            d += &coordinate.rate * &coordinate.rate;
        }
        // Whichever piece this is, the time is one of those at which the segment is somewhere.
        if n.sign() == Sign::Plus && n < d {
            order = order.min(at(&n, &d));
        }
    }
    order
}

fn by_order(order: Ordering) -> Relation {
    match order {
        Ordering::Greater => Relation::Separate,
        Ordering::Equal => Relation::Touching,
        Ordering::Less => Relation::Overlapping,
    }
}

/// Compares the squared distance of two segments with the squared sum of the radii.
fn stick_stick(a: &Stick, b: &Stick) -> Relation {
    let from = [0, 1, 2].map(|k| &a.from[k] - &b.from[k]);
    let radius = &a.radius + &b.radius;
    let limit = &radius * &radius;
    let exact =
        |start: &BigInt, rate: &BigInt| Coordinate { start: start * 2, rate: rate * 2, free: BigInt::default() };
    if is_null(&b.way) {
        let coordinates = [0, 1, 2].map(|k| exact(&from[k], &a.way[k]));
        return by_order(least(&coordinates, &(limit * 4)));
    }
    // With w the way of b: |w|² times the squared distance is that of p · w from the interval from 0 to |w|², and |p × w|².
    let square = dot(&b.way, &b.way);
    let (start, rate) = (cross(&from, &b.way), cross(&a.way, &b.way));
    let across = [0, 1, 2].map(|k| exact(&start[k], &rate[k]));
    let along =
        Coordinate { start: dot(&from, &b.way) * 2 - &square, rate: dot(&a.way, &b.way) * 2, free: square.clone() };
    let [x, y, z] = across;
    by_order(least(&[along, x, y, z], &(limit * square * 4)))
}

/// Compares the squared distance of a segment from the box with the squared radius. Without a radius, it overlaps the box if 0 is inside their
/// differences, the faces of which are across the edges of the box, and across the segment and an edge.
fn stick_cuboid(stick: &Stick, cuboid: &Cuboid) -> Relation {
    let from = [0, 1, 2].map(|k| &stick.from[k] - &cuboid.center[k]);
    if stick.radius.sign() != Sign::NoSign {
        let coordinates = [0, 1, 2].map(|k| Coordinate {
            start: dot(&from, &cuboid.axes[k]),
            rate: dot(&stick.way, &cuboid.axes[k]),
            free: &cuboid.half[k] * &cuboid.stretch,
        });
        let reach = &stick.radius * &cuboid.stretch;
        return by_order(least(&coordinates, &(&reach * &reach)));
    }
    let middle = [0, 1, 2].map(|k| &from[k] * 2 + &stick.way[k]);
    let across = cuboid.axes.iter().map(|axis| cross(&stick.way, axis)).filter(|axis| !is_null(axis));
    let gaps = cuboid.axes.iter().cloned().chain(across).map(|axis| {
        (abs(dot(&middle, &axis)) - abs(dot(&stick.way, &axis))) * &cuboid.stretch - cuboid.reach(&axis) * 2
    });
    by_order(gaps.map(|gap: BigInt| gap.cmp(&BigInt::default())).max().unwrap_or(Ordering::Greater))
}

/// The orders of n · x − d and 0 where it is least and where it is greatest on a shape, for a plane (n, d).
fn heights(form: &Form, plane: &[f32; 4]) -> [Ordering; 2] {
    if form.kind == Kind::Plane {
        return heights_of_half_space(&form.plane(), plane);
    }
    let (lengths, directions) = (unit(form.lengths()), unit(&plane[..3]));
    // n · x is a multiple of 2^product; the common unit is the finer of this and the unit of d.
    let product = lengths - 1 + directions;
    let common = product.min(unit(&plane[3..]));
    let normal = [0, 1, 2].map(|k| integer(plane[k], directions) << (product - common));
    let offset = integer(plane[3], common);
    if matches!(form.kind, Kind::Sphere | Kind::Capsule) {
        // All of a capsule is between the balls at its ends.
        let Stick { from, way, radius } = Stick::new(form, lengths);
        let to = [0, 1, 2].map(|k| &from[k] + &way[k]);
        let ends = [from, to].map(|center| dot(&normal, &center) - &offset);
        // |v| v and r² |n|² have the order of v and r |n|.
        let reach = &radius * &radius * dot(&normal, &normal);
        let [first, last] = ends.map(|v| &v * abs(v.clone()));
        return [(&first).min(&last).cmp(&reach), first.max(last).cmp(&-reach)];
    }
    if form.kind == Kind::ConvexHull {
        return hulls::heights(form, lengths, (&normal, &offset));
    }
    let cuboid = Cuboid::new(form, lengths);
    let v = (dot(&normal, &cuboid.center) - offset) * &cuboid.stretch;
    let reach = cuboid.reach(&normal);
    [v.cmp(&reach), v.cmp(&-reach)]
}

/// The same for the half-space a · x ≤ d and n · x − e. It has an end only along a, which is in the direction of n or against it.
fn heights_of_half_space(half_space: &[f32; 4], plane: &[f32; 4]) -> [Ordering; 2] {
    let directions = unit(half_space[..3].iter().chain(&plane[..3]));
    let offsets = unit([&half_space[3], &plane[3]]);
    let [a, n] = [half_space, plane].map(|given| [0, 1, 2].map(|k| integer(given[k], directions)));
    let [d, e] = [half_space, plane].map(|given| integer(given[3], offsets));
    if !is_null(&cross(&a, &n)) {
        return [Ordering::Less, Ordering::Greater];
    }
    // On the border, n · x is d (a · n) / (a · a).
    let along = dot(&a, &n);
    let end = (&along * d).cmp(&(dot(&a, &a) * e));
    if along.sign() == Sign::Plus { [Ordering::Less, end] } else { [end, Ordering::Greater] }
}

/// The exact side of a shape with respect to the closed half-space n · x ≤ d of a plane (n, d).
pub fn side(form: &Form, plane: &[f32; 4]) -> Side {
    match heights(form, plane) {
        [Ordering::Greater, _] => Side::Outside,
        [_, Ordering::Greater] => Side::Crossing,
        _ => Side::Inside,
    }
}

#[cfg(test)]
mod tests;
