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

/// What is known of rays and bodies, in the buffers of stages that cast rays.
pub(super) struct Cast<'a> {
    pub(super) rays: &'a [[u32; 4]],
    pub(super) tree: &'a [[u32; 4]],
    pub(super) slot_shapes: &'a [[u32; 4]],
    pub(super) slot_rotations: &'a [[u32; 4]],
    pub(super) slot_traits: &'a [[u32; 4]],
    /// The vectors of a ray, and the traits of all rays, if they do not have their own.
    pub(super) ray_vectors: u32,
    pub(super) traits: [u32; 4],
    pub(super) flags: u32,
    pub(super) bodies: u32,
}

impl Cast<'_> {
    /// The slots of all bodies that a ray may meet, and when it enters them.
    pub(super) fn spans(&self, number: usize) -> Vec<(u32, Span<f32>)> {
        let Self { rays, tree, slot_shapes, slot_rotations, slot_traits, .. } = *self;
        let traits = |[layer, mask, group, world]: [u32; 4], fixed: bool| {
            Traits::new().layer(layer).mask(mask).group(group).world(world).fixed(fixed)
        };
        let first = self.ray_vectors as usize * number;
        if rays[first + 1][3] & RAY_SKIPPED != 0 {
            return Vec::new();
        }
        let numbers = |at: usize| [0, 1, 2].map(|k| f32::from_bits(rays[at][k]));
        let path =
            Path { origin: numbers(first), direction: numbers(first + 1), limit: f32::from_bits(rays[first][3]) };
        let own = if self.ray_vectors > 2 { rays[first + 2] } else { self.traits };
        let own = traits(own, rays[first + 1][3] & RAY_FIXED != 0);
        let span = |slot: usize| {
            let ([.., id], [.., tag]) = (tree[2 * slot], tree[2 * slot + 1]);
            let filtered = self.flags & (HAS_FILTERS | WORLDS) != 0;
            if id == ABSENT || filtered && !own.may_meet(&traits(slot_traits[slot], tag & TAG_FIXED != 0)) {
                return Span::Miss;
            }
            let kind = kind_of_tag(tag);
            let record = slot_record(slot_shapes, slot_rotations, kind, slot);
            match kind {
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
            }
        };
        let spans = (0..self.bodies as usize).map(|slot| (slot as u32, span(slot)));
        spans.filter(|(_, span)| !matches!(span, Span::Miss)).collect()
    }
}

/// Where a stage that casts rays writes what it has found.
pub(super) struct Written<'a> {
    pub(super) states: &'a mut [[u32; 4]],
    pub(super) hits: &'a mut [[u32; 4]],
    pub(super) status: &'a mut [u32],
    /// The number of rays, `RAYS_NEAREST`, `RAYS_ANY` or `RAYS_ALL`, and the capacity for bodies apart from one for each ray.
    pub(super) rays: u32,
    pub(super) mode: u32,
    pub(super) extra_room: u32,
}

/// Lists all bodies that a ray may hit, and is done with it.
pub(super) fn list(number: usize, cast: &Cast<'_>, written: &mut Written<'_>) {
    let listed = |(slot, span): &(u32, Span<f32>)| slot | if matches!(span, Span::Hit(..)) { RAY_CERTAIN } else { 0 };
    let mut found: Vec<u32> = cast.spans(number).iter().map(listed).collect();
    if written.mode == RAYS_ANY && found.iter().any(|slot| slot & RAY_CERTAIN != 0) {
        found.retain(|slot| slot & RAY_CERTAIN != 0);
        found.truncate(1);
    }
    written.states[number] = [ABSENT, 0, 0, 0];
    written.hits[number] = [number as u32, found.pop().unwrap_or(ABSENT), 0, 0];
    for slot in found {
        let place = written.status[STATUS_RAY_EXTRAS];
        written.status[STATUS_RAY_EXTRAS] += 1;
        if place < written.extra_room {
            written.hits[(written.rays + place) as usize] = [number as u32, slot, 0, 0];
        }
    }
}

pub(crate) fn cast_rays(params: &Params, view: View<'_>) {
    let View { rays, tree, slot_shapes, slot_rotations, slot_traits, states, hits, status } = view;
    let &Params { ray_vectors, traits, flags, bodies, mode, extra_room, .. } = params;
    let cast = Cast { rays, tree, slot_shapes, slot_rotations, slot_traits, ray_vectors, traits, flags, bodies };
    let mut written = Written { states, hits, status, rays: params.rays, mode, extra_room };
    for number in 0..params.rays as usize {
        if params.begin == 1 || written.states[number][0] != ABSENT {
            list(number, &cast, &mut written);
        }
    }
}
