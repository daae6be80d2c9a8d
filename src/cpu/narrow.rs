//! The narrow phase: oriented boxes go through the filter many pairs at a time, all other pairs through the scalar tests.

use super::packed::{Leaf, PackedObb, columns, cuboids};
use super::pairs::{Allowed, Pairs, Sink};
use super::tree::WIDTH;
use super::{Join, Near};
use crate::bodies::{Kind, Reach};
use crate::filter::{Axes, Boxes, Cuboid, Gap, Lanes};
use crate::lanes::{Number, Task, Truth, Width};
use crate::memory::Counting;
use crate::query::intersect;
use crate::shape::kinds::BodyShape;
use crate::{Bodies, Relation, near};

/// A set of bodies as the narrow phase reads it, in sorted order.
#[derive(Clone, Copy)]
pub(super) struct NarrowInput<'a> {
    pub bodies: &'a Bodies,
    pub ids: &'a [u32],
    pub leaves: &'a [Leaf],
    /// Whether the filter can take all bodies.
    pub all_usable: bool,
}

impl<'a> NarrowInput<'a> {
    #[inline(always)]
    fn packed(&self, i: u32) -> &'a PackedObb {
        let i = i as usize;
        self.leaves[i / WIDTH].packed(i % WIDTH)
    }

    #[inline(always)]
    fn id(&self, i: u32) -> u32 {
        self.ids[i as usize]
    }

    fn usable(&self, i: u32) -> bool {
        self.packed(i).usable()
    }

    fn is_box(&self, i: u32) -> bool {
        self.bodies.kind(self.id(i) as usize) == Kind::Obb
    }
}

/// The hits of one task as pairs of ids, in one list for each relation, so that a hit takes only eight bytes.
#[derive(Default)]
pub(crate) struct CpuHits {
    pub touching: Vec<[u32; 2]>,
    pub overlapping: Vec<[u32; 2]>,
    pub candidates: u64,
    pub undecided: u64,
}

impl CpuHits {
    /// How many hits there are.
    pub(crate) fn len(&self) -> usize {
        self.touching.len() + self.overlapping.len()
    }

    pub(crate) fn hits(&self) -> impl Iterator<Item = ([u32; 2], Relation)> {
        let touching = self.touching.iter().map(|pair| (*pair, Relation::Touching));
        touching.chain(self.overlapping.iter().map(|pair| (*pair, Relation::Overlapping)))
    }
}

/// The narrow phase of one task: pairs that wait, and the hits so far.
pub(super) struct Narrow<'a> {
    width: Width,
    a: NarrowInput<'a>,
    b: NarrowInput<'a>,
    /// Whether both sets are the same, of which the lower id comes first.
    within: bool,
    /// Whether a pair is allowed; absent if all are.
    allowed: Option<Allowed<'a>>,
    overlapping_only: bool,
    near: Option<Near<'a>>,
    pairs: Pairs,
    found: CpuHits,
    counting: Counting<'a>,
}

impl<'a> Narrow<'a> {
    pub(super) fn within(width: Width, set: NarrowInput<'a>, allowed: Option<Allowed<'a>>, join: &Join<'a>) -> Self {
        Self { within: true, ..Self::between(width, (set, set), allowed, join) }
    }

    pub(super) fn between(
        width: Width,
        (a, b): (NarrowInput<'a>, NarrowInput<'a>),
        allowed: Option<Allowed<'a>>,
        join: &Join<'a>,
    ) -> Self {
        let (pairs, found, counting) = (Pairs::new(), CpuHits::default(), Counting::new(join.limit));
        let Join { overlapping_only, near, .. } = *join;
        Self { width, a, b, within: false, allowed, overlapping_only, near, pairs, found, counting }
    }

    /// Decides the pairs that still wait, and returns all hits.
    pub(super) fn finish(mut self) -> CpuHits {
        self.take();
        self.found.touching.shrink_to_fit();
        self.found.overlapping.shrink_to_fit();
        self.found
    }

    fn shapes(&self, i: u32, j: u32) -> (BodyShape<'a>, BodyShape<'a>) {
        let shape = |set: &NarrowInput<'a>, k: u32| set.bodies.get(set.id(k) as usize);
        (shape(&self.a, i), shape(&self.b, j))
    }

    fn settle(&mut self, i: u32, j: u32) {
        let (a, b) = self.shapes(i, j);
        self.found.undecided += u64::from(self.a.is_box(i) && self.b.is_box(j));
        self.push(i, j, intersect(&a, &b));
    }

