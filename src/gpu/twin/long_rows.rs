//! Collects the hits of long rows into one list, and spreads it back to the rows.

use std::ops::Range;

use crate::gpu::abi::long_rows::{Params, View};
use crate::gpu::abi::{ABSENT, SHORT_ROW, STATUS_BINS_OVERFLOWED, STATUS_LONG_HITS, STATUS_LONG_ROWS};

/// The partners of each long row, as ranges. Empty if they exceed the capacity, since they are then sorted in a second
/// submission.
fn long_rows(params: &Params, rows: &[u32], status: &[u32]) -> Vec<Range<usize>> {
    let fit = status[STATUS_BINS_OVERFLOWED] == 0
        && status[STATUS_LONG_ROWS] <= params.rows_room
        && status[STATUS_LONG_HITS] <= params.hits_room;
    let rows = rows[..=params.rows as usize].windows(2).filter(|row| fit && row[1] - row[0] > SHORT_ROW);
    rows.map(|row| row[0] as usize..row[1] as usize).collect()
}

pub(crate) fn long_rows_list(params: &Params, view: View<'_>) {
    let View { rows, starts, status, .. } = view;
    let mut entries = 0;
    for (start, row) in starts.iter_mut().zip(long_rows(params, rows, status)) {
        *start = [row.start as u32, entries];
        entries += row.len() as u32;
    }
}

pub(crate) fn long_rows_collect(params: &Params, view: View<'_>) {
    let View { rows, partners, keys, ranks, status, .. } = view;
    let long = long_rows(params, rows, status);
    let of_row = |(rank, row): (usize, Range<usize>)| partners[row].iter().map(move |partner| (*partner, rank as u32));
    let entries = long.into_iter().enumerate().flat_map(of_row).chain(std::iter::repeat((ABSENT, ABSENT)));
    for (k, entry) in entries.take(params.hits_room as usize).enumerate() {
        (keys[k], ranks[k]) = entry;
    }
}

pub(crate) fn long_rows_spread(params: &Params, view: View<'_>) {
    let View { rows, partners, keys, status, .. } = view;
    let places = long_rows(params, rows, status).into_iter().flatten();
    for (place, partner) in places.zip(keys) {
        partners[place] = *partner;
    }
}
