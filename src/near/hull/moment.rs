//! A moving hull and another body at a time.

use glam::Vec3;

use super::{Pair, Part, search};
use crate::det::{dot3, length3};
use crate::near::precise::single;

pub(in crate::near) struct Moment<'a>(Pair<'a>);

impl<'a> Moment<'a> {
    /// The other body and the hull, scaled so that a length of this exponent is from 1 to 2: their axes, and from the hull to the other body; and what is wrong with a
    /// height.
    pub(in crate::near) fn of(
        [first, hull]: [&'a Part<'a>; 2],
        axes: [[Vec3; 3]; 2],
        t: Vec3,
        (size, error): (u32, f32),
    ) -> Self {
        let scale = f32::from_bits((254 - size) << 23);
        Self(Pair { first, hull, axes, t: t.to_array().map(single), scale, error })
    }

    /// How high the lowest difference is along a direction, times the length of that.
    pub(in crate::near) fn lowest(&self, direction: Vec3) -> f32 {
        dot3(direction, self.0.support(direction).0)
    }

    /// How far all differences are along the best direction, and it, unless they are around 0. Besides, a length that the distance of the cores is at most.
    pub(in crate::near) fn best(&self) -> (f32, Vec3, f32) {
        let found = search(&self.0, [-1.0, f32::MAX]);
        if found.four.is_some() {
            return (0.0, Vec3::ZERO, 0.0);
        }
        (found.height, found.best, length3(found.simplex.point()))
    }
}
