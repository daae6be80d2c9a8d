//! The naive oracle for shapes with corners: separating axes and distances of all features, in whole numbers. Slow, plain, and
//! written without a look at `src`.
#![allow(dead_code, reason = "each test file uses its part")]

use std::cmp::Ordering;

use num_bigint::BigInt;
use tangency::Relation;
use tangency::glam::Vec3;
use tangency::shape::{ConvexHull, Pose, Shape};

use crate::rational::{Q, V, half_space_relation, q, turned_axes, vec3};

/// The hull of corners with a radius around it.
pub struct Polytope {
    corners: Vec<V>,
    edges: Vec<[usize; 2]>,
    faces: Vec<[usize; 3]>,
    radius: Q,
}

impl Polytope {
    fn placed(pose: &Pose, corners: &[Vec3]) -> Vec<V> {
        let (axes, position) = (turned_axes(pose.rotation()), vec3(pose.position().to_vec3()));
        let place = |local: V| {
            let sum = |k: usize| &axes[0][k] * &local[0] + &axes[1][k] * &local[1] + &axes[2][k] * &local[2];
            [0, 1, 2].map(|k| &position[k] + sum(k))
        };
        corners.iter().map(|corner| place(vec3(*corner))).collect()
    }

    fn of_box(corners: Vec<V>) -> Self {
        let pairs = (0..8_usize).flat_map(|i| (0..3).map(move |k| [i, i | 1 << k]));
        let edges = pairs.filter(|[i, j]| i != j).collect();
        // The corners of a face, of which two triangles are made.
        let face = |k: usize, side: usize| {
            let at = |u: usize, v: usize| side << k | u << ((k + 1) % 3) | v << ((k + 2) % 3);
            [[at(0, 0), at(1, 0), at(1, 1)], [at(0, 0), at(1, 1), at(0, 1)]]
        };
        let faces = (0..3).flat_map(|k| [face(k, 0), face(k, 1)]).flatten().collect();
        Self { corners, edges, faces, radius: q(0.0) }
    }

    pub fn of(shape: &Shape) -> Self {
        let ends = |corners: Vec<Vec3>, radius: f32| {
            let edges = (1..corners.len()).map(|k| [0, k]).collect();
            let corners = corners.into_iter().map(vec3).collect();
            Self { corners, edges, faces: vec![], radius: q(radius) }
        };
        match shape {
            Shape::Sphere(ball) => ends(vec![ball.center()], ball.radius()),
            Shape::Capsule(capsule) => ends(vec![capsule.a(), capsule.b()], capsule.radius()),
            Shape::Segment(segment) => ends(vec![segment.a(), segment.b()], 0.0),
            Shape::Triangle(triangle) => Self {
                corners: triangle.corners().map(vec3).to_vec(),
                edges: vec![[0, 1], [1, 2], [2, 0]],
                faces: vec![[0, 1, 2]],
                radius: q(0.0),
            },
            Shape::Aabb(aabb) => Self::of_box(aabb.corners().map(vec3).to_vec()),
            Shape::Obb(obb) => {
                let pose = Pose::new(obb.center(), obb.rotation()).expect("a pose");
                let sign = |i: usize, k: usize| if i >> k & 1 == 1 { 1.0 } else { -1.0 };
                let half = obb.half_extents();
                let local: Vec<Vec3> = (0..8).map(|i| half * Vec3::new(sign(i, 0), sign(i, 1), sign(i, 2))).collect();
                Self::of_box(Self::placed(&pose, &local))
            }
            Shape::ConvexHull(hull) => Self {
                corners: Self::placed(&hull.pose(), hull.local_vertices()),
                edges: hull.edges().iter().map(|edge| edge.map(|i| i as usize)).collect(),
                faces: hull.faces().iter().map(|face| face.map(|i| i as usize)).collect(),
                radius: q(0.0),
            },
            other => panic!("{other:?} has no corners"),
        }
    }
}

type W = [BigInt; 3];

fn dot(a: &W, b: &W) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn sub(a: &W, b: &W) -> W {
    [&a[0] - &b[0], &a[1] - &b[1], &a[2] - &b[2]]
}

fn cross(a: &W, b: &W) -> W {
    [&a[1] * &b[2] - &a[2] * &b[1], &a[2] * &b[0] - &a[0] * &b[2], &a[0] * &b[1] - &a[1] * &b[0]]
}

fn zero() -> BigInt {
    BigInt::from(0)
}

fn is_zero(v: &W) -> bool {
    v.iter().all(|x| *x == zero())
}

