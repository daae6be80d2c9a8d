//! Gathers bodies into slots, with their bounds.

use super::{
    EVERYWHERE, NOWHERE, aabb, bounds, capsule, kind_of_tag, obb, plane, record, set_bounds, sphere, tag, unite,
};
use crate::filter::bounds::{any_bounds, around, bounded, hull_bounds, obb_bounds};
use crate::filter::{Cuboid, domain, rotation};
use crate::gpu::abi::gather::{Params, View};
use crate::gpu::abi::{
    ABSENT, CLASS_DISABLED, CLASSES, KEEP_DISABLED, OUTSIDE_DOMAIN, STATUS_GATHERED, TAG_ENABLED, WIDTH, WORLDS,
};
use crate::gpu::ledger::signatures;
use crate::shape::kinds::{Kind, Record};
use crate::shape::{Plane, hull_record};

pub(crate) fn gather(params: &Params, view: View<'_>) {
    let View { shapes, tags, order, slot_shapes, slot_rotations, slot_bounds, nodes, status } = view;
    let shapes = shapes.as_flattened();
    for slot in params.first_slot..params.end_slot {
        let id = body_at(params, status, slot - params.first_slot).map(|rank| order[rank as usize]);
        let signed = id.map_or(0, |id| signatures(u64::from(id)..u64::from(id) + 1));
        status[STATUS_GATHERED] = status[STATUS_GATHERED].wrapping_add(signed);
        let found = id
            .map(|id| (id, if params.tag == ABSENT { tag(tags, id as usize) } else { params.tag }))
            .filter(|(_, tag)| tag & TAG_ENABLED != 0 || params.flags & KEEP_DISABLED != 0);
        let s = slot as usize;
        let (low, high) = match found {
            Some((id, tag)) => {
                let (shape, rotation, corners) = body(id, kind_of_tag(tag), &record(shapes, id as usize));
                slot_shapes[2 * s..2 * s + 2].copy_from_slice(&shape);
                if let Some(rotation) = rotation {
                    slot_rotations[s] = rotation;
                }
                corners
            }
            None => NOWHERE,
        };
        let (id, tag) = found.unwrap_or((ABSENT, 0));
        set_bounds(slot_bounds, s, (low, id), (high, tag));
    }
    for cluster in params.first_slot / WIDTH..params.end_slot / WIDTH {
        let (low, high) = (cluster * WIDTH..(cluster + 1) * WIDTH)
            .fold(NOWHERE, |all, slot| unite(all, bounds(slot_bounds, slot as usize)));
        set_bounds(nodes, cluster as usize, (low, 0), (high, 0));
    }
}

/// The rank, in the sorted order, of the body for a position among the slots of the set; absent for padding. Each class begins at
/// a multiple of the cluster's width.
fn body_at(params: &Params, status: &[u32], place: u32) -> Option<u32> {
    if params.flags & (CLASSES | WORLDS) != CLASSES {
        return (place < params.bodies).then_some(place);
    }
    let (mut first_place, mut first_rank) = (0, 0);
    let classes = params.classes as usize;
    for count in &status[classes..classes + CLASS_DISABLED as usize] {
        if (first_place..first_place + count).contains(&place) {
            return Some(first_rank + place - first_place);
        }
        first_rank += count;
        first_place += count.next_multiple_of(WIDTH);
    }
    None
}

type Corners = ([f32; 3], [f32; 3]);

/// A half-space whose border is at right angles to an axis ends there; all others are everywhere.
fn half_space_bounds(plane: &Plane) -> Corners {
    let (mut low, mut high) = EVERYWHERE;
    let normal = plane.normal().to_array();
    let mut along = (0..3).filter(|k| normal[*k] != 0.0);
    if let (Some(k), None) = (along.next(), along.next()) {
        let border = plane.offset() / normal[k];
        let slack = border.abs() * (1.0 / (1 << 20) as f32) + 1.0 / (1_u128 << 90) as f32;
        if bounded([border; 3]) && normal[k] > 0.0 {
            high[k] = border + slack;
        } else if bounded([border; 3]) {
            low[k] = border - slack;
        }
    }
    (low, high)
}

