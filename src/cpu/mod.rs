//! The CPU backend: exact pairs on all cores, without a GPU.
//!
//! Data flow: bodies → curve order within size classes → conservative bounds in a flat tree of sixteen boxes per block → candidate
//! pairs, block against block → certified `f32` filters, as many pairs at a time as the processor has lanes → exact tests of undecided
//! pairs. The pairs that are found are not sorted yet.
//!
//! Rays and points go through a tree of their own, which is cut where cells of the curve end, many side by side.

mod bundles;
mod cells;
mod closest;
mod flights;
mod flights_of_points;
mod keys;
mod narrow;
mod order;
mod packed;
mod pairs;
mod queries;
mod rays;
mod route;
mod rows;
mod segments;
mod sort;
mod tree;
mod visits;

#[cfg(test)]
mod tests;

use std::sync::OnceLock;

// The aliases by which `src/batch` uses these.
pub(crate) use cells::Cells;
pub(crate) use closest::Finder;
pub(crate) use flights::CastMany;
pub(crate) use flights_of_points::FindMany;
use keys::keys_of;
pub(crate) use narrow::CpuHits;
use narrow::{Narrow, NarrowInput};
use order::{Growth, Order, SearchBetween, SearchOne, SearchWithin};
use pairs::{Allowed, Pairs, Sink};
// The aliases by which `src/batch` uses these.
pub(crate) use queries::in_order;
pub(crate) use rays::{Caster, Goal, Hit, Nearest};
pub(crate) use rows::{Wanted, rows_of};
pub(crate) use tree::Walk;

use crate::bodies::Alike;
use crate::clock::Clock;
use crate::lanes::Width;
use crate::manifold::Frame;
use crate::memory::{Counting, PairLimit};
use crate::parallel::Pool;
use crate::shape::Aabb;
use crate::{Bodies, Traits};

/// Bodies per task that looks at their traits.
const TRAITS: usize = 1 << 14;
/// Leaf blocks per task of a search within a set.
const BLOCKS: usize = 32;
/// Bodies of the searching set per task of a search between two sets.
const QUERIES: usize = 256;

/// What is inside the bounds of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bounds {
    /// Its shape.
    Shapes,
    /// All that is no further from it than its margin.
    WithMargins,
}

/// A set prepared for searches: its sorted order, and the tree over its bounds.
pub(crate) struct Sorted {
    order: Order,
    width: Width,
    /// Whether any body has traits other than its world that may forbid a pair.
    has_filters: bool,
    /// For rays and points, once there were some.
    cells: OnceLock<Cells>,
}

impl Sorted {
    pub(crate) fn new(pool: &Pool, bodies: &Bodies, bounds: Bounds, clock: &mut Clock) -> Self {
        Self::of_width(pool, Width::widest(), (bodies, bounds), clock)
    }

    fn of_width(pool: &Pool, width: Width, (bodies, bounds): (&Bodies, Bounds), clock: &mut Clock) -> Self {
        let margins = if bounds == Bounds::WithMargins { bodies.margins() } else { None };
        let order = Order::new(pool, width, (bodies, margins), clock);
        let (plain, all) = (Traits::new(), bodies.all_traits());
        let some = |part: std::ops::Range<usize>| all[part].iter().any(|traits| traits.world(0) != plain);
        let alike = matches!(bodies.alike(), Alike::Plain(_));
        let has_filters = !alike && pool.map_chunks(all.len(), TRAITS, some).contains(&true);
        clock.lap("tree");
        Self { order, width, has_filters, cells: OnceLock::new() }
    }

    /// The tree for rays and points at these bodies, which must be those that were sorted.
    pub(crate) fn cells(&self, pool: &Pool, bodies: &Bodies, clock: &mut Clock) -> &Cells {
        if let Some(cells) = self.cells.get() {
            return cells;
        }
        // Not while others wait for it: it takes all threads, which may all be waiting. The first to be done is kept.
        let keys = keys_of(pool, self.width, bodies, &self.order.ids);
        let cells = Cells::new(pool, &self.order, &keys);
        clock.lap("cells");
        self.cells.get_or_init(|| cells)
    }

