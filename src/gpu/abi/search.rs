//! From slots and tree to candidates and verdicts.

use super::constants::{BINS, BUCKET_WORDS, LEVELS};
use super::module::{Atomic, Read, Write, kernels};

kernels! {
    /// Candidates: pairs of bodies whose bounds meet and whose traits agree.
    find_pairs in "phases/find_pairs" {
        params {
            /// Where each level of the tree begins among the nodes, and how many nodes it has. Level 0 are the clusters.
            level_first: [u32; LEVELS + 1],
            level_count: [u32; LEVELS + 1],
            /// Where each bucket of candidates begins, and how many it holds.
            bucket_first: [u32; BUCKET_WORDS],
            bucket_size: [u32; BUCKET_WORDS],
            flags: u32,
            /// Clusters that ask.
            first_cluster: u32,
            end_cluster: u32,
            /// Excluded pairs.
            exclusions: u32,
            /// The bucket of all candidates, or `ABSENT` if there are several.
            only_bucket: u32,
            /// How many searches that are cut short there is room for.
            unfinished_room: u32,
            /// How many iterations a search may make.
            iteration_limit: u32,
            /// The highest level of the tree that is built.
            top: u32,
            /// Searches that were cut short, of which `resume_search` does the rest.
            first_unfinished: u32,
            end_unfinished: u32,
        }
        buffers {
            slot_bounds: Read<[u32; 4]>,
            nodes: Read<[u32; 4]>,
            slot_traits: Read<[u32; 4]>,
            /// Excluded pairs of ids in ascending order, the lower id first.
            exclusions: Read<[u32; 2]>,
            /// The slot of the lower kind, and the slot of the other with `SECOND_ASKS` if its body asks.
            candidates: Write<[u32; 2]>,
            /// Searches that were cut short: the cluster that asks, and the last node of level 1 that it asked, or `ABSENT`.
            unfinished: Write<[u32; 2]>,
        }
    }

    /// Verdicts on the candidates of one bucket.
    narrow in "phases/narrow" {
        params {
            /// Where each bin of hits begins, and how many it holds.
            bin_first: [u32; BINS],
            bin_size: [u32; BINS],
            /// Always 0, which compilers cannot know.
            zero: u32,
            flags: u32,
            /// The bucket, where its candidates begin, and how many it holds.
            bucket: u32,
            first_candidate: u32,
            room: u32,
            /// `REPORT_HITS` or `REPORT_VERDICTS`.
            mode: u32,
            /// The lowest bits of a row that do not tell its bin.
            bin_bits: u32,
        }
        buffers {
            /// Two for each slot: centre or lower corner, and id; radius, upper corner or half extents.
            slot_shapes: Read<[u32; 4]>,
            slot_rotations: Read<[u32; 4]>,
            /// The slot of the lower kind, and the slot of the other with `SECOND_ASKS` if its body asks. Workgroups leave candidates
            /// that they could not decide where their part of the candidates begins, and after them one `ABSENT`.
            candidates: Write<[u32; 2]>,
            /// Row and partner of a hit, by bins; or the verdict on a candidate.
            hits: Write<[u32; 2]>,
            /// How many hits each row has, in the word after that of the row.
            rows: Atomic<u32>,
        }
    }
}

kernels! {
    /// Verdicts on the candidates that the narrow phase left open.
    settle in "phases/settle" with doubles as narrow;
}
