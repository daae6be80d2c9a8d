//! The ways in which the bodies of each listed pair may be moved apart of which one is a hull and none a half-space.

use super::hull_clearances::corners_of_frame;
use crate::gpu::abi::hull_ways::{Params, View};
use crate::gpu::abi::{
    FRAME_VECTORS, HULL_HAS_FOUR, HULL_HAS_WAY_OUT, HULL_SEARCHED, MANIFOLD_VECTORS, MARK_UNDECIDED, PARTNER_ID,
    STATUS_BINS_OVERFLOWED,
};
use crate::manifold::Frame;
use crate::near::hull::{Body, meeting_ways};

/// Where ways and directions of a contact are left: where its points will be.
pub(super) const LEFT: usize = 3;

/// Vectors of the first bodies, and of the second.
type Both<'a> = [&'a [[u32; 4]]; 2];

/// What `work` makes of each pair with a hull, and with a half-space or without: given the row and the marked partner, both bodies, and the contact as it is.
pub(super) fn each_pair(
    (frames, hulls): (Both<'_>, Both<'_>),
    with_half_space: bool,
    pairs: &[[u32; 2]],
    manifolds: &mut [[u32; 4]],
    work: impl Fn([u32; 2], [&Body<'_>; 2], &mut [[u32; 4]]),
) {
    let [of_a, of_b] = frames
        .map(|frames| bytemuck::cast_slice::<[u32; 4], Frame>(&frames[..frames.len() / FRAME_VECTORS * FRAME_VECTORS]));
    for (pair, to) in pairs.iter().zip(manifolds.chunks_mut(MANIFOLD_VECTORS)) {
        let frames = [&of_a[pair[0] as usize], &of_b[(pair[1] & PARTNER_ID) as usize]];
        if !frames.iter().any(|frame| frame.is_hull())
            || frames.iter().any(|frame| frame.is_half_space()) != with_half_space
        {
            continue;
        }
        let forms = [0, 1].map(|k| corners_of_frame(frames[k], hulls[k]));
        let [a, b] = [0, 1].map(|k| Body { frame: frames[k], corners: &forms[k].0, largest_sum: forms[k].1 });
        work(*pair, [&a, &b], to);
    }
}

pub(crate) fn hull_ways(params: &Params, view: View<'_>) {
    let View { frames_a, frames_b, rows, pairs, manifolds, hulls_a, hulls_b, status } = view;
    if status[STATUS_BINS_OVERFLOWED] != 0 {
        return;
    }
    let count = rows[params.rows as usize].min(params.room) as usize;
    let sets = ([frames_a, frames_b], [hulls_a, hulls_b]);
    each_pair(sets, false, &pairs[..count], manifolds, |[_, partner], [a, b], to| {
        if params.may_be_apart == 0 && partner & MARK_UNDECIDED != 0 {
            return;
        }
        let Some(ways) = meeting_ways(a, b) else { return };
        (to[LEFT], to[LEFT + 1], to[LEFT + 2]) = ([0; 4], [0, HULL_SEARCHED, 0, 0], [0; 4]);
        if let Some(ended) = ways.ended {
            let ([x, y, z], [a, b, c]) = (ended.best.to_array(), ended.signs);
            to[LEFT] = [x, y, z, ended.length].map(f32::to_bits);
            to[LEFT + 1][0] = a | b << 16;
            to[LEFT + 1][1] |= c | (ended.count as u32) << 16;
        } else {
            to[LEFT + 1][1] |= HULL_HAS_FOUR;
        }
        if let Some(out) = ways.out {
            let ([x, y, z], [a, b, c]) = (out.direction.to_array().map(f32::to_bits), out.corners);
            to[LEFT + 1][1] |= HULL_HAS_WAY_OUT;
            (to[LEFT + 1][2], to[LEFT + 1][3]) = (out.most.to_bits(), a | b << 16);
            to[LEFT + 2] = [x, y, z, c];
        }
    });
}
