//! Decides candidates that may be some way apart.

use super::narrow::{note, range};
use super::settle::left_open;
use crate::gpu::abi::near::{Params, View};
use crate::gpu::abi::{
    FRAME_VECTORS, HIT, MISS, OUTSIDE_DOMAIN, REPORT_VERDICTS, SECOND_SEARCHES, STATUS_SETTLED, UNDECIDED, narrow,
};
use crate::gpu::ledger::word_of;
use crate::gpu::stages;
use crate::manifold::Frame;
use crate::near::{self, Verdict};

pub(crate) fn near_pairs(params: &Params, view: View<'_>) {
    let all = range(&params.as_narrow(), view.status);
    let decided = &mut view.status[word_of(&stages::NEAR_PAIRS)];
    *decided = decided.wrapping_add(all.len() as u32);
    decide(params, view, all);
}

/// Decides the candidates that the narrow phase left open.
pub(crate) fn near_open(params: &Params, view: View<'_>) {
    let open = left_open(&params.as_narrow(), view.candidates, view.status);
    view.status[STATUS_SETTLED] += open.len() as u32;
    decide(params, view, open);
}

fn decide(params: &Params, view: View<'_>, candidates: impl IntoIterator<Item = usize>) {
    let all = candidates;
    let View { slot_shapes, candidates, hits, rows, frames_a, frames_b, status } = view;
    let as_narrow = params.as_narrow();
    let mut view = narrow::View { slot_shapes, slot_rotations: &mut [], candidates, hits, rows, status };
    let frame = |searches: bool, id: u32| -> Frame {
        let frames = if searches { &*frames_a } else { &*frames_b };
        bytemuck::cast_slice(&frames[FRAME_VECTORS * id as usize..][..FRAME_VECTORS])[0]
    };
    for at in all {
        let [first, second] = view.candidates[at];
        let (other, second_searches) = (second & !SECOND_SEARCHES, second & SECOND_SEARCHES != 0);
        let id = |slot: u32| view.slot_shapes[2 * slot as usize][3] & !OUTSIDE_DOMAIN;
        let frames = [frame(!second_searches, id(first)), frame(second_searches, id(other))];
        let verdict = match near::verdict(&frames[0], &frames[1], params.margin) {
            Some(Verdict::Miss) => MISS,
            Some(Verdict::Hit) => HIT,
            Some(Verdict::Open) | None => UNDECIDED,
        };
        if params.mode == REPORT_VERDICTS {
            view.hits[at] = [verdict, 0];
        } else {
            note(&as_narrow, &mut view, at, verdict);
        }
    }
}
