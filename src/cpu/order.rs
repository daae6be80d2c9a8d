//! The sorted order of a set of bodies, and the search through the tree over their bounds.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::keys::sorted;
use super::packed::{Leaf, OrientedBoxes, leaf};
use super::pairs::Sink;
use super::segments::Segment;
use super::tree::{Tree, WIDTH, Walk, lanes_of};
use crate::bodies::Kind;
use crate::clock::Clock;
use crate::lanes::{Number, Task, Width};
use crate::parallel::Pool;
use crate::shape::Aabb;
use crate::{Bodies, Traits};

/// The enabled bodies of a set, sorted by world, size class and position along the curve.
pub(crate) struct Order {
    /// The id of the body at each sorted position.
    pub(super) ids: Vec<u32>,
    pub(super) segments: Vec<Segment>,
    pub(super) tree: Tree<Leaf>,
    /// Whether the filter can take all bodies.
    pub(super) all_usable: bool,
}

/// Bodies per task that looks at their kinds.
const KINDS: usize = 1 << 16;
/// Leaves per task that makes them.
const LEAVES: usize = 64;

/// Makes a leaf. Says whether the filter can take all of its bodies.
struct Gather<'a> {
    bodies: &'a Bodies,
    ids: &'a [u32],
    boxes: OrientedBoxes,
    /// The margins by which bounds grow.
    margins: Option<&'a [f32]>,
}

impl Task for Gather<'_> {
    type Output = (Leaf, bool);
    #[inline(always)]
    fn run<T: Number>(self) -> (Leaf, bool) {
        let (mut leaf, usable) = leaf::<T>(self.bodies, self.ids, self.boxes);
        if let Some(margins) = self.margins {
            leaf.grow(|lane| self.ids.get(lane).map(|id| Growth(margins[*id as usize])));
        }
        (leaf, usable)
    }
}

impl Order {
    /// With bounds that have grown by these margins, if there are any.
    pub(super) fn new(
        pool: &Pool,
        width: Width,
        (bodies, margins): (&Bodies, Option<&[f32]>),
        clock: &mut Clock,
    ) -> Self {
        let sorted = sorted(pool, width, bodies);
        clock.lap("order");
        let (ids, kinds) = (sorted.ids, bodies.kinds());
        let counts =
            pool.map_chunks(kinds.len(), KINDS, |part| kinds[part].iter().filter(|kind| **kind == Kind::Obb).count());
        let boxes = match counts.into_iter().sum::<usize>() {
            0 => OrientedBoxes::Absent,
            count if count == kinds.len() => OrientedBoxes::All,
            _ => OrientedBoxes::Some,
        };
        let all_usable = AtomicBool::new(true);
        let leaves = pool.collect_by(ids.len().div_ceil(WIDTH), LEAVES, |k| {
            let ids = &ids[k * WIDTH..ids.len().min((k + 1) * WIDTH)];
            let (leaf, usable) = width.run(Gather { bodies, ids, boxes, margins });
            if !usable {
                all_usable.store(false, Ordering::Relaxed);
            }
            leaf
        });
        clock.lap("gather");
        let tree = Tree::new(pool, leaves);
        clock.lap("tree");
        Self { ids, segments: sorted.segments, tree, all_usable: all_usable.into_inner() }
    }

