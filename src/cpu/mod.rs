//! The CPU backend: exact pairs on all cores, without a GPU.
//!
//! Data flow: bodies → conservative bounds → curve order within size classes → a flat tree of eight boxes per block → candidate
//! pairs, block against block → certified `f32` filters, eight pairs at a time → exact tests of undecided pairs. The pairs that
//! are found are not sorted yet.

mod narrow;
mod order;
mod rows;
mod segments;
mod sort;
mod tree;

// The alias by which `src/batch` uses these.
pub(crate) use narrow::CpuHits;
use narrow::{Narrow, NarrowInput, PackedObb};
use order::Order;
// The aliases by which `src/batch` uses these.
pub(crate) use rows::{Wanted, rows_of};

use crate::clock::Clock;
use crate::memory::{Counting, PairLimit};
use crate::parallel::Pool;
use crate::{Bodies, Traits};

/// Bodies per task when their boxes are packed.
const GATHER: usize = 4096;
/// Leaf blocks per task of a search within a set.
const BLOCKS: usize = 64;
/// Bodies of the searching set per task of a search between two sets.
const QUERIES: usize = 256;

/// A set prepared for searches: its sorted order, the tree over its bounds, and its oriented boxes as the narrow phase reads
/// them.
pub(crate) struct Sorted {
    order: Order,
    packed: Vec<PackedObb>,
    /// Whether any body has traits other than its world that may forbid a pair.
    has_filters: bool,
}

impl Sorted {
    pub(crate) fn new(pool: &Pool, bodies: &Bodies, clock: &mut Clock) -> Self {
        // Bounds are needed only until the bodies are sorted, and packed boxes only afterwards: both use the same memory.
        let mut packed = pool.collect(bodies.id_bound(), |i| PackedObb::of_bounds(&bodies.get(i).aabb()));
        clock.lap("bounds");
        let order = Order::new(pool, bodies, |i| packed[i].bounds(), clock);
        packed.truncate(order.len());
        pool.for_chunks_mut(&mut packed, GATHER, |start, piece| {
            for (packed, id) in piece.iter_mut().zip(&order.ids[start..]) {
                *packed = PackedObb::new(&bodies.get(*id as usize));
            }
        });
        let plain = Traits::new();
        let all = bodies.all_traits();
        let some = |part: std::ops::Range<usize>| all[part].iter().any(|traits| traits.world(0) != plain);
        let has_filters = pool.map_chunks(all.len(), GATHER, some).contains(&true);
        clock.lap("gather");
        Self { order, packed, has_filters }
    }

    fn input<'a>(&'a self, bodies: &'a Bodies) -> NarrowInput<'a> {
        NarrowInput { bodies, ids: &self.order.ids, packed: &self.packed }
    }

    /// Whether traits and exclusions allow the pair of the bodies at these sorted positions.
    #[inline]
    fn may_meet(&self, bodies: &Bodies, i: usize, j: usize) -> bool {
        (!self.has_filters && bodies.exclusions().is_empty())
            || bodies.may_meet(self.order.ids[i] as usize, self.order.ids[j] as usize)
    }

    /// Calls `found(i, j)` for every pair of a body of `searching` in this range and a body of this set whose bounds meet and
    /// whose traits allow the pair. Bodies are given by their sorted positions.
    fn each_between(
        &self,
        bodies: &Bodies,
        (searching, sorted): (&Bodies, &Self),
        range: std::ops::Range<usize>,
        found: &mut impl FnMut(usize, usize),
    ) {
        let (own, theirs) = (searching.all_traits(), bodies.all_traits());
        for i in range {
            let traits = &own[sorted.order.ids[i] as usize];
            self.order.query_world(&sorted.order.bounds(i), traits.world, &mut |j| {
                if traits.may_meet(&theirs[self.order.ids[j] as usize]) {
                    found(i, j);
                }
            });
        }
    }
}

