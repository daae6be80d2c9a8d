//! All pairs, one after the other.

use super::{Clearances, ClearancesQuery};
use crate::Relation;
use crate::batch::overlaps::brute;
use crate::query::relation_within;
use crate::shape::kinds::BodyShape;

pub(super) fn clearances(query: &ClearancesQuery, out: &mut Clearances) {
    let relation = |a: &BodyShape, b: &BodyShape| relation_within(a, b, query.margin());
    brute::pairs(&query.sets, (&relation, &Relation::is_hit), &mut out.pairs);
    out.each.clear();
    out.each.extend(out.pairs.pairs().map(|(a, b)| query.clearance(a, b)));
    out.on_host = out.len() as u64;
}
