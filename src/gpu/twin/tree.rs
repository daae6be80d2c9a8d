//! A level of the tree.

use super::{NOWHERE, bounds, set_bounds, unite};
use crate::gpu::params::{NONE, Params, Step, WIDTH};

pub(crate) fn tree(_: &Params, [below, count, first, _]: Step, buffers: &mut [Vec<u32>]) {
    let [nodes, _] = buffers else { return };
    for k in 0..count.div_ceil(WIDTH) {
        let children = k * WIDTH..((k + 1) * WIDTH).min(count);
        let (mut all, mut first_world, mut last_world) = (NOWHERE, NONE, 0);
        for child in children {
            let at = (below + child) as usize;
            all = unite(all, bounds(nodes, at));
            first_world = first_world.min(nodes[8 * at + 3]);
            last_world = last_world.max(nodes[8 * at + 7]);
        }
        let at = (first + k) as usize;
        set_bounds(nodes, at, all.0, all.1);
        nodes[8 * at + 3] = first_world;
        nodes[8 * at + 7] = last_world;
    }
}
