//! The way of a ray or a point through the tree, which can be interrupted after each block.

use std::ops::Range;

use super::Sorted;
use super::segments::Segment;
use super::tree::{Block, LOG_WIDTH, WIDTH, lanes_within};
use crate::lanes::{Number, Truth, prefetch};

/// The most levels above the leaves, of which there are fewer than 2³².
const LEVELS: usize = 8;

const NO_SEGMENTS: [&[Segment]; 2] = [&[], &[]];

/// What is tested against the blocks of the tree.
pub(super) trait Probe {
    /// A bit for every lane whose box may be as near as `most`. How near each of these is is written to `nears`, and infinity in all other lanes.
    fn meets<T: Number>(&self, block: &Block, most: f32, nears: &mut [f32; WIDTH]) -> u32;
}

/// How near the children of a block are: infinity for those that are not to be visited, or have been.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Nears([f32; WIDTH]);

/// Where the children of a block are: their level, and the place of the first one there.
#[derive(Clone, Copy, Default)]
struct Children {
    level: u32,
    first: u32,
}

/// A way through the tree, to what is nearest first.
pub(super) struct Route<'a> {
    /// Blocks whose children are still to be visited, each below the one before: so many.
    nears: [Nears; LEVELS],
    children: [Children; LEVELS],
    depth: usize,
    /// The nearest child of the block that was visited last, and how near it is: infinity if there is none.
    next: (usize, usize),
    next_near: f32,
    /// What is further away than this does not matter: a number that is not infinite.
    most: f32,
    /// The positions of the segment that it goes through, and the segments that come after that.
    positions: Range<usize>,
    segments: [&'a [Segment]; 2],
}

impl<'a> Route<'a> {
    /// Through all that is in a world.
    pub(super) fn new(sorted: &'a Sorted, world: u32) -> Self {
        let (own, shared) = sorted.order.segments_for(world);
        Self {
            nears: [Nears([f32::INFINITY; WIDTH]); LEVELS],
            children: [Children::default(); LEVELS],
            depth: 0,
            next: (0, 0),
            next_near: f32::INFINITY,
            most: f32::MAX,
            positions: 0..0,
            segments: [own, shared],
        }
    }

    /// From now on nothing matters that is further away than this.
    pub(super) fn limit(&mut self, most: f32) {
        // (Children that are not to be visited are at infinity.)
        self.most = most.min(f32::MAX);
    }

    /// Nothing more is visited.
    pub(super) fn stop(&mut self) {
        (self.depth, self.next_near, self.segments) = (0, f32::INFINITY, NO_SEGMENTS);
    }

    /// Whether it has still something to visit.
    #[inline(always)]
    pub(super) fn is_under_way(&self) -> bool {
        self.depth > 0 || self.next_near < f32::INFINITY || !self.segments[0].is_empty() || !self.segments[1].is_empty()
    }

    /// Whether the body at this position is in one of the segments that it has not gone through.
    pub(super) fn will_pass(&self, position: usize) -> bool {
        self.segments.iter().any(|list| list.iter().any(|segment| segment.bodies.contains(&position)))
    }

    /// Visits the next block. If that is a leaf, returns its place, and the lanes that may be near.
    #[inline(always)]
    pub(super) fn step<T: Number>(&mut self, sorted: &Sorted, probe: &impl Probe) -> (usize, u32) {
        let (near, next) = (std::mem::replace(&mut self.next_near, f32::INFINITY), self.next);
        let (level, block) = if near <= self.most {
            next
        } else {
            match self.nearest::<T>() {
                Some(next) => next,
                None => match self.next_segment() {
                    Some(next) => next,
                    None => return (0, 0),
                },
            }
        };
        // Lanes of the lowest level are bodies, and all others have as many of them below as this.
        let there = lanes_within(block * WIDTH, LOG_WIDTH * level as u32, &self.positions);
        let nears = &mut self.nears[self.depth % LEVELS].0;
        let all = probe.meets::<T>(sorted.order.tree.block(level, block), self.most, nears);
        let met = all & there;
        if level == 0 {
            return (block, met);
        }
        if met != 0 {
            let mut strange = all & !there;
            while strange != 0 {
                nears[strange.trailing_zeros() as usize % WIDTH] = f32::INFINITY;
                strange &= strange - 1;
            }
            let (near, lane) = nearest_lane::<T>(nears);
            nears[lane] = f32::INFINITY;
            (self.next_near, self.next) = (near, (level - 1, block * WIDTH + lane));
            prefetch(sorted.order.tree.block(level - 1, block * WIDTH + lane));
            // (If it was the only one, there is nothing to come back for.)
            if met & (met - 1) != 0 {
                let children = Children { level: level as u32 - 1, first: (block * WIDTH) as u32 };
                self.children[self.depth % LEVELS] = children;
                self.depth += 1;
            }
        }
        (0, 0)
    }

    /// The level and the place of the block at the top of the next segment.
    fn next_segment(&mut self) -> Option<(usize, usize)> {
        let list = self.segments.iter_mut().find(|list| !list.is_empty())?;
        let (first, rest) = list.split_first()?;
        *list = rest;
        self.positions = first.bodies.clone();
        let leaves = self.positions.start / WIDTH..self.positions.end.div_ceil(WIDTH);
        let mut level = 0;
        while leaves.start >> (LOG_WIDTH * level) != (leaves.end - 1) >> (LOG_WIDTH * level) {
            level += 1;
        }
        Some((level as usize, leaves.start >> (LOG_WIDTH * level)))
    }

    /// The level and the place of the next block in this segment.
    #[inline(always)]
    fn nearest<T: Number>(&mut self) -> Option<(usize, usize)> {
        while self.depth > 0 {
            let top = (self.depth - 1) % LEVELS;
            let (Nears(nears), children) = (&mut self.nears[top], self.children[top]);
            let (near, lane) = nearest_lane::<T>(nears);
            if !(near <= self.most) {
                self.depth -= 1;
                continue;
            }
            nears[lane] = f32::INFINITY;
            return Some((children.level as usize, children.first as usize + lane));
        }
        None
    }
}

/// The least of these numbers, and where it is.
#[inline(always)]
fn nearest_lane<T: Number>(nears: &[f32; WIDTH]) -> (f32, usize) {
    let (mut all, mut first) = (T::load(nears), T::LANES);
    while first < WIDTH {
        all = all.lesser(T::load(&nears[first..]));
        first += T::LANES;
    }
    let least = all.least();
    let (mut which, mut first) = (0, 0);
    while first < WIDTH {
        which |= T::load(&nears[first..]).equals(T::splat(least)).bits() << first;
        first += T::LANES;
    }
    (least, which.trailing_zeros() as usize % WIDTH)
}
