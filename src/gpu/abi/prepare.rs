//! From bodies to slots in the order of the curve, and the tree over them.

use super::module::{Atomic, Read, Write, kernels};

kernels! {
    /// Puts changed records where they belong. A patch is a heading, then a record. The heading is the id of the body and, where records
    /// have tags, the word of four tags that contains its own.
    patch_records in "phases/patch_records" {
        params {
            /// Words of all patches.
            words: u32,
            /// Words of a record.
            record_words: u32,
            /// Words of a heading.
            heading_words: u32,
        }
        buffers {
            patches: Read<u32>,
            records: Write<u32>,
            /// Several bodies may have the same word, and bring the same value.
            tags: Atomic<u32>,
        }
    }

    /// A key for every body: its size class, then its position along a Hilbert curve.
    curve_keys in "phases/curve_keys" {
        params {
            /// The corner of the curve's grid, and cells per unit of length.
            origin: [f32; 3],
            scale: f32,
            /// The half side above which a body counts as a giant.
            giant: f32,
            flags: u32,
            bodies: u32,
            /// Tiles of the sort that follows.
            tiles: u32,
            /// Bits of a position along the curve.
            curve_bits: u32,
            /// 1, 2 or 3 if bodies lie in a plane across x, y or z, so that the curve has two dimensions; else 0.
            thin_axis: u32,
            /// The first word of the status block with the set's class counts.
            classes: u32,
            /// The tag of all bodies, or `ABSENT` if they differ.
            tag: u32,
        }
        buffers {
            /// The records of bodies, two words at a time.
            shapes: Read<[u32; 2]>,
            /// A byte for each body.
            tags: Read<u32>,
            keys_out: Write<u32>,
            /// How often the lowest digit has each value, by digit, then by tile.
            counts: Write<u32>,
        }
    }

    /// One pass of the radix sort of keys with values.
    sort in "phases/sort" {
        params {
            keys: u32,
            tiles: u32,
            /// The lowest bit of the digit.
            shift: u32,
            /// `SORT_FIRST` and `SORT_LAST`.
            mode: u32,
        }
        buffers {
            keys_in: Read<u32>,
            order_in: Read<u32>,
            /// How often each digit occurs, by digit, then by tile; after all tiles, the sums over them.
            counts: Write<u32>,
            keys_out: Write<u32>,
            order_out: Write<u32>,
        }
    }

    /// The worlds of bodies that are already sorted along the curve, as keys for another sort.
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

    /// The order 0, 1, … of bodies that are not sorted.
    identity_order in "phases/identity_order" {
        params {
            bodies: u32,
        }
        buffers {
            order: Write<u32>,
        }
    }

    /// Bodies to slots: what the narrow phase reads, their bounds, and the bounds of each cluster.
    gather in "phases/gather" {
        params {
            /// Always 0, which compilers cannot know.
            zero: u32,
            flags: u32,
            bodies: u32,
            /// Where the slots of the set begin and end: both are multiples of the cluster's width.
            first_slot: u32,
            end_slot: u32,
            /// The first word of the status block with the set's class counts.
            classes: u32,
            /// The tag of all bodies, or `ABSENT` if they differ.
            tag: u32,
        }
        buffers {
            /// The records of bodies, two words at a time.
            shapes: Read<[u32; 2]>,
            tags: Read<u32>,
            order: Read<u32>,
            /// Two for each slot: centre or lower corner, and id; radius, upper corner or half extents.
            slot_shapes: Write<[u32; 4]>,
            /// The quaternions of kinds that have one.
            slot_rotations: Write<[u32; 4]>,
            /// Two for each slot: lower corner and id; upper corner and tag.
            slot_bounds: Write<[u32; 4]>,
            /// Two for each node: lower corner and first world; upper corner and last world.
            nodes: Write<[u32; 4]>,
        }
    }

    /// Traits to slots, and the worlds of each cluster.
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

    /// One level of the tree from the level below.
    build_tree in "phases/build_tree" {
        params {
            /// The first node of the level below, and how many it has.
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
