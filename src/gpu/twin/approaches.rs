//! The contact of each listed pair of bodies that are apart.

use crate::gpu::abi::approaches::{Params, View};
use crate::gpu::abi::{FRAME_VECTORS, MANIFOLD_VECTORS, PARTNER_ID, STATUS_BINS_OVERFLOWED};
use crate::manifold::{Frame, Manifold};
use crate::near::approach;

pub(crate) fn approaches(params: &Params, view: View<'_>) {
    let View { frames_a, frames_b, rows, pairs, manifolds, status } = view;
    if status[STATUS_BINS_OVERFLOWED] != 0 {
        return;
    }
    let [of_a, of_b] = [frames_a, frames_b]
        .map(|frames| bytemuck::cast_slice::<[u32; 4], Frame>(&frames[..frames.len() / FRAME_VECTORS * FRAME_VECTORS]));
    let count = rows[params.rows as usize].min(params.room) as usize;
    for (at, [a, partner]) in pairs[..count].iter().copied().enumerate() {
        let b = partner & PARTNER_ID;
        let contact: &mut [Manifold] =
            bytemuck::cast_slice_mut(&mut manifolds[MANIFOLD_VECTORS * at..MANIFOLD_VECTORS * (at + 1)]);
        if !contact[0].is_open() {
            let found = approach(&contact[0], &of_a[a as usize], &of_b[b as usize]);
            contact[0] = found.unwrap_or_else(|| Manifold::open(a, b));
        }
    }
}
