//! The point nearest to 0 of a segment, a triangle or a tetrahedron.

use glam::Vec3;

use crate::det::{abs, add, add3, cross3, div, dot3, neg, neg3, scale3, sub, sub3};

/// Up to four corners, and how much of each is in the point that is nearest to 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simplex {
    pub count: usize,
    corners: [Vec3; 4],
    pub signs: [u32; 4],
    pub weights: [f32; 4],
}

/// The least volume of a tetrahedron that is not flat. (A share in terms of it is finite.)
const LEAST_VOLUME: f32 = 1.0 / (1_u64 << 60) as f32;

/// The corners of each side of a tetrahedron, and the corner across from it.
const SIDES: [[usize; 4]; 4] = [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]];

impl Simplex {
    pub(super) fn of(corner: Vec3, signs: u32) -> Self {
        let mut simplex = Self { count: 1, corners: [Vec3::ZERO; 4], signs: [0; 4], weights: [1.0, 0.0, 0.0, 0.0] };
        (simplex.corners[0], simplex.signs[0]) = (corner, signs);
        simplex
    }

    pub(super) fn has(&self, signs: u32) -> bool {
        self.signs[..self.count].contains(&signs)
    }

    /// With another corner, and without those that are not in the point nearest to 0.
    pub(super) fn with(mut self, corner: Vec3, signs: u32) -> Self {
        (self.corners[self.count], self.signs[self.count]) = (corner, signs);
        self.count += 1;
        let [a, b, c, _] = self.corners;
        self.weights = match self.count {
            2 => of_segment(a, b),
            3 => of_triangle(a, b, c),
            _ => of_tetrahedron(&self.corners),
        };
        let mut kept = 0;
        for k in 0..self.count {
            if self.weights[k] != 0.0 {
                (self.corners[kept], self.signs[kept], self.weights[kept]) =
                    (self.corners[k], self.signs[k], self.weights[k]);
                kept += 1;
            }
        }
        self.count = kept;
        self
    }

    /// The generators in which its corners differ.
    pub(super) fn free(&self) -> u32 {
        self.signs[..self.count].iter().fold(0, |free, signs| free | signs ^ self.signs[0])
    }

    /// At right angles to a triangle, away from 0; 0 of other simplices.
    pub(super) fn normal(&self) -> Vec3 {
        if self.count != 3 {
            return Vec3::ZERO;
        }
        let [a, b, c, _] = self.corners;
        let normal = cross3(sub3(b, a), sub3(c, a));
        if dot3(normal, a) < 0.0 { neg3(normal) } else { normal }
    }

    #[cfg(feature = "gpu")]
    pub(super) fn corners(&self) -> [Vec3; 4] {
        self.corners
    }

    /// One of its corners.
    pub(super) fn corner(&self) -> Vec3 {
        self.corners[0]
    }

    pub(super) fn corner_at(&self, k: usize) -> Vec3 {
        self.corners[k]
    }

    /// So many corners between which nothing is known.
    pub(super) fn of_signs(count: usize, corners: [u32; 3]) -> Self {
        let [a, b, c] = corners;
        Self { count, corners: [Vec3::ZERO; 4], signs: [a, b, c, 0], weights: [0.0; 4] }
    }

    /// The point nearest to 0.
    pub(super) fn point(&self) -> Vec3 {
        sum(&self.corners, &self.weights, self.count)
    }
}

fn sum(corners: &[Vec3; 4], weights: &[f32; 4], count: usize) -> Vec3 {
    let mut sum = Vec3::ZERO;
    for k in 0..count {
        sum = add3(sum, scale3(corners[k], weights[k]));
    }
    sum
}

fn of_segment(a: Vec3, b: Vec3) -> [f32; 4] {
    let way = sub3(b, a);
    let (along, square) = (neg(dot3(a, way)), dot3(way, way));
    if !(along > 0.0) {
        [1.0, 0.0, 0.0, 0.0]
    } else if !(along < square) {
        [0.0, 1.0, 0.0, 0.0]
    } else {
        let share = div(along, square);
        [sub(1.0, share), share, 0.0, 0.0]
    }
}

/// Inside if the triangles that 0 makes with each two corners are all on the same side, seen along the normal; else on the nearest edge.
fn of_triangle(a: Vec3, b: Vec3, c: Vec3) -> [f32; 4] {
    let normal = cross3(sub3(b, a), sub3(c, a));
    let of_a = dot3(normal, cross3(b, c));
    let of_b = dot3(normal, cross3(c, a));
    let of_c = dot3(normal, cross3(a, b));
    if of_a > 0.0 && of_b > 0.0 && of_c > 0.0 {
        let all = add(add(of_a, of_b), of_c);
        return [div(of_a, all), div(of_b, all), div(of_c, all), 0.0];
    }
    let corners = [a, b, c, Vec3::ZERO];
    let (mut best, mut least) = ([0.0; 4], f32::MAX);
    for [i, j] in [[0, 1], [0, 2], [1, 2]] {
        let [x, y, ..] = of_segment(corners[i], corners[j]);
        let mut weights = [0.0; 4];
        (weights[i], weights[j]) = (x, y);
        let point = sum(&corners, &weights, 3);
        let square = dot3(point, point);
        if square < least {
            (best, least) = (weights, square);
        }
    }
    best
}

/// The nearest of those sides that have 0 on their outer side; if there is none, 0 is inside.
fn of_tetrahedron(corners: &[Vec3; 4]) -> [f32; 4] {
    let (mut inside, mut best, mut least) = ([0.0; 4], [0.0; 4], f32::MAX);
    for [i, j, k, across] in SIDES {
        let (a, b, c) = (corners[i], corners[j], corners[k]);
        let normal = cross3(sub3(b, a), sub3(c, a));
        let (of_zero, of_corner) = (neg(dot3(a, normal)), dot3(sub3(corners[across], a), normal));
        // Of a flat one every side is looked at.
        let share = if abs(of_corner) < LEAST_VOLUME { 0.0 } else { div(of_zero, of_corner) };
        inside[across] = share;
        if share > 0.0 {
            continue;
        }
        let [x, y, z, _] = of_triangle(a, b, c);
        let mut weights = [0.0; 4];
        (weights[i], weights[j], weights[k]) = (x, y, z);
        let point = sum(corners, &weights, 4);
        let square = dot3(point, point);
        if square < least {
            (best, least) = (weights, square);
        }
    }
    if least < f32::MAX { best } else { inside }
}
