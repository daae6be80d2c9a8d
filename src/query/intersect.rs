use crate::exact::{Core, Margin};
use crate::query::by_kind::by_kind;
use crate::shape::kinds::BodyShape;
use crate::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Segment, Shape, Sphere, Triangle};
use crate::{Relation, Result, exact};

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
    /// A [`Relation`]; of two [`Shape`]s a [`Result`] with it, which is no error for any kind that there is.
    type Answer;

    /// How this shape and `other` lie to each other.
    fn relation(&self, other: &Other) -> Self::Answer;
}

/// Whether two shapes are separate, touching or overlapping: the exact verdict, for every finite `f32`.
///
/// Two shapes overlap when the origin is inside the set of all differences of their points, and touch when it is on the surface of
/// that set. So a flat shape overlaps what passes through it, but two shapes in one plane, or two segments, at most touch.
///
/// ```
/// use tangency::{Relation, query, shape::{ConvexHull, Segment}};
///
/// let sheet = ConvexHull::from_points([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [3.0, 3.0, 0.0], [0.0, 3.0, 0.0]])?;
/// let through = Segment::new([1.0, 1.0, -1.0], [1.0, 2.0, 1.0])?;
/// assert_eq!(query::intersect(&sheet, &through), Relation::Overlapping);
/// assert_eq!(query::intersect(&sheet, &through.translate([0.0, 0.0, 1.0])?), Relation::Touching);
/// assert_eq!(query::intersect(&sheet, &sheet), Relation::Touching);
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// A [`Plane`] stands for its half-space. Of two [`Shape`]s, such as those of [`Bodies`](crate::Bodies), it is a [`Result`]: all kinds that there are
/// have a verdict.
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
pub fn intersect<A: Intersect<B>, B>(a: &A, b: &B) -> A::Answer {
    a.relation(b)
}

