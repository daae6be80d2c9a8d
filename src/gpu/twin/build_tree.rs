//! Builds a level of the tree.

use super::{NOWHERE, bounds, set_bounds, unite};
use crate::gpu::abi::build_tree::{Params, View};
use crate::gpu::abi::{ABSENT, WIDTH};

pub(crate) fn build_tree(params: &Params, view: View<'_>) {
    let nodes = view.nodes;
    for k in 0..params.children.div_ceil(WIDTH) {
        let (mut all, mut first_world, mut last_world) = (NOWHERE, ABSENT, 0);
        for child in k * WIDTH..((k + 1) * WIDTH).min(params.children) {
            let at = (params.first_child + child) as usize;
            all = unite(all, bounds(nodes, at));
            first_world = first_world.min(nodes[2 * at][3]);
            last_world = last_world.max(nodes[2 * at + 1][3]);
        }
        set_bounds(nodes, (params.first_node + k) as usize, (all.0, first_world), (all.1, last_world));
    }
}
