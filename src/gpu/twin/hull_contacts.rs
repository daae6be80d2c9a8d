//! The contact of each listed pair of which one is a hull and none a half-space, along the direction in which they meet.

use glam::Vec3;

use super::hull_ways::{LEFT, each_pair};
use crate::Relation;
use crate::exact::Margin;
use crate::gpu::abi::hull_contacts::{Params, View};
use crate::gpu::abi::{MARK_TOUCHING, PARTNER_ID, STATUS_BINS_OVERFLOWED};
use crate::manifold::{Known, Manifold};
use crate::near::hull::{Body, MeetingAxis, manifold_along};

/// What is known of a pair, given its marked partner, and whether bodies may be apart and how far.
pub(super) fn known_of(partner: u32, [a, b]: [&Body<'_>; 2], (may_be_apart, margin): (u32, f32)) -> Known {
    if may_be_apart != 0 {
        return Known::Within(Margin([margin, a.frame.margin(), b.frame.margin()]));
    }
    Known::Meet(if partner & MARK_TOUCHING == 0 { Relation::Overlapping } else { Relation::Touching })
}

pub(crate) fn hull_contacts(params: &Params, view: View<'_>) {
    let View { frames_a, frames_b, rows, pairs, manifolds, hulls_a, hulls_b, status } = view;
    if status[STATUS_BINS_OVERFLOWED] != 0 {
        return;
    }
    let count = rows[params.rows as usize].min(params.room) as usize;
    let sets = ([frames_a, frames_b], [hulls_a, hulls_b]);
    each_pair(sets, false, &pairs[..count], manifolds, |[row, partner], [a, b], to| {
        let ([x, y, z, distance], [height, .., is_found]) = (to[LEFT].map(f32::from_bits), to[LEFT + 1]);
        if is_found != 1 {
            return;
        }
        let axis = MeetingAxis { normal: Vec3::new(x, y, z), height: f32::from_bits(height), distance };
        let known = known_of(partner, [a, b], (params.may_be_apart, params.margin));
        let partner = partner & PARTNER_ID;
        let found = manifold_along((row, a), (partner, b), &axis, known, params.most);
        let found = found.unwrap_or_else(|| Manifold::open(row, partner));
        to.copy_from_slice(bytemuck::cast_slice(&[found]));
    });
}
