//! Each short row in the order of its partners.

use crate::gpu::params::{ID, Params, SHORT_ROW, STATUS_CROWDED, Step};

pub(crate) fn order_rows(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [rows, partners, status] = buffers else { return };
    if status[STATUS_CROWDED] == 0 {
        for row in rows[..=params.rows as usize].windows(2).filter(|row| row[1] - row[0] <= SHORT_ROW) {
            partners[row[0] as usize..row[1] as usize].sort_by_key(|partner| partner & ID);
        }
    }
}
