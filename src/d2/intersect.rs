use super::{Aabb2, Circle, Obb2};
use crate::Relation;
use crate::query::{self, Intersect};
use crate::shape::{Aabb, Obb, Sphere};

/// A shape in the plane whose relation to others [`intersect`] can tell, by the shape in space that stands on it.
///
/// Rectangles stand from z = −1 to 1, a disc is the middle of a ball: along z they always overlap, so nothing but the
/// plane decides.
///
/// ```
/// use tangency::{d2::{Circle, Planar}, shape::Sphere};
///
/// assert_eq!(Circle::new([1.0, 2.0], 3.0)?.solid(), Some(Sphere::new([1.0, 2.0, 0.0], 3.0)?));
/// # Ok::<(), tangency::Error>(())
/// ```
pub trait Planar {
    /// The kind of shape that stands on it.
    type Solid;

    /// The shape that stands on it; `None` for what `validate` refuses.
    fn solid(&self) -> Option<Self::Solid>;
}

impl Planar for Aabb2 {
    type Solid = Aabb;

    fn solid(&self) -> Option<Aabb> {
        Aabb::new(self.min().extend(-1.0), self.max().extend(1.0)).ok()
    }
}

impl Planar for Circle {
    type Solid = Sphere;

    fn solid(&self) -> Option<Sphere> {
        Sphere::new(self.center().extend(0.0), self.radius()).ok()
    }
}

impl Planar for Obb2 {
    type Solid = Obb;

    fn solid(&self) -> Option<Obb> {
        self.solid_box().ok()
    }
}

/// Whether two shapes in the plane are separate, touching or overlapping: the exact verdict, for every finite `f32`.
///
/// Rectangles by their bounds, circles by `|c₁ − c₂|² ≤ (r₁ + r₂)²`, a circle and a rectangle through the clamped closest
/// point, oriented ones by their 4 axes; all of it through the exact tests in space.
///
/// ```
/// use tangency::{Relation, d2::{self, Circle, Obb2}};
///
/// let diamond = Obb2::from_half_angle([0.0, 0.0], [3.0, 4.0], [2.0, 1.0])?; // turned by the angle of (3, 4)
/// assert_eq!(d2::intersect(&diamond, &Circle::new([6.0, 8.0], 7.0)?), Relation::Touching);
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn intersect<A: Planar, B: Planar>(a: &A, b: &B) -> Relation
where
    A::Solid: Intersect<B::Solid, Answer = Relation>,
{
    match (a.solid(), b.solid()) {
        (Some(a), Some(b)) => query::intersect(&a, &b),
        _ => Relation::Separate,
    }
}
