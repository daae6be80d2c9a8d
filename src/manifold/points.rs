//! The points of a contact, and which four of many remain.

use super::faces::{CANDIDATES, Corners};
use super::frame::Solid;
use super::turn::{add3, choose3, neg3, scale3};
use crate::det::{add, mul, neg, sub};
use crate::lanes::{Number, Truth};
use crate::query::ContactKind;

/// Normal, depth and points of a contact, scaled; or those of several side by side.
#[derive(Clone, Copy)]
pub(crate) struct Points<T = f32> {
    pub(crate) normal: [T; 3],
    pub(crate) depth: T,
    /// The code of the kind.
    pub(crate) kind: T,
    /// What is beyond so many points means nothing.
    pub(crate) count: T,
    /// On B.
    pub(crate) at: [[T; 3]; 4],
    pub(crate) depths: [T; 4],
    /// Whole numbers of 24 bits.
    pub(crate) features: [T; 4],
}

impl<T: Number> Points<T> {
    #[inline(always)]
    pub(crate) fn new(normal: [T; 3], depth: T, kind: T, count: T) -> Self {
        let zero = T::splat(0.0);
        Self { normal, depth, kind, count, at: [[zero; 3]; 4], depths: [zero; 4], features: [zero; 4] }
    }

    /// With one point.
    #[inline(always)]
    pub(crate) fn one(normal: [T; 3], depth: T, kind: ContactKind, at: [T; 3], feature: T) -> Self {
        let mut points = Self::new(normal, depth, T::splat(f32::from(kind as u8)), T::splat(1.0));
        points.at[0] = at;
        points.depths[0] = depth;
        points.features[0] = feature;
        points
    }

    /// The contact with the bodies the other way round, if they are `swapped`, and scaled back. (Features stay as they are.)
    #[inline(always)]
    pub(crate) fn finished(mut self, swapped: T::Truth, back: T) -> Self {
        for k in 0..4 {
            if !T::splat(k as f32).below(self.count).any() {
                break;
            }
            if swapped.any() {
                let on_a = add3(self.at[k], scale3(self.normal, self.depths[k]));
                self.at[k] = choose3(swapped, on_a, self.at[k]);
            }
            self.at[k] = scale3(self.at[k], back);
            self.depths[k] = mul(self.depths[k], back);
        }
        if swapped.any() {
            self.normal = choose3(swapped, neg3(self.normal), self.normal);
            let code = |kind: ContactKind| T::splat(f32::from(kind as u8));
            let (face_a, face_b) = (code(ContactKind::FaceA), code(ContactKind::FaceB));
            let other = T::choose(self.kind.equals(face_a), face_b, self.kind);
            let other = T::choose(self.kind.equals(face_b), face_a, other);
            self.kind = T::choose(swapped, other, self.kind);
        }
        self.depth = mul(self.depth, back);
        self
    }
}

/// A direction in the frame of a box, in the world.
#[inline(always)]
pub(super) fn to_world<T: Number>(solid: &Solid<T>, local: [T; 3]) -> [T; 3] {
    let along = |k: usize| scale3(solid.axes[k], local[k]);
    add3(add3(along(0), along(1)), along(2))
}

/// A point in the frame of a box, in the world.
#[inline(always)]
pub(super) fn point_to_world<T: Number>(solid: &Solid<T>, local: [T; 3]) -> [T; 3] {
    add3(solid.center, add3(solid.center_low, to_world(solid, local)))
}

/// Which corners of a clipped face remain: the first so many places are those of points.
pub(super) struct Chosen<T> {
    pub(super) count: T,
    pub(super) places: [T; 4],
}

/// At most four corners: the deepest, the one furthest from it, and the two that span the most area to either side. At most one: the
/// deepest. (No two corners have the same lines, so that these settle every tie.)
#[inline(always)]
pub(super) fn chosen<T: Number>(corners: &Corners<T>, most: u32) -> Chosen<T> {
    let (zero, one) = (T::splat(0.0), T::splat(1.0));
    let mut left = corners.valid;
    let (mut count, mut places) = (zero, [zero; 4]);
    for (k, valid) in left.iter().enumerate() {
        for (slot, place) in places.iter_mut().enumerate() {
            *place = T::choose(valid.and(count.equals(T::splat(slot as f32))), T::splat(k as f32), *place);
        }
        count = add(count, T::choose(*valid, one, zero));
    }
    let most = T::splat(if most > 1 { 4.0 } else { 1.0 });
    let many = most.below(count);
    if !many.any() {
        return Chosen { count, places };
    }
    let mut scores = [zero; CANDIDATES + 1];
    for (score, corner) in scores.iter_mut().zip(&corners.points) {
        *score = corner[2];
    }
    let deepest = Best::take(corners, &mut left, &scores);
    places[0] = T::choose(many, deepest.place, places[0]);
    if one.below(most).any() {
        let from = deepest.corner;
        for (score, corner) in scores.iter_mut().zip(&corners.points) {
            let [x, y] = away(from, *corner);
            *score = add(mul(x, x), mul(y, y));
        }
        let furthest = Best::take(corners, &mut left, &scores);
        places[1] = T::choose(many, furthest.place, places[1]);
        // To the left of the line between these two, and to the right.
        let [across_x, across_y] = away(from, furthest.corner);
        for (score, corner) in scores.iter_mut().zip(&corners.points) {
            let [x, y] = away(from, *corner);
            *score = sub(mul(across_x, y), mul(across_y, x));
        }
        let left_of_it = Best::take(corners, &mut left, &scores);
        places[2] = T::choose(many, left_of_it.place, places[2]);
        for score in &mut scores {
            *score = neg(*score);
        }
        let right_of_it = Best::take(corners, &mut left, &scores);
        places[3] = T::choose(many, right_of_it.place, places[3]);
    }
    Chosen { count: T::choose(many, most, count), places }
}

/// From one corner to another.
#[inline(always)]
fn away<T: Number>(from: [T; 3], corner: [T; 3]) -> [T; 2] {
    [sub(corner[0], from[0]), sub(corner[1], from[1])]
}

/// The corner of the highest score so far, of equals the one with the lower lines.
struct Best<T> {
    score: T,
    lines: T,
    place: T,
    corner: [T; 3],
}

impl<T: Number> Best<T> {
    /// Of those that are left; it is taken away.
    #[inline(always)]
    fn take(corners: &Corners<T>, left: &mut [T::Truth; CANDIDATES + 1], scores: &[T; CANDIDATES + 1]) -> Self {
        let zero = T::splat(0.0);
        // (Lower than any score.)
        let mut best = Self { score: T::splat(-1e30), lines: zero, place: zero, corner: [zero; 3] };
        for (k, left) in left.iter().enumerate() {
            let (corner, lines, here) = (corners.points[k], corners.lines[k], scores[k]);
            let tied = here.equals(best.score).and(lines.below(best.lines));
            let better = left.and(best.score.below(here).or(tied));
            best.score = T::choose(better, here, best.score);
            best.lines = T::choose(better, lines, best.lines);
            best.place = T::choose(better, T::splat(k as f32), best.place);
            best.corner = choose3(better, corner, best.corner);
        }
        for (k, left) in left.iter_mut().enumerate() {
            *left = left.and(best.place.equals(T::splat(k as f32)).not());
        }
        best
    }
}
