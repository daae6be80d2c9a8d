//! What of a hull and another body lies across the normal of their contact: corners, edges and faces, from corners alone.
//!
//! A face is made of the corners that are foremost along its normal, in order around it. All places are seen in one view: two directions across the
//! normal and the normal itself, from the hull's foremost corner.
//!
//! The twin in WGSL is `shaders/lib/hull_faces.wgsl`.

use glam::Vec3;

use super::{CLOSE, LOW, PrecisePair, aside};
use crate::det::{
    Double, abs, add, add_double, add3, cross3, div, dot3, max, mul, neg, neg3, rsqrt, scale3, sub, sub_double, sub3,
};

/// The most corners of a face. Hulls with larger ones are left to the host.
pub(crate) const MOST_CORNERS: usize = 16;
/// Corners are in a face if they are so near to its plane, as a share of the size of their body.
pub(crate) const FLAT: f32 = 1.0 / (1 << 21) as f32;
/// A face of the other body may be turned against the normal by 60°; what is turned further meets with a corner or an edge.
pub(crate) const LEAST_COSINE: f32 = 0.5;

/// How places are seen.
pub(super) struct View<'a> {
    pub(super) precise: &'a PrecisePair<'a>,
    /// From the other body to the hull.
    pub(super) normal: Vec3,
    pub(super) sides: [Vec3; 2],
    /// The hull's foremost corner, from its position.
    pub(super) origin: [Double; 3],
}

/// Corners of a face in order around it, against the clock as seen from where the normal points; two of an edge, or one.
#[derive(Clone, Copy)]
pub(super) struct Polygon {
    pub(super) count: usize,
    pub(super) corners: [u32; MOST_CORNERS],
    /// Across the normal and along it.
    pub(super) at: [Vec3; MOST_CORNERS],
    /// How its height changes across the normal.
    pub(super) slope: [f32; 2],
}

fn square2(v: Vec3) -> f32 {
    add(mul(v.x, v.x), mul(v.y, v.y))
}

fn cross2(a: Vec3, b: Vec3) -> f32 {
    sub(mul(a.x, b.y), mul(a.y, b.x))
}

impl<'a> View<'a> {
    pub(super) fn of(precise: &'a PrecisePair<'a>, normal: Vec3) -> Self {
        let side = aside(normal);
        let origin = precise.corner(1, precise.pair.lowest(1, normal).0);
        Self { precise, normal, sides: [side, cross3(normal, side)], origin }
    }

    /// The place of a corner from the origin, and as it is seen.
    fn place(&self, body: usize, i: usize) -> (Vec3, Vec3) {
        let mut corner = self.precise.corner(body, i);
        if body == 0 {
            corner = [0, 1, 2].map(|k| add_double(corner[k], self.precise.pair.t[k]));
        }
        let [x, y, z] = [0, 1, 2].map(|k| sub_double(corner[k], self.origin[k]).high);
        let place = Vec3::new(x, y, z);
        (place, Vec3::new(dot3(self.sides[0], place), dot3(self.sides[1], place), dot3(self.normal, place)))
    }

    /// What is seen so, in the world.
    pub(super) fn back(&self, at: Vec3) -> Vec3 {
        add3(add3(scale3(self.sides[0], at.x), scale3(self.sides[1], at.y)), scale3(self.normal, at.z))
    }

    /// The corners of a body that are lowest along a direction. `None` if they are too many.
    fn lowest(&self, body: usize, direction: Vec3) -> Option<Polygon> {
        let pair = self.precise.pair;
        let (seen, least, size) = (pair.seen(body, direction), pair.lowest(body, direction).1, pair.size(body));
        let (limit, mut lowest) = (add(least, mul(LOW, size)), f32::MAX);
        let mut found =
            Polygon { count: 0, corners: [0; MOST_CORNERS], at: [Vec3::ZERO; MOST_CORNERS], slope: [0.0; 2] };
        for turn in 0..2 {
            for i in 0..self.precise.corner_count(body) {
                if pair.height(body, i, seen) > limit {
                    continue;
                }
                let (place, at) = self.place(body, i);
                let height = dot3(direction, place);
                if turn == 0 {
                    lowest = if height < lowest { height } else { lowest };
                } else if !(sub(height, lowest) > mul(FLAT, size)) {
                    if found.count == MOST_CORNERS {
                        return None;
                    }
                    (found.corners[found.count], found.at[found.count]) = (i as u32, at);
                    found.count += 1;
                }
            }
        }
        found.order(mul(FLAT, size));
        Some(found)
    }

    /// What of a body is foremost: of the first body upwards, of the hull downwards.
    pub(super) fn foremost(&self, body: usize) -> Option<Polygon> {
        self.lowest(body, if body == 0 { neg3(self.normal) } else { self.normal })
    }

