use super::{Aabb, Capsule, ConvexHull, Obb, Plane, Segment, Sphere, Triangle};
use crate::Result;

/// A shape of any kind, for sets of [`Bodies`](crate::Bodies) and for [queries](crate::query) between shapes whose kinds
/// are known only at run time.
///
/// ```
/// use tangency::shape::{Capsule, Plane, Shape};
///
/// let shapes: Vec<Shape> = vec![Capsule::new([0.0; 3], [0.0, 1.0, 0.0], 0.5)?.into(), Plane::new([0.0, 1.0, 0.0], 0.0)?.into()];
/// assert_eq!((shapes[0].kind(), shapes[1].kind()), ("capsule", "plane"));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Shape {
    /// A ball.
    Sphere(Sphere),
    /// An axis-aligned box.
    Aabb(Aabb),
    /// An oriented box.
    Obb(Obb),
    /// A ball drawn along a segment.
    Capsule(Capsule),
    /// The convex hull of points.
    ConvexHull(ConvexHull),
    /// A triangle.
    Triangle(Triangle),
    /// A straight line between two points.
    Segment(Segment),
    /// A plane and the half-space behind it.
    Plane(Plane),
}

impl Shape {
    /// The name of the kind: `sphere`, `aabb`, `obb`, `capsule`, `convex_hull`, `triangle`, `segment` or `plane`.
    ///
    /// ```
    /// # use tangency::shape::{Shape, Triangle};
    /// assert_eq!(Shape::from(Triangle::default()).kind(), "triangle");
    /// ```
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Sphere(_) => "sphere",
            Self::Aabb(_) => "aabb",
            Self::Obb(_) => "obb",
            Self::Capsule(_) => "capsule",
            Self::ConvexHull(_) => "convex_hull",
            Self::Triangle(_) => "triangle",
            Self::Segment(_) => "segment",
            Self::Plane(_) => "plane",
        }
    }

    /// Checks that this is a shape with at least one point.
    ///
    /// ```
    /// # use tangency::shape::{Aabb, Shape};
    /// assert_eq!(Shape::from(Aabb::EMPTY).validate(), Err(tangency::Error::EmptyBox));
    /// ```
    ///
    /// # Errors
    /// As the constructor of the shape.
    pub fn validate(&self) -> Result<()> {
        match self {
            Self::Sphere(shape) => shape.validate(),
            Self::Aabb(shape) => shape.validate(),
            Self::Obb(shape) => shape.validate(),
            Self::Capsule(shape) => shape.validate(),
            // It can only be made by its constructor.
            Self::ConvexHull(_) => Ok(()),
            Self::Triangle(shape) => shape.validate(),
            Self::Segment(shape) => shape.validate(),
            Self::Plane(shape) => shape.validate(),
        }
    }

    /// An axis-aligned box that contains the shape; `None` for a plane, which no box contains.
    ///
    /// ```
    /// # use tangency::shape::{Aabb, Plane, Segment, Shape};
    /// let rod = Shape::from(Segment::new([0.0; 3], [1.0, 2.0, 3.0])?);
    /// assert_eq!(rod.aabb(), Some(Aabb::new([0.0; 3], [1.0, 2.0, 3.0])?));
    /// assert_eq!(Shape::from(Plane::new([0.0, 1.0, 0.0], 0.0)?).aabb(), None);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn aabb(&self) -> Option<Aabb> {
        Some(match self {
            Self::Sphere(shape) => shape.aabb(),
            Self::Aabb(shape) => *shape,
            Self::Obb(shape) => shape.aabb(),
            Self::Capsule(shape) => shape.aabb(),
            Self::ConvexHull(shape) => shape.aabb(),
            Self::Triangle(shape) => shape.aabb(),
            Self::Segment(shape) => shape.aabb(),
            Self::Plane(_) => return None,
        })
    }
}

macro_rules! from_kinds {
    ($($kind:ident)*) => {$(
        impl From<$kind> for Shape {
            fn from(shape: $kind) -> Self {
                Self::$kind(shape)
            }
        }
    )*};
}

from_kinds!(Sphere Aabb Obb Capsule ConvexHull Triangle Segment Plane);
