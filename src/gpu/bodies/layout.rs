//! The grid in which the bodies of a set are ordered.

use crate::Bodies;
use crate::shape::kinds::{Kind, Record};
use crate::spatial::{Region, median_size};

/// The grid in which a set's bodies are ordered, and the size from which on a body is a giant. Only speed depends on them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Layout {
    pub origin: [f32; 3],
    pub side: f64,
    pub giant: f32,
    /// The axis along which there is next to nothing, and 1; 0 if there is none.
    pub thin_axis: u32,
    /// How many bodies share a cell with a body, on average, by the bits of a place on the curve.
    crowding: [f32; MOST_CURVE_BITS + 1],
}

/// The most bits of a place on the curve.
const MOST_CURVE_BITS: usize = 30;
/// So many bodies in a cell do no harm: a cluster has 32.
const MAX_CROWDING: f32 = 20.0;
/// Bodies looked at to find out how crowded cells are.
const SAMPLE: usize = 2048;

impl Layout {
    pub(super) fn new(bodies: &Bodies) -> Self {
        let bounds = |i: usize| bodies.get(i).aabb();
        let region = Region::new(bodies.len(), bounds);
        // Kernels measure half sides; a class spans a factor of 8.
        let giant = median_size(bodies.len(), bounds).min(f32::MAX / 8.0) * 4.0;
        let thin_axis = region.thin(bodies.len()).map_or(0, |axis| axis as u32 + 1);
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
        let n = bodies.len();
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
            // A pair or two may be chance.
            self.crowding[bits] = together.saturating_sub(2) as f32 * n as f32 / pairs as f32;
        }
    }

    /// The cell of a place: bits of its coordinates in turn. As far as they go, bits on the curve make the same cells.
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

    /// How many bits a place on the curve needs beside `others` in a key: as few passes of the sort as will do.
    pub(crate) fn curve_bits(&self, others: u32) -> u32 {
        let bits = |passes: u32| (8 * passes - others).min(MOST_CURVE_BITS as u32);
        let passes = (1..4).find(|passes| self.crowding[bits(*passes) as usize] <= MAX_CROWDING).unwrap_or(4);
        bits(passes)
    }

    /// Cells to a side of the grid, as a power of two, for places of so many bits.
    pub(crate) fn bits_to_a_side(&self, curve_bits: u32) -> u32 {
        curve_bits.div_ceil(if self.thin_axis == 0 { 3 } else { 2 })
    }

    /// Whether a body of this record is a giant or far out, as kernels see it.
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
