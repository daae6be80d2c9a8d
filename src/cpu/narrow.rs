//! The narrow phase: oriented boxes go through the filter eight pairs at a time, all other pairs through the scalar tests.

use glam::Vec3;
use wide::f32x8;

use crate::bodies::Kind;
use crate::filter::{self, Arithmetic, Axes, Boxes, Cuboid, domain};
use crate::query::intersect;
use crate::shape::Aabb;
use crate::shape::kinds::BodyShape;
use crate::{Bodies, Relation};

/// An oriented box as the eight-wide filter reads it, with its quaternion scaled; NaN for other kinds of shapes and for boxes
/// outside the filter's domain. Rotation matrices are computed where they are used, eight at a time: storing them takes more
/// memory, and reading that takes longer than computing them again.
#[derive(Clone, Copy)]
pub(super) struct PackedObb {
    /// Centre, half extents, quaternion.
    numbers: [f32; 10],
}

impl PackedObb {
    pub(super) fn new(shape: &BodyShape) -> Self {
        let mut numbers = [f32::NAN; 10];
        if let BodyShape::Obb(obb) = shape
            && domain::obb(obb)
        {
            numbers[..3].copy_from_slice(&obb.center().to_array());
            numbers[3..6].copy_from_slice(&obb.half_extents().to_array());
            numbers[6..].copy_from_slice(&domain::scaled(obb.rotation_array()));
        }
        Self { numbers }
    }

    /// Stores bounds in the memory of a packed box, until the bodies are sorted.
    pub(super) fn of_bounds(bounds: &Aabb) -> Self {
        let mut numbers = [f32::NAN; 10];
        numbers[..3].copy_from_slice(&bounds.min().to_array());
        numbers[3..6].copy_from_slice(&bounds.max().to_array());
        Self { numbers }
    }

    pub(super) fn bounds(&self) -> Aabb {
        Aabb::from_bounds(Vec3::from_slice(&self.numbers), Vec3::from_slice(&self.numbers[3..]))
    }

    fn usable(&self) -> bool {
        !self.numbers[0].is_nan()
    }
}

impl Arithmetic for f32x8 {
    const U: f64 = <f32 as Arithmetic>::U;
    const TINY: f64 = <f32 as Arithmetic>::TINY;
    const TINY_SQUARED: f64 = <f32 as Arithmetic>::TINY_SQUARED;

    #[inline(always)]
    fn from_f32(value: f32) -> Self {
        Self::splat(value)
    }
    #[inline(always)]
    fn constant(value: f64) -> Self {
        Self::splat(value as f32)
    }
    #[inline(always)]
    fn recip(self) -> Self {
        Self::ONE / self
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f32x8::sqrt(self)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        f32x8::abs(self)
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.fast_max(other)
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.fast_min(other)
    }
}

/// Eight boxes in the lanes of vectors.
#[inline(always)]
fn transpose(packed: [&PackedObb; 8]) -> Cuboid<f32x8> {
    let [x, y, z, a, b, c, i, j] = f32x8::transpose(packed.map(|packed| {
        let n = &packed.numbers;
        f32x8::new([n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]])
    }));
    let [k, w] = [8, 9].map(|at| f32x8::new(packed.map(|packed| packed.numbers[at])));
    Cuboid { center: [x, y, z], half: [a, b, c], axes: filter::rotation([i, j, k, w]) }
}

/// The certified verdicts on eight pairs of boxes: (misses, hits), a bit for each pair. Pairs in neither are undecided.
#[inline(never)]
fn obb_obb_x8(a: [&PackedObb; 8], b: [&PackedObb; 8]) -> (u32, u32) {
    let boxes = Boxes::new(&transpose(a), &transpose(b));
    let zero = f32x8::ZERO;
    let mut apart = f32x8::splat(f32::NEG_INFINITY);
    let mut overlap = f32x8::splat(f32::INFINITY);
    let mut axis = |gap: filter::Gap<f32x8>| {
        apart = apart.fast_max(gap.apart);
        overlap = overlap.fast_min(gap.overlap);
    };
    for k in 0..3 {
        axis(boxes.face_a(k));
        axis(boxes.face_b(k));
    }
    for i in 0..3 {
        for j in 0..3 {
            axis(boxes.edge(i, j));
        }
    }
    (apart.simd_gt(zero).to_bitmask(), overlap.simd_gt(zero).to_bitmask())
}

