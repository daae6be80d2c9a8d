//! Comparison of the narrow phase.

use std::collections::BTreeMap;

use super::Compared;
use crate::gpu::abi::narrow::{Kernels, Params, View};
use crate::gpu::abi::{
    MARK_UNDECIDED, PARTNER_ID, REPORT_VERDICTS, STATUS_BINS_OVERFLOWED, STATUS_CANDIDATES, STATUS_UNDECIDED,
    UNDECIDED, hulls, moving, near, open_hulls, settle,
};
use crate::gpu::stages;
use crate::gpu::twin::narrow::row_and_partner;
use crate::gpu::twin::scatter_hits::all_hits;
use crate::gpu::twin::settle::left_open;

/// The verdicts agree where both are certain, and rows count their hits.
pub(super) fn verdicts(params: &Params, compared: Compared<'_, Kernels>) {
    let left_open = stages::PAIRS[params.bucket as usize].leaves_open;
    compare(params, &compared, left_open, false);
}

/// The same of boxes that may be some way apart: what is open is left for another stage.
pub(super) fn near_filter(params: &Params, compared: Compared<'_, Kernels>) {
    compare(params, &compared, true, false);
}

/// All candidates are hits.
pub(super) fn accepted(params: &Params, compared: Compared<'_, Kernels>) {
    compare(params, &compared, false, true);
}

fn compare(params: &Params, compared: &Compared<'_, Kernels>, may_leave_open: bool, equal: bool) {
    let Compared { before, after, twin } = compared;
    let count = after.status[STATUS_CANDIDATES + params.bucket as usize].min(params.room) as usize;
    let first = params.first_candidate as usize;
    if params.mode == REPORT_VERDICTS {
        for k in first..first + count {
            let (a, b) = (after.hits[k][0], twin.hits[k][0]);
            let agree = a == b || a == UNDECIDED || b == UNDECIDED;
            assert!(agree, "the verdict on {:?} is {a}, not {b}", after.candidates[k]);
        }
        return;
    }
    if after.status[STATUS_BINS_OVERFLOWED] != 0 || twin.status[STATUS_BINS_OVERFLOWED] != 0 {
        return;
    }
    // Row and partner of the hits and of the candidates left open, with whether they are undecided.
    let found = |view: &View<'_>| -> BTreeMap<(u32, u32), bool> {
        let hits = hits(params, view).into_iter();
        let mut all: BTreeMap<_, _> = hits.map(|(pair, mark)| (pair, mark == MARK_UNDECIDED)).collect();
        if may_leave_open {
            for at in left_open(params, view.candidates, view.status) {
                let again = all.insert(row_and_partner(params, view, at), true);
                assert_eq!(again, None, "a pair is a hit, and left open or that twice");
            }
        }
        all
    };
    let (kernel, serial) = (found(after), found(twin));
    for (pair, undecided) in kernel.iter().filter(|(pair, _)| !serial.contains_key(*pair)) {
        assert!(*undecided && !equal, "{pair:?} is a certain hit, and a certain miss for the twin");
    }
    for (pair, undecided) in serial.iter().filter(|(pair, _)| !kernel.contains_key(*pair)) {
        assert!(*undecided && !equal, "{pair:?} is a certain miss, and a certain hit for the twin");
    }
    check_rows(params, before, after);
}

/// Verdicts in deterministic arithmetic are the same.
pub(super) fn near(params: &near::Params, compared: Compared<'_, near::Kernels>) {
    let Compared { before, after, twin } = compared;
    let [before, after, twin] = [before, after, twin].map(|view| {
        let near::View { slot_shapes, candidates, hits, rows, status, .. } = view;
        View { slot_shapes, slot_rotations: &mut [], candidates, hits, rows, status }
    });
    same(&params.as_narrow(), Compared { before, after, twin });
}