/// One line a pair of kinds: the verdict for it, and for it the other way round.
macro_rules! relations {
    ($($a:ident $b:ident $verdict:ident;)*) => {$(
        impl Intersect<$b> for $a {
            type Answer = Relation;

            fn relation(&self, other: &$b) -> Relation {
                exact::$verdict(self, other)
            }
        }
    )*};
    (swapped $($a:ident $b:ident $verdict:ident;)*) => {$(
        impl Intersect<$b> for $a {
            type Answer = Relation;

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

/// Half-spaces with each kind that bodies can have, either way round.
macro_rules! relations_of_half_spaces {
    ($($other:ident)*) => {$(
        impl Intersect<$other> for Plane {
            type Answer = Relation;

            fn relation(&self, other: &$other) -> Relation {
                exact::half_space(self, &BodyShape::from(*other))
            }
        }

        impl Intersect<Plane> for $other {
            type Answer = Relation;

            fn relation(&self, other: &Plane) -> Relation {
                exact::half_space(other, &BodyShape::from(*self))
            }
        }
    )*};
}

relations_of_half_spaces!(Sphere Aabb Obb Capsule);

/// Half-spaces with the hulls of corners, either way round.
macro_rules! relations_of_corners {
    ($($other:ident |$shape:ident, $plane:ident| $found:expr;)*) => {$(
        impl Intersect<$other> for Plane {
            type Answer = Relation;

            fn relation(&self, $shape: &$other) -> Relation {
                let $plane = self;
                $found
            }
        }

        impl Intersect<Plane> for $other {
            type Answer = Relation;

            fn relation(&self, other: &Plane) -> Relation {
                other.relation(self)
            }
        }
    )*};
}

relations_of_corners! {
    ConvexHull |hull, plane| exact::half_space(plane, &hull.as_placed().into());
    Triangle |t, plane| if t.validate().is_ok() { exact::corners_half_space(&t.corners(), plane) } else { Relation::Separate };
    Segment |s, plane| if s.validate().is_ok() { exact::corners_half_space(&[s.a(), s.b()], plane) } else { Relation::Separate };
}

impl Intersect<Plane> for Plane {
    type Answer = Relation;

    fn relation(&self, other: &Plane) -> Relation {
        exact::half_space(self, &BodyShape::from(*other))
    }
}

/// Capsules with each kind that bodies can have, either way round.
macro_rules! relations_of_capsules {
    ($($other:ident)*) => {$(
        impl Intersect<$other> for Capsule {
            type Answer = Relation;

            fn relation(&self, other: &$other) -> Relation {
                exact::capsule(self, &BodyShape::from(*other))
            }
        }

        impl Intersect<Capsule> for $other {
            type Answer = Relation;

            fn relation(&self, other: &Capsule) -> Relation {
                exact::capsule(other, &BodyShape::from(*self))
            }
        }
    )*};
}

relations_of_capsules!(Sphere Aabb Obb);

impl Intersect<Capsule> for Capsule {
    type Answer = Relation;

    fn relation(&self, other: &Capsule) -> Relation {
        exact::capsule(self, &BodyShape::from(*other))
    }
}

/// Kinds that are decided by the corners of their cores, with others, either way round; and with themselves.
macro_rules! relations_of_cores {
    ($($a:ident: $($b:ident)*;)*) => {$(
        impl Intersect<$a> for $a {
            type Answer = Relation;

            fn relation(&self, other: &$a) -> Relation {
                exact::convex(&self.into(), &other.into(), Margin::default())
            }
        }

        $(
            impl Intersect<$b> for $a {
                type Answer = Relation;

                fn relation(&self, other: &$b) -> Relation {
                    exact::convex(&self.into(), &other.into(), Margin::default())
                }
            }

            impl Intersect<$a> for $b {
                type Answer = Relation;

                fn relation(&self, other: &$a) -> Relation {
                    exact::convex(&self.into(), &other.into(), Margin::default())
                }
            }
        )*
    )*};
}

relations_of_cores! {
    ConvexHull: Sphere Aabb Obb Capsule Triangle Segment;
    Triangle: Sphere Aabb Obb Capsule Segment;
    Segment: Sphere Aabb Obb Capsule;
}

/// The core of a shape; or the plane that it is, which has no corners.
fn core_of(shape: &Shape) -> std::result::Result<Core<'_>, &Plane> {
    Ok(match shape {
        Shape::Sphere(shape) => shape.into(),
        Shape::Aabb(shape) => shape.into(),
        Shape::Obb(shape) => shape.into(),
        Shape::Capsule(shape) => shape.into(),
        Shape::ConvexHull(shape) => shape.into(),
        Shape::Triangle(shape) => shape.into(),
        Shape::Segment(shape) => shape.into(),
        Shape::Plane(plane) => return Err(plane),
    })
}

impl Intersect<Shape> for Shape {
    type Answer = Result<Relation>;

    /// Never an error: all kinds that there are have a relation.
    fn relation(&self, other: &Shape) -> Result<Relation> {
        if let (Ok(a), Ok(b)) = (BodyShape::of(self), BodyShape::of(other)) {
            return Ok(a.relation(&b));
        }
        Ok(match (core_of(self), core_of(other)) {
            (Ok(a), Ok(b)) => exact::convex(&a, &b, Margin::default()),
            (Err(plane), _) => by_kind!(other, |shape| plane.relation(shape)),
            (_, Err(plane)) => by_kind!(self, |shape| plane.relation(shape)),
        })
    }
}

impl Intersect<BodyShape<'_>> for BodyShape<'_> {
    type Answer = Relation;

    fn relation(&self, other: &BodyShape<'_>) -> Relation {
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
            (BodyShape::Plane(a), b) | (b, BodyShape::Plane(a)) => exact::half_space(a, b),
            (BodyShape::ConvexHull(_), _) | (_, BodyShape::ConvexHull(_)) => {
                exact::within(self, other, Margin::default())
            }
            (BodyShape::Capsule(a), b) | (b, BodyShape::Capsule(a)) => exact::capsule(a, b),
        }
    }
}

/// The exact relation of two bodies of which one is grown by a margin to all sides.
pub(crate) fn relation_within(a: &BodyShape<'_>, b: &BodyShape<'_>, margin: Margin) -> Relation {
    if margin.is_zero() { a.relation(b) } else { exact::within(a, b, margin) }
}
