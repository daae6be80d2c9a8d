//! The bodies that are nearest to a point, through the tree, the nearest blocks first.

use std::ops::Range;

use super::Sorted;
use super::tree::{Block, LOG_WIDTH, WIDTH, lanes_within};
use super::visits::{Lanes, Visit};
use crate::exact::Away;
use crate::lanes::{Number, Task, Truth};
use crate::{Bodies, Traits};

/// More than what rounding adds to the square of a distance in `f32`.
const GROWN: f64 = 1.0 + 1.0 / (1 << 20) as f64;

/// A point that is tested against blocks.
#[derive(Clone, Copy)]
pub(super) struct Place(pub [f32; 3]);

impl super::route::Probe for Place {
    #[inline(always)]
    fn meets<T: Number>(&self, block: &Block, most: f32, nears: &mut [f32; WIDTH]) -> u32 {
        let [x, y, z] = self.0;
        // Up to the greatest number nothing is too far away: squares may overflow.
        let most = if most < f32::MAX { most } else { f32::INFINITY };
        Probe { at: [T::splat(x), T::splat(y), T::splat(z)] }.near(block, most, nears)
    }
}

/// A point in all lanes, to be tested against blocks.
struct Probe<T> {
    at: [T; 3],
}

impl<T: Number> Probe<T> {
    /// A bit for every lane whose box may be so near that the square of its distance is at most this. The squares are written to `squares`,
    /// each but for rounding, and infinity in all other lanes.
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
            let near = there.and(square.at_most(T::splat(most)));
            mask |= near.bits() << first;
            // (Squares that overflow are far away, but not as far as what is not to be visited.)
            let square = square.lesser(T::splat(f32::MAX));
            T::choose(near, square, T::splat(f32::INFINITY)).store(&mut squares[first..]);
            first += T::LANES;
        }
        mask
    }
}

/// What has been found near a point.
#[derive(Clone)]
pub(super) struct Nearest {
    /// How many bodies are wanted, and how far away they may be.
    count: usize,
    within: f64,
    /// The greatest distances of the bodies that are nearest so far, ascending, at most as many as are wanted.
    bounds: Vec<f64>,
    /// Bodies that may be among the nearest: their positions.
    pub(super) found: Vec<(Away, u32)>,
}

impl Nearest {
    pub(super) fn new(count: usize, within: f32) -> Self {
        Self { count, within: f64::from(within), bounds: Vec::new(), found: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.bounds.clear();
        self.found.clear();
    }

    /// No body that is further away than this matters.
    pub(super) fn most(&self) -> f64 {
        match self.bounds.last() {
            Some(last) if self.bounds.len() == self.count => last.min(self.within),
            _ => self.within,
        }
    }

    /// The square of that, rounded up, and as much as rounding adds to a square. (Infinite if it has no `f32`.)
    pub(super) fn most_square(&self) -> f32 {
        let most = self.most();
        ((most * most * GROWN) as f32).next_up()
    }

    /// Takes a body that is so far away.
    pub(super) fn offer(&mut self, away: Away, position: u32) {
        if away.least > self.most() {
            return;
        }
        self.found.push((away, position));
        let place = self.bounds.partition_point(|most| *most <= away.most);
        if place < self.count {
            self.bounds.insert(place, away.most);
            self.bounds.truncate(self.count);
        }
    }

    /// Leaves only bodies that may be among the nearest. Returns where the nearest is, but for rounding.
    pub(super) fn leave_nearest(&mut self) -> Option<u32> {
        let most = self.most();
        self.found.retain(|(away, _)| away.least <= most);
        let nearest = self.found.iter().min_by(|(a, _), (b, _)| a.most.total_cmp(&b.most));
        nearest.map(|(_, position)| *position)
    }

    /// Looks at all bodies once more, whose distances are known better now.
    pub(super) fn look_again(&mut self, away: impl Fn(u32) -> Away) {
        let found = std::mem::take(&mut self.found);
        self.bounds.clear();
        for (_, position) in found {
            self.offer(away(position), position);
        }
    }
}

/// Finds what is nearest to points in a sorted set, one point after the other.
pub(crate) struct Finder<'a> {
    bodies: &'a Bodies,
    sorted: &'a Sorted,
    stack: Vec<Visit>,
    nearest: Nearest,
    /// Bodies that may be among the nearest.
    pub(crate) found: Vec<(Away, u32)>,
    /// Where the nearest body of the point before is: it is near this one too if points come in order.
    last: Option<u32>,
    /// Bodies that were looked at.
    pub(crate) tested: u64,
}

