//! Contacts of boxes, several pairs at a time.

use wide::f32x8;

use super::boxes::boxes;
use super::frame::{Solid, power};
use super::{Frame, Manifold, Pair, manifold};
use crate::Relation;
use crate::det::{Number, mul};

/// What pairs are computed in, side by side.
type Lanes = f32x8;

/// Pairs whose contacts are computed, of which those of boxes wait until there are as many as are computed side by side.
pub(crate) struct Waiting<'a> {
    most: u32,
    /// Where the contact goes.
    places: [usize; Lanes::LANES],
    pairs: Vec<Pair<'a>>,
}

impl<'a> Waiting<'a> {
    pub(crate) fn new(most: u32) -> Self {
        Self { most, places: [0; Lanes::LANES], pairs: Vec::with_capacity(Lanes::LANES) }
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
            self.places[self.pairs.len()] = place;
            self.pairs.push(pair);
            if self.pairs.len() == Lanes::LANES {
                self.finish(out);
            }
        } else if let Some(found) = manifold(a, b, relation, self.most) {
            out[place] = found;
        }
        true
    }

    /// Computes those that still wait.
    pub(crate) fn finish(&mut self, out: &mut [Manifold]) {
        meet::<Lanes>(&self.pairs, &self.places, self.most, out);
        self.pairs.clear();
    }
}

/// The contacts of pairs of boxes, at most as many as there are lanes, each at its place.
#[inline(never)]
fn meet<T: Number>(pairs: &[Pair<'_>], places: &[usize], most: u32, out: &mut [Manifold]) {
    if pairs.is_empty() {
        return;
    }
    let scale = each(pairs, |pair| power(254 - pair.exponent));
    let [a, b] = [0, 1].map(|side| {
        let scaled = |of: fn(&Frame) -> &[f32; 3]| three(pairs, side, of).map(|x: T| mul(x, scale));
        Solid {
            center: scaled(|frame| &frame.center),
            center_low: scaled(|frame| &frame.center_low),
            half: scaled(|frame| &frame.half),
            axes: axes(pairs, side, |frame| &frame.axes),
        }
    });
    let low = || [0, 1].map(|side| axes(pairs, side, |frame| &frame.axes_low));
    let points = boxes([&a, &b], low, truth::<T>(pairs, |pair| pair.touching), most);
    let back = each(pairs, |pair| power(pair.exponent));
    let points = points.finished(truth::<T>(pairs, |pair| pair.swapped), back);
    for (lane, (pair, place)) in pairs.iter().zip(places).enumerate() {
        out[*place] = pair.manifold(&points, lane);
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
    [0, 1, 2].map(|k| each(pairs, |pair| of(pair.frames[side])[k]))
}

#[inline(always)]
fn axes<T: Number>(pairs: &[Pair<'_>], side: usize, of: impl Fn(&Frame) -> &[[f32; 3]; 3]) -> [[T; 3]; 3] {
    [0, 1, 2].map(|k| three(pairs, side, |frame| &of(frame)[k]))
}
