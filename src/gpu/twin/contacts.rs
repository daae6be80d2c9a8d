//! The contact of each listed pair.

use crate::Relation;
use crate::exact::Margin;
use crate::gpu::abi::contacts::{Params, View};
use crate::gpu::abi::{
    FRAME_VECTORS, MANIFOLD_VECTORS, MARK_TOUCHING, MARK_UNDECIDED, PARTNER_ID, STATUS_BINS_OVERFLOWED,
};
use crate::manifold::{Frame, Known, Manifold, manifold};

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
        let (first, second) = ((a, &of_a[a as usize]), (b, &of_b[b as usize]));
        let relation = if mark == MARK_TOUCHING { Relation::Touching } else { Relation::Overlapping };
        let known = if params.may_be_apart == 0 {
            (mark & MARK_UNDECIDED == 0).then_some(Known::Meet(relation))
        } else {
            Some(Known::Within(Margin([params.margin, first.1.margin(), second.1.margin()])))
        };
        let found = known.and_then(|known| manifold(first, second, known, params.most));
        let found = found.unwrap_or_else(|| Manifold::open(a, b));
        let to = MANIFOLD_VECTORS * at;
        manifolds[to..to + MANIFOLD_VECTORS].copy_from_slice(bytemuck::cast_slice(&[found]));
    }
}
