//! All pairs, one after the other, by the exact relation: the reference, which shares nothing with the broad phase.

use super::OverlapsQuery;
use crate::clock::Clock;
use crate::query::intersect;
use crate::{Bodies, Overlaps};

pub(super) fn overlaps(query: &OverlapsQuery, out: &mut Overlaps) {
    let mut clock = Clock::start();
    out.clear();
    out.offsets.push(0);
    let own = &query.sets.own.bodies;
    for a in 0..own.len() {
        match &query.sets.against {
            None => row(query, out, a, (own, a + 1), |b| own.may_meet(a, b)),
            Some(other) => {
                let other = &other.bodies;
                row(query, out, a, (other, 0), |b| own.all_traits()[a].may_meet(&other.all_traits()[b]));
            }
        }
        out.offsets.push(out.pairs.len());
    }
    out.stats.candidates = out.pairs.len() as u64;
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
    for b in first..other.len() {
        if own.enabled_flags()[a] && other.enabled_flags()[b] && may_meet(b) {
            let relation = intersect(&own.get(a), &other.get(b));
            if query.wants(relation) {
                out.pairs.push([a as u32, b as u32]);
                out.relations.push(relation);
            }
        }
    }
}
