//! All pairs, one after the other, by the exact relation: the reference, which shares nothing with the broad phase.

use super::OverlapsQuery;
use crate::clock::Clock;
use crate::query::intersect;
use crate::relation::MARK_TOUCHING;
use crate::{Bodies, Overlaps, Relation};

pub(super) fn overlaps(query: &OverlapsQuery, out: &mut Overlaps) {
    let mut clock = Clock::start();
    out.clear();
    out.begin(&query.sets);
    out.offsets.push(0);
    let own = &query.sets.own.bodies;
    for a in 0..own.id_bound() {
        match &query.sets.against {
            None => row(query, out, a, (own, a + 1), |b| own.may_meet(a, b)),
            Some(other) => {
                let other = &other.bodies;
                row(query, out, a, (other, 0), |b| own.all_traits()[a].may_meet(&other.all_traits()[b]));
            }
        }
        out.offsets.push(out.partners.len() as u32);
    }
    out.stats.candidates = out.len() as u64;
    clock.lap("pairs");
    out.stats.stages = clock.laps();
}

/// The pairs of body `a` with those of `other` from `first` on that it may meet.
fn row(
    query: &OverlapsQuery,
    out: &mut Overlaps,
    a: usize,
    (other, first): (&Bodies, usize),
    may_meet: impl Fn(usize) -> bool,
) {
    let own = &query.sets.own.bodies;
    for b in first..other.id_bound() {
        if own.enabled_flags()[a] && other.enabled_flags()[b] && may_meet(b) {
            let relation = intersect(&own.get(a), &other.get(b));
            if query.wants(relation) {
                let mark = if relation == Relation::Touching { MARK_TOUCHING } else { 0 };
                out.partners.push(b as u32 | mark);
            }
        }
    }
}
