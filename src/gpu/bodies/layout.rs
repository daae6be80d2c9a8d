//! The grid of the Hilbert curve along which the bodies of a set are sorted.

use crate::Bodies;
use crate::gpu::abi::CLASS_BITS;
use crate::shape::hull_record;
use crate::shape::kinds::{Kind, Record};
use crate::spatial::{Region, sample};
use glam::{DVec3, Vec3};

/// The grid of the Hilbert curve along which a set's bodies are sorted, and the size above which a body is a giant. They affect
/// only speed, never results.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Layout {
    pub origin: [f32; 3],
    pub side: f64,
    pub giant: f32,
    /// One more than the axis along which the set is flat, so that the curve is two-dimensional; 0 if the set is not flat.
    pub thin_axis: u32,
    /// How many bodies share a grid cell with a body, on average, for each number of key bits that keys may have.
    crowding: [f32; MOST_CURVE_BITS + 1],
}

/// The most bits of a position along the curve.
const MOST_CURVE_BITS: usize = 30;
/// The numbers of bits that `curve_bits` may choose from: those of whole passes, with and without a class.
fn asked_bits() -> impl Iterator<Item = usize> {
    let bits = (1..=4).flat_map(|passes| [CLASS_BITS, 0].map(|others| Layout::bits_of(passes, others) as usize));
    // (The last ones are more than a key has, and all the same then.)
    bits.filter(|bits| *bits < MOST_CURVE_BITS).chain([MOST_CURVE_BITS])
}

/// The mean number of bodies in a cell up to which the resolution is sufficient: less than a cluster, which has 32.
const MAX_CROWDING: f32 = 20.0;

impl Layout {
    pub(super) fn new(bodies: &Bodies) -> Self {
        let n = bodies.id_bound();
        let (middles, mut halves): (Vec<DVec3>, Vec<f32>) = sample(n)
            .filter(|i| bodies.kind(*i) != Kind::Plane)
            .map(|i| middle_and_half(bodies.kind(i), &bodies.records()[i]))
            .map(|(middle, half)| (Vec3::from(middle).as_dvec3(), half))
            .unzip();
        let region = Region::new(&middles);
        // A body more than 8 times as large as the median, the span of a size class.
        let middle = halves.len() / 2;
        let median = if halves.is_empty() { 0.0 } else { *halves.select_nth_unstable_by(middle, f32::total_cmp).1 };
        let giant = median.min(f32::MAX / 16.0) * 8.0;
        let thin_axis = region.thin(n).map_or(0, |axis| axis as u32 + 1);
        let mut layout = Self {
            origin: region.origin.as_vec3().to_array(),
            side: region.side,
            giant,
            thin_axis,
            crowding: [0.0; MOST_CURVE_BITS + 1],
        };
        layout.measure_crowding(n, &middles);
        layout
    }

    /// Estimates how crowded cells are, from the middles of a sample of `n` bodies.
    fn measure_crowding(&mut self, n: usize, middles: &[DVec3]) {
        let mut sample: Vec<u32> = middles.iter().map(|middle| self.cell(*middle)).collect();
        sample.sort_unstable();
        let pairs = (sample.len() * sample.len().saturating_sub(1) / 2).max(1);
        for bits in asked_bits() {
            let cell = |code: &u32| code >> (MOST_CURVE_BITS - bits);
            let together: usize =
                sample.chunk_by(|a, b| cell(a) == cell(b)).map(|part| part.len() * (part.len() - 1) / 2).sum();
            // One or two pairs in a cell may be chance.
            self.crowding[bits] = together.saturating_sub(2) as f32 * n as f32 / pairs as f32;
            if together == 0 {
                break;
            }
        }
    }

    /// The cell of a point, as the interleaved bits of its coordinates (Morton code). Truncated to any number of bits, it gives
    /// the same cells as a position along the Hilbert curve.
    fn cell(&self, place: DVec3) -> u32 {
        let coordinates = [0, 1, 2].map(|k| {
            let part = (place[k] - f64::from(self.origin[k])) / self.side;
            (part.clamp(0.0, 1.0) * 32_767.0) as u32
        });
        let [x, y, z] = coordinates;
        match self.thin_axis {
            0 => interleaved([x, y, z]),
            1 => interleaved([y, z]),
            2 => interleaved([x, z]),
            _ => interleaved([x, y]),
        }
    }

    /// The bits of a position along the curve, when a key has `others` further bits: as many as fit into the fewest radix sort
    /// passes with which cells are not crowded.
    pub(crate) fn curve_bits(&self, others: u32) -> u32 {
        Self::bits_of(self.passes(others), others)
    }

    /// The same with one pass more: bodies that share a cell are in no order, and rays and points descend a tree of four bodies each.
    pub(crate) fn fine_curve_bits(&self, others: u32) -> u32 {
        Self::bits_of((self.passes(others) + 1).min(4), others)
    }

