//! The bodies that are nearest to a point, through the tree, the nearest blocks first.

use std::ops::Range;

use super::Sorted;
use super::tree::{Block, LOG_WIDTH, WIDTH, lanes_within};
use crate::exact::Away;
use crate::lanes::{Number, Task, Truth};
use crate::{Bodies, Traits};

/// More than what rounding adds to the square of a distance in `f32`.
const GROWN: f64 = 1.0 + 1.0 / (1 << 20) as f64;

/// A point in all lanes, to be tested against blocks.
struct Probe<T> {
    at: [T; 3],
}

impl<T: Number> Probe<T> {
    /// A bit for every lane whose box may be so near that the square of its distance is at most this. The squares are written to `squares`,
    /// each but for rounding.
    #[inline(always)]
    fn near(&self, block: &Block, most: f32, squares: &mut [f32; WIDTH]) -> u32 {
        let (mut mask, mut first) = (0, 0);
        while first < WIDTH {
            let mut square = T::splat(0.0);
            for k in 0..3 {
                let before = T::load(&block.min[k][first..]).minus(self.at[k]);
                let behind = self.at[k].minus(T::load(&block.max[k][first..]));
                let outside = before.greater(behind).greater(T::splat(0.0));
                square = square.plus(outside.times(outside));
            }
            let there = T::load(&block.min[0][first..]).at_most(T::load(&block.max[0][first..]));
            mask |= there.and(square.at_most(T::splat(most))).bits() << first;
            square.store(&mut squares[first..]);
            first += T::LANES;
        }
        mask
    }
}

/// A block that is to be visited: the square of its distance, its level, and its place there.
type Visit = (f32, usize, usize);

/// Finds what is nearest to points in a sorted set, one point after the other.
pub(crate) struct Finder<'a> {
    bodies: &'a Bodies,
    sorted: &'a Sorted,
    stack: Vec<Visit>,
    /// How many bodies are wanted, and how far away they may be.
    count: usize,
    within: f64,
    /// The greatest distances of the bodies that are nearest so far, ascending, at most as many as are wanted.
    nearest: Vec<f64>,
    /// Bodies that may be among the nearest.
    pub(crate) found: Vec<(Away, u32)>,
    /// Bodies that were looked at.
    pub(crate) tested: u64,
}

impl<'a> Finder<'a> {
    pub(crate) fn new((bodies, sorted): (&'a Bodies, &'a Sorted), count: usize, within: f32) -> Self {
        let within = f64::from(within);
        let (stack, nearest, found) = (Vec::new(), Vec::new(), Vec::new());
        Self { bodies, sorted, stack, count, within, nearest, found, tested: 0 }
    }

    /// No body that is further away than this matters.
    fn most(&self) -> f64 {
        match self.nearest.last() {
            Some(last) if self.nearest.len() == self.count => last.min(self.within),
            _ => self.within,
        }
    }

    /// The square of that, rounded up, and as much as rounding adds to a square. (Infinite if it has no `f32`.)
    fn most_square(&self) -> f32 {
        let most = self.most();
        ((most * most * GROWN) as f32).next_up()
    }

    /// Leaves in `found` all bodies that may be among the nearest to a point with these traits, in any order.
    pub(crate) fn find(&mut self, point: [f32; 3], traits: &Traits) {
        self.nearest.clear();
        self.found.clear();
        if self.count > 0 {
            let sorted = self.sorted;
            sorted.width.run(Descent { finder: self, point, traits });
            let most = self.most();
            self.found.retain(|(away, _)| away.least <= most);
        }
    }

    /// Looks at the body at a position.
    fn test(&mut self, point: [f32; 3], traits: &Traits, position: usize) {
        let body = self.sorted.order.ids[position];
        if !traits.may_meet(&self.bodies.all_traits()[body as usize]) {
            return;
        }
        self.tested += 1;
        let away = Away::of(point, &self.bodies.get(body as usize));
        if away.least > self.most() {
            return;
        }
        self.found.push((away, body));
        let place = self.nearest.partition_point(|most| *most <= away.most);
        if place < self.count {
            self.nearest.insert(place, away.most);
            self.nearest.truncate(self.count);
        }
    }
}

/// The way from a point through the tree.
struct Descent<'a, 'b> {
    finder: &'b mut Finder<'a>,
    point: [f32; 3],
    traits: &'b Traits,
}

impl Task for Descent<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<T: Number>(mut self) {
        let (probe, order) = (Probe { at: self.point.map(T::splat) }, &self.finder.sorted.order);
        let (own, shared) = order.segments_for(self.traits.world);
        for segment in own.iter().chain(shared) {
            self.descend(&probe, &segment.bodies);
        }
    }
}

impl Descent<'_, '_> {
    #[inline(always)]
    fn descend<T: Number>(&mut self, probe: &Probe<T>, positions: &Range<usize>) {
        let Self { finder, point, traits } = self;
        let leaves = positions.start / WIDTH..positions.end.div_ceil(WIDTH);
        let (mut level, mut squares) = (0, [0.0; WIDTH]);
        while leaves.start >> (LOG_WIDTH * level) != (leaves.end - 1) >> (LOG_WIDTH * level) {
            level += 1;
        }
        finder.stack.clear();
        finder.stack.push((0.0, level as usize, leaves.start >> (LOG_WIDTH * level)));
        while let Some((square, level, block)) = finder.stack.pop() {
            let most = finder.most_square();
            if square > most {
                continue;
            }
            let near = probe.near(finder.sorted.order.tree.block(level, block), most, &mut squares);
            // Lanes of the lowest level are bodies, and all others have as many of them below as this.
            let mut mask = near & lanes_within(block * WIDTH, LOG_WIDTH * level as u32, positions);
            let bottom = finder.stack.len();
            while mask != 0 {
                let lane = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                // The furthest come first, and are visited last.
                let visit = (squares[lane], level, block * WIDTH + lane);
                let place = finder.stack[bottom..].partition_point(|other| other.0 > visit.0);
                finder.stack.insert(bottom + place, visit);
            }
            if level > 0 {
                finder.stack[bottom..].iter_mut().for_each(|visit| visit.1 -= 1);
                continue;
            }
            while finder.stack.len() > bottom {
                let Some((square, _, position)) = finder.stack.pop() else { break };
                if square <= finder.most_square() {
                    finder.test(*point, traits, position);
                }
            }
        }
    }
}
