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

    /// Which axes boxes turned by these two rotations have in common.
    pub(super) fn common_axes(&self, other: &Self) -> CommonAxes {
        let Some(q) = self.relative(other) else { return CommonAxes::Unknown };
        if let Some(partner) = axis_permutation(q) {
            return CommonAxes::All(partner);
        }
        // Entry (i, j) of the relative rotation is ±1 iff two sums of two squares vanish.
        let [x, y, z, w] = q;
        let only = |a: i128, b: i128, c: i128, d: i128| a == 0 && b == 0 || c == 0 && d == 0;
        let even = |a: i128, b: i128, c: i128, d: i128| a == b && c == -d || a == -b && c == d;
        for (axes, parallel) in [
            ((0, 0), only(y, z, x, w)),
            ((1, 1), only(x, z, y, w)),
            ((2, 2), only(x, y, z, w)),
            ((0, 1), even(x, y, w, z)),
            ((1, 0), even(x, y, w, -z)),
            ((0, 2), even(x, z, w, -y)),
            ((2, 0), even(x, z, w, y)),
            ((1, 2), even(y, z, w, x)),
            ((2, 1), even(y, z, w, -x)),
        ] {
            if parallel {
                return CommonAxes::One(axes.0, axes.1);
            }
        }
        CommonAxes::Unknown
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

/// The axes that two boxes share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommonAxes {
    /// All: axis i of the first is parallel to this axis of the second.
    All([usize; 3]),
    /// One: this axis of the first is parallel to that of the second. Everything that stands on one floor is so.
    One(usize, usize),
    /// None, or the numbers are too wide to tell quickly.
    Unknown,
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
    fn common_axes_are_those_of_the_relative_matrix() {
        let mut seen = [0; 3];
        for code in 0..2401_i64 {
            let q = [code % 7 - 3, code / 7 % 7 - 3, code / 49 % 7 - 3, code / 343 - 3];
            if q == [0; 4] {
                continue;
            }
            for a in [[0, 0, 0, 1], [1, 2, 3, 4], [-2, 1, 0, 5]] {
                // b = a q, so that the relative rotation is that of q.
                let ([x, y, z, w], [p, r, s, t]) = (a, q);
                let b = [
                    w * p + x * t + y * s - z * r,
                    w * r - x * s + y * t + z * p,
                    w * s + x * r - y * p + z * t,
                    w * t - x * p - y * r - z * s,
                ];
                let m = IntQuaternion::Small(q).matrix::<i128>();
                let parallel: Vec<(usize, usize)> =
                    (0..9).map(|k| (k / 3, k % 3)).filter(|(i, j)| m.columns[*j][*i].abs() == m.n).collect();
                let found = IntQuaternion::Small(a).common_axes(&IntQuaternion::Small(b));
                match found {
                    CommonAxes::All(p) => assert_eq!(parallel, [(0, p[0]), (1, p[1]), (2, p[2])], "{q:?}"),
                    CommonAxes::One(i, j) => assert_eq!(parallel, [(i, j)], "{q:?}"),
                    CommonAxes::Unknown => assert!(parallel.is_empty(), "{q:?}"),
                }
                seen[parallel.len().min(2)] += 1;
            }
        }
        assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
    }
}
