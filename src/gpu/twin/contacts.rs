//! The contact of each pair of marked rows.

use crate::Relation;
use crate::gpu::abi::contacts::{Params, View};
use crate::gpu::abi::{
    FRAME_VECTORS, MANIFOLD_VECTORS, MARK_TOUCHING, MARK_UNDECIDED, PARTNER_ID, STATUS_BINS_OVERFLOWED,
};
use crate::manifold::{Frame, Manifold, manifold};

pub(crate) fn contacts(params: &Params, view: View<'_>) {
    let View { frames_a, frames_b, rows, partners, manifolds, status } = view;
    if status[STATUS_BINS_OVERFLOWED] != 0 {
        return;
    }
    let [of_a, of_b] = [frames_a, frames_b]
        .map(|frames| bytemuck::cast_slice::<[u32; 4], Frame>(&frames[..frames.len() / FRAME_VECTORS * FRAME_VECTORS]));
    for a in 0..params.rows as usize {
        for pair in rows[a]..rows[a + 1].min(params.room) {
            let partner = partners[pair as usize];
            let (mark, b) = (partner & !PARTNER_ID, partner & PARTNER_ID);
            let relation = if mark == MARK_TOUCHING { Relation::Touching } else { Relation::Overlapping };
            let (first, second) = ((a as u32, &of_a[a]), (b, &of_b[b as usize]));
            let known = (mark & MARK_UNDECIDED == 0).then(|| manifold(first, second, relation, params.most)).flatten();
            let found = known.unwrap_or_else(|| Manifold::open(a as u32, b));
            let at = MANIFOLD_VECTORS * pair as usize;
            manifolds[at..at + MANIFOLD_VECTORS].copy_from_slice(bytemuck::cast_slice(&[found]));
        }
    }
}
