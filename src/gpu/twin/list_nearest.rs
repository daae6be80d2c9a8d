//! The nearest bodies that are known, as hits of their points.

use crate::gpu::abi::list_nearest::{Params, View};
use crate::gpu::abi::{ABSENT, OUTSIDE_DOMAIN, STATUS_BINS_OVERFLOWED, STATUS_HITS};

pub(crate) fn list_nearest(params: &Params, view: View<'_>) {
    let View { slot_shapes, nearest, hits, rows, status } = view;
    for slot in params.first_slot..params.end_slot {
        let body = nearest[(slot - params.points) as usize];
        if body == ABSENT {
            continue;
        }
        let point = slot_shapes[2 * slot as usize][3] & !OUTSIDE_DOMAIN;
        rows[point as usize + 1] += 1;
        let bin = (point >> params.bin_bits) as usize;
        let place = status[STATUS_HITS + bin];
        status[STATUS_HITS + bin] += 1;
        if place < params.bin_size[bin] {
            hits[(params.bin_first[bin] + place) as usize] = [point, body];
        } else {
            status[STATUS_BINS_OVERFLOWED] = 1;
        }
    }
}
