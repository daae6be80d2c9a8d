//! The clearance of each listed pair.

use crate::gpu::abi::clearances::{Params, View};
use crate::gpu::abi::{CLEARANCE_VECTORS, FRAME_VECTORS, PARTNER_ID, STATUS_BINS_OVERFLOWED};
use crate::manifold::Frame;
use crate::near::{Clearance, clearance};

pub(crate) fn clearances(params: &Params, view: View<'_>) {
    let View { frames_a, frames_b, rows, pairs, records, status } = view;
    if status[STATUS_BINS_OVERFLOWED] != 0 {
        return;
    }
    let [of_a, of_b] = [frames_a, frames_b]
        .map(|frames| bytemuck::cast_slice::<[u32; 4], Frame>(&frames[..frames.len() / FRAME_VECTORS * FRAME_VECTORS]));
    let count = rows[params.rows as usize].min(params.room) as usize;
    for (at, [a, partner]) in pairs[..count].iter().copied().enumerate() {
        let b = partner & PARTNER_ID;
        let found = clearance(&of_a[a as usize], &of_b[b as usize]).unwrap_or_else(Clearance::open).with_b(b);
        let to = CLEARANCE_VECTORS * at;
        records[to..to + CLEARANCE_VECTORS].copy_from_slice(bytemuck::cast_slice(&[found]));
    }
}
