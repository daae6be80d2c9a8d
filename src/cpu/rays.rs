//! Rays through the tree, the nearest blocks first.

use std::ops::Range;

use wide::f32x8;

use super::Sorted;
use super::tree::{Block, WIDTH, lanes_within};
use crate::cast::{Shot, entry, span};
use crate::exact::ray_shape;
use crate::filter::{NODE_PAD, NODE_RATE, NODE_TINY, Span, VAST};
use crate::{Bodies, Traits};

/// Origins up to here (2⁴⁰) are far enough from overflow. Rays from beyond are tested against all bodies.
const FURTHEST: f32 = (1_u64 << 40) as f32;

/// A ray in all eight lanes, to be tested against blocks.
struct Probe {
    origin: [f32x8; 3],
    inverse: [f32x8; 3],
    goes_down: [bool; 3],
}

impl Probe {
    fn new(shot: &Shot) -> Self {
        let origin = shot.ray.origin().to_array().map(f32x8::splat);
        let inverse = shot.direction.map(|rate| f32x8::splat(1.0 / rate.abs().max(NODE_RATE)));
        Self { origin, inverse, goes_down: shot.direction.map(|rate| rate < 0.0) }
    }

    /// A bit for every lane whose box the ray may meet, or be as near to as deterministic times allow, at times up to `latest`; and the
    /// first of these times in each lane.
    #[inline(always)]
    fn meets(&self, block: &Block, latest: f32) -> (u32, f32x8) {
        let low = [0, 1, 2].map(|k| block.min[k] - self.origin[k]);
        let high = [0, 1, 2].map(|k| block.max[k] - self.origin[k]);
        let furthest = |k: usize| low[k].abs().fast_max(high[k].abs());
        let reach = furthest(0).fast_max(furthest(1)).fast_max(furthest(2));
        let pad = reach * f32x8::splat(NODE_PAD) + f32x8::splat(NODE_TINY);
        let part = |k: usize| {
            let (near, far) = if self.goes_down[k] { (-high[k], -low[k]) } else { (low[k], high[k]) };
            ((near - pad) * self.inverse[k], (far + pad) * self.inverse[k])
        };
        let (x, y, z) = (part(0), part(1), part(2));
        let zero = f32x8::splat(0.0);
        let enter = x.0.fast_max(y.0).fast_max(z.0).fast_max(zero);
        let exit = x.1.fast_min(y.1).fast_min(z.1);
        let misses = enter.simd_gt(exit) | enter.simd_gt(f32x8::splat(latest));
        let vast = reach.simd_gt(f32x8::splat(VAST));
        let there = block.min[0].simd_le(block.max[0]);
        ((there & (vast | !misses)).to_bitmask(), enter & !vast)
    }
}

/// A hit that is certain, but whose deterministic time is not computed yet: the interval in which it lies, and the body.
#[derive(Clone, Copy)]
struct Waiting {
    first: f64,
    last: f64,
    body: u32,
}

/// What a ray is asked for.
pub(crate) trait Wanted {
    /// The latest time that still matters.
    fn latest(&self) -> f64;
    /// Whether nothing more can matter.
    fn is_done(&self) -> bool;
    /// A certain hit, at a time in this interval.
    fn meet(&mut self, caster: &Caster<'_>, shot: &Shot, body: u32, interval: (f64, f64));
}

/// The hit of the least (time, body).
#[derive(Default)]
pub(crate) struct Nearest {
    waiting: Option<Waiting>,
    best: Option<(f32, u32)>,
}

impl Nearest {
    fn offer(&mut self, found: (f32, u32)) {
        if self.best.is_none_or(|best| found < best) {
            self.best = Some(found);
        }
    }

    fn settle(&mut self, caster: &Caster<'_>, shot: &Shot) {
        if let Some(Waiting { body, .. }) = self.waiting.take() {
            self.offer((caster.entry(shot, body), body));
        }
    }

    /// The nearest of all hits so far.
    pub(crate) fn found(mut self, caster: &Caster<'_>, shot: &Shot) -> Option<(f32, u32)> {
        self.settle(caster, shot);
        self.best
    }
}

impl Wanted for Nearest {
    fn latest(&self) -> f64 {
        let waiting = self.waiting.map_or(f64::INFINITY, |waiting| waiting.last);
        self.best.map_or(waiting, |best| f64::from(best.0).min(waiting))
    }

    fn is_done(&self) -> bool {
        false
    }

    fn meet(&mut self, caster: &Caster<'_>, shot: &Shot, body: u32, (first, last): (f64, f64)) {
        let earlier = self.best.is_none_or(|best| last < f64::from(best.0));
        if earlier && self.waiting.is_none_or(|waiting| last < waiting.first) {
            // All others are certainly later.
            (self.best, self.waiting) = (None, Some(Waiting { first, last, body }));
        } else if first <= self.latest() {
            self.settle(caster, shot);
            self.offer((caster.entry(shot, body), body));
        }
    }
}

/// Whether there is a hit.
#[derive(Default)]
pub(crate) struct Any {
    pub(crate) found: bool,
}

impl Wanted for Any {
    fn latest(&self) -> f64 {
        f64::INFINITY
    }

