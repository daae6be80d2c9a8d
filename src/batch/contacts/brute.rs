//! All pairs, one after the other.

use super::{Contacts, ContactsQuery};
use crate::Relation;
use crate::batch::overlaps::brute;

pub(super) fn contacts(query: &ContactsQuery, out: &mut Contacts) {
    brute::pairs(&query.sets, (query.reach, &|relation: Relation| query.wants(relation)), &mut out.pairs);
    out.manifolds.clear();
    out.manifolds.extend(out.pairs.iter().map(|(a, b, relation)| query.contact(a, b, relation)));
    out.on_host = out.len() as u64;
}
