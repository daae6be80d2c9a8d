//! The direction along which the bodies of each listed pair meet of which one is a hull and none a half-space.

use glam::Vec3;

use super::hull_ways::{LEFT, each_pair};
use crate::gpu::abi::hull_directions::{Params, View};
use crate::gpu::abi::{HULL_HAS_FOUR, HULL_HAS_WAY_OUT, HULL_SEARCHED, STATUS_BINS_OVERFLOWED};
use crate::near::hull::{Deepest, Ended, MeetingAxis, Ways, meeting_axis_of};

/// The ways that were left; `None` if none were.
fn ways_of(left: &[[u32; 4]]) -> Option<Ways> {
    let ([x, y, z, length], [first, flags, most, of_out], [u, v, w, last_of_out]) =
        (left[0].map(f32::from_bits), left[1], left[2]);
    let low = |word: u32| word & 0xffff;
    let ended = Ended {
        best: Vec3::new(x, y, z),
        length,
        count: (flags >> 16 & 7) as usize,
        signs: [low(first), first >> 16, low(flags)],
    };
    let out = Deepest {
        direction: Vec3::from([u, v, w].map(f32::from_bits)),
        corners: [low(of_out), of_out >> 16, last_of_out],
        most: f32::from_bits(most),
    };
    (flags & HULL_SEARCHED != 0).then(|| Ways {
        ended: (flags & HULL_HAS_FOUR == 0).then_some(ended),
        out: (flags & HULL_HAS_WAY_OUT != 0).then_some(out),
    })
}

pub(crate) fn hull_directions(params: &Params, view: View<'_>) {
    let View { frames_a, frames_b, rows, pairs, manifolds, hulls_a, hulls_b, status } = view;
    if status[STATUS_BINS_OVERFLOWED] != 0 {
        return;
    }
    let count = rows[params.rows as usize].min(params.room) as usize;
    let sets = ([frames_a, frames_b], [hulls_a, hulls_b]);
    each_pair(sets, false, &pairs[..count], manifolds, |_, [a, b], to| {
        let Some(ways) = ways_of(&to[LEFT..]) else { return };
        to[LEFT..LEFT + 3].fill([0; 4]);
        if let Some(MeetingAxis { normal, height, distance }) = meeting_axis_of(a, b, ways) {
            to[LEFT] = [normal.x, normal.y, normal.z, distance].map(f32::to_bits);
            to[LEFT + 1] = [height.to_bits(), 0, 0, 1];
        }
    });
}
