//! A point as a shape in a pose sees it, and on which side of the shape's corners it lies. The signs are exact.

use std::cell::OnceCell;
use std::cmp::Ordering;

use glam::{DVec2, DVec3, Vec3};
use num_bigint::BigInt;

use super::orient::{scaled, sign};
use super::{Placement, Pose, check};

/// R⁻¹ (point − position): in `f64` with a bound of its error, and as fractions where that decides nothing.
pub(super) struct LocalPoint {
    point: Vec3,
    pose: Pose,
    near: DVec3,
    /// No coordinate of `near` is off by more.
    error: f64,
    exact: OnceCell<Fractions>,
}

/// Three numbers over one denominator above zero, in units of 2⁻¹⁴⁹.
struct Fractions {
    numerators: [BigInt; 3],
    denominator: BigInt,
}

impl LocalPoint {
    /// Of finite numbers.
    pub(super) fn new(point: Vec3, pose: &Pose) -> Self {
        let position = pose.position().to_vec3().as_dvec3();
        let (offset, slack) = check::sum_and_slack(point.as_dvec3(), -position);
        let (near, error) = if pose.turns() {
            // The bound that `local_reach` derives.
            (Placement::new(pose).to_local(offset), 16.0 * f64::EPSILON * offset.abs().max_element())
        } else {
            (offset, slack.max_element())
        };
        Self { point, pose: *pose, near, error, exact: OnceCell::new() }
    }

