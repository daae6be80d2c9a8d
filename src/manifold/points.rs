//! The points of a contact, and which four of many remain.

use wide::f32x4;

use super::faces::CANDIDATES;
use super::frame::Solid;
use crate::det::{add, max, min, mul, sub};
use crate::query::ContactKind;

/// Normal, depth and points of a contact, scaled.
#[derive(Clone, Copy)]
pub(super) struct Points {
    /// Of four numbers the last is 0.
    pub(super) normal: f32x4,
    pub(super) depth: f32,
    pub(super) kind: u32,
    pub(super) count: usize,
    /// On B, and the depth of each.
    pub(super) at: [f32x4; 4],
    pub(super) features: [u32; 4],
}

impl Points {
    pub(super) fn new(normal: f32x4, depth: f32, kind: ContactKind) -> Self {
        Self { normal, depth, kind: kind as u32, count: 0, at: [f32x4::ZERO; 4], features: [0; 4] }
    }

    pub(super) fn one(normal: f32x4, depth: f32, kind: ContactKind, at: f32x4, feature: u32) -> Self {
        let mut points = Self::new(normal, depth, kind);
        points.push(at, depth, feature);
        points
    }

    /// Adds a point, whose depth is from 0 to the contact's.
    pub(super) fn push(&mut self, at: f32x4, depth: f32, feature: u32) {
        let [x, y, z, _] = at.to_array();
        let k = self.count;
        self.at[k] = f32x4::new([x, y, z, min(max(depth, 0.0), self.depth)]);
        self.features[k] = feature;
        self.count = k + 1;
    }
}

/// A vector in three of four lanes; the last is 0.
pub(super) fn vector([x, y, z]: [f32; 3]) -> f32x4 {
    f32x4::new([x, y, z, 0.0])
}

/// A vector times a number.
pub(super) fn scaled(v: f32x4, s: f32) -> f32x4 {
    mul(v, f32x4::splat(s))
}

/// A direction in the frame of a box, in the world.
pub(super) fn to_world(solid: &Solid, local: [f32; 3]) -> f32x4 {
    let along = |k: usize| scaled(vector(solid.axes[k]), local[k]);
    add(add(along(0), along(1)), along(2))
}

/// A point in the frame of a box, in the world.
pub(super) fn point_to_world(solid: &Solid, local: [f32; 3]) -> f32x4 {
    add(vector(solid.center), add(vector(solid.center_low), to_world(solid, local)))
}

/// A corner of the clipped face: its place in the reference face, how deep it lies under it, and the two lines that cross in it.
#[derive(Clone, Copy, Default)]
pub(super) struct Corner {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) depth: f32,
    pub(super) lines: u32,
}

/// The corners of the clipped face.
#[derive(Default)]
pub(super) struct Polygon {
    count: usize,
    corners: [Corner; CANDIDATES],
}

impl Polygon {
    pub(super) fn push(&mut self, corner: Corner) {
        self.corners[self.count] = corner;
        self.count += 1;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn corners(&self) -> &[Corner] {
        &self.corners[..self.count]
    }

    /// The corner of the highest score, of equals the one with the lower feature; it is taken away.
    fn take(&mut self, score: impl Fn(&Corner) -> f32) -> Corner {
        let mut best = 0;
        let mut highest = score(&self.corners[0]);
        for k in 1..self.count {
            let here = score(&self.corners[k]);
            let lower = self.corners[k].lines < self.corners[best].lines;
            if highest < here || (highest == here && lower) {
                best = k;
                highest = here;
            }
        }
        let taken = self.corners[best];
        self.count -= 1;
        self.corners[best] = self.corners[self.count];
        taken
    }

    /// At most four corners: the deepest, the one furthest from it, and the two that span the most area to either side. At most one: the
    /// deepest.
    pub(super) fn reduced(mut self, most: u32) -> Self {
        if self.count <= 4 && (most > 1 || self.count <= 1) {
            return self;
        }
        let mut kept = Self::default();
        let deepest = self.take(|corner| corner.depth);
        kept.push(deepest);
        if most > 1 {
            let away = |corner: &Corner| (sub(corner.x, deepest.x), sub(corner.y, deepest.y));
            let furthest = self.take(|corner| {
                let (x, y) = away(corner);
                add(mul(x, x), mul(y, y))
            });
            kept.push(furthest);
            let (across_x, across_y) = away(&furthest);
            let area = |corner: &Corner| {
                let (x, y) = away(corner);
                sub(mul(across_x, y), mul(across_y, x))
            };
            let left = self.take(area);
            kept.push(left);
            let right = self.take(|corner| sub(0.0, area(corner)));
            kept.push(right);
        }
        kept
    }
}
