//! Two boxes of any orientation in integers.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::int::{Int, Scale, bits};
use super::rotation::{CommonAxes, IntQuaternion, Matrix};
use crate::Relation;
use crate::filter::AxisSet;
use crate::shape::{Aabb, Obb};

/// Where a box is: by centre and half extents, or by corners. Both become integers without rounding when doubled.
#[derive(Clone, Copy)]
pub(super) enum Place {
    CenterHalf([f32; 3], [f32; 3]),
    Corners([f32; 3], [f32; 3]),
}

impl Place {
    pub(super) fn numbers(self) -> [f32; 6] {
        let (Self::CenterHalf(a, b) | Self::Corners(a, b)) = self;
        [a[0], a[1], a[2], b[0], b[1], b[2]]
    }

    /// Twice the centre and twice the half extents.
    pub(super) fn doubled<I: Int>(self, scale: Scale) -> ([I; 3], [I; 3]) {
        match self {
            Self::CenterHalf(center, half) => {
                (scale.apply_all(center).map(|x: I| x.twice()), scale.apply_all(half).map(|x: I| x.twice()))
            }
            Self::Corners(min, max) => {
                let (min, max): ([I; 3], [I; 3]) = (scale.apply_all(min), scale.apply_all(max));
                ([0, 1, 2].map(|k| min[k].add(&max[k])), [0, 1, 2].map(|k| max[k].sub(&min[k])))
            }
        }
    }
}

/// A box with its numbers as given.
pub(super) struct ExactBox {
    pub(super) place: Place,
    pub(super) rotation: IntQuaternion,
}

impl From<&Obb> for ExactBox {
    fn from(obb: &Obb) -> Self {
        Self {
            place: Place::CenterHalf(obb.center().to_array(), obb.half_extents().to_array()),
            rotation: IntQuaternion::new(obb.rotation_array()),
        }
    }
}

impl From<&Aabb> for ExactBox {
    fn from(aabb: &Aabb) -> Self {
        Self { place: Place::Corners(aabb.min().to_array(), aabb.max().to_array()), rotation: IntQuaternion::IDENTITY }
    }
}

/// The positions of a pair: B's centre seen from A, and both boxes' half extents, in a common unit.
struct Layout<I> {
    t: [I; 3],
    half_a: [I; 3],
    half_b: [I; 3],
}

impl<I: Int> Layout<I> {
    fn new(a: Place, b: Place, scale: Scale) -> Self {
        let ((center_a, half_a), (center_b, half_b)) = (a.doubled::<I>(scale), b.doubled::<I>(scale));
        Self { t: [0, 1, 2].map(|k| center_b[k].sub(&center_a[k])), half_a, half_b }
    }
}

impl Layout<i128> {
    /// Divides by the largest common power of two, and returns the bits of the largest number left.
    fn reduce(&mut self) -> u32 {
        let all = || self.t.iter().chain(&self.half_a).chain(&self.half_b);
        let zeros = all().fold(0, |ones, x| ones | x).trailing_zeros().min(126);
        let largest = all().map(|x| bits(*x)).max().unwrap_or(0);
        for x in self.t.iter_mut().chain(&mut self.half_a).chain(&mut self.half_b) {
            *x >>= zeros;
        }
        largest.saturating_sub(zeros)
    }

    fn widen(self) -> Layout<BigInt> {
        let wide = |v: [i128; 3]| v.map(BigInt::from);
        Layout { t: wide(self.t), half_a: wide(self.half_a), half_b: wide(self.half_b) }
    }
}

/// The relation of two boxes, of whose 15 axes only the `open` ones can have a gap that is not negative.
pub(super) fn relation(a: &ExactBox, b: &ExactBox, open: AxisSet) -> Relation {
    let scale = Scale::of(a.place.numbers().into_iter().chain(b.place.numbers()));
    let common = a.rotation.common_axes(&b.rotation);
    let quaternion_bits = a.rotation.bits().max(b.rotation.bits());
    // Doubling and one addition or subtraction cost at most 3 bits.
    if scale.bits + 3 >= 127 {
        return Layout::<BigInt>::new(a.place, b.place, scale).relation(a, b, common, open);
    }
    let mut layout = Layout::<i128>::new(a.place, b.place, scale);
    let position_bits = layout.reduce();
    // Along a common axis the largest product is of a coordinate in A's frame. Otherwise it is of such a coordinate
    // (2q + p + 4 bits) with an entry of n² C (4q + 6), two of them added; the bound of the extents has the same size.
    let (open, needed) = match common {
        CommonAxes::All(_) => (open, 2 * quaternion_bits + position_bits + 7),
        CommonAxes::One(i, j) => {
            // Every edge axis is parallel to a face axis, and has the same sign.
            let along = AxisSet(1 << i | 8 << j);
            if open.0 & along.0 != 0 && 2 * quaternion_bits + position_bits + 7 < 127 {
                let gap = layout.gap_along(&a.rotation.matrix(), i, j);
                let others = AxisSet(open.0 & AxisSet::FACES.0 & !along.0);
                if gap == Ordering::Greater || others.0 == 0 {
                    return combine([gap]);
                }
            }
            (AxisSet(open.0 & AxisSet::FACES.0), 6 * quaternion_bits + position_bits + 13)
        }
        CommonAxes::Unknown => (open, 6 * quaternion_bits + position_bits + 13),
    };
    if needed < 127 { layout.relation(a, b, common, open) } else { layout.widen().relation(a, b, common, open) }
}