    fn exact(&self) -> &Fractions {
        self.exact.get_or_init(|| {
            let position = self.pose.position().to_vec3();
            let d = [0, 1, 2].map(|k| scaled(self.point[k]) - scaled(position[k]));
            if !self.pose.turns() {
                return Fractions { numerators: d, denominator: BigInt::from(1) };
            }
            // With u and w the parts of the quaternion, n R⁻¹ d = (w² − u²) d + 2 (u · d) u − 2 w (u × d), n being w² + u².
            let [x, y, z, w] = self.pose.rotation_array().map(scaled);
            let u = [x, y, z];
            let dot = |a: &[BigInt; 3], b: &[BigInt; 3]| &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2];
            let (ww, uu, ud) = (&w * &w, dot(&u, &u), dot(&u, &d));
            let across = |k: usize| &u[(k + 1) % 3] * &d[(k + 2) % 3] - &u[(k + 2) % 3] * &d[(k + 1) % 3];
            let numerators = [0, 1, 2].map(|k| (&ww - &uu) * &d[k] + ((&ud * &u[k] - &w * across(k)) << 1));
            Fractions { numerators, denominator: ww + uu }
        })
    }

    /// The exact coordinate above that of a corner, times the denominator.
    fn above(&self, k: usize, corner: f32) -> BigInt {
        let Fractions { numerators, denominator } = self.exact();
        &numerators[k] - denominator * scaled(corner)
    }

    /// The order of coordinate `k` and `x`.
    pub(super) fn cmp(&self, k: usize, x: f32) -> Ordering {
        let apart = self.near[k] - f64::from(x);
        // A difference has the right sign whatever it is rounded to, so the error is all that counts.
        if self.error == 0.0 || apart.abs() > 2.0 * self.error {
            return apart.partial_cmp(&0.0).unwrap_or(Ordering::Equal);
        }
        sign(&self.above(k, x))
    }

    /// The sign of `(b − a) × (self − a)` in the projection to the coordinates `i` and `j`.
    pub(super) fn orient2d(&self, a: Vec3, b: Vec3, (i, j): (usize, usize)) -> Ordering {
        let flat = |p: DVec3| DVec2::new(p[i], p[j]);
        let origin = flat(a.as_dvec3());
        let (u, v) = (flat(b.as_dvec3()) - origin, flat(self.near) - origin);
        let (left, right) = (u.x * v.y, u.y * v.x);
        let det = left - right;
        // As of two points, and what the error of this one adds: at most |u₁| + |u₂| of it, rounded generously.
        let bound = 8.0 * f64::EPSILON * (left.abs() + right.abs()) + 2.0 * self.error * (u.x.abs() + u.y.abs());
        if det.abs() > bound {
            return if det > 0.0 { Ordering::Greater } else { Ordering::Less };
        }
        let along = |k: usize| scaled(b[k]) - scaled(a[k]);
        sign(&(along(i) * self.above(j, a[j]) - along(j) * self.above(i, a[i])))
    }

    /// Whether it lies on the line through two points that differ.
    pub(super) fn on_line(&self, a: Vec3, b: Vec3) -> bool {
        [(0, 1), (1, 2), (2, 0)].into_iter().all(|axes| self.orient2d(a, b, axes) == Ordering::Equal)
    }

    /// The sign of `((b − a) × (c − a)) · (self − a)`.
    pub(super) fn orient3d(&self, a: Vec3, b: Vec3, c: Vec3) -> Ordering {
        let origin = a.as_dvec3();
        let (u, v, w) = (b.as_dvec3() - origin, c.as_dvec3() - origin, self.near - origin);
        let det = u.cross(v).dot(w);
        let larger = |i: usize, j: usize| (u[i] * v[j]).abs().max((u[j] * v[i]).abs());
        let products = DVec3::new(larger(1, 2), larger(2, 0), larger(0, 1));
        // As of four points, and what the error of this one adds: a component of the normal is at most twice the larger of its
        // products, and is counted four times.
        let bound = 32.0 * f64::EPSILON * products.dot(w.abs()) + 4.0 * self.error * products.element_sum();
        if det.abs() > bound {
            return if det > 0.0 { Ordering::Greater } else { Ordering::Less };
        }
        let from_a = |p: Vec3| [0, 1, 2].map(|k| scaled(p[k]) - scaled(a[k]));
        let (u, v) = (from_a(b), from_a(c));
        let minor = |i: usize, j: usize| &u[i] * &v[j] - &u[j] * &v[i];
        let term = |k: usize| minor((k + 1) % 3, (k + 2) % 3) * self.above(k, a[k]);
        sign(&(term(0) + term(1) + term(2)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::mix;

    type Whole = [i128; 3];

    fn minus(a: Whole, b: Whole) -> Whole {
        [0, 1, 2].map(|k| a[k] - b[k])
    }

    /// Points of the plane, the line and the coordinate of corners, and others that are a step beside them, seen by shapes whose rotations are
    /// not numbers of `f64`: n R⁻¹ has whole numbers.
    #[test]
    fn signs_are_those_of_whole_numbers() {
        let mut equal = [0; 3];
        for case in 0..4000_u64 {
            let number = |k: u64, most: i64| i128::from((mix(100 * case + k) % (2 * most as u64 + 1)) as i64 - most);
            let [x, y, z, w] = [0, 1, 2, 3].map(|k| number(k, 4));
            let n = x * x + y * y + z * z + w * w;
            if n == 0 {
                continue;
            }
            let vector = |k: u64| [0, 1, 2].map(|axis| number(10 + 3 * k + axis, 20));
            // Corners that are multiples of n, and a point on their plane, their line or at their height.
            let scale = |v: Whole, by: i128| v.map(|x| x * by);
            let (a, u, v) = (scale(vector(0), n), scale(vector(1), n), scale(vector(2), n));
            let (s, t) = (number(40, 3), number(41, 3) * i128::from(case % 3 == 0));
            let at = [0, 1, 2].map(|k| a[k] + s * u[k] + t * v[k]);
            let at = if case % 3 == 2 { [a[0], at[1] + n, at[2] - n] } else { at };
            // n R at = (w² − r²) at + 2 (r · at) r + 2 w (r × at), with r = (x, y, z).
            let r = [x, y, z];
            let turned = |v: Whole, w: i128| {
                let along = r[0] * v[0] + r[1] * v[1] + r[2] * v[2];
                let across = |k: usize| r[(k + 1) % 3] * v[(k + 2) % 3] - r[(k + 2) % 3] * v[(k + 1) % 3];
                [0, 1, 2].map(|k| (2 * w * w - n) * v[k] + 2 * along * r[k] + 2 * w * across(k))
            };
            let position = vector(3);
            let step = if case % 2 == 0 { [0; 3] } else { vector(5).map(i128::signum) };
            let world = [0, 1, 2].map(|k| turned(at, w)[k] / n + position[k] + step[k]);
            let float = |v: Whole| Vec3::from_array(v.map(|x| x as f32));
            let pose =
                Pose::new(float(position), glam::Quat::from_array([x, y, z, w].map(|x| x as f32))).expect("a pose");
            let point = LocalPoint::new(float(world), &pose);
            // The point and the corners, n times as large, exactly.
            let local = turned(minus(world, position), -w);
            let [b, c] = [u, v].map(|way| [0, 1, 2].map(|k| a[k] + way[k]));
            let from_a = minus(local, scale(a, n));
            let cross = |i: usize, j: usize| u[i] * v[j] - u[j] * v[i];
            let volume = cross(1, 2) * from_a[0] + cross(2, 0) * from_a[1] + cross(0, 1) * from_a[2];
            let area = |i: usize, j: usize| u[i] * from_a[j] - u[j] * from_a[i];
            let what = || format!("case {case}: {world:?} {position:?} {:?} {a:?} {b:?} {c:?}", [x, y, z, w]);
            assert_eq!(point.orient3d(float(a), float(b), float(c)), volume.cmp(&0), "{}", what());
            for axes in [(0, 1), (1, 2), (2, 0)] {
                assert_eq!(point.orient2d(float(a), float(b), axes), area(axes.0, axes.1).cmp(&0), "{}", what());
            }
            for k in 0..3 {
                assert_eq!(point.cmp(k, a[k] as f32), from_a[k].cmp(&0), "{}", what());
            }
            equal[0] += u32::from(volume == 0);
            equal[1] += u32::from(area(0, 1) == 0);
            equal[2] += u32::from(from_a[0] == 0);
        }
        assert!(equal.iter().all(|count| *count > 300), "{equal:?}");
    }
}