    fn bits_of(passes: u32, others: u32) -> u32 {
        (8 * passes - others).min(MOST_CURVE_BITS as u32)
    }

    fn passes(&self, others: u32) -> u32 {
        let is_enough = |passes: &u32| self.crowding[Self::bits_of(*passes, others) as usize] <= MAX_CROWDING;
        (1..4).find(is_enough).unwrap_or(4)
    }

    /// The most bits of a position along the curve, when a key has `others` further bits.
    pub(crate) fn most_curve_bits(others: u32) -> u32 {
        (u32::BITS - others).min(MOST_CURVE_BITS as u32)
    }

    /// Bits per coordinate of the grid, for positions along the curve of this many bits.
    pub(crate) fn bits_to_a_side(&self, curve_bits: u32) -> u32 {
        curve_bits.div_ceil(if self.thin_axis == 0 { 3 } else { 2 })
    }

    /// Whether any of the bodies with these extents is a giant or outside the grid, as kernels decide it. (A difference that is rounded never
    /// falls while its first number grows, so that the greatest middle speaks for all.)
    pub(super) fn needs_classes(&self, extents: &Extents) -> bool {
        let side = self.side as f32;
        let outside = |k: usize| extents.low[k] < self.origin[k] || extents.high[k] - self.origin[k] > side;
        extents.half > self.giant || outside(0) || outside(1) || outside(2)
    }
}

/// The ranges of the middles of some bodies along the axes, and the size of the largest. They say whether the grid contains all of them, also
/// of one that is not known yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extents {
    low: [f32; 3],
    high: [f32; 3],
    half: f32,
}

impl Default for Extents {
    /// Those of no bodies.
    fn default() -> Self {
        Self { low: [f32::INFINITY; 3], high: [f32::NEG_INFINITY; 3], half: f32::NEG_INFINITY }
    }
}

/// (None of the numbers is NaN, of which the built-in functions take care.)
fn less(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

fn greater(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

impl Extents {
    /// The extents of bodies of one kind.
    pub(super) fn of(kind: Kind, records: &[Record]) -> Self {
        // Of these, the numbers are middles and half extents as they are, which the compiler compares side by side.
        let halves = match kind {
            Kind::Sphere => 3..4,
            Kind::Obb => 3..6,
            _ => return Self::of_any(kind, records),
        };
        let (mut low, mut high) = ([f32::INFINITY; 8], [f32::NEG_INFINITY; 8]);
        for record in records {
            for k in 0..8 {
                low[k] = less(low[k], record[k]);
                high[k] = greater(high[k], record[k]);
            }
        }
        let half = high[halves].iter().fold(f32::NEG_INFINITY, |half, extent| greater(half, *extent));
        Self { low: [low[0], low[1], low[2]], high: [high[0], high[1], high[2]], half }
    }

    fn of_any(kind: Kind, records: &[Record]) -> Self {
        records.iter().fold(Self::default(), |extents, record| extents.with(kind, record))
    }

    /// With a further body.
    #[inline]
    pub(super) fn with(self, kind: Kind, record: &Record) -> Self {
        let (middle, half) = middle_and_half(kind, record);
        self.union(Self { low: middle, high: middle, half })
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self {
            low: std::array::from_fn(|k| less(self.low[k], other.low[k])),
            high: std::array::from_fn(|k| greater(self.high[k], other.high[k])),
            half: greater(self.half, other.half),
        }
    }
}

/// The middle of a body, and its radius or its largest half extent along its own axes.
fn middle_and_half(kind: Kind, record: &Record) -> ([f32; 3], f32) {
    match kind {
        Kind::Sphere => ([record[0], record[1], record[2]], record[3]),
        Kind::Aabb => {
            let middle = |k: usize| 0.5 * record[k] + 0.5 * record[k + 3];
            let half = |k: usize| 0.5 * record[k + 3] - 0.5 * record[k];
            ([middle(0), middle(1), middle(2)], half(0).max(half(1)).max(half(2)))
        }
        Kind::Obb => ([record[0], record[1], record[2]], record[3].max(record[4]).max(record[5])),
        Kind::Capsule => {
            let middle = |k: usize| 0.5 * record[k] + 0.5 * record[k + 3];
            let half = |k: usize| (0.5 * record[k + 3] - 0.5 * record[k]).abs();
            ([middle(0), middle(1), middle(2)], half(0).max(half(1)).max(half(2)) + record[6])
        }
        Kind::ConvexHull => ([record[0], record[1], record[2]], hull_record::reach_of(record[3])),
        // It is everywhere.
        Kind::Plane => ([0.0; 3], f32::MAX),
    }
}

/// The bits of these coordinates in turn, each of 15 bits, from the highest on.
fn interleaved<const AXES: usize>(coordinates: [u32; AXES]) -> u32 {
    let mut code = 0;
    for bit in (15 - MOST_CURVE_BITS / AXES..15).rev() {
        for coordinate in coordinates {
            code = code << 1 | coordinate >> bit & 1;
        }
    }
    code
}
