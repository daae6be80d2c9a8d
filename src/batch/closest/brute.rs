//! All points and all bodies, one after the other, by exact order.

use super::{Closest, ClosestQuery, position};
use crate::exact::Away;

pub(super) fn closest(query: &ClosestQuery, out: &mut Closest) {
    let (points, bodies) = (&query.sets.own.bodies, &query.sets.searched().bodies);
    out.clear();
    for point in query.sets.rows() {
        let may_meet = |body: &usize| {
            bodies.enabled_flags()[*body] && points.all_traits()[point].may_meet(&bodies.all_traits()[*body])
        };
        let away = |body: usize| (Away::of(position(points, point), &bodies.get(body)), body as u32);
        let mut found = (0..bodies.id_bound()).filter(may_meet).map(away).collect();
        query.rank(point, &mut found);
        out.push(point, found.iter().map(|(_, body)| query.clearance(point, *body).with_b(*body)));
    }
    (out.stats.candidates, out.on_host) = (out.len() as u64, out.len() as u64);
}
