//! What the narrow phase left open, settled exactly.

use super::narrow::{HIT, MISS, Slot, TOUCH, note, range, verdict};
use crate::Relation;
use crate::gpu::params::{CANDIDATES, NONE, Params, STATUS_SETTLED, Step};
use crate::query::intersect;

/// What is left open in a bucket: places among all candidates.
pub(crate) fn left_open(params: &Params, bucket: u32, candidates: &[u32], status: &[u32]) -> Vec<usize> {
    let all = range(params, bucket, status);
    let of_group = |first: usize| first..(first + CANDIDATES as usize).min(all.end);
    all.clone()
        .step_by(CANDIDATES as usize)
        .flat_map(|first| of_group(first).take_while(|at| candidates[2 * at] != NONE))
        .collect()
}

fn settle(params: &Params, step: Step, buffers: &mut [Vec<u32>], relation: impl Fn(&Slot<'_>, &Slot<'_>) -> Relation) {
    let open = left_open(params, step[0], &buffers[2], &buffers[5]);
    buffers[5][STATUS_SETTLED] += open.len() as u32;
    for at in open {
        let verdict = verdict(buffers, at, |a, b| match relation(a, b) {
            Relation::Separate => MISS,
            Relation::Touching => TOUCH,
            Relation::Overlapping => HIT,
        });
        note(params, buffers, at, verdict);
    }
}

pub(crate) fn settle_aabb_obb(params: &Params, step: Step, buffers: &mut [Vec<u32>]) {
    settle(params, step, buffers, |a, b| intersect(&a.aabb(), &b.obb()));
}

pub(crate) fn settle_obb_obb(params: &Params, step: Step, buffers: &mut [Vec<u32>]) {
    settle(params, step, buffers, |a, b| intersect(&a.obb(), &b.obb()));
}
