//! Hulls in a pose against half-spaces: the signs of n·(p + R x) − d over the local corners x.

use std::cmp::Ordering;

use glam::{DVec3, Vec3};

use super::plane;
use crate::Side;
use crate::shape::{PlacedHull, Plane, Pose};

/// The side of a hull to a plane that is one.
pub(super) fn hull_plane(hull: &PlacedHull<'_>, plane: &Plane) -> Side {
    let heights = Heights::new(hull, plane);
    let mut outside = hull.local_vertices().iter().map(|&corner| heights.sign(corner) == Ordering::Greater);
    let first = outside.next().unwrap_or(true);
    if !outside.all(|next| next == first) {
        Side::Crossing
    } else if first {
        Side::Outside
    } else {
        Side::Inside
    }
}

/// The plane as the local form sees it: n·(p + R x) − d = (R⁻¹ n)·x + (n·p − d), in `f64`.
struct Heights<'a> {
    pose: Pose,
    plane: &'a Plane,
    normal: DVec3,
    base: f64,
    /// Σ |nₖ pₖ| + |d|.
    base_size: f64,
    /// Σ |nₖ|.
    normal_size: f64,
}

impl<'a> Heights<'a> {
    fn new(hull: &PlacedHull<'_>, plane: &'a Plane) -> Self {
        let (placement, n, d) = (hull.placement(), plane.normal().as_dvec3(), f64::from(plane.offset()));
        let products = n * placement.position();
        Self {
            pose: hull.pose(),
            plane,
            normal: placement.to_local(n),
            base: products.element_sum() - d,
            base_size: products.abs().element_sum() + d.abs(),
            normal_size: n.abs().element_sum(),
        }
    }

    /// The order of the corner's height and zero.
    ///
    /// With u = ε / 2: products of two `f32` are exact, so the base meets three roundings, 3 u of its size. A component of R⁻¹ n is off by
    /// 6 u of each term for the entry, u |nₖ| for the diagonal and 3 u for products and sums, together by less than 11 u of the normal's
    /// size. Its product with x meets three more roundings, and the last sum one of all: 4 u of the base's size and 15 u of the normal's
    /// size times that of the corner. Both are counted as 32 u.
    fn sign(&self, corner: Vec3) -> Ordering {
        let x = corner.as_dvec3();
        let height = self.normal.dot(x) + self.base;
        let bound = 16.0 * f64::EPSILON * (self.base_size + self.normal_size * x.abs().element_sum());
        if height.abs() > bound {
            return if height > 0.0 { Ordering::Greater } else { Ordering::Less };
        }
        plane::placed_point(corner.to_array(), &self.pose, self.plane)
    }
}
