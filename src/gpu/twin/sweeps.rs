//! When the bodies of each listed pair first touch.

use crate::gpu::abi::sweeps::{Params, View};
use crate::gpu::abi::{COURSE_VECTORS, FRAME_VECTORS, PARTNER_ID, STATUS_BINS_OVERFLOWED, SWEEP_VECTORS};
use crate::manifold::Frame;
use crate::near::{Course, SweepHit, sweep};

pub(crate) fn sweeps(params: &Params, view: View<'_>) {
    let View { frames_a, frames_b, courses_a, courses_b, rows, pairs, records, status } = view;
    if status[STATUS_BINS_OVERFLOWED] != 0 {
        return;
    }
    let [of_a, of_b] = [frames_a, frames_b]
        .map(|frames| bytemuck::cast_slice::<[u32; 4], Frame>(&frames[..frames.len() / FRAME_VECTORS * FRAME_VECTORS]));
    let [ways_a, ways_b] = [courses_a, courses_b].map(|courses| {
        bytemuck::cast_slice::<[u32; 4], Course>(&courses[..courses.len() / COURSE_VECTORS * COURSE_VECTORS])
    });
    let count = rows[params.rows as usize].min(params.room) as usize;
    for (at, [a, partner]) in pairs[..count].iter().copied().enumerate() {
        let (i, b) = (a as usize, partner & PARTNER_ID);
        let found = sweep((&of_a[i], &ways_a[i]), (&of_b[b as usize], &ways_b[b as usize]));
        let found = found.unwrap_or_else(SweepHit::open).with_b(b);
        let to = SWEEP_VECTORS * at;
        records[to..to + SWEEP_VECTORS].copy_from_slice(bytemuck::cast_slice(&[found]));
    }
}
