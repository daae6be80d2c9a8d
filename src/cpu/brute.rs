//! All pairs, one after the other, by the exact relation: the reference, which shares nothing with the broad phase.

use crate::engine::Options;
use crate::query::intersect;
use crate::{Bodies, Overlaps, Relation};

fn wanted(relation: Relation, options: &Options) -> bool {
    relation == Relation::Overlapping || relation == Relation::Touching && !options.get_overlapping_only()
}

/// Every pair of a set.
pub(crate) fn overlaps(bodies: &Bodies, options: &Options, out: &mut Overlaps) {
    out.clear();
    out.offsets.push(0);
    for a in 0..bodies.len() {
        for b in a + 1..bodies.len() {
            let enabled = bodies.enabled_flags()[a] && bodies.enabled_flags()[b];
            if enabled && bodies.may_meet(a, b) {
                push(out, a, b, intersect(&bodies.get(a), &bodies.get(b)), options);
            }
        }
        out.offsets.push(out.pairs.len());
    }
    out.stats.candidates = out.pairs.len() as u64;
}

/// Every pair of a body of `a` and one of `b`.
pub(crate) fn overlaps_between(a: &Bodies, b: &Bodies, options: &Options, out: &mut Overlaps) {
    out.clear();
    out.offsets.push(0);
    for i in 0..a.len() {
        for j in 0..b.len() {
            let enabled = a.enabled_flags()[i] && b.enabled_flags()[j];
            if enabled && a.all_traits()[i].may_meet(&b.all_traits()[j]) {
                push(out, i, j, intersect(&a.get(i), &b.get(j)), options);
            }
        }
        out.offsets.push(out.pairs.len());
    }
    out.stats.candidates = out.pairs.len() as u64;
}

fn push(out: &mut Overlaps, a: usize, b: usize, relation: Relation, options: &Options) {
    if wanted(relation, options) {
        out.pairs.push([a as u32, b as u32]);
        out.relations.push(relation);
    }
}

/// Every pair of a set whose bounds meet.
pub(crate) fn candidates(bodies: &Bodies, out: &mut Overlaps) {
    out.clear();
    for a in 0..bodies.len() {
        for b in a + 1..bodies.len() {
            let enabled = bodies.enabled_flags()[a] && bodies.enabled_flags()[b];
            let meet = || bodies.get(a).aabb().intersection(&bodies.get(b).aabb()).is_some();
            if enabled && bodies.may_meet(a, b) && meet() {
                out.pairs.push([a as u32, b as u32]);
            }
        }
    }
}
