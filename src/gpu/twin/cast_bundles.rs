//! Casts rays that go nearly the same way: here each alone, at all bodies.

use super::cast_rays::{Cast, Written, list};
use crate::gpu::abi::cast_bundles::{Params, View};

pub(crate) fn cast_bundles(params: &Params, view: View<'_>) {
    let View { rays, tree, slot_shapes, slot_rotations, slot_traits, states, hits, status } = view;
    let &Params { ray_vectors, traits, flags, bodies, mode, extra_room, .. } = params;
    let cast = Cast { rays, tree, slot_shapes, slot_rotations, slot_traits, ray_vectors, traits, flags, bodies };
    let mut written = Written { states, hits, status, rays: params.rays, mode, extra_room };
    for number in 0..params.rays as usize {
        list(number, &cast, &mut written);
    }
}
