//! Bodies that may be some way apart, in integers.
//!
//! The distance of two bodies against a sum of `f32`: the squared distance of two points, of a point and a box, and of two boxes is a
//! rational number. Two boxes that have no point in common are as far apart as the nearest of these: a corner of one and the other box,
//! or two edges that pass each other. (The nearest points of two faces, or of a face and an edge, can be moved along both until one of them is a
//! corner or both are on edges.)

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::boxes::ExactBox;
use super::int::{Int, Scale};
use super::rotation::{CommonAxes, IntQuaternion};
use super::{Core, aabb_aabb, aabb_obb, convex, obb_obb};
use super::{half_space, segment, sphere};
use crate::Relation;
use crate::filter::Cuboid;
use crate::shape::kinds::BodyShape;
use crate::shape::{Aabb, Obb};

/// How far apart two bodies may be: the exact sum of these numbers, none of which is negative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Margin(pub [f32; 3]);

impl Margin {
    pub(crate) fn is_zero(self) -> bool {
        self.0 == [0.0; 3]
    }
}

/// The relation of two bodies of which one is grown by a margin that is not 0: separate if their distance exceeds it, touching if it is
/// the distance, and overlapping if they are nearer.
pub(super) fn within(a: &BodyShape<'_>, b: &BodyShape<'_>, margin: Margin) -> Relation {
    match (a, b) {
        (BodyShape::Plane(a), b) | (b, BodyShape::Plane(a)) => half_space::relation(a, b, margin),
        (BodyShape::ConvexHull(_), _) | (_, BodyShape::ConvexHull(_)) => match (Core::of(a), Core::of(b)) {
            (Ok(a), Ok(b)) => convex(&a, &b, margin),
            (Err(plane), _) => half_space::relation(&plane, b, margin),
            (_, Err(plane)) => half_space::relation(&plane, a, margin),
        },
        (BodyShape::Sphere(a), BodyShape::Sphere(b)) => sphere::sphere_sphere(a, b, margin),
        (BodyShape::Sphere(a), BodyShape::Aabb(b)) | (BodyShape::Aabb(b), BodyShape::Sphere(a)) => {
            sphere::sphere_aabb(a, b, margin)
        }
        (BodyShape::Sphere(a), BodyShape::Obb(b)) | (BodyShape::Obb(b), BodyShape::Sphere(a)) => {
            sphere::sphere_obb(a, b, margin)
        }
        (BodyShape::Aabb(a), BodyShape::Aabb(b)) => boxes(&a.into(), &b.into(), || aabb_aabb(a, b), margin),
        (BodyShape::Aabb(a), BodyShape::Obb(b)) | (BodyShape::Obb(b), BodyShape::Aabb(a)) => {
            boxes(&a.into(), &b.into(), || aabb_obb(a, b), margin)
        }
        (BodyShape::Obb(a), BodyShape::Obb(b)) => boxes(&a.into(), &b.into(), || obb_obb(a, b), margin),
        (BodyShape::Capsule(a), b) | (b, BodyShape::Capsule(a)) => segment::relation(a, b, margin),
    }
}

/// A box in `f64`, each number with a relative error of some units in the last place, and as it is.
struct Solid {
    /// Twice the centre, twice the half extents.
    center: [f64; 3],
    half: [f64; 3],
    axes: [[f64; 3]; 3],
    exact: ExactBox,
}

impl From<&Aabb> for Solid {
    fn from(aabb: &Aabb) -> Self {
        let (min, max) = (aabb.min().to_array().map(f64::from), aabb.max().to_array().map(f64::from));
        Self {
            center: [0, 1, 2].map(|k| min[k] + max[k]),
            half: [0, 1, 2].map(|k| max[k] - min[k]),
            axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            exact: aabb.into(),
        }
    }
}

impl From<&Obb> for Solid {
    fn from(obb: &Obb) -> Self {
        let cuboid = Cuboid::<f64>::new(obb);
        Self {
            center: cuboid.center.map(|x| 2.0 * x),
            half: cuboid.half.map(|x| 2.0 * x),
            axes: cuboid.axes,
            exact: obb.into(),
        }
    }
}

