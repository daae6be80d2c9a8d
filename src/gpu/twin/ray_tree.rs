//! Builds three levels of the tree that rays descend.

use super::{NOWHERE, bounds, set_bounds, unite};
use crate::Traits;
use crate::gpu::abi::ray_tree::{Params, View};
use crate::gpu::abi::{ABSENT, WORLDS};

/// The steps of a node along an axis are powers of two with this exponent at least; with the other one the node is vast.
const LEAST_STEP: u32 = 27;
const VAST_STEP: u32 = 254;

/// A child: its bounds, and its lowest and highest world. It is not there if its bounds are empty.
type Child = (([f32; 3], [f32; 3]), [u32; 2]);

const NO_CHILD: Child = (NOWHERE, [ABSENT, 0]);

fn step_of(size: f32) -> u32 {
    // (A size that is no number is vast too.)
    if size < (1_u128 << 100) as f32 {
        (((size * (1.0 / 252.0)).to_bits() >> 23) + 1).max(LEAST_STEP)
    } else {
        VAST_STEP
    }
}

/// A node with these children: four vectors, four of the worlds of its children, and it as a child.
fn node(children: &[Child; 8]) -> ([[u32; 4]; 4], [[u32; 4]; 4], Child) {
    let all = children.iter().fold(NO_CHILD, |all, child| {
        let worlds = [all.1[0].min(child.1[0]), all.1[1].max(child.1[1])];
        (unite(all.0, child.0), worlds)
    });
    let (low, high) = all.0;
    let steps: [u32; 3] = std::array::from_fn(|k| step_of(high[k] - low[k]));
    let mut words = [[0; 4]; 4];
    for (number, ((child_low, child_high), _)) in children.iter().enumerate() {
        if child_low[0] > child_high[0] {
            continue;
        }
        words[0][3] |= 1 << (24 + number);
        for k in 0..3 {
            let inverse = f32::from_bits((254 - steps[k]) << 23);
            let slack = 1.0 / 1024.0;
            let begin = ((child_low[k] - low[k]) * inverse - slack).floor().clamp(0.0, 255.0) as u32;
            let end = ((child_high[k] - low[k]) * inverse + slack).ceil().clamp(0.0, 255.0) as u32;
            words[1 + k][number / 4] |= begin << (8 * (number % 4));
            words[1 + k][2 + number / 4] |= end << (8 * (number % 4));
        }
    }
    for k in 0..3 {
        words[0][k] = low[k].to_bits();
        words[0][3] |= steps[k] << (8 * k);
    }
    let worlds = std::array::from_fn(|k| {
        let [a, b] = [children[2 * k].1, children[2 * k + 1].1];
        [a[0], a[1], b[0], b[1]]
    });
    (words, worlds, all)
}

pub(crate) fn ray_tree(params: &Params, view: View<'_>) {
    let View { slot_bounds, slot_traits, tree, .. } = view;
    let mut below: Vec<Child> = Vec::new();
    for child in 0..params.level_count[0] as usize {
        let at = params.level_first[0] as usize + 2 * child;
        if params.from_slots == 0 {
            below.push((bounds(&tree[at..], 0), [tree[at][3], tree[at + 1][3]]));
            continue;
        }
        tree[at..at + 2].copy_from_slice(&slot_bounds[2 * child..2 * child + 2]);
        if tree[at][3] == ABSENT {
            below.push(NO_CHILD);
            continue;
        }
        let world = if params.flags & WORLDS == 0 { 0 } else { slot_traits[child][3] };
        let lowest = if world == Traits::EVERY_WORLD { 0 } else { world };
        below.push((bounds(&tree[at..], 0), [lowest, world]));
    }
    for level in 1..=3 {
        let mut above = Vec::new();
        for number in 0..params.level_count[level] as usize {
            let (words, worlds, all) =
                node(&std::array::from_fn(|k| below.get(8 * number + k).copied().unwrap_or(NO_CHILD)));
            let at = params.level_first[level] as usize + 4 * number;
            tree[at..at + 4].copy_from_slice(&words);
            if params.flags & WORLDS != 0 {
                tree[at + params.worlds as usize..][..4].copy_from_slice(&worlds);
            }
            if level == 3 {
                let ((low, high), [lowest, highest]) = all;
                set_bounds(&mut tree[params.bounds as usize..], number, (low, lowest), (high, highest));
            }
            above.push(all);
        }
        below = above;
    }
}
