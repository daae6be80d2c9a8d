//! Every pair whose bounds meet, one after the other.

use super::{Candidates, CandidatesQuery};
use crate::clock::Clock;
use crate::{Bodies, Relation};

pub(super) fn candidates(query: &CandidatesQuery, out: &mut Candidates) {
    let mut clock = Clock::start();
    let rows = &mut out.rows;
    rows.clear();
    rows.offsets.push(0);
    let own = &query.sets.own.bodies;
    for a in 0..own.len() {
        let meet = |other: &Bodies, b: usize| {
            let enabled = own.enabled_flags()[a] && other.enabled_flags()[b];
            enabled && own.get(a).aabb().intersection(&other.get(b).aabb()).is_some()
        };
        let partners: Vec<usize> = match &query.sets.against {
            None => (a + 1..own.len()).filter(|b| own.may_meet(a, *b) && meet(own, *b)).collect(),
            Some(other) => {
                let other = &other.bodies;
                let may_meet = |b: &usize| own.all_traits()[a].may_meet(&other.all_traits()[*b]);
                (0..other.len()).filter(|b| may_meet(b) && meet(other, *b)).collect()
            }
        };
        rows.pairs.extend(partners.into_iter().map(|b| [a as u32, b as u32]));
        rows.offsets.push(rows.pairs.len());
    }
    rows.relations.resize(rows.pairs.len(), Relation::Overlapping);
    rows.stats.candidates = rows.pairs.len() as u64;
    clock.lap("pairs");
    rows.stats.stages = clock.laps();
}
