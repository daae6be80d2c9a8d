//! Lists the pairs that are undecided.

use crate::gpu::abi::list_undecided::{Params, View};
use crate::gpu::abi::{MARK_UNDECIDED, PARTNER_ID, STATUS_LISTED};

pub(crate) fn list_undecided(params: &Params, view: View<'_>) {
    let View { rows, partners, summary, undecided, status } = view;
    if summary[4] == 0 {
        return;
    }
    for row in 0..params.rows {
        for k in rows[row as usize]..rows[row as usize + 1] {
            let partner = partners[k as usize];
            if partner & MARK_UNDECIDED != 0 {
                let place = status[STATUS_LISTED];
                status[STATUS_LISTED] += 1;
                if place < params.room {
                    undecided[place as usize] = [k, row, partner & PARTNER_ID, 0];
                }
            }
        }
    }
}
