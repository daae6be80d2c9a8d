//! Modules of queries that are recorded into the caller's encoder, where the device decides what the host decides otherwise.

use super::constants::{BINS, BUCKET_WORDS};
use super::module::{Atomic, Read, Write, kernels};

kernels! {
    /// Takes over what the caller's shaders have written about consecutive bodies.
    import_bodies in "phases/import_bodies" {
        params {
            /// The first body, and how many there are.
            first: u32,
            bodies: u32,
            /// The word of the caller's buffer where the first body begins, and words from one body to the next.
            offset: u32,
            stride: u32,
            /// Where, from there, position, rotation and extents begin; each may be `ABSENT`. Of a box with fixed axes, position is its lower
            /// corner and extents its upper corner.
            position: u32,
            rotation: u32,
            extents: u32,
        }
        buffers {
            source: Read<u32>,
            records: Write<u32>,
            tags: Atomic<u32>,
        }
    }

    /// Measures the grid of the curve from a sample of the bodies.
    measure_grid in "phases/measure_grid" {
        params {
            bodies: u32,
            /// Bits of a position along the curve.
            curve_bits: u32,
        }
        buffers {
            /// The shape records of bodies, two words per element.
            shapes: Read<[u32; 2]>,
            /// A byte for each body.
            tags: Read<u32>,
            /// Origin and scale, the half side above which a body is a giant, and the axis along which the set is flat.
            grid: Write<u32>,
        }
    }

    /// Says how a search has ended.
    summarize in "phases/summarize" {
        params {
            /// The capacity of each bucket of candidates, and of each bin of hits.
            bucket_size: [u32; BUCKET_WORDS],
            bin_size: [u32; BINS],
            /// The capacity for long rows, for their hits, for searches that were cut short, and for pairs.
            long_rows_room: u32,
            long_hits_room: u32,
            unfinished_room: u32,
            pairs_room: u32,
        }
        buffers {
            summary: Write<u32>,
        }
    }

    /// Says how a query has ended whose results are a list: one for each body, listed pair or ray, or the hits of rays.
    summarize_list in "phases/summarize_list" {
        params {
            /// The number of results, and 1 if there are others for the hits of rays that are listed apart from one for each ray.
            results: u32,
            has_extras: u32,
            /// The capacity for these hits.
            extra_room: u32,
            /// Words of a result, the word that says whether it is undecided, and what that word is then.
            words: u32,
            word: u32,
            open: u32,
        }
        buffers {
            list: Read<u32>,
            summary: Write<u32>,
        }
    }

    /// Lists the pairs that are undecided.
    list_undecided in "phases/list_undecided" {
        params {
            rows: u32,
            /// The capacity of the list.
            room: u32,
        }
        buffers {
            /// The CSR offsets: where each row begins, and where the last one ends.
            rows: Read<u32>,
            /// The partners with their marks.
            partners: Read<u32>,
            summary: Read<u32>,
            /// The place among the partners, the row and the partner of each.
            undecided: Write<[u32; 4]>,
        }
    }
}
