//! Builds four levels of the tree that rays descend.

use super::{NOWHERE, bounds, set_bounds, unite};
use crate::Traits;
use crate::gpu::abi::ray_tree::{Params, View};
use crate::gpu::abi::{ABSENT, WORLDS};

pub(crate) fn ray_tree(params: &Params, view: View<'_>) {
    let View { slot_bounds, slot_traits, tree, .. } = view;
    let first = |level: usize| params.level_first[level] as usize;
    for child in 0..params.children as usize {
        if params.from_slots == 1 {
            let at = 2 * (first(0) + child);
            tree[at..at + 2].copy_from_slice(&slot_bounds[2 * child..2 * child + 2]);
        }
    }
    for level in 1..=4 {
        for node in 0..params.level_count[level] as usize {
            let (mut all, mut lowest, mut highest) = (NOWHERE, ABSENT, 0);
            for child in (4 * node..4 * node + 4).take_while(|child| *child < params.level_count[level - 1] as usize) {
                let at = first(level - 1) + child;
                let (mut low, mut high) = (tree[2 * at][3], tree[2 * at + 1][3]);
                if params.from_slots == 1 && level == 1 {
                    if low == ABSENT {
                        continue;
                    }
                    let world = if params.flags & WORLDS == 0 { 0 } else { slot_traits[child][3] };
                    (low, high) = (if world == Traits::EVERY_WORLD { 0 } else { world }, world);
                }
                all = unite(all, bounds(tree, at));
                (lowest, highest) = (lowest.min(low), highest.max(high));
            }
            set_bounds(tree, first(level) + node, (all.0, lowest), (all.1, highest));
        }
    }
}
