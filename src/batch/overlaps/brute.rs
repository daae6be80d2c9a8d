//! All pairs, one after the other, by the exact relation: the reference, which shares nothing with the broad phase.

use super::OverlapsQuery;
use crate::batch::set::PairedSets;
use crate::bodies::Reach;
use crate::clock::Clock;
use crate::relation::MARK_TOUCHING;
use crate::{Bodies, Overlaps, Relation};

pub(super) fn overlaps(query: &OverlapsQuery, out: &mut Overlaps) {
    pairs(&query.sets, (query.reach, &|relation| query.wants(relation)), out);
}

/// How near each other bodies are, and which relations are wanted.
pub(in crate::batch) type Asked<'a> = (Reach, &'a dyn Fn(Relation) -> bool);

/// The pairs of these sets whose relation is wanted.
pub(in crate::batch) fn pairs(sets: &PairedSets, asked: Asked<'_>, out: &mut Overlaps) {
    let mut clock = Clock::start();
    out.clear();
    out.begin(sets);
    let own = &sets.own.bodies;
    out.offsets.resize(sets.rows().start + 1, 0);
    for a in sets.rows() {
        match &sets.against {
            None => row(asked, out, (own, a), (own, a + 1), |b| own.may_meet(a, b)),
            Some(other) => {
                let other = &other.bodies;
                row(asked, out, (own, a), (other, 0), |b| own.all_traits()[a].may_meet(&other.all_traits()[b]));
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
    (reach, wants): Asked<'_>,
    out: &mut Overlaps,
    (own, a): (&Bodies, usize),
    (other, first): (&Bodies, usize),
    may_meet: impl Fn(usize) -> bool,
) {
    for b in first..other.id_bound() {
        if own.enabled_flags()[a] && other.enabled_flags()[b] && may_meet(b) {
            let relation = reach.relation((own, a), (other, b));
            if wants(relation) {
                let mark = if relation == Relation::Touching { MARK_TOUCHING } else { 0 };
                out.partners.push(b as u32 | mark);
            }
        }
    }
}
