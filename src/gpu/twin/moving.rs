//! Decides candidates that are boxes in which bodies stay while they move.

use super::narrow::{note, range, row_and_partner};
use crate::gpu::abi::moving::{Params, View};
use crate::gpu::abi::{COURSE_VECTORS, FRAME_VECTORS, HIT, MISS, REPORT_VERDICTS, SECOND_SEARCHES, narrow};
use crate::gpu::ledger::word_of;
use crate::gpu::stages;
use crate::manifold::Frame;
use crate::near::{Course, pass_by};
use crate::shape::Aabb;

/// A moving body in a buffer in which courses begin at `courses`.
pub(super) fn moving_body(frames: &[[u32; 4]], courses: u32, id: u32) -> (Frame, Course) {
    let (i, first) = (id as usize, courses as usize);
    let frame = bytemuck::cast_slice(&frames[FRAME_VECTORS * i..][..FRAME_VECTORS])[0];
    (frame, bytemuck::cast_slice(&frames[first + COURSE_VECTORS * i..][..COURSE_VECTORS])[0])
}

pub(crate) fn moving_pairs(params: &Params, view: View<'_>) {
    let as_narrow = params.as_narrow();
    let all = range(&as_narrow, view.status);
    let decided = &mut view.status[word_of(&stages::MOVING_PAIRS)];
    *decided = decided.wrapping_add(all.len() as u32);
    let View { slot_shapes, candidates, hits, rows, frames_a, frames_b, status } = view;
    let mut view = narrow::View { slot_shapes, slot_rotations: &mut [], candidates, hits, rows, status };
    for at in all {
        let [first, second] = view.candidates[at].map(|slot| 2 * (slot & !SECOND_SEARCHES) as usize);
        let numbers = |at: usize| [0, 1, 2].map(|k| f32::from_bits(view.slot_shapes[at][k]));
        let [one, other]: [Aabb; 2] = [first, second].map(|at| bytemuck::cast([numbers(at), numbers(at + 1)]));
        let (a, b) = row_and_partner(&as_narrow, &view, at);
        let (frame_a, course_a) = moving_body(frames_a, params.courses_a, a);
        let (frame_b, course_b) = moving_body(frames_b, params.courses_b, b);
        let meet = crate::query::intersect(&one, &other).is_hit();
        let verdict = if meet && !pass_by((&frame_a, &course_a), (&frame_b, &course_b)) { HIT } else { MISS };
        if params.mode == REPORT_VERDICTS {
            view.hits[at] = [verdict, 0];
        } else {
            note(&as_narrow, &mut view, at, verdict);
        }
    }
}
