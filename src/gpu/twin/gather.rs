//! Bodies in slots, with their bounds.

use super::{EVERYWHERE, NOWHERE, aabb, bounds, obb, record, set_bounds, sphere, tag, unite};
use crate::filter::bounds::{any_bounds, around, bounded, obb_bounds};
use crate::filter::{Cuboid, domain};
use crate::gpu::ledger::signatures;
use crate::gpu::params::{CLASSES, EVERYONE, MARK, NONE, Params, STATUS_GATHERED, Step, WIDTH, WORLDS};

pub(crate) fn gather(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [shapes, tags, order, places, turns, boxes, nodes, status] = buffers else { return };
    for slot in params.first_slot..params.end_slot {
        let id = body_at(params, status, slot - params.first_slot).map(|rank| order[rank as usize]);
        let signed = id.map_or(0, |id| signatures(u64::from(id)..u64::from(id) + 1));
        status[STATUS_GATHERED] = status[STATUS_GATHERED].wrapping_add(signed);
        let found = id
            .map(|id| (id, if params.tag == NONE { tag(tags, id as usize) } else { params.tag }))
            .filter(|(_, tag)| tag & 4 != 0 || params.flags & EVERYONE != 0);
        let s = slot as usize;
        let (low, high) = match found {
            Some((id, tag)) => {
                let (place, turn, box_) = body(id, tag & 3, &record(shapes, id as usize));
                places[8 * s..8 * s + 8].copy_from_slice(&place);
                if let Some(turn) = turn {
                    turns[4 * s..4 * s + 4].copy_from_slice(&turn);
                }
                box_
            }
            None => NOWHERE,
        };
        set_bounds(boxes, s, low, high);
        boxes[8 * s + 3] = found.map_or(NONE, |(id, _)| id);
        boxes[8 * s + 7] = found.map_or(0, |(_, tag)| tag);
    }
    for cluster in params.first_slot / WIDTH..params.end_slot / WIDTH {
        let (low, high) = (cluster * WIDTH..(cluster + 1) * WIDTH)
            .fold(NOWHERE, |all, slot| unite(all, bounds(boxes, slot as usize)));
        let node = cluster as usize;
        set_bounds(nodes, node, low, high);
        nodes[8 * node + 3] = 0;
        nodes[8 * node + 7] = 0;
    }
}

/// The rank in the order of what belongs in a place of the set. Each class begins at a multiple of the width.
fn body_at(params: &Params, status: &[u32], place: u32) -> Option<u32> {
    if params.flags & (CLASSES | WORLDS) != CLASSES {
        return (place < params.bodies).then_some(place);
    }
    let (mut first_place, mut first_rank) = (0, 0);
    for count in &status[params.classes as usize..params.classes as usize + 7] {
        if (first_place..first_place + count).contains(&place) {
            return Some(first_rank + place - first_place);
        }
        first_rank += count;
        first_place += count.next_multiple_of(WIDTH);
    }
    None
}

type Box3 = ([f32; 3], [f32; 3]);

/// What the slot of a body holds, and its bounds.
fn body(id: u32, kind: u32, record: &[f32; 10]) -> ([u32; 8], Option<[u32; 4]>, Box3) {
    let mut place = [0; 8];
    for k in 0..3 {
        place[k] = record[k].to_bits();
    }
    let bits = |numbers: &[f32], place: &mut [u32; 8]| {
        for (k, number) in numbers.iter().enumerate() {
            place[4 + k] = number.to_bits();
        }
    };
    let (center, second) = ([record[0], record[1], record[2]], [record[3], record[4], record[5]]);
    let mut turn = None;
    let (within, found) = match kind {
        0 => {
            bits(&record[3..4], &mut place);
            let radius = [record[3]; 3];
            let found = if bounded(center) && bounded(radius) { around(center, radius) } else { EVERYWHERE };
            (domain::sphere(&sphere(record)), found)
        }
        1 => {
            bits(&second, &mut place);
            // A coordinate that is too far out to be widened stays as it is.
            let near = |v: [f32; 3]| v.map(|x| if bounded([x; 3]) { x } else { 0.0 });
            let widened =
                |v: [f32; 3], w: [f32; 3]| std::array::from_fn(|k| if bounded([v[k]; 3]) { w[k] } else { v[k] });
            let low = widened(center, around(near(center), [0.0; 3]).0);
            let high = widened(second, around(near(second), [0.0; 3]).1);
            (domain::aabb(&aabb(record)), (low, high))
        }
        _ => {
            bits(&second, &mut place);
            let obb = obb(record);
            let everywhere = !(bounded(center) && bounded(second));
            turn = Some(obb.rotation_array().map(f32::to_bits));
            if domain::quaternion(obb.rotation_array()) {
                let cuboid = Cuboid::in_f32(&obb);
                (domain::obb(&obb), if everywhere { EVERYWHERE } else { obb_bounds(&cuboid) })
            } else {
                (false, if everywhere { EVERYWHERE } else { any_bounds(center, second) })
            }
        }
    };
    place[3] = if within { id } else { id | MARK };
    (place, turn, found)
}
