//! Modules of the broad phase and of the narrow phase.

use super::constants::{BINS, BUCKET_WORDS, LEVELS};
use super::module::{Atomic, Read, Write, kernels};

kernels! {
    /// Finds the candidate pairs: bodies whose bounds meet and whose traits allow the pair.
    find_pairs in "phases/find_pairs" {
        params {
            /// The first node of each level of the tree, and its number of nodes. Level 0 are the clusters.
            level_first: [u32; LEVELS + 1],
            level_count: [u32; LEVELS + 1],
            /// The first candidate of each bucket, and the bucket's capacity.
            bucket_first: [u32; BUCKET_WORDS],
            bucket_size: [u32; BUCKET_WORDS],
            flags: u32,
            /// The searching clusters.
            first_cluster: u32,
            end_cluster: u32,
            /// The number of excluded pairs.
            exclusions: u32,
            /// The bucket into which all candidates fall, or `ABSENT` if there may be several.
            only_bucket: u32,
            /// The capacity for unfinished searches.
            unfinished_room: u32,
            /// The iterations after which a search is cut short.
            iteration_limit: u32,
            /// The highest level of the tree that is built.
            top: u32,
            /// The unfinished searches that `resume_search` continues.
            first_unfinished: u32,
            end_unfinished: u32,
        }
        buffers {
            slot_bounds: Read<[u32; 4]>,
            nodes: Read<[u32; 4]>,
            slot_traits: Read<[u32; 4]>,
            /// Excluded pairs of ids in ascending order, the lower id first.
            exclusions: Read<[u32; 2]>,
            /// The slot of the body of the lower kind; the slot of the other body, with `SECOND_SEARCHES` if it belongs to the
            /// searching set.
            candidates: Write<[u32; 2]>,
            /// Unfinished searches: the searching cluster, and the last node of level 1 that it visited, or `ABSENT`.
            unfinished: Write<[u32; 2]>,
        }
    }

    /// Decides the candidates of one bucket.
    narrow in "phases/narrow" {
        params {
            /// The first hit of each bin, and the bin's capacity.
            bin_first: [u32; BINS],
            bin_size: [u32; BINS],
            /// Always 0, which compilers cannot know: it keeps them from rearranging float arithmetic.
            zero: u32,
            flags: u32,
            /// The bucket, its first candidate, and its capacity.
            bucket: u32,
            first_candidate: u32,
            room: u32,
            /// `REPORT_HITS` or `REPORT_VERDICTS`.
            mode: u32,
            /// The bin of a row is the row shifted right by this many bits.
            bin_bits: u32,
            /// How far apart the bodies of a pair may be, for the kernels that ask.
            margin: f32,
        }
        buffers {
            /// Two elements per slot: centre or lower corner, and id; radius, upper corner or half extents.
            slot_shapes: Read<[u32; 4]>,
            slot_rotations: Read<[u32; 4]>,
            /// The slot of the body of the lower kind; the slot of the other body, with `SECOND_SEARCHES` if it belongs to the
            /// searching set. Each workgroup overwrites the front of its part of the candidates with those that it leaves open,
            /// followed by `ABSENT`.
            candidates: Write<[u32; 2]>,
            /// Row and marked partner of each hit, by bins; or the verdict on each candidate.
            hits: Write<[u32; 2]>,
            /// Element r + 1: the number of hits of row r.
            rows: Atomic<u32>,
        }
    }
}

kernels! {
    /// Decides the candidates of one bucket that may be some way apart.
    near in "phases/near" {
        params {
            /// As those of `narrow`.
            bin_first: [u32; BINS],
            bin_size: [u32; BINS],
            zero: u32,
            flags: u32,
            bucket: u32,
            first_candidate: u32,
            room: u32,
            mode: u32,
            bin_bits: u32,
            /// How far apart they may be.
            margin: f32,
        }
        buffers {
            slot_shapes: Read<[u32; 4]>,
            candidates: Write<[u32; 2]>,
            hits: Write<[u32; 2]>,
            rows: Atomic<u32>,
            /// The frames of the searching set, and of the searched set.
            frames_a: Read<[u32; 4]>,
            frames_b: Read<[u32; 4]>,
        }
    }

    /// Decides the candidates of one bucket of which one is a hull, and that were left open.
    open_hulls in "phases/open_hulls" {
        params {
            /// As those of `narrow`.
            bin_first: [u32; BINS],
            bin_size: [u32; BINS],
            zero: u32,
            flags: u32,
            bucket: u32,
            first_candidate: u32,
            room: u32,
            mode: u32,
            bin_bits: u32,
            /// How far apart they may be.
            margin: f32,
        }
        buffers {
            slot_shapes: Read<[u32; 4]>,
            slot_rotations: Read<[u32; 4]>,
            candidates: Write<[u32; 2]>,
            hits: Write<[u32; 2]>,
            rows: Atomic<u32>,
            /// The local forms of the searching set, and of the searched set: of each where its corners begin, how many they are and the largest sum of a
            /// corner's coordinates; and then all corners.
            hulls_a: Read<[u32; 4]>,
            hulls_b: Read<[u32; 4]>,
        }
    }

    /// Decides the candidates of one bucket that are boxes in which bodies stay while they move.
    moving in "phases/moving" {
        params {
            /// As those of `narrow`.
            bin_first: [u32; BINS],
            bin_size: [u32; BINS],
            zero: u32,
            flags: u32,
            bucket: u32,
            first_candidate: u32,
            room: u32,
            mode: u32,
            bin_bits: u32,
            /// Where the courses begin.
            courses_a: u32,
            courses_b: u32,
        }
        buffers {
            slot_shapes: Read<[u32; 4]>,
            candidates: Write<[u32; 2]>,
            hits: Write<[u32; 2]>,
            rows: Atomic<u32>,
            /// The frames of the moving bodies and then their courses, of the searching set and of the searched set.
            frames_a: Read<[u32; 4]>,
            frames_b: Read<[u32; 4]>,
        }
    }
}

kernels! {
    /// Settles the candidates that the narrow phase left open.
    settle in "phases/settle" with doubles as narrow;
}

kernels! {
    /// Decides the candidates of one bucket of which one is a hull as far as single words can, and leaves the rest open.
    hulls in "phases/hulls" with plain as open_hulls;
}