    /// Hands the memory back to the pool, which keeps it for the next query.
    pub(crate) fn give_back(self, pool: &Pool) {
        self.order.give_back(pool);
    }

    /// Whether these traits allow to meet all bodies in the segments of their world.
    fn is_open_to(&self, traits: &Traits) -> bool {
        !self.has_filters && traits.world(0) == Traits::new()
    }

    /// About how long a leaf is: the longest side of the one in the middle, or 0 if that has no end.
    pub(crate) fn typical_leaf(&self) -> f32 {
        let leaves = self.order.tree.leaves();
        leaves.get(leaves.len() / 2).map_or(0.0, |leaf| {
            let bounds = leaf.as_ref().union_of_all();
            Some((bounds.max() - bounds.min()).max_element()).filter(|side| side.is_finite()).unwrap_or(0.0)
        })
    }

    fn input<'a>(&'a self, bodies: &'a Bodies) -> NarrowInput<'a> {
        let order = &self.order;
        NarrowInput { bodies, ids: &order.ids, leaves: order.tree.leaves(), all_usable: order.all_usable }
    }

    /// Whether traits and exclusions allow a pair of bodies of this set, given by their sorted positions; absent if they allow all.
    fn allowed<'a>(&'a self, bodies: &'a Bodies) -> Option<Allowed<'a>> {
        let ids = &self.order.ids;
        (self.has_filters || !bodies.exclusions().is_empty()).then(|| -> Allowed<'a> {
            Box::new(move |i, j| bodies.may_meet(ids[i as usize] as usize, ids[j as usize] as usize))
        })
    }

    /// The same for a body of this set and a body of another one.
    fn allowed_between<'a>(
        &'a self,
        bodies: &'a Bodies,
        (searched, sorted): (&'a Bodies, &'a Self),
    ) -> Option<Allowed<'a>> {
        let (own, theirs) = (bodies.all_traits(), searched.all_traits());
        (self.has_filters || sorted.has_filters).then(|| -> Allowed<'a> {
            Box::new(move |i, j| {
                let (a, b) = (self.order.ids[i as usize], sorted.order.ids[j as usize]);
                own[a as usize].may_meet(&theirs[b as usize])
            })
        })
    }
}

impl Sorted {
    /// Finds the bodies that may meet one in this world, and whose bounds are at most so far from these. `found` gets their ids, in any order.
    pub(crate) fn near_one(&self, world: u32, (bounds, distance): (Aabb, f32), walk: &mut Walk, found: &mut Vec<u32>) {
        self.width.run(SearchOne { order: &self.order, world, bounds, growth: Growth(distance), walk, found });
    }
}

/// The parameters of a search.
pub(crate) struct Join<'a> {
    pub pool: &'a Pool,
    /// Whether pairs that merely touch are left out.
    pub overlapping_only: bool,
    /// How far apart the bodies of a pair may be, if they need not touch.
    pub near: Option<Near<'a>>,
    /// How many pairs there is room for. Once there are more, what was found by then is returned.
    pub limit: &'a PairLimit,
}

/// What a search for bodies that may be some way apart needs.
#[derive(Clone, Copy)]
pub(crate) struct Near<'a> {
    pub distance: f32,
    /// The bodies of the searching set and of the searched one, by their ids, as distances see them.
    pub frames: [&'a [Frame]; 2],
}

impl Join<'_> {
    fn growth(&self) -> Growth {
        Growth(self.near.map_or(0.0, |near| near.distance))
    }

    /// What must be inside the bounds of bodies.
    fn bounds(&self) -> Bounds {
        if self.near.is_some() { Bounds::WithMargins } else { Bounds::Shapes }
    }
}

