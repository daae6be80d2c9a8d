//! A body as distances see it: in single words a sum of segments and a ball, and in double words.

use glam::Vec3;

use super::frame::{Frame, Solid, between};
use crate::det::{Double, add, mul};
use crate::shape::kinds::Kind;

/// A body as the distances to others see it: a sum of three segments and a ball.
pub(crate) struct Core {
    /// Half extents times axes; 0 for a sphere, and of a capsule only half of its segment.
    pub generators: [Vec3; 3],
    pub radius: f32,
    /// The sum of all half extents.
    pub size: f32,
}

impl Core {
    fn of(kind: u32, solid: &Solid<f32>) -> Self {
        let [x, y, z] = solid.half;
        if kind == Kind::Sphere as u32 {
            return Self { generators: [Vec3::ZERO; 3], radius: x, size: 0.0 };
        }
        let generator = |k: usize| crate::det::scale3(Vec3::from(solid.axes[k]), solid.half[k]);
        if kind == Kind::Capsule as u32 {
            return Self { generators: [generator(0), Vec3::ZERO, Vec3::ZERO], radius: y, size: x };
        }
        Self { generators: [generator(0), generator(1), generator(2)], radius: 0.0, size: add(add(x, y), z) }
    }

    /// From the centre of one body to that of another, rounded.
    pub(crate) fn between(a: &Frame, b: &Frame) -> Vec3 {
        let [first, second] = [a, b].map(|frame| Solid::<f32>::of(|_| (frame, 0), 1.0));
        between(&first, &second).into()
    }

    /// From the centre of one body to that of another, and both bodies, all scaled by this.
    pub(crate) fn pair(a: &Frame, b: &Frame, scale: f32) -> (Vec3, [Self; 2]) {
        let [first, second] = [a, b].map(|frame| Solid::of(|_| (frame, 0), scale));
        (between(&first, &second).into(), [Self::of(a.kind(), &first), Self::of(b.kind(), &second)])
    }
}

/// A body in double words, scaled by a power of two: centre, axes and half extents to 2⁻⁴⁴.
pub(crate) struct Precise {
    pub center: [Double; 3],
    pub axes: [[Double; 3]; 3],
    pub half: [Double; 3],
    pub radius: f32,
    /// Along how many axes it has extents: three of a box, one of a capsule, none of a ball, and of a hull.
    pub extents: usize,
}

impl Frame {
    pub(crate) fn precise(&self, scale: f32) -> Precise {
        let double = |high: f32, low: f32| Double { high, low };
        Precise {
            center: [0, 1, 2].map(|k| double(mul(self.center[k], scale), mul(self.center_low[k], scale))),
            axes: [0, 1, 2].map(|k| [0, 1, 2].map(|i| double(self.axes[k][i], self.axes_low[k][i]))),
            half: [0, 1, 2].map(|k| {
                let extent = || double(mul(self.axes[k][3], scale), mul(self.axes_low[k][3], scale));
                if k < self.extents() { extent() } else { double(0.0, 0.0) }
            }),
            radius: if self.extents() < 3 { mul(self.axes[2][3], scale) } else { 0.0 },
            extents: self.extents(),
        }
    }

    /// How many of its extents are along axes; what follows is the radius.
    fn extents(&self) -> usize {
        if self.kind() == Kind::Sphere as u32 || self.is_hull() {
            0
        } else if self.kind() == Kind::Capsule as u32 {
            1
        } else {
            3
        }
    }

    /// The centre, rounded.
    pub(crate) fn center(&self) -> Vec3 {
        self.center.into()
    }
}
