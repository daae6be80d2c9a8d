//! How far the nearest bodies of points are at most, and which they are: looks at all bodies.

use super::cast_rays::slot_record;
use super::kind_of_tag;
use crate::Traits;
use crate::exact::Away;
use crate::filter::{dot, rotation};
use crate::gpu::abi::reach_nearest::{Params, View};
use crate::gpu::abi::{ABSENT, HAS_FILTERS, MARGIN_KNOWN, TAG_FIXED, WORLDS};
use crate::shape::hull_record;
use crate::shape::kinds::{Kind, Record, decode};

/// A distance that a hull is not beyond, by its record alone: each face of its bounds has a corner within a step, and all of it is in a ball.
fn furthest_hull(point: [f32; 3], record: &Record) -> f64 {
    let at = |k: usize| f64::from(point[k]) - f64::from(record[k]);
    let axes = rotation([6, 7, 8, 9].map(|k| f64::from(record[k])));
    let along = [0, 1, 2].map(|j| dot(&axes[j], &[0, 1, 2].map(at)));
    let words = [record[3], record[4], record[5]];
    let ((low, high), share) = (hull_record::bounds_of(words), f64::from(hull_record::radius_share(words)));
    let step = f64::from(hull_record::reach_of(record[3])) / f64::from(hull_record::STEP_ZERO);
    let ends = [0, 1, 2].map(|k| [low[k], high[k]].map(f64::from));
    let length = |v: [f64; 3]| dot(&v, &v).sqrt();
    let by_face = |face: usize| {
        length([0, 1, 2].map(|k| {
            let [below, above] = ends[k].map(|end| (along[k] - end).abs());
            if k == face { below.min(above) + step } else { below.max(above) }
        }))
    };
    let from_middle = length([0, 1, 2].map(|k| along[k] - ends[k][0].midpoint(ends[k][1])));
    let radius = share * length(ends.map(|[low, high]| (high - low) / 2.0));
    by_face(0).min(by_face(1)).min(by_face(2)).min(from_middle + radius)
}

/// The bodies that the point in a slot may meet, and how far they are away, the nearest first.
pub(crate) fn distances(params: &Params, view: &View<'_>, slot: usize) -> Vec<(usize, Away)> {
    let traits = |slot: usize, tag: u32| {
        let [layer, mask, group, world] = view.slot_traits[slot];
        Traits::new().layer(layer).mask(mask).group(group).world(world).fixed(tag & TAG_FIXED != 0)
    };
    let filtered = params.flags & (HAS_FILTERS | WORLDS) != 0;
    let point = [0, 1, 2].map(|k| f32::from_bits(view.slot_shapes[2 * slot][k]));
    let mut all = Vec::new();
    for body in 0..params.bodies as usize {
        let (id, tag) = (view.tree[2 * body][3], view.tree[2 * body + 1][3]);
        let own = view.slot_bounds[2 * slot + 1][3];
        if id == ABSENT || filtered && !traits(slot, own).may_meet(&traits(body, tag)) {
            continue;
        }
        let kind = kind_of_tag(tag);
        let record = slot_record(view.slot_shapes, view.slot_rotations, kind, body);
        let away = if kind == Kind::ConvexHull {
            Away { least: 0.0, most: furthest_hull(point, &record) }
        } else {
            Away::of(point, &decode(kind, &record, &[]))
        };
        all.push((body, away));
    }
    all.sort_by(|(_, a), (_, b)| a.most.total_cmp(&b.most));
    all
}

pub(crate) fn reach_nearest(params: &Params, view: View<'_>) {
    for slot in params.first_slot as usize..params.end_slot as usize {
        let id = view.slot_bounds[2 * slot][3];
        if id == ABSENT {
            if params.count == 1 {
                view.nearest[slot - params.first_slot as usize] = ABSENT;
            }
            continue;
        }
        let all = distances(params, &view, slot);
        let last = match all.get(params.count as usize - 1) {
            Some((_, away)) => (away.most as f32).next_up().min(params.within),
            None if params.within < f32::MAX => params.within,
            None => all.last().map_or(0.0, |(_, away)| (away.most as f32).next_up()),
        };
        // (No other is as near.)
        let is_known = params.count == 1
            && all.first().is_some_and(|nearest| nearest.1.most < f64::from(params.within))
            && all[1..].iter().all(|(_, other)| all[0].1.most < other.least);
        if params.count == 1 {
            let known = if is_known { view.tree[2 * all[0].0][3] } else { ABSENT };
            view.nearest[slot - params.first_slot as usize] = known;
        }
        let mark = if is_known { MARGIN_KNOWN } else { 0 };
        view.margins[id as usize] = last.min(f32::MAX).to_bits() | mark;
    }
}
