//! From hits to rows of partners.

use super::constants::BINS;
use super::module::{Atomic, Read, Write, kernels};

kernels! {
    /// Counts of hits to offsets of rows: an exclusive scan.
    row_offsets in "phases/row_offsets" {
        params {
            rows: u32,
        }
        buffers {
            /// In the word after that of a row: how many hits it has, then where they begin.
            rows: Write<u32>,
            /// The sum of each block of rows.
            blocks: Write<u32>,
            /// How many rows of each block are long, and how many hits these have.
            long_blocks: Write<[u32; 2]>,
        }
    }

    /// Hits to their rows, bin by bin.
    scatter_hits in "phases/scatter_hits" {
        params {
            /// Where each bin of hits begins, and how many it holds.
            bin_first: [u32; BINS],
            bin_size: [u32; BINS],
        }
        buffers {
            /// Before the hits of a row are scattered, the word after its own says where it begins; after it, where it ends, which is
            /// where the next one begins.
            rows: Atomic<u32>,
            /// Row and marked partner, by bins.
            hits: Read<[u32; 2]>,
            partners: Write<u32>,
        }
    }

    /// The partners of each short row in the order of their ids.
    sort_rows in "phases/sort_rows" {
        params {
            rows: u32,
        }
        buffers {
            /// Where each row begins, and where the last ends.
            rows: Read<u32>,
            /// With their marks.
            partners: Write<u32>,
        }
    }

    /// Long rows as one list for the radix sort, and back to where their partners lie.
    long_rows in "phases/long_rows" {
        params {
            rows: u32,
            /// How many long rows, and how many hits of these, there is room for.
            rows_room: u32,
            hits_room: u32,
        }
        buffers {
            /// Where each row begins, and where the last ends.
            rows: Read<u32>,
            /// How many rows of each block are long, and how many hits these have.
            long_blocks: Read<[u32; 2]>,
            /// Where the partners of each long row begin, and where its entries in the list do.
            starts: Write<[u32; 2]>,
            /// With their marks.
            partners: Write<u32>,
            /// The partner of each entry.
            keys: Write<u32>,
            /// Which of the long rows has each entry.
            ranks: Write<u32>,
        }
    }
}
