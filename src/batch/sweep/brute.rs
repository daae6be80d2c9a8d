//! All pairs, one after the other.

use super::{SweepHits, SweepQuery, frame_of};
use crate::Relation;
use crate::batch::overlaps::brute;
use crate::bodies::Reach;

pub(super) fn sweep(query: &SweepQuery<'_>, out: &mut SweepHits) {
    let swept = query.swept(None);
    brute::pairs(&query.boxes(swept), (Reach::Touching, &Relation::is_hit), &mut out.pairs);
    let (own, other) = (&query.sets.own.bodies, &query.sets.searched().bodies);
    out.each.clear();
    out.each.extend(
        out.pairs
            .pairs()
            .map(|(a, b)| query.hit(swept, (a, &frame_of(own, a as usize)), (b, &frame_of(other, b as usize)))),
    );
    out.on_host = out.each.len() as u64;
    out.leave_out_misses();
}