/// The two elements of a body's slot, its quaternion if its kind has one, and its bounds.
fn body(id: u32, kind: Kind, record: &Record) -> ([[u32; 4]; 2], Option<[u32; 4]>, Corners) {
    let bits = |first: usize| [0, 1, 2].map(|k| record[first + k].to_bits());
    let (center, second) = ([record[0], record[1], record[2]], [record[3], record[4], record[5]]);
    let ([x, y, z], [mut size_x, mut size_y, mut size_z]) = (bits(0), bits(3));
    let (within, found) = match kind {
        Kind::Sphere => {
            [size_x, size_y, size_z] = [record[3].to_bits(), 0, 0];
            let radius = [record[3]; 3];
            let found = if bounded(center) && bounded(radius) { around(center, radius) } else { EVERYWHERE };
            (domain::sphere(&sphere(record)), found)
        }
        Kind::Aabb => {
            // A coordinate beyond the largest bound is not widened.
            let near = |v: [f32; 3]| v.map(|x| if bounded([x; 3]) { x } else { 0.0 });
            let widened =
                |v: [f32; 3], w: [f32; 3]| std::array::from_fn(|k| if bounded([v[k]; 3]) { w[k] } else { v[k] });
            let low = widened(center, around(near(center), [0.0; 3]).0);
            let high = widened(second, around(near(second), [0.0; 3]).1);
            (domain::aabb(&aabb(record)), (low, high))
        }
        Kind::Obb => {
            let obb = obb(record);
            let everywhere = !(bounded(center) && bounded(second));
            // What a turned box reaches may be too far, though its half extents are not.
            let within_reach = |found: Corners| {
                let reach = [0, 1, 2].map(|k| found.1[k] - center[k]);
                if bounded(reach) { found } else { EVERYWHERE }
            };
            if domain::quaternion(obb.rotation_array()) {
                let cuboid = Cuboid::in_f32(&obb);
                (domain::obb(&obb), if everywhere { EVERYWHERE } else { within_reach(obb_bounds(&cuboid)) })
            } else {
                (false, if everywhere { EVERYWHERE } else { within_reach(any_bounds(center, second)) })
            }
        }
        Kind::Capsule => {
            let radius = [record[6]; 3];
            let ends = |pick: fn(f32, f32) -> f32| [0, 1, 2].map(|k| pick(center[k], second[k]));
            let (low, high) = (around(ends(f32::min), radius).0, around(ends(f32::max), radius).1);
            let everywhere = !(bounded(center) && bounded(second) && bounded(radius));
            (domain::capsule(&capsule(record)), if everywhere { EVERYWHERE } else { (low, high) })
        }
        Kind::ConvexHull => {
            let (low, high) = hull_record::bounds_of(second);
            let turn = [0, 1, 2, 3].map(|k| record[6 + k]);
            let reach = hull_record::reach_of(second[0]);
            let far = [0, 1, 2].map(|k: usize| low[k].abs().max(high[k].abs()));
            let everywhere = !(bounded(center) && bounded(low) && bounded(high));
            let is_turn = domain::quaternion(turn);
            let found = if is_turn {
                hull_bounds(center, (low, high, hull_record::radius_share(second)), &rotation(domain::scaled(turn)))
            } else {
                any_bounds(center, far)
            };
            let within = is_turn && domain::lengths(center) && domain::lengths([reach; 3]);
            (within, if everywhere { EVERYWHERE } else { found })
        }
        Kind::Plane => {
            [size_x, size_y, size_z] = [record[3].to_bits(), 0, 0];
            let plane = plane(record);
            let within = domain::plane(&plane);
            (within, if within { half_space_bounds(&plane) } else { EVERYWHERE })
        }
    };
    let last = kind.words().saturating_sub(4);
    let radius = if kind == Kind::Capsule { record[6].to_bits() } else { 0 };
    let mut rotation = kind.has_rotation().then(|| [0, 1, 2, 3].map(|k| record[last + k].to_bits()));
    if kind == Kind::Capsule {
        // Where its margin is going to be.
        rotation = Some([0; 4]);
    }
    let marked = if within { id } else { id | OUTSIDE_DOMAIN };
    ([[x, y, z, marked], [size_x, size_y, size_z, radius]], rotation, found)
}
