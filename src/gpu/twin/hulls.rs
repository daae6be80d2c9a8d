//! Decides candidates of which one is a hull, as far as single words can.

use glam::Vec3;

use super::narrow::{note, range};
use crate::gpu::abi::open_hulls::{Params, View};
use crate::gpu::abi::{
    ABSENT, HIT, MISS, NARROW_CANDIDATES, OUTSIDE_DOMAIN, REPORT_HITS, REPORT_VERDICTS, SECOND_SEARCHES,
    STATUS_LEFT_OPEN, UNDECIDED, narrow,
};
use crate::gpu::ledger::word_of;
use crate::gpu::stages::{self, Stage};
use crate::near::Verdict;
use crate::near::hull::{Part, verdict};
use crate::shape::hull_record;
use crate::shape::kinds::{Kind, bucket_of};

/// The corners of a local form, which the word of a record names, and the largest sum of a corner's coordinates.
pub(super) fn corners(hulls: &[[u32; 4]], word: u32) -> (Vec<Vec3>, f32) {
    let [begin, count, largest, _] = hulls[hull_record::form_of(f32::from_bits(word)) as usize];
    let all = &hulls[begin as usize..(begin + count) as usize];
    (all.iter().map(|[x, y, z, _]| [*x, *y, *z].map(f32::from_bits).into()).collect(), f32::from_bits(largest))
}

/// The verdict on the candidate with index `at` among all candidates.
pub(super) fn verdict_on(params: &Params, view: &View<'_>, at: usize, precisely: bool) -> u32 {
    let is_other = |kind: &Kind| bucket_of(*kind as u32, Kind::ConvexHull as u32) == params.bucket;
    let other = Kind::ALL.into_iter().find(is_other).expect("a bucket of hulls");
    let [first, second] = view.candidates[at];
    let (second, second_searches) = (second & !SECOND_SEARCHES, second & SECOND_SEARCHES != 0);
    let slots = [(first, other, !second_searches), (second, Kind::ConvexHull, second_searches)];
    let forms = slots.map(|(slot, kind, searches)| {
        let table = if searches { &*view.hulls_a } else { &*view.hulls_b };
        let word = view.slot_shapes[2 * slot as usize + 1][0];
        if kind == Kind::ConvexHull { corners(table, word) } else { (Vec::new(), 0.0) }
    });
    let part = |k: usize| {
        let (slot, kind, _) = slots[k];
        let [place, second] = [0, 1].map(|at| view.slot_shapes[2 * slot as usize + at].map(f32::from_bits));
        let radius = match kind {
            Kind::Sphere => second[0],
            Kind::Capsule => second[3],
            _ => 0.0,
        };
        Part {
            kind,
            place: [place[0], place[1], place[2]],
            second: [second[0], second[1], second[2]],
            radius,
            turn: view.slot_rotations[slot as usize].map(f32::from_bits),
            corners: &forms[k].0,
            largest_sum: forms[k].1,
        }
    };
    if slots.iter().any(|slot| view.slot_shapes[2 * slot.0 as usize][3] & OUTSIDE_DOMAIN != 0) {
        return UNDECIDED;
    }
    let margin = |k: usize| {
        let (slot, kind, _) = slots[k];
        let is_capsule = kind == Kind::Capsule;
        let words = if is_capsule { &view.slot_rotations } else { &view.slot_shapes };
        f32::from_bits(if is_capsule { words[slot as usize][0] } else { words[2 * slot as usize + 1][3] })
    };
    match verdict(&part(0), &part(1), [params.margin, margin(0), margin(1)], precisely) {
        Verdict::Miss => MISS,
        Verdict::Hit => HIT,
        Verdict::Open => UNDECIDED,
    }
}

/// Counts the candidates of the bucket in the ledger, and returns them.
fn decided(params: &Params, status: &mut [u32], stage: &Stage) -> std::ops::Range<usize> {
    let all = range(&params.as_narrow(), status);
    let decided = &mut status[word_of(stage)];
    *decided = decided.wrapping_add(all.len() as u32);
    all
}

/// Records a verdict.
pub(super) fn record(params: &Params, view: &mut View<'_>, at: usize, verdict: u32) {
    let View { slot_shapes, slot_rotations, candidates, hits, rows, status, .. } = view;
    if params.mode == REPORT_VERDICTS {
        hits[at] = [verdict, 0];
        return;
    }
    let mut view = narrow::View { slot_shapes, slot_rotations, candidates, hits, rows, status };
    note(&params.as_narrow(), &mut view, at, verdict);
}

/// What is open is moved to the front of its workgroup's part of the candidates.
pub(crate) fn hull_pairs(params: &Params, mut view: View<'_>) {
    let all = decided(params, view.status, &stages::HULL_PAIRS);
    for first in all.clone().step_by(NARROW_CANDIDATES as usize) {
        let end = first + NARROW_CANDIDATES as usize;
        let mut left = Vec::new();
        for at in first..end.min(all.end) {
            let verdict = verdict_on(params, &view, at, false);
            if params.mode == REPORT_HITS && verdict == UNDECIDED {
                left.push(view.candidates[at]);
            } else {
                record(params, &mut view, at, verdict);
            }
        }
        if params.mode == REPORT_HITS {
            view.status[STATUS_LEFT_OPEN] += left.len() as u32;
            let end_of_left = first + left.len();
            view.candidates[first..end_of_left].copy_from_slice(&left);
            if end_of_left < end.min((params.first_candidate + params.room) as usize) {
                view.candidates[end_of_left] = [ABSENT; 2];
            }
        }
    }
}
