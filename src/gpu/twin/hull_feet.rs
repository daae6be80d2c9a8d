//! The contact of each listed pair of a hull and a half-space.

use super::hull_contacts::known_of;
use super::hull_ways::each_pair;
use crate::gpu::abi::hull_feet::{Params, View};
use crate::gpu::abi::{MARK_UNDECIDED, PARTNER_ID, STATUS_BINS_OVERFLOWED};
use crate::near::hull::manifold;

pub(crate) fn hull_feet(params: &Params, view: View<'_>) {
    let View { frames_a, frames_b, rows, pairs, manifolds, hulls_a, hulls_b, status } = view;
    if status[STATUS_BINS_OVERFLOWED] != 0 {
        return;
    }
    let count = rows[params.rows as usize].min(params.room) as usize;
    let sets = ([frames_a, frames_b], [hulls_a, hulls_b]);
    each_pair(sets, true, &pairs[..count], manifolds, |[row, partner], [a, b], to| {
        if params.may_be_apart == 0 && partner & MARK_UNDECIDED != 0 {
            return;
        }
        let known = known_of(partner, [a, b], (params.may_be_apart, params.margin));
        if let Some(found) = manifold((row, a), (partner & PARTNER_ID, b), known, params.most) {
            to.copy_from_slice(bytemuck::cast_slice(&[found]));
        }
    });
}
