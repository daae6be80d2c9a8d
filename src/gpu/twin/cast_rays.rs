//! Casts rays at all bodies, and lists all that they may hit.

use super::{aabb, bounds, capsule, kind_of_tag, obb, plane, sphere};
use crate::Traits;
use crate::cast::LATEST;
use crate::filter::{Cuboid, Path, Span, ray_aabb, ray_capsule, ray_half_space, ray_obb, ray_sphere};
use crate::gpu::abi::cast_rays::{Params, View};
use crate::gpu::abi::{
    ABSENT, HAS_FILTERS, OUTSIDE_DOMAIN, RAY_CERTAIN, RAY_FIXED, RAY_SKIPPED, RAYS_ANY, STATUS_RAY_EXTRAS, TAG_FIXED,
    WORLDS,
};
use crate::shape::Aabb;
use crate::shape::kinds::{Kind, RECORD_WORDS, Record};

/// The numbers of a slot as a record, without a rotation.
pub(crate) fn unturned_record(slot_shapes: &[[u32; 4]], kind: Kind, slot: usize) -> Record {
    let mut record = [0.0; RECORD_WORDS];
    for k in 0..3 {
        record[k] = f32::from_bits(slot_shapes[2 * slot][k]);
        record[3 + k] = f32::from_bits(slot_shapes[2 * slot + 1][k]);
    }
    if kind == Kind::Capsule {
        record[6] = f32::from_bits(slot_shapes[2 * slot + 1][3]);
    }
    record
}

/// The numbers of a slot as a record.
pub(crate) fn slot_record(slot_shapes: &[[u32; 4]], slot_rotations: &[[u32; 4]], kind: Kind, slot: usize) -> Record {
    let mut record = unturned_record(slot_shapes, kind, slot);
    if kind.has_rotation() {
        for k in 0..4 {
            record[6 + k] = f32::from_bits(slot_rotations[slot][k]);
        }
    }
    record
}

pub(crate) fn cast_rays(params: &Params, view: View<'_>) {
    let View { rays, tree, slot_shapes, slot_rotations, slot_traits, states, hits, status } = view;
    let traits = |[layer, mask, group, world]: [u32; 4], fixed: bool| {
        Traits::new().layer(layer).mask(mask).group(group).world(world).fixed(fixed)
    };
    for number in 0..params.rays as usize {
        if params.begin == 0 && states[number][0] == ABSENT {
            continue;
        }
        let first = params.ray_vectors as usize * number;
        let numbers = |at: usize| [0, 1, 2].map(|k| f32::from_bits(rays[at][k]));
        let path =
            Path { origin: numbers(first), direction: numbers(first + 1), limit: f32::from_bits(rays[first][3]) };
        let own = if params.ray_vectors > 2 { rays[first + 2] } else { params.traits };
        let own = traits(own, rays[first + 1][3] & RAY_FIXED != 0);
        let mut found = Vec::new();
        for slot in 0..params.bodies as usize {
            let ([.., id], [.., tag]) = (tree[2 * slot], tree[2 * slot + 1]);
            if id == ABSENT || rays[first + 1][3] & RAY_SKIPPED != 0 {
                continue;
            }
            let filtered = params.flags & (HAS_FILTERS | WORLDS) != 0;
            if filtered && !own.may_meet(&traits(slot_traits[slot], tag & TAG_FIXED != 0)) {
                continue;
            }
            let kind = kind_of_tag(tag);
            let record = slot_record(slot_shapes, slot_rotations, kind, slot);
            let span = match kind {
                _ if slot_shapes[2 * slot][3] & OUTSIDE_DOMAIN != 0 => Span::Open(0.0),
                Kind::Sphere => ray_sphere(&path, &sphere(&record)),
                Kind::Aabb => ray_aabb(&path, &aabb(&record)),
                Kind::Obb => ray_obb(&path, &Cuboid::in_f32(&obb(&record))),
                Kind::Capsule => ray_capsule(&path, &capsule(&record)),
                Kind::Plane => ray_half_space(&path, &plane(&record), LATEST),
                Kind::ConvexHull => {
                    let (low, high) = bounds(tree, slot);
                    match ray_aabb(&path, &Aabb::from_bounds(low.into(), high.into())) {
                        Span::Miss => Span::Miss,
                        Span::Hit(first, _) | Span::Open(first) => Span::Open(first),
                    }
                }
            };
            match span {
                Span::Miss => {}
                Span::Hit(..) => found.push(slot as u32 | RAY_CERTAIN),
                Span::Open(_) => found.push(slot as u32),
            }
        }
        if params.mode == RAYS_ANY && found.iter().any(|slot| slot & RAY_CERTAIN != 0) {
            found.retain(|slot| slot & RAY_CERTAIN != 0);
            found.truncate(1);
        }
        states[number] = [ABSENT, 0, 0, 0];
        hits[number] = [number as u32, found.pop().unwrap_or(ABSENT), 0, 0];
        for slot in found {
            let place = status[STATUS_RAY_EXTRAS];
            status[STATUS_RAY_EXTRAS] += 1;
            if place < params.extra_room {
                hits[(params.rays + place) as usize] = [number as u32, slot, 0, 0];
            }
        }
    }
}
