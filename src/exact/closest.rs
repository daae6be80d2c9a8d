//! Which of two bodies is nearer to a point, exactly.
//!
//! The square of a point's distance from a box, from the centre of a ball or from the segment of a capsule is a rational number. Two distances are compared by squaring twice.

use std::cmp::Ordering;

use glam::DVec3;
use num_bigint::BigInt;

use super::Core;
use super::convex;
use super::int::{Int, Scale};
use super::plane::Scales;
use super::rotation::IntQuaternion;
use super::segment::line_of;
use crate::filter::Cuboid;
use crate::shape::Plane;
use crate::shape::kinds::BodyShape;

/// How far a point is from a body, up to rounding: 0 if it is inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Away {
    pub(crate) least: f64,
    pub(crate) most: f64,
}

/// More than what is wrong with a distance in `f64`, as a share of the sum of all numbers: as the filters count, a rotated difference has at most
/// 35 roundings, its length and what is taken off 22.
const ERROR: f64 = 128.0 / (1_u64 << 53) as f64;

fn sum(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().map(f64::abs).sum()
}

impl Away {
    pub(crate) fn of(point: [f32; 3], body: &BodyShape<'_>) -> Self {
        let p = point.map(f64::from);
        // Beyond each face, or beyond the surface; and the sum of all numbers.
        let (outside, numbers) = match body {
            BodyShape::Sphere(ball) => {
                let (c, r) = (ball.center().to_array().map(f64::from), f64::from(ball.radius()));
                let t = [0, 1, 2].map(|k| p[k] - c[k]);
                let distance = (t[0] * t[0] + t[1] * t[1] + t[2] * t[2]).sqrt();
                ([distance - r, f64::NEG_INFINITY, f64::NEG_INFINITY], sum(c) + r)
            }
            BodyShape::Aabb(aabb) => {
                let [min, max] = [aabb.min(), aabb.max()].map(|corner| corner.to_array().map(f64::from));
                ([0, 1, 2].map(|k| (min[k] - p[k]).max(p[k] - max[k])), sum(min) + sum(max))
            }
            BodyShape::Obb(obb) => return Self::of_box(point, &Cuboid::new(obb)),
            BodyShape::Plane(plane) => return Self::of_half_space(p, plane),
            BodyShape::ConvexHull(hull) => {
                let (least, most) = convex::distance(&Core::at(point), &(*hull).into());
                return Self { least, most };
            }
            BodyShape::Capsule(capsule) => {
                let (a, b, r) = (capsule.a().as_dvec3(), capsule.b().as_dvec3(), f64::from(capsule.radius()));
                let (t, way) = (DVec3::from(p) - a, b - a);
                let share = (t.dot(way) / way.dot(way)).clamp(0.0, 1.0);
                // (Without a way all of it is the start.)
                let distance = if way == DVec3::ZERO { t.length() } else { (t - way * share).length() };
                ([distance - r, f64::NEG_INFINITY, f64::NEG_INFINITY], sum(a.to_array()) + sum(b.to_array()) + r)
            }
        };
        Self::within(outside, sum(p) + numbers)
    }

    /// From an oriented box.
    pub(crate) fn of_box(point: [f32; 3], Cuboid { center, half, axes }: &Cuboid<f64>) -> Self {
        let p = point.map(f64::from);
        let t = [0, 1, 2].map(|k| p[k] - center[k]);
        let along = |k: usize| axes[k][0] * t[0] + axes[k][1] * t[1] + axes[k][2] * t[2];
        Self::within([0, 1, 2].map(|k| along(k).abs() - half[k]), sum(p) + sum(*center) + sum(*half))
    }

    /// From a half-space.
    fn of_half_space(p: [f64; 3], plane: &Plane) -> Self {
        let (n, d) = (plane.normal().as_dvec3(), f64::from(plane.offset()));
        let (height, length) = (n.dot(p.into()) - d, n.length());
        // In units of the normal's length.
        let away = Self::within(
            [height, f64::NEG_INFINITY, f64::NEG_INFINITY],
            sum((n * DVec3::from(p)).to_array()) + d.abs(),
        );
        let error = 1.0 / (1_u64 << 50) as f64;
        Self { least: away.least / length * (1.0 - error), most: away.most / length * (1.0 + error) }
    }

    /// From how far the point is beyond each face, and the sum of all numbers.
    fn within(outside: [f64; 3], numbers: f64) -> Self {
        let error = ERROR * numbers;
        if outside.iter().all(|beyond| *beyond < -error) {
            return Self { least: 0.0, most: 0.0 };
        }
        let beyond = outside.map(|beyond| beyond.max(0.0));
        let distance = (beyond[0] * beyond[0] + beyond[1] * beyond[1] + beyond[2] * beyond[2]).sqrt();
        Self { least: (distance - error).max(0.0), most: distance + error }
    }