    /// Hands the memory back to the pool, which keeps it for the next query.
    pub(super) fn give_back(self, pool: &Pool) {
        pool.keep(self.ids);
        pool.keep(self.tree.into_leaves());
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Adds to `sink` the pairs of body `i`, which may be of another set, and every body in this range of positions whose bounds meet
    /// its own, which are these.
    #[inline(always)]
    fn query<T: Number>(
        &self,
        (i, bounds): (usize, &Aabb),
        bodies: &Range<usize>,
        walk: &mut Walk,
        sink: &mut impl Sink,
    ) {
        let blocks = bodies.start / WIDTH..bodies.end.div_ceil(WIDTH);
        self.tree.find_leaves::<T>(bounds, &blocks, walk);
        for k in &walk.found {
            let k = *k as usize;
            sink.add::<T>(i, k * WIDTH, self.tree.leaf(k).meets::<T>(bounds) & lanes_of(k, bodies));
        }
    }

    /// The segments of a world.
    pub(super) fn segments_of(&self, world: u32) -> &[Segment] {
        &self.segments[self.numbers_of(world)]
    }

    fn numbers_of(&self, world: u32) -> Range<usize> {
        let first = self.segments.partition_point(|segment| segment.world < world);
        let count = self.segments[first..].partition_point(|segment| segment.world == world);
        first..first + count
    }
}

impl Order {
    /// The segments with the bodies that one of this world may meet.
    pub(super) fn segments_for(&self, world: u32) -> (&[Segment], &[Segment]) {
        let [own, shared] = self.numbers_for(world);
        (&self.segments[own], &self.segments[shared])
    }

    /// The numbers of these segments.
    pub(super) fn numbers_for(&self, world: u32) -> [Range<usize>; 2] {
        match world {
            Traits::EVERY_WORLD => [0..self.segments.len(), 0..0],
            world => [self.numbers_of(world), self.numbers_of(Traits::EVERY_WORLD)],
        }
    }
}

/// By how much the bounds of bodies that search are grown: those of others remain as they are, so that one tree serves all margins.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Growth(pub f32);

impl Growth {
    #[inline(always)]
    pub(super) fn of(self, bounds: Aabb) -> Aabb {
        if self.0 == 0.0 { bounds } else { self.grown(&bounds) }
    }

    /// Rounded outward.
    #[inline(never)]
    fn grown(self, bounds: &Aabb) -> Aabb {
        let low = bounds.min().to_array().map(|x| (x - self.0).next_down());
        let high = bounds.max().to_array().map(|x| (x + self.0).next_up());
        Aabb::from_bounds(low.into(), high.into())
    }
}

/// Finds the pairs of bodies within a set whose bounds meet and whose owner lies in one of these leaf blocks, each once.
///
/// The owner of a pair is the body of the larger class or, within a class, the one that comes first; of a pair with a body that is in
/// every world, the body that is not.
pub(super) struct SearchWithin<'a, S> {
    pub order: &'a Order,
    pub blocks: Range<usize>,
    pub growth: Growth,
    pub sink: S,
}

impl<S: Sink> Task for SearchWithin<'_, S> {
    type Output = S;
    #[inline(always)]
    fn run<T: Number>(mut self) -> S {
        let (order, blocks, growth, mut walk) = (self.order, self.blocks, self.growth, Walk::default());
        let mut s = order.segments.partition_point(|segment| segment.bodies.end <= blocks.start * WIDTH);
        while s < order.segments.len() && order.segments[s].bodies.start < blocks.end * WIDTH {
            let own = &order.segments[s];
            let first = blocks.start.max(own.bodies.start / WIDTH);
            let last = blocks.end.min(own.bodies.end.div_ceil(WIDTH));
            for block in first..last {
                join_block::<T>((&order.tree, growth), block, &own.bodies, &mut walk, &mut self.sink);
            }
            let below = order.segments[..s].iter().rev().take_while(|other| other.world == own.world);
            let shared = if own.world == Traits::EVERY_WORLD { &[] } else { order.segments_of(Traits::EVERY_WORLD) };
            for others in below.chain(shared) {
                let range = own.bodies.start.max(blocks.start * WIDTH)..own.bodies.end.min(blocks.end * WIDTH);
                for i in range {
                    let bounds = growth.of(order.tree.bounds(i));
                    order.query::<T>((i, &bounds), &others.bodies, &mut walk, &mut self.sink);
                }
            }
            s += 1;
        }
        self.sink
    }
}

