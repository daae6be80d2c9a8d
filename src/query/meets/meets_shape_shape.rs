use crate::Side;
use crate::query::by_kind::by_kind;
use crate::query::{Meets, side};
use crate::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Segment, Shape, Sphere, Triangle};

/// With planes by the side, which is exact.
macro_rules! with_plane {
    ($($solid:ident)*) => {$(
        impl Meets<Plane> for $solid {
            fn meets(&self, other: &Plane) -> bool {
                side(self, other) != Side::Outside
            }
        }

        impl Meets<$solid> for Plane {
            fn meets(&self, other: &$solid) -> bool {
                side(other, self) != Side::Outside
            }
        }
    )*};
}

with_plane!(Sphere Aabb Obb Capsule ConvexHull Triangle Segment);

impl Meets<Self> for Plane {
    fn meets(&self, other: &Self) -> bool {
        side(self, other) != Side::Outside
    }
}

impl Meets<Self> for Shape {
    fn meets(&self, other: &Self) -> bool {
        by_kind!(self, |a| by_kind!(other, |b| a.meets(b)))
    }
}
