//! The pairs of all rows, one after the other.

use crate::gpu::abi::STATUS_BINS_OVERFLOWED;
use crate::gpu::abi::list_pairs::{Params, View};

pub(crate) fn list_pairs(params: &Params, view: View<'_>) {
    let View { rows, partners, pairs, status } = view;
    if status[STATUS_BINS_OVERFLOWED] != 0 {
        return;
    }
    for row in 0..params.rows {
        for pair in rows[row as usize]..rows[row as usize + 1].min(params.room) {
            pairs[pair as usize] = [row, partners[pair as usize]];
        }
    }
}
