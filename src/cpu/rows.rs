//! Some rows of an answer: the pairs of some bodies with those of a set, in memory that is bounded.

use std::ops::Range;

use super::narrow::{CpuHits, Narrow};
use super::order::SearchBetween;
use super::{Collected, Join, QUERIES, Sorted};
use crate::Bodies;
use crate::clock::Clock;

/// Which pairs are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// All whose bounds meet and that traits allow.
    Candidates,
    /// Those of them that touch or, if nothing else is asked for, overlap.
    Hits,
}

/// The pairs of the bodies of `own` in this range and the bodies of the searched set, unsorted. Within one set, which is both, those with
/// bodies of larger ids. Once there is no room for more, what was found by then is returned.
pub(crate) fn rows_of(
    join: &Join<'_>,
    (own, range): (&Bodies, Range<usize>),
    (bodies, sorted): (&Bodies, &Sorted),
    within: bool,
    wanted: Wanted,
    clock: &mut Clock,
) -> Vec<CpuHits> {
    let first_id = range.start as u32;
    let part = own.part(range);
    let sorted_part = Sorted::of_width(join.pool, sorted.width, (&part, join.bounds()), clock);
    let (order, searched) = (&sorted_part.order, &sorted.order);
    // Within one set the traits are those of the pair, with its exclusions.
    let allowed = |i: u32, j: u32| {
        let (a, b) = ((order.ids[i as usize] + first_id) as usize, searched.ids[j as usize] as usize);
        if within { b > a && bodies.may_meet(a, b) } else { own.all_traits()[a].may_meet(&bodies.all_traits()[b]) }
    };
    // Few rows may have many pairs.
    let size = (order.len() / 64).clamp(1, QUERIES);
    let mut parts = join.pool.map_chunks(order.len(), size, |range| {
        let searching = (&part, order);
        match wanted {
            Wanted::Candidates => {
                let ids = |i: u32, j: u32| [order.ids[i as usize], searched.ids[j as usize]];
                let sink = Collected::new(Some(Box::new(allowed)), Box::new(ids), join.limit);
                sorted.width.run(SearchBetween { searching, searched, range, growth: join.growth(), sink }).finish()
            }
            Wanted::Hits => {
                let inputs = (sorted_part.input(&part), sorted.input(bodies));
                let sink = Narrow::between(sorted.width, inputs, Some(Box::new(allowed)), join);
                sorted.width.run(SearchBetween { searching, searched, range, growth: join.growth(), sink }).finish()
            }
        }
    });
    for [a, _] in parts.iter_mut().flat_map(|part| part.touching.iter_mut().chain(&mut part.overlapping)) {
        *a += first_id;
    }
    clock.lap("pairs");
    parts
}