/// The relation of two boxes that have the relation `bare` without a margin.
fn boxes(a: &Solid, b: &Solid, bare: impl FnOnce() -> Relation, margin: Margin) -> Relation {
    let features = Features::new(a, b, margin);
    if features.are_far_apart() {
        return Relation::Separate;
    }
    if bare().is_hit() {
        return Relation::Overlapping;
    }
    match a.exact.rotation.common_axes(&b.exact.rotation) {
        CommonAxes::All(partner) => along_common_axes(a, b, partner, margin),
        _ => features.relation(),
    }
}

fn numbers(a: &Solid, b: &Solid, margin: Margin) -> impl Iterator<Item = f32> + Clone {
    a.exact.place.numbers().into_iter().chain(b.exact.place.numbers()).chain(margin.0)
}

/// Twice a margin.
fn reach<I: Int>(margin: Margin, scale: Scale) -> I {
    let [x, y, z] = scale.apply_all::<I, 3>(margin.0);
    x.add(&y).add(&z).twice()
}

/// Boxes of which axis i of the first is parallel to axis `partner[i]` of the second: gaps along three axes at right angles.
fn along_common_axes(a: &Solid, b: &Solid, partner: [usize; 3], margin: Margin) -> Relation {
    fn decide<I: Int>(a: &Solid, b: &Solid, partner: [usize; 3], margin: Margin, scale: Scale) -> Relation {
        let ((center_a, half_a), (center_b, half_b)) =
            (a.exact.place.doubled::<I>(scale), b.exact.place.doubled::<I>(scale));
        let t = [0, 1, 2].map(|k| center_b[k].sub(&center_a[k]));
        let m = a.exact.rotation.matrix::<I>();
        let gap = |i: usize| {
            let size = half_a[i].add(&half_b[partner[i]]);
            I::dot(&m.columns[i], &t).abs().sub(&m.n.mul(&size)).max(I::zero())
        };
        let gaps = [gap(0), gap(1), gap(2)];
        let reach = m.n.mul(&reach::<I>(margin, scale));
        sphere::from_squares(I::dot(&gaps, &gaps).cmp(&reach.mul(&reach)))
    }
    let scale = Scale::of(numbers(a, b, margin));
    // A difference of doubled numbers has 3 bits more, its product with a column (2q + 2 bits each) and the sum of three 2q + p + 7;
    // squared, and three of them added. The margin is the sum of three.
    if 2 * (2 * a.exact.rotation.bits() + scale.bits + 8) + 2 < 127 {
        decide::<i128>(a, b, partner, margin, scale)
    } else {
        decide::<BigInt>(a, b, partner, margin, scale)
    }
}

type Vector = [BigInt; 3];

/// Two boxes as the set of all differences of their points: `t`, and up to one of each generator to either side. In integers, which are
/// made when a pair of features needs them; and in `f64`, which says of most that they are far apart.
struct Features<'a> {
    a: &'a Solid,
    b: &'a Solid,
    margin: Margin,
    t: [f64; 3],
    generators: [[f64; 3]; 6],
    reach: f64,
    /// What may be wrong with a distance in `f64`.
    slack: f64,
    exact: std::cell::OnceCell<Exact>,
}

/// The same in integers.
struct Exact {
    t: Vector,
    generators: [Vector; 6],
    /// The columns of n R of each box, and n; generators are multiples of them.
    columns: [Vector; 6],
    lengths: [BigInt; 2],
    /// The half extents of each box, times what turns columns into generators.
    half: [BigInt; 6],
    reach: BigInt,
}

/// Far more than all rounding in `f64` adds up to, as a share of the largest number.
const SLACK: f64 = 1.0 / (1_u64 << 40) as f64;

fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn cross_exactly(a: &Vector, b: &Vector) -> Vector {
    let term = |i: usize, j: usize| Int::sub(&Int::mul(&a[i], &b[j]), &Int::mul(&a[j], &b[i]));
    [term(1, 2), term(2, 0), term(0, 1)]
}

