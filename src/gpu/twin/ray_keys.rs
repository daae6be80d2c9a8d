//! Copies the bounds of slots to the tree that rays descend, and computes where they are along the curve.

use super::cast_rays::unturned_record;
use super::{curve_keys, kind_of_tag};
use crate::gpu::abi::ray_keys::{Params, View};
use crate::gpu::abi::{ABSENT, STATUS_RAY_LEVELS, TAG_ENABLED, WIDTH, WORLDS};

pub(crate) fn ray_keys(params: &Params, view: View<'_>) {
    let View { slot_bounds, slot_shapes, slot_traits, grid, tree, status } = view;
    let curve = curve_keys::with_grid(
        crate::gpu::abi::curve_keys::Params {
            origin: params.origin,
            scale: params.scale,
            giant: params.giant,
            flags: params.flags,
            curve_bits: params.curve_bits,
            thin_axis: params.thin_axis,
            ..bytemuck::Zeroable::zeroed()
        },
        grid,
    );
    let slots = params.slots as usize;
    tree[..2 * slots].copy_from_slice(&slot_bounds[..2 * slots]);
    for slot in 0..slots {
        // A slot without a body has the key of the last one before it, if that is near.
        let is_body = |at: &usize| slot_bounds[2 * at][3] != ABSENT;
        let key = (0..=slot).rev().take(WIDTH as usize).find(is_body).map_or([ABSENT; 2], |at| {
            let world = if params.flags & WORLDS == 0 { 0 } else { slot_traits[at][3] };
            let kind = kind_of_tag(slot_bounds[2 * at + 1][3]);
            let record = unturned_record(slot_shapes, kind, at);
            [
                world,
                if params.curve_bits == 0 { 0 } else { curve_keys::key(&curve, kind as u32 | TAG_ENABLED, &record).0 },
            ]
        });
        tree[params.keys as usize + slot / 2][2 * (slot % 2)..][..2].copy_from_slice(&key);
    }
    tree[params.nodes as usize] = [0, params.slots, 0, 0];
    tree[params.nodes as usize + 2] = [0, 0, ABSENT, 0];
    status[STATUS_RAY_LEVELS] = 1;
}
