//! Settles, by the exact tests, the candidates that the narrow phase left open.

use super::narrow::{Slot, note, range, verdict};
use crate::Relation;
use crate::gpu::abi::settle::{Params, View};
use crate::gpu::abi::{ABSENT, HIT, MISS, NARROW_CANDIDATES, STATUS_SETTLED, TOUCH};
use crate::query::intersect;

/// The candidates of a bucket that are left open, as indices among all candidates.
pub(crate) fn left_open(params: &Params, candidates: &[[u32; 2]], status: &[u32]) -> Vec<usize> {
    let all = range(params, status);
    let of_group = |first: usize| first..(first + NARROW_CANDIDATES as usize).min(all.end);
    all.clone()
        .step_by(NARROW_CANDIDATES as usize)
        .flat_map(|first| of_group(first).take_while(|at| candidates[*at][0] != ABSENT))
        .collect()
}

fn settle(params: &Params, mut view: View<'_>, relation: impl Fn(&Slot<'_>, &Slot<'_>) -> Relation) {
    let open = left_open(params, view.candidates, view.status);
    view.status[STATUS_SETTLED] += open.len() as u32;
    for at in open {
        let verdict = verdict(&view, at, |a, b| match relation(a, b) {
            Relation::Separate => MISS,
            Relation::Touching => TOUCH,
            Relation::Overlapping => HIT,
        });
        note(params, &mut view, at, verdict);
    }
}

pub(crate) fn settle_sphere_sphere(params: &Params, view: View<'_>) {
    settle(params, view, |a, b| intersect(&a.sphere(), &b.sphere()));
}

pub(crate) fn settle_sphere_aabb(params: &Params, view: View<'_>) {
    settle(params, view, |a, b| intersect(&a.sphere(), &b.aabb()));
}

pub(crate) fn settle_sphere_obb(params: &Params, view: View<'_>) {
    settle(params, view, |a, b| intersect(&a.sphere(), &b.obb()));
}

pub(crate) fn settle_aabb_obb(params: &Params, view: View<'_>) {
    settle(params, view, |a, b| intersect(&a.aabb(), &b.obb()));
}

pub(crate) fn settle_obb_obb(params: &Params, view: View<'_>) {
    settle(params, view, |a, b| intersect(&a.obb(), &b.obb()));
}