/// Both shapes times their common denominator.
struct Pair<'a> {
    shapes: [&'a Polytope; 2],
    corners: [Vec<W>; 2],
    /// The common denominator.
    whole: BigInt,
    /// The square of both radii together.
    limit: BigInt,
}

/// A square distance over a whole.
type Square = (BigInt, BigInt);

fn common_multiple(a: &BigInt, b: &BigInt) -> BigInt {
    let (mut x, mut y) = (a.clone(), b.clone());
    while y != zero() {
        (x, y) = (y.clone(), x % y);
    }
    a / x * b
}

impl<'a> Pair<'a> {
    fn new(a: &'a Polytope, b: &'a Polytope, margin: &Q) -> Self {
        let reach = &a.radius + &b.radius + margin;
        let numbers = a.corners.iter().chain(&b.corners).flatten().chain([&reach]);
        let whole = numbers.fold(BigInt::from(1), |whole, x| {
            if &whole % x.denom() == zero() { whole } else { common_multiple(&whole, x.denom()) }
        });
        let scaled = |x: &Q| x.numer() * (&whole / x.denom());
        let corners = [a, b].map(|shape| shape.corners.iter().map(|v| [0, 1, 2].map(|k| scaled(&v[k]))).collect());
        let reach = scaled(&reach);
        Self { shapes: [a, b], corners, limit: &reach * &reach, whole }
    }

    fn edges(&self) -> Vec<W> {
        let of =
            |k: usize| self.shapes[k].edges.iter().map(move |[i, j]| sub(&self.corners[k][*j], &self.corners[k][*i]));
        of(0).chain(of(1)).filter(|edge| !is_zero(edge)).collect()
    }

    /// The order of 0 and the interval of all differences along an axis: less if it is apart, equal if it is an end.
    fn order_along(&self, axis: &W) -> Ordering {
        let range = |k: usize| {
            let heights: Vec<BigInt> = self.corners[k].iter().map(|corner| dot(axis, corner)).collect();
            (heights.iter().min().cloned().expect("corners"), heights.iter().max().cloned().expect("corners"))
        };
        let ((low_a, high_a), (low_b, high_b)) = (range(0), range(1));
        high_a.cmp(&low_b).min(high_b.cmp(&low_a))
    }

    /// The relation without radii. The differences are flat, or have faces along two edges.
    fn of_cores(&self) -> Relation {
        let edges = self.edges();
        let any = sub(&self.corners[0][0], &self.corners[1][0]);
        let apart = |axes: &[W]| axes.iter().any(|axis| self.order_along(axis) == Ordering::Less);
        let touching_or = |apart: bool| if apart { Relation::Separate } else { Relation::Touching };
        let Some(first) = edges.first() else { return touching_or(!is_zero(&any)) };
        let Some(normal) = edges.iter().map(|edge| cross(first, edge)).find(|normal| !is_zero(normal)) else {
            return touching_or(!is_zero(&cross(first, &any)) || apart(std::slice::from_ref(first)));
        };
        if edges.iter().all(|edge| dot(edge, &normal) == zero()) {
            let in_plane: Vec<W> = edges.iter().map(|edge| cross(&normal, edge)).collect();
            return touching_or(dot(&normal, &any) != zero() || apart(&in_plane));
        }
        let mut relation = Relation::Overlapping;
        for (k, edge) in edges.iter().enumerate() {
            for other in &edges[..k] {
                let axis = cross(edge, other);
                match self.order_along(&axis) {
                    _ if is_zero(&axis) => {}
                    Ordering::Less => return Relation::Separate,
                    Ordering::Equal => relation = Relation::Touching,
                    Ordering::Greater => {}
                }
            }
        }
        relation
    }

    /// The least distance of all features of separate shapes: corners, edges and faces of both.
    fn distance(&self) -> Square {
        let [a, b] = &self.corners;
        let mut found = [self.of_corners(0), self.of_corners(1)].concat();
        for [i, j] in &self.shapes[0].edges {
            for [k, l] in &self.shapes[1].edges {
                let ways = [sub(&b[*l], &b[*k]), sub(&a[*i], &a[*j])];
                found.extend(feet(&sub(&b[*k], &a[*i]), &ways, within));
            }
        }
        found.into_iter().min_by(|(a, over_a), (b, over_b)| (a * over_b).cmp(&(b * over_a))).expect("corners")
    }

