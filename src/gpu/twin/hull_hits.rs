//! Computes when rays enter the hulls that they may hit.

use super::cast_rays::slot_record;
use super::kind_of_tag;
use crate::cast::{HullPlane, Meeting, Shot, Verdict, hull_meeting};
use crate::det::Double;
use crate::gpu::abi::hull_hits::{Params, View};
use crate::gpu::abi::{
    ABSENT, HIT, MISS, RAY_CERTAIN, STATUS_CARRY, STATUS_RAY_EXTRAS, STATUS_RAYS_UNFINISHED, UNDECIDED,
};
use crate::shape::hull_record;
use crate::shape::kinds::Kind;

/// The planes of a local form, which the word of a record names.
fn planes(hull_planes: &[[u32; 4]], word: f32) -> impl Iterator<Item = HullPlane> {
    let [begin, count, ..] = hull_planes[hull_record::form_of(word) as usize];
    hull_planes[begin as usize..][..2 * count as usize].chunks_exact(2).map(|words| {
        let double = |k: usize| Double { high: f32::from_bits(words[0][k]), low: f32::from_bits(words[1][k]) };
        HullPlane { normal: [0, 1, 2].map(double), offset: double(3) }
    })
}

pub(crate) fn hull_hits(params: &Params, view: View<'_>) {
    let View { rays, tree, slot_shapes, slot_rotations, hull_planes, hits, status } = view;
    let extras = status[STATUS_RAY_EXTRAS];
    if status[STATUS_RAYS_UNFINISHED] != 0 || status[STATUS_CARRY] != 0 || extras > params.extra_room {
        return;
    }
    for entry in &mut hits[..(params.rays + extras) as usize] {
        let [ray, marked, ..] = *entry;
        let (slot, at) = ((marked & !RAY_CERTAIN) as usize, (params.ray_vectors * ray) as usize);
        if marked == ABSENT || kind_of_tag(tree[2 * slot + 1][3]) != Kind::ConvexHull {
            continue;
        }
        let numbers = |at: usize| [0, 1, 2].map(|k| f32::from_bits(rays[at][k]));
        let shot = Shot::on_device(numbers(at), numbers(at + 1), f32::from_bits(rays[at][3]));
        let record = slot_record(slot_shapes, slot_rotations, Kind::ConvexHull, slot);
        let found = hull_meeting(&shot, &record, planes(hull_planes, record[3]));
        let Meeting { verdict, time } = found.unwrap_or(Meeting { verdict: Verdict::Open, time: 0.0 });
        let (verdict, time) = match verdict {
            Verdict::Miss => (MISS, 0.0),
            Verdict::Hit => (HIT, time),
            Verdict::Open => (UNDECIDED, 0.0),
        };
        *entry = [ray, marked, time.to_bits(), verdict + 1];
    }
}
