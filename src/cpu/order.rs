//! The sorted order of a set of bodies, and the tree over their bounds.

use std::ops::Range;

use super::segments::{Segment, segments};
use super::sort;
use super::tree::{Probe, Tree, WIDTH, lanes_of};
use crate::clock::Clock;
use crate::parallel::Pool;
use crate::shape::Aabb;
use crate::spatial::{CLASS_BITS, Grid, Sizes};
use crate::{Bodies, Traits};

/// The enabled bodies of a set, sorted by world, size class and position along the curve.
pub(crate) struct Order {
    /// The id of the body at each sorted position.
    pub(super) ids: Vec<u32>,
    pub(super) segments: Vec<Segment>,
    pub(super) tree: Tree,
}

/// Bodies per task.
const CHUNK: usize = 1 << 14;

/// The ids of the enabled bodies.
fn enabled(flags: &[bool]) -> Vec<u32> {
    (0..flags.len() as u32).filter(|i| flags[*i as usize]).collect()
}

impl Order {
    pub(crate) fn new(
        pool: &Pool,
        bodies: &Bodies,
        bounds: impl Fn(usize) -> Aabb + Send + Sync,
        clock: &mut Clock,
    ) -> Self {
        let n = bodies.id_bound();
        let index_bits = usize::BITS - n.leading_zeros();
        let (traits, flags) = (bodies.all_traits(), bodies.enabled_flags());
        // Worlds are replaced by their ranks, which are less than the number of bodies and so need fewer bits.
        let parts = pool.map_chunks(n, CHUNK, |range| {
            let mut worlds: Vec<u32> = Vec::new();
            for world in range.clone().filter(|i| flags[*i]).map(|i| traits[i].world) {
                if worlds.last() != Some(&world) {
                    worlds.push(world);
                }
            }
            (flags[range].contains(&false), worlds)
        });
        // The enabled bodies; absent if all are enabled.
        let enabled = parts.iter().any(|(disabled, _)| *disabled).then(|| enabled(flags));
        let enabled = |k: usize| enabled.as_ref().map_or(k as u32, |enabled| enabled[k]);
        let count = n - flags.iter().filter(|enabled| !**enabled).count();
        let mut worlds: Vec<u32> = parts.into_iter().flat_map(|(_, worlds)| worlds).collect();
        worlds.sort_unstable();
        worlds.dedup();
        let rank = |i: u32| worlds.partition_point(|w| *w < traits[i as usize].world) as u64;
        let (grid, sizes) = (Grid::new(n, &bounds, index_bits + CLASS_BITS), Sizes::new(n, &bounds));
        // The sort key of a body: size class, then position along the curve, then index, in one integer.
        let places = pool.collect(count, |k| {
            let bounds = &bounds(enabled(k) as usize);
            let class_and_place = u64::from(sizes.class(bounds)) << grid.key_bits() | grid.key(bounds);
            class_and_place << index_bits | u64::from(enabled(k))
        });
        let mut order = sort::sort(pool, places, index_bits);
        let index = |item: u64| (item & ((1 << index_bits) - 1)) as u32;
        if worlds.len() > 1 {
            // A stable sort by world keeps the order within each world.
            let by_world =
                pool.collect(order.len(), |k| rank(index(order[k])) << index_bits | u64::from(index(order[k])));
            order = sort::sort(pool, by_world, index_bits);
        }
        let ids: Vec<u32> = pool.collect(order.len(), |k| index(order[k]));
        drop(order);
        clock.lap("order");
        let tree = Tree::new(pool, ids.len(), |k| bounds(ids[k] as usize));
        let world = |k: usize| match worlds[..] {
            [only] => only,
            _ => traits[ids[k] as usize].world,
        };
        let segments = segments(pool, ids.len(), |k| (world(k), sizes.class(&tree.bounds(k))));
        clock.lap("tree");
        Self { ids, segments, tree }
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    pub(super) fn bounds(&self, i: usize) -> Aabb {
        self.tree.bounds(i)
    }

    /// Calls `found(i)` for every body in this range of positions whose bounds meet the probe.
    fn query(&self, probe: &Probe, bodies: &Range<usize>, found: &mut impl FnMut(usize)) {
        let blocks = bodies.start / WIDTH..bodies.end.div_ceil(WIDTH);
        self.tree.visit_leaves(probe, blocks, &mut |k| {
            let mut mask = self.tree.leaf(k).meets(probe) & lanes_of(k, bodies);
            while mask != 0 {
                found(k * WIDTH + mask.trailing_zeros() as usize);
                mask &= mask - 1;
            }
        });
    }

    /// The segments of a world.
    pub(super) fn segments_of(&self, world: u32) -> &[Segment] {
        let first = self.segments.partition_point(|segment| segment.world < world);
        let count = self.segments[first..].partition_point(|segment| segment.world == world);
        &self.segments[first..first + count]
    }

    /// Calls `found(i)` for every body that a body of this world may meet, and whose bounds meet `bounds`.
    pub(super) fn query_world(&self, bounds: &Aabb, world: u32, found: &mut impl FnMut(usize)) {
        let probe = Probe::new(bounds);
        let (own, shared) = match world {
            Traits::EVERY_WORLD => (&self.segments[..], &[][..]),
            world => (self.segments_of(world), self.segments_of(Traits::EVERY_WORLD)),
        };
        for segment in own.iter().chain(shared) {
            self.query(&probe, &segment.bodies, found);
        }
    }

    /// Calls `found(i, j)` once for every pair of bodies whose bounds meet and whose owner lies in one of these leaf blocks. The
    /// owner of a pair is the body of the larger class or, within a class, the one that comes first; of a pair with a body that is in
    /// every world, the body that is not.
    pub(super) fn join(&self, blocks: Range<usize>, found: &mut impl FnMut(usize, usize)) {
        let mut s = self.segments.partition_point(|segment| segment.bodies.end <= blocks.start * WIDTH);
        while s < self.segments.len() && self.segments[s].bodies.start < blocks.end * WIDTH {
            let own = &self.segments[s];
            let first = blocks.start.max(own.bodies.start / WIDTH);
            let last = blocks.end.min(own.bodies.end.div_ceil(WIDTH));
            for block in first..last {
                self.join_block(block, &own.bodies, found);
            }
            let below = self.segments[..s].iter().rev().take_while(|other| other.world == own.world);
            let shared = if own.world == Traits::EVERY_WORLD { &[] } else { self.segments_of(Traits::EVERY_WORLD) };
            for others in below.chain(shared) {
                let range = own.bodies.start.max(blocks.start * WIDTH)..own.bodies.end.min(blocks.end * WIDTH);
                for i in range {
                    self.query(&Probe::new(&self.bounds(i)), &others.bodies, &mut |j| found(i, j));
                }
            }
            s += 1;
        }
    }

    /// The pairs within a segment whose first body is in this block.
    fn join_block(&self, block: usize, segment: &Range<usize>, found: &mut impl FnMut(usize, usize)) {
        let leaf = self.tree.leaf(block);
        let own = lanes_of(block, segment);
        let mut probes = [Probe::new(&Aabb::EMPTY); WIDTH];
        for (j, probe) in probes.iter_mut().enumerate() {
            if own >> j & 1 == 1 {
                *probe = Probe::new(&leaf.lane(j));
            }
        }
        // Within the block, each body is tested with those after it.
        for (j, probe) in probes.iter().enumerate() {
            let mut mask = if own >> j & 1 == 1 { leaf.meets(probe) & own & (0xfe << j) } else { 0 };
            while mask != 0 {
                found(block * WIDTH + j, block * WIDTH + mask.trailing_zeros() as usize);
                mask &= mask - 1;
            }
        }
        let all = Probe::new(&leaf.union(own));
        self.tree.visit_leaves(&all, block + 1..segment.end.div_ceil(WIDTH), &mut |k| {
            let (other, theirs) = (self.tree.leaf(k), lanes_of(k, segment));
            // The bodies of this block whose bounds meet the union of the other block.
            let mut near = leaf.meets(&Probe::new(&self.tree.leaf_union(k))) & own;
            while near != 0 {
                let j = near.trailing_zeros() as usize;
                near &= near - 1;
                let mut mask = other.meets(&probes[j]) & theirs;
                while mask != 0 {
                    found(block * WIDTH + j, k * WIDTH + mask.trailing_zeros() as usize);
                    mask &= mask - 1;
                }
            }
        });
    }
}