    fn is_done(&self) -> bool {
        self.found
    }

    fn meet(&mut self, _: &Caster<'_>, _: &Shot, _: u32, _: (f64, f64)) {
        self.found = true;
    }
}

/// All hits, in any order.
#[derive(Default)]
pub(crate) struct All {
    pub(crate) found: Vec<(f32, u32)>,
}

impl Wanted for All {
    fn latest(&self) -> f64 {
        f64::INFINITY
    }

    fn is_done(&self) -> bool {
        false
    }

    fn meet(&mut self, caster: &Caster<'_>, shot: &Shot, body: u32, _: (f64, f64)) {
        self.found.push((caster.entry(shot, body), body));
    }
}

/// A block that is to be visited: when the ray enters it, its level, and its place there.
type Visit = (f32, usize, usize);

/// Casts rays at a sorted set, one after the other.
pub(crate) struct Caster<'a> {
    bodies: &'a Bodies,
    sorted: &'a Sorted,
    stack: Vec<Visit>,
    /// Rays and bodies that were tested, and those of them that were left to integers.
    pub(crate) tested: u64,
    pub(crate) undecided: u64,
}

impl<'a> Caster<'a> {
    pub(crate) fn new(bodies: &'a Bodies, sorted: &'a Sorted) -> Self {
        Self { bodies, sorted, stack: Vec::new(), tested: 0, undecided: 0 }
    }

    /// The deterministic time at which a ray enters a body that it meets.
    fn entry(&self, shot: &Shot, body: u32) -> f32 {
        entry(shot, &self.bodies.get(body as usize))
    }

    /// Finds what a ray with these traits meets.
    pub(crate) fn cast(&mut self, shot: &Shot, traits: &Traits, wanted: &mut impl Wanted) {
        let sorted = self.sorted;
        if shot.ray.origin().abs().max_element() > FURTHEST {
            for position in 0..sorted.order.len() {
                if !wanted.is_done() {
                    self.test(shot, traits, position, wanted);
                }
            }
            return;
        }
        let probe = Probe::new(shot);
        let (own, shared) = match traits.world {
            Traits::EVERY_WORLD => (&sorted.order.segments[..], &[][..]),
            world => (sorted.order.segments_of(world), sorted.order.segments_of(Traits::EVERY_WORLD)),
        };
        for segment in own.iter().chain(shared) {
            self.descend(shot, traits, &probe, &segment.bodies, wanted);
        }
    }

    /// Finds what a ray meets of the bodies at these positions.
    fn descend(
        &mut self,
        shot: &Shot,
        traits: &Traits,
        probe: &Probe,
        positions: &Range<usize>,
        wanted: &mut impl Wanted,
    ) {
        let leaves = positions.start / WIDTH..positions.end.div_ceil(WIDTH);
        let mut level = 0;
        while leaves.start / WIDTH.pow(level) != (leaves.end - 1) / WIDTH.pow(level) {
            level += 1;
        }
        self.stack.clear();
        self.stack.push((0.0, level as usize, leaves.start / WIDTH.pow(level)));
        while let Some((enter, level, block)) = self.stack.pop() {
            // Rounded up.
            let latest = (wanted.latest().min(shot.path.limit) as f32).next_up();
            if enter > latest {
                continue;
            }
            let (met, enters) = probe.meets(&self.sorted.order.tree.levels[level][block], latest);
            // Lanes of the lowest level are bodies, and all others have as many of them below as this.
            let mut mask = met & lanes_within(block * WIDTH, WIDTH.pow(level as u32), positions);
            let bottom = self.stack.len();
            while mask != 0 {
                let lane = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                // Those that the ray enters last come first, and are visited last.
                let visit = (enters.as_array()[lane], level, block * WIDTH + lane);
                let place = self.stack[bottom..].partition_point(|other| other.0 > visit.0);
                self.stack.insert(bottom + place, visit);
            }
            if level > 0 {
                self.stack[bottom..].iter_mut().for_each(|visit| visit.1 -= 1);
                continue;
            }
            while self.stack.len() > bottom {
                let Some((enter, _, position)) = self.stack.pop() else { break };
                if f64::from(enter) <= wanted.latest() {
                    self.test(shot, traits, position, wanted);
                }
            }
            if wanted.is_done() {
                return;
            }
        }
    }

    /// Tests the body at a position.
    fn test(&mut self, shot: &Shot, traits: &Traits, position: usize, wanted: &mut impl Wanted) {
        let body = self.sorted.order.ids[position];
        if !traits.may_meet(&self.bodies.all_traits()[body as usize]) {
            return;
        }
        self.tested += 1;
        let shape = self.bodies.get(body as usize);
        match span(shot, &shape) {
            Span::Miss => {}
            Span::Hit(first, last) => wanted.meet(self, shot, body, (first, last)),
            Span::Open(first) if first > wanted.latest() => {}
            Span::Open(first) => {
                self.undecided += 1;
                if ray_shape(&shot.ray, shot.limit, &shape) {
                    wanted.meet(self, shot, body, (first, f64::INFINITY));
                }
            }
        }
    }
}
