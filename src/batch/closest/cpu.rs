//! Points through the tree, on all cores.

use super::result::Part;
use super::{Closest, ClosestQuery, position};
use crate::clock::Clock;
use crate::cpu::{Bounds, Finder, in_order};
use crate::parallel::Pool;

/// Points per task.
const POINTS: usize = 128;

pub(super) fn closest(query: &ClosestQuery, pool: &Pool, out: &mut Closest) {
    let mut clock = Clock::start();
    let (points, searched, rows) = (&query.sets.own.bodies, query.sets.searched(), query.sets.rows());
    let parts = searched.with_sorted((pool, Bounds::Shapes), &mut clock, |sorted, clock| {
        let order = in_order(pool, rows.len(), |k| (position(points, rows.start + k), 0));
        clock.lap("order");
        let parts = pool.map_chunks(rows.len(), POINTS, |range| {
            let mut finder = Finder::new((&searched.bodies, sorted), query.count as usize, query.within);
            let mut part = Part::default();
            for point in order[range].iter().map(|k| rows.start + k) {
                finder.find(position(points, point), &points.all_traits()[point]);
                query.rank(point, &mut finder.found);
                part.counts.push(finder.found.len());
                part.each.extend(finder.found.iter().map(|(_, body)| query.found(point, *body)));
            }
            Part { tested: finder.tested, ..part }
        });
        clock.lap("points");
        (order, parts)
    });
    let (order, parts) = parts;
    out.clear();
    out.fill_in_order(rows.start, &order, &parts);
    (out.stats.candidates, out.on_host) = (parts.iter().map(|part| part.tested).sum(), out.len() as u64);
    clock.lap("gather");
    out.stats.stages = clock.laps();
}
