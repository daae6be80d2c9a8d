//! The serial, obvious twin of each kernel, on the same buffers: for parity tests and for finding the stage at fault, not for
//! speed.
//!
//! A twin gets the buffers of its kernel in the order of the bindings, as words.

pub(crate) mod bucket;
pub(crate) mod cull;
pub(crate) mod gather;
pub(crate) mod keys;
pub(crate) mod long;
pub(crate) mod narrow;
pub(crate) mod number;
pub(crate) mod order;
pub(crate) mod pairs;
pub(crate) mod patch;
pub(crate) mod place;
pub(crate) mod rekey;
pub(crate) mod rows;
pub(crate) mod settle;
pub(crate) mod sort;
pub(crate) mod traits;
pub(crate) mod tree;

use crate::shape::{Aabb, Obb, Sphere};

/// The tag of a body: kind in bits 0 and 1, then whether it is enabled, then whether it is fixed.
fn tag(tags: &[u32], i: usize) -> u32 {
    tags[i / 4] >> (8 * (i % 4)) & 0xff
}

/// The numbers of a body's record.
fn record(shapes: &[u32], i: usize) -> [f32; 10] {
    std::array::from_fn(|k| f32::from_bits(shapes[10 * i + k]))
}

/// The shape in the first numbers of a record.
fn sphere(record: &[f32]) -> Sphere {
    bytemuck::cast_slice(&record[..4])[0]
}

fn aabb(record: &[f32]) -> Aabb {
    bytemuck::cast_slice(&record[..6])[0]
}

fn obb(record: &[f32]) -> Obb {
    bytemuck::cast_slice(&record[..10])[0]
}

/// The box of a slot or node.
fn bounds(words: &[u32], at: usize) -> ([f32; 3], [f32; 3]) {
    let number = |k: usize| f32::from_bits(words[8 * at + k]);
    ([number(0), number(1), number(2)], [number(4), number(5), number(6)])
}

fn set_bounds(words: &mut [u32], at: usize, low: [f32; 3], high: [f32; 3]) {
    for k in 0..3 {
        words[8 * at + k] = low[k].to_bits();
        words[8 * at + 4 + k] = high[k].to_bits();
    }
}

/// The union of two boxes.
fn unite(a: ([f32; 3], [f32; 3]), b: ([f32; 3], [f32; 3])) -> ([f32; 3], [f32; 3]) {
    (std::array::from_fn(|k| a.0[k].min(b.0[k])), std::array::from_fn(|k| a.1[k].max(b.1[k])))
}

const NOWHERE: ([f32; 3], [f32; 3]) = ([f32::MAX; 3], [-f32::MAX; 3]);
const EVERYWHERE: ([f32; 3], [f32; 3]) = ([-f32::MAX; 3], [f32::MAX; 3]);