    /// Which of two is nearer, if that is certain.
    pub(crate) fn order(&self, other: &Self) -> Option<Ordering> {
        if self.most < other.least {
            Some(Ordering::Less)
        } else if other.most < self.least {
            Some(Ordering::Greater)
        } else if self.most == 0.0 && other.most == 0.0 {
            Some(Ordering::Equal)
        } else {
            None
        }
    }
}

/// All numbers that say where a body is.
fn lengths(body: &BodyShape<'_>) -> Vec<f32> {
    let (first, second, radius) = match body {
        BodyShape::ConvexHull(hull) => return Core::from(*hull).numbers().collect(),
        BodyShape::Sphere(ball) => (ball.center().to_array(), [0.0; 3], ball.radius()),
        BodyShape::Aabb(aabb) => (aabb.min().to_array(), aabb.max().to_array(), 0.0),
        BodyShape::Obb(obb) => (obb.center().to_array(), obb.half_extents().to_array(), 0.0),
        BodyShape::Capsule(capsule) => (capsule.a().to_array(), capsule.b().to_array(), capsule.radius()),
        // (It is brought to the unit of the others.)
        BodyShape::Plane(_) => ([0.0; 3], [0.0; 3], 0.0),
    };
    vec![first[0], first[1], first[2], second[0], second[1], second[2], radius]
}

/// How far a point is from a body: √(square / over) − radius, or 0 if that is negative.
struct Distance {
    square: BigInt,
    over: BigInt,
    radius: BigInt,
}

impl Distance {
    fn of(point: [f32; 3], body: &BodyShape<'_>, scale: Scale) -> Self {
        let zero = BigInt::zero();
        let p: [BigInt; 3] = scale.apply_all(point);
        let from = |center: [f32; 3]| {
            let center: [BigInt; 3] = scale.apply_all(center);
            [0, 1, 2].map(|k| Int::sub(&p[k], &center[k]))
        };
        let square_of = |beyond: [BigInt; 3]| {
            let beyond = beyond.map(|x| x.max(BigInt::zero()));
            BigInt::dot(&beyond, &beyond)
        };
        match body {
            BodyShape::Sphere(ball) => {
                let t = from(ball.center().to_array());
                Self { square: BigInt::dot(&t, &t), over: BigInt::from(1), radius: scale.apply(ball.radius()) }
            }
            BodyShape::Aabb(aabb) => {
                let [above, below] = [aabb.min(), aabb.max()].map(|corner| from(corner.to_array()));
                let beyond = [0, 1, 2].map(|k| Int::sub(&zero, &above[k]).max(below[k].clone()));
                Self { square: square_of(beyond), over: BigInt::from(1), radius: zero }
            }
            BodyShape::Obb(obb) => {
                let t = from(obb.center().to_array());
                let half: [BigInt; 3] = scale.apply_all(obb.half_extents().to_array());
                let m = IntQuaternion::new(obb.rotation_array()).matrix::<BigInt>();
                let beyond =
                    [0, 1, 2].map(|k| Int::sub(&Int::abs(&BigInt::dot(&m.columns[k], &t)), &Int::mul(&m.n, &half[k])));
                Self { square: square_of(beyond), over: Int::mul(&m.n, &m.n), radius: zero }
            }
            BodyShape::Capsule(capsule) => {
                let (square, over) = line_of(capsule, scale).square_from(&p);
                Self { square, over, radius: scale.apply(capsule.radius()) }
            }
            BodyShape::ConvexHull(hull) => {
                let (square, over) = convex::square_distance(&Core::at(point), &(*hull).into(), scale);
                Self { square, over, radius: zero }
            }
            BodyShape::Plane(plane) => {
                let Scales { normal_and_offset: (n, d), .. } = Scales::of(plane, scale);
                let above = Int::sub(&BigInt::dot(&n, &p), &d).max(zero.clone());
                Self { square: Int::mul(&above, &above), over: BigInt::dot(&n, &n), radius: zero }
            }
        }
    }

    fn is_zero(&self) -> bool {
        self.square <= Int::mul(&Int::mul(&self.radius, &self.radius), &self.over)
    }
}

/// Which of two bodies is nearer to a point. Those that contain it are equally near.
pub(super) fn nearer(point: [f32; 3], a: &BodyShape<'_>, b: &BodyShape<'_>) -> Ordering {
    let scale = Scale::of(point.into_iter().chain(lengths(a)).chain(lengths(b)));
    let (a, b) = (Distance::of(point, a, scale), Distance::of(point, b, scale));
    match (a.is_zero(), b.is_zero()) {
        (true, true) => return Ordering::Equal,
        (true, false) => return Ordering::Less,
        (false, true) => return Ordering::Greater,
        (false, false) => {}
    }
    if a.radius < b.radius { roots(&b, &a).reverse() } else { roots(&a, &b) }
}

