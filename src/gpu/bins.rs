//! Bins of hits. Hits are binned by ranges of rows before they are scattered to their rows, so that the scatter of one bin writes
//! to memory that fits into the device's cache.

use super::abi::{BINS, SCATTERED};

/// The bins of a query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bins {
    /// The least rows of a bin, as a power of two. Tests set it low, to have many bins.
    pub min_bits: u32,
    /// The bin of a row is the row shifted right by this many bits.
    pub bits: u32,
    /// How many bins are in use.
    pub count: usize,
    /// The capacity of each bin, in hits.
    pub room: [u32; BINS],
}

impl Bins {
    pub(crate) fn new() -> Self {
        Self { min_bits: 19, bits: 0, count: 0, room: [0; BINS] }
    }

    /// Fits the bins to this many rows, with a total capacity of at least `least` hits, and of at least the previous total.
    pub(crate) fn fit(&mut self, rows: u32, least: u32) {
        let bits = (u32::BITS - rows.leading_zeros()).saturating_sub(BINS.ilog2()).max(self.min_bits);
        let count = (rows.saturating_sub(1) >> bits) as usize + 1;
        let total = self.total().min(u64::from(u32::MAX)) as u32;
        if (bits, count) != (self.bits, self.count) {
            let mut room = [0; BINS];
            room[..count].fill(total / count as u32);
            *self = Self { bits, count, room, ..*self };
        }
        for room in &mut self.room[..count] {
            *room = (*room).max(least.div_ceil(count as u32));
        }
    }

    /// Shrinks bins that had more than eight times the room they needed. Hits may move from bin to bin as bodies change.
    pub(crate) fn shrink(&mut self, needed: &[u32]) {
        for (room, needed) in self.room.iter_mut().zip(needed) {
            if *room / 8 > (*needed).max(SCATTERED) {
                *room = needed + needed / 8;
            }
        }
    }

    /// The total capacity, in hits.
    pub(crate) fn total(&self) -> u64 {
        self.room.iter().map(|room| u64::from(*room)).sum()
    }

    /// Where each bin begins in the buffer of hits. Bins begin at multiples of `SCATTERED`, so that the hits of one workgroup all
    /// belong to one bin.
    pub(crate) fn first(&self) -> [u32; BINS] {
        let mut next = 0;
        self.room.map(|room| {
            let first = next;
            next += room.next_multiple_of(SCATTERED);
            first
        })
    }

    /// Where the last bin ends in the buffer of hits.
    pub(crate) fn end(&self) -> u64 {
        self.room.iter().map(|room| u64::from(*room).next_multiple_of(u64::from(SCATTERED))).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_bin_and_every_bin_its_place() {
        for rows in [0, 1, 1 << 19, (1 << 19) + 1, 1_000_000, 1 << 23, 50_000_000, 1 << 30, u32::MAX >> 2] {
            let mut bins = Bins::new();
            bins.fit(rows, 5000);
            assert!(bins.count <= BINS && (rows.saturating_sub(1) >> bins.bits) as usize == bins.count - 1, "{rows}");
            assert!(bins.total() >= 5000, "{rows}");
            bins.room[0] = 70_000;
            let total = bins.total();
            bins.fit(rows, 1);
            assert_eq!(bins.total(), total, "{rows}: as before");
            let first = bins.first();
            for k in 1..BINS {
                assert!(first[k] - first[k - 1] >= bins.room[k - 1] && first[k].is_multiple_of(SCATTERED), "{rows}");
            }
            let mut less = bins;
            less.shrink(&[100; BINS]);
            assert!(less.room[0] == 112 && less.room[1..] == bins.room[1..], "{rows}: only what was far too much");
            assert!(bins.end() >= u64::from(first[BINS - 1] + bins.room[BINS - 1]), "{rows}");
            bins.fit(rows.max(1) * 3, 1);
            assert!(bins.total() + BINS as u64 >= total, "{rows}: about as much for other rows");
        }
    }
}