fn as_narrow(view: open_hulls::View<'_>) -> View<'_> {
    let open_hulls::View { slot_shapes, slot_rotations, candidates, hits, rows, status, .. } = view;
    View { slot_shapes, slot_rotations, candidates, hits, rows, status }
}

/// So are those on hulls that were left open.
pub(super) fn open_hulls(params: &open_hulls::Params, compared: Compared<'_, open_hulls::Kernels>) {
    let Compared { before, after, twin } = compared;
    let [before, after, twin] = [before, after, twin].map(as_narrow);
    same(&params.as_narrow(), Compared { before, after, twin });
}

/// Verdicts on hulls agree where both are certain; what is open is left for another stage.
pub(super) fn hulls(params: &hulls::Params, compared: Compared<'_, hulls::Kernels>) {
    let Compared { before, after, twin } = compared;
    let [before, after, twin] = [before, after, twin].map(as_narrow);
    compare(&params.as_narrow(), &Compared { before, after, twin }, true, false);
}

/// So are those on bodies that move.
pub(super) fn moving(params: &moving::Params, compared: Compared<'_, moving::Kernels>) {
    let Compared { before, after, twin } = compared;
    let [before, after, twin] = [before, after, twin].map(|view| {
        let moving::View { slot_shapes, candidates, hits, rows, status, .. } = view;
        View { slot_shapes, slot_rotations: &mut [], candidates, hits, rows, status }
    });
    same(&params.as_narrow(), Compared { before, after, twin });
}

fn same(params: &Params, compared: Compared<'_, Kernels>) {
    let Compared { after, twin, .. } = &compared;
    if after.status[STATUS_BINS_OVERFLOWED] == 0 && twin.status[STATUS_BINS_OVERFLOWED] == 0 {
        assert_eq!(hits(params, after), hits(params, twin), "the hits");
        assert_eq!(after.status[STATUS_UNDECIDED], twin.status[STATUS_UNDECIDED], "what is undecided");
    }
    compare(params, &compared, false, true);
}

/// Row and partner of the hits, with their marks. No hit is duplicated.
fn hits(params: &Params, view: &View<'_>) -> BTreeMap<(u32, u32), u32> {
    let hits: Vec<_> = all_hits(&params.bin_first, view.hits, view.status).collect();
    let all: BTreeMap<_, _> =
        hits.iter().map(|[row, partner]| ((*row, partner & PARTNER_ID), partner & !PARTNER_ID)).collect();
    assert_eq!(all.len(), hits.len(), "a hit is reported twice");
    all
}

/// Settled verdicts are right: the twin is exact.
pub(super) fn settled(params: &Params, compared: Compared<'_, settle::Kernels>) {
    let Compared { before, after, twin } = compared;
    if [&before, &after, &twin].iter().any(|view| view.status[STATUS_BINS_OVERFLOWED] != 0) {
        return;
    }
    let (old, kernel, exact) = (hits(params, &before), hits(params, &after), hits(params, &twin));
    assert!(old.iter().all(|(pair, mark)| kernel.get(pair) == Some(mark)), "settle: an old hit has changed");
    for (pair, mark) in &kernel {
        let right = *mark == MARK_UNDECIDED || exact.get(pair) == Some(mark);
        assert!(right, "settle: {pair:?} is marked {mark:x}");
    }
    assert!(exact.keys().all(|pair| kernel.contains_key(pair)), "settle: a pair is lost");
    let undecided = kernel.values().filter(|mark| **mark == MARK_UNDECIDED).count();
    assert_eq!(after.status[STATUS_UNDECIDED] as usize, undecided, "settle: how many are undecided");
    check_rows(params, &before, &after);
}

/// The counts of rows have grown by the hits that were added.
fn check_rows(params: &Params, before: &View<'_>, after: &View<'_>) {
    let mut counts = before.rows.to_vec();
    for (row, _) in hits(params, after).into_keys() {
        counts[row as usize + 1] += 1;
    }
    for (row, _) in hits(params, before).into_keys() {
        counts[row as usize + 1] -= 1;
    }
    assert!(*after.rows == counts, "the counts of rows");
}
