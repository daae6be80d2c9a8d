//! Modules that turn hits into rows of partners.

use super::constants::BINS;
use super::module::{Atomic, Read, Write, kernels};

kernels! {
    /// Turns hit counts into CSR offsets: an exclusive prefix sum.
    row_offsets in "phases/row_offsets" {
        params {
            rows: u32,
        }
        buffers {
            /// Element r + 1: the number of hits of row r, then where row r begins.
            rows: Write<u32>,
            /// The number of hits of each block of rows.
            blocks: Write<u32>,
            /// The number of long rows of each block, and the number of their hits.
            long_blocks: Write<[u32; 2]>,
            /// The number of hits of each row as a byte, or `WIDE_ROW` where that is too small: four rows a word.
            lengths: Write<u32>,
        }
    }

    /// Scatters hits to their rows, bin by bin.
    scatter_hits in "phases/scatter_hits" {
        params {
            /// The first hit of each bin, and the bin's capacity.
            bin_first: [u32; BINS],
            bin_size: [u32; BINS],
        }
        buffers {
            /// Element r + 1: where the next hit of row r goes. At first this is where the row begins, in the end where it ends,
            /// which is where the next row begins.
            rows: Atomic<u32>,
            /// Row and marked partner of each hit, by bins.
            hits: Read<[u32; 2]>,
            partners: Write<u32>,
        }
    }

    /// Sorts the partners of each short row by id.
    sort_rows in "phases/sort_rows" {
        params {
            rows: u32,
        }
        buffers {
            /// The CSR offsets: where each row begins, and where the last one ends.
            rows: Read<u32>,
            /// The partners with their marks.
            partners: Write<u32>,
        }
    }

    /// Collects the hits of long rows into one list for the radix sort, and spreads the sorted list back to the rows.
    long_rows in "phases/long_rows" {
        params {
            rows: u32,
            /// The capacity for long rows, and for their hits.
            rows_room: u32,
            hits_room: u32,
        }
        buffers {
            /// The CSR offsets: where each row begins, and where the last one ends.
            rows: Read<u32>,
            /// The number of long rows of each block, and the number of their hits.
            long_blocks: Read<[u32; 2]>,
            /// Where each long row begins among the partners, and where it begins in the list.
            starts: Write<[u32; 2]>,
            /// The partners with their marks.
            partners: Write<u32>,
            /// The partner of each entry of the list.
            keys: Write<u32>,
            /// The rank, among the long rows, of the row of each entry.
            ranks: Write<u32>,
        }
    }
}
