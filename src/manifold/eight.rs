//! Contacts of boxes, eight pairs at a time.

use wide::f32x8;

use super::boxes::Met;
use super::frame::{Solid, power};
use super::{Frame, Manifold, Pair, manifold};
use crate::Relation;
use crate::det::mul;

/// How many pairs are computed side by side.
const LANES: usize = 8;

/// Pairs whose contacts are computed, of which those of boxes wait until there are eight.
pub(crate) struct Waiting<'a> {
    most: u32,
    /// Where the contact goes.
    places: [usize; LANES],
    pairs: Vec<Pair<'a>>,
}

impl<'a> Waiting<'a> {
    pub(crate) fn new(most: u32) -> Self {
        Self { most, places: [0; LANES], pairs: Vec::with_capacity(LANES) }
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
            if self.pairs.len() == LANES {
                self.finish(out);
            }
        } else if let Some(found) = manifold(a, b, relation, self.most) {
            out[place] = found;
        }
        true
    }

    /// Computes those that still wait.
    pub(crate) fn finish(&mut self, out: &mut [Manifold]) {
        let Some(first) = self.pairs.first() else { return };
        let lanes: [&Pair<'_>; LANES] = std::array::from_fn(|k| self.pairs.get(k).unwrap_or(first));
        let met = meet(lanes);
        for (lane, pair) in self.pairs.iter().enumerate() {
            let points = met.points(lane, pair.frames, pair.scale(), pair.touching, self.most);
            out[self.places[lane]] = pair.manifold(points);
        }
        self.pairs.clear();
    }
}

#[inline(never)]
fn meet(pairs: [&Pair<'_>; LANES]) -> Met<f32x8> {
    let scale = f32x8::new(pairs.map(|pair| power(254 - pair.exponent)));
    let [a, b] = [0, 1].map(|side| {
        let frames = pairs.map(|pair| pair.frames[side]);
        let three = |of: fn(&Frame) -> &[f32; 3]| [0, 1, 2].map(|k| f32x8::new(frames.map(|frame| of(frame)[k])));
        let scaled = |of: fn(&Frame) -> &[f32; 3]| three(of).map(|x| mul(x, scale));
        Solid {
            center: scaled(|frame| &frame.center),
            center_low: scaled(|frame| &frame.center_low),
            half: scaled(|frame| &frame.half),
            axes: [three(|frame| &frame.axes[0]), three(|frame| &frame.axes[1]), three(|frame| &frame.axes[2])],
        }
    });
    Met::of(&a, &b)
}
