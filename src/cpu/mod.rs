//! The CPU backend: exact pairs on all cores, without a GPU.
//!
//! The way of the data: bodies → conservative boxes → curve order within size classes → a flat tree of eight boxes a block →
//! candidates, block against block → certified `f32` filters eight pairs at a time → exact settlement of what they leave
//! open → rows sorted by id.

pub(crate) mod brute;
mod canonical;
pub(crate) mod curve;
mod index;
mod narrow;
mod parallel;
pub(crate) mod segments;
#[cfg(feature = "gpu")]
pub(crate) mod settle;
mod sort;
mod tree;

use std::borrow::Cow;

pub(crate) use index::Sorted;
use narrow::{Found, Frame, Narrow, Side};
pub(crate) use parallel::Pool;

use crate::bodies::exclusions::Exclusions;
use crate::engine::{Clock, Options};
use crate::shape::Plane;
use crate::{Bodies, Overlaps, Relation, Traits, query};

/// Frames that one task makes.
const GATHER: usize = 4096;
/// Leaf blocks that one task joins.
const BLOCKS: usize = 64;
/// Bodies that one task tests against an index.
const QUERIES: usize = 256;

/// A set of bodies, prepared.
pub(crate) struct Prepared<'a> {
    bodies: Cow<'a, Bodies>,
    sorted: Sorted,
    frames: Vec<Frame>,
    /// Whether any body has traits that could keep it from meeting another of its world.
    choosy: bool,
}

/// What a query found, in the order it was found. It no longer needs what was prepared, which is large.
#[must_use]
pub(crate) struct Hits {
    rows: usize,
    parts: Vec<Found>,
}

impl Hits {
    /// Sorted, into the caller's result.
    pub(crate) fn write(self, pool: &Pool, out: &mut Overlaps, clock: &mut Clock) {
        out.stats.candidates = self.parts.iter().map(|part| part.candidates).sum();
        out.stats.undecided = self.parts.iter().map(|part| part.undecided).sum();
        canonical::canonical(pool, self.rows, self.parts, out);
        clock.lap("canonical");
    }
}

impl<'a> Prepared<'a> {
    pub(crate) fn new(pool: &Pool, bodies: Cow<'a, Bodies>, clock: &mut Clock) -> Self {
        // Frames are needed only when all is sorted, and boxes only until then: they are kept in the same place.
        let mut frames = pool.collect(bodies.len(), |i| Frame::of_bounds(&bodies.get(i).aabb()));
        clock.lap("bounds");
        let sorted = Sorted::new(pool, &bodies, |i| frames[i].bounds(), clock);
        frames.truncate(sorted.len());
        pool.for_chunks_mut(&mut frames, GATHER, |start, piece| {
            for (frame, id) in piece.iter_mut().zip(&sorted.ids[start..]) {
                *frame = Frame::new(&bodies.get(*id as usize));
            }
        });
        let plain = Traits::new();
        let all = bodies.all_traits();
        let some = |part: std::ops::Range<usize>| all[part].iter().any(|traits| traits.world(0) != plain);
        let choosy = pool.map_chunks(all.len(), GATHER, some).contains(&true);
        clock.lap("gather");
        Self { bodies, sorted, frames, choosy }
    }

    pub(crate) fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    fn side(&self) -> Side<'_> {
        Side { bodies: &self.bodies, ids: &self.sorted.ids, frames: &self.frames }
    }

    /// Whether the bodies at these sorted places may be reported.
    #[inline]
    fn may_meet(&self, i: usize, j: usize) -> bool {
        let exclusions: &Exclusions = self.bodies.exclusions();
        (!self.choosy && exclusions.is_empty())
            || self.bodies.may_meet(self.sorted.ids[i] as usize, self.sorted.ids[j] as usize)
    }

    /// The pairs of bodies of this set.
    pub(crate) fn overlaps(&self, pool: &Pool, options: &Options, clock: &mut Clock) -> Hits {
        let parts = pool.map_chunks(self.sorted.tree.leaves(), BLOCKS, |blocks| {
            let mut narrow = Narrow::new(self.side(), self.side(), options.get_overlapping_only());
            self.sorted.join(blocks, &mut |i, j| {
                if self.may_meet(i, j) {
                    // The smaller id is the first of the pair.
                    let swap = self.sorted.ids[i] > self.sorted.ids[j];
                    let (i, j) = if swap { (j, i) } else { (i, j) };
                    narrow.push(i, j);
                }
            });
            narrow.finish()
        });
        clock.lap("pairs");
        Hits { rows: self.bodies.len(), parts }
    }

    /// The pairs of a body of `a` and one of this set.
    pub(crate) fn overlaps_from(&self, pool: &Pool, a: &Bodies, options: &Options, clock: &mut Clock) -> Hits {
        // The queries are asked in curve order too, so that neighbours find the same blocks in the cache.
        let asking = Prepared::new(pool, Cow::Borrowed(a), clock);
        let (ids, traits, theirs) = (&asking.sorted.ids, a.all_traits(), self.bodies.all_traits());
        let parts = pool.map_chunks(ids.len(), QUERIES, |range| {
            let mut narrow = Narrow::new(asking.side(), self.side(), options.get_overlapping_only());
            for i in range {
                let own = &traits[ids[i] as usize];
                self.sorted.query_world(&asking.sorted.bounds(i), own.get_world(), &mut |j| {
                    if own.may_meet(&theirs[self.sorted.ids[j] as usize]) {
                        narrow.push(i, j);
                    }
                });
            }
            narrow.finish()
        });
        clock.lap("pairs");
        Hits { rows: a.len(), parts }
    }

    /// The pairs whose boxes meet and that may be reported.
    pub(crate) fn candidates(&self, pool: &Pool, clock: &mut Clock) -> Hits {
        let parts = pool.map_chunks(self.sorted.tree.leaves(), BLOCKS, |blocks| {
            let mut touching = Vec::new();
            self.sorted.join(blocks, &mut |i, j| {
                if self.may_meet(i, j) {
                    let (a, b) = (self.sorted.ids[i], self.sorted.ids[j]);
                    touching.push([a.min(b), a.max(b)]);
                }
            });
            Found { candidates: touching.len() as u64, touching, ..Found::default() }
        });
        clock.lap("pairs");
        Hits { rows: self.bodies.len(), parts }
    }
}

/// The exact relation of each pair, whatever its traits.
pub(crate) fn test_pairs(pool: &Pool, bodies: &Bodies, pairs: &[[u32; 2]], out: &mut Vec<Relation>) {
    out.clear();
    out.resize(pairs.len(), Relation::Separate);
    pool.for_chunks_mut(out, 1024, |start, piece| {
        for (k, slot) in piece.iter_mut().enumerate() {
            let [a, b] = pairs[start + k];
            *slot = query::intersect(&bodies.get(a as usize), &bodies.get(b as usize));
        }
    });
}

/// Where each body lies to the intersection of the planes' half-spaces.
pub(crate) fn cull(pool: &Pool, bodies: &Bodies, planes: &[Plane], out: &mut Vec<crate::Side>) {
    out.clear();
    out.resize(bodies.len(), crate::Side::Outside);
    pool.for_chunks_mut(out, 1024, |start, piece| {
        for (k, slot) in piece.iter_mut().enumerate() {
            if bodies.enabled_flags()[start + k] {
                let shape = bodies.get(start + k);
                // The worst side decides: inside of all, outside of one, or across some.
                *slot = planes.iter().map(|plane| query::side(&shape, plane)).max().unwrap_or(crate::Side::Inside);
            }
        }
    });
}
