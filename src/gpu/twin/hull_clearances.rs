//! The clearance of each listed pair of which one is a hull.

use glam::Vec3;

use super::hulls::corners;
use crate::gpu::abi::hull_clearances::{Params, View};
use crate::gpu::abi::{CLEARANCE_VECTORS, FRAME_VECTORS, PARTNER_ID, STATUS_BINS_OVERFLOWED};
use crate::manifold::Frame;
use crate::near::Clearance;
use crate::near::hull::{Body, clearance};

/// The corners of a hull in the domain, and the largest sum of the coordinates of one.
pub(super) fn corners_of_frame(frame: &Frame, hulls: &[[u32; 4]]) -> (Vec<Vec3>, f32) {
    frame.form_word().map(|word| corners(hulls, word.to_bits())).unwrap_or_default()
}

pub(crate) fn hull_clearances(params: &Params, view: View<'_>) {
    let View { frames_a, frames_b, rows, pairs, records, hulls_a, hulls_b, status } = view;
    if status[STATUS_BINS_OVERFLOWED] != 0 {
        return;
    }
    let [of_a, of_b] = [frames_a, frames_b]
        .map(|frames| bytemuck::cast_slice::<[u32; 4], Frame>(&frames[..frames.len() / FRAME_VECTORS * FRAME_VECTORS]));
    let count = rows[params.rows as usize].min(params.room) as usize;
    for (at, [a, partner]) in pairs[..count].iter().copied().enumerate() {
        let b = partner & PARTNER_ID;
        let frames = [&of_a[a as usize], &of_b[b as usize]];
        if !frames.iter().any(|frame| frame.is_hull()) {
            continue;
        }
        let forms = [corners_of_frame(frames[0], hulls_a), corners_of_frame(frames[1], hulls_b)];
        let [a, b_body] = [0, 1].map(|k| Body { frame: frames[k], corners: &forms[k].0, largest_sum: forms[k].1 });
        let found = clearance(&a, &b_body).unwrap_or_else(Clearance::open).with_b(b);
        let to = CLEARANCE_VECTORS * at;
        records[to..to + CLEARANCE_VECTORS].copy_from_slice(bytemuck::cast_slice(&[found]));
    }
}
