//! Some rows of an answer: the pairs of some bodies with those of a set, in memory that is bounded.

use std::ops::Range;

use super::narrow::{CpuHits, Narrow, NarrowInput, PackedObb};
use super::{QUERIES, Sorted};
use crate::Bodies;
use crate::memory::{Counting, PairLimit};
use crate::parallel::Pool;

/// Which pairs are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// All whose bounds meet and that traits allow.
    Candidates,
    /// Those of them that touch or overlap.
    Hits,
    /// Those of them that overlap.
    Overlapping,
}

/// The pairs of the bodies of `own` in this range and the bodies of the searched set, unsorted. Within one set, which is both, those with
/// bodies of larger ids. Once there is no room for more, what was found by then is returned.
pub(crate) fn rows_of(
    pool: &Pool,
    (own, range): (&Bodies, Range<usize>),
    (bodies, sorted): (&Bodies, &Sorted),
    within: bool,
    (wanted, limit): (Wanted, &PairLimit),
) -> Vec<CpuHits> {
    let ids: Vec<u32> = range.filter(|i| own.enabled_flags()[*i]).map(|i| i as u32).collect();
    let packed = pool.collect(ids.len(), |k| PackedObb::new(&own.get(ids[k] as usize)));
    let size = (ids.len() / 64).clamp(1, QUERIES);
    pool.map_chunks(ids.len(), size, |part| {
        let input = NarrowInput { bodies: own, ids: &ids, packed: &packed };
        let mut narrow = Narrow::new(input, sorted.input(bodies), wanted == Wanted::Overlapping);
        let (mut pairs, mut counting) = (Vec::new(), Counting::new(limit));
        for i in part {
            let (a, traits) = (ids[i], &own.all_traits()[ids[i] as usize]);
            let bounds = own.get(a as usize).aabb();
            sorted.order.query_world(&bounds, traits.world, &mut |j| {
                let b = sorted.order.ids[j];
                let allowed = if within {
                    b > a && bodies.may_meet(a as usize, b as usize)
                } else {
                    traits.may_meet(&bodies.all_traits()[b as usize])
                };
                match wanted {
                    _ if !allowed => {}
                    Wanted::Candidates => pairs.push([a, b]),
                    Wanted::Hits | Wanted::Overlapping => narrow.push(i, j),
                }
            });
            if !counting.count(pairs.len() + narrow.found()) {
                break;
            }
        }
        if wanted == Wanted::Candidates { CpuHits::of_candidates(pairs) } else { narrow.finish() }
    })
}
