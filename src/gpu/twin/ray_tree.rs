//! Builds the tree that rays descend, a level at a time.

use std::ops::Range;

use super::{NOWHERE, bounds, set_bounds, unite};
use crate::Traits;
use crate::gpu::abi::ray_tree::{Params, View};
use crate::gpu::abi::{ABSENT, RAY_KIND_SHIFT, RAY_NODE, STATUS_RAY_LEVELS, TAG_KIND, WORLDS};

/// The steps of a node along an axis are powers of two with this exponent at least; with the other one the node is vast.
const LEAST_STEP: u32 = 27;
const VAST_STEP: u32 = 254;

/// A child: its bounds, and its lowest and highest world. It is not there if its bounds are empty.
type Child = (([f32; 3], [f32; 3]), [u32; 2]);

const NO_CHILD: Child = (NOWHERE, [ABSENT, 0]);

/// The nodes of the level, as numbers.
fn nodes_of(params: &Params, status: &[u32]) -> Range<usize> {
    let levels = &status[STATUS_RAY_LEVELS..];
    let first: u32 = levels[..params.level as usize].iter().sum();
    first as usize..(first + levels[params.level as usize]) as usize
}

/// Cuts a range of slots into up to four parts.
pub(crate) fn split(params: &Params, tree: &[[u32; 4]], all: Range<u32>) -> Vec<Range<u32>> {
    let key = |slot: u32| {
        let both = tree[(params.keys + slot / 2) as usize];
        let at = 2 * (slot as usize % 2);
        (both[at], both[at + 1])
    };
    let cut = |range: &Range<u32>| {
        let (first, last) = (key(range.start), key(range.end - 1));
        let middle = range.start + (range.end - range.start) / 2;
        let is_beyond: Box<dyn Fn(u32) -> bool> = if first.0 != last.0 {
            let world = key(middle).0;
            let border = if world == first.0 { first.0.wrapping_add(1) } else { world };
            Box::new(move |slot| key(slot).0 >= border)
        } else if first.1 != last.1 {
            let bit = (first.1 ^ last.1).ilog2();
            let border = first.1.max(last.1) >> bit << bit;
            Box::new(move |slot| key(slot).1 >= border)
        } else {
            return middle;
        };
        let (mut low, mut high) = (range.start + 1, range.end - 1);
        while low < high {
            let at = low + (high - low) / 2;
            if is_beyond(at) {
                high = at;
            } else {
                low = at + 1;
            }
        }
        low
    };
    let mut parts = vec![all.clone()];
    for _ in 0..3 {
        let largest = (0..parts.len()).rev().max_by_key(|k| parts[*k].len()).expect("a part");
        let small = (0..parts.len()).rfind(|k| parts[*k].len() > 1 && parts[*k].len() - 1 <= 4 - parts.len());
        let Some(next) = (if parts[largest].len() > 4 { Some(largest) } else { small }) else { break };
        let range = parts[next].clone();
        let at = cut(&range);
        parts.splice(next..=next, [range.start..at, at..range.end]);
    }
    if parts.iter().any(|part| part.len() > params.most as usize) {
        let at = |k: u32| all.start + all.len() as u32 * k / 4;
        parts = (0..4).map(|k| at(k)..at(k + 1)).collect();
    }
    parts
}

pub(crate) fn ray_split(params: &Params, view: View<'_>) {
    let View { tree, status, .. } = view;
    let level = nodes_of(params, status);
    let mut child = level.end;
    for node in level.clone() {
        let at = params.nodes as usize + 4 * node;
        let parts = split(params, tree, tree[at][0]..tree[at][1]);
        tree[at + 3] = [ABSENT; 4];
        for (k, part) in parts.iter().enumerate() {
            if part.len() == 1 {
                tree[at + 3][k] = part.start;
                continue;
            }
            tree[at + 3][k] = RAY_NODE | child as u32;
            let below = params.nodes as usize + 4 * child;
            tree[below] = [part.start, part.end, 0, 0];
            tree[below + 2] = [0, 0, node as u32, 0];
            child += 1;
        }
    }
    status[STATUS_RAY_LEVELS + params.level as usize + 1] += (child - level.end) as u32;
}

fn step_of(size: f32) -> u32 {
    // (A size that is no number is vast too.)
    if size < (1_u128 << 100) as f32 {
        (((size * (1.0 / 252.0)).to_bits() >> 23) + 1).max(LEAST_STEP)
    } else {
        VAST_STEP
    }
}

/// The first vectors of a node with these children, above which there is this node, and it as a child.
fn node(children: &[Child; 4], parent: u32) -> ([[u32; 4]; 3], Child) {
    let all = children.iter().fold(NO_CHILD, |all, child| {
        let worlds = [all.1[0].min(child.1[0]), all.1[1].max(child.1[1])];
        (unite(all.0, child.0), worlds)
    });
    let (low, high) = all.0;
    let steps: [u32; 3] = std::array::from_fn(|k| step_of(high[k] - low[k]));
    let mut head = [low[0].to_bits(), low[1].to_bits(), low[2].to_bits(), steps[0] | steps[1] << 8 | steps[2] << 16];
    let (mut begins, mut ends) = ([0; 3], [0; 3]);
    for (number, ((child_low, child_high), _)) in children.iter().enumerate() {
        if child_low[0] > child_high[0] {
            continue;
        }
        head[3] |= 1 << (24 + number);
        for k in 0..3 {
            let inverse = f32::from_bits((254 - steps[k]) << 23);
            let slack = 1.0 / 1024.0;
            let begin = ((child_low[k] - low[k]) * inverse - slack).floor().clamp(0.0, 255.0) as u32;
            let end = ((child_high[k] - low[k]) * inverse + slack).ceil().clamp(0.0, 255.0) as u32;
            begins[k] |= begin << (8 * number);
            ends[k] |= end << (8 * number);
        }
    }
    ([head, [begins[0], begins[1], begins[2], ends[0]], [ends[1], ends[2], parent, 0]], all)
}

pub(crate) fn ray_nodes(params: &Params, view: View<'_>) {
    let View { slot_traits, tree, status } = view;
    let boxes = params.bounds as usize;
    for number in nodes_of(params, status) {
        let at = params.nodes as usize + 4 * number;
        let children = tree[at + 3].map(|child| {
            if child == ABSENT {
                return NO_CHILD;
            }
            if child & RAY_NODE != 0 {
                let below = boxes + 2 * (child & !RAY_NODE) as usize;
                let worlds = if params.flags & WORLDS == 0 { [0; 2] } else { [tree[below][3], tree[below + 1][3]] };
                return (bounds(&tree[below..], 0), worlds);
            }
            if tree[2 * child as usize][3] == ABSENT {
                return NO_CHILD;
            }
            let world = if params.flags & WORLDS == 0 { 0 } else { slot_traits[child as usize][3] };
            let lowest = if world == Traits::EVERY_WORLD { 0 } else { world };
            (bounds(tree, child as usize), [lowest, world])
        });
        let (words, ((low, high), [lowest, highest])) = node(&children, tree[at + 2][2]);
        let places = tree[at + 3].map(|child| {
            let is_body = child & RAY_NODE == 0 && tree[2 * child as usize][3] != ABSENT;
            if is_body { child | (tree[2 * child as usize + 1][3] & TAG_KIND) << RAY_KIND_SHIFT } else { child }
        });
        tree[at..at + 3].copy_from_slice(&words);
        tree[at + 3] = places;
        set_bounds(&mut tree[boxes..], number, (low, lowest), (high, highest));
    }
}