/// The parameters of a search.
pub(crate) struct Join<'a> {
    pub pool: &'a Pool,
    /// Whether pairs that merely touch are left out.
    pub overlapping_only: bool,
    /// How many pairs there is room for. Once there are more, what was found by then is returned.
    pub limit: &'a PairLimit,
}

/// The pairs within a set that touch or overlap, unsorted.
pub(crate) fn overlaps(join: &Join<'_>, (bodies, sorted): (&Bodies, &Sorted), clock: &mut Clock) -> Vec<CpuHits> {
    let parts = join.pool.map_chunks(sorted.order.tree.leaves(), BLOCKS, |blocks| {
        let mut narrow = Narrow::new(sorted.input(bodies), sorted.input(bodies), join.overlapping_only);
        let mut counting = Counting::new(join.limit);
        sorted.order.join(blocks, &mut |i, j| {
            if counting.goes_on(|| narrow.found()) && sorted.may_meet(bodies, i, j) {
                // The lower id comes first.
                let swap = sorted.order.ids[i] > sorted.order.ids[j];
                let (i, j) = if swap { (j, i) } else { (i, j) };
                narrow.push(i, j);
            }
        });
        counting.count(narrow.found());
        narrow.finish()
    });
    clock.lap("pairs");
    parts
}

/// The pairs of a body of `searching` and a body of the searched set that touch or overlap, unsorted.
pub(crate) fn overlaps_between(
    join: &Join<'_>,
    searching: &Bodies,
    (bodies, sorted): (&Bodies, &Sorted),
    clock: &mut Clock,
) -> Vec<CpuHits> {
    // The searching bodies are sorted too, so that consecutive ones find the same blocks in the cache.
    let own = Sorted::new(join.pool, searching, clock);
    let parts = join.pool.map_chunks(own.order.len(), QUERIES, |range| {
        let mut narrow = Narrow::new(own.input(searching), sorted.input(bodies), join.overlapping_only);
        let mut counting = Counting::new(join.limit);
        sorted.each_between(bodies, (searching, &own), range, &mut |i, j| {
            if counting.goes_on(|| narrow.found()) {
                narrow.push(i, j);
            }
        });
        counting.count(narrow.found());
        narrow.finish()
    });
    clock.lap("pairs");
    parts
}

/// The candidate pairs within a set: their bounds meet, and their traits allow the pair.
pub(crate) fn candidates(join: &Join<'_>, (bodies, sorted): (&Bodies, &Sorted), clock: &mut Clock) -> Vec<CpuHits> {
    let parts = join.pool.map_chunks(sorted.order.tree.leaves(), BLOCKS, |blocks| {
        let (mut pairs, mut counting) = (Vec::new(), Counting::new(join.limit));
        sorted.order.join(blocks, &mut |i, j| {
            if counting.goes_on(|| pairs.len()) && sorted.may_meet(bodies, i, j) {
                let (a, b) = (sorted.order.ids[i], sorted.order.ids[j]);
                pairs.push([a.min(b), a.max(b)]);
            }
        });
        counting.count(pairs.len());
        CpuHits::of_candidates(pairs)
    });
    clock.lap("pairs");
    parts
}

/// The candidate pairs of a body of `searching` and a body of the searched set: their bounds meet, and their traits allow the
/// pair.
pub(crate) fn candidates_between(
    join: &Join<'_>,
    searching: &Bodies,
    (bodies, sorted): (&Bodies, &Sorted),
    clock: &mut Clock,
) -> Vec<CpuHits> {
    let own = Sorted::new(join.pool, searching, clock);
    let parts = join.pool.map_chunks(own.order.len(), QUERIES, |range| {
        let (mut pairs, mut counting) = (Vec::new(), Counting::new(join.limit));
        sorted.each_between(bodies, (searching, &own), range, &mut |i, j| {
            if counting.goes_on(|| pairs.len()) {
                pairs.push([own.order.ids[i], sorted.order.ids[j]]);
            }
        });
        counting.count(pairs.len());
        CpuHits::of_candidates(pairs)
    });
    clock.lap("pairs");
    parts
}
