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