    /// The distances of the corners of one shape from all features of the other: corners, edges and faces.
    fn of_corners(&self, of: usize) -> Vec<Square> {
        let mut found = Vec::new();
        let (own, other) = (&self.corners[of], &self.corners[1 - of]);
        for corner in own {
            for p in other {
                found.extend(feet(&sub(p, corner), &[], |_, _| true));
            }
            for [i, j] in &self.shapes[1 - of].edges {
                let way = sub(&other[*j], &other[*i]);
                found.extend(feet(&sub(&other[*i], corner), &[way], within));
            }
            for [i, j, l] in &self.shapes[1 - of].faces {
                let ways = [sub(&other[*j], &other[*i]), sub(&other[*l], &other[*i])];
                let inside =
                    |shares: &[BigInt], whole: &BigInt| within(shares, whole) && &shares[0] + &shares[1] <= *whole;
                found.extend(feet(&sub(&other[*i], corner), &ways, inside));
            }
        }
        found
    }
}

/// The square distance of the origin from `from` and any share of the ways, if the nearest shares over a whole are allowed.
fn feet(from: &W, ways: &[W], allowed: impl Fn(&[BigInt], &BigInt) -> bool) -> Option<Square> {
    let square = dot(from, from);
    let (shares, whole, distance) = match ways {
        [] => (vec![], BigInt::from(1), square),
        [g] => {
            let (gg, gd) = (dot(g, g), dot(g, from));
            (vec![-&gd], gg.clone(), square * gg - &gd * &gd)
        }
        [g, h] => {
            let (gg, hh, gh, gd, hd) = (dot(g, g), dot(h, h), dot(g, h), dot(g, from), dot(h, from));
            let across = dot(&cross(g, h), from);
            (vec![&hd * &gh - &gd * &hh, &gd * &gh - &hd * &gg], &gg * &hh - &gh * &gh, &across * &across)
        }
        _ => panic!("at most two ways"),
    };
    (whole != zero() && allowed(&shares, &whole)).then_some((distance, whole))
}

fn within(shares: &[BigInt], whole: &BigInt) -> bool {
    shares.iter().all(|share| *share >= zero() && share <= whole)
}

/// The relation of two shapes with corners, by the definition.
pub fn relation(a: &Shape, b: &Shape) -> Relation {
    relation_within(a, b, 0.0)
}

/// The same if the second is shifted.
pub fn relation_shifted(a: &Shape, b: &Shape, shift: &V) -> Relation {
    let mut b = Polytope::of(b);
    for corner in &mut b.corners {
        *corner = [0, 1, 2].map(|k| &corner[k] + &shift[k]);
    }
    of_polytopes(&Polytope::of(a), &b, 0.0)
}

/// The same if one of them is grown by a margin.
pub fn relation_within(a: &Shape, b: &Shape, margin: f32) -> Relation {
    of_polytopes(&Polytope::of(a), &Polytope::of(b), margin)
}

fn of_polytopes(a: &Polytope, b: &Polytope, margin: f32) -> Relation {
    let pair = Pair::new(a, b, &q(margin));
    let cores = pair.of_cores();
    if pair.limit == zero() {
        return cores;
    }
    match cores {
        Relation::Separate => {
            let (square, over) = pair.distance();
            match square.cmp(&(&pair.limit * over)) {
                Ordering::Less => Relation::Overlapping,
                Ordering::Equal => Relation::Touching,
                Ordering::Greater => Relation::Separate,
            }
        }
        _ => Relation::Overlapping,
    }
}

/// The same of two shapes of which one has corners, and the other may be a half-space.
pub fn any_relation(a: &Shape, b: &Shape, margin: f32) -> Relation {
    match (a, b) {
        (Shape::Plane(plane), other) | (other, Shape::Plane(plane)) => half_space_relation(plane, other, &q(margin)),
        _ => relation_within(a, b, margin),
    }
}

/// The square of how far a point is from a hull: 0 inside a solid one, or else the least over all corners, edges and triangles.
pub fn square_from(hull: &ConvexHull, point: &V) -> Q {
    let point = Polytope { corners: vec![point.clone()], edges: vec![], faces: vec![], radius: q(0.0) };
    let other = Polytope::of(&hull.clone().into());
    let pair = Pair::new(&point, &other, &q(0.0));
    let [own, corners] = &pair.corners;
    let is_behind = |[a, b, c]: &[usize; 3]| {
        let normal = cross(&sub(&corners[*b], &corners[*a]), &sub(&corners[*c], &corners[*a]));
        dot(&normal, &sub(&own[0], &corners[*a])) <= zero()
    };
    if hull.dimension() == 3 && other.faces.iter().all(is_behind) {
        return q(0.0);
    }
    let (square, over) = pair.distance();
    Q::new(square, over * &pair.whole * &pair.whole)
}
