//! Every pair whose bounds meet, one after the other.

use super::{Candidates, CandidatesQuery};
use crate::Bodies;
use crate::clock::Clock;

pub(super) fn candidates(query: &CandidatesQuery, out: &mut Candidates) {
    let mut clock = Clock::start();
    let rows = &mut out.rows;
    rows.clear();
    rows.begin(&query.sets);
    rows.offsets.resize(query.sets.rows().start + 1, 0);
    let own = &query.sets.own.bodies;
    for a in query.sets.rows() {
        let meet = |other: &Bodies, b: usize| {
            let enabled = own.enabled_flags()[a] && other.enabled_flags()[b];
            enabled && own.get(a).aabb().intersection(&other.get(b).aabb()).is_some()
        };
        let partners: Vec<usize> = match &query.sets.against {
            None => (a + 1..own.id_bound()).filter(|b| own.may_meet(a, *b) && meet(own, *b)).collect(),
            Some(other) => {
                let other = &other.bodies;
                let may_meet = |b: &usize| own.all_traits()[a].may_meet(&other.all_traits()[*b]);
                (0..other.id_bound()).filter(|b| may_meet(b) && meet(other, *b)).collect()
            }
        };
        rows.partners.extend(partners.into_iter().map(|b| b as u32));
        rows.offsets.push(rows.partners.len() as u32);
    }
    rows.stats.candidates = rows.len() as u64;
    clock.lap("pairs");
    rows.stats.stages = clock.laps();
}
