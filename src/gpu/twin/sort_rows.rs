//! Sorts the partners of each short row by id.

use crate::gpu::abi::sort_rows::{Params, View};
use crate::gpu::abi::{PARTNER_ID, SHORT_ROW, STATUS_BINS_OVERFLOWED};

pub(crate) fn sort_rows(params: &Params, view: View<'_>) {
    let View { rows, partners, status } = view;
    if status[STATUS_BINS_OVERFLOWED] == 0 {
        for row in rows[..=params.rows as usize].windows(2).filter(|row| row[1] - row[0] <= SHORT_ROW) {
            partners[row[0] as usize..row[1] as usize].sort_by_key(|partner| partner & PARTNER_ID);
        }
    }
}
