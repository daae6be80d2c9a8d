//! Measures the grid of the curve from a sample of the bodies.

use super::{kind_of_tag, middle_and_size, record, tag};
use crate::gpu::abi::GRID_SAMPLE;
use crate::gpu::abi::measure_grid::{Params, View};

pub(crate) fn measure_grid(params: &Params, view: View<'_>) {
    let View { shapes, tags, grid, .. } = view;
    let shapes = shapes.as_flattened();
    let bodies = params.bodies as f32;
    let sample = (0..GRID_SAMPLE).map(|k| {
        let i = ((k as f32 / GRID_SAMPLE as f32 * bodies) as u32).min(params.bodies - 1) as usize;
        let ([x, y, z], size) = middle_and_size(kind_of_tag(tag(tags, i)), &record(shapes, i));
        [x, y, z, size]
    });
    let sample: Vec<[f32; 4]> = sample.collect();
    let sorted = |quantity: usize| {
        let mut values: Vec<f32> = sample.iter().map(|numbers| numbers[quantity]).collect();
        values.sort_unstable_by(f32::total_cmp);
        values
    };
    let cut = GRID_SAMPLE as usize / 64;
    let ranges = [0, 1, 2].map(|axis| {
        let values = sorted(axis);
        (values[cut], values[values.len() - 1 - cut])
    });
    let extent = ranges.map(|(low, high)| (high - low).clamp(0.0, 1e30));
    let side = 1.125 * extent[0].max(extent[1]).max(extent[2]);
    let mut thinnest = 0;
    for axis in 1..3 {
        if extent[axis] < extent[thinnest] {
            thinnest = axis;
        }
    }
    let area = extent[(thinnest + 1) % 3] * extent[(thinnest + 2) % 3];
    let is_flat = extent[thinnest] < 4.0 * (area / bodies).sqrt();
    let bits = params.curve_bits.div_ceil(if is_flat { 2 } else { 3 });
    let scale = if side > 0.0 { ((1 << bits) as f32 / side).min(1e30) } else { 0.0 };
    for axis in 0..3 {
        grid[axis] = (ranges[axis].0 - extent[axis] / 16.0).to_bits();
    }
    grid[3] = scale.to_bits();
    grid[4] = (8.0 * sorted(3)[GRID_SAMPLE as usize / 2].min(1e37)).to_bits();
    grid[5] = if is_flat { thinnest as u32 + 1 } else { 0 };
}
