//! All pairs of slots whose boxes meet and whose traits agree, without a tree.

use std::ops::Range;

use super::bounds;
use crate::gpu::params::{
    CHOOSY, MARK, NONE, ORDERED, Params, STATUS_CANDIDATES, STATUS_UNFINISHED, Step, WIDTH, WORLDS, bucket_of,
};

pub(crate) fn pairs(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [boxes, _, traits, exclusions, candidates, _, status] = buffers else { return };
    let sets = Sets { boxes, traits, exclusions };
    for own in params.own_first * WIDTH..params.own_end * WIDTH {
        ask(params, &sets, own, 0..params.level_count[0] * WIDTH, candidates, status);
    }
}

/// What searches that were cut short have not asked.
pub(crate) fn rest(params: &Params, [first, end, ..]: Step, buffers: &mut [Vec<u32>]) {
    let [boxes, _, traits, exclusions, candidates, unfinished, status] = buffers else { return };
    let sets = Sets { boxes, traits, exclusions };
    for entry in first..end.min(status[STATUS_UNFINISHED]) {
        let (cluster, last) = (unfinished[2 * entry as usize], unfinished[2 * entry as usize + 1]);
        for node in (0..params.level_count[1]).filter(|node| remains(*node, last)) {
            let slots = WIDTH * WIDTH;
            let others = node * slots..((node + 1) * slots).min(params.level_count[0] * WIDTH);
            for own in cluster * WIDTH..(cluster + 1) * WIDTH {
                ask(params, &sets, own, others.clone(), candidates, status);
            }
        }
    }
}

/// Whether a search has not asked a node of level 1 before it was cut short after another. Blocks of 32 nodes of level 3 are asked in
/// ascending order, what is below a block in descending order.
fn remains(node: u32, last: u32) -> bool {
    let block = |node: u32| node / (WIDTH * WIDTH * WIDTH);
    last == NONE || block(node) > block(last) || (block(node) == block(last) && node < last)
}

/// What is known of the bodies in their slots.
struct Sets<'a> {
    boxes: &'a [u32],
    traits: &'a [u32],
    exclusions: &'a [u32],
}

/// Adds the pairs of a slot with others to the candidates.
fn ask(params: &Params, sets: &Sets<'_>, own: u32, others: Range<u32>, candidates: &mut [u32], status: &mut [u32]) {
    let Sets { boxes, traits, exclusions } = sets;
    for other in others {
        if params.flags & ORDERED != 0 && other <= own || !meet(params, boxes, traits, exclusions, own, other) {
            continue;
        }
        let kind = |slot: u32| boxes[8 * slot as usize + 7] & 3;
        let bucket = bucket_of(kind(own), kind(other)) as usize;
        let pair = if kind(other) < kind(own) { [other, own | MARK] } else { [own, other] };
        let found = status[STATUS_CANDIDATES + bucket];
        if found < params.bucket_size[bucket] {
            let at = 2 * (params.bucket_first[bucket] + found) as usize;
            candidates[at..at + 2].copy_from_slice(&pair);
        }
        status[STATUS_CANDIDATES + bucket] += 1;
    }
}

fn meet(params: &Params, boxes: &[u32], traits: &[u32], exclusions: &[u32], own: u32, other: u32) -> bool {
    let (a, b) = (own as usize, other as usize);
    let (id_a, id_b) = (boxes[8 * a + 3], boxes[8 * b + 3]);
    if id_a == NONE || id_b == NONE {
        return false;
    }
    let ((low_a, high_a), (low_b, high_b)) = (bounds(boxes, a), bounds(boxes, b));
    if !(0..3).all(|k| low_a[k] <= high_b[k] && low_b[k] <= high_a[k]) {
        return false;
    }
    if params.flags & (CHOOSY | WORLDS) != 0 {
        let (ta, tb) = (&traits[4 * a..4 * a + 4], &traits[4 * b..4 * b + 4]);
        let agree = ta[3] == tb[3]
            && ta[0] & tb[1] != 0
            && tb[0] & ta[1] != 0
            && (ta[2] == 0 || ta[2] != tb[2])
            && boxes[8 * a + 7] & boxes[8 * b + 7] & 8 == 0;
        if !agree {
            return false;
        }
    }
    let pair = [id_a.min(id_b), id_a.max(id_b)];
    !exclusions[..2 * params.exclusions as usize].chunks_exact(2).any(|excluded| excluded == pair)
}
