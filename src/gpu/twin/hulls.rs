//! Decides candidates of which one is a hull.

use super::narrow::{note, range};
use crate::gpu::abi::hulls::{Params, View};
use crate::gpu::abi::{HIT, MISS, OUTSIDE_DOMAIN, REPORT_VERDICTS, SECOND_SEARCHES, UNDECIDED, narrow};
use crate::gpu::ledger::word_of;
use crate::gpu::stages;
use crate::near::Verdict;
use crate::near::hull::{Part, verdict};
use crate::shape::hull_record;
use crate::shape::kinds::{Kind, bucket_of};

/// The corners of a local form, which the word of a record names.
fn corners(hulls: &[[u32; 4]], word: u32) -> Vec<[f32; 3]> {
    let [begin, count, ..] = hulls[hull_record::form_of(f32::from_bits(word)) as usize];
    let all = &hulls[begin as usize..(begin + count) as usize];
    all.iter().map(|[x, y, z, _]| [*x, *y, *z].map(f32::from_bits)).collect()
}

pub(crate) fn hull_pairs(params: &Params, view: View<'_>) {
    let all = range(&params.as_narrow(), view.status);
    let decided = &mut view.status[word_of(&stages::HULL_PAIRS)];
    *decided = decided.wrapping_add(all.len() as u32);
    let View { slot_shapes, slot_rotations, candidates, hits, rows, hulls_a, hulls_b, status } = view;
    let is_other = |kind: &Kind| bucket_of(*kind as u32, Kind::ConvexHull as u32) == params.bucket;
    let other = Kind::ALL.into_iter().find(is_other).expect("a bucket of hulls");
    let mut view = narrow::View { slot_shapes, slot_rotations, candidates, hits, rows, status };
    for at in all {
        let [first, second] = view.candidates[at];
        let (second, second_searches) = (second & !SECOND_SEARCHES, second & SECOND_SEARCHES != 0);
        let slots = [(first, other, !second_searches), (second, Kind::ConvexHull, second_searches)];
        let forms = slots.map(|(slot, kind, searches)| {
            let table = if searches { &*hulls_a } else { &*hulls_b };
            let word = view.slot_shapes[2 * slot as usize + 1][0];
            if kind == Kind::ConvexHull { corners(table, word) } else { Vec::new() }
        });
        let part = |k: usize| {
            let (slot, kind, _) = slots[k];
            let [place, second] = [0, 1].map(|at| view.slot_shapes[2 * slot as usize + at].map(f32::from_bits));
            let radius = match kind {
                Kind::Sphere => second[0],
                Kind::Capsule => second[3],
                _ => 0.0,
            };
            Part {
                kind,
                place: [place[0], place[1], place[2]],
                second: [second[0], second[1], second[2]],
                radius,
                turn: view.slot_rotations[slot as usize].map(f32::from_bits),
                corners: &forms[k],
            }
        };
        let outside = slots.iter().any(|slot| view.slot_shapes[2 * slot.0 as usize][3] & OUTSIDE_DOMAIN != 0);
        let found = if outside { Verdict::Open } else { verdict(&part(0), &part(1), params.margin) };
        let verdict = match found {
            Verdict::Miss => MISS,
            Verdict::Hit => HIT,
            Verdict::Open => UNDECIDED,
        };
        if params.mode == REPORT_VERDICTS {
            view.hits[at] = [verdict, 0];
        } else {
            note(&params.as_narrow(), &mut view, at, verdict);
        }
    }
}