/// A set of bodies as the narrow phase reads it, in sorted order.
pub(super) struct NarrowInput<'a> {
    pub bodies: &'a Bodies,
    pub ids: &'a [u32],
    pub packed: &'a [PackedObb],
}

impl NarrowInput<'_> {
    fn shape(&self, i: u32) -> BodyShape {
        self.bodies.get(self.ids[i as usize] as usize)
    }
}

/// The narrow phase of one task: pairs of oriented boxes that wait for a full batch, and the hits so far.
pub(super) struct Narrow<'a> {
    a: NarrowInput<'a>,
    b: NarrowInput<'a>,
    waiting: Vec<(u32, u32)>,
    overlapping_only: bool,
    found: CpuHits,
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
    /// Reports candidate pairs as hits.
    pub(super) fn of_candidates(pairs: Vec<[u32; 2]>) -> Self {
        Self { candidates: pairs.len() as u64, overlapping: pairs, ..Self::default() }
    }

    /// How many hits there are.
    pub(crate) fn len(&self) -> usize {
        self.touching.len() + self.overlapping.len()
    }

    pub(crate) fn hits(&self) -> impl Iterator<Item = ([u32; 2], Relation)> {
        let touching = self.touching.iter().map(|pair| (*pair, Relation::Touching));
        touching.chain(self.overlapping.iter().map(|pair| (*pair, Relation::Overlapping)))
    }
}

/// Pairs of oriented boxes that wait before they go through the filter: a multiple of its eight lanes.
const BATCH: usize = 256;

impl<'a> Narrow<'a> {
    pub(super) fn new(a: NarrowInput<'a>, b: NarrowInput<'a>, overlapping_only: bool) -> Self {
        Self { a, b, waiting: Vec::with_capacity(BATCH), overlapping_only, found: CpuHits::default() }
    }

    /// Adds a candidate pair, given by sorted positions.
    #[inline]
    pub(super) fn push(&mut self, i: usize, j: usize) {
        self.found.candidates += 1;
        let (i, j) = (i as u32, j as u32);
        if self.a.packed[i as usize].usable() && self.b.packed[j as usize].usable() {
            self.waiting.push((i, j));
            if self.waiting.len() == BATCH {
                self.flush();
            }
        } else {
            let boxes =
                |input: &NarrowInput<'_>, k: u32| input.bodies.kind(input.ids[k as usize] as usize) == Kind::Obb;
            self.found.undecided += u64::from(boxes(&self.a, i) && boxes(&self.b, j));
            self.settle(i, j);
        }
    }

    /// How many hits there are so far; some pairs may still wait.
    pub(super) fn found(&self) -> usize {
        self.found.len()
    }

    /// Decides the pairs that still wait, and returns all hits.
    pub(super) fn finish(mut self) -> CpuHits {
        self.flush();
        self.found.touching.shrink_to_fit();
        self.found.overlapping.shrink_to_fit();
        self.found
    }

    fn flush(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        for batch in waiting.chunks(8) {
            // The last batch is padded with its first pair; the verdicts of the padding are ignored.
            let pair = |k: usize| *batch.get(k).unwrap_or(&batch[0]);
            let a = std::array::from_fn(|k| &self.a.packed[pair(k).0 as usize]);
            let b = std::array::from_fn(|k| &self.b.packed[pair(k).1 as usize]);
            let (misses, hits) = obb_obb_x8(a, b);
            for (k, &(i, j)) in batch.iter().enumerate() {
                if hits >> k & 1 == 1 {
                    self.report(i, j, Relation::Overlapping);
                } else if misses >> k & 1 == 0 {
                    self.found.undecided += 1;
                    self.settle(i, j);
                }
            }
        }
        self.waiting = waiting;
        self.waiting.clear();
    }

    fn settle(&mut self, i: u32, j: u32) {
        let relation = intersect(&self.a.shape(i), &self.b.shape(j));
        self.report(i, j, relation);
    }

    #[inline]
    fn report(&mut self, i: u32, j: u32, relation: Relation) {
        let pair = [self.a.ids[i as usize], self.b.ids[j as usize]];
        match relation {
            Relation::Overlapping => self.found.overlapping.push(pair),
            Relation::Touching if !self.overlapping_only => self.found.touching.push(pair),
            _ => {}
        }
    }
}