/// The pairs within a set that touch or overlap, unsorted.
pub(crate) fn overlaps(join: &Join<'_>, (bodies, sorted): (&Bodies, &Sorted), clock: &mut Clock) -> Vec<CpuHits> {
    let (order, input) = (&sorted.order, sorted.input(bodies));
    let parts = join.pool.map_chunks(order.tree.leaves().len(), BLOCKS, |blocks| {
        let sink = Narrow::within(sorted.width, input, sorted.allowed(bodies), join);
        sorted.width.run(SearchWithin { order, blocks, growth: join.growth(), sink }).finish()
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
    let own = Sorted::of_width(join.pool, sorted.width, (searching, join.bounds()), clock);
    let inputs = (own.input(searching), sorted.input(bodies));
    let parts = join.pool.map_chunks(own.order.len(), QUERIES, |range| {
        let allowed = own.allowed_between(searching, (bodies, sorted));
        let sink = Narrow::between(sorted.width, inputs, allowed, join);
        let (searching, searched) = ((searching, &own.order), &sorted.order);
        sorted.width.run(SearchBetween { searching, searched, range, growth: join.growth(), sink }).finish()
    });
    clock.lap("pairs");
    parts
}

/// The candidate pairs within a set: their bounds meet, and their traits allow the pair.
pub(crate) fn candidates(join: &Join<'_>, (bodies, sorted): (&Bodies, &Sorted), clock: &mut Clock) -> Vec<CpuHits> {
    let order = &sorted.order;
    let parts = join.pool.map_chunks(order.tree.leaves().len(), BLOCKS, |blocks| {
        let ids = |i: u32, j: u32| {
            let (a, b) = (order.ids[i as usize], order.ids[j as usize]);
            [a.min(b), a.max(b)]
        };
        let sink = Collected::new(sorted.allowed(bodies), Box::new(ids), join.limit);
        sorted.width.run(SearchWithin { order, blocks, growth: join.growth(), sink }).finish()
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
    let own = Sorted::of_width(join.pool, sorted.width, (searching, join.bounds()), clock);
    let parts = join.pool.map_chunks(own.order.len(), QUERIES, |range| {
        let ids = |i: u32, j: u32| [own.order.ids[i as usize], sorted.order.ids[j as usize]];
        let allowed = own.allowed_between(searching, (bodies, sorted));
        let sink = Collected::new(allowed, Box::new(ids), join.limit);
        let (searching, searched) = ((searching, &own.order), &sorted.order);
        sorted.width.run(SearchBetween { searching, searched, range, growth: join.growth(), sink }).finish()
    });
    clock.lap("pairs");
    parts
}

/// The ids of a pair of sorted positions.
type Ids<'a> = Box<dyn Fn(u32, u32) -> [u32; 2] + 'a>;

/// The candidate pairs of one task, by their ids.
struct Collected<'a> {
    pairs: Pairs,
    /// Whether a pair is allowed; absent if all are.
    allowed: Option<Allowed<'a>>,
    /// The ids of a pair of sorted positions.
    ids: Ids<'a>,
    found: Vec<[u32; 2]>,
    counting: Counting<'a>,
}

impl<'a> Collected<'a> {
    fn new(allowed: Option<Allowed<'a>>, ids: Ids<'a>, limit: &'a PairLimit) -> Self {
        Self { pairs: Pairs::new(), allowed, ids, found: Vec::new(), counting: Counting::new(limit) }
    }

    /// Takes the pairs that still wait, and reports all as hits.
    fn finish(mut self) -> CpuHits {
        self.take();
        CpuHits { candidates: self.found.len() as u64, overlapping: self.found, ..CpuHits::default() }
    }
}

impl Sink for Collected<'_> {
    #[inline(always)]
    fn pairs(&mut self) -> &mut Pairs {
        &mut self.pairs
    }

    #[inline(never)]
    fn take(&mut self) {
        if !self.counting.is_full() {
            if let Some(allowed) = &self.allowed {
                self.pairs.retain(allowed);
            }
            let (first, second) = self.pairs.both();
            self.found.extend(first.iter().zip(second).map(|(i, j)| (self.ids)(*i, *j)));
            self.counting.count(self.found.len());
        }
        self.pairs.clear();
    }
}