impl<'a> Features<'a> {
    fn new(a: &'a Solid, b: &'a Solid, margin: Margin) -> Self {
        let t = [0, 1, 2].map(|k| b.center[k] - a.center[k]);
        let generators = [0, 1, 2, 3, 4, 5].map(|k| {
            let (solid, axis) = if k < 3 { (a, k) } else { (b, k - 3) };
            solid.axes[axis].map(|x| x * solid.half[axis])
        });
        let reach = 2.0 * margin.0.map(f64::from).iter().sum::<f64>();
        let sizes = |v: &[f64; 3]| v.iter().map(|x| x.abs()).sum::<f64>();
        let size = sizes(&a.center) + sizes(&b.center) + sizes(&a.half) + sizes(&b.half) + reach;
        Self { a, b, margin, t, generators, reach, slack: SLACK * size, exact: std::cell::OnceCell::new() }
    }

    /// Whether even balls around the boxes are further apart than the margin.
    fn are_far_apart(&self) -> bool {
        let length = |v: &[f64; 3]| dot(v, v).sqrt();
        length(&self.t) > length(&self.a.half) + length(&self.b.half) + self.reach + self.slack
    }

    fn exact(&self) -> &Exact {
        self.exact.get_or_init(|| Exact::new(&self.a.exact, &self.b.exact, self.margin))
    }

    fn relation(&self) -> Relation {
        let mut relation = Relation::Separate;
        // Signs of the generators that are not free: bit k says that generator k counts as it is.
        for body in 0..2 {
            for signs in 0..8_u32 {
                match self.corner(body, signs << (3 * body)) {
                    Ordering::Less => return Relation::Overlapping,
                    Ordering::Equal => relation = Relation::Touching,
                    Ordering::Greater => {}
                }
            }
        }
        for edges in 0..9 {
            let free = 1 << (edges / 3) | 8 << (edges % 3);
            for signs in (0..64_u32).filter(|signs| signs & free == 0) {
                match self.edges((edges / 3, 3 + edges % 3), signs) {
                    Ordering::Less => return Relation::Overlapping,
                    Ordering::Equal => relation = Relation::Touching,
                    Ordering::Greater => {}
                }
            }
        }
        relation
    }

    /// t and these generators, with their signs.
    fn corner_at(&self, fixed: u32, signs: u32) -> [f64; 3] {
        let mut sum = self.t;
        for k in (0..6).filter(|k| fixed >> k & 1 == 1) {
            let sign = if signs >> k & 1 == 1 { 1.0 } else { -1.0 };
            sum = [0, 1, 2].map(|axis| sum[axis] + sign * self.generators[k][axis]);
        }
        sum
    }

    /// The distance of a corner of one box from the other box, against the margin.
    fn corner(&self, body: u32, signs: u32) -> Ordering {
        let from = self.corner_at(7 << (3 * body), signs);
        let other = if body == 0 { self.b } else { self.a };
        let outside = [0, 1, 2].map(|k| (dot(&other.axes[k], &from).abs() - other.half[k]).max(0.0));
        let distance = dot(&outside, &outside).sqrt();
        if distance > self.reach + self.slack {
            Ordering::Greater
        } else if distance < self.reach - self.slack {
            Ordering::Less
        } else {
            self.exact().corner(body, signs)
        }
    }

    /// The distance of two edges, in the directions of these generators, against the margin; greater where the nearest points are not
    /// inside both: then those of a corner are nearer.
    fn edges(&self, (i, j): (usize, usize), signs: u32) -> Ordering {
        let (g, h) = (&self.generators[i], &self.generators[j]);
        let from = self.corner_at(!(1 << i | 1 << j), signs);
        let across = cross(g, h);
        let (length, size) = (dot(&across, &across).sqrt(), dot(g, g).sqrt() * dot(h, h).sqrt());
        // Both sides times the length of the cross product, whose error is that of a product of two vectors.
        if dot(&from, &across).abs() > self.reach * length + 2.0 * self.slack * size {
            return Ordering::Greater;
        }
        self.exact().edges((i, j), signs)
    }
}