impl<'a> Finder<'a> {
    pub(crate) fn new((bodies, sorted): (&'a Bodies, &'a Sorted), count: usize, within: f32) -> Self {
        let nearest = Nearest::new(count, within);
        Self { bodies, sorted, stack: Vec::new(), nearest, found: Vec::new(), last: None, tested: 0 }
    }

    /// Leaves in `found` all bodies that may be among the nearest to a point with these traits, in any order.
    pub(crate) fn find(&mut self, point: [f32; 3], traits: &Traits) {
        self.nearest.clear();
        self.found.clear();
        if self.nearest.count > 0 {
            let sorted = self.sorted;
            sorted.width.run(Descent { finder: self, point, traits });
            self.last = self.nearest.leave_nearest();
            let ids = &sorted.order.ids;
            self.found.extend(self.nearest.found.iter().map(|(away, at)| (*away, ids[*at as usize])));
        }
    }

    /// Looks at the body at a position; at its traits, unless they are known to allow it.
    #[inline(always)]
    fn test(&mut self, point: [f32; 3], traits: Option<&Traits>, position: usize) {
        let order = &self.sorted.order;
        let body = order.ids[position];
        if traits.is_some_and(|traits| !traits.may_meet(&self.bodies.all_traits()[body as usize])) {
            return;
        }
        self.tested += 1;
        self.nearest.offer(away_from(point, self.bodies, self.sorted, position), position as u32);
    }
}

/// How far a point is from the body at a position.
pub(super) fn away_from(point: [f32; 3], bodies: &Bodies, sorted: &Sorted, position: usize) -> Away {
    match sorted.order.tree.leaves()[position / WIDTH].packed(position % WIDTH).cuboid() {
        Some(cuboid) => Away::of_box(point, &cuboid),
        None => Away::of(point, &bodies.get(sorted.order.ids[position] as usize)),
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
        let segments = || own.iter().chain(shared);
        let first = self.finder.last.map(|last| last as usize);
        let first = first.filter(|last| segments().any(|segment| segment.bodies.contains(last)));
        if let Some(first) = first {
            self.finder.test(self.point, Some(self.traits), first);
        }
        for segment in segments() {
            self.descend(&probe, &segment.bodies, first);
        }
    }
}

impl Descent<'_, '_> {
    #[inline(always)]
    fn descend<T: Number>(&mut self, probe: &Probe<T>, positions: &Range<usize>, known: Option<usize>) {
        let Self { finder, point, traits } = self;
        let traits = Some(*traits).filter(|traits| !finder.sorted.is_open_to(traits));
        let leaves = positions.start / WIDTH..positions.end.div_ceil(WIDTH);
        let (mut level, mut squares) = (0, [0.0; WIDTH]);
        while leaves.start >> (LOG_WIDTH * level) != (leaves.end - 1) >> (LOG_WIDTH * level) {
            level += 1;
        }
        finder.stack.clear();
        finder.stack.push(Visit { near: 0.0, level, block: (leaves.start >> (LOG_WIDTH * level)) as u32 });
        while let Some(Visit { near: square, level, block }) = finder.stack.pop() {
            let (at, block) = (level as usize, block as usize);
            let most = finder.nearest.most_square();
            if square > most {
                continue;
            }
            let near = probe.near(finder.sorted.order.tree.block(at, block), most, &mut squares);
            // Lanes of the lowest level are bodies, and all others have as many of them below as this.
            let lanes = Lanes::new(near & lanes_within(block * WIDTH, LOG_WIDTH * level, positions), &squares);
            if level > 0 {
                // The furthest are visited last.
                let visit = |(near, lane)| Visit { near, level: level - 1, block: (block * WIDTH + lane) as u32 };
                finder.stack.extend(lanes.iter().rev().map(visit));
                continue;
            }
            let mut most = most;
            for (square, lane) in lanes.iter() {
                if square <= most && Some(block * WIDTH + lane) != known {
                    finder.test(*point, traits, block * WIDTH + lane);
                    most = finder.nearest.most_square();
                }
            }
        }
    }
}
