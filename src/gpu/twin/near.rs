//! Decides candidates that may be some way apart.

use super::narrow::{note, range};
use crate::exact::Margin;
use crate::gpu::abi::near::{Params, View};
use crate::gpu::abi::{FRAME_VECTORS, HIT, MISS, OUTSIDE_DOMAIN, REPORT_VERDICTS, SECOND_SEARCHES, UNDECIDED, narrow};
use crate::gpu::ledger::word_of;
use crate::gpu::stages;
use crate::manifold::Frame;
use crate::near::{Pair, Verdict};

/// The params of the narrow phase that are the same.
pub(crate) fn as_narrow(params: &Params) -> narrow::Params {
    let Params { bin_first, bin_size, zero, flags, bucket, first_candidate, room, mode, bin_bits, .. } = *params;
    narrow::Params { bin_first, bin_size, zero, flags, bucket, first_candidate, room, mode, bin_bits }
}

pub(crate) fn near_pairs(params: &Params, view: View<'_>) {
    let View { slot_shapes, candidates, hits, rows, frames_a, frames_b, status } = view;
    let (as_narrow, margin) = (as_narrow(params), Margin([params.margin, 0.0, 0.0]));
    let mut view = narrow::View { slot_shapes, slot_rotations: &mut [], candidates, hits, rows, status };
    let frame = |searches: bool, id: u32| -> Frame {
        let frames = if searches { &*frames_a } else { &*frames_b };
        bytemuck::cast_slice(&frames[FRAME_VECTORS * id as usize..][..FRAME_VECTORS])[0]
    };
    let all = range(&as_narrow, view.status);
    let decided = &mut view.status[word_of(&stages::NEAR_PAIRS)];
    *decided = decided.wrapping_add(all.len() as u32);
    for at in all {
        let [first, second] = view.candidates[at];
        let (other, second_searches) = (second & !SECOND_SEARCHES, second & SECOND_SEARCHES != 0);
        let id = |slot: u32| view.slot_shapes[2 * slot as usize][3] & !OUTSIDE_DOMAIN;
        let frames = [frame(!second_searches, id(first)), frame(second_searches, id(other))];
        let verdict = match Pair::of(&frames[0], &frames[1], margin).map(|pair| pair.verdict()) {
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
