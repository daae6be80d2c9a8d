//! All points and all bodies, one after the other, by exact order.

use super::result::Part;
use super::{Closest, ClosestQuery, position};
use crate::exact::Away;

pub(super) fn closest(query: &ClosestQuery, out: &mut Closest) {
    let (points, bodies) = (&query.sets.own.bodies, &query.sets.searched().bodies);
    let mut all = Part::default();
    for point in query.sets.rows() {
        let may_meet = |body: &usize| {
            bodies.enabled_flags()[*body] && points.all_traits()[point].may_meet(&bodies.all_traits()[*body])
        };
        let away = |body: usize| (Away::of(position(points, point), &bodies.get(body)), body as u32);
        let mut found = (0..bodies.id_bound()).filter(may_meet).map(away).collect();
        query.rank(point, &mut found);
        all.counts.push(found.len());
        all.each.extend(found.iter().map(|(_, body)| query.found(point, *body)));
    }
    out.clear();
    out.fill(query.sets.rows().start, [all].iter());
    (out.stats.candidates, out.on_host) = (out.len() as u64, out.len() as u64);
}
