//! Gathers traits into slots, and computes the lowest and highest world of each cluster.

use crate::gpu::abi::gather_traits::{Params, View};
use crate::gpu::abi::{ABSENT, EVERY_WORLD, WIDTH};

pub(crate) fn gather_traits(params: &Params, view: View<'_>) {
    let View { traits, slot_bounds, slot_traits, nodes, .. } = view;
    for cluster in params.first_slot / WIDTH..params.end_slot / WIDTH {
        let (mut first, mut last) = (ABSENT, 0);
        for slot in (cluster * WIDTH) as usize..((cluster + 1) * WIDTH) as usize {
            let id = slot_bounds[2 * slot][3];
            if id != ABSENT {
                let found = traits[id as usize];
                slot_traits[slot] = found;
                let world = found[3];
                // A body in every world meets all of them, from the lowest on.
                (first, last) = (first.min(if world == EVERY_WORLD { 0 } else { world }), last.max(world));
            }
        }
        nodes[2 * cluster as usize][3] = first;
        nodes[2 * cluster as usize + 1][3] = last;
    }
}
