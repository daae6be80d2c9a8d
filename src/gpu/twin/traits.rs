//! Traits in slots, and the worlds of clusters.

use crate::gpu::params::{NONE, Params, Step, WIDTH};

pub(crate) fn traits_gather(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [traits, boxes, traits_out, nodes, _] = buffers else { return };
    for cluster in params.first_slot / WIDTH..params.end_slot / WIDTH {
        let (mut first, mut last) = (NONE, 0);
        for slot in cluster * WIDTH..(cluster + 1) * WIDTH {
            let (id, at) = (boxes[8 * slot as usize + 3], 4 * slot as usize);
            if id != NONE {
                let found = &traits[4 * id as usize..4 * id as usize + 4];
                traits_out[at..at + 4].copy_from_slice(found);
                (first, last) = (first.min(found[3]), last.max(found[3]));
            }
        }
        nodes[8 * cluster as usize + 3] = first;
        nodes[8 * cluster as usize + 7] = last;
    }
}
