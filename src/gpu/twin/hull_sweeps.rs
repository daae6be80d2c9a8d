//! When the bodies of each listed pair first touch of which one is a hull.

use super::hull_clearances::corners_of_frame;
use super::moving::moving_body;
use crate::gpu::abi::hull_sweeps::{Params, View};
use crate::gpu::abi::{PARTNER_ID, STATUS_BINS_OVERFLOWED, STATUS_SWEEPS_LEFT, SWEEP_VECTORS};
use crate::near::hull::Body;
use crate::near::{SweepHit, sweep_hull};

pub(crate) fn hull_sweeps(params: &Params, view: View<'_>) {
    let View { frames_a, frames_b, rows, pairs, records, hulls_a, hulls_b, status } = view;
    if status[STATUS_BINS_OVERFLOWED] != 0 || status[STATUS_SWEEPS_LEFT] < params.turns {
        return;
    }
    let count = rows[params.rows as usize].min(params.room) as usize;
    for (at, [a, partner]) in pairs[..count].iter().copied().enumerate() {
        let b = partner & PARTNER_ID;
        let (frame_a, course_a) = moving_body(frames_a, params.courses_a, a);
        let (frame_b, course_b) = moving_body(frames_b, params.courses_b, b);
        let (frames, both_tables) = ([&frame_a, &frame_b], [hulls_a, hulls_b]);
        let record: &mut [SweepHit] =
            bytemuck::cast_slice_mut(&mut records[SWEEP_VECTORS * at..SWEEP_VECTORS * (at + 1)]);
        let is_wanted = params.turns == 0 || record[0].is_hull_pending();
        let has_plane = frames.iter().any(|frame| frame.is_half_space());
        if has_plane || !is_wanted || !frames.iter().any(|frame| frame.is_hull()) {
            continue;
        }
        let forms = [0, 1].map(|k| corners_of_frame(frames[k], both_tables[k]));
        let bodies = [0, 1].map(|k| Body { frame: frames[k], corners: &forms[k].0, largest_sum: forms[k].1 });
        let before = if params.turns == 0 { SweepHit::pending() } else { record[0] };
        let found = sweep_hull((&bodies[0], &course_a), (&bodies[1], &course_b), before);
        record[0] = found.unwrap_or_else(SweepHit::open).with_b(b).of_hull();
        if record[0].is_hull_pending() {
            status[STATUS_SWEEPS_LEFT] = status[STATUS_SWEEPS_LEFT].max(params.turns + 1);
        }
    }
}
