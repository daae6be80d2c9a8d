//! How high the corners of a hull are over the border of a half-space.
//!
//! The twin in WGSL is `hull_away_over` in `shaders/lib/hull_away.wgsl`, for the lowest corner.

use glam::Vec3;

use super::apart::{Body, rounded_down};
use super::{EXPONENTS, Part, dot_doubles, high, sum_of};
use crate::det::{
    Double, abs, add, add_double, add3, dot3, less_double, mul, mul_double, neg, scale3, sub_double, sub3,
};
use crate::manifold::{Frame, Precise};
use crate::near::precise::{dot_double, single};

/// What is wrong with a height over a half-space, as a share of all that it is computed from.
pub(crate) const OF_HEIGHT_OVER: f32 = 1.0 / (1_u64 << 38) as f32;

/// A hull over the border of a half-space, scaled by a power of two.
pub(crate) struct Heights<'a> {
    hull: &'a Frame,
    part: Part<'a>,
    body: Precise,
    normal: [Double; 3],
    /// The normal as the hull sees it.
    along: [Double; 3],
    /// The height of the hull's position.
    of_place: Double,
    /// The exponent of the length that is from 1 to 2.
    pub(crate) size: u32,
    scale: f32,
    pub(crate) lowest: usize,
    /// The height of the lowest corner.
    pub(crate) height: Double,
    error: f32,
}

impl<'a> Heights<'a> {
    /// `None` outside the domain.
    pub(crate) fn of(half_space: &Frame, hull: &Body<'a>) -> Option<Self> {
        let ((normal, offset), (part, of_hull)) = (half_space.half_space()?, hull.part()?);
        let size = of_hull.max(hull.frame.reach()).max(half_space.reach());
        if !EXPONENTS.contains(&size) {
            return None;
        }
        let scale = f32::from_bits((254 - size) << 23);
        let body = hull.frame.precise(scale);
        let offset = Double { high: mul(offset.high, scale), low: mul(offset.low, scale) };
        let along = body.axes.each_ref().map(|axis| dot_doubles(&normal, axis));
        let (mut lowest, mut least) = (0, single(f32::MAX));
        for i in 0..part.count() {
            let height = dot_double(scale3(part.local(i), scale), &along);
            if less_double(height, least) {
                (lowest, least) = (i, height);
            }
        }
        let sizes = add(add(mul(hull.largest_sum, scale), sum_of(high(&body.center).to_array())), abs(offset.high));
        let of_place = sub_double(dot_doubles(&normal, &body.center), offset);
        let height = add_double(of_place, least);
        let error = mul(OF_HEIGHT_OVER, sizes);
        let hull = hull.frame;
        Some(Self { hull, part, body, normal, along, of_place, size, scale, lowest, height, error })
    }

    /// A length that the distance is at least, scaled; 0 or more.
    pub(crate) fn distance(&self) -> f32 {
        rounded_down(sub_double(self.height, single(self.error)))
    }

    /// The point of the hull, how far apart they are, and the point of the half-space.
    pub(super) fn clearance(&self) -> (Vec3, f32, Vec3) {
        let distance = mul(self.distance(), f32::from_bits(self.size << 23));
        let on_hull = add3(self.hull.center(), self.turned(self.part.local(self.lowest)));
        (on_hull, distance, add3(on_hull, scale3(self.normal(), neg(distance))))
    }

    /// The unit normal, rounded.
    pub(crate) fn normal(&self) -> Vec3 {
        high(&self.normal)
    }

    pub(crate) fn count(&self) -> usize {
        self.part.count()
    }

    /// The largest sum of a corner's coordinates.
    pub(crate) fn reach(&self) -> f32 {
        mul(self.part.largest_sum, self.scale)
    }

    fn turned(&self, at: Vec3) -> Vec3 {
        let axes = self.body.axes.each_ref().map(high);
        add3(add3(scale3(axes[0], at.x), scale3(axes[1], at.y)), scale3(axes[2], at.z))
    }

    /// Where a corner is from the lowest one along some directions, roughly.
    pub(crate) fn seen(&self, directions: [Vec3; 3], i: usize) -> Vec3 {
        let [corner, lowest] = [i, self.lowest].map(|i| scale3(self.part.local(i), self.scale));
        let way = self.turned(sub3(corner, lowest));
        Vec3::from(directions.map(|direction| dot3(direction, way)))
    }

    /// How high a corner is, and the point of the border below it.
    pub(crate) fn foot(&self, i: usize) -> (Double, Vec3) {
        let local = scale3(self.part.local(i), self.scale);
        let height = add_double(self.of_place, dot_double(local, &self.along));
        let foot = [0, 1, 2].map(|k| {
            let axes = &self.body.axes;
            let along = add_double(mul_double(axes[0][k], single(local.x)), mul_double(axes[1][k], single(local.y)));
            let corner = add_double(along, mul_double(axes[2][k], single(local.z)));
            sub_double(add_double(self.body.center[k], corner), mul_double(self.normal[k], height)).high
        });
        (height, foot.into())
    }
}
