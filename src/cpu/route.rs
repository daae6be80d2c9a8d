//! The way of a ray or a point through the tree, which can be interrupted after each block.

use std::ops::Range;

use super::Sorted;
use super::cells::{Cells, LEVELS};
use super::tree::{Block, WIDTH};
use crate::lanes::{Number, Truth};

/// What is tested against the blocks of the tree.
pub(super) trait Probe {
    /// A bit for every lane whose box may be as near as `most`. How near each of these is is written to `nears`, and infinity in all other lanes.
    fn meets<T: Number>(&self, block: &Block, most: f32, nears: &mut [f32; WIDTH]) -> u32;
}

/// How near the children of a block are: infinity for those that are not to be visited, or have been.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Nears([f32; WIDTH]);

/// Numbers of which the first are 0, as many as the place of the row says, and all others infinite.
static BEFORE: [Nears; WIDTH + 1] = {
    let mut before = [Nears([f32::INFINITY; WIDTH]); WIDTH + 1];
    let mut count = 0;
    while count <= WIDTH {
        let mut lane = 0;
        while lane < count {
            before[count].0[lane] = 0.0;
            lane += 1;
        }
        count += 1;
    }
    before
};

/// A way through the tree, to what is nearest first.
pub(super) struct Route<'a> {
    cells: &'a Cells,
    /// Blocks with children that are still to be visited, each below the one before: so many, with their places, and how many children these are.
    nears: [Nears; LEVELS],
    blocks: [u32; LEVELS],
    left: [u32; LEVELS],
    depth: usize,
    /// The block that is visited next, and how near it is: infinity if there is none.
    next: usize,
    next_near: f32,
    /// What is further away than this does not matter: a number that is not infinite.
    most: f32,
    /// The numbers of the segments that it will go through.
    segments: [Range<usize>; 2],
}

impl<'a> Route<'a> {
    /// A way that has ended.
    pub(super) fn new(cells: &'a Cells) -> Self {
        Self {
            cells,
            nears: [Nears([f32::INFINITY; WIDTH]); LEVELS],
            blocks: [0; LEVELS],
            left: [0; LEVELS],
            depth: 0,
            next: 0,
            next_near: f32::INFINITY,
            most: f32::MAX,
            segments: [0..0, 0..0],
        }
    }

    /// Begins at the top of all that is in a world.
    pub(super) fn begin(&mut self, sorted: &Sorted, world: u32) {
        (self.depth, self.next_near, self.most) = (0, f32::INFINITY, f32::MAX);
        self.segments = sorted.order.numbers_for(world);
        self.begin_segment();
    }

    /// From now on nothing matters that is further away than this.
    pub(super) fn limit(&mut self, most: f32) {
        // (Children that are not to be visited are at infinity.)
        self.most = most.min(f32::MAX);
    }

    /// Nothing more is visited.
    pub(super) fn stop(&mut self) {
        (self.depth, self.next_near, self.segments) = (0, f32::INFINITY, [0..0, 0..0]);
    }

    /// Whether it has still something to visit.
    #[inline(always)]
    pub(super) fn is_under_way(&self) -> bool {
        self.next_near < f32::INFINITY
    }

    /// Whether the body at this position is in one of the segments that a way through this world goes through.
    pub(super) fn passes(sorted: &Sorted, world: u32, position: usize) -> bool {
        let (own, shared) = sorted.order.segments_for(world);
        own.iter().chain(shared).any(|segment| segment.bodies.contains(&position))
    }

    /// Looks at the next block. Returns the children that may be near: this does not depend on what is found, so that a processor does it for many ways
    /// at a time.
    #[inline(always)]
    pub(super) fn look<T: Number>(&mut self, probe: &impl Probe) -> u32 {
        probe.meets::<T>(self.cells.block(self.next), self.most, &mut self.nears[self.depth % LEVELS].0)
    }

    /// Goes on from the block that it looked at, where these children may be near. Returns its place, and which of them are bodies.
    #[inline(always)]
    pub(super) fn go_on<T: Number>(&mut self, met: u32) -> (usize, u32) {
        let (block, cells, top) = (self.next, self.cells, self.depth % LEVELS);
        let inner = cells.inner(block);
        let bodies = met >> inner << inner;
        // (Bodies are not visited.)
        let (Nears(nears), mut first) = (&mut self.nears[top], 0);
        while first < WIDTH {
            let visited = T::load(&BEFORE[inner.min(WIDTH)].0[first..]);
            T::load(&nears[first..]).greater(visited).store(&mut nears[first..]);
            first += T::LANES;
        }
        self.left[top] = (met ^ bodies).count_ones();
        self.blocks[top] = block as u32;
        self.depth += usize::from(met != bodies);
        self.next_near = f32::INFINITY;
        if !self.find_next::<T>() {
            self.begin_segment();
        }
        cells.prefetch(self.next);
        (block, bodies)
    }

    /// Goes on with the next segment, if there is one.
    fn begin_segment(&mut self) {
        if let Some(number) = self.segments.iter_mut().find_map(Iterator::next) {
            (self.next, self.next_near) = (self.cells.root(number), 0.0);
        }
    }

    /// Finds the next block in this segment.
    #[inline(always)]
    fn find_next<T: Number>(&mut self) -> bool {
        while self.depth > 0 {
            let top = (self.depth - 1) % LEVELS;
            let Nears(nears) = &mut self.nears[top];
            let (near, lane) = nearest_lane::<T>(nears);
            if !(near <= self.most) {
                self.depth -= 1;
                continue;
            }
            nears[lane] = f32::INFINITY;
            (self.next_near, self.next) = (near, self.cells.child(self.blocks[top] as usize, lane));
            // (After the last one there is nothing to come back for.)
            self.left[top] -= 1;
            self.depth -= usize::from(self.left[top] == 0);
            return true;
        }
        false
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
