//! Contacts of boxes, several pairs at a time.

use super::boxes::boxes;
use super::frame::{Solid, power};
use super::turn::scale3;
use super::{Frame, Manifold, Pair, manifold};
use crate::Relation;
use crate::det::{Number, Task, Width};

/// Pairs whose contacts are computed, of which those of boxes wait until there are as many as are computed side by side.
pub(crate) struct Waiting<'a> {
    most: u32,
    width: Width,
    pairs: Vec<Pair<'a>>,
    /// Where each contact goes.
    places: Vec<usize>,
}

impl<'a> Waiting<'a> {
    pub(crate) fn new(most: u32) -> Self {
        Self::of_width(most, Width::widest())
    }

    pub(super) fn of_width(most: u32, width: Width) -> Self {
        Self { most, width, pairs: Vec::with_capacity(width.lanes()), places: Vec::with_capacity(width.lanes()) }
    }

    /// Puts the contact of two bodies that touch or overlap at its place, now or later. Returns whether it can be computed: `false` outside
    /// the domain.
    pub(crate) fn put(
        &mut self,
        a: (u32, &'a Frame),
        b: (u32, &'a Frame),
        relation: Relation,
        place: usize,
        out: &mut [Manifold],
    ) -> bool {
        let Some(pair) = Pair::of(a, b, relation) else { return false };
        if pair.is_of_boxes() {
            self.places.push(place);
            self.pairs.push(pair);
            if self.pairs.len() == self.width.lanes() {
                self.finish(out);
            }
        } else if let Some(found) = manifold(a, b, relation, self.most) {
            out[place] = found;
        }
        true
    }

    /// Computes those that still wait.
    pub(crate) fn finish(&mut self, out: &mut [Manifold]) {
        if !self.pairs.is_empty() {
            self.width.run(Meetings { pairs: &self.pairs, places: &self.places, most: self.most, out });
        }
        self.pairs.clear();
        self.places.clear();
    }
}

/// Pairs of boxes, at most as many as there are lanes, and the place of each contact.
struct Meetings<'a> {
    pairs: &'a [Pair<'a>],
    places: &'a [usize],
    most: u32,
    out: &'a mut [Manifold],
}

impl Task for Meetings<'_> {
    #[inline(always)]
    fn run<T: Number>(self) {
        let pairs = self.pairs;
        let scale: T = each(pairs, |pair| power(254 - pair.exponent));
        let (a, b) = (solid(pairs, 0, scale), solid(pairs, 1, scale));
        let low = || [axes(pairs, 0, |frame| &frame.axes_low), axes(pairs, 1, |frame| &frame.axes_low)];
        let points = boxes([&a, &b], low, truth::<T>(pairs, |pair| pair.touching), self.most);
        let back = each(pairs, |pair| power(pair.exponent));
        let points = points.finished(truth::<T>(pairs, |pair| pair.swapped), back);
        for (lane, (pair, place)) in pairs.iter().zip(self.places).enumerate() {
            self.out[*place] = pair.manifold(&points, lane);
        }
    }
}

/// A number of each pair. (What is left over repeats the last one.)
#[inline(always)]
fn each<T: Number>(pairs: &[Pair<'_>], of: impl Fn(&Pair<'_>) -> f32) -> T {
    T::from_fn(|lane| of(&pairs[lane.min(pairs.len() - 1)]))
}

#[inline(always)]
fn truth<T: Number>(pairs: &[Pair<'_>], of: impl Fn(&Pair<'_>) -> bool) -> T::Truth {
    each::<T>(pairs, |pair| f32::from(u8::from(of(pair)))).equals(T::splat(1.0))
}

#[inline(always)]
fn three<T: Number>(pairs: &[Pair<'_>], side: usize, of: impl Fn(&Frame) -> &[f32; 3]) -> [T; 3] {
    [
        each(pairs, |pair| of(pair.frames[side])[0]),
        each(pairs, |pair| of(pair.frames[side])[1]),
        each(pairs, |pair| of(pair.frames[side])[2]),
    ]
}

/// The first bodies of the pairs, or the second.
#[inline(always)]
fn solid<T: Number>(pairs: &[Pair<'_>], side: usize, scale: T) -> Solid<T> {
    Solid {
        center: scale3(three(pairs, side, |frame| &frame.center), scale),
        center_low: scale3(three(pairs, side, |frame| &frame.center_low), scale),
        half: scale3(three(pairs, side, |frame| &frame.half), scale),
        axes: axes(pairs, side, |frame| &frame.axes),
    }
}

#[inline(always)]
fn axes<T: Number>(pairs: &[Pair<'_>], side: usize, of: impl Fn(&Frame) -> &[[f32; 3]; 3]) -> [[T; 3]; 3] {
    [
        three(pairs, side, |frame| &of(frame)[0]),
        three(pairs, side, |frame| &of(frame)[1]),
        three(pairs, side, |frame| &of(frame)[2]),
    ]
}