    /// The face of a body that looks most towards the other one, given what of it is foremost: a face next to that, unless it is one, or there is none
    /// that is turned by less than 60°. All of a segment.
    pub(super) fn facing(&self, body: usize, foremost: &Polygon) -> Option<Polygon> {
        let count = self.precise.corner_count(body);
        if foremost.count > 2 || count == 1 {
            return Some(*foremost);
        }
        if count == 2 {
            let mut both = *foremost;
            both.count = 2;
            for i in 0..2 {
                (both.corners[i], both.at[i]) = (i as u32, self.place(body, i).1);
            }
            return Some(both);
        }
        let Some(direction) = self.tilted(body, foremost) else { return Some(*foremost) };
        let mut found = self.lowest(body, self.back(direction))?;
        let upwards = |polygon: &Polygon| if body == 0 { neg(polygon.at[0].z) } else { polygon.at[0].z };
        let touches = found.at[..found.count].iter().any(|at| {
            let z = if body == 0 { neg(at.z) } else { at.z };
            !(sub(z, upwards(foremost)) > mul(CLOSE, self.precise.pair.size(body)))
        });
        if found.count < 3 || !touches {
            return Some(*foremost);
        }
        found.slope = [neg(div(direction.x, direction.z)), neg(div(direction.y, direction.z))];
        Some(found)
    }

    /// The normal, inwards and as it is seen, of a face next to a corner or an edge that is foremost. From a corner the edge is taken that rises least, and from an
    /// edge the face that does.
    fn tilted(&self, body: usize, foremost: &Polygon) -> Option<Vec3> {
        let pair = self.precise.pair;
        let up = if body == 0 { neg3(self.normal) } else { self.normal };
        let seen = [self.sides[0], self.sides[1], up].map(|direction| pair.seen(body, direction));
        let rough = |i: usize| {
            let [x, y, z] = seen.map(|seen| pair.height(body, i, seen));
            Vec3::new(x, y, z)
        };
        let (least, count) = (mul(4.0, mul(FLAT, pair.size(body))), self.precise.corner_count(body));
        let first = foremost.corners[0] as usize;
        let from = rough(first);
        let mut ends = [foremost.corners[1] as usize, count];
        // (An end that is there is not looked for.)
        for turn in usize::from(foremost.count == 2)..2 {
            let (mut across, mut upwards) = (Vec3::ZERO, Vec3::Z);
            if turn == 1 {
                let way = sub3(rough(ends[0]), from);
                let along = scale3(way, rsqrt(dot3(way, way)));
                let straight = sub3(Vec3::Z, scale3(along, along.z));
                upwards = scale3(straight, rsqrt(dot3(straight, straight)));
                across = cross3(upwards, along);
            }
            let (mut best, mut slope) = (count, f32::MAX);
            for i in 0..count {
                let way = sub3(rough(i), from);
                let aside = if turn == 0 {
                    let square = square2(way);
                    mul(square, rsqrt(square))
                } else {
                    abs(dot3(across, way))
                };
                if !(aside > least) {
                    continue;
                }
                let rises = div(max(dot3(upwards, way), 0.0), aside);
                if rises < slope {
                    (best, slope) = (i, rises);
                }
            }
            if best == count {
                return None;
            }
            ends[turn] = best;
        }
        let from = self.place(body, first).1;
        let [p, q] = ends.map(|end| sub3(self.place(body, end).1, from));
        let normal = cross3(p, q);
        let normal = scale3(normal, rsqrt(dot3(normal, normal)));
        let is_upwards = (normal.z > 0.0) == (body == 1);
        (abs(normal.z) > LEAST_COSINE).then_some(if is_upwards { normal } else { neg3(normal) })
    }
}

impl Polygon {
    /// Puts the corners that are not between others in order around the normal. Corners that are nearer to each other than this are one; what is no wider is an
    /// edge.
    fn order(&mut self, near: f32) {
        let square = mul(near, near);
        for k in 1..self.count {
            let (at, first) = (self.at[k], self.at[0]);
            if at.x < first.x || at.x == first.x && at.y < first.y {
                self.swap(0, k);
            }
        }
        let (mut kept, mut furthest, mut area) = (1, (0, 0.0), 0.0);
        while kept < self.count {
            let from = self.at[kept - 1];
            // (The first one, where the way around ends, but for the first step.)
            let mut next = 0;
            for k in kept..self.count {
                let way = sub3(self.at[k], from);
                let length = square2(way);
                if !(length > square) || !(square2(sub3(self.at[k], self.at[0])) > square) {
                    continue;
                }
                let before = sub3(self.at[next], from);
                let turn = cross2(before, way);
                let is_first = next == 0 && kept == 1;
                if is_first || turn < 0.0 || turn == 0.0 && length > square2(before) {
                    next = k;
                }
            }
            if next == 0 {
                break;
            }
            self.swap(kept, next);
            let way = sub3(self.at[kept], self.at[0]);
            area = add(area, cross2(sub3(self.at[kept - 1], self.at[0]), way));
            if square2(way) > furthest.1 {
                furthest = (kept, square2(way));
            }
            kept += 1;
        }
        self.count = kept;
        let (end, length) = furthest;
        if kept > 2 && !(area > mul(4.0, mul(near, mul(length, rsqrt(length))))) {
            self.swap(1, end);
            self.count = 2;
        }
    }

    fn swap(&mut self, i: usize, j: usize) {
        self.corners.swap(i, j);
        self.at.swap(i, j);
    }
}
