use std::fmt;
use std::sync::Arc;

use glam::{DVec3, Vec3};

use super::convex_hull::Local;
use super::{Aabb, ConvexHull, Placement, Pose, check};
use crate::{Error, Result};

/// A hull in a pose, whose local form is borrowed: nothing is counted when it is copied, as threads do for each pair of bodies.
#[derive(Clone, Copy)]
pub(crate) struct PlacedHull<'a> {
    local: &'a Arc<Local>,
    pose: Pose,
}

impl fmt::Debug for PlacedHull<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ConvexHull::from(*self).fmt(f)
    }
}

/// The same corners before placing, and the same pose.
impl PartialEq for PlacedHull<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.pose == other.pose && self.has_form_of(other)
    }
}

impl From<PlacedHull<'_>> for ConvexHull {
    fn from(hull: PlacedHull<'_>) -> Self {
        Self::of_parts(Arc::clone(hull.local), hull.pose)
    }
}

impl<'a> PlacedHull<'a> {
    /// The most corners that the hull of a body can have.
    pub(crate) const MAX_CORNERS: usize = 256;

    pub(super) fn new(local: &'a Arc<Local>, pose: Pose) -> Self {
        Self { local, pose }
    }

    /// Whether a body can have this hull.
    pub(crate) fn validate(&self) -> Result<()> {
        let found = self.local_vertices().len();
        let limit = Self::MAX_CORNERS;
        if found > limit { Err(Error::TooManyCorners { found, limit }) } else { Ok(()) }
    }

    pub(crate) fn pose(&self) -> Pose {
        self.pose
    }

    pub(crate) fn with_pose(&self, pose: Pose) -> Self {
        Self { pose, ..*self }
    }

    /// Whether both have the same local form.
    pub(crate) fn has_form_of(&self, other: &PlacedHull<'_>) -> bool {
        Arc::ptr_eq(self.local, other.local) || self.local_vertices() == other.local_vertices()
    }

    /// The same number for hulls with the same local form, and for others hardly ever.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.local.fingerprint
    }

    pub(crate) fn local_vertices(&self) -> &'a [Vec3] {
        &self.local.built.vertices
    }

    pub(crate) fn placement(&self) -> Placement {
        Placement::new(&self.pose)
    }

    pub(crate) fn faces(&self) -> &'a [[u32; 3]] {
        &self.local.built.faces
    }

    pub(crate) fn dimension(&self) -> usize {
        self.local.built.dimension
    }

    /// The half-spaces n·x ≤ d of the local form, which are made when they are first needed.
    pub(crate) fn local_planes(&self, make: impl FnOnce() -> Vec<(DVec3, f64)>) -> &'a [(DVec3, f64)] {
        self.local.planes.get_or_init(make)
    }

    /// The smallest box around the local form.
    pub(crate) fn local_bounds(&self) -> &'a Aabb {
        &self.local.bounds
    }

    /// The coordinates of the local corners, the last corner repeated until lanes of every width are full.
    pub(crate) fn local_columns(&self) -> [&'a [f32]; 3] {
        self.local.columns.each_ref().map(Vec::as_slice)
    }

    /// How far local corners are at most from the middle of their bounds.
    pub(crate) fn local_radius(&self) -> f64 {
        self.local.radius
    }

    /// The largest coordinate of the local form.
    pub(crate) fn local_reach(&self) -> f64 {
        f64::from(self.local.bounds.min().abs().max(self.local.bounds.max().abs()).max_element())
    }

    /// The middle of the box around the local form, placed.
    pub(crate) fn center(&self) -> DVec3 {
        let bounds = self.local_bounds();
        self.placement().point((bounds.min().as_dvec3() + bounds.max().as_dvec3()) / 2.0)
    }

    /// As [`ConvexHull::aabb`].
    pub(crate) fn aabb(&self) -> Aabb {
        let placement = self.placement();
        let (low, high, slack) = if self.pose.turns() {
            let turned = self.local_vertices().iter().map(|v| placement.direction(v.as_dvec3()));
            let (low, high) =
                turned.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
            // With m the largest coordinate and u = ε / 2, a coordinate of R x is off by 6 u |Rᵢⱼ| m of each entry, 3 u of its
            // products and sums, and u m for the diagonal: 9 √3 u m + u m < 17 u m. Adding the slack rounds once more.
            (low, high, 16.0 * f64::EPSILON * self.local_reach())
        } else {
            (self.local.bounds.min().as_dvec3(), self.local.bounds.max().as_dvec3(), 0.0)
        };
        let p = placement.position();
        let min = [0, 1, 2].map(|k| check::sum_down(p[k], low[k] - slack));
        let max = [0, 1, 2].map(|k| -check::sum_down(-p[k], -(high[k] + slack)));
        Aabb::from_bounds(min.into(), max.into())
    }
}
