//! Finds the candidate pairs: all pairs of slots whose bounds meet and whose traits allow the pair, without a tree.

use std::ops::Range;

use super::{bounds, kind_of_slot};
use crate::gpu::abi::find_pairs::{Params, View};
use crate::gpu::abi::{
    ABSENT, EVERY_WORLD, HAS_FILTERS, ORDERED, SECOND_SEARCHES, STATUS_CANDIDATES, STATUS_UNFINISHED, TAG_FIXED, WIDTH,
    WORLDS, bucket_of,
};

pub(crate) fn find_pairs(params: &Params, mut view: View<'_>) {
    for own in params.first_cluster * WIDTH..params.end_cluster * WIDTH {
        add_candidates(params, &mut view, own, 0..params.level_count[0] * WIDTH);
    }
}

/// Continues unfinished searches.
pub(crate) fn resume_search(params: &Params, mut view: View<'_>) {
    for entry in params.first_unfinished..params.end_unfinished.min(view.status[STATUS_UNFINISHED]) {
        let [cluster, last] = view.unfinished[entry as usize];
        for node in (0..params.level_count[1]).filter(|node| remains(*node, last)) {
            let slots = WIDTH * WIDTH;
            let others = node * slots..((node + 1) * slots).min(params.level_count[0] * WIDTH);
            for own in cluster * WIDTH..(cluster + 1) * WIDTH {
                add_candidates(params, &mut view, own, others.clone());
            }
        }
    }
}

/// Whether a search that was cut short after it visited the node `last` of level 1 has not visited this one. Blocks of 32 nodes
/// of level 3 are visited in ascending order, the nodes below a block in descending order.
fn remains(node: u32, last: u32) -> bool {
    let block = |node: u32| node / (WIDTH * WIDTH * WIDTH);
    last == ABSENT || block(node) > block(last) || (block(node) == block(last) && node < last)
}

/// Appends the candidate pairs of a searching slot with a range of searched slots.
fn add_candidates(params: &Params, view: &mut View<'_>, own: u32, others: Range<u32>) {
    for other in others {
        if params.flags & ORDERED != 0 && other <= own || !meet(params, view, own, other) {
            continue;
        }
        let kind = |slot: u32| kind_of_slot(view.slot_bounds, slot);
        let bucket = bucket_of(kind(own), kind(other)) as usize;
        let pair = if kind(other) < kind(own) { [other, own | SECOND_SEARCHES] } else { [own, other] };
        let found = view.status[STATUS_CANDIDATES + bucket];
        if found < params.bucket_size[bucket] {
            view.candidates[(params.bucket_first[bucket] + found) as usize] = pair;
        }
        view.status[STATUS_CANDIDATES + bucket] += 1;
    }
}

fn meet(params: &Params, view: &View<'_>, own: u32, other: u32) -> bool {
    let View { slot_bounds, slot_traits, exclusions, .. } = view;
    let (a, b) = (own as usize, other as usize);
    let (id_a, id_b) = (slot_bounds[2 * a][3], slot_bounds[2 * b][3]);
    if id_a == ABSENT || id_b == ABSENT {
        return false;
    }
    let ((low_a, high_a), (low_b, high_b)) = (bounds(slot_bounds, a), bounds(slot_bounds, b));
    if !(0..3).all(|k| low_a[k] <= high_b[k] && low_b[k] <= high_a[k]) {
        return false;
    }
    if params.flags & (HAS_FILTERS | WORLDS) != 0 {
        let ([layer_a, mask_a, group_a, world_a], [layer_b, mask_b, group_b, world_b]) =
            (slot_traits[a], slot_traits[b]);
        let agree = (world_a == world_b || world_a == EVERY_WORLD || world_b == EVERY_WORLD)
            && layer_a & mask_b != 0
            && layer_b & mask_a != 0
            && (group_a == 0 || group_a != group_b)
            && slot_bounds[2 * a + 1][3] & slot_bounds[2 * b + 1][3] & TAG_FIXED == 0;
        if !agree {
            return false;
        }
    }
    !exclusions[..params.exclusions as usize].contains(&[id_a.min(id_b), id_a.max(id_b)])
}
