//! When the bodies of each listed pair first touch.

use super::moving::moving_body;
use crate::gpu::abi::sweeps::{Params, View};
use crate::gpu::abi::{PARTNER_ID, STATUS_BINS_OVERFLOWED, STATUS_SWEEPS_LEFT, SWEEP_VECTORS};
use crate::manifold::Frame;
use crate::near::{Course, SweepHit, sweep_any, sweep_straight};

/// Boxes that do not turn.
pub(crate) fn sweeps(params: &Params, view: View<'_>) {
    each(params, view, |_, a, b| sweep_straight(a, b).unwrap_or_else(SweepHit::open));
}

/// All that is pending, for some more moments.
pub(crate) fn sweeps_rest(params: &Params, view: View<'_>) {
    if view.status[STATUS_SWEEPS_LEFT] < params.turns {
        return;
    }
    each(
        params,
        view,
        |hit, a, b| {
            if hit.is_pending() { sweep_any(a, b, hit).unwrap_or_else(SweepHit::open) } else { hit }
        },
    );
}

type Body<'a> = (&'a Frame, &'a Course);

/// Computes the records of all pairs, and says whether some are pending.
fn each(params: &Params, view: View<'_>, compute: impl Fn(SweepHit, Body<'_>, Body<'_>) -> SweepHit) {
    let View { frames_a, frames_b, rows, pairs, records, status } = view;
    if status[STATUS_BINS_OVERFLOWED] != 0 {
        return;
    }
    let count = rows[params.rows as usize].min(params.room) as usize;
    for (at, [a, partner]) in pairs[..count].iter().copied().enumerate() {
        let b = partner & PARTNER_ID;
        let (frame_a, course_a) = moving_body(frames_a, params.courses_a, a);
        let (frame_b, course_b) = moving_body(frames_b, params.courses_b, b);
        let record: &mut [SweepHit] =
            bytemuck::cast_slice_mut(&mut records[SWEEP_VECTORS * at..SWEEP_VECTORS * (at + 1)]);
        record[0] = compute(record[0], (&frame_a, &course_a), (&frame_b, &course_b)).with_b(b);
        if record[0].is_pending() {
            status[STATUS_SWEEPS_LEFT] = status[STATUS_SWEEPS_LEFT].max(params.turns + 1);
        }
    }
}