/// The pairs within a segment whose first body is in this block.
#[inline(always)]
fn join_block<T: Number>(
    (tree, growth): (&Tree<Leaf>, Growth),
    block: usize,
    segment: &Range<usize>,
    walk: &mut Walk,
    sink: &mut impl Sink,
) {
    let leaf = tree.leaf(block);
    let own = lanes_of(block, segment);
    // Within the block, each body is tested with those after it.
    let mut left = own & (own - 1);
    let mut j = own.trailing_zeros() as usize;
    while left != 0 {
        sink.add::<T>(block * WIDTH + j, block * WIDTH, leaf.meets::<T>(&growth.of(leaf.lane(j))) & left);
        j = left.trailing_zeros() as usize;
        left &= left - 1;
    }
    let bounds = growth.of(leaf.union(own));
    tree.find_leaves::<T>(&bounds, &(block + 1..segment.end.div_ceil(WIDTH)), walk);
    for k in &walk.found {
        let k = *k as usize;
        let other = tree.leaf(k);
        // The bodies of each block whose bounds meet the union of the other. Those of the block with fewer are tested one by one.
        let mut near = leaf.meets::<T>(&growth.of(tree.leaf_union(k))) & own;
        let mut theirs = other.meets::<T>(&bounds) & lanes_of(k, segment);
        if near.count_ones() <= theirs.count_ones() {
            while near != 0 {
                let j = near.trailing_zeros() as usize;
                near &= near - 1;
                sink.add::<T>(block * WIDTH + j, k * WIDTH, other.meets::<T>(&growth.of(leaf.lane(j))) & theirs);
            }
        } else {
            while theirs != 0 {
                let j = theirs.trailing_zeros() as usize;
                theirs &= theirs - 1;
                sink.add::<T>(k * WIDTH + j, block * WIDTH, leaf.meets::<T>(&growth.of(other.lane(j))) & near);
            }
        }
    }
}

/// Finds the pairs of a body of the searching set, in this range of its sorted positions, and a body of the searched set that it may
/// meet by their worlds, and whose bounds meet.
pub(super) struct SearchBetween<'a, S> {
    pub searching: (&'a Bodies, &'a Order),
    pub searched: &'a Order,
    pub range: Range<usize>,
    pub growth: Growth,
    pub sink: S,
}

impl<S: Sink> Task for SearchBetween<'_, S> {
    type Output = S;
    #[inline(always)]
    fn run<T: Number>(mut self) -> S {
        let (searched, mut walk) = (self.searched, Walk::default());
        let (bodies, order) = self.searching;
        for i in self.range {
            let world = bodies.all_traits()[order.ids[i] as usize].world;
            let (own, shared) = searched.segments_for(world);
            let bounds = self.growth.of(order.tree.bounds(i));
            for segment in own.iter().chain(shared) {
                searched.query::<T>((i, &bounds), &segment.bodies, &mut walk, &mut self.sink);
            }
        }
        self.sink
    }
}

/// Finds the bodies that may meet one in this world, and whose bounds meet these, grown.
pub(super) struct SearchOne<'a> {
    pub order: &'a Order,
    pub world: u32,
    pub bounds: Aabb,
    pub growth: Growth,
    pub walk: &'a mut Walk,
    /// Gets their ids, in any order.
    pub found: &'a mut Vec<u32>,
}

impl Task for SearchOne<'_> {
    type Output = ();
    #[inline(always)]
    fn run<T: Number>(self) {
        let (order, bounds) = (self.order, self.growth.of(self.bounds));
        let (own, shared) = order.segments_for(self.world);
        for segment in own.iter().chain(shared) {
            let bodies = &segment.bodies;
            let blocks = bodies.start / WIDTH..bodies.end.div_ceil(WIDTH);
            order.tree.find_leaves::<T>(&bounds, &blocks, self.walk);
            for k in &self.walk.found {
                let k = *k as usize;
                let mut mask = order.tree.leaf(k).meets::<T>(&bounds) & lanes_of(k, bodies);
                while mask != 0 {
                    self.found.push(order.ids[k * WIDTH + mask.trailing_zeros() as usize]);
                    mask &= mask - 1;
                }
            }
        }
    }
}
