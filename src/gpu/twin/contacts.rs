//! The contact of each listed pair.

use crate::Relation;
use crate::gpu::abi::contacts::{Params, View};
use crate::gpu::abi::{
    FRAME_VECTORS, MANIFOLD_VECTORS, MARK_TOUCHING, MARK_UNDECIDED, PARTNER_ID, STATUS_BINS_OVERFLOWED,
};
use crate::manifold::{Frame, Manifold, manifold};

pub(crate) fn contacts(params: &Params, view: View<'_>) {
    let View { frames_a, frames_b, rows, pairs, manifolds, status } = view;
    if status[STATUS_BINS_OVERFLOWED] != 0 {
        return;
    }
    let [of_a, of_b] = [frames_a, frames_b]
        .map(|frames| bytemuck::cast_slice::<[u32; 4], Frame>(&frames[..frames.len() / FRAME_VECTORS * FRAME_VECTORS]));
    let count = rows[params.rows as usize].min(params.room) as usize;
    for (at, [a, partner]) in pairs[..count].iter().copied().enumerate() {
        let (mark, b) = (partner & !PARTNER_ID, partner & PARTNER_ID);
        let relation = if mark == MARK_TOUCHING { Relation::Touching } else { Relation::Overlapping };
        let (first, second) = ((a, &of_a[a as usize]), (b, &of_b[b as usize]));
        let known = (mark & MARK_UNDECIDED == 0).then(|| manifold(first, second, relation, params.most)).flatten();
        let found = known.unwrap_or_else(|| Manifold::open(a, b));
        let to = MANIFOLD_VECTORS * at;
        manifolds[to..to + MANIFOLD_VECTORS].copy_from_slice(bytemuck::cast_slice(&[found]));
    }
}
