//! Long rows as one list, and back to where their partners lie.

use std::ops::Range;

use crate::gpu::params::{NONE, Params, SHORT_ROW, STATUS_CROWDED, STATUS_LONG_HITS, STATUS_LONG_ROWS, Step};

/// Where the partners of each long row lie. None if there was no room: they are sorted later then.
fn long_rows(params: &Params, room: u32, rows: &[u32], status: &[u32]) -> Vec<Range<usize>> {
    let fit =
        status[STATUS_CROWDED] == 0 && status[STATUS_LONG_ROWS] <= room && status[STATUS_LONG_HITS] <= params.keys;
    let rows = rows[..=params.rows as usize].windows(2).filter(|row| fit && row[1] - row[0] > SHORT_ROW);
    rows.map(|row| row[0] as usize..row[1] as usize).collect()
}

pub(crate) fn list(params: &Params, [room, ..]: Step, buffers: &mut [Vec<u32>]) {
    let [rows, _, starts, _, _, _, status] = buffers else { return };
    let mut entries = 0;
    for (start, row) in starts.chunks_exact_mut(2).zip(long_rows(params, room, rows, status)) {
        start.copy_from_slice(&[row.start as u32, entries]);
        entries += row.len() as u32;
    }
}

pub(crate) fn collect(params: &Params, [room, ..]: Step, buffers: &mut [Vec<u32>]) {
    let [rows, _, _, partners, keys, ranks, status] = buffers else { return };
    let long = long_rows(params, room, rows, status);
    let of_row = |(rank, row): (usize, Range<usize>)| partners[row].iter().map(move |partner| (*partner, rank as u32));
    let entries = long.into_iter().enumerate().flat_map(of_row).chain(std::iter::repeat((NONE, NONE)));
    for (k, entry) in entries.take(params.keys as usize).enumerate() {
        (keys[k], ranks[k]) = entry;
    }
}

pub(crate) fn spread(params: &Params, [room, ..]: Step, buffers: &mut [Vec<u32>]) {
    let [rows, _, _, partners, keys, _, status] = buffers else { return };
    let places = long_rows(params, room, rows, status).into_iter().flatten();
    for (place, partner) in places.zip(keys) {
        partners[place] = *partner;
    }
}