/// √(P/p) against √(Q/q) + c, where c is how much larger the first radius is, and not negative: P q − Q p − c² p q against 2 c p √(Q q).
fn roots(a: &Distance, b: &Distance) -> Ordering {
    let c = Int::sub(&a.radius, &b.radius);
    let square = Int::mul(&c, &c);
    let left = Int::sub(&Int::mul(&a.square, &b.over), &Int::mul(&b.square, &a.over));
    let left = Int::sub(&left, &Int::mul(&square, &Int::mul(&a.over, &b.over)));
    if left < BigInt::zero() {
        return Ordering::Less;
    }
    let right = Int::mul(&Int::mul(&square, &Int::mul(&a.over, &a.over)), &Int::mul(&b.square, &b.over));
    Int::mul(&left, &left).cmp(&right.twice().twice())
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::scenes::random;
    use crate::shape::{Aabb, Obb, Sphere};

    fn order<'a>(point: [f32; 3], a: impl Into<BodyShape<'a>>, b: impl Into<BodyShape<'a>>) -> Ordering {
        let (a, b) = (a.into(), b.into());
        let found = nearer(point, &a, &b);
        assert_eq!(nearer(point, &b, &a), found.reverse());
        let quick = Away::of(point, &a).order(&Away::of(point, &b));
        assert!(quick.is_none_or(|quick| quick == found), "{a:?} {b:?}");
        found
    }

    #[test]
    fn distances_are_compared_to_the_last_bit() {
        let ball = |x: f32, r: f32| Sphere::new([x, 0.0, 0.0], r).expect("a ball");
        let brick = |x: f32| Aabb::new([x, -1.0, -1.0], [x + 1.0, 1.0, 1.0]).expect("a box");
        let turned = |q: Quat| Obb::new([3.0, 0.0, 0.0], [1.0; 3], q).expect("a box");
        let up = |x: f32| x.next_up();
        for (a, b, expected) in [
            (ball(3.0, 1.0).into(), ball(-3.0, 1.0).into(), Ordering::Equal),
            (ball(3.0, 1.0).into(), ball(up(3.0), 1.0).into(), Ordering::Less),
            (ball(3.0, 1.0).into(), ball(5.0, 3.0).into(), Ordering::Equal),
            (ball(3.0, 1.0).into(), ball(5.0, up(3.0)).into(), Ordering::Greater),
            (ball(3.0, 1.0).into(), brick(2.0).into(), Ordering::Equal),
            (ball(up(3.0), 1.0).into(), brick(2.0).into(), Ordering::Greater),
            (turned(Quat::from_xyzw(1.0, 1.0, 1.0, 1.0)).into(), brick(2.0).into(), Ordering::Equal),
            (turned(Quat::from_xyzw(0.0, 0.0, 1e-30, 1.0)).into(), brick(2.0).into(), Ordering::Less),
            // Inside is inside, however deep.
            (ball(0.0, 1.0).into(), ball(0.5, 9.0).into(), Ordering::Equal),
            (ball(1.0, 1.0).into(), ball(0.5, 9.0).into(), Ordering::Equal),
            (ball(up(1.0), 1.0).into(), ball(0.5, 9.0).into(), Ordering::Greater),
        ] as [(BodyShape<'_>, BodyShape<'_>, Ordering); 11]
        {
            assert_eq!(order([0.0; 3], a, b), expected, "{a:?} {b:?}");
        }
    }

    /// What is certain in `f64` is what integers say, and the order of integers is an order.
    #[test]
    fn orders_agree() {
        let (mut certain, mut open) = (0, 0);
        for seed in 0..60 {
            let bodies = random(seed, 40).expect("a scene");
            let shapes: Vec<BodyShape<'_>> = (0..bodies.id_bound()).map(|id| bodies.get(id)).collect();
            for at in &shapes {
                let point = at.aabb().min().to_array();
                if !point.iter().all(|x| x.is_finite()) {
                    continue;
                }
                let mut sorted: Vec<&BodyShape<'_>> = shapes.iter().collect();
                sorted.sort_by(|a, b| nearer(point, a, b));
                for pair in sorted.windows(2) {
                    match Away::of(point, pair[0]).order(&Away::of(point, pair[1])) {
                        Some(order) => {
                            assert_ne!(order, Ordering::Greater, "{point:?} {pair:?}");
                            certain += 1;
                        }
                        None => open += 1,
                    }
                }
            }
        }
        assert!(certain > 1000 && open > 100, "{certain} {open}");
    }
}
