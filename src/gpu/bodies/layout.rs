//! The grid of the Hilbert curve along which the bodies of a set are sorted.

use crate::Bodies;
use crate::shape::kinds::{Kind, Record};
use crate::spatial::{Region, median_size};

/// The grid of the Hilbert curve along which a set's bodies are sorted, and the size above which a body is a giant. They affect
/// only speed, never results.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Layout {
    pub origin: [f32; 3],
    pub side: f64,
    pub giant: f32,
    /// One more than the axis along which the set is flat, so that the curve is two-dimensional; 0 if the set is not flat.
    pub thin_axis: u32,
    /// How many bodies share a grid cell with a body, on average, for each number of key bits.
    crowding: [f32; MOST_CURVE_BITS + 1],
}

/// The most bits of a position along the curve.
const MOST_CURVE_BITS: usize = 30;
/// The mean number of bodies in a cell up to which the resolution is sufficient: less than a cluster, which has 32.
const MAX_CROWDING: f32 = 20.0;
/// The size of the sample from which the crowding of cells is estimated.
const SAMPLE: usize = 2048;

impl Layout {
    pub(super) fn new(bodies: &Bodies) -> Self {
        let bounds = |i: usize| bodies.get(i).aabb();
        let region = Region::new(bodies.id_bound(), bounds);
        // Kernels compare half sides: half a side above four median sides is a body more than 8 times as large as the median, the
        // span of a size class.
        let giant = median_size(bodies.id_bound(), bounds).min(f32::MAX / 8.0) * 4.0;
        let thin_axis = region.thin(bodies.id_bound()).map_or(0, |axis| axis as u32 + 1);
        let mut layout = Self {
            origin: region.origin.as_vec3().to_array(),
            side: region.side,
            giant,
            thin_axis,
            crowding: [0.0; MOST_CURVE_BITS + 1],
        };
        layout.measure_crowding(bodies);
        layout
    }

    fn measure_crowding(&mut self, bodies: &Bodies) {
        let n = bodies.id_bound();
        let mut sample: Vec<u32> = (0..n)
            .step_by((n / SAMPLE).max(1))
            .map(|i| {
                let middle = bodies.get(i).aabb().center().to_array();
                self.cell(middle)
            })
            .collect();
        sample.sort_unstable();
        let pairs = (sample.len() * sample.len().saturating_sub(1) / 2).max(1);
        for bits in 0..=MOST_CURVE_BITS {
            let cell = |code: &u32| code >> (MOST_CURVE_BITS - bits);
            let together: usize =
                sample.chunk_by(|a, b| cell(a) == cell(b)).map(|part| part.len() * (part.len() - 1) / 2).sum();
            // One or two pairs in a cell may be chance.
            self.crowding[bits] = together.saturating_sub(2) as f32 * n as f32 / pairs as f32;
        }
    }

    /// The cell of a point, as the interleaved bits of its coordinates (Morton code). Truncated to any number of bits, it gives
    /// the same cells as a position along the Hilbert curve.
    fn cell(&self, place: [f32; 3]) -> u32 {
        let mut coordinates = [0, 1, 2].map(|k| {
            let part = (f64::from(place[k]) - f64::from(self.origin[k])) / self.side;
            (part.clamp(0.0, 1.0) * 32_767.0) as u32
        });
        let axes: Vec<usize> = (0..3).filter(|axis| self.thin_axis != *axis as u32 + 1).collect();
        let mut code = 0;
        for step in 0..MOST_CURVE_BITS {
            let axis = axes[step % axes.len()];
            code = code << 1 | coordinates[axis] >> 14 & 1;
            coordinates[axis] <<= 1;
        }
        code
    }

    /// The bits of a position along the curve, when a key has `others` further bits: as many as fit into the fewest radix sort
    /// passes with which cells are not crowded.
    pub(crate) fn curve_bits(&self, others: u32) -> u32 {
        let bits = |passes: u32| (8 * passes - others).min(MOST_CURVE_BITS as u32);
        let passes = (1..4).find(|passes| self.crowding[bits(*passes) as usize] <= MAX_CROWDING).unwrap_or(4);
        bits(passes)
    }

    /// Bits per coordinate of the grid, for positions along the curve of this many bits.
    pub(crate) fn bits_to_a_side(&self, curve_bits: u32) -> u32 {
        curve_bits.div_ceil(if self.thin_axis == 0 { 3 } else { 2 })
    }

    /// Whether a body with this record is a giant or outside the grid, as kernels decide it.
    pub(super) fn needs_class(&self, kind: Kind, record: &Record) -> bool {
        let (center, half) = match kind {
            Kind::Sphere => ([record[0], record[1], record[2]], record[3]),
            Kind::Aabb => {
                let middle = |k: usize| 0.5 * record[k] + 0.5 * record[k + 3];
                let half = |k: usize| 0.5 * record[k + 3] - 0.5 * record[k];
                ([middle(0), middle(1), middle(2)], half(0).max(half(1)).max(half(2)))
            }
            Kind::Obb => ([record[0], record[1], record[2]], record[3].max(record[4]).max(record[5])),
        };
        let side = self.side as f32;
        let inside = |k: usize| center[k] >= self.origin[k] && center[k] - self.origin[k] <= side;
        half > self.giant || !(inside(0) && inside(1) && inside(2))
    }
}
