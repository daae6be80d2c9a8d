use glam::{DMat3, DVec3};

use super::Pair;
use crate::Result;
use crate::shape::{Aabb, Obb};

/// A box of either kind in `f64`: centre, axes as columns, half extents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cuboid {
    pub(crate) center: DVec3,
    pub(crate) axes: DMat3,
    pub(crate) half: DVec3,
}

impl Cuboid {
    /// What `validate` says of a box without points.
    pub(crate) fn of_aabb(aabb: &Aabb) -> Result<Self> {
        aabb.validate()?;
        let (min, max) = (aabb.min().as_dvec3(), aabb.max().as_dvec3());
        Ok(Self { center: (min + max) / 2.0, axes: DMat3::IDENTITY, half: (max - min) / 2.0 })
    }

    /// What `validate` says of a box that is none.
    pub(crate) fn of_obb(obb: &Obb) -> Result<Self> {
        obb.validate()?;
        let [x, y, z] = obb.axes();
        Ok(Self {
            center: obb.center().as_dvec3(),
            axes: DMat3::from_cols(x, y, z),
            half: obb.half_extents().as_dvec3(),
        })
    }

    pub(crate) fn to_local(self, point: DVec3) -> DVec3 {
        self.axes.transpose() * (point - self.center)
    }

    pub(crate) fn to_world(self, local: DVec3) -> DVec3 {
        self.center + self.axes * local
    }

    /// The point of the box nearest to `point`: in the box's frame, every coordinate clamped to its extent.
    pub(crate) fn nearest(self, point: DVec3) -> DVec3 {
        self.to_world(self.to_local(point).max(-self.half).min(self.half))
    }

    /// The axis of the face nearest to a point inside, in the box's frame, and the distance to it; the lowest axis of equals.
    pub(crate) fn nearest_face(self, local: DVec3) -> (usize, f64) {
        let depth = self.half - local.abs();
        let axis = if depth.x <= depth.y && depth.x <= depth.z {
            0
        } else if depth.y <= depth.z {
            1
        } else {
            2
        };
        (axis, depth[axis].max(0.0))
    }

    /// Bit k of the index chooses the positive side of axis k.
    pub(crate) fn corner(self, i: usize) -> DVec3 {
        let side = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        self.to_world(self.half * DVec3::new(side(0), side(1), side(2)))
    }

    /// The twelve edges: from each corner along each axis on whose negative side it lies.
    pub(crate) fn edges(self) -> impl Iterator<Item = Pair> {
        (0..8_usize).flat_map(move |i| {
            (0..3).filter(move |k| i >> k & 1 == 0).map(move |k| (self.corner(i), self.corner(i | 1 << k)))
        })
    }

    /// Half the extent along `axis`: Σ eᵢ |axis · uᵢ|.
    pub(crate) fn reach(self, axis: DVec3) -> f64 {
        (self.axes.transpose() * axis).abs().dot(self.half)
    }
}
