//! Writes the worlds of bodies, which are already sorted along the curve, as keys.

use crate::gpu::abi::world_keys::{Params, View};

pub(crate) fn world_keys(params: &Params, view: View<'_>) {
    let View { order, traits, keys_out, .. } = view;
    for k in 0..params.bodies as usize {
        let [_layer, _mask, _group, world] = traits[order[k] as usize];
        keys_out[k] = world;
    }
}
