//! The rows in which the pairs of each workgroup of `contacts` lie.

use crate::gpu::abi::pair_rows::{Params, View};
use crate::gpu::abi::{CONTACT_THREADS, MANIFOLD_VECTORS, STATUS_BINS_OVERFLOWED};

pub(crate) fn pair_rows(params: &Params, view: View<'_>) {
    let View { rows, manifolds, status } = view;
    if status[STATUS_BINS_OVERFLOWED] != 0 {
        return;
    }
    let pairs = rows[params.rows as usize].min(params.room);
    for row in 0..params.rows {
        for pair in rows[row as usize]..rows[row as usize + 1].min(pairs) {
            let at = MANIFOLD_VECTORS * pair as usize;
            let (thread, first) = (pair % CONTACT_THREADS, at - MANIFOLD_VECTORS * (pair % CONTACT_THREADS) as usize);
            if thread == 0 {
                manifolds[first][0] = row;
            }
            if thread == CONTACT_THREADS - 1 || pair == pairs - 1 {
                manifolds[first + 1][0] = row;
            }
        }
    }
}
