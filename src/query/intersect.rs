use crate::shape::{Aabb, BodyShape, Obb, Sphere};
use crate::{Relation, exact};

/// Two kinds of shapes whose relation [`intersect`] can tell.
///
/// ```
/// use tangency::{Relation, query::Intersect, shape::{Aabb, Sphere}};
///
/// let (ball, cube) = (Sphere::new([2.0, 0.5, 0.5], 1.0)?, Aabb::new([0.0; 3], [1.0; 3])?);
/// assert_eq!((ball.relation(&cube), cube.relation(&ball)), (Relation::Touching, Relation::Touching));
/// # Ok::<(), tangency::Error>(())
/// ```
pub trait Intersect<Other> {
    /// How this shape and `other` lie to each other.
    fn relation(&self, other: &Other) -> Relation;
}

/// Whether two shapes are separate, touching or overlapping: the exact verdict, for every finite `f32`.
///
/// ```
/// use tangency::glam::Quat;
/// use tangency::{Relation, query, shape::Obb};
///
/// let below = Obb::new([0.0, 0.0, 0.0], [1.0, 1.0, 1.0], Quat::IDENTITY)?;
/// let on_top = Obb::new([0.5, 2.0, 0.0], [1.0, 1.0, 1.0], Quat::IDENTITY)?;
/// assert_eq!(query::intersect(&below, &on_top), Relation::Touching);
///
/// let sunk = on_top.translate([0.0, -1e-6, 0.0])?;
/// assert_eq!(query::intersect(&below, &sunk), Relation::Overlapping);
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn intersect<A: Intersect<B>, B>(a: &A, b: &B) -> Relation {
    a.relation(b)
}

/// One line a pair of kinds: the verdict for it, and for it the other way round.
macro_rules! relations {
    ($($a:ident $b:ident $verdict:ident;)*) => {$(
        impl Intersect<$b> for $a {
            fn relation(&self, other: &$b) -> Relation {
                exact::$verdict(self, other)
            }
        }
    )*};
    (swapped $($a:ident $b:ident $verdict:ident;)*) => {$(
        impl Intersect<$b> for $a {
            fn relation(&self, other: &$b) -> Relation {
                exact::$verdict(other, self)
            }
        }
    )*};
}

relations! {
    Obb Obb obb_obb;
    Aabb Aabb aabb_aabb;
    Sphere Sphere sphere_sphere;
    Aabb Obb aabb_obb;
    Sphere Aabb sphere_aabb;
    Sphere Obb sphere_obb;
}

relations! {swapped
    Obb Aabb aabb_obb;
    Aabb Sphere sphere_aabb;
    Obb Sphere sphere_obb;
}

impl Intersect<BodyShape> for BodyShape {
    fn relation(&self, other: &BodyShape) -> Relation {
        match (self, other) {
            (BodyShape::Sphere(a), BodyShape::Sphere(b)) => exact::sphere_sphere(a, b),
            (BodyShape::Sphere(a), BodyShape::Aabb(b)) | (BodyShape::Aabb(b), BodyShape::Sphere(a)) => {
                exact::sphere_aabb(a, b)
            }
            (BodyShape::Sphere(a), BodyShape::Obb(b)) | (BodyShape::Obb(b), BodyShape::Sphere(a)) => {
                exact::sphere_obb(a, b)
            }
            (BodyShape::Aabb(a), BodyShape::Aabb(b)) => exact::aabb_aabb(a, b),
            (BodyShape::Aabb(a), BodyShape::Obb(b)) | (BodyShape::Obb(b), BodyShape::Aabb(a)) => exact::aabb_obb(a, b),
            (BodyShape::Obb(a), BodyShape::Obb(b)) => exact::obb_obb(a, b),
        }
    }
}
