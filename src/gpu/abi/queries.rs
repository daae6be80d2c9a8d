//! Queries that are not about all pairs.

use super::constants::BUCKET_WORDS;
use super::module::{Read, Write, kernels};

kernels! {
    /// Pairs that the caller lists: to buckets by their kinds, and the verdicts back to their order.
    bucket_pairs in "queries/bucket_pairs" {
        params {
            /// Where each bucket of candidates begins, and how many it holds.
            bucket_first: [u32; BUCKET_WORDS],
            bucket_size: [u32; BUCKET_WORDS],
            /// Pairs that are asked for.
            pairs: u32,
            /// The slot of body 0; the others follow in the order of their ids.
            first_slot: u32,
        }
        buffers {
            /// Pairs of ids.
            asked: Read<[u32; 2]>,
            slot_bounds: Read<[u32; 4]>,
            candidates: Write<[u32; 2]>,
            /// Which of the pairs each candidate is.
            origins: Write<u32>,
            /// The first word is the verdict.
            verdicts: Read<[u32; 2]>,
            answers: Write<u32>,
        }
    }

    /// Which bodies lie in the intersection of half-spaces, cross its border, or lie outside.
    cull in "queries/cull" {
        params {
            /// Always 0, which compilers cannot know.
            zero: u32,
            /// The first body, and how many.
            first_body: u32,
            bodies: u32,
            planes: u32,
        }
        buffers {
            /// The records of bodies.
            shapes: Read<u32>,
            /// A byte for each body.
            tags: Read<u32>,
            /// Normal and offset.
            planes: Read<[u32; 4]>,
            sides: Write<u32>,
        }
    }
}