impl Exact {
    fn new(a: &ExactBox, b: &ExactBox, margin: Margin) -> Self {
        let scale = Scale::of(a.place.numbers().into_iter().chain(b.place.numbers()).chain(margin.0));
        let ((center_a, half_a), (center_b, half_b)) =
            (a.place.doubled::<BigInt>(scale), b.place.doubled::<BigInt>(scale));
        let matrix = |rotation: &IntQuaternion| rotation.matrix::<BigInt>();
        let (of_a, of_b) = (matrix(&a.rotation), matrix(&b.rotation));
        // The unit is that of positions over nA nB: columns of A are multiplied by nB, and those of B by nA.
        let unit = Int::mul(&of_a.n, &of_b.n);
        let [a0, a1, a2] = half_a.map(|half| Int::mul(&half, &of_b.n));
        let [b0, b1, b2] = half_b.map(|half| Int::mul(&half, &of_a.n));
        let half = [a0, a1, a2, b0, b1, b2];
        let ([x, y, z], [p, q, r]) = (of_a.columns, of_b.columns);
        let columns = [x, y, z, p, q, r];
        let generators = std::array::from_fn(|k| columns[k].clone().map(|x| Int::mul(&x, &half[k])));
        let t = [0, 1, 2].map(|k| Int::mul(&Int::sub(&center_b[k], &center_a[k]), &unit));
        let reach = Int::mul(&reach::<BigInt>(margin, scale), &unit);
        Self { t, generators, columns, lengths: [of_a.n, of_b.n], half, reach }
    }

    fn corner_at(&self, fixed: u32, signs: u32) -> Vector {
        let mut sum = self.t.clone();
        for k in (0..6).filter(|k| fixed >> k & 1 == 1) {
            let add = signs >> k & 1 == 1;
            let part = |axis: usize| {
                let (x, y) = (&sum[axis], &self.generators[k][axis]);
                if add { Int::add(x, y) } else { Int::sub(x, y) }
            };
            sum = [part(0), part(1), part(2)];
        }
        sum
    }

    /// The columns of the other box have length n, and so |x| n is compared with half n².
    fn corner(&self, body: u32, signs: u32) -> Ordering {
        let from = self.corner_at(7 << (3 * body), signs);
        let other = 1 - body as usize;
        let n = &self.lengths[other];
        let outside = [0, 1, 2].map(|k| {
            let k = 3 * other + k;
            let limit = Int::mul(&Int::mul(&self.half[k], n), n);
            Int::sub(&Int::abs(&BigInt::dot(&self.columns[k], &from)), &limit).max(BigInt::zero())
        });
        let reach = Int::mul(&self.reach, n);
        BigInt::dot(&outside, &outside).cmp(&Int::mul(&reach, &reach))
    }

    /// The lines of two edges g and h are |d · (g × h)| / |g × h| apart, nearest at multiples λ and μ of g and h.
    fn edges(&self, (i, j): (usize, usize), signs: u32) -> Ordering {
        let (g, h) = (&self.generators[i], &self.generators[j]);
        let from = self.corner_at(!(1 << i | 1 << j), signs);
        let across = cross_exactly(g, h);
        let square = BigInt::dot(&across, &across);
        let zero = BigInt::zero();
        if square == zero {
            return Ordering::Greater;
        }
        let (gg, hh, gh) = (BigInt::dot(g, g), BigInt::dot(h, h), BigInt::dot(g, h));
        let (dg, dh) = (BigInt::dot(&from, g), BigInt::dot(&from, h));
        let along_g = Int::sub(&Int::mul(&dh, &gh), &Int::mul(&dg, &hh));
        let along_h = Int::sub(&Int::mul(&dg, &gh), &Int::mul(&dh, &gg));
        if Int::abs(&along_g) > square || Int::abs(&along_h) > square {
            return Ordering::Greater;
        }
        let distance = BigInt::dot(&from, &across);
        Int::mul(&distance, &distance).cmp(&Int::mul(&Int::mul(&self.reach, &self.reach), &square))
    }
}
