use super::{Impact, Motion, SweepPlane, SweepWith, SweptBounds};
use crate::Result;
use crate::query::by_kind::{by_kind, unsupported};
use crate::shape::{Aabb, Plane, Shape};

impl SweepWith<Self> for Shape {
    type Answer = Result<Option<Impact>>;

    /// [`Unsupported`](crate::Error::Unsupported) for two planes, and for a plane that turns about no pivot.
    fn sweep(&self, motion: &Motion, other: &Self, other_motion: &Motion) -> Self::Answer {
        by_kind!(
            self,
            |a| by_kind!(other, |b| Ok(a.sweep(motion, b, other_motion)), |plane| a.sweep(motion, plane, other_motion)),
            |plane| by_kind!(other, |b| plane.sweep(motion, b, other_motion), |_plane| unsupported(
                "sweep", self, other
            ))
        )
    }
}

impl SweepPlane for Shape {
    type Answer = Result<Option<Impact>>;

    /// [`Unsupported`](crate::Error::Unsupported) for a plane.
    fn sweep_plane(&self, motion: &Motion, plane: &Plane) -> Self::Answer {
        by_kind!(self, |shape| Ok(shape.sweep_plane(motion, plane)), |_plane| unsupported(
            "sweep_plane",
            self,
            &Self::from(*plane)
        ))
    }
}

impl SweptBounds for Shape {
    fn swept_bounds(&self, motion: &Motion) -> Option<Aabb> {
        by_kind!(self, |shape| shape.swept_bounds(motion), |_plane| None)
    }
}
