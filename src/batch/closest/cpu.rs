//! Points through the tree, on all cores.

use super::{Closest, ClosestQuery, position};
use crate::clock::Clock;
use crate::cpu::{Bounds, Finder};
use crate::near::Clearance;
use crate::parallel::Pool;

/// Points per task.
const POINTS: usize = 128;

pub(super) fn closest(query: &ClosestQuery, pool: &Pool, out: &mut Closest) {
    let mut clock = Clock::start();
    let (points, searched, rows) = (&query.sets.own.bodies, query.sets.searched(), query.sets.rows());
    let parts = searched.with_sorted((pool, Bounds::Shapes), &mut clock, |sorted, clock| {
        let parts = pool.map_chunks(rows.len(), POINTS, |range| {
            let mut finder = Finder::new((&searched.bodies, sorted), query.count as usize, query.within);
            let (mut counts, mut each) = (Vec::with_capacity(range.len()), Vec::with_capacity(range.len()));
            for point in rows.start + range.start..rows.start + range.end {
                finder.find(position(points, point), &points.all_traits()[point]);
                query.rank(point, &mut finder.found);
                counts.push(finder.found.len());
                each.extend(finder.found.iter().map(|(_, body)| query.clearance(point, *body).with_b(*body)));
            }
            (counts, each, finder.tested)
        });
        clock.lap("points");
        parts
    });
    out.clear();
    let mut point = rows.start;
    for (counts, each, tested) in &parts {
        let mut rest: &[Clearance] = each;
        for count in counts {
            let (own, others) = rest.split_at(*count);
            out.push(point, own.iter().copied());
            (rest, point) = (others, point + 1);
        }
        out.stats.candidates += tested;
    }
    out.on_host = out.len() as u64;
    clock.lap("gather");
    out.stats.stages = clock.laps();
}