    /// Decides a pair that may be some way apart.
    fn decide_near(&mut self, i: u32, j: u32, near: Near<'_>) {
        let (a, b) = (self.a.id(i) as usize, self.b.id(j) as usize);
        let frames = (&near.frames[0][a], &near.frames[1][b]);
        match near::verdict(frames.0, frames.1, near.distance) {
            Some(near::Verdict::Miss) => {}
            Some(near::Verdict::Hit) => self.push(i, j, Relation::Overlapping),
            Some(near::Verdict::Open) | None => {
                self.found.undecided += 1;
                let reach = Reach::Within(near.distance);
                self.push(i, j, reach.relation((self.a.bodies, a), (self.b.bodies, b)));
            }
        }
    }

    fn push(&mut self, i: u32, j: u32, relation: Relation) {
        match relation {
            Relation::Overlapping => self.found.overlapping.push(self.ids(i, j)),
            Relation::Touching if !self.overlapping_only => self.found.touching.push(self.ids(i, j)),
            _ => {}
        }
    }

    #[inline]
    fn ids(&self, i: u32, j: u32) -> [u32; 2] {
        let (a, b) = (self.a.id(i), self.b.id(j));
        if self.within { [a.min(b), a.max(b)] } else { [a, b] }
    }
}

impl Sink for Narrow<'_> {
    #[inline(always)]
    fn pairs(&mut self) -> &mut Pairs {
        &mut self.pairs
    }

    #[inline(never)]
    fn take(&mut self) {
        if self.counting.is_full() {
            self.pairs.clear();
            return;
        }
        let mut pairs = std::mem::replace(&mut self.pairs, Pairs::empty());
        if let Some(allowed) = &self.allowed {
            pairs.retain(allowed);
        }
        self.found.candidates += pairs.both().0.len() as u64;
        if let Some(near) = self.near {
            let (first, second) = pairs.both();
            for (i, j) in first.iter().zip(second) {
                self.decide_near(*i, *j, near);
            }
            pairs.clear();
        } else if !(self.a.all_usable && self.b.all_usable) {
            let (first, second) = pairs.both();
            for (i, j) in first.iter().zip(second) {
                if !(self.a.usable(*i) && self.b.usable(*j)) {
                    self.settle(*i, *j);
                }
            }
            pairs.retain(|i, j| self.a.usable(i) && self.b.usable(j));
        }
        let (first, second) = pairs.both();
        self.width.run(Verdicts { narrow: self, first, second });
        pairs.clear();
        self.pairs = pairs;
        self.counting.count(self.found.len());
    }
}

/// Decides pairs of boxes in the domain of the filter.
struct Verdicts<'a, 'b> {
    narrow: &'b mut Narrow<'a>,
    first: &'b [u32],
    second: &'b [u32],
}

impl Task for Verdicts<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<T: Number>(self) {
        let narrow = self.narrow;
        for (first, second) in self.first.chunks(T::LANES).zip(self.second.chunks(T::LANES)) {
            // What lacks of a full vector are pairs like the last one.
            let last = first.len() - 1;
            let (a, b) = (narrow.a, narrow.b);
            let (misses, hits) = verdicts(
                cuboids(columns::<T>(|lane| a.packed(first[lane.min(last)]))),
                cuboids(columns::<T>(|lane| b.packed(second[lane.min(last)]))),
            );
            let all = u32::MAX >> (31 - last);
            let (mut hits, mut open) = (hits & all, !(hits | misses) & all);
            while hits != 0 {
                let lane = hits.trailing_zeros() as usize;
                hits &= hits - 1;
                let ids = narrow.ids(first[lane], second[lane]);
                narrow.found.overlapping.push(ids);
            }
            while open != 0 {
                let lane = open.trailing_zeros() as usize;
                open &= open - 1;
                narrow.settle(first[lane], second[lane]);
            }
        }
    }
}

/// The certified verdicts on pairs of boxes: (misses, hits), a bit for each pair. Pairs in neither are undecided.
#[inline(always)]
fn verdicts<T: Number>(a: Cuboid<Lanes<T>>, b: Cuboid<Lanes<T>>) -> (u32, u32) {
    let boxes = Boxes::new(&a, &b);
    let mut widest = Widest { apart: T::splat(f32::NEG_INFINITY), overlap: T::splat(f32::INFINITY) };
    for k in 0..3 {
        widest.add(boxes.face_a(k));
        widest.add(boxes.face_b(k));
    }
    for i in 0..3 {
        for j in 0..3 {
            widest.add(boxes.edge(i, j));
        }
    }
    let zero = T::splat(0.0);
    (zero.below(widest.apart).bits(), zero.below(widest.overlap).bits())
}

/// The widest gap of several axes.
struct Widest<T> {
    apart: T,
    overlap: T,
}

impl<T: Number> Widest<T> {
    #[inline(always)]
    fn add(&mut self, gap: Gap<Lanes<T>>) {
        self.apart = self.apart.greater(gap.apart.0);
        self.overlap = self.overlap.lesser(gap.overlap.0);
    }
}
