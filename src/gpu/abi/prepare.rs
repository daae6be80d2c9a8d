//! Modules of the preparation: from bodies to slots in curve order, and the tree over them.

use super::module::{Atomic, Read, Write, kernels};

kernels! {
    /// Scatters changed records. A patch is a heading, then a record. The heading is the id of the body and, for shape records,
    /// the word of four tags that contains the body's tag. Without a heading, patches are the poses of consecutive bodies.
    patch_records in "phases/patch_records" {
        params {
            /// Words of all patches together.
            words: u32,
            /// Words of a record, or of a pose.
            record_words: u32,
            /// Words of a heading.
            heading_words: u32,
            /// The body whose pose comes first, if patches have no heading.
            first: u32,
        }
        buffers {
            patches: Read<u32>,
            records: Write<u32>,
            /// Patches of several bodies may write the same word, with the same value.
            tags: Atomic<u32>,
        }
    }

    /// Computes the sort key of every body: its size class, then its position along a Hilbert curve.
    curve_keys in "phases/curve_keys" {
        params {
            /// The lower corner of the curve's grid, and its cells per unit of length.
            origin: [f32; 3],
            scale: f32,
            /// The half side above which a body is a giant.
            giant: f32,
            flags: u32,
            bodies: u32,
            /// Tiles of the radix sort that follows.
            tiles: u32,
            /// Bits of a position along the curve.
            curve_bits: u32,
            /// 1, 2 or 3 if the set is flat along x, y or z, so that the curve is two-dimensional; else 0.
            thin_axis: u32,
            /// The first word of the set's class counts in the status block.
            classes: u32,
            /// The tag that all bodies have in common, or `ABSENT`.
            tag: u32,
        }
        buffers {
            /// The shape records of bodies, two words per element.
            shapes: Read<[u32; 2]>,
            /// A byte for each body.
            tags: Read<u32>,
            /// The grid as `measure_grid` writes it, if it was `MEASURED`.
            grid: Read<u32>,
            keys_out: Write<u32>,
            /// The histogram of the lowest digit in each tile: by digit, then by tile.
            counts: Write<u32>,
        }
    }

    /// One pass of a radix sort of keys with values.
    sort in "phases/sort" {
        params {
            keys: u32,
            tiles: u32,
            /// The lowest bit of the digit.
            shift: u32,
            /// The bits `SORT_FIRST` and `SORT_LAST`.
            mode: u32,
        }
        buffers {
            keys_in: Read<u32>,
            order_in: Read<u32>,
            /// The digit histogram of each tile: by digit, then by tile. After all tiles, the totals by digit.
            counts: Write<u32>,
            keys_out: Write<u32>,
            order_out: Write<u32>,
        }
    }

    /// Writes the worlds of bodies, which are already sorted along the curve, as keys for a stable sort.
    world_keys in "phases/world_keys" {
        params {
            bodies: u32,
        }
        buffers {
            order: Read<u32>,
            /// Layer, mask, group and world.
            traits: Read<[u32; 4]>,
            keys_out: Write<u32>,
        }
    }

    /// Writes the order 0, 1, … for bodies that are not sorted.
    identity_order in "phases/identity_order" {
        params {
            bodies: u32,
        }
        buffers {
            order: Write<u32>,
        }
    }

    /// Gathers bodies into slots: shapes for the narrow phase, bounds, and the bounds of each cluster.
    gather in "phases/gather" {
        params {
            /// Always 0, which compilers cannot know: it keeps them from rearranging float arithmetic.
            zero: u32,
            flags: u32,
            bodies: u32,
            /// The first and the end slot of the set: multiples of the cluster's width.
            first_slot: u32,
            end_slot: u32,
            /// The first word of the set's class counts in the status block.
            classes: u32,
            /// The tag that all bodies have in common, or `ABSENT`.
            tag: u32,
        }
        buffers {
            /// The shape records of bodies, two words per element.
            shapes: Read<[u32; 2]>,
            tags: Read<u32>,
            order: Read<u32>,
            /// Two elements per slot: centre or lower corner, and id; radius, upper corner or half extents.
            slot_shapes: Write<[u32; 4]>,
            /// The quaternion of an oriented box.
            slot_rotations: Write<[u32; 4]>,
            /// Two elements per slot: lower corner and id; upper corner and tag.
            slot_bounds: Write<[u32; 4]>,
            /// Two elements per node: lower corner and lowest world; upper corner and highest world.
            nodes: Write<[u32; 4]>,
        }
    }

    /// Gathers traits into slots, and computes the lowest and highest world of each cluster.
    gather_traits in "phases/gather_traits" {
        params {
            first_slot: u32,
            end_slot: u32,
        }
        buffers {
            /// Layer, mask, group and world.
            traits: Read<[u32; 4]>,
            slot_bounds: Read<[u32; 4]>,
            slot_traits: Write<[u32; 4]>,
            nodes: Write<[u32; 4]>,
        }
    }

    /// Grows the bounds of slots and clusters to all sides, and takes margins to slots.
    grow_bounds in "phases/grow_bounds" {
        params {
            /// The first and the end slot of the set: multiples of the cluster's width.
            first_slot: u32,
            end_slot: u32,
            /// Whether they also grow by the margins of bodies.
            has_margins: u32,
            /// By how much, at least.
            growth: f32,
        }
        buffers {
            margins: Read<u32>,
            slot_bounds: Write<[u32; 4]>,
            nodes: Write<[u32; 4]>,
            /// The last word of a body's second element is its margin, which is 0 until it is known; or, of a capsule, the first word of its quaternion.
            slot_shapes: Write<[u32; 4]>,
            slot_rotations: Write<[u32; 4]>,
        }
    }

    /// Builds one level of the tree from the level below.
    build_tree in "phases/build_tree" {
        params {
            /// The first node of the level below, and its number of nodes.
            first_child: u32,
            children: u32,
            /// The first node of this level.
            first_node: u32,
        }
        buffers {
            nodes: Write<[u32; 4]>,
        }
    }
}