impl<I: Int> Layout<I> {
    fn relation(self, a: &ExactBox, b: &ExactBox, common: CommonAxes, open: AxisSet) -> Relation {
        let of_a = a.rotation.matrix();
        match common {
            CommonAxes::All(partner) => combine((0..3).map(|i| self.gap_along(&of_a, i, partner[i]))),
            _ => Pair { layout: self, a: of_a, b: b.rotation.matrix() }.relation(open),
        }
    }

    /// The sign of the gap along A's axis i, to which B's axis j is parallel: |t′ᵢ| against n (eAᵢ + eBⱼ).
    fn gap_along(&self, a: &Matrix<I>, i: usize, j: usize) -> Ordering {
        let distance = I::dot(&a.columns[i], &self.t).abs();
        distance.cmp(&a.n.mul(&self.half_a[i].add(&self.half_b[j])))
    }
}

/// The relation from the signs of the gaps of all axes that matter.
pub(super) fn combine(gaps: impl IntoIterator<Item = Ordering>) -> Relation {
    let mut relation = Relation::Overlapping;
    for gap in gaps {
        match gap {
            Ordering::Greater => return Relation::Separate,
            Ordering::Equal => relation = Relation::Touching,
            Ordering::Less => {}
        }
    }
    relation
}

/// Two boxes of general orientation; with M = n R, t′ᵢ = nA aᵢ · t and C′ᵢⱼ = nA nB aᵢ · bⱼ are integers.
struct Pair<I> {
    layout: Layout<I>,
    a: Matrix<I>,
    b: Matrix<I>,
}

impl<I: Int> Pair<I> {
    fn relation(&self, open: AxisSet) -> Relation {
        let axes: [fn(&Self) -> Ordering; 15] = [
            |p| p.face_a(0),
            |p| p.face_a(1),
            |p| p.face_a(2),
            |p| p.face_b(0),
            |p| p.face_b(1),
            |p| p.face_b(2),
            |p| p.edge(0, 0),
            |p| p.edge(0, 1),
            |p| p.edge(0, 2),
            |p| p.edge(1, 0),
            |p| p.edge(1, 1),
            |p| p.edge(1, 2),
            |p| p.edge(2, 0),
            |p| p.edge(2, 1),
            |p| p.edge(2, 2),
        ];
        combine(axes.iter().enumerate().filter(|(axis, _)| open.contains(*axis)).map(|(_, gap)| gap(self)))
    }

    fn c(&self, i: usize, j: usize) -> I {
        I::dot(&self.a.columns[i], &self.b.columns[j])
    }

    /// |t′ᵢ| nB against eAᵢ nA nB + Σⱼ |C′ᵢⱼ| eBⱼ.
    fn face_a(&self, i: usize) -> Ordering {
        let reach = |j: usize| self.c(i, j).abs().mul(&self.layout.half_b[j]);
        let own = self.a.n.mul(&self.b.n).mul(&self.layout.half_a[i]);
        let distance = I::dot(&self.a.columns[i], &self.layout.t).abs().mul(&self.b.n);
        distance.cmp(&own.add(&reach(0)).add(&reach(1)).add(&reach(2)))
    }

    /// |t″ⱼ| nA against eBⱼ nA nB + Σᵢ |C′ᵢⱼ| eAᵢ.
    fn face_b(&self, j: usize) -> Ordering {
        let reach = |i: usize| self.c(i, j).abs().mul(&self.layout.half_a[i]);
        let own = self.a.n.mul(&self.b.n).mul(&self.layout.half_b[j]);
        let distance = I::dot(&self.b.columns[j], &self.layout.t).abs().mul(&self.a.n);
        distance.cmp(&own.add(&reach(0)).add(&reach(1)).add(&reach(2)))
    }

    /// |t′ᵢ₂ C′ᵢ₁ⱼ − t′ᵢ₁ C′ᵢ₂ⱼ| against nA (eAᵢ₁|C′ᵢ₂ⱼ| + eAᵢ₂|C′ᵢ₁ⱼ| + eBⱼ₁|C′ᵢⱼ₂| + eBⱼ₂|C′ᵢⱼ₁|).
    ///
    /// Parallel edges have no such axis: its gap is reported as negative, which decides nothing.
    fn edge(&self, i: usize, j: usize) -> Ordering {
        let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        let (c1, c2) = (self.c(i1, j), self.c(i2, j));
        if c1 == I::zero() && c2 == I::zero() {
            return Ordering::Less;
        }
        let t = |k: usize| I::dot(&self.a.columns[k], &self.layout.t);
        let distance = t(i2).mul(&c1).sub(&t(i1).mul(&c2)).abs();
        let (half_a, half_b) = (&self.layout.half_a, &self.layout.half_b);
        let reach = half_a[i1].mul(&c2.abs()).add(&half_a[i2].mul(&c1.abs()));
        let reach = reach.add(&half_b[j1].mul(&self.c(i, j2).abs())).add(&half_b[j2].mul(&self.c(i, j1).abs()));
        distance.cmp(&self.a.n.mul(&reach))
    }
}
