//! The naive oracle: relations by the definition, in rational numbers. Slow, plain, and written without a look at `src`.
#![allow(dead_code, reason = "each test file uses its part")]

use std::cmp::Ordering;

pub use num_rational::BigRational as Q;
use tangency::Relation;
use tangency::glam::{Quat, Vec3};
use tangency::shape::{Aabb, Capsule, Obb, Plane, Pose, Shape, Sphere};

pub type V = [Q; 3];

pub fn q(x: f32) -> Q {
    Q::from_float(x).expect("finite")
}

pub fn int(x: i32) -> Q {
    q(x as f32)
}

pub fn vec3(v: Vec3) -> V {
    v.to_array().map(q)
}

pub fn dot(a: &V, b: &V) -> Q {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

pub fn sub(a: &V, b: &V) -> V {
    [&a[0] - &b[0], &a[1] - &b[1], &a[2] - &b[2]]
}

pub fn cross(a: &V, b: &V) -> V {
    [&a[1] * &b[2] - &a[2] * &b[1], &a[2] * &b[0] - &a[0] * &b[2], &a[0] * &b[1] - &a[1] * &b[0]]
}

fn abs(x: Q) -> Q {
    if x < int(0) { -x } else { x }
}

/// A box as centre, half extents and unit axes, all rational.
pub struct RationalBox {
    center: V,
    half: V,
    axes: [V; 3],
}

impl RationalBox {
    /// A box without extents.
    pub fn point(center: Vec3) -> Self {
        let zero = || [int(0), int(0), int(0)];
        Self { center: vec3(center), half: zero(), axes: [zero(), zero(), zero()] }
    }

    /// A box with one generator.
    pub fn segment(a: &V, b: &V) -> Self {
        let zero = || [int(0), int(0), int(0)];
        Self {
            center: [0, 1, 2].map(|k| (&a[k] + &b[k]) / int(2)),
            half: [int(1), int(0), int(0)],
            axes: [[0, 1, 2].map(|k| (&b[k] - &a[k]) / int(2)), zero(), zero()],
        }
    }

    /// A box that is a point.
    pub fn at(center: &V) -> Self {
        Self::segment(center, center)
    }

    /// Half extents times axes, but for those that are 0.
    fn generators(&self) -> Vec<V> {
        let all = (0..3).filter(|k| self.half[*k] != int(0));
        all.map(|k| [0, 1, 2].map(|i| &self.axes[k][i] * &self.half[k])).collect()
    }
}

/// The squared distance of two boxes.
///
/// A difference of two points is t and up to one of each generator to either side. Of those nearest to 0 there is one with at most three
/// generators that are neither wholly added nor wholly taken off; these are linearly independent, and the best for the others. So it is the
/// least of all that can be made in this way.
pub fn squared_distance(a: &RationalBox, b: &RationalBox) -> Q {
    let t = sub(&b.center, &a.center);
    let generators: Vec<V> = a.generators().into_iter().chain(b.generators()).collect();
    let mut least: Option<Q> = None;
    // For each generator: taken off, added, or free.
    for pattern in 0..3_usize.pow(generators.len() as u32) {
        let choice = |k: usize| pattern / 3_usize.pow(k as u32) % 3;
        let free: Vec<&V> = (0..generators.len()).filter(|k| choice(*k) == 2).map(|k| &generators[k]).collect();
        if free.len() > 3 {
            continue;
        }
        let mut from = t.clone();
        for (k, generator) in generators.iter().enumerate() {
            match choice(k) {
                0 => from = sub(&from, generator),
                1 => from = [0, 1, 2].map(|i| &from[i] + &generator[i]),
                _ => {}
            }
        }
        let Some(shares) = least_squares(&free, &from) else { continue };
        if shares.iter().any(|share| abs(share.clone()) > int(1)) {
            continue;
        }
        for (generator, share) in free.iter().zip(&shares) {
            from = [0, 1, 2].map(|i| &from[i] + &generator[i] * share);
        }
        let square = dot(&from, &from);
        if least.as_ref().is_none_or(|least| square < *least) {
            least = Some(square);
        }
    }
    least.expect("at least the corners")
}

/// How much of each vector brings their sum nearest to −`from`; none if they are linearly dependent.
fn least_squares(vectors: &[&V], from: &V) -> Option<Vec<Q>> {
    let n = vectors.len();
    let mut rows: Vec<Vec<Q>> =
        (0..n).map(|i| (0..n).map(|j| dot(vectors[i], vectors[j])).chain([-dot(vectors[i], from)]).collect()).collect();
    for i in 0..n {
        let pivot = (i..n).find(|k| rows[*k][i] != int(0))?;
        rows.swap(i, pivot);
        for k in (0..n).filter(|k| *k != i) {
            let (factor, pivot) = (&rows[k][i] / &rows[i][i], rows[i].clone());
            for (entry, of_pivot) in rows[k].iter_mut().zip(&pivot) {
                *entry -= &factor * of_pivot;
            }
        }
    }
    Some((0..n).map(|i| &rows[i][n] / &rows[i][i]).collect())
}

/// The coordinate axes, turned.
pub fn turned_axes(rotation: Quat) -> [V; 3] {
    let [x, y, z, w] = rotation.to_array().map(q);
    let n = &x * &x + &y * &y + &z * &z + &w * &w;
    // The image of a vector v is v + 2 w (u × v) / n + 2 u × (u × v) / n, u being the vector part.
    let u = [x, y, z];
    let image = |v: V| -> V {
        let c = cross(&u, &v);
        let d = cross(&u, &c);
        [0, 1, 2].map(|k| &v[k] + (&w * &c[k] + &d[k]) * int(2) / &n)
    };
    let axis = |k: usize| [0, 1, 2].map(|i| int(i32::from(i == k)));
    [image(axis(0)), image(axis(1)), image(axis(2))]
}

/// Where a point of a shape in a pose lies.
pub fn placed(pose: &Pose, local: Vec3) -> V {
    let (axes, position, local) = (turned_axes(pose.rotation()), vec3(pose.position().to_vec3()), vec3(local));
    [0, 1, 2].map(|k| &position[k] + &axes[0][k] * &local[0] + &axes[1][k] * &local[1] + &axes[2][k] * &local[2])
}

/// The order of n·x and d.
pub fn height(normal: Vec3, point: &V, offset: f32) -> Ordering {
    dot(&vec3(normal), point).cmp(&q(offset))
}

/// Whether a hull contains a point, from its placed corners, its triangles and its dimension.
pub fn hull_contains(corners: &[V], faces: &[[u32; 3]], dimension: usize, p: &V) -> bool {
    let side = |a: &V, b: &V, c: &V| dot(&cross(&sub(b, a), &sub(c, a)), &sub(p, a));
    let zero = [int(0), int(0), int(0)];
    match dimension {
        0 => corners[0] == *p,
        1 => {
            let (along, to) = (sub(&corners[1], &corners[0]), sub(p, &corners[0]));
            cross(&along, &to) == zero && dot(&along, &to) >= int(0) && dot(&along, &to) <= dot(&along, &along)
        }
        2 => {
            // The corners run round the polygon.
            let normal = cross(&sub(&corners[1], &corners[0]), &sub(&corners[2], &corners[0]));
            let inner = |k: usize| {
                let (from, to) = (&corners[k], &corners[(k + 1) % corners.len()]);
                dot(&normal, &cross(&sub(to, from), &sub(p, from))) >= int(0)
            };
            side(&corners[0], &corners[1], &corners[2]) == int(0) && (0..corners.len()).all(inner)
        }
        _ => faces.iter().all(|f| {
            let [a, b, c] = f.map(|i| &corners[i as usize]);
            side(a, b, c) <= int(0)
        }),
    }
}

impl From<&Obb> for RationalBox {
    fn from(obb: &Obb) -> Self {
        Self { center: vec3(obb.center()), half: vec3(obb.half_extents()), axes: turned_axes(obb.rotation()) }
    }
}

impl From<&Capsule> for RationalBox {
    /// Without its radius: a box with one generator.
    fn from(capsule: &Capsule) -> Self {
        Self::segment(&vec3(capsule.a()), &vec3(capsule.b()))
    }
}

/// A body without its radius, and that.
pub fn core(shape: &Shape) -> (RationalBox, Q) {
    match shape {
        Shape::Sphere(ball) => (RationalBox::point(ball.center()), q(ball.radius())),
        Shape::Aabb(aabb) => (aabb.into(), int(0)),
        Shape::Obb(obb) => (obb.into(), int(0)),
        Shape::Capsule(capsule) => (capsule.into(), q(capsule.radius())),
        other => panic!("{other:?} is no body"),
    }
}

/// Whether a ray meets a capsule, up to this time if there is one: how far the segments are from each other. (A ray without an end goes on for longer than
/// the capsule is away.)
pub fn ray_meets_capsule(origin: &V, way: &V, last: Option<&Q>, capsule: &Capsule) -> bool {
    let far = [capsule.a(), capsule.b()].into_iter().flat_map(|end| sub(&vec3(end), origin)).map(abs);
    let far = far.fold(q(capsule.radius()), |sum, x| sum + x);
    let fastest = way.iter().map(|x| abs(x.clone())).fold(int(0), Ord::max);
    let last = last.cloned().unwrap_or_else(|| far * int(4) / fastest);
    let ray = RationalBox::segment(origin, &along(origin, way, &last));
    let radius = q(capsule.radius());
    squared_distance(&ray, &capsule.into()) <= &radius * &radius
}

/// Whether 0 is inside all differences of two bodies, and not on their surface: they must have a volume, and then each of their faces is
/// along two generators.
pub fn is_inside_differences(a: &RationalBox, b: &RationalBox) -> bool {
    let t = sub(&b.center, &a.center);
    let zero = [int(0), int(0), int(0)];
    let all: Vec<V> = a.generators().into_iter().chain(b.generators()).filter(|g| *g != zero).collect();
    let normals: Vec<V> =
        all.iter().flat_map(|g| all.iter().map(|h| cross(g, h))).filter(|normal| *normal != zero).collect();
    let reach = |normal: &V| all.iter().map(|g| abs(dot(g, normal))).fold(int(0), |sum, x| sum + x);
    !normals.is_empty() && normals.iter().all(|normal| abs(dot(&t, normal)) < reach(normal))
}

impl From<&Aabb> for RationalBox {
    fn from(aabb: &Aabb) -> Self {
        let (min, max) = (vec3(aabb.min()), vec3(aabb.max()));
        let axis = |k: usize| [0, 1, 2].map(|i| int(i32::from(i == k)));
        Self {
            center: [0, 1, 2].map(|k| (&min[k] + &max[k]) / int(2)),
            half: [0, 1, 2].map(|k| (&max[k] - &min[k]) / int(2)),
            axes: [axis(0), axis(1), axis(2)],
        }
    }
}

impl RationalBox {
    fn reach(&self, axis: &V) -> Q {
        (0..3).map(|k| &self.half[k] * abs(dot(&self.axes[k], axis))).fold(int(0), |a, b| a + b)
    }

    /// An aligned box, turned about the origin and then moved.
    pub fn carried(local: &Aabb, rotation: Quat, by: Vec3) -> Self {
        let (local, axes, by) = (Self::from(local), turned_axes(rotation), vec3(by));
        let turned = |k: usize| (0..3).map(|j| &axes[j][k] * &local.center[j]).fold(int(0), |a, b| a + b);
        Self { center: [0, 1, 2].map(|k| turned(k) + &by[k]), half: local.half, axes }
    }

    /// From where to where it reaches along each coordinate.
    pub fn bounds(&self) -> [(Q, Q); 3] {
        let reach = |k: usize| (0..3).map(|j| &self.half[j] * abs(self.axes[j][k].clone())).fold(int(0), |a, b| a + b);
        [0, 1, 2].map(|k| (&self.center[k] - reach(k), &self.center[k] + reach(k)))
    }

    /// Whether every point of the other lies in this one: the axes are of unit length and square to each other.
    pub fn contains(&self, other: &Self) -> bool {
        let t = sub(&other.center, &self.center);
        (0..3).all(|k| abs(dot(&t, &self.axes[k])) + other.reach(&self.axes[k]) <= self.half[k])
    }

    /// The same box elsewhere.
    pub fn shifted(mut self, by: &V) -> Self {
        self.center = [0, 1, 2].map(|k| &self.center[k] + &by[k]);
        self
    }

    /// The times at which origin + time · way is in the box.
    pub fn times(&self, origin: &V, way: &V) -> Option<(Q, Q)> {
        let (mut first, mut last): (Option<Q>, Option<Q>) = (None, None);
        for k in 0..3 {
            let (at, rate) = (dot(&self.axes[k], &sub(origin, &self.center)), dot(&self.axes[k], way));
            if rate == int(0) {
                if abs(at) > self.half[k] {
                    return None;
                }
                continue;
            }
            let ends = [(-&self.half[k] - &at) / &rate, (&self.half[k] - &at) / &rate];
            let [enter, leave] = if ends[0] <= ends[1] {
                ends
            } else {
                let [a, b] = ends;
                [b, a]
            };
            first = Some(first.map_or(enter.clone(), |first| first.max(enter)));
            last = Some(last.map_or(leave.clone(), |last| last.min(leave)));
        }
        // A way that is not 0 moves along some axis.
        let (first, last) = (first?, last?);
        (first <= last).then_some((first, last))
    }

    /// Whether a point is in the box, or no further than this from it along each of its axes.
    pub fn is_near(&self, point: &V, tolerance: &Q) -> bool {
        let from = sub(point, &self.center);
        (0..3).all(|k| abs(dot(&self.axes[k], &from)) <= &self.half[k] + tolerance)
    }

    pub fn contains_point(&self, point: &V) -> bool {
        let t = sub(point, &self.center);
        (0..3).all(|k| abs(dot(&t, &self.axes[k])) <= self.half[k])
    }
}

/// The gaps of the axes: A's faces, B's faces, then the pairs of edges, row by row. `None` for parallel edges.
pub fn gaps(a: &RationalBox, b: &RationalBox) -> Vec<Option<Q>> {
    let t = sub(&b.center, &a.center);
    let mut axes: Vec<V> = a.axes.iter().chain(&b.axes).cloned().collect();
    for x in &a.axes {
        axes.extend(b.axes.iter().map(|y| cross(x, y)));
    }
    let gap = |axis: &V| abs(dot(&t, axis)) - a.reach(axis) - b.reach(axis);
    axes.iter().map(|axis| (*axis != [int(0), int(0), int(0)]).then(|| gap(axis))).collect()
}

/// The separating axis theorem over all 15 axes.
pub fn box_box(a: &RationalBox, b: &RationalBox) -> Relation {
    let gaps: Vec<Q> = gaps(a, b).into_iter().flatten().collect();
    if gaps.iter().any(|gap| *gap > int(0)) {
        Relation::Separate
    } else if gaps.iter().any(|gap| *gap == int(0)) {
        Relation::Touching
    } else {
        Relation::Overlapping
    }
}

/// The squared distance of the centre from the box, against the squared radius.
pub fn sphere_box(sphere: &Sphere, b: &RationalBox) -> Relation {
    let t = sub(&vec3(sphere.center()), &b.center);
    let outside: Vec<Q> = (0..3).map(|k| abs(dot(&t, &b.axes[k])) - &b.half[k]).collect();
    if outside.iter().all(|d| *d < int(0)) {
        return Relation::Overlapping;
    }
    let squared = outside.iter().map(|d| if *d > int(0) { d * d } else { int(0) }).fold(int(0), |a, b| a + b);
    by_squares(&squared, &q(sphere.radius()))
}

pub fn sphere_sphere(a: &Sphere, b: &Sphere) -> Relation {
    let t = sub(&vec3(a.center()), &vec3(b.center()));
    by_squares(&dot(&t, &t), &(q(a.radius()) + q(b.radius())))
}

/// The relation of a ball and another that is shifted.
pub fn sphere_shifted(a: &Sphere, b: &Sphere, by: &V) -> Relation {
    let t = sub(&sub(&vec3(a.center()), &vec3(b.center())), by);
    by_squares(&dot(&t, &t), &(q(a.radius()) + q(b.radius())))
}

/// Whether the second ball contains the first: |t| + r ≤ R.
pub fn ball_in_ball(inner: &Sphere, outer: &Sphere) -> bool {
    let t = sub(&vec3(inner.center()), &vec3(outer.center()));
    let room = q(outer.radius()) - q(inner.radius());
    room >= int(0) && dot(&t, &t) <= &room * &room
}

fn by_squares(squared: &Q, radius: &Q) -> Relation {
    match squared.cmp(&(radius * radius)) {
        Ordering::Greater => Relation::Separate,
        Ordering::Equal => Relation::Touching,
        Ordering::Less => Relation::Overlapping,
    }
}

/// Inside, crossing or outside of n·x ≤ d, from the extreme corners.
pub fn box_side(b: &RationalBox, normal: Vec3, offset: f32) -> tangency::Side {
    let n = vec3(normal);
    let v = dot(&n, &b.center) - q(offset);
    let r = b.reach(&n);
    side(&v - &r > int(0), v + r > int(0))
}

pub fn sphere_side(s: &Sphere, normal: Vec3, offset: f32) -> tangency::Side {
    let n = vec3(normal);
    let v = dot(&n, &vec3(s.center())) - q(offset);
    let reach = q(s.radius()) * q(s.radius()) * dot(&n, &n);
    let (far, touching) = (&v * &v > reach, &v * &v == reach);
    let positive = v > int(0);
    // least = v − r|n| > 0; greatest = v + r|n| > 0.
    side(positive && far, if positive { true } else { !far && !touching })
}

/// A half-space and a body, of which one is grown by a margin: from the least of n·x − d over the body's core, and from what it is grown by.
pub fn half_space_relation(plane: &Plane, body: &Shape, margin: &Q) -> Relation {
    half_space_shifted(plane, body, margin, &[int(0), int(0), int(0)])
}

/// The same when the body, which is no half-space, is shifted.
pub fn half_space_shifted(plane: &Plane, body: &Shape, margin: &Q, shift: &V) -> Relation {
    let n = vec3(plane.normal());
    let (least, reach) = if let Shape::Plane(other) = body {
        let m = vec3(other.normal());
        let k = (0..3).find(|&k| n[k] != int(0)).expect("a normal");
        let factor = &m[k] / &n[k];
        if factor > int(0) || (0..3).any(|k| &n[k] * &factor != m[k]) {
            return Relation::Overlapping;
        }
        // The other one is where n·x is at least its offset over the factor.
        (q(other.offset()) / factor - q(plane.offset()), margin.clone())
    } else if let Shape::ConvexHull(hull) = body {
        let corners = hull.local_vertices().iter().map(|corner| placed(&hull.pose(), *corner));
        let lowest = corners.map(|corner| dot(&n, &corner)).min().expect("a corner");
        (lowest + dot(&n, shift) - q(plane.offset()), margin.clone())
    } else {
        let (core, radius) = core(body);
        (dot(&n, &core.center) + dot(&n, shift) - q(plane.offset()) - core.reach(&n), radius + margin)
    };
    if least < int(0) { Relation::Overlapping } else { by_squares(&(&least * &least / dot(&n, &n)), &reach) }
}

/// The square of how far a point is above a half-space.
pub fn square_above(plane: &Plane, point: Vec3) -> Q {
    let n = vec3(plane.normal());
    let height = (dot(&n, &vec3(point)) - q(plane.offset())).max(int(0));
    &height * &height / dot(&n, &n)
}

/// When a ray enters a half-space, if it does; and what of that a rounding of a share of all numbers may change, or one of 2⁻⁹⁰ of the height.
pub fn half_space_time(plane: &Plane, origin: &V, way: &V, share: &Q) -> Option<(Q, Q)> {
    let n = vec3(plane.normal());
    let (height, falls) = (dot(&n, origin) - q(plane.offset()), -dot(&n, way));
    if height <= int(0) {
        return Some((int(0), int(0)));
    }
    let sizes = |v: &V| (0..3).map(|k| abs(&n[k] * &v[k])).fold(int(0), |sum, x| sum + x);
    (falls > int(0)).then(|| {
        let time = &height / &falls;
        let least = n.iter().map(|x| abs(x.clone())).max().expect("three numbers") * q(2.0_f32.powi(-90));
        let error = ((sizes(origin) + abs(q(plane.offset())) + &time * sizes(way)) * share + least) / &falls;
        (time, error)
    })
}

/// Where the half-space a·x ≤ d lies to b·x ≤ e. On it b·x has a greatest value only where b = λa with λ ≥ 0, which is λd; a least one
/// only where λ ≤ 0, which is λd too.
pub fn half_space_side((a, d): (Vec3, f32), (b, e): (Vec3, f32)) -> tangency::Side {
    let (a, b) = (vec3(a), vec3(b));
    let k = (0..3).find(|&k| a[k] != int(0)).expect("a normal");
    let factor = &b[k] / &a[k];
    let parallel = (0..3).all(|k| &a[k] * &factor == b[k]);
    let over = &factor * q(d) > q(e);
    side(parallel && factor < int(0) && over, !(parallel && factor > int(0) && !over))
}

fn side(least_positive: bool, greatest_positive: bool) -> tangency::Side {
    match (least_positive, greatest_positive) {
        (true, _) => tangency::Side::Outside,
        (false, true) => tangency::Side::Crossing,
        (false, false) => tangency::Side::Inside,
    }
}

/// origin + time · way.
pub fn along(origin: &V, way: &V, time: &Q) -> V {
    [0, 1, 2].map(|k| &origin[k] + &way[k] * time)
}

/// The squared distance of two points.
pub fn squared(a: &V, b: &V) -> Q {
    dot(&sub(a, b), &sub(a, b))
}

/// Whether a point of origin + time · way, from time 0 to the last (if there is one), is in a ball.
pub fn ray_meets_ball(origin: &V, way: &V, last: Option<&Q>, ball: &Sphere) -> bool {
    let (center, radius) = (vec3(ball.center()), q(ball.radius()));
    let nearest = dot(&sub(&center, origin), way) / dot(way, way);
    let nearest = last.map_or(nearest.clone(), |last| nearest.min(last.clone())).max(int(0));
    squared(&along(origin, way, &nearest), &center) <= &radius * &radius
}
