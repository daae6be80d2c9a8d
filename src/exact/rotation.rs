//! Rotations as integers: a quaternion scaled to the smallest integers, and n R, which has integer entries.

use super::int::{Int, Scale, bits};

/// A quaternion as integers.
#[derive(Clone, Copy)]
pub(super) enum IntQuaternion {
    /// At most 62 bits, and without a common factor.
    Small([i64; 4]),
    /// The numbers as given, for big integers.
    Wide([f32; 4], Scale),
}

impl IntQuaternion {
    pub(super) const IDENTITY: Self = Self::Small([0, 0, 0, 1]);

    pub(super) fn new(q: [f32; 4]) -> Self {
        let scale = Scale::of(q);
        if scale.bits > 62 {
            return Self::Wide(q, scale);
        }
        let small = scale.apply_all::<i128, 4>(q).map(|x| x as i64);
        let divisor = small.iter().fold(0, |d, x| gcd(d, x.unsigned_abs())).max(1) as i64;
        Self::Small(small.map(|x| x / divisor))
    }

    /// The bits of the largest component.
    pub(super) fn bits(&self) -> u32 {
        match self {
            Self::Small(q) => q.iter().map(|x| bits(i128::from(*x))).max().unwrap_or(0),
            Self::Wide(_, scale) => scale.bits,
        }
    }

    /// conj(self) · other, for quaternions of at most 60 bits.
    fn relative(&self, other: &Self) -> Option<[i128; 4]> {
        let (Self::Small(a), Self::Small(b)) = (self, other) else { return None };
        if self.bits() > 60 || other.bits() > 60 {
            return None;
        }
        let ([x, y, z, w], [p, q, r, s]) = (a.map(i128::from), b.map(i128::from));
        Some([
            w * p - x * s - y * r + z * q,
            w * q + x * r - y * s - z * p,
            w * r - x * q + y * p - z * s,
            w * s + x * p + y * q + z * r,
        ])
    }

    /// If the boxes turned by these two rotations have their axes in common: for each axis of the first, which axis of the
    /// second is parallel to it.
    pub(super) fn common_axes(&self, other: &Self) -> Option<[usize; 3]> {
        self.relative(other).and_then(axis_permutation)
    }

    /// n R and n = q·q, for an integer type wide enough for them.
    pub(super) fn matrix<I: Int>(&self) -> Matrix<I> {
        let [x, y, z, w]: [I; 4] = match self {
            Self::Small(q) => q.map(|c| I::from(i128::from(c))),
            Self::Wide(q, scale) => scale.apply_all(*q),
        };
        let product = [[&x, &x], [&y, &y], [&z, &z], [&w, &w]].map(|[a, b]| a.mul(b));
        let [xx, yy, zz, ww] = &product;
        let plus = |a: &I, b: &I, c: &I, d: &I| a.mul(b).add(&c.mul(d)).twice();
        let minus = |a: &I, b: &I, c: &I, d: &I| a.mul(b).sub(&c.mul(d)).twice();
        Matrix {
            columns: [
                [ww.add(xx).sub(yy).sub(zz), plus(&x, &y, &w, &z), minus(&x, &z, &w, &y)],
                [minus(&x, &y, &w, &z), ww.add(yy).sub(xx).sub(zz), plus(&y, &z, &w, &x)],
                [plus(&x, &z, &w, &y), minus(&y, &z, &w, &x), ww.add(zz).sub(xx).sub(yy)],
            ],
            n: ww.add(xx).add(yy).add(zz),
        }
    }
}

/// n R, by columns: integers.
pub(super) struct Matrix<I> {
    pub columns: [[I; 3]; 3],
    pub n: I,
}

/// If a rotation maps coordinate axes to coordinate axes (its quaternion has one non-zero component, or two or four of equal
/// size): for each row of its matrix the column that is not zero.
pub(super) fn axis_permutation<T: Copy + PartialEq + Default + PartialOrd + std::ops::Neg<Output = T>>(
    q: [T; 4],
) -> Option<[usize; 3]> {
    let zero = T::default();
    let magnitude = |x: T| if x < zero { -x } else { x };
    let mut largest = zero;
    let mut count = 0;
    for x in q.map(magnitude) {
        if x == zero {
            continue;
        }
        if count > 0 && x != largest {
            return None;
        }
        largest = x;
        count += 1;
    }
    let [x, y, z, w] = q.map(|c| magnitude(c) != zero);
    match count {
        1 => Some([0, 1, 2]),
        // A quarter turn about a coordinate axis, or a half turn about a diagonal between two: both swap two axes.
        2 if x && w || y && z => Some([0, 2, 1]),
        2 if y && w || x && z => Some([2, 1, 0]),
        2 => Some([1, 0, 2]),
        // A third of a turn about a space diagonal; M₀₁ = 2 (xy − wz) tells which way round.
        4 => Some(if (q[0] == q[1]) == (q[3] == q[2]) { [2, 0, 1] } else { [1, 2, 0] }),
        _ => None,
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    loop {
        b >>= b.trailing_zeros();
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        b -= a;
        if b == 0 {
            return a << shift;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutations_match_the_matrices() {
        let mut seen = 0;
        for code in 0..81_i64 {
            let q = [code % 3 - 1, code / 3 % 3 - 1, code / 9 % 3 - 1, code / 27 - 1];
            if q == [0; 4] {
                continue;
            }
            let matrix = IntQuaternion::Small(q).matrix::<i128>();
            let aligned = (0..3).all(|j| matrix.columns[j].iter().filter(|x| **x != 0).count() == 1);
            let permutation = axis_permutation(q);
            assert_eq!(permutation.is_some(), aligned, "{q:?}");
            if let Some(p) = permutation {
                seen += 1;
                for (row, column) in p.into_iter().enumerate() {
                    assert_ne!(matrix.columns[column][row], 0, "{q:?}");
                }
            }
        }
        assert_eq!(seen, 48, "24 rotations, two signs each");
        assert_eq!(axis_permutation([0.5_f32, 0.0, 0.0, -0.5]), Some([0, 2, 1]));
        assert_eq!(axis_permutation([0.5_f32, 0.0, 0.0, 0.25]), None);
    }

    #[test]
    fn quaternions_lose_their_common_factor() {
        let IntQuaternion::Small(q) = IntQuaternion::new([0.3, 0.0, 0.0, -0.3]) else { panic!("small") };
        assert_eq!(q, [1, 0, 0, -1]);
        assert!(matches!(IntQuaternion::new([1.0, 1e-30, 0.0, 0.0]), IntQuaternion::Wide(..)));
    }

    #[test]
    fn relative_rotation_is_the_product() {
        let a = IntQuaternion::Small([1, 2, 3, 4]);
        assert_eq!(a.relative(&a), Some([0, 0, 0, 30]));
        assert_eq!(a.common_axes(&IntQuaternion::Small([-1, -2, -3, -4])), Some([0, 1, 2]));
        // (1,2,3,4) followed by a quarter turn about x: (1,2,3,4)·(1,0,0,1).
        let turned = IntQuaternion::Small([5, 5, 1, 3]);
        assert_eq!(a.common_axes(&turned), Some([0, 2, 1]));
    }
}
