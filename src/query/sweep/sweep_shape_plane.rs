//! Sweeps with a plane that may move too.

use super::sweep_plane::sweep_moving_plane;
use super::{Impact, Motion, SweepWith};
use crate::Result;
use crate::query::by_kind::unsupported;
use crate::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Segment, Shape, Sphere, Triangle};

/// A plane has no centre of its own.
fn turns_about_nothing(motion: &Motion) -> bool {
    motion.turns() && motion.pivot().is_none()
}

macro_rules! with_plane {
    ($($solid:ident)*) => {$(
        impl SweepWith<Plane> for $solid {
            type Answer = Result<Option<Impact>>;

            fn sweep(&self, motion: &Motion, other: &Plane, other_motion: &Motion) -> Self::Answer {
                if turns_about_nothing(other_motion) {
                    return unsupported("sweep of a turning plane", &Shape::from(self.clone()), &Shape::from(*other));
                }
                Ok(sweep_moving_plane(self, motion, other, other_motion).map(|(impact, _)| impact))
            }
        }

        impl SweepWith<$solid> for Plane {
            type Answer = Result<Option<Impact>>;

            fn sweep(&self, motion: &Motion, other: &$solid, other_motion: &Motion) -> Self::Answer {
                if turns_about_nothing(motion) {
                    return unsupported("sweep of a turning plane", &Shape::from(*self), &Shape::from(other.clone()));
                }
                let found = sweep_moving_plane(other, other_motion, self, motion);
                Ok(found.map(|(impact, on_plane)| Impact { normal: -impact.normal, point: on_plane, ..impact }))
            }
        }
    )*};
}

with_plane!(Sphere Aabb Obb Capsule ConvexHull Triangle Segment);
