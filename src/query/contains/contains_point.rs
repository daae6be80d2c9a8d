use std::cmp::Ordering;

use glam::Vec3;

use crate::query::by_kind::by_kind;
use crate::query::{closest_point, intersect, near, side_of_point};
use crate::shape::{Aabb, Capsule, ConvexHull, Obb, Parallelogram, Plane, Segment, Shape, Sphere, Triangle};

/// A shape of which [`contains_point`] can tell what lies in it.
///
/// ```
/// use tangency::{query::{self, ContainsPoint}, shape::{Aabb, Sphere}};
///
/// fn around_origin(shape: &impl ContainsPoint) -> bool {
///     query::contains_point(shape, [0.0; 3])
/// }
/// assert!(around_origin(&Sphere::new([1.0, 0.0, 0.0], 1.0)?) && !around_origin(&Aabb::new([1.0; 3], [2.0; 3])?));
/// # Ok::<(), tangency::Error>(())
/// ```
pub trait ContainsPoint {
    /// Whether the point belongs to the shape; see [`contains_point`].
    fn contains_point(&self, point: Vec3) -> bool;
}

/// Whether `point` belongs to `shape`, surface included.
///
/// Exact for balls, boxes and hulls: a point is a ball of radius 0; and for a [`Plane`], which stands for its half-space. For capsule, segment, triangle and parallelogram, computed in `f64`,
/// a point at most 2⁻⁴⁰ of the largest number away is held to belong to it; where points are only nearly
/// in a triangle's plane, compare the distance of [`closest_point`] with a tolerance of your own. A point
/// that is not finite lies in nothing.
///
/// ```
/// use tangency::{query, shape::{Sphere, Triangle}};
///
/// let ball = Sphere::new([0.0; 3], 5.0)?;
/// assert!(query::contains_point(&ball, [3.0, 4.0, 0.0]));
/// assert!(!query::contains_point(&ball, [3.0, 4.0, 1e-20]));
///
/// let triangle = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
/// assert!(query::contains_point(&triangle, [2.0, 2.0, 0.0]));
/// assert!(!query::contains_point(&triangle, [2.0, 2.1, 0.0]) && !query::contains_point(&triangle, [1.0, 1.0, 0.1]));
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn contains_point(shape: &impl ContainsPoint, point: impl Into<Vec3>) -> bool {
    shape.contains_point(point.into())
}

impl ContainsPoint for Sphere {
    fn contains_point(&self, point: Vec3) -> bool {
        Self::new(point, 0.0).is_ok_and(|point| intersect(self, &point).is_hit())
    }
}

impl ContainsPoint for Aabb {
    fn contains_point(&self, point: Vec3) -> bool {
        Self::contains_point(self, point)
    }
}

impl ContainsPoint for Obb {
    fn contains_point(&self, point: Vec3) -> bool {
        Sphere::new(point, 0.0).is_ok_and(|point| intersect(self, &point).is_hit())
    }
}

impl ContainsPoint for Plane {
    fn contains_point(&self, point: Vec3) -> bool {
        side_of_point(point, self).is_ok_and(|height| height != Ordering::Greater)
    }
}

impl ContainsPoint for Shape {
    fn contains_point(&self, point: Vec3) -> bool {
        by_kind!(self, |shape| ContainsPoint::contains_point(shape, point))
    }
}

impl ContainsPoint for ConvexHull {
    fn contains_point(&self, point: Vec3) -> bool {
        Self::contains_point(self, point)
    }
}

/// Whether the distance from the shape is no more than rounding of numbers of this size.
fn nearly(distance: f32, point: Vec3, largest: f32) -> bool {
    f64::from(distance) <= near::TOLERANCE * f64::from(largest.max(point.abs().max_element()))
}

impl ContainsPoint for Capsule {
    fn contains_point(&self, point: Vec3) -> bool {
        let largest = self.a().abs().max(self.b().abs()).max_element().max(self.radius());
        closest_point(self, point).is_ok_and(|found| nearly(found.distance, point, largest))
    }
}

impl ContainsPoint for Segment {
    fn contains_point(&self, point: Vec3) -> bool {
        let largest = self.a().abs().max(self.b().abs()).max_element();
        closest_point(self, point).is_ok_and(|found| nearly(found.distance, point, largest))
    }
}

impl ContainsPoint for Triangle {
    fn contains_point(&self, point: Vec3) -> bool {
        let largest = self.corners().into_iter().fold(0.0_f32, |m, p| m.max(p.abs().max_element()));
        closest_point(self, point).is_ok_and(|found| nearly(found.distance, point, largest))
    }
}

impl ContainsPoint for Parallelogram {
    fn contains_point(&self, point: Vec3) -> bool {
        let largest =
            [self.corner(), self.u(), self.v()].into_iter().fold(0.0_f32, |m, p| m.max(p.abs().max_element()));
        closest_point(self, point).is_ok_and(|found| nearly(found.distance, point, largest))
    }
}
