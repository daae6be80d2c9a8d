//! Where hits wait to be put into rows: in bins by ranges of rows, so that what is written to next lies in the device's cache.

use super::abi::{BINS, SCATTERED};

/// The bins of a query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bins {
    /// Rows of a bin, at least: 2 to this power.
    pub min_bits: u32,
    /// A row without so many of its lowest bits is the number of its bin.
    pub bits: u32,
    /// How many bins there are.
    pub count: usize,
    /// How many hits of each bin there is room for.
    pub room: [u32; BINS],
}

impl Bins {
    pub(crate) fn new() -> Self {
        Self { min_bits: 19, bits: 0, count: 0, room: [0; BINS] }
    }

    /// Makes bins for so many rows, with room for `least` hits at least, and for as many as before.
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

    /// Gives room back of bins that had far too much: hits may move from bin to bin as bodies change.
    pub(crate) fn shrink(&mut self, needed: &[u32]) {
        for (room, needed) in self.room.iter_mut().zip(needed) {
            if *room / 8 > (*needed).max(SCATTERED) {
                *room = needed + needed / 8;
            }
        }
    }

    /// Hits that there is room for.
    pub(crate) fn total(&self) -> u64 {
        self.room.iter().map(|room| u64::from(*room)).sum()
    }

    /// Where each bin begins: the hits that a workgroup puts into rows are all of one bin.
    pub(crate) fn first(&self) -> [u32; BINS] {
        let mut next = 0;
        self.room.map(|room| {
            let first = next;
            next += room.next_multiple_of(SCATTERED);
            first
        })
    }

    /// Where the last bin ends.
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
