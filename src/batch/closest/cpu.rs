//! Points through the tree, on all cores.

use super::result::Part;
use super::{Closest, ClosestQuery, position};
use crate::clock::Clock;
use crate::cpu::{Bounds, FindMany, in_order};
use crate::exact::Away;
use crate::lanes::prefetch;
use crate::parallel::Pool;

/// Points per task.
const POINTS: usize = 512;

pub(super) fn closest(query: &ClosestQuery, pool: &Pool, out: &mut Closest) {
    let mut clock = Clock::start();
    let (points, searched, rows) = (&query.sets.own.bodies, query.sets.searched(), query.sets.rows());
    let parts = searched.with_sorted((pool, Bounds::Shapes), &mut clock, |sorted, clock| {
        let order = in_order(pool, rows.len(), |k| (position(points, rows.start + k), 0));
        clock.lap("order");
        let cells = searched.is_worth_cells(rows.len()).then(|| sorted.cells(pool, &searched.bodies, clock));
        let parts = pool.map_chunks(rows.len(), POINTS, |range| {
            let order = &order[range];
            // (Points come in another order than theirs.)
            let (mut each, mut counts) = (Vec::with_capacity(order.len()), vec![0; order.len()]);
            let place = |k: usize| {
                // (The next one may lie anywhere in memory.)
                if let Some(next) = order.get(k + 1) {
                    prefetch(&points.records()[rows.start + next]);
                    prefetch(&points.all_traits()[rows.start + next]);
                }
                (position(points, rows.start + order[k]), points.all_traits()[rows.start + order[k]])
            };
            let found = |k: usize, found: &mut Vec<(Away, u32)>| {
                query.rank(rows.start + order[k], found);
                counts[k] = found.len();
                each.extend(found.iter().map(|(_, body)| (k, *body)));
            };
            let wanted = (query.count as usize, query.within);
            let (bodies, count) = (&searched.bodies, order.len());
            let tested = FindMany { bodies, sorted, cells, wanted, count, point: place, found }.run();
            // (The order of those of a point stays.)
            each.sort_by_key(|(k, _)| *k);
            let asked: Vec<_> = each.into_iter().map(|(k, body)| (rows.start + order[k], body)).collect();
            Part { counts, each: query.found_each(&asked), tested, ..Part::default() }
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
