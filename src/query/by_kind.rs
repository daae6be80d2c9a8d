use crate::shape::Shape;
use crate::{Error, Result};

/// One expression for a shape of every kind, or one for the solid kinds and another for a plane.
macro_rules! by_kind {
    ($shape:expr, |$any:ident| $answer:expr) => {
        $crate::query::by_kind::by_kind!($shape, |$any| $answer, |$any| $answer)
    };
    ($shape:expr, |$solid:ident| $of_solid:expr, |$plane:ident| $of_plane:expr) => {
        match $shape {
            $crate::shape::Shape::Sphere($solid) => $of_solid,
            $crate::shape::Shape::Aabb($solid) => $of_solid,
            $crate::shape::Shape::Obb($solid) => $of_solid,
            $crate::shape::Shape::Capsule($solid) => $of_solid,
            $crate::shape::Shape::ConvexHull($solid) => $of_solid,
            $crate::shape::Shape::Triangle($solid) => $of_solid,
            $crate::shape::Shape::Segment($solid) => $of_solid,
            $crate::shape::Shape::Plane($plane) => $of_plane,
        }
    };
}

pub(super) use by_kind;

/// The answer for kinds that have none.
pub(super) fn unsupported<T>(query: &'static str, a: &Shape, b: &Shape) -> Result<T> {
    Err(Error::Unsupported { query, a: a.kind(), b: b.kind() })
}
