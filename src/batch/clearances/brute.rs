//! All pairs, one after the other.

use super::{Clearances, ClearancesQuery};
use crate::Relation;
use crate::batch::overlaps::brute;

pub(super) fn clearances(query: &ClearancesQuery, out: &mut Clearances) {
    brute::pairs(&query.sets, (query.reach(), &Relation::is_hit), &mut out.pairs);
    out.each.clear();
    out.each.extend(out.pairs.pairs().map(|(a, b)| query.clearance(a, b)));
    out.on_host = out.len() as u64;
}
