//! The serial twin of each kernel: the simplest code that does the same to the same buffers. Twins serve parity tests and the
//! search for a faulty stage, not speed.
//!
//! A twin gets the params of its kernel and a view of its buffers, by the names that they have in WGSL (`abi/`).

#![allow(clippy::trivially_copy_pass_by_ref, clippy::needless_pass_by_value, reason = "all twins have one signature")]

pub(crate) mod approaches;
pub(crate) mod bucket_pairs;
pub(crate) mod build_tree;
pub(crate) mod cast_bundles;
pub(crate) mod cast_rays;
pub(crate) mod clearances;
pub(crate) mod contacts;
pub(crate) mod cull;
pub(crate) mod curve_keys;
pub(crate) mod find_pairs;
pub(crate) mod frames;
pub(crate) mod gather;
pub(crate) mod gather_traits;
pub(crate) mod grow_bounds;
pub(crate) mod hull_clearances;
pub(crate) mod hull_contacts;
pub(crate) mod hull_directions;
pub(crate) mod hull_feet;
pub(crate) mod hull_hits;
pub(crate) mod hull_sweeps;
pub(crate) mod hull_ways;
pub(crate) mod hulls;
pub(crate) mod identity_order;
pub(crate) mod import_bodies;
pub(crate) mod list_nearest;
pub(crate) mod list_pairs;
pub(crate) mod list_undecided;
pub(crate) mod long_rows;
pub(crate) mod measure_grid;
pub(crate) mod moving;
pub(crate) mod narrow;
pub(crate) mod near;
pub(crate) mod open_hulls;
pub(crate) mod patch_records;
pub(crate) mod pick_hits;
pub(crate) mod publish_hits;
pub(crate) mod ray_keys;
pub(crate) mod ray_tree;
pub(crate) mod reach_nearest;
pub(crate) mod row_offsets;
pub(crate) mod scatter_hits;
pub(crate) mod settle;
pub(crate) mod sort;
pub(crate) mod sort_rows;
pub(crate) mod summarize;
pub(crate) mod summarize_list;
pub(crate) mod sweeps;
pub(crate) mod time_hits;
pub(crate) mod world_keys;

use crate::gpu::abi::TAG_KIND;
use crate::shape::hull_record;
use crate::shape::kinds::{Kind, RECORD_WORDS, Record};
use crate::shape::{Aabb, Capsule, Obb, Plane, Sphere};

/// The tag of a body.
fn tag(tags: &[u32], i: usize) -> u32 {
    tags[i / 4] >> (8 * (i % 4)) & 0xff
}

/// The kind in a tag.
fn kind_of_tag(tag: u32) -> Kind {
    Kind::ALL[(tag & TAG_KIND) as usize]
}

/// The kind of the body in a slot, as a number.
fn kind_of_slot(slot_bounds: &[[u32; 4]], slot: u32) -> u32 {
    slot_bounds[2 * slot as usize + 1][3] & TAG_KIND
}

/// The shape record of a body.
fn record(shapes: &[u32], i: usize) -> Record {
    std::array::from_fn(|k| f32::from_bits(shapes[RECORD_WORDS * i + k]))
}

/// The shape that a record describes.
fn sphere(record: &[f32]) -> Sphere {
    bytemuck::cast_slice(&record[..Kind::Sphere.words()])[0]
}

fn aabb(record: &[f32]) -> Aabb {
    bytemuck::cast_slice(&record[..Kind::Aabb.words()])[0]
}

fn obb(record: &[f32]) -> Obb {
    bytemuck::cast_slice(&record[..Kind::Obb.words()])[0]
}

fn capsule(record: &[f32]) -> Capsule {
    bytemuck::cast_slice(&record[..Kind::Capsule.words()])[0]
}

fn plane(record: &[f32]) -> Plane {
    bytemuck::cast_slice(&record[..Kind::Plane.words()])[0]
}

/// The middle of a body, and its radius or its largest half extent along its own axes.
fn middle_and_size(kind: Kind, record: &Record) -> ([f32; 3], f32) {
    let half = |k: usize| 0.5 * record[k + 3] - 0.5 * record[k];
    let middle = [0, 1, 2].map(|k| 0.5 * record[k + 3] + 0.5 * record[k]);
    match kind {
        Kind::Sphere => ([record[0], record[1], record[2]], record[3]),
        Kind::Aabb => (middle, half(0).max(half(1)).max(half(2))),
        Kind::Obb => ([record[0], record[1], record[2]], record[3].max(record[4]).max(record[5])),
        Kind::Capsule => {
            let side = |k: usize| half(k).abs() + record[6];
            (middle, side(0).max(side(1)).max(side(2)))
        }
        Kind::ConvexHull => ([record[0], record[1], record[2]], hull_record::reach_of(record[3])),
        Kind::Plane => ([0.0; 3], f32::MAX),
    }
}

/// The bounds of a slot or node.
fn bounds(boxes: &[[u32; 4]], at: usize) -> ([f32; 3], [f32; 3]) {
    let corner = |at: usize| [0, 1, 2].map(|k| f32::from_bits(boxes[at][k]));
    (corner(2 * at), corner(2 * at + 1))
}

/// Writes the bounds of a slot or node, with the word that follows each corner.
fn set_bounds(boxes: &mut [[u32; 4]], at: usize, low: ([f32; 3], u32), high: ([f32; 3], u32)) {
    for (k, ([x, y, z], word)) in [low, high].into_iter().enumerate() {
        boxes[2 * at + k] = [x.to_bits(), y.to_bits(), z.to_bits(), word];
    }
}

/// The union of two boxes.
fn unite(a: ([f32; 3], [f32; 3]), b: ([f32; 3], [f32; 3])) -> ([f32; 3], [f32; 3]) {
    (std::array::from_fn(|k| a.0[k].min(b.0[k])), std::array::from_fn(|k| a.1[k].max(b.1[k])))
}

const NOWHERE: ([f32; 3], [f32; 3]) = ([f32::MAX; 3], [-f32::MAX; 3]);
const EVERYWHERE: ([f32; 3], [f32; 3]) = ([-f32::MAX; 3], [f32::MAX; 3]);
