//! Grows the bounds of slots and clusters to all sides, and takes margins to slots.

use super::{EVERYWHERE, NOWHERE, bounds, kind_of_tag, set_bounds};
use crate::filter::bounds::{around, bounded};
use crate::gpu::abi::grow_bounds::{Params, View};
use crate::gpu::abi::{ABSENT, MARGIN_KNOWN, WIDTH};
use crate::shape::kinds::Kind;

type Corners = ([f32; 3], [f32; 3]);

pub(crate) fn grow_bounds(params: &Params, view: View<'_>) {
    let View { margins, slot_bounds, nodes, slot_shapes, slot_rotations, .. } = view;
    let margin = |id: u32| if params.has_margins == 0 { 0.0 } else { f32::from_bits(margins[id as usize]) };
    // (That of a point whose nearest body is known is marked: its slot becomes empty.)
    let is_known = |id: u32| params.has_margins != 0 && margins[id as usize] & MARGIN_KNOWN != 0;
    for slot in params.first_slot as usize..params.end_slot as usize {
        let (id, tag) = (slot_bounds[2 * slot][3], slot_bounds[2 * slot + 1][3]);
        if id != ABSENT && is_known(id) {
            set_bounds(slot_bounds, slot, (NOWHERE.0, ABSENT), (NOWHERE.1, tag));
        } else if id != ABSENT {
            let (low, high) = grown(grown(bounds(slot_bounds, slot), params.growth), margin(id));
            set_bounds(slot_bounds, slot, (low, id), (high, tag));
            if params.has_margins != 0 {
                let word = if kind_of_tag(tag) == Kind::Capsule {
                    &mut slot_rotations[slot][0]
                } else {
                    &mut slot_shapes[2 * slot + 1][3]
                };
                *word = margins[id as usize];
            }
        }
    }
    for node in (params.first_slot / WIDTH) as usize..(params.end_slot / WIDTH) as usize {
        let (low, high) = bounds(nodes, node);
        let worlds = (nodes[2 * node][3], nodes[2 * node + 1][3]);
        if (0..3).all(|k| low[k] <= high[k]) {
            let slots = node * WIDTH as usize..(node + 1) * WIDTH as usize;
            let ids = slots.map(|slot| slot_bounds[2 * slot][3]).filter(|id| *id != ABSENT);
            let most = ids.map(margin).reduce(f32::max);
            let (low, high) = most.map_or(NOWHERE, |most| grown(grown((low, high), params.growth), most));
            set_bounds(nodes, node, (low, worlds.0), (high, worlds.1));
        }
    }
}

fn grown((low, high): Corners, growth: f32) -> Corners {
    if growth == 0.0 {
        return (low, high);
    }
    let around = |center: [f32; 3]| {
        if bounded(center) && bounded([growth; 3]) { around(center, [growth; 3]) } else { EVERYWHERE }
    };
    (around(low).0, around(high).1)
}
